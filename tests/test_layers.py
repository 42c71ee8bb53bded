"""Who may import whom: tools, runtime, backends, ir from the top down, and autograph on its own."""

from __future__ import annotations

import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

from agir.backends.cpu.cache import keys

from .import_graph import (
    DOCUMENT,
    DRAWING,
    EVERYWHERE,
    OF_TYPES,
    TOLERATED,
    Graph,
    circle,
    circles,
    drawing,
    imports_of,
    joined_tree,
    own,
    rooms,
    within,
)

# What the modules of a layer may import, by prefix; "agir" itself is the front door, which
# re-exports the layers and sits above all of them but the command line.
MAY_IMPORT = {
    "agir.autograph": ("agir.autograph",),
    # ir registers the staged control flow with autograph's operators
    "agir.ir": ("agir.ir", "agir.autograph.operators"),
    "agir.backends": ("agir.backends", "agir.ir"),
    "agir.runtime": ("agir.runtime", "agir.backends", "agir.ir", "agir.autograph"),
    "agir.tools": ("agir",),
}
BINDINGS = "agir.ir.building.bindings"
MLIR = ("mlir", "torch_mlir")
MOST_MODULES = 25
"""A room has no more; `__init__.py` is not counted."""


def layer(module: str) -> str:
    return next((name for name in MAY_IMPORT if within(module, (name,))), "agir")


def forbidden(module: str, target: str) -> str | None:
    """Why this import is against the rules, or nothing."""
    if within(target, MLIR):
        return None if module == BINDINGS else f"only {BINDINGS} imports MLIR"
    if not within(target, ("agir",)) or (target in EVERYWHERE and module not in EVERYWHERE):
        return None
    if module in EVERYWHERE:
        return f"{module} imports nothing of agir"
    own = layer(module)
    if own == "agir":
        return "only the command line uses agir.tools" if layer(target) == "agir.tools" else None
    if within(target, MAY_IMPORT[own]):
        return None
    return f"{own} may import {', '.join(MAY_IMPORT[own] + EVERYWHERE)}"


