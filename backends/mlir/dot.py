"""A module as a graph for Graphviz: an operation is a node, a value an edge, a region a cluster."""

from __future__ import annotations

from collections.abc import Iterator
from html import escape
from typing import Any

from agir.backends.mlir.modules import symbols
from agir.ir.building.locations import describe

_HEADER = """digraph module {
  compound=true; rankdir=TB; newrank=true; nodesep=0.25; ranksep=0.35;
  graph [fontname="Helvetica", fontsize=11, style="rounded", color="#9aa5b1"];
  node [fontname="Helvetica", fontsize=10, shape=box, style="rounded,filled", color="#52606d",
        margin="0.12,0.06"];
  edge [fontname="Helvetica", fontsize=8, color="#52606d", arrowsize=0.6];"""

_COLOURS = {
    "arith": "#e3f8ff",
    "math": "#e3f8ff",
    "complex": "#e3f8ff",
    "linalg": "#fff3c4",
    "tensor": "#e3f9e5",
    "scf": "#fbe2ff",
    "func": "#f5f7fa",
}
_WIDEST = 60
_LONGEST = 12
"""Operations of a block that are shown, but for the last one."""


def graph(module: Any) -> str:
    """The module in the DOT language."""
    return "\n".join([_HEADER, *_Writer().module(module), "}", ""])


def control_flow(module: Any) -> str:
    """The blocks of the functions of the LLVM dialect, and where control goes from each."""
    lines = [_HEADER]
    for number, function in enumerate(symbols(module).values()):
        blocks = [block for region in function.regions for block in region.blocks]
        if function.name == "llvm.func" and blocks:
            lines += _flow(number, function, blocks)
    return "\n".join([*lines, "}", ""])


def _flow(number: int, function: Any, blocks: list[Any]) -> Iterator[str]:
    yield f"  subgraph cluster_{number} {{"
    yield f"    label=<<b>{escape(function.attributes['sym_name'].value)}</b>>; labeljust=l;"
    names = {block: f"f{number}_{place}" for place, block in enumerate(blocks)}
    for place, (block, name) in enumerate(names.items()):
        *inner, end = (view.operation for view in block.operations)
        rows = [f"<b>^bb{place}</b>", *(_instruction(each) for each in inner[:_LONGEST])]
        rows += [f"... {len(inner) - _LONGEST} more"] if len(inner) > _LONGEST else []
        label = '<br align="left"/>'.join([*rows, _instruction(end), ""])
        yield f'    {name} [label=<{label}>, fillcolor="white"];'
        ways = [*end.successors]
        for way, target in enumerate(ways):
            said = f' [label="{"no" if way else "yes"}"]' if len(ways) == 2 else ""
            yield f"    {name} -> {names[target]}{said};"
    yield "  }"


def _instruction(operation: Any) -> str:
    """An operation, and the line that it comes from."""
    at = describe(operation.location).partition(",")[0].rpartition(":")[2]
    place = f' <font color="#7b8794">{escape(at)}</font>' if at else ""
    return escape(operation.name.removeprefix("llvm.")) + place


class _Writer:
    """Numbers the nodes, and remembers which node gives which value."""

    def __init__(self) -> None:
        self._count = 0
        self._nodes: dict[Any, str] = {}
        self._edges: list[str] = []

    def module(self, module: Any) -> Iterator[str]:
        for operation in module.body.operations:
            yield from self._operation(operation.operation, "  ")
        yield from self._edges

    def _operation(self, operation: Any, indent: str) -> Iterator[str]:
        regions = [region for region in operation.regions if len(region.blocks)]
        if operation.name == "func.func" or (regions and not _is_plain(operation)):
            yield from self._cluster(operation, regions, indent)
        else:
            yield self._node(operation, _label(operation), indent)

    def _cluster(self, operation: Any, regions: list[Any], indent: str) -> Iterator[str]:
        yield f"{indent}subgraph cluster_{self._fresh()} {{"
        inner = indent + "  "
        yield f"{inner}label=<<b>{escape(_title(operation))}</b>>; labeljust=l;"
        if operation.name != "func.func":
            yield self._node(operation, _label(operation), inner)
        for number, region in enumerate(regions):
            if len(regions) > 1:
                yield f'{inner}subgraph cluster_{self._fresh()} {{ label="region {number}";'
            for block in region.blocks:
                yield from self._block(block, inner)
            if len(regions) > 1:
                yield f"{inner}}}"
        yield f"{indent}}}"

    def _block(self, block: Any, indent: str) -> Iterator[str]:
        for argument in block.arguments:
            name = self._fresh()
            self._nodes[argument] = name
            label = f"argument {argument.arg_number}<br/>{_type(argument)}"
            yield f"{indent}{name} [label=<{label}>, shape=ellipse, fillcolor=white];"
        for operation in block.operations:
            yield from self._operation(operation.operation, indent)

    def _node(self, operation: Any, label: str, indent: str) -> str:
        name = self._fresh()
        for operand in operation.operands:
            source = self._nodes.get(operand)
            if source:
                self._edges.append(f"  {source} -> {name};")
        for result in operation.results:
            self._nodes[result] = name
        colour = _COLOURS.get(operation.name.partition(".")[0], "white")
        return f'{indent}{name} [label=<{label}>, fillcolor="{colour}"];'

    def _fresh(self) -> str:
        self._count += 1
        return f"n{self._count}"


def _is_plain(operation: Any) -> bool:
    """Whether a region is nothing but the body of an elementwise loop, which goes into the node."""
    return bool(operation.name.startswith("linalg."))


def _label(operation: Any) -> str:
    lines = [f"<b>{escape(_title(operation))}</b>"]
    lines += [_type(result) for result in operation.results]
    if _is_plain(operation) and operation.name == "linalg.generic":
        body = operation.regions[0].blocks[0].operations
        names = ", ".join(inner.operation.name for inner in list(body)[:-1])
        lines.append(f"<i>{escape(_shortened(names))}</i>")
    place = describe(operation.location)
    if place:
        lines.append(f'<font color="#7b8794" point-size="8">{escape(place)}</font>')
    return "<br/>".join(line for line in lines if line != "<i></i>")


def _title(operation: Any) -> str:
    if operation.name == "func.func":
        return f"func {operation.attributes['sym_name'].value}"
    if operation.name == "func.call":
        return f"call {operation.attributes['callee'].value}"
    if operation.name == "arith.constant":
        return _shortened(str(operation.attributes["value"]).partition(" : ")[0])
    return str(operation.name)


def _type(value: Any) -> str:
    return escape(_shortened(str(value.type)))


def _shortened(text: str) -> str:
    return text if len(text) <= _WIDEST else text[: _WIDEST - 1] + "…"
