"""Who may import whom: tools, runtime, backends, ir from the top down, and autograph on its own.

Run as a program, this draws the graph of docs/architecture.md anew.
"""

from __future__ import annotations

import os
import re
import subprocess
import sys
import tempfile
from graphlib import CycleError, TopologicalSorter
from pathlib import Path

import pytest

if __name__ == "__main__":
    sys.path.insert(0, str(Path(__file__).resolve().parents[1]))
from tests.imports import Graph, imports_of, joined_tree

EVERYWHERE = ("agir.config", "agir.errors", "agir.identity")

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
BINDINGS = "agir.ir.bindings"
MLIR = ("mlir", "torch_mlir")

TOLERATED: frozenset[tuple[str, str]] = frozenset()
"""Imports that close a circle and are known to: only what is taken out of here may be changed."""

GROUND = (
    *EVERYWHERE,
    "agir.autograph.errors",
    "agir.autograph.libraries",
    "agir.backends.entry",
    "agir.backends.stack",
    "agir.runtime.blame",
    "agir.runtime.tensor",
)
"""Modules that lie in the house and not in a room, because the rooms beside them stand on them."""
DOCUMENT = Path(__file__).resolve().parents[1] / "docs" / "architecture.md"
DRAWING = re.compile(r"(?<=<!-- graph -->\n).*?(?=<!-- end of graph -->)", re.DOTALL)


def within(name: str, prefixes: tuple[str, ...]) -> bool:
    return any(name == prefix or name.startswith(prefix + ".") for prefix in prefixes)


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


def circle(graph: Graph) -> list[str]:
    """Some modules that import each other in turn; none where there is no circle."""
    try:
        TopologicalSorter(graph).prepare()
    except CycleError as error:
        return list(reversed(error.args[1]))
    return []


def own(graph: Graph) -> Graph:
    """The imports of the package's own modules, tolerated ones left out."""
    return {
        module: [t for t in targets if t in graph and (module, t) not in TOLERATED]
        for module, targets in graph.items()
    }


def room(module: str, packages: set[str]) -> str:
    """The package that a module is in."""
    if module in packages or module in GROUND:
        return module
    return module.rpartition(".")[0]


def rooms(graph: Graph) -> Graph:
    """The packages, with those that they import."""
    packages = {module for module in graph if any(m.startswith(module + ".") for m in graph)}
    found: dict[str, set[str]] = {}
    for module, targets in own(graph).items():
        here = found.setdefault(room(module, packages), set())
        here |= {room(target, packages) for target in targets}
    return {name: sorted(targets - {name}) for name, targets in sorted(found.items())}


def drawing(graph: Graph) -> str:
    """The rooms as a Mermaid graph: an arrow for each import that no longer way stands for."""
    found = rooms(graph)
    for each in EVERYWHERE:  # everything imports them
        found.pop(each, None)
    direct = {name: {t for t in targets if t in found} for name, targets in found.items()}
    lines = ["```mermaid", "graph TD"]
    for top in ("tools", "runtime", "backends", "ir", "autograph"):
        inside = [name for name in found if within(name, (f"agir.{top}",))]
        lines.append(f"  subgraph {top}")
        lines += [f'    {_node(name)}["{name.removeprefix("agir.")}"]' for name in inside]
        lines.append("  end")
    lines.append('  agir["agir: the front door"]')
    for name, targets in direct.items():
        above = _reached(direct, targets)
        lines += [f"  {_node(name)} --> {_node(each)}" for each in sorted(targets - above)]
    return "\n".join([*lines, "```"]) + "\n"


def _node(name: str) -> str:
    return name.replace(".", "_") if name != "agir" else name


def _reached(direct: dict[str, set[str]], names: set[str]) -> set[str]:
    """What the rooms of these names import, and what those import, and so on."""
    found: set[str] = set()
    waiting = [each for name in names for each in direct[name]]
    while waiting:
        name = waiting.pop()
        if name not in found:
            found.add(name)
            waiting += direct[name]
    return found


@pytest.fixture(scope="module")
def tree(package_folders: dict[str, Path], tmp_path_factory: pytest.TempPathFactory) -> Path:
    return joined_tree(package_folders, tmp_path_factory.mktemp("joined"))


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


def test_rooms_go_in_no_circle(graph: Graph) -> None:
    assert not (found := circle(rooms(graph))), " imports ".join(found)


def test_what_is_tolerated_is_there(graph: Graph) -> None:
    gone = [pair for pair in TOLERATED if pair[1] not in graph.get(pair[0], ())]
    assert not gone, f"take out of TOLERATED: {gone}"


def test_modules_are_imported_by_statements(root: Path, package_folders: dict[str, Path]) -> None:
    """A name in text would escape the rules; these files import what is known only at run time."""
    allowed = {root / "ir" / "bindings.py", root / "tools" / "loading.py"}
    files = {path for folder in package_folders.values() for path in folder.glob("*.py")}
    found = [p for p in files - allowed if re.search(r"import_module\(|__import__\(", p.read_text())]
    assert not found


def test_the_drawing_is_that_of_the_imports(graph: Graph) -> None:
    assert DRAWING.findall(DOCUMENT.read_text()) == [drawing(graph)], "out of date: run `make docs`"


@pytest.mark.parametrize(
    ("module", "target", "allowed"),
    [
        ("agir.ir.trace", "agir.config", True),
        ("agir.ir.trace", "agir", False),
        ("agir.ir.control_flow", "agir.autograph.operators", True),
        ("agir.ir.control_flow", "agir.autograph.pyct.cfg", False),
        ("agir.ir.ops", "agir.runtime.tensor", False),
        ("agir.ir.trace", "torch_mlir", False),
        ("agir.ir.bindings", "torch_mlir", True),
        ("agir.backends.stages", "agir.backends.cpu.engine", True),
        ("agir.backends.stages", "agir.runtime.tensor", False),
        ("agir.runtime.function", "agir.backends.stages", True),
        ("agir.autograph.api", "agir.ir.trace", False),
        ("agir.tools.dump_ir", "agir", True),
        ("agir", "agir.tools.dump_ir", False),
        ("agir.config", "agir.errors", False),
        ("agir.errors", "re", True),
    ],
)
def test_the_rule(module: str, target: str, allowed: bool) -> None:
    assert (forbidden(module, target) is None) is allowed


def test_what_a_circle_is() -> None:
    assert not circle({"a": ["b"], "b": ["c"], "c": []})
    assert circle({"a": ["b"], "b": ["c"], "c": ["b"]}) in (["b", "c", "b"], ["c", "b", "c"])


def test_importing_agir_leaves_mlir_alone(tmp_path: Path) -> None:
    program = "import sys, agir; print(*sorted({name.split('.')[0] for name in sys.modules}))"
    done = subprocess.run(
        [sys.executable, "-c", program],
        cwd=tmp_path,
        env={k: v for k, v in os.environ.items() if not k.startswith("AGIR_")},
        capture_output=True,
        text=True,
        timeout=120,
    )
    assert done.returncode == 0, done.stderr
    assert not set(MLIR) & set(done.stdout.split())


def write_drawing() -> None:
    from tests.conftest import folders_of_packages

    with tempfile.TemporaryDirectory() as folder:
        tree = joined_tree(folders_of_packages(), Path(folder) / "tree")
        new = drawing(imports_of(tree, of_types=False))
    DOCUMENT.write_text(DRAWING.sub(lambda _: new, DOCUMENT.read_text()))


if __name__ == "__main__":
    write_drawing()
