"""The names that results are stored in, read off the code as the standard library reads it."""

from __future__ import annotations

import dis
import inspect
import tarfile
import typing
from collections.abc import Iterator
from itertools import pairwise
from types import CodeType

import pytest

from agir.ir.building import locations


def inside(code: CodeType) -> Iterator[CodeType]:
    yield code
    for constant in code.co_consts:
        if isinstance(constant, CodeType):
            yield from inside(constant)


def names(code: CodeType) -> dict[int, str]:
    stores = ("STORE_FAST", "STORE_NAME", "STORE_DEREF", "STORE_GLOBAL")
    return {
        before.offset: str(store.argval)
        for before, store in pairwise(dis.get_instructions(code))
        if store.opname in stores
    }


@pytest.mark.parametrize("module", [inspect, tarfile, typing])
def test_as_the_standard_library_has_them(module):
    code = compile(inspect.getsource(module), module.__file__, "exec")
    for each in inside(code):
        assert locations._assigned_names(each) == names(each)


def test_cells_and_more_names_than_a_byte_has():
    lines = [f"    name{n} = {n}" for n in range(400)]
    source = "\n".join(
        ["def f(cell, x):", *lines, "    cell = x", "    return lambda: cell + name9"]
    )
    for each in inside(compile(source, "many", "exec")):
        assert locations._assigned_names(each) == names(each)
