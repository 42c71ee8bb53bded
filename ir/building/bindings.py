"""The one place that imports MLIR's Python bindings.

`mlir` is used where it is installed (the name under which LLVM publishes the bindings), otherwise
`torch_mlir`, the wheel on PyPI that carries the same package under another name.  Importing takes
about 0.1 s, so nothing here runs before the first trace: ``bindings.ir`` and the other submodules
are loaded on first use.
"""

from __future__ import annotations

import importlib
import sys
import threading
from collections.abc import Callable
from functools import cache
from pathlib import Path
from typing import Any

_CARRIERS = ("mlir", "torch_mlir")
_SUBMODULES = {
    "ir": "ir",
    "passmanager": "passmanager",
    "execution_engine": "execution_engine",
    "llvm": "dialects.llvm",
    "irdl": "dialects.irdl",
    "rewrite": "rewrite",
    "transform": "dialects.transform.interpreter",
    "stablehlo": "_mlir_libs._stablehlo",
}


_making = threading.Lock()


@cache
def carrier() -> str:
    """Name of the installed top-level package that holds MLIR's bindings.

    Raises ``ValueError`` with one sentence of advice where none is installed.
    """
    broken: ImportError | None = None
    for name in _CARRIERS:
        is_theirs = f"{name}.ir" in sys.modules
        try:
            importlib.import_module(f"{name}.ir")
        except ImportError as error:
            missing = isinstance(error, ModuleNotFoundError) and str(error.name).startswith(name)
            broken = broken if missing else error  # a library is missing, or of another Python
        else:
            if not is_theirs:
                _leave_classes_of_operations(name)
            return name
    reason = f" ({broken})" if broken is not None else ""
    raise ValueError(
        f"agir compiles through MLIR's Python bindings, which cannot be imported here{reason}: "
        "run 'pip install torch-mlir' (the wheel on PyPI that carries them)."
    ) from broken


def _leave_classes_of_operations(name: str) -> None:
    """Have operations looked at as they are.

    The Python classes of a dialect would be imported at the first sight of one of its operations or
    types: for a stencil a third of its first call.  Nothing here needs them.
    """
    importlib.import_module(f"{name}._mlir_libs._mlir").globals.dialect_search_modules = []


@cache
def context() -> Any:
    """The MLIR context that the whole process shares; every module of agir lives in it."""
    with _making:  # threads whose first calls race get the same one
        return _context()


@cache
def _context() -> Any:
    made = importlib.import_module(f"{carrier()}.ir").Context()
    for load in _dialects:
        _load(load, made)
    return made


_dialects: list[Callable[[], object]] = []
"""What loads dialects that MLIR does not have."""


def add_dialect(load: Callable[[], object]) -> None:
    """Have a dialect loaded into the context: now if there is one, else as soon as there is."""
    with _making:
        if _context.cache_info().currsize:
            _load(load, _context())
        _dialects.append(load)


def _load(load: Callable[[], object], made: Any) -> None:
    with made, importlib.import_module(f"{carrier()}.ir").Location.unknown():
        load()


def library() -> str:
    """The path of the shared library behind the bindings, which has MLIR's and LLVM's C functions."""
    libraries = importlib.import_module(f"{carrier()}._mlir_libs")
    [path] = Path(str(libraries.__file__)).parent.glob("lib*AggregateCAPI.*")
    return str(path)


def __getattr__(name: str) -> Any:
    if name not in _SUBMODULES:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    module = importlib.import_module(f"{carrier()}.{_SUBMODULES[name]}")
    globals()[name] = module
    return module
