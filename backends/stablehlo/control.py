"""The operations of `scf` and `func`: branches, loops and calls."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial
from typing import Any

from agir.backends.stablehlo.building import (
    Regions,
    broadcast,
    compare,
    constant,
    converted,
    each,
    i64,
    refuse,
    select,
    shape_of,
    with_regions,
)
from agir.backends.stablehlo.translator import Translator
from agir.ir.building import bindings

__all__ = ["RULES", "loop"]


def _blocks(operation: Any) -> list[Any]:
    return [block for region in operation.regions for block in region.blocks]


def _kinds(operation: Any) -> list[Any]:
    return [converted(each.type, operation) for each in operation.results]


def _branches(translator: Translator, blocks: list[Any]) -> Regions:
    def branch(block: Any, _: Sequence[Any]) -> Sequence[Any]:
        return translator.body(block)

    return [([], partial(branch, block)) for block in blocks]


def _if(translator: Translator, operation: Any) -> list[Any]:
    condition = translator[operation.operands[0]]
    blocks = _blocks(operation)
    if translator.domain is not None:
        return _both(translator, condition, blocks)
    if not operation.results:
        return []
    regions = _branches(translator, blocks)
    return with_regions("if", _kinds(operation), [condition], regions)


def _both(translator: Translator, condition: Any, blocks: list[Any]) -> list[Any]:
    """A branch at every point of a domain: both ways, of which one is taken at each."""
    ways = [translator.lifted(translator.body(block)) for block in blocks]
    [lifted] = translator.lifted([condition])
    return [select(lifted, yes, no) for yes, no in zip(*ways, strict=True)]


def _switch(translator: Translator, operation: Any) -> list[Any]:
    chosen = translator[operation.operands[0]]
    default, *blocks = _blocks(operation)
    narrow = bindings.ir.IntegerType.get_signless(32)
    number = constant(len(blocks), narrow)
    for place, case in enumerate(operation.attributes["cases"]):
        number = select(
            compare("EQ", chosen, constant(case, i64())), constant(place, narrow), number
        )
    regions = _branches(translator, [*blocks, default])
    return with_regions("case", _kinds(operation), [number], regions)


def _for(translator: Translator, operation: Any) -> list[Any]:
    low, high, step, *carried = (translator[each] for each in operation.operands)
    _expect_numbers(operation, low, high, step)
    block = _blocks(operation)[0]
    carried = _carried(translator, carried)

    def going(given: Sequence[Any]) -> list[Any]:
        return [compare("LT", given[0], high)]

    def body(given: Sequence[Any]) -> list[Any]:
        for argument, value in zip(block.arguments, given, strict=True):
            translator[argument] = value
        after = translator.body(block)
        return [each("add", given[0], step), *_shaped(after, carried)]

    return loop([low, *carried], going, body)[1:]


def _general(translator: Translator, operation: Any) -> list[Any]:
    """A while loop: what is before the condition is done once more for what comes out."""
    before, after = _blocks(operation)
    carried = _carried(translator, [translator[each] for each in operation.operands])

    def conditioned(given: Sequence[Any]) -> list[Any]:
        for argument, value in zip(before.arguments, given, strict=True):
            translator[argument] = value
        return translator.body(before)

    def going(given: Sequence[Any]) -> list[Any]:
        condition = conditioned(given)[0]
        _expect_numbers(operation, condition)
        return [condition]

    def body(given: Sequence[Any]) -> list[Any]:
        _, *forwarded = conditioned(given)
        for argument, value in zip(after.arguments, forwarded, strict=True):
            translator[argument] = value
        return _shaped(translator.body(after), carried)

    return conditioned(loop(carried, going, body))[1:]


def loop(carried: list[Any], going: Any, body: Any) -> list[Any]:
    """A loop that goes on while a condition holds of what it carries."""
    kinds = [each.type for each in carried]
    return with_regions("while", kinds, carried, [(kinds, going), (kinds, body)])


def _carried(translator: Translator, values: list[Any]) -> list[Any]:
    """What a loop carries: at every point, where it is done at every point."""
    return values if translator.domain is None else translator.lifted(values)


def _shaped(values: list[Any], carried: list[Any]) -> list[Any]:
    return [
        broadcast(value, shape_of(before)) if not shape_of(value) else value
        for value, before in zip(values, carried, strict=True)
    ]


def _expect_numbers(operation: Any, *values: Any) -> None:
    if any(shape_of(value) for value in values):
        refuse(operation, "a loop that ends at different iterations for different elements")


def _inline(translator: Translator, operation: Any) -> list[Any]:
    return translator.body(_blocks(operation)[0])


def _call(translator: Translator, operation: Any) -> list[Any]:
    ir = bindings.ir
    callee = operation.attributes["callee"]
    if callee.value not in translator.functions:
        refuse(
            operation,
            f"{callee.value} is no function of the program's, but Python's or a library's",
        )
    operands = [translator[each] for each in operation.operands]
    name = ir.FlatSymbolRefAttr.get(translator.functions[callee.value])
    called = ir.Operation.create("func.call", _kinds(operation), operands, {"callee": name})
    return list(called.results)


RULES: dict[str, Any] = {
    "scf.if": _if,
    "scf.index_switch": _switch,
    "scf.for": _for,
    "scf.while": _general,
    "scf.execute_region": _inline,
    "func.call": _call,
}
