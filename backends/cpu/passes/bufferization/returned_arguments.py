"""Functions that return a buffer that they were given return the argument itself.

A function that calls itself hands lists on and gets them back.  Whether what it returns is always the
buffer that it was given is found out for all functions at once, assuming the best: what a call gives
is an argument of the call until a path turns up on which it is not (a greatest fixpoint).  Results that
are arguments go with ``drop-equivalent-buffer-results``; of any other buffer each call makes a copy,
for what is returned is the caller's own.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

from agir.backends.cpu.passes.analysis.functions import block_of, functions, is_public, name_of
from agir.backends.mlir.modules import walk
from agir.ir.building import bindings

_NONE = -1
"""No argument, or not always the same one."""
INSERTS = ("tensor.insert", "tensor.insert_slice")
"""What gives an array with other elements in it."""
_REGIONS = ("scf.if", "scf.for", "scf.while")


def return_arguments(module: Any) -> None:
    """Use the argument wherever a private function has the buffer of one."""
    private = [each for each in functions(module) if not is_public(each)]
    if any(map(_returns_buffers, private)):
        following = Following(private)
        following.follow()
        for function in private:
            following.use(function)


def _returns_buffers(function: Any) -> bool:
    return any(map(_is_buffer_type, function.attributes["function_type"].value.results))


def _is_buffer_type(kind: Any) -> bool:
    return isinstance(kind, bindings.ir.MemRefType)


class Following:
    """Which buffers are arguments of their functions, as far as is known.

    Arrays are, too, that have other elements in them by now.
    ``argument`` has the number of the argument by the buffer, or by the function's name and the number
    of a result; what nothing is known of yet is not there.
    """

    def __init__(self, private: Sequence[Any]) -> None:
        self.private = private
        self.inside = {name_of(function): walk(function) for function in private}
        self.argument: dict[Any, int] = {}
        for function in private:
            self.argument.update(
                (value, number) for number, value in enumerate(block_of(function).arguments)
            )

    def follow(self) -> None:
        """Find out all that can be known."""
        while sum(map(self._look, self.private)):
            pass

    def _look(self, function: Any) -> bool:
        """Follow the buffers through a function once; whether something new has turned up."""
        name = name_of(function)
        steps = [step for each in self.inside[name] for step in self._steps(name, each)]
        return sum(self._meet(target, number) for target, number in steps) > 0

    def _meet(self, target: Any, number: int | None) -> bool:
        before = self.argument.get(target)
        if number is None or before in (number, _NONE):
            return False
        self.argument[target] = number if before is None else _NONE
        return True

    def _steps(self, name: str, operation: Any) -> Iterator[tuple[Any, int | None]]:
        """What an operation says of buffers: each with the argument that it is on this path."""
        kind = operation.name
        if kind == "func.return":
            for number, value in enumerate(operation.operands):
                yield (name, number), self.argument.get(value)
        elif kind == "func.call":
            yield from self._called(operation)
        elif kind in ("scf.yield", "scf.condition", *_REGIONS):
            for target, source in handed_on(operation):
                yield target, self.argument.get(source)
        elif kind in INSERTS:
            yield operation.results[0], self.argument.get(operation.operands[1])
        else:
            for value in operation.results:
                yield value, _NONE

    def _called(self, call: Any) -> Iterator[tuple[Any, int | None]]:
        callee, operands = call.attributes["callee"].value, list(call.operands)
        for number, value in enumerate(call.results):
            at = self.argument.get((callee, number)) if callee in self.inside else _NONE
            if at is None or at == _NONE:
                yield value, at
            else:
                fits = operands[at].type == value.type
                yield value, self.argument.get(operands[at]) if fits else _NONE

    def destinations(self, function: Any) -> dict[int, int]:
        """Which results are which arguments, each of another one and of its type."""
        kind = function.attributes["function_type"].value
        found: dict[int, int] = {}
        for number, each in enumerate(kind.results):
            at = self.argument.get((name_of(function), number), _NONE)
            if at != _NONE and kind.inputs[at] == each:
                found[number] = at
        every = list(found.values())
        return {number: at for number, at in found.items() if every.count(at) == 1}

    def use(self, function: Any) -> None:
        """Have the arguments themselves in the place of what is known to be one."""
        arguments = list(block_of(function).arguments)
        for operation in self.inside[name_of(function)]:
            for value in operation.results:
                number = self.argument.get(value, _NONE)
                if number == _NONE or not _is_buffer_type(value.type):
                    continue
                if value.type == arguments[number].type:
                    value.replace_all_uses_with(arguments[number])


def handed_on(operation: Any) -> Iterator[tuple[Any, Any]]:
    """The values that control flow hands on: those that get them, and those that they are."""
    kind, operands = operation.name, list(operation.operands)
    if kind == "scf.for":
        first = list(operation.regions[0].blocks[0].arguments)[1:]
        yield from zip(first, operands[3:], strict=True)
        yield from zip(operation.results, operands[3:], strict=True)
    elif kind == "scf.while":
        yield from zip(operation.regions[0].blocks[0].arguments, operands, strict=True)
    elif kind == "scf.condition":
        loop = operation.parent
        yield from zip(loop.results, operands[1:], strict=True)
        yield from zip(loop.regions[1].blocks[0].arguments, operands[1:], strict=True)
    elif kind == "scf.yield":
        parent = operation.parent
        if parent.name == "scf.while":
            yield from zip(parent.regions[0].blocks[0].arguments, operands, strict=True)
            return
        yield from zip(parent.results, operands, strict=True)
        if parent.name == "scf.for":
            yield from zip(list(parent.regions[0].blocks[0].arguments)[1:], operands, strict=True)
