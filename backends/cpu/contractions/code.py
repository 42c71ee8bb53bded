"""Writing loops over buffers: index arithmetic, loops, loads and stores of vectors.

An index is a Python number where it is known, and arithmetic with it is done at once.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from agir.backends.mlir.making import INTEGERS, i1, index_constant, number_attribute
from agir.ir.building import bindings

Index = Any  # a Python int, or an SSA value of type index
LoopBody = Callable[[Index, list[Any]], Sequence[Any]]


class Code:
    """Writes operations at the insertion point; constants go before ``anchor``."""

    def __init__(self, anchor: Any) -> None:
        self.anchor = anchor
        self.index_type = bindings.ir.IndexType.get()
        self._constants: dict[Any, Any] = {}

    @classmethod
    def here(cls) -> Code:
        """Writes from the insertion point on, constants included."""
        return cls(index_constant(0).owner)

    def op(
        self,
        name: str,
        operands: Sequence[Any],
        results: Sequence[Any] = (),
        attributes: dict[str, Any] | None = None,
    ) -> Any:
        """An operation's result, or the operation if it has none."""
        made = bindings.ir.Operation.create(
            name, results=list(results), operands=list(operands), attributes=attributes or {}
        )
        return made.results[0] if results else made

    # Constants and index arithmetic.

    def constant(self, kind: Any, text: str) -> Any:
        """A constant, made once, before everything else."""
        key = (kind, text)
        if key not in self._constants:
            ir = bindings.ir
            value = ir.Attribute.parse(f"{text} : {kind}")
            with ir.InsertionPoint(self.anchor):
                self._constants[key] = self.op("arith.constant", [], [kind], {"value": value})
        return self._constants[key]

    def value(self, index: Index) -> Any:
        """An index as an SSA value."""
        return self.constant(self.index_type, str(index)) if isinstance(index, int) else index

    def add(self, *terms: Index) -> Index:
        """The sum."""
        known = sum(term for term in terms if isinstance(term, int))
        total: Index = None
        for term in terms:
            if not isinstance(term, int):
                total = term if total is None else self._binary("arith.addi", total, term)
        if total is None:
            return known
        return self._binary("arith.addi", total, self.value(known)) if known else total

    def multiply(self, a: Index, b: Index) -> Index:
        """The product."""
        if isinstance(a, int) and isinstance(b, int):
            return a * b
        for one, other in ((a, b), (b, a)):
            if isinstance(one, int) and one in (0, 1):
                return other if one else 0
        return self._binary("arith.muli", self.value(a), self.value(b))

    def subtract(self, a: Index, b: Index) -> Index:
        """The difference."""
        if isinstance(b, int):
            return self.add(a, -b)
        return self._binary("arith.subi", self.value(a), b)

    def minimum(self, a: Index, b: Index) -> Index:
        """The lesser of two."""
        if isinstance(a, int) and isinstance(b, int):
            return min(a, b)
        return self._binary("arith.minsi", self.value(a), self.value(b))

    def round_down(self, index: Index, step: int) -> Index:
        """The last multiple of ``step`` up to an index that is not negative."""
        if isinstance(index, int):
            return index // step * step
        part = self._binary("arith.remui", index, self.value(step))
        return self.subtract(index, part)

    def _binary(self, name: str, a: Any, b: Any) -> Any:
        return self.op(name, [a, b], [self.index_type])

    # Control flow.

    def loop(
        self,
        lower: Index,
        upper: Index,
        step: int,
        starts: Sequence[Any],
        body: LoopBody,
        mark: str | None = None,
    ) -> list[Any]:
        """``for i in range(lower, upper, step)``; the body gives what the next iteration starts with.

        A loop that there is has the mark as an attribute.
        """
        if isinstance(lower, int) and isinstance(upper, int) and upper <= lower + step:
            return list(body(lower, list(starts)) if upper > lower else starts)
        ir = bindings.ir
        bounds = [self.value(each) for each in (lower, upper, step)]
        kinds = [start.type for start in starts]
        loop = ir.Operation.create("scf.for", results=kinds, operands=[*bounds, *starts], regions=1)
        if mark is not None:
            loop.attributes[mark] = ir.UnitAttr.get()
        block = loop.regions[0].blocks.append(self.index_type, *kinds)
        with ir.InsertionPoint(block):
            index, *carried = block.arguments
            self.op("scf.yield", body(index, carried))
        return list(loop.results)

    def when(self, condition: Any, body: Callable[[], None]) -> None:
        """What happens only if a condition holds; if it is None, always."""
        if condition is None:
            body()
            return
        ir = bindings.ir
        branch = ir.Operation.create("scf.if", operands=[condition], regions=2)
        with ir.InsertionPoint(branch.regions[0].blocks.append()):
            body()
            self.op("scf.yield", [])

    def choose(self, condition: Any, yes: Any, no: Any) -> Any:
        """One of two values, or of two indices."""
        yes, no = (self.value(v) if isinstance(v, int) else v for v in (yes, no))
        return self.op("arith.select", [condition, yes, no], [yes.type])

    def compare(self, a: Index, predicate: str, b: Index) -> Any:
        """A comparison of indices, or of vectors of them: ``eq``, ``sgt``."""
        ir = bindings.ir
        number = number_attribute(INTEGERS[predicate])
        operands = [self.value(a), self.value(b)]
        kind = operands[0].type
        lanes = kind.shape[0] if isinstance(kind, ir.VectorType) else 0
        truth = self.vector(lanes, i1())
        return self.op("arith.cmpi", operands, [truth], {"predicate": number})

    def both(self, a: Any, b: Any) -> Any:
        """Whether two conditions hold."""
        return self.op("arith.andi", [a, b], [a.type])

    def either(self, a: Any, b: Any) -> Any:
        """Whether one of two conditions holds."""
        return self.op("arith.ori", [a, b], [a.type])

    # Vectors.

    def vector(self, lanes: int, element: Any) -> Any:
        """The type of a vector; of a number for none."""
        return bindings.ir.VectorType.get([lanes], element) if lanes else element

    def broadcast(self, value: Any, lanes: int) -> Any:
        """A number in every lane."""
        kind = self.vector(lanes, value.type)
        return self.op("vector.broadcast", [value], [kind]) if lanes else value

    def shuffle(self, a: Any, b: Any, order: Sequence[int]) -> Any:
        """The lanes of two vectors, one after the other, in another order."""
        mask = {"mask": bindings.ir.DenseI64ArrayAttr.get(list(order))}
        return self.op("vector.shuffle", [a, b], [a.type], mask)

    def first_lanes(self, count: Index, lanes: int) -> Any:
        """The mask of the first lanes; none if that is all of them."""
        ir = bindings.ir
        if isinstance(count, int) and count >= lanes:
            return None
        word = ir.IntegerType.get_signless(32)
        numbers = self.constant(self.vector(lanes, word), f"dense<{list(range(lanes))}>")
        narrow = self.op("arith.index_cast", [self.value(count)], [word])
        limit = self.broadcast(narrow, lanes)
        kind = self.vector(lanes, i1())
        less = number_attribute(INTEGERS["slt"])
        return self.op("arith.cmpi", [numbers, limit], [kind], {"predicate": less})

    def lane_numbers(self, lanes: int) -> Any:
        """The number of each lane, as wide as an index."""
        return self.constant(self.vector(lanes, self.index_type), f"dense<{list(range(lanes))}>")

    def lanes_before(self, count: Index, lanes: int) -> Any:
        """The mask of the first lanes, of a count that may be negative or anything."""
        limit = self.broadcast(self.value(count), lanes)
        return self.compare(self.lane_numbers(lanes), "slt", limit)

    def load(self, base: Any, index: Index, lanes: int, mask: Any = None) -> Any:
        """Elements of a buffer of one dimension; those that the mask leaves out are zero."""
        if not lanes:
            return self.op("memref.load", [base, self.value(index)], [base.type.element_type])
        return self.load_many(base, [index], lanes, mask)

    def load_many(self, base: Any, indices: Sequence[Index], lanes: int, mask: Any) -> Any:
        """Elements of the innermost dimension; those that the mask leaves out are zero."""
        kind = self.vector(lanes, base.type.element_type)
        at = [self.value(index) for index in indices]
        if mask is None:
            return self.op("vector.load", [base, *at], [kind])
        zero = self.constant(kind, _zeros(kind.element_type))
        return self.op("vector.maskedload", [base, *at, mask, zero], [kind])

    def store(
        self, value: Any, base: Any, indices: Sequence[Index], lanes: int, mask: Any = None
    ) -> None:
        """Write elements, but for those that the mask leaves out."""
        at = [self.value(index) for index in indices]
        if not lanes:
            self.op("memref.store", [value, base, *at])
        elif mask is None:
            self.op("vector.store", [value, base, *at])
        else:
            self.op("vector.maskedstore", [base, *at, mask, value])


def _zeros(element: Any) -> str:
    return "dense<0>" if isinstance(element, bindings.ir.IntegerType) else "dense<0.0>"
