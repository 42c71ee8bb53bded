"""Decoding functions into steps, and running them."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from functools import cached_property
from typing import Any, Protocol

import numpy as np

from agir.errors import LocatedError, UnsupportedOperation
from agir.ir.building.attributes import SIGNATURE
from agir.ir.functions.depth import DEPTH_LIMIT
from agir.ir.host import hosts

from . import dispatch
from .core.bytes import Memory
from .core.memory import MemRef
from .core.operation import Block, Frame, Operation, Source, Step
from .core.types import ValueType, value_type
from .dialects import cf
from .dialects.cf import Flow
from .natives import NATIVES


class Names(Protocol):
    """What a function may ask of its module."""

    @property
    def memory(self) -> Memory:
        """The bytes of a module in the LLVM dialect."""

    def function(self, name: str) -> Function:
        """The function of this name."""

    def constant(self, name: str) -> MemRef:
        """The memref of a global."""

    def address(self, name: str) -> int:
        """The address of a function or global of the LLVM dialect."""

    def pointed(self, address: int) -> Function:
        """The function at an address."""


class Function:
    """One function: its signature now, its body when it is first called."""

    may_act = False
    """Whether calling it may do what cannot be taken back."""

    def __init__(self, raw: Any, module: Names) -> None:
        self._raw = raw
        self._module = module
        self._body: Block | Flow | None = None
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
    def is_lowered(self) -> bool:
        """Whether it is one of the LLVM dialect, and gets buffers in parts."""
        return bool(self._raw.name == "llvm.func")

    @property
    def _type(self) -> Any:
        attributes = self._raw.attributes
        known = SIGNATURE if SIGNATURE in attributes else "function_type"
        return attributes[known].value

    def run(self, arguments: Sequence[Any]) -> list[Any]:
        """Execute the body in a frame of its own."""
        body = self._body or self._decode()
        if body is None:
            return NATIVES[self.name](self._module, arguments)
        return body.run([None] * self._size, arguments)

    @property
    def name(self) -> str:
        """The symbol of the function."""
        return str(self._raw.attributes["sym_name"].value)

    def _decode(self) -> Block | Flow | None:
        blocks = list(self._raw.regions[0].blocks)
        if not blocks and self.name in NATIVES:
            return None
        if not blocks:
            error = UnsupportedOperation(f"nothing provides the function {self.name!r}")
            error.locate(self._raw.name, str(self._raw.location))
            raise error
        decoder = Decoder(self._module)
        body = decoder.block(blocks[0], ()) if len(blocks) == 1 else decoder.flow(blocks)
        self._size, self._body = decoder.size, body
        return body


class Provided(Function):
    """A function that the module only declares, and the host provides."""

    def __init__(self, raw: Any, module: Names, given: Mapping[str, Any]) -> None:
        super().__init__(raw, module)
        results = [str(kind) for kind in self._type.results]
        inputs = [(kind.is_tensor, kind.dtype) for kind in self.inputs]
        self._host = hosts.host_function(raw, inputs, results, given)
        self.may_act = raw.attributes[hosts.CALLBACK].value in hosts.ACTING

    def run(self, arguments: Sequence[Any]) -> list[Any]:
        """Call the host, with copies of the arrays."""
        if any(kind.is_memref for kind in self.inputs):
            raise UnsupportedOperation("the host is called with buffers")
        own = [v.copy() if isinstance(v, np.ndarray) else v for v in arguments]
        result = self._host(*own)
        if not self.outputs:
            return []
        kind = self.outputs[0]
        if not kind.is_tensor:
            return [np.dtype(kind.dtype).type(result)]
        return [np.array(result).view(kind.dtype)]


def is_provided(raw: Any) -> bool:
    """Whether a function is one of the host's."""
    return hosts.is_callback(raw) and not raw.regions[0].blocks


class Decoder:
    """Turns the blocks of one function into steps, giving each value a slot of the frame."""

    def __init__(self, module: Names) -> None:
        self.function, self.constant = module.function, module.constant
        self.address, self.pointed, self._module = module.address, module.pointed, module
        self.size = 0
        self._slots: dict[Any, int] = {}

    @property
    def memory(self) -> Memory:
        """The bytes of the module."""
        return self._module.memory

    def slots(self, count: int) -> tuple[int, ...]:
        """Reserve ``count`` places in the frame."""
        self.size += count
        return tuple(range(self.size - count, self.size))

    def flow(self, raw: Sequence[Any]) -> Flow:
        """Decode the blocks of a function that branches."""
        blocks = [self.block(each, ()) for each in raw]
        return Flow(blocks, [cf.leave(list(each.operations)[-1].operation, raw) for each in raw])

    def block(self, raw: Any, space: tuple[int, ...]) -> Block:
        """Decode a block whose `linalg.index` operations read the slots of ``space``."""
        block = Block(self._slots_of(raw.arguments), (), [], [], space, elementwise=True)
        for view in raw.operations:
            operation = view.operation
            if operation.name in dispatch.TERMINATORS:
                block.results = self._slots_of(operation.operands)
            else:
                self._append(block, operation)
        return block

    def _slots_of(self, values: Any) -> tuple[int, ...]:
        """Where values are, each in a slot of its own: a block may come before one that it needs."""
        found = []
        for value in values:
            if value not in self._slots:
                (self._slots[value],) = self.slots(1)
            found.append(self._slots[value])
        return tuple(found)

    def _append(self, block: Block, raw: Any) -> None:
        location = str(raw.location)
        try:
            operation = self._operation(raw, block.space)
            function = dispatch.prepare(operation)
        except LocatedError as error:
            error.locate(raw.name, location)
            raise
        inputs, outputs = self._slots_of(raw.operands), self._slots_of(raw.results)
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
