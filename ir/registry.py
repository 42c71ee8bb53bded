"""Tables of rows that have names, to which plugins add, and where what they add is written."""

from __future__ import annotations

import os
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from typing import Any, TypeVar

from agir.config import config, nearest
from agir.errors import PluginError
from agir.records import dataclass

Row = TypeVar("Row")


@dataclass(frozen=True)
class Origin:
    """Where something is written that agir does not have, and of which plugin it is, if of one."""

    file: str
    line: int
    plugin: str = ""

    def __str__(self) -> str:
        place = f"{os.path.basename(self.file)}:{self.line}" if self.file else "unknown place"
        return f"{place}, of the plugin {self.plugin}" if self.plugin else place


_loading: ContextVar[str] = ContextVar("agir.plugins", default="")


@contextmanager
def loading(plugin: str) -> Iterator[None]:
    """What is registered meanwhile is the plugin's."""
    token = _loading.set(plugin)
    try:
        yield
    finally:
        _loading.reset(token)


def here(written: Any = None) -> Origin:
    """Where a function is written; of anything else the line that is being run outside of agir."""
    code = getattr(written, "__code__", None)
    if code is not None:
        return Origin(code.co_filename, code.co_firstlineno, _loading.get())
    frame = sys._getframe(1)
    while frame.f_back is not None and _is_ours(frame):
        frame = frame.f_back
    return Origin(frame.f_code.co_filename, frame.f_lineno, _loading.get())


def _is_ours(frame: Any) -> bool:
    name = str(frame.f_globals.get("__name__", ""))
    made = frame.f_code.co_filename == "<string>"  # what dataclasses write
    return made or name in ("agir", "contextlib") or name.startswith("agir.")


class Registry(dict[str, Row]):
    """Rows by their names, in the order of the table; what is not there may be a plugin's."""

    def __init__(self, what: str, rows: dict[str, Row]) -> None:
        super().__init__(rows)
        self._what = what
        self._origins: dict[str, Origin] = {}

    def add(self, name: str, row: Row, origin: Origin, *, replace: bool = False) -> None:
        """Add a row; ``PluginError`` where there is one of that name."""
        if name in self and not replace:
            other = self._origins.get(name)
            theirs = f"another one, of {other}" if other else "agir's own"
            raise PluginError(
                f"the {self._what} {name!r} ({origin}) has the name of {theirs}: give it another name, "
                "or replace=True"
            )
        self[name] = row
        self._origins[name] = origin

    def remove(self, name: str) -> None:
        """Take out a row that was added."""
        if name not in self._origins:
            advice = nearest(name, self._origins)
            raise PluginError(f"no plugin has added a {self._what} {name!r}{advice}")
        del self[name], self._origins[name]

    def added(self) -> dict[str, Origin]:
        """The names that were added, and where those are written."""
        return dict(self._origins)

    def origin(self, name: str) -> Origin | None:
        """Where a row is written that was added; None for agir's own."""
        return self._origins.get(name)

    def __missing__(self, name: str) -> Row:
        config.load_plugins()
        if name not in self:
            raise KeyError(name)
        return self[name]