@pytest.fixture(scope="module")
def tree(root: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    return joined_tree(root, tmp_path_factory.mktemp("joined"))


@pytest.fixture(scope="module")
def graph(tree: Path) -> Graph:
    """Who imports whom when the program runs."""
    return imports_of(tree, of_types=False)


def test_every_import_points_downwards(tree: Path) -> None:
    problems = [
        f"{module} imports {target}: {why}"
        for module, targets in imports_of(tree, of_types=True).items()
        for target in targets
        if (why := forbidden(module, target))
    ]
    assert not problems, "\n".join(problems)


def test_modules_go_in_no_circle(graph: Graph) -> None:
    assert not (found := circle(own(graph))), " imports ".join(found)


def test_annotations_make_few_circles(tree: Path) -> None:
    """Nor do the imports that only type checkers see, but for those of a few modules of the runtime."""
    found = circles(own(imports_of(tree, of_types=True)))
    assert [tuple(m.rpartition(".")[2] for m in group) for group in found] == [*OF_TYPES]
    assert all(within(module, ("agir.runtime",)) for group in found for module in group)


def test_rooms_go_in_no_circle(graph: Graph) -> None:
    assert not (found := circle(rooms(graph))), " imports ".join(found)


def test_rooms_are_small(root: Path, package_folders: dict[str, Path]) -> None:
    """A reader finds something in a folder of a few modules."""
    folders = [*package_folders.values(), *(root / "tests").rglob("*/")]
    counts = {folder: len({*folder.glob("*.py")} - {folder / "__init__.py"}) for folder in folders}
    assert not {str(folder): count for folder, count in counts.items() if count > MOST_MODULES}


def test_what_is_tolerated_is_there(graph: Graph) -> None:
    gone = [pair for pair in TOLERATED if pair[1] not in graph.get(pair[0], ())]
    assert not gone, f"take out of TOLERATED: {gone}"


def test_modules_are_imported_by_statements(root: Path, package_folders: dict[str, Path]) -> None:
    """A name in text would escape the rules; these files import what is known only at run time."""
    allowed = {
        root / "agir" / "__init__.py",
        root / "ir" / "building" / "bindings.py",
        root / "tools" / "loading.py",
    }
    files = {path for folder in package_folders.values() for path in folder.glob("*.py")}
    found = [
        p for p in files - allowed if re.search(r"import_module\(|__import__\(", p.read_text())
    ]
    assert not found


def test_the_drawing_is_that_of_the_imports(graph: Graph) -> None:
    assert DRAWING.findall(DOCUMENT.read_text()) == [drawing(graph)], "out of date: run `make docs`"


def test_machine_code_is_filed_under_all_that_the_compiler_is_made_of(graph: Graph) -> None:
    """A change of a module of `ir` that passes use made other code, and the old one was taken."""
    waiting = [module for module in graph if within(module, ("agir.backends",))]
    found: set[str] = set()
    while waiting:
        module = waiting.pop()
        if module not in found and within(module, ("agir.backends", "agir.ir")):
            found.add(module)
            waiting += graph.get(module, [])
    assert "agir.ir.emission.inequalities" in found
    filed = {name.removesuffix(".py").removesuffix("/__init__") for name, _, _ in keys._modules()}
    assert {m.removeprefix("agir.").replace(".", "/") for m in found} <= filed


@pytest.mark.parametrize(
    ("module", "target", "allowed"),
    [
        ("agir.ir.tracing.trace", "agir.config", True),
        ("agir.ir.tracing.trace", "agir", False),
        ("agir.ir.control_flow", "agir.autograph.operators", True),
        ("agir.ir.control_flow", "agir.autograph.pyct.cfg", False),
        ("agir.ir.ops", "agir.runtime.tensor", False),
        ("agir.ir.tracing.trace", "torch_mlir", False),
        ("agir.ir.building.bindings", "torch_mlir", True),
        ("agir.backends.stages", "agir.backends.cpu.engine", True),
        ("agir.backends.stages", "agir.runtime.tensor", False),
        ("agir.runtime.function", "agir.backends.stages", True),
        ("agir.autograph.api", "agir.ir.tracing.trace", False),
        ("agir.tools.dump_ir", "agir", True),
        ("agir", "agir.tools.dump_ir", False),
        ("agir.config", "agir.errors", False),
        ("agir.errors", "re", True),
    ],
)
def test_the_rule(module: str, target: str, allowed: bool) -> None:
    assert (forbidden(module, target) is None) is allowed


def test_what_a_circle_is() -> None:
    assert circles({"a": ["b"], "b": ["c"], "c": ["b"], "d": ["a"]}) == [["b", "c"]]
    assert circles({"a": ["b"], "b": ["c", "a"], "c": ["d"], "d": ["a", "e"], "e": []}) == [
        [*"abcd"]
    ]
    assert not circle({"a": ["b"], "b": ["c"], "c": []})
    assert circle({"a": ["b"], "b": ["c"], "c": ["b"]}) in (["b", "c", "b"], ["c", "b", "c"])


LATE = (
    *MLIR,
    "agir.autograph.api",
    "agir.autograph.operators",
    "agir.backends",
    "agir.ir.control_flow",
    "agir.ir.gradients",
    "agir.ir.ops",
    "agir.ir.state.variables",
    "agir.ir.tracing.trace",
    "agir.ir.values",
    "agir.numpy",
    "agir.operations",
    "agir.runtime.concrete",
    "agir.runtime.gradients",
    "agir.runtime.calling.recipes",
    "numpy.polynomial",
    "numpy.random",
)
"""What the first trace, the first tape, ... import: `import agir` would take three times as long."""


def test_importing_agir_leaves_most_of_it_alone(tmp_path: Path) -> None:
    program = "import sys, agir; print(*sys.modules)"
    done = subprocess.run(
        [sys.executable, "-c", program],
        cwd=tmp_path,
        env={k: v for k, v in os.environ.items() if not k.startswith("AGIR_")},
        capture_output=True,
        text=True,
        timeout=120,
    )
    assert done.returncode == 0, done.stderr
    found = set(done.stdout.split())
    assert "agir.runtime.function" in found
    assert not [name for name in sorted(found) if within(name, LATE)]
