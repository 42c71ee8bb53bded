"""Recipes by which machine code runs the loops of ufuncs (`backends.cpu.native.handing_over`)."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial
from typing import Any

from agir.backends.cpu.native import compiled
from agir.backends.cpu.native.recipes import Builder, Place, UnfitError
from agir.backends.cpu.native.tables import Shape
from agir.runtime.calling import failures
from agir.runtime.concrete import ConcreteFunction


def of_loop(concrete: ConcreteFunction, arrays: Sequence[Any], inputs: int) -> Any:
    """The recipe for a compiled loop over arrays like these; None where only Python can run it.

    It has to be code that takes nothing else, gives nothing back, and writes where its operands lie.
    """
    found, recorded = compiled.of(concrete._executable), concrete._recorded
    gives = len(recorded.dtypes) - len(recorded.in_place)
    if found is None or recorded.captures or gives or not concrete._in_place:
        return None
    builder = Builder(found, arrays)
    try:
        for n, array in enumerate(arrays):
            builder.array(Place.item(0, n), n, array, written=n >= inputs, is_open=True)
        fail = partial(_fail, recorded.sites) if recorded.can_fail else None
        return builder.finished(len(arrays), (), Shape.LIST, failure=fail)
    except UnfitError:
        return None


def _fail(sites: Sequence[Any], code: int, first: int, second: int) -> int:
    raise failures.exception(sites, code, first, second)
