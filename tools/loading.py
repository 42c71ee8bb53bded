"""Finding the user's function: its file or module imported, its name looked up."""

from __future__ import annotations

import ast
import importlib
import importlib.util
import inspect
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from types import ModuleType
from typing import Any

from agir.runtime.decorators import function, jit
from agir.runtime.function import GenericFunction
from agir.tools.diagnosis import UsageError

CONVENTIONS: dict[str, Callable[..., Any]] = {"jit": jit, "function": function}


def load_file(path: Path) -> ModuleType:
    """Import a file by its path, as if Python had been started in its folder.

    A file of a package is imported as a part of it, so that its relative imports work.
    """
    path = path.resolve()
    folder, names = path.parent, [path.stem]
    while (folder / "__init__.py").is_file():
        names.insert(0, folder.name)
        folder = folder.parent
    sys.path.insert(0, str(folder))
    if len(names) > 1:
        importlib.import_module(".".join(names[:-1]))
    name = ".".join(names)
    if getattr(sys.modules.get(name), "__file__", None) == str(path):
        del sys.modules[name]  # an earlier command line in this process
    if name in sys.modules:  # the user's `types.py` is not the standard library's
        name = f"_agir_dump_{path.stem}"
    spec = importlib.util.spec_from_file_location(name, path)
    if spec is None or spec.loader is None:
        raise UsageError(f"{path.name} is not a Python file")
    module = importlib.util.module_from_spec(spec)
    sys.modules[name] = module
    spec.loader.exec_module(module)
    return module


def load_module(name: str) -> ModuleType:
    """Import a module by its dotted name, also from the working folder."""
    if "" not in sys.path and str(Path.cwd()) not in sys.path:
        sys.path.insert(0, "")
    try:
        return importlib.import_module(name)
    except ModuleNotFoundError as error:
        if error.name and (name == error.name or name.startswith(error.name + ".")):
            raise UsageError(f"there is no module {name!r} and no file of that name") from None
        raise


def find(module: ModuleType, name: str) -> Any:
    """The function of that name: ``f``, ``instance.method``, or ``Class.method``."""
    value: Any = module
    for part in name.split("."):
        owner = value
        try:
            value = inspect.getattr_static(owner, part) if inspect.isclass(owner) else None
            value = _bound(owner, part, value)
        except AttributeError:
            known = ", ".join(_functions(module)) or "none"
            where = Path(module.__file__).name if module.__file__ else module.__name__
            raise UsageError(f"{where} has no {name!r}; its functions: {known}") from None
    if not callable(value) or inspect.isclass(value):
        raise UsageError(f"{name!r} is not a function but {type(value).__name__}")
    return value


def _bound(owner: Any, name: str, static: Any) -> Any:
    """The attribute; a method that is named by its class is bound to a new instance."""
    if not inspect.isclass(owner) or not isinstance(static, (GenericFunction, _Function)):
        return getattr(owner, name)
    try:
        return getattr(owner(), name)
    except TypeError as error:
        raise UsageError(
            f"{owner.__name__} cannot be made without arguments ({error}); make an instance in the "
            f"module and name its method: instance.{name}"
        ) from None


_Function = type(lambda: None)


def decorated(value: Any, convention: str) -> Any:
    """The function as agir's, decorated here if it is not."""
    if hasattr(value, "get_concrete_function"):
        return value
    return CONVENTIONS[convention](value)


def _functions(module: ModuleType) -> Iterator[str]:
    for name, value in vars(module).items():
        own = getattr(value, "__module__", None) == module.__name__
        if own and callable(value) and not inspect.isclass(value) and not name.startswith("_"):
            yield name


def source_of(name: str) -> Path | None:
    """The file of a module, without importing it (its packages are)."""
    sys.path.insert(0, "")
    try:
        spec = importlib.util.find_spec(name)
    except (ImportError, ValueError):
        return None
    return Path(spec.origin) if spec and spec.origin and spec.origin.endswith(".py") else None


def listing(path: Path) -> list[str]:
    """The functions that a file defines, each with its parameters; the file is not run."""
    tree = ast.parse(path.read_bytes(), str(path))
    return [f"{name}({ast.unparse(node.args)})" for name, node in _definitions(tree.body, "")]


def _definitions(body: list[ast.stmt], prefix: str) -> Iterator[tuple[str, ast.FunctionDef]]:
    for node in body:
        if isinstance(node, ast.FunctionDef) and not node.name.startswith("_"):
            yield prefix + node.name, node
        elif isinstance(node, ast.ClassDef):
            yield from _definitions(node.body, f"{prefix}{node.name}.")
