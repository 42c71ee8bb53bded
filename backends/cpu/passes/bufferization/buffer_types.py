"""Bufferization is kept from asking for the type of a buffer along exponentially many paths.

To learn the type of a buffer ``one-shot-bufferize`` follows the tensor to where it comes from, and
it remembers nothing on the way: behind an ``if`` it follows both branches, so thirty ``if`` in a row
that each may write into one array mean a thousand million paths.  A call ends the search, because
the type of its result is known from the callee.  So where the paths become many, a tensor is passed
through a function that returns its argument; bufferization sees through it, and once that is done
these calls are taken out.
"""

from __future__ import annotations

from typing import Any

from agir.backends.cpu.passes.analysis.error_records import loops_around
from agir.backends.mlir.modules import find, symbols, walk
from agir.ir.building import bindings

MOST_PATHS = 1 << 8
"""Paths along which the type of one tensor may be asked for, where no loop is around."""
_LESS_IN_LOOPS = 3
_FEWEST = 4
"""In a loop only the eighth part of that is left, for each path to one of its variables is followed by
those to what it starts with; but never fewer than so many."""

_CALLS = ("func.call",)
_DESTINATION = {"tensor.insert_slice": 1}
"""Which operand the result lies in.  An operation of ``linalg`` has these last, one for each result."""

_PREFIX = "same_buffer_"
_ENDS = ("scf.yield", "scf.condition")


def shorten_type_queries(module: Any) -> None:
    """Put calls of functions that return their argument where the paths become too many."""
    _Paths(module).cut()


def forget_same_buffers(module: Any) -> None:
    """Take out what :func:`shorten_type_queries` has put in."""
    for operation in find(module, "func.call"):
        if operation.attributes["callee"].value.startswith(_PREFIX):
            operation.results[0].replace_all_uses_with(operation.operands[0])
            operation.erase()
    for name, function in symbols(module).items():
        if name.startswith(_PREFIX):
            function.erase()


class _Paths:
    """How many paths lead from a tensor back to where its type is known.

    Inside a loop they are counted from the variables of the loop.  To learn the type of such a
    variable takes the paths of what it starts with, and those once more for each path around.
    """

    def __init__(self, module: Any) -> None:
        self._module = module
        self._functions: dict[Any, str] = {}
        self._number: dict[Any, int] = {}
        self._ends: dict[Any, list[Any]] = {}

    def cut(self) -> None:
        """End the search where the paths are too many."""
        for operation in walk(self._module, inner_first=True):
            if operation.name in _ENDS:
                self._ends.setdefault(operation.parent, []).append(operation)
            if operation.name == "scf.condition":
                self._hand_on(operation)
            for position, result in enumerate(operation.results):
                if _is_tensor(result):
                    number = self._paths(operation, position)
                    if number > _FEWEST and number > _most(operation):
                        self._end_here(operation, result)
                        number = 1
                    self._number[result] = number

    def _hand_on(self, condition: Any) -> None:
        arguments = condition.parent.regions[1].blocks[0].arguments
        for argument, value in zip(arguments, list(condition.operands)[1:], strict=True):
            self._number[argument] = self._of(value)

    def _of(self, value: Any) -> int:
        return self._number.get(value, 1)

    def _paths(self, operation: Any, position: int) -> int:
        ends = self._ends.get(operation, [])
        if operation.name == "scf.for":
            start = operation.operands[3 + position]
            return self._of(start) * (1 + self._of(ends[0].operands[position]))
        if operation.name == "scf.while":
            return self._around(operation, ends[0], ends[1], position)
        if ends:
            return sum(self._of(end.operands[position]) for end in ends)
        paths = sum(map(self._of, _followed(operation, position)))
        return max(paths, 1)  # a new tensor, such as a constant, ends them

    def _around(self, loop: Any, condition: Any, again: Any, position: int) -> int:
        """The paths to a result of a `while`: to any of its variables, so to the worst."""
        starts = zip(loop.operands, again.operands, strict=True)
        worst = max(self._of(start) * (1 + self._of(value)) for start, value in starts)
        return worst * self._of(condition.operands[1 + position])

    def _end_here(self, operation: Any, result: Any) -> None:
        ir = bindings.ir
        name = self._function(result.type)
        uses = list(result.uses)
        with ir.InsertionPoint.after(operation), operation.location:
            call = ir.Operation.create(
                "func.call",
                results=[result.type],
                operands=[result],
                attributes={"callee": ir.FlatSymbolRefAttr.get(name)},
            )
        for use in uses:
            use.owner.operands[use.operand_number] = call.result

    def _function(self, kind: Any) -> str:
        if kind not in self._functions:
            self._functions[kind] = f"{_PREFIX}{len(self._functions)}"
            self._define(self._functions[kind], kind)
        return self._functions[kind]

    def _define(self, name: str, kind: Any) -> None:
        ir = bindings.ir
        text = f"func.func private @{name}(%same: {kind}) -> {kind} {{\n return %same : {kind}\n}}"
        parsed = ir.Operation.parse(text)
        self._module.body.append(parsed)


def _most(operation: Any) -> int:
    """The paths along which the type of an operation's result may be asked for."""
    return max(MOST_PATHS >> _LESS_IN_LOOPS * len(loops_around(operation)), _FEWEST)


def _followed(operation: Any, position: int) -> list[Any]:
    """The operands that have to be asked for their types for the type of a result.

    What an operation only reads is not among them.
    """
    operands = list(operation.operands)
    if operation.name in _CALLS:
        return []
    if operation.name.startswith("linalg."):
        return [operands[position - len(operation.results)]]
    if operation.name in _DESTINATION:
        return [operands[_DESTINATION[operation.name]]]
    return [value for value in operands if _is_tensor(value)]


def _is_tensor(value: Any) -> bool:
    return isinstance(value.type, bindings.ir.RankedTensorType)
