"""Decoding functions into steps, and running them."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from functools import cached_property
from typing import Any

import numpy as np

from agir.errors import LocatedError, UnsupportedOperation
from agir.ir.functions.depth import DEPTH_LIMIT
from agir.ir.host import hosts

from . import deep, dispatch
from .operation import Block, Frame, Operation, Source, Step
from .types import ValueType, cast_argument, export_result, value_type


class Interpreter:
    """Executes the functions of an MLIR module at the `hlo` stage.

    The module is verified at once; each function is decoded when it is first called, and later
    changes to the module are not seen.
    """

    def __init__(self, module: Any, given: Mapping[str, Any] | None = None) -> None:
        module.operation.verify()
        self._module = module
        self._functions: dict[str, Function] = {
            operation.attributes["sym_name"].value: (
                Provided(operation.operation, given or {})
                if _is_provided(operation.operation)
                else Function(operation.operation, self.function)
            )
            for operation in module.body.operations
            if operation.operation.name == "func.func"
        }
        self._depth = max((each.depth_limit for each in self._functions.values()), default=0)
        self._may_act = any(each.may_act for each in self._functions.values())

    def function(self, name: str) -> Function:
        """The function of this name."""
        if name not in self._functions:
            raise KeyError(f"the module has no function named {name!r}")
        return self._functions[name]

    def call(self, name: str, *arguments: Any) -> list[Any]:
        """Run one function on NumPy values; arguments are never modified, results are copies."""
        function = self.function(name)
        if len(arguments) != len(function.inputs):
            raise TypeError(f"{name} takes {len(function.inputs)} arguments, got {len(arguments)}")
        values = list(map(cast_argument, arguments, function.inputs))
        with hosts.calling():
            if self._may_act:  # in this thread or another one
                hosts.note_act()
            results = deep.run(self._depth, lambda: _run(function, values))
        return list(map(export_result, results, function.outputs))


def _run(function: Function, values: Sequence[Any]) -> list[Any]:
    with np.errstate(all="ignore"):
        return function.run(values)


class Function:
    """One function: its signature now, its body when it is first called."""

    may_act = False
    """Whether calling it may do what cannot be taken back."""

    def __init__(self, raw: Any, lookup: Callable[[str], Function]) -> None:
        self._raw = raw
        self._lookup = lookup
        self._body: Block | None = None
        self._size = 0

    @cached_property
    def inputs(self) -> list[ValueType]:
        """The types of the parameters."""
        return [value_type(type_) for type_ in self._type.inputs]

    @cached_property
    def outputs(self) -> list[ValueType]:
        """The types of the results."""
        return [value_type(type_) for type_ in self._type.results]

    @property
    def depth_limit(self) -> int:
        """How deep the function may call itself; 0 where it does not."""
        attributes = self._raw.attributes
        return attributes[DEPTH_LIMIT].value if DEPTH_LIMIT in attributes else 0

    @property
    def _type(self) -> Any:
        return self._raw.attributes["function_type"].value

    def run(self, arguments: Sequence[Any]) -> list[Any]:
        """Execute the body in a frame of its own."""
        body = self._body or self._decode()
        return body.run([None] * self._size, arguments)

    def _decode(self) -> Block:
        blocks = list(self._raw.regions[0].blocks)
        if not blocks:
            name = self._raw.attributes["sym_name"].value
            error = UnsupportedOperation(f"nothing provides the function {name!r}")
            error.locate("func.func", str(self._raw.location))
            raise error
        if len(blocks) != 1:
            error = UnsupportedOperation(f"a function of {len(blocks)} blocks is not supported")
            error.locate("func.func", str(self._raw.location))
            raise error
        decoder = Decoder(self._lookup)
        body = decoder.block(blocks[0], ())
        self._size, self._body = decoder.size, body
        return body


class Provided(Function):
    """A function that the module only declares, and the host provides."""

    def __init__(self, raw: Any, given: Mapping[str, Any]) -> None:
        super().__init__(raw, _no_function)
        results = [str(kind) for kind in self._type.results]
        inputs = [(kind.is_tensor, kind.dtype) for kind in self.inputs]
        self._host = hosts.host_function(raw, inputs, results, given)
        self.may_act = raw.attributes[hosts.CALLBACK].value in hosts.ACTING

    def run(self, arguments: Sequence[Any]) -> list[Any]:
        """Call the host, with copies of the arrays."""
        own = [v.copy() if isinstance(v, np.ndarray) else v for v in arguments]
        result = self._host(*own)
        if not self.outputs:
            return []
        kind = self.outputs[0]
        if not kind.is_tensor:
            return [np.dtype(kind.dtype).type(result)]
        return [np.array(result).view(kind.dtype)]


def _is_provided(raw: Any) -> bool:
    return hosts.is_callback(raw) and not raw.regions[0].blocks


def _no_function(name: str) -> Function:
    raise KeyError(name)


class Decoder:
    """Turns the blocks of one function into steps, giving each value a slot of the frame."""

    def __init__(self, lookup: Callable[[str], Function]) -> None:
        self.function = lookup
        self.size = 0
        self._slots: dict[Any, int] = {}

    def slots(self, count: int) -> tuple[int, ...]:
        """Reserve ``count`` places in the frame."""
        self.size += count
        return tuple(range(self.size - count, self.size))

    def block(self, raw: Any, space: tuple[int, ...]) -> Block:
        """Decode a block whose `linalg.index` operations read the slots of ``space``."""
        block = Block(self._define(raw.arguments), (), [], [], space, elementwise=True)
        for view in raw.operations:
            operation = view.operation
            if operation.name in dispatch.TERMINATORS:
                block.results = self._use(operation.operands)
            else:
                self._append(block, operation)
        return block

    def _define(self, values: Any) -> tuple[int, ...]:
        values = list(values)
        slots = self.slots(len(values))
        self._slots.update(zip(values, slots, strict=True))
        return slots

    def _use(self, values: Any) -> tuple[int, ...]:
        return tuple(self._slots[value] for value in values)

    def _append(self, block: Block, raw: Any) -> None:
        location = str(raw.location)
        try:
            operation = self._operation(raw, block.space)
            function = dispatch.prepare(operation)
        except LocatedError as error:
            error.locate(raw.name, location)
            raise
        inputs, outputs = self._use(raw.operands), self._define(raw.results)
        takes_frame = raw.name in dispatch.REGION_OPERATIONS
        block.steps.append((_frame_step if takes_frame else _step)(function, inputs, outputs))
        block.sources.append(Source(raw.name, location, inputs, outputs))
        block.elementwise &= dispatch.is_elementwise(operation)

    def _operation(self, raw: Any, space: tuple[int, ...]) -> Operation:
        operands = tuple(value_type(value.type) for value in raw.operands)
        results = tuple(value_type(value.type) for value in raw.results)
        return Operation(raw.name, operands, results, raw, self, space)


def _step(function: Callable[..., Any], inputs: Sequence[int], outputs: Sequence[int]) -> Step:
    if len(outputs) != 1:
        return _frame_step(lambda frame, *values: function(*values), inputs, outputs)
    (out,) = outputs
    if len(inputs) == 1:
        (a,) = inputs
        return _unary_step(function, a, out)
    if len(inputs) == 2:
        a, b = inputs
        return _binary_step(function, a, b, out)

    def step(frame: Frame) -> None:
        frame[out] = function(*[frame[slot] for slot in inputs])

    return step


def _unary_step(function: Callable[..., Any], a: int, out: int) -> Step:
    def step(frame: Frame) -> None:
        frame[out] = function(frame[a])

    return step


def _binary_step(function: Callable[..., Any], a: int, b: int, out: int) -> Step:
    def step(frame: Frame) -> None:
        frame[out] = function(frame[a], frame[b])

    return step


def _frame_step(
    function: Callable[..., Any], inputs: Sequence[int], outputs: Sequence[int]
) -> Step:
    def step(frame: Frame) -> None:
        results = function(frame, *[frame[slot] for slot in inputs])
        for slot, result in zip(outputs, results, strict=True):
            frame[slot] = result

    return step
