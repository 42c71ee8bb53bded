"""Appending MLIR operations to the region that is being recorded."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from typing import Any

import numpy as np

from agir.ir.building import attributes, locations
from agir.ir.building.cells import Scope
from agir.ir.building.program import Block, Operation, Value
from agir.ir.building.types import DType, bool_, index_type, mlir_type


class Inside:
    """Meanwhile, a builder records into another region."""

    def __init__(self, builder: Builder, scope: Scope) -> None:
        self._builder = builder
        self._scope = scope

    def __enter__(self) -> Scope:
        self._before, self._builder.scope = self._builder.scope, self._scope
        return self._scope

    def __exit__(self, *_: object) -> None:
        self._builder.scope = self._before


class Builder:
    """Where recording stands, in which region and at which source location; and what is appended."""

    scope: Scope
    location: Any

    def explain(self, message: str) -> str:
        """The message, with what is known of the place."""
        return message

    @contextmanager
    def at(self, location: Any) -> Iterator[None]:
        """Record at that MLIR location."""
        before, self.location = self.location, location
        try:
            yield
        finally:
            self.location = before

    def inside(self, scope: Scope) -> Inside:
        """Record into another region, in a ``with`` statement."""
        return Inside(self, scope)

    def named_location(self, name: str) -> Any:
        """The current location with a variable's name around it."""
        return locations.named(self.location, name)

    def create(
        self,
        name: str,
        types: Iterable[Any] = (),
        operands: Iterable[Value] = (),
        attributes: dict[str, Any] | None = None,
        blocks: Sequence[Block] = (),
    ) -> Operation:
        """Append an operation with these result types, and these blocks as its regions."""
        operation = Operation(name, types, operands, attributes, blocks, self.location)
        self.scope.point.append(operation)
        return operation

    def op(self, name: str, result: Any, *operands: Value, **attributes: Any) -> Value:
        """Append an operation with one result and return that result."""
        operation = Operation(name, (result,), operands, attributes or None, (), self.location)
        self.scope.point.append(operation)
        return operation.results[0]

    def index_type(self) -> Any:
        """MLIR's ``index``."""
        return index_type()

    def constant(self, dtype: DType, value: Any) -> Any:
        """A scalar constant; one for each value in a region and those around it."""
        key = (dtype.name, repr(value))
        found = self.scope.recall("constants", key)
        if found is None:
            name = "complex.constant" if dtype.is_complex else "arith.constant"
            try:
                attribute = attributes.scalar(dtype, value)
            except OverflowError:
                raise self.too_large(dtype, value) from None
            found = self.op(name, dtype.mlir(), value=attribute)
            self.scope.constants[key] = found
        return found

    def too_large(self, dtype: DType, value: Any) -> OverflowError:
        """The error that a Python number is too large for a dtype."""
        return OverflowError(
            self.explain(f"the Python integer {value} is out of bounds for {dtype.name}")
        )

    def index(self, value: int) -> Any:
        """A constant of type ``index``."""
        key = ("index", value)
        found = self.scope.recall("constants", key)
        if found is None:
            found = self.op("arith.constant", index_type(), value=attributes.index(value))
            self.scope.constants[key] = found
        return found

    def dense(self, dtype: DType, shape: tuple[int, ...], array: Any) -> Any:
        """A constant tensor; ``array`` is broadcast to the shape (a splat where it is a scalar)."""
        given = np.asarray(array, dtype.numpy)
        if not given.ndim and not dtype.is_complex:
            attribute = attributes.splat(dtype, shape, given.tobytes())
            return self.op("arith.constant", mlir_type(dtype, shape), value=attribute)
        values = np.broadcast_to(given, shape)
        if dtype.is_complex:
            return self._complex_tensor(dtype, values)
        attribute = attributes.dense(dtype, values)
        return self.op("arith.constant", mlir_type(dtype, shape), value=attribute)

    def _complex_tensor(self, dtype: DType, values: np.ndarray[Any, Any]) -> Any:
        # The bindings cannot hold a dense attribute of complex numbers.
        result = mlir_type(dtype, values.shape)
        if values.size and not any(values.strides):
            return self.op("tensor.splat", result, self.constant(dtype, values[(0,) * values.ndim]))
        return self.op(
            "tensor.from_elements", result, *(self.constant(dtype, v) for v in values.flat)
        )

    def insert_dim(self, tensor: Value, axis: int) -> Value:
        """``tensor.dim`` right after the tensor's definition."""
        owner, index = tensor.owner, index_type()
        behind = owner.begin if isinstance(owner, Block) else owner.follow
        where = locations.unknown()
        number = behind("arith.constant", index, (), where, value=attributes.index(axis))
        return behind("tensor.dim", index, [tensor, number], where)

    def compare(self, predicate: str, left: Any, right: Any) -> Any:
        """``arith.cmpi`` on scalars."""
        attribute = attributes.integer_predicate(predicate)
        return self.op("arith.cmpi", bool_.mlir(), left, right, predicate=attribute)
