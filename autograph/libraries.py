"""Which functions belong to the user, and are converted on the way to a call.

Those of Python's library, of agir and of installed packages do not.  But of a package of which
agir is handed a function (to be decorated, differentiated, converted) they do, as those of a module do
that is written for agir.
"""

from __future__ import annotations

import functools
import os
import sys
from collections.abc import Callable
from types import FunctionType, MethodType, ModuleType
from typing import Any

ATTRIBUTES: dict[str, list[Callable[[Any], Callable[[], Any] | None]]] = {}
"""What programs have given for attributes of what they meet: it gives what reads it, or None.

Methods are looked for in it by code that is converted after they have been given.
"""

do_not_convert_mark = "__ag_do_not_convert__"
"""The attribute of functions that are to be left alone."""

convert_mark = "__ag_convert__"
"""The name in modules of libraries whose functions are converted all the same."""

_OWN = __name__.partition(".")[0]
_RECORDED = frozenset((_OWN, "numpy", "scipy"))
"""The packages whose functions are operations, and stay what they are."""

_adopted: set[str] = set()
"""The installed packages whose functions are the user's, since agir was handed one of them."""

ORDERING = frozenset(
    method.__code__
    for methods in getattr(functools, "_convert", {}).values()
    for _, method in methods
)
"""The comparisons that ``functools.total_ordering`` makes of one that the user wrote."""


def adopt(callable_: Any) -> None:
    """Have a function converted that agir is handed, and all others of the package that it is from."""
    function = _function(callable_)
    if function is None or not _is_installed(function.__code__.co_filename):
        return
    package = _package(function.__globals__)
    if package not in _RECORDED:
        _adopted.add(package)


def is_adopted(namespace: dict[str, Any]) -> bool:
    """Whether a module, by its names, is of a package of which agir was handed a function."""
    return _package(namespace) in _adopted


def _function(callable_: Any) -> FunctionType | None:
    """What is written in Python of something that is called, or None."""
    while isinstance(callable_, functools.partial):
        callable_ = callable_.func
    if not isinstance(callable_, FunctionType | MethodType | type):
        callable_ = getattr(type(callable_), "__call__", None)  # noqa: B004
    found = getattr(callable_, "__func__", callable_)
    return found if isinstance(found, FunctionType) else None


def is_library(function: FunctionType) -> bool:
    """Whether a function is part of Python, of an installed package, or of agir."""
    filename = function.__code__.co_filename
    if function.__code__ in ORDERING or convert_mark in function.__globals__:
        return False
    if _package(function.__globals__) == _OWN:
        return True
    if _is_standard(filename):
        return True
    return _is_installed(filename) and not _is_written_for_agir(function.__globals__)


def is_library_module(module: ModuleType) -> bool:
    """Whether a module is part of Python, of an installed package, or of agir: it stays as it is."""
    name = module.__name__.partition(".")[0]
    if name == _OWN or name in sys.stdlib_module_names:
        return True
    filename = getattr(module, "__file__", None)
    if filename is None or not _is_installed(filename):
        return False
    return not _is_written_for_agir(vars(module))


def _package(namespace: dict[str, Any]) -> str:
    return str(namespace.get("__name__", "")).partition(".")[0]


@functools.cache
def _folders() -> tuple[str, ...]:
    import sysconfig  # only tracing asks for them

    names = ("stdlib", "platstdlib")
    paths = {os.path.realpath(sysconfig.get_path(name)) for name in names}
    paths.add(os.path.dirname(os.path.realpath(os.__file__)))
    return tuple(path + os.sep for path in paths)


@functools.lru_cache(maxsize=4096)
def _is_standard(filename: str) -> bool:
    if filename.startswith("<frozen "):
        return True
    path = os.path.realpath(filename)
    return path.startswith(_folders()) and not _is_installed(filename)


@functools.lru_cache(maxsize=4096)
def _is_installed(filename: str) -> bool:
    parts = os.path.normpath(filename).split(os.sep)
    return "site-packages" in parts or "dist-packages" in parts


def _is_written_for_agir(namespace: dict[str, Any]) -> bool:
    """Whether an installed module is the user's all the same: one that uses agir, or is adopted."""
    return is_adopted(namespace) or any(_is_ours(value) for value in list(namespace.values()))


def _is_ours(value: object) -> bool:
    if isinstance(value, ModuleType):
        return value.__name__.partition(".")[0] == _OWN
    module = getattr(value, "__module__", None) if isinstance(value, type | FunctionType) else None
    return isinstance(module, str) and module.partition(".")[0] == _OWN and module in sys.modules
