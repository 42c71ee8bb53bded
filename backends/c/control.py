"""The operations of `scf` and `func` as statements of C."""

from __future__ import annotations

from typing import Any

from agir.backends.c.types import joined, refuse
from agir.backends.c.writer import Writer, function_name

__all__ = ["STATEMENTS"]


def _blocks(operation: Any) -> list[Any]:
    return [block for region in operation.regions for block in region.blocks]


def _if(writer: Writer, operation: Any) -> None:
    results = [writer.declare(each) for each in operation.results]
    condition = writer.name(operation.operands[0])
    for head, block in zip((f"if ({condition})", "else"), _blocks(operation), strict=False):
        _branch(writer, head, block, results)


def _branch(writer: Writer, head: str, block: Any, results: list[str]) -> None:
    writer.open(head)
    _, values = writer.body(block)
    writer.assign(results, values)
    writer.close()


def _switch(writer: Writer, operation: Any) -> None:
    results = [writer.declare(each) for each in operation.results]
    chosen = writer.name(operation.operands[0])
    default, *blocks = _blocks(operation)
    head = ""
    for case, block in zip(operation.attributes["cases"], blocks, strict=True):
        _branch(writer, f"{head}if ({chosen} == {case})", block, results)
        head = "else "
    _branch(writer, head.strip() or "if (true)", default, results)


def _for(writer: Writer, operation: Any) -> None:
    low, high, step, *values = map(writer.name, operation.operands)
    block = _blocks(operation)[0]
    counter, *carried = block.arguments
    names = []
    for argument, value, result in zip(carried, values, operation.results, strict=True):
        writer.assign([writer.declare(argument)], [value])
        writer.alias(result, argument)
        names.append(writer.name(argument))
    kind, i = writer.type(counter), writer.named(counter, "i")
    writer.open(f"for ({kind} {i} = {low}; {i} < {high}; {i} += {step})")
    _, after = writer.body(block)
    writer.assign(names, after)
    writer.close()


def _while(writer: Writer, operation: Any) -> None:
    before, after = _blocks(operation)
    for argument, value in zip(before.arguments, operation.operands, strict=True):
        writer.assign([writer.declare(argument)], [writer.name(value)])
    carried = [writer.name(argument) for argument in before.arguments]
    results = [writer.declare(each) for each in operation.results]
    writer.open("for (;;)")
    _, (condition, *forwarded) = writer.body(before)
    writer.assign(results, forwarded)
    writer.line(f"if (!{condition}) break;")
    for argument, result in zip(after.arguments, operation.results, strict=True):
        writer.alias(argument, result)
    _, values = writer.body(after)
    writer.assign(carried, values)
    writer.close()


def _inline(writer: Writer, operation: Any) -> None:
    results = [writer.declare(each) for each in operation.results]
    writer.open("")
    _, values = writer.body(_blocks(operation)[0])
    writer.assign(results, values)
    writer.close()


def _call(writer: Writer, operation: Any) -> None:
    name = operation.attributes["callee"].value
    if name not in writer.functions:
        refuse(operation, f"{name} is a function of Python's or of a library")
    results = [f"&{writer.declare(each)}" for each in operation.results]
    writer.line(
        f"{function_name(name)}({joined([*map(writer.name, operation.operands), *results])});"
    )


STATEMENTS = {
    "scf.if": _if,
    "scf.index_switch": _switch,
    "scf.for": _for,
    "scf.while": _while,
    "scf.execute_region": _inline,
    "func.call": _call,
}
