"""What the functions of a module share: each other, and what is in memory."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np

from agir.errors import UndefinedBehaviour

from .core import attributes
from .core.bytes import Memory
from .core.layouts import layout
from .core.memory import MemRef
from .core.types import value_type
from .functions import Decoder, Function, Provided, is_provided

_FUNCTIONS = ("func.func", "llvm.func")


class Module:
    """The functions and globals of a module, and its memory."""

    def __init__(self, raw: Any, given: Mapping[str, Any]) -> None:
        operations = [view.operation for view in raw.body.operations]
        self._raw = {
            each.attributes["sym_name"].value: each
            for each in operations
            if "sym_name" in each.attributes
        }
        self.functions: dict[str, Function] = {
            name: Provided(each, self, given) if is_provided(each) else Function(each, self)
            for name, each in self._raw.items()
            if each.name in _FUNCTIONS
        }
        self.memory = Memory()
        self._constants: dict[str, MemRef] = {}
        self._addresses: dict[str, int] = {}
        self._pointed: dict[int, Function] = {}

    def function(self, name: str) -> Function:
        """The function of this name."""
        if name not in self.functions:
            raise KeyError(f"the module has no function named {name!r}")
        return self.functions[name]

    def constant(self, name: str) -> MemRef:
        """The memref of a global."""
        if name not in self._constants:
            raw = self._raw[name]
            type_ = value_type(raw.attributes["type"].value)
            value = np.asarray(attributes.read(raw, "initial_value"), type_.dtype)
            self._constants[name] = MemRef.of(np.broadcast_to(value, type_.fill(())))
        return self._constants[name]

    def address(self, name: str) -> int:
        """The address of a function or global of the LLVM dialect."""
        if name not in self._addresses:
            is_function = name in self.functions
            at = self.memory.allocate(0) if is_function else self._placed(self._raw[name])
            self._addresses[name] = at
            if is_function:
                self._pointed[at] = self.functions[name]
        return self._addresses[name]

    def pointed(self, address: int) -> Function:
        """The function at an address."""
        if address not in self._pointed:
            raise UndefinedBehaviour(f"a call of the address {address:#x}, where no function is")
        return self._pointed[address]

    def _placed(self, raw: Any) -> int:
        """The address of a global, which has its first value."""
        kind = layout(str(raw.attributes["global_type"].value))
        at = self.memory.allocate(kind.size)
        data = self.memory.at(at, kind.size)
        if raw.regions[0].blocks:
            decoder = Decoder(self)
            block = decoder.block(raw.regions[0].blocks[0], ())
            (value,) = block.run([None] * decoder.size, ())
            kind.write(data, value)
        elif "value" in raw.attributes:
            data[...] = _bytes(attributes.read(raw, "value"), raw, kind.size)
        return at


def _bytes(value: Any, raw: Any, size: int) -> Any:
    """The bytes of what a global begins with: text, elements, or a number."""
    if isinstance(value, str):
        return np.frombuffer(value.encode("latin-1"), np.uint8)
    if isinstance(value, np.ndarray):
        known = value_type(raw.attributes["value"].type)
        value = np.broadcast_to(np.asarray(value, known.dtype), known.fill(()))
        return np.ascontiguousarray(value).reshape(-1).view(np.uint8)
    dtype = value_type(raw.attributes["value"].type).dtype
    return np.array([value], dtype).view(np.uint8)[:size]
