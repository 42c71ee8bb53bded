"""Checks of the run time: sites, and the error record that keeps the first one to fail."""

from __future__ import annotations

import linecache
from collections.abc import Iterable
from dataclasses import replace
from typing import Any

from agir.ir.building import attributes, bindings
from agir.ir.building.builder import Builder
from agir.ir.building.cells import Cell, Scope
from agir.ir.building.locations import Position
from agir.ir.building.types import int64
from agir.records import dataclass

EXCEEDS = "exceeds"
"""The kind of checks that an int of Python's needs no more than 64 bits."""

CHECK = "fail_unless"
CHECK_FUNCTION = f"""
func.func private @{CHECK}(%ok: i1, %site: i64, %first: i64, %second: i64,
                           %failed: i64, %a: i64, %b: i64) -> (i64, i64, i64) {{
  %zero = arith.constant 0 : i64
  %true = arith.constant true
  %unset = arith.cmpi eq, %failed, %zero : i64
  %broken = arith.xori %ok, %true : i1
  %now = arith.andi %broken, %unset : i1
  %new = arith.select %now, %site, %failed : i64
  %new_a = arith.select %now, %first, %a : i64
  %new_b = arith.select %now, %second, %b : i64
  return %new, %new_a, %new_b : i64, i64, i64
}}
"""
"""Keeps the first failure: its site and operands, or what was recorded before."""


@dataclass(frozen=True)
class Site:
    """A run-time check: what it checks, where, and what its message needs to know."""

    kind: str
    place: Position | None
    text: str = ""
    extra: tuple[Any, ...] = ()
    deferred: bool = False
    """Whether the message is made when the check fails: ``extra[0]`` is known only then, and the
    first operand is the number under which the host keeps it."""
    is_refusal: bool = False
    """Whether it is agir that cannot go on, where plain Python would."""
    is_deferred: bool = False
    """Whether tracing has raised the error: what plain Python would do is not known."""


def _same_site(left: Site, right: Site) -> bool:
    plain = all(isinstance(each, (str, int)) for each in left.extra)
    return plain and left == right


class ErrorRecord:
    """The cells of the call's error record: the site that failed first, and its operands."""

    def __init__(self, root: Scope, zero: Any) -> None:
        self.code = Cell(root, zero)
        self.operands = (Cell(root, zero), Cell(root, zero))

    @property
    def cells(self) -> tuple[Cell, ...]:
        """All the cells, the code first."""
        return (self.code, *self.operands)


class Checks(Builder):
    """Records checks.

    A check is a call of the private function ``fail_unless``, which keeps the number of the first
    site that failed, and two operands of it, in the cells of the error record.
    """

    root: Scope

    def __init__(self) -> None:
        self.sites: list[Site] = []
        self.tries: list[Any] = []
        """The bodies of `try` that are being recorded (`failing.Attempt`), the innermost last."""
        self.error: ErrorRecord | None = None
        self.explanations = 0
        """How many checks with operands were recorded."""
        self.outlining: list[Any] = []
        """The functions of their own that are being recorded, the innermost last."""
        self.trusted: list[str] | None = None
        """The kinds of checks left out of a function of the library; None where checks are made."""

    def place(self) -> Position | None:
        """The user's line that is being recorded."""
        raise NotImplementedError

    def guard(self, ok: Any, site: Site, first: Any = None, second: Any = None) -> None:
        """Check ``ok`` (i1) at run time; the first check that fails is what the call raises.

        ``first`` and ``second`` are i64 operands for the message.
        """
        if self.trusted is not None:
            self.trusted.append(site.kind)
            return
        number = self._number(site)
        self.explanations += first is not None or second is not None
        zero = self.constant(int64, 0)
        cells = self.error_record().cells
        operands = [ok, self.constant(int64, number), first or zero, second or zero]
        operands += [self.scope.read(cell) for cell in cells]
        callee = bindings.ir.FlatSymbolRefAttr.get(CHECK)
        i64 = int64.mlir()
        call = self.create("func.call", (i64, i64, i64), operands, {"callee": callee})
        for cell, value in zip(cells, call.results, strict=True):
            self.scope.write(cell, value)

    def _number(self, site: Site) -> int:
        """The site's number, from 1; in a function of its own that of an equal one, if any.

        Such a function is recorded for each call from outside, and then is the same text.
        """
        if self.outlining:
            for number, known in enumerate(self.sites):
                if _same_site(known, site):
                    if site.kind != EXCEEDS:
                        self.fails_again([number + 1])
                    return number + 1
        self.sites.append(site)
        return len(self.sites)

    def fails_again(self, numbers: Iterable[int]) -> None:
        """Note that bodies of `try` may fail at sites that were there before them."""
        for each in self.tries:
            each.again.update(n for n in numbers if n <= each.start)

    def forget_sites(self, first: int, last: int) -> None:
        """Forget the sites between two numbers, of what is recorded again.

        Those that have come since stand in what is around, and keep their numbers.
        """
        if len(self.sites) == last:
            del self.sites[first:]

    @property
    def can_fail(self) -> bool:
        """True where a check was recorded, and not taken back: the function returns its record."""
        return bool(self.sites)

    @property
    def record_cells(self) -> tuple[Cell, ...]:
        """The cells of the error record; none where nothing can fail."""
        return self.error.cells if self.error is not None and self.can_fail else ()

    def failing(self) -> Any:
        """The error code so far (i64, zero while nothing failed); None where nothing can fail."""
        return None if self.error is None else self.scope.read(self.error.code)

    def error_record(self) -> ErrorRecord:
        """The cells of the error record, from now on part of the trace."""
        if self.error is None:
            zero = self.root.block.begin(
                "arith.constant", int64.mlir(), (), self.location, value=attributes.i64(0)
            )
            self.error = ErrorRecord(self.root, zero)
        return self.error

    def site(self, kind: str, *extra: Any) -> Site:
        """A site at the user's current line."""
        place = self.place()
        text = "" if place is None else linecache.getline(place.file, place.line).strip()
        return Site(kind, place, text, extra)

    def refusal(self, kind: str, *extra: Any) -> Site:
        """The same for a check of what agir cannot do, and plain Python can."""
        return replace(self.site(kind, *extra), is_refusal=True)
