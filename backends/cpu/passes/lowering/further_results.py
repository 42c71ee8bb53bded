"""A function of the LLVM dialect gets further results, numbers that are zero where it comes to its end.

Several results are one struct, one is itself, and none is ``void``; the types are taken apart as text,
for which the bindings have no classes.
"""

from __future__ import annotations

from typing import Any, NamedTuple

from agir.backends.cpu.passes.lowering.instructions import Instructions
from agir.backends.mlir.modules import find
from agir.ir.building import bindings
from agir.ir.building.attributes import SIGNATURE

_to = Instructions([])


class Added(NamedTuple):
    """What has become of a function."""

    kind: Any
    """The type that it returns now."""
    own: list[Any]
    """The types of its own results, the first fields of that."""
    early: Any
    """A block that takes the further results, and returns with nothing else; None without a body."""


def add(function: Any, count: int) -> Added:
    """Add so many results to a function."""
    ir = bindings.ir
    i64 = ir.IntegerType.get_signless(64)
    before, arguments = _split(str(function.attributes["function_type"].value))
    fields = _fields(before, _own_results(function, before))
    if SIGNATURE in function.attributes:
        signature = function.attributes[SIGNATURE].value
        results = [*signature.results, *[i64] * count]
        function.attributes[SIGNATURE] = ir.TypeAttr.get(
            ir.FunctionType.get(list(signature.inputs), results)
        )
    struct = f"struct<({', '.join([*fields, *['i64'] * count])})>"
    function.attributes["function_type"] = ir.TypeAttr.parse(f"!llvm.func<{struct} ({arguments})>")
    kind, own = ir.Type.parse(f"!llvm.{struct}"), [_whole(field) for field in fields]
    if not function.regions[0].blocks:
        return Added(kind, own, None)
    for each in find(function, "llvm.return"):
        with ir.InsertionPoint(each), each.location:
            _give(kind, 0, _values(each, own))
        each.erase()
    early = function.regions[0].blocks.append(*[i64] * count, arg_locs=[function.location] * count)
    with ir.InsertionPoint(early):
        _give(kind, len(own), list(early.arguments))
    return Added(kind, own, early)


def _own_results(function: Any, result: str) -> int:
    """How many results a function has; a struct that only its module sees is one."""
    if SIGNATURE in function.attributes:
        return len(function.attributes[SIGNATURE].value.results)
    return 0 if result == "void" else 1


def call(before: Any, callee: Added, count: int, to: Instructions) -> list[Any]:
    """Put a call of a changed function in the place of an earlier one; gives the further results."""
    ir = bindings.ir
    attributes = dict(before.attributes.items())
    found = to.op("llvm.call", callee.kind, *before.operands, **attributes)
    for old in before.results:
        old.replace_all_uses_with(_own_value(found, callee.own, old.type, to))
    i64 = ir.IntegerType.get_signless(64)
    return [_field(found, len(callee.own) + n, i64, to) for n in range(count)]


def _own_value(found: Any, own: list[Any], kind: Any, to: Instructions) -> Any:
    """What the function gave before."""
    if len(own) == 1:
        return _field(found, 0, kind, to)
    value = to.op("llvm.mlir.zero", kind)
    for n, each in enumerate(own):
        field = _field(found, n, each, to)
        value = to.op("llvm.insertvalue", kind, value, field, position=_position(n))
    return value


def _field(value: Any, number: int, kind: Any, to: Instructions) -> Any:
    return to.op("llvm.extractvalue", kind, value, position=_position(number))


def _values(returned: Any, kinds: list[Any]) -> list[Any]:
    """What an operation returns, one by one."""
    operands = list(returned.operands)
    if len(kinds) < 2:
        return operands
    return [_field(operands[0], n, kind, _to) for n, kind in enumerate(kinds)]


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
