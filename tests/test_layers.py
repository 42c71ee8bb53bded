"""Who may import whom: tools, runtime, backends, ir from the top down, and autograph on its own."""

from __future__ import annotations

import ast
import os
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

import pytest

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


class Import(NamedTuple):
    """One imported module and the line of the import."""

    target: str
    line: int


def within(name: str, prefixes: tuple[str, ...]) -> bool:
    return any(name == prefix or name.startswith(prefix + ".") for prefix in prefixes)


def layer(module: str) -> str:
    parts = module.split(".")
    return next((name for name in MAY_IMPORT if within(module, (name,))), parts[0])


def imports(tree: ast.AST, module: str, *, is_package: bool, known: set[str]) -> Iterator[Import]:
    """Every import of a module, wherever it stands, with relative names made absolute."""
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            yield from (Import(alias.name, node.lineno) for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            base = node.module or ""
            if node.level:
                package = module.split(".") if is_package else module.split(".")[:-1]
                above = package[: len(package) - (node.level - 1)]
                base = ".".join(above + ([base] if base else []))
            for alias in node.names:
                inner = f"{base}.{alias.name}"
                yield Import(inner if inner in known else base, node.lineno)
        elif (
            isinstance(node, ast.Call)
            and ast.unparse(node.func) in ("importlib.import_module", "import_module", "__import__")
            and node.args
            and isinstance(node.args[0], ast.Constant)
        ):
            yield Import(str(node.args[0].value), node.lineno)


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


def test_every_import_points_downwards(package_folders: dict[str, Path], root: Path) -> None:
    modules = {}
    for name, folder in package_folders.items():
        for path in folder.glob("*.py"):
            modules[name if path.stem == "__init__" else f"{name}.{path.stem}"] = path
    problems = []
    for module, path in modules.items():
        tree = ast.parse(path.read_bytes(), str(path))
        found = imports(tree, module, is_package=path.stem == "__init__", known=set(modules))
        for target, line in found:
            if why := forbidden(module, target):
                problems.append(f"{path.relative_to(root)}:{line}: imports {target}: {why}")
    assert not problems, "\n".join(problems)


@pytest.mark.parametrize(
    ("module", "statement", "allowed"),
    [
        ("agir.ir.trace", "from agir.config import config", True),
        ("agir.ir.trace", "from agir import config", True),
        ("agir.ir.trace", "import agir", False),
        ("agir.ir.trace", "from agir import Tensor", False),
        ("agir.ir.control_flow", "from agir.autograph import operators", True),
        ("agir.ir.control_flow", "from ..autograph.pyct import cfg", False),
        ("agir.ir.ops", "from ...runtime import tensor", False),
        ("agir.ir.trace", "def late():\n    import torch_mlir.ir", False),
        ("agir.ir.bindings", "import torch_mlir", True),
        ("agir.backends.cpu", "import importlib\nimportlib.import_module('mlir.ir')", False),
        ("agir.backends.stages", "from .cpu import engine", True),
        ("agir.backends.stages", "from agir.runtime import cache", False),
        ("agir.runtime.function", "from agir.backends import stages", True),
        ("agir.autograph.api", "from agir.ir import trace", False),
        ("agir.tools.dump_ir", "import agir as ag", True),
        ("agir", "from agir.tools import dump_ir", False),
        ("agir.config", "from agir.errors import Error", False),
        ("agir.errors", "import re", True),
    ],
)
def test_the_rule(module: str, statement: str, allowed: bool) -> None:
    known = {
        *EVERYWHERE,
        *("agir.autograph.operators", "agir.autograph.pyct.cfg", "agir.ir.trace"),
        *("agir.backends.stages", "agir.backends.cpu.engine", "agir.runtime.tensor"),
        *("agir.runtime.cache", "agir.tools.dump_ir"),
    }
    is_package = module in ("agir", "agir.ir.ops", "agir.backends.cpu")
    found = imports(ast.parse(statement), module, is_package=is_package, known=known)
    assert all(forbidden(module, target) is None for target, _ in found) is allowed


def test_importing_agir_leaves_mlir_alone(tmp_path: Path) -> None:
    program = "import sys, agir; print(*sorted({name.split('.')[0] for name in sys.modules}))"
    start = time.perf_counter()
    done = subprocess.run(
        [sys.executable, "-c", program],
        cwd=tmp_path,
        env={k: v for k, v in os.environ.items() if not k.startswith("AGIR_")},
        capture_output=True,
        text=True,
        timeout=120,
    )
    print(f"`import agir` in a new process: {time.perf_counter() - start:.2f} s")
    assert done.returncode == 0, done.stderr
    assert not set(MLIR) & set(done.stdout.split())
