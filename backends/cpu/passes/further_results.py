"""A function of the LLVM dialect gets further results, numbers that are zero where it comes to its end.

Several results are one struct, one is itself, and none is ``void``; the types are taken apart as text,
for which the bindings have no classes.
"""

from __future__ import annotations

from typing import Any

from agir.backends.cpu.passes.functions import SIGNATURE
from agir.backends.cpu.passes.instructions import Instructions
from agir.backends.mlir.modules import find
from agir.ir import bindings

__all__ = ["add"]

_to = Instructions([])


def add(function: Any, count: int) -> Any:
    """Add them; gives a block that takes them, and returns with nothing else."""
    ir = bindings.ir
    i64 = ir.IntegerType.get_signless(64)
    signature = function.attributes[SIGNATURE].value
    own = len(signature.results)
    results = [*signature.results, *[i64] * count]
    function.attributes[SIGNATURE] = ir.TypeAttr.get(
        ir.FunctionType.get(list(signature.inputs), results)
    )
    before, arguments = _split(str(function.attributes["function_type"].value))
    fields = [*_fields(before, own), *["i64"] * count]
    struct = f"struct<({', '.join(fields)})>"
    function.attributes["function_type"] = ir.TypeAttr.parse(f"!llvm.func<{struct} ({arguments})>")
    kind = ir.Type.parse(f"!llvm.{struct}")
    for each in find(function, "llvm.return"):
        with ir.InsertionPoint(each), each.location:
            _give(kind, 0, _values(each, [_whole(field) for field in fields[:own]]))
        each.erase()
    early = function.regions[0].blocks.append(*[i64] * count, arg_locs=[function.location] * count)
    with ir.InsertionPoint(early):
        _give(kind, own, list(early.arguments))
    return early


def _values(returned: Any, kinds: list[Any]) -> list[Any]:
    """What an operation returns, one by one."""
    operands = list(returned.operands)
    if len(kinds) < 2:
        return operands
    return [
        _to.op("llvm.extractvalue", kind, operands[0], position=_position(n))
        for n, kind in enumerate(kinds)
    ]


def _give(kind: Any, first: int, values: list[Any]) -> None:
    """Return a struct of zeros, but for these values from that field on."""
    found = _to.op("llvm.mlir.zero", kind)
    for n, value in enumerate(values, first):
        found = _to.op("llvm.insertvalue", kind, found, value, position=_position(n))
    bindings.ir.Operation.create("llvm.return", [], [found])


def _position(number: int) -> Any:
    return bindings.ir.DenseI64ArrayAttr.get([number])


def _split(kind: str) -> tuple[str, str]:
    """The result, and the arguments, of the text of a function's type."""
    text = kind.removeprefix("!llvm.func<").removesuffix(")>")
    result = _until(text, " ")
    return result, text[len(result) + 2 :]


def _fields(result: str, count: int) -> list[str]:
    """The types of so many results."""
    if count < 2:
        return [result][:count]
    rest = result.removeprefix("struct<(").removesuffix(")>")
    found = []
    for _ in range(count):
        found.append(_until(rest, ","))
        rest = rest[len(found[-1]) + 2 :]
    return found


def _until(text: str, end: str) -> str:
    """The text up to a character that stands in no brackets."""
    depth = 0
    for at, character in enumerate(text):
        if character == end and depth == 0:
            return text[:at]
        depth += {"<": 1, "(": 1, ">": -1, ")": -1}.get(character, 0)
    return text


def _whole(kind: str) -> Any:
    """The type that is abbreviated in another one."""
    ours = kind.startswith(("struct", "array", "ptr"))
    return bindings.ir.Type.parse(f"!llvm.{kind}" if ours else kind)
