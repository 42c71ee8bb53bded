"""The translation of operations, one by one, and what has become of their values."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from typing import Any

from agir.backends.stablehlo.building import broadcast, converted, iota, refuse, shape_of
from agir.ir.building import bindings

__all__ = ["Translator"]


class Translator:
    """What the values of `hlo` are in StableHLO, and the rules by which operations become others.

    The elementwise ones take an operation and its operands in StableHLO, the others this and an
    operation.  `functions` are the new names of those that may be called.

    Within the body of a structured operation they are numbers at every point of its domain: tensors of
    the shape `domain`, or numbers that are the same everywhere.
    """

    def __init__(
        self,
        functions: Mapping[str, str],
        elementwise: Mapping[str, Callable[..., Any]],
        rules: Mapping[str, Callable[..., Any]],
    ) -> None:
        self.functions = functions
        self._elementwise = elementwise
        self._rules = rules
        self.domain: tuple[int, ...] | None = None
        self._indices: Sequence[Any] | None = None
        self._values: dict[Any, Any] = {}

    def __getitem__(self, value: Any) -> Any:
        return self._values[value]

    def __setitem__(self, value: Any, made: Any) -> None:
        self._values[value] = made

    def function(self, name: str, function: Any) -> None:
        """Translate a function."""
        ir = bindings.ir
        block = function.regions[0].blocks[0]
        kinds = [converted(each.type, function) for each in block.arguments]
        results = function.attributes["function_type"].value.results
        kind = ir.FunctionType.get(kinds, [converted(each, function) for each in results])
        attributes = {"sym_name": ir.StringAttr.get(name), "function_type": ir.TypeAttr.get(kind)}
        if "sym_visibility" in function.attributes:
            attributes["sym_visibility"] = function.attributes["sym_visibility"]
        made = ir.Operation.create("func.func", [], [], attributes, regions=1)
        places = [each.location for each in block.arguments]
        entry = made.regions[0].blocks.append(*kinds, arg_locs=places)
        self._values.update(zip(block.arguments, entry.arguments, strict=True))
        with ir.InsertionPoint(entry):
            ir.Operation.create("func.return", [], self.body(block))

    def body(self, block: Any) -> list[Any]:
        """Translate the operations of a block, and give what its end hands on."""
        *operations, end = (view.operation for view in block.operations)
        for each in operations:
            self.operation(each)
        return [self[value] for value in end.operands]

    def operation(self, operation: Any) -> None:
        """Translate an operation."""
        with operation.location:
            if rule := self._elementwise.get(operation.name):
                for result in operation.results:
                    converted(result.type, operation)
                made = rule(operation, *self._aligned(operation.operands))
            elif rule := self._rules.get(operation.name):
                made = rule(self, operation)
            else:
                refuse(operation, "there is nothing like it")
        results = made if isinstance(made, list) else [made]
        self._values.update(zip(operation.results, results, strict=True))

    def _aligned(self, operands: Sequence[Any]) -> list[Any]:
        """Operands at every point of the domain, if one is."""
        given = [self[each] for each in operands]
        apart = self.domain and any(shape_of(each) for each in given)
        return self.lifted(given) if apart else given

    def lifted(self, values: Sequence[Any]) -> list[Any]:
        """Numbers as tensors of the shape of the domain."""
        shape = self.domain or ()
        return [value if shape_of(value) == shape else broadcast(value, shape) for value in values]

    def index(self, axis: int) -> Any:
        """The index along a dimension of the structured operation."""
        return iota(self.domain or (), axis) if self._indices is None else self._indices[axis]

    @contextmanager
    def over(self, domain: tuple[int, ...], indices: Sequence[Any] | None = None) -> Iterator[None]:
        """Be in the body of a structured operation; the indices are those of the domain if not said."""
        outer = self.domain, self._indices
        self.domain, self._indices = domain, indices
        try:
            yield
        finally:
            self.domain, self._indices = outer
