"""What of TensorFlow is there, name by name, and the page that says it (``make docs`` writes it)."""

from __future__ import annotations

import importlib.util
import inspect
import re
from pathlib import Path
from typing import Any

import pytest

import agir as ag

HERE = Path(__file__).resolve().parent
PAGE = HERE.parent.parent / "docs" / "tensorflow.md"
HEAD = """# TensorFlow's names

Code that is written for TensorFlow moves by changing the import: `import agir as ag` for
`import tensorflow as tf`.  This page says for each public name of TensorFlow that computes with
numbers or controls what is computed whether agir has it, what differs, and what to use where there is
none.  [operations.md](operations.md) says what each operation does.

In general:

- Arguments have TensorFlow's names, order and defaults; `name` is accepted everywhere and means
  nothing.
- Values and dtypes follow NumPy: operands of different dtypes are promoted, Python numbers take the
  dtype of the tensor that they meet.  So do lists of Python numbers, which are int32 and float32 among
  themselves; in NumPy's functions and under `ag.jit` they are the arrays that NumPy makes of them.
- Errors are raised with the user's file and line; an index outside of an array is always one.
- Where TensorFlow leaves open what happens (order of equal elements, several updates of one place)
  it is the same here in every run.
"""


def _data() -> Any:
    spec = importlib.util.spec_from_file_location("tensorflow_names", HERE / "names.py")
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


DATA = _data()
ALL = [
    (module, name) for module, names in DATA.NAMES.items() for name in sorted(set(names.split()))
]


def resolve(module: str, name: str) -> Any:
    """What agir has under the name; None where it has nothing."""
    found: Any = ag
    for part in [*module.split(".")[1:], name]:
        found = getattr(found, part, None) if found is not None else None
    return found


def is_there(module: str, name: str) -> bool:
    """Whether agir has the name (``newaxis`` is None in both)."""
    return resolve(module, name) is not None or (module, name) == ("tf", "newaxis")


def instead(module: str, name: str) -> str | None:
    """What to use where the name is not there."""
    found = DATA.INSTEAD.get(module)
    return found.get(name) if isinstance(found, dict) else found


def difference(module: str, name: str) -> str:
    """What differs, said of this name or of the same function under another one."""
    own = DATA.DIFFERS.get(f"{module}.{name}")
    return own or DATA.DIFFERS.get(f"tf.math.{name}") or DATA.DIFFERS.get(f"tf.{name}") or ""


def rows(module: str) -> str:
    """A line of the table for each name of the module."""
    lines = []
    for _, name in [each for each in ALL if each[0] == module]:
        there = is_there(module, name)
        text = difference(module, name) if there else f"instead: {instead(module, name)}"
        lines.append(f"| `{name}` | {'yes' if there else 'no'} | {text} |\n")
    return "".join(lines)


def page() -> str:
    """The whole page."""
    parts = [HEAD]
    for module in DATA.NAMES:
        parts.append(f"\n## `{module}`\n\n| name | there | |\n|---|---|---|\n{rows(module)}")
    subjects = "".join(f"- {subject}\n" for subject in DATA.LEFT_OUT)
    return "".join(parts) + f"\n## What has no counterpart\n\n{subjects}"


def said() -> list[tuple[str, str, bool]]:
    """(module, name, whether it is said to be there) of each line of the page as it is."""
    found, module = [], ""
    for line in PAGE.read_text().splitlines():
        if line.startswith("## `"):
            module = line.strip("#` ")
        elif match := re.match(r"\| `(\w+)` \| (yes|no) \|", line):
            found.append((module, match[1], match[2] == "yes"))
    return found


def test_the_page_says_what_is_there():
    assert PAGE.read_text() == page(), "run `make docs`"


def test_each_name_is_there_or_not_as_the_page_says():
    wrong = [(m, n) for m, n, there in said() if is_there(m, n) is not there]
    assert not wrong
    assert len(said()) == len(ALL) > 500


@pytest.mark.parametrize(("module", "name"), ALL)
def test_a_name_that_is_not_there_has_something_in_its_place(module, name):
    assert is_there(module, name) or instead(module, name), "say in names.py what to use instead"


@pytest.mark.parametrize(("module", "name"), [e for e in ALL if is_there(*e)])
def test_a_function_takes_a_name(module, name):
    """``name=`` is in most code that is written for TensorFlow."""
    found = resolve(module, name)
    if module not in ("tf", "tf.math", "tf.bitwise") or not callable(found) or name in NAMELESS:
        return
    if isinstance(found, type | ag.DType) or hasattr(found, "origin") or hasattr(found, "emit"):
        return
    assert "name" in inspect.signature(found).parameters


NAMELESS = {"as_dtype", "control_dependencies", "function", "is_tensor", "name_scope"} | {
    "broadcast_static_shape",
    "broadcast_dynamic_shape",
    "vectorized_map",
}
"""Functions that have no ``name`` in TensorFlow either."""


def test_every_difference_is_one_of_a_name():
    known = {f"{module}.{name}" for module, name in ALL}
    assert set(DATA.DIFFERS) <= known
    for module, found in DATA.INSTEAD.items():
        if isinstance(found, dict):
            assert {f"{module}.{name}" for name in found} <= known


if __name__ == "__main__":
    PAGE.write_text(page())
