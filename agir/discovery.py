"""Finding and loading plugins: those that are installed, and those that an option names.

Nothing is looked for before the first function is traced, or something is looked up to which
plugins add.  Packages that are installed name their plugins in the group ``agir.plugins`` of their
entry points.
"""

from __future__ import annotations

import importlib.util
import os
import sys
import threading
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

from agir.errors import PluginError
from agir.ir import recording
from agir.ir.registry import loading

if TYPE_CHECKING:
    from importlib.metadata import EntryPoint

GROUP = "agir.plugins"
_METADATA = (".dist-info", ".egg-info")
_lock = threading.RLock()
_loaded: dict[str, str] = {}
"""The names of the plugins that are loaded, by what they are."""


class Plugin(NamedTuple):
    """Something that adds to agir when it is imported, or called."""

    name: str
    """The package, module or file."""
    described: str
    load: Callable[[], object]


def load(option: str) -> None:
    """Load the plugins that are installed, and those that the option names, as far as they are not."""
    with _lock, recording.suspended():
        for each in (*_installed(), *map(_named, filter(None, option.split(",")))):
            if each.described not in _loaded:
                _loaded[each.described] = each.name  # it may ask for plugins while it is loaded
                try:
                    with loading(each.name):
                        each.load()
                except BaseException as error:
                    del _loaded[each.described]
                    if not isinstance(error, Exception):
                        raise
                    raise PluginError(
                        f"{each.described} cannot be loaded: {type(error).__name__}: {error}"
                    ) from error


def loaded() -> list[str]:
    """The names of the plugins that are loaded."""
    return sorted({*_loaded.values()})


def _installed() -> Iterator[Plugin]:
    if not any(map(_mentions_us, _entry_point_files())):
        return  # what reads entry points takes longer to import than most programs to compile
    from importlib.metadata import entry_points

    for each in entry_points(group=GROUP):
        package = each.dist.name if each.dist is not None else "unknown"
        described = f"the plugin {each.name!r} ({each.value}) of the package {package!r}"
        yield Plugin(package, described, lambda each=each: _called(each))  # type: ignore[misc]


def _entry_point_files() -> Iterator[str]:
    for folder in dict.fromkeys(sys.path):
        try:
            names = os.listdir(folder or ".")
        except OSError:  # it is an archive, or there is none
            continue
        for name in names:
            if name.endswith(_METADATA):
                yield os.path.join(folder, name, "entry_points.txt")


def _mentions_us(file: str) -> bool:
    try:
        with open(file, "rb") as opened:
            return GROUP.encode() in opened.read()
    except OSError:  # most packages have none
        return False


def _called(entry: EntryPoint) -> None:
    """Import what an entry point names; a function is called."""
    found = entry.load()
    if entry.attr:
        found()


def _named(given: str) -> Plugin:
    """The plugin that is a module or a file."""
    if given.endswith(".py") or os.sep in given:
        path = Path(given).expanduser().resolve()
        return Plugin(str(path), f"the plugin in {path}", lambda: _file(path))
    from importlib.metadata import EntryPoint

    return Plugin(given, f"the plugin {given!r}", lambda: _called(EntryPoint(given, given, GROUP)))


def _file(path: Path) -> None:
    spec = importlib.util.spec_from_file_location(f"agir_plugin_{path.stem}", path)
    if spec is None or spec.loader is None:
        raise ImportError("it is no file of Python's")
    module = importlib.util.module_from_spec(spec)
    sys.modules[spec.name] = module
    try:
        spec.loader.exec_module(module)
    except BaseException:
        del sys.modules[spec.name]
        raise
