"""The imports of the whole package, found by `grimp`, and their drawing.

    python tests/import_graph.py

draws the graph of docs/architecture.md anew.
"""

from __future__ import annotations

import json
import os
import re
import subprocess
import sys
import tempfile
from graphlib import CycleError, TopologicalSorter
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
LAYERS = ("tools", "runtime", "backends", "ir", "autograph")
EVERYWHERE = (
    "agir.by_identity",
    "agir.config",
    "agir.errors",
    "agir.records",
    "agir.version",
)
"""What everything may import, and what imports nothing."""

TOLERATED: frozenset[tuple[str, str]] = frozenset()
"""Imports that close a circle and are known to: only what is taken out of here may be changed."""

OF_TYPES = (
    ("recipes", "concrete"),
    ("assigned", "callers", "outputs", "recorded"),
)
"""The circles of modules of the runtime that close by imports for type checkers only."""

ALONE = (
    *EVERYWHERE,
    "agir.autograph.errors",
    "agir.autograph.libraries",
    "agir.backends.entry",
    "agir.backends.stack",
    "agir.ir.module",
    "agir.ir.provided",
    "agir.ir.staging",
    "agir.runtime.blame",
    "agir.runtime.dlpack",
    "agir.runtime.tensor",
)
"""Modules that are rooms of their own.

Rooms beside them stand on them, or they (`module`, `staging`, `provided`) stand on those.
"""
DOCUMENT = ROOT / "docs" / "architecture.md"
DRAWING = re.compile(r"(?<=<!-- graph -->\n).*?(?=<!-- end of graph -->)", re.DOTALL)

Graph = dict[str, list[str]]
"""Each module of the package with the modules that it imports, those of other packages too."""


def imports_of(tree: Path, *, of_types: bool) -> Graph:
    """The imports, functions' own included; `of_types` has those that only type checkers see.

    Another process looks for them, in which `agir` lies in this tree and nowhere else.
    """
    command = [sys.executable, "-I", __file__, str(tree), str(int(of_types))]
    done = subprocess.run(command, capture_output=True, text=True, timeout=120)
    assert done.returncode == 0, done.stderr
    found: Graph = json.loads(done.stdout)
    return found


def joined_tree(root: Path, tree: Path) -> Path:
    """A folder in which the packages are where an installation has them, which `grimp` needs."""
    (tree / "agir").mkdir(parents=True)
    inside = [path.parent for path in (root / "agir").glob("*/__init__.py")]
    for path in [*(root / "agir").glob("*.py"), *inside, *(root / layer for layer in LAYERS)]:
        os.symlink(path, tree / "agir" / path.name, target_is_directory=path.is_dir())
    return tree


def within(name: str, prefixes: tuple[str, ...]) -> bool:
    return any(name == prefix or name.startswith(prefix + ".") for prefix in prefixes)


def circle(graph: Graph) -> list[str]:
    """Some modules that import each other in turn; none where there is no circle."""
    try:
        TopologicalSorter(graph).prepare()
    except CycleError as error:
        return list(reversed(error.args[1]))
    return []


def circles(graph: Graph) -> list[list[str]]:
    """The groups of modules each of which imports all others of its group in the end.

    Tarjan's algorithm.
    """
    number: dict[str, int] = {}
    least: dict[str, int] = {}
    open_: list[str] = []
    found = []

    def visit(module: str) -> None:
        number[module] = least[module] = len(number)
        open_.append(module)
        for target in graph[module]:
            if target not in number:
                visit(target)
            if target in open_:
                least[module] = min(least[module], least[target])
        if least[module] == number[module]:
            at = open_.index(module)
            group, open_[at:] = open_[at:], []
            if len(group) > 1:
                found.append(sorted(group))

    for module in graph:
        if module not in number:
            visit(module)
    return sorted(found)


def own(graph: Graph) -> Graph:
    """The imports of the package's own modules, tolerated ones left out."""
    return {
        module: [t for t in targets if t in graph and (module, t) not in TOLERATED]
        for module, targets in graph.items()
    }


def room(module: str, packages: set[str]) -> str:
    """The package that a module is in."""
    if module in packages or module in ALONE:
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
    for top in LAYERS:
        inside = [name for name in found if within(name, (f"agir.{top}",))]
        lines.append(f"  subgraph {top}")
        lines += [f'    {_node(name)}["{name.removeprefix("agir.")}"]' for name in inside]
        lines.append("  end")
    lines += ['  agir["agir: the front door"]', '  agir_numpy["agir.numpy"]']
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


def _print_imports(tree: str, of_types: str) -> None:
    import grimp

    sys.path.insert(0, tree)
    graph = grimp.build_graph(
        "agir",
        include_external_packages=True,
        exclude_type_checking_imports=of_types == "0",
        cache_dir=None,
    )
    own = sorted(module for module in graph.modules if module.split(".")[0] == "agir")
    json.dump({m: sorted(graph.find_modules_directly_imported_by(m)) for m in own}, sys.stdout)


def _write_drawing() -> None:
    with tempfile.TemporaryDirectory() as folder:
        tree = joined_tree(ROOT, Path(folder) / "tree")
        new = drawing(imports_of(tree, of_types=False))
        found = circles(own(imports_of(tree, of_types=True)))
    print(f"{len(found)} circles with what only type checkers see: {found}")
    DOCUMENT.write_text(DRAWING.sub(lambda _: new, DOCUMENT.read_text()))


if __name__ == "__main__":
    if len(sys.argv) > 1:
        _print_imports(*sys.argv[1:])
    else:
        _write_drawing()
