"""Programs mean the same whichever module of agir has been imported first."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

from .import_graph import LAYERS

PROGRAMS = """
import numpy as np
import agir as ag


def named(n):
    text = ""
    for k in range(n):
        text += "ab" if k % 2 else "c"
    return text


def joined(words, n):
    return ", ".join([w for w in words] + [str(n)])


def counted(numbers):
    found = {}
    for k in numbers:
        found[k] = found.get(k, 0) + 1
    return found


def listed(n):
    rows = []
    for k in range(n):
        rows.append(k * k)
    rows.reverse()
    return rows


def assigned(x):
    y = x.copy()
    y[1:] = x[:-1] * 2
    y[0] += 1.5
    return y


def of_two(x, flag):
    y = x[0] if flag else None
    k = 1 if flag else 2.5
    return (k, -1.0) if y is None else (k, y)


def several(a, b, flag):
    c = a if flag else b
    c[0] = 7
    return c + a


CALLS = [
    (named, (3,)), (named, (0,)), (joined, (["x", "yz"], 4)), (joined, ([], 5)),
    (counted, (np.array([1, 2, 1]),)), (counted, ([3, 3, 4, 3],)), (listed, (4,)),
    (assigned, (np.arange(4.0),)), (assigned, (np.arange(3),)),
    (of_two, (np.arange(2.0), True)), (of_two, (np.arange(2.0), False)),
    (several, (np.arange(3), np.ones(3, int), True)),
    (several, (np.arange(3), np.ones(3, int), False)),
]
for function, arguments in CALLS:
    print(function.__name__, repr(ag.jit(function)(*arguments)))
print(ag.grad(ag.jit(lambda x: (x * x).sum()))(np.arange(3.0)))
"""


def modules(root: Path) -> list[str]:
    """The library's modules by name; the command line's are programs."""
    folders = {"agir": root / "agir"}
    folders |= {f"agir.{layer}": root / layer for layer in LAYERS if layer != "tools"}
    found = set()
    for package, folder in folders.items():
        for path in folder.rglob("*.py"):
            parts = path.relative_to(folder).with_suffix("").parts
            found.add(".".join([package, *(each for each in parts if each != "__init__")]))
    return sorted(found)


def result(folder: Path, imports: list[str]) -> str:
    """What the programs print once these modules have been imported in this order."""
    program = folder / "program.py"
    lines = [f"import_module({name!r})" for name in imports]
    program.write_text("\n".join(["from importlib import import_module", *lines, PROGRAMS]))
    done = subprocess.run(
        [sys.executable, str(program)],
        cwd=folder,
        env={k: v for k, v in os.environ.items() if not k.startswith("AGIR_")},
        capture_output=True,
        text=True,
        timeout=600,
    )
    assert done.returncode == 0, done.stderr
    return done.stdout


@pytest.fixture(scope="module")
def usual(tmp_path_factory: pytest.TempPathFactory) -> str:
    return result(tmp_path_factory.mktemp("usual"), [])


@pytest.mark.parametrize("order", ["sorted", "reversed", "recorder first"])
def test_the_order_of_imports_is_of_no_consequence(
    order: str, usual: str, root: Path, tmp_path: Path
) -> None:
    names = modules(root)
    if order == "recorder first":
        names = [name for name in names if name.startswith("agir.ir.")]
    assert result(tmp_path, names[::-1] if order == "reversed" else names) == usual
    assert "named 'cabc'" in usual
    assert "{3: 3, 4: 1}" in usual
