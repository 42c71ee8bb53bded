"""Operations over an iteration space: `linalg.generic`, and those that are short for one.

What their bodies compute is a scalar function, whose derivative is the body of the new operation
for each input.  A body may leave its output alone, or add to it; another way of combining (a
greatest element is done by comparison) is rewritten as loops, which are differentiated instead.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from agir.ir.building import attributes, bindings
from agir.ir.emission import emit, gathering
from agir.ir.gradients.core import graph, nests
from agir.ir.gradients.core.expressions import (
    Expression,
    dimension_size,
    dtype_of,
    element_type,
    empty_like,
    shaped,
    zeros_like,
)
from agir.ir.gradients.core.sweep import Sweep, refuse
from agir.ir.tracing import loops
from agir.ir.tracing.trace import Trace
from agir.records import dataclass

_SUMS = ("arith.addf", "complex.add")
_EXTREMA = ("arith.maximumf", "arith.minimumf", "arith.maxnumf", "arith.minnumf")


@dataclass
class Structured:
    """An operation by its parts; ``maps`` are those of the inputs, then of the outputs."""

    operation: Any
    inputs: list[Any]
    outputs: list[Any]
    maps: list[Any]
    block: Any

    @property
    def rank(self) -> int:
        """The number of dimensions of the iteration space."""
        rank: int = self.maps[0].n_dims
        return rank

    @property
    def operands(self) -> list[Any]:
        """Inputs and outputs."""
        return [*self.inputs, *self.outputs]

    @property
    def yielded(self) -> list[Any]:
        """What the body yields, for each output."""
        return list(graph.terminator(self.block).operands)

    def arguments(self) -> list[Any]:
        """The body's arguments; those of the outputs may be missing in ``linalg.map``."""
        return list(self.block.arguments)

    def accumulator(self, number: int) -> Any:
        """The argument that holds an output's element; None where the body has none."""
        found = self.arguments()[len(self.inputs) :]
        return found[number] if found else None


def parts(operation: Any, resolve: Callable[[Any], Any]) -> Structured:
    """The parts of an operation."""
    count = len(operation.results)
    operands = [resolve(value) for value in operation.operands]
    inputs, outputs = operands[:-count], operands[-count:]
    (block,) = operation.blocks
    return Structured(operation, inputs, outputs, _maps(operation, inputs, outputs), block)


def _maps(operation: Any, inputs: list[Any], outputs: list[Any]) -> list[Any]:
    for name in ("indexing_maps", "linalg.memoized_indexing_maps"):
        if name in operation.attributes:
            return [each.value for each in operation.attributes[name]]
    rank = max(_rank(each) for each in (*inputs, *outputs))
    ir = bindings.ir
    whole = ir.AffineMap.get_identity(rank)
    if operation.name != "linalg.reduce":
        none = ir.AffineMap.get(rank, 0, [])
        return [whole if _rank(each) == rank else none for each in (*inputs, *outputs)]
    reduced = list(operation.attributes["dimensions"])
    kept = [ir.AffineDimExpr.get(axis) for axis in range(rank) if axis not in reduced]
    return [whole] * len(inputs) + [ir.AffineMap.get(rank, 0, kept)] * len(outputs)


def _rank(value: Any) -> int:
    tensor = shaped(value.type)
    return 0 if tensor is None else int(tensor.rank)


def dimensions(map_: Any) -> list[int | None]:
    """For each result of a map the dimension that it is, None for another expression."""
    ir = bindings.ir
    return [
        ir.AffineDimExpr(each).position if isinstance(each, ir.AffineDimExpr) else None
        for each in map_.results
    ]


def is_selection(map_: Any) -> bool:
    """Whether every result is a dimension of its own."""
    found = dimensions(map_)
    return None not in found and len(set(found)) == len(found)


# The rule.


def backward(sweep: Sweep, operation: Any, cotangents: list[Any]) -> None:
    """Add to the cotangents of the inputs, of the outputs' first values and of what is captured."""
    made = parts(operation, sweep.resolve)
    kinds = [_kind(made, number) for number in range(len(made.outputs))]
    extrema = [
        k for k, c in zip(kinds, cotangents, strict=True) if k == "extremum" and c is not None
    ]
    if extrema and len(kinds) == 1 and not sweep.wants(made.outputs[0]):
        _backward(sweep, made, *_shares(sweep, made, cotangents[0]))
        return
    if any(k in ("other", "extremum") for k in kinds) or _nested(made):
        _as_loops(sweep, made, cotangents)
        return
    for kind, output, cotangent in zip(kinds, made.outputs, cotangents, strict=True):
        if kind == "sum" and cotangent is not None:
            sweep.add(output, cotangent)
    if _as_contractions(sweep, made, cotangents):
        return
    used = [(n, c) for n, c in enumerate(cotangents) if c is not None]
    extra = [(c, made.maps[len(made.inputs) + n]) for n, c in used]

    def seeds(scalars: Sequence[Any]) -> list[tuple[Any, Any]]:
        return [
            (contribution(made, n, kinds[n]), scalar)
            for (n, _), scalar in zip(used, scalars, strict=True)
        ]

    _backward(sweep, made, extra, seeds)


def _nested(made: Structured) -> bool:
    return any(each.blocks for each in graph.operations(made.block))


def _kind(made: Structured, number: int) -> str:
    """How an output's element is combined: ``fresh``, ``sum``, ``extremum`` or ``other``."""
    accumulator = made.accumulator(number)
    value = made.yielded[number]
    used = made.block.uses()
    uses = 0 if accumulator is None else used[accumulator]
    if not uses:
        return "fresh"
    operation = graph.defining(value)
    if operation is None:
        return "other"
    operands = list(operation.operands)
    alone = uses == 1 and operands.count(accumulator) == 1 and used[value] == 1
    if alone and operation.name in _SUMS:
        return "sum"
    return "extremum" if alone and operation.name in _EXTREMA else "other"


def is_extremum(made: Structured) -> bool:
    """Whether the only result has the greatest or least of elements."""
    return len(made.outputs) == 1 and _kind(made, 0) == "extremum"


def contribution(made: Structured, number: int, kind: str) -> Any:
    """The value that an output's element is, or that is added to it."""
    value = made.yielded[number]
    if kind == "fresh":
        return value
    accumulator = made.accumulator(number)
    return next(v for v in value.maker.operands if v != accumulator)


Extra = list[tuple[Any, Any]]
"""Further inputs, each with its map."""
Seeds = Callable[[Sequence[Any]], list[tuple[Any, Any]]]
"""From the elements of these to pairs of values of the body and their cotangents."""


def _backward(sweep: Sweep, made: Structured, extra: Extra, seeds: Seeds) -> None:
    wanted = [n for n, value in enumerate(made.inputs) if sweep.wants(value)]
    captured = [v for v in graph.captured(made.operation) if sweep.wants(v)]
    if any(shaped(v.type) is not None for v in captured) or not all(
        is_selection(made.maps[n]) for n in wanted
    ):
        _by_nest(sweep, made, extra, seeds, captured)
        return
    for number in wanted:
        arguments = [made.arguments()[number]]
        found = _generic(
            sweep, made, extra, seeds, arguments, made.maps[number], made.inputs[number]
        )
        sweep.add(made.inputs[number], found)
    for value in captured:
        map_ = bindings.ir.AffineMap.get(made.rank, 0, [])
        found = _generic(sweep, made, extra, seeds, [value], map_, None, value)
        sweep.add(value, found)


def _generic(
    sweep: Sweep,
    made: Structured,
    extra: Extra,
    seeds: Seeds,
    targets: list[Any],
    map_: Any,
    like: Any,
    scalar: Any = None,
) -> Any:
    """``linalg.generic`` that computes the cotangent of one input, or of a captured scalar."""
    trace = sweep.trace
    needed = [n for n, value in enumerate(made.inputs)]
    inputs = [made.inputs[n] for n in needed] + [value for value, _ in extra]
    maps = [made.maps[n] for n in needed] + [m for _, m in extra]
    kept = dimensions(map_)
    is_scalar = scalar is not None or shaped(like.type) is None
    if scalar is not None:
        zero = zeros_like(trace, scalar)
        kind = bindings.ir.RankedTensorType.get([], scalar.type)
        init = trace.op("tensor.from_elements", kind, zero)
    elif _rank(like) == 0 and shaped(like.type) is None:
        kind = bindings.ir.RankedTensorType.get([], like.type)
        init = trace.op("tensor.from_elements", kind, zeros_like(trace, like))
    else:
        init = zeros_like(trace, like)
    adds = len(kept) < made.rank
    iterators = ["parallel" if axis in kept else "reduction" for axis in range(made.rank)]
    dtype = dtype_of(init.type)
    assert dtype is not None

    def element(*scalars: Any) -> tuple[Any, ...]:
        *given, total = scalars
        mapping = dict(zip(made.arguments(), given[: len(made.inputs)], strict=False))
        inner = Sweep(trace, {mapping.get(v, v) for v in targets})
        if sweep.visits_masked:
            inner.mask()
        copies = [graph.copy(trace, each, mapping) for each in computing(made)]
        graph.spread(copies, inner.active)
        for value, cotangent in seeds(given[len(made.inputs) :]):
            here = mapping.get(value, value)
            inner.add(here, cotangent(mapping) if callable(cotangent) else cotangent)
            if sweep.visits_masked:
                inner.masked.add(here)
        inner.run(copies)
        own = inner.accumulated(mapping.get(targets[0], targets[0]))
        if not adds:
            return (own,)
        return ((Expression(trace, total) + Expression(trace, own)).ssa,)

    texts = [f"affine_map<{m}>" for m in (*maps, map_)]
    inputs, texts = tensors(trace, inputs, texts)
    if not adds and not is_scalar:
        init = empty_like(trace, init)
    operation = pruned(trace, inputs, [init], texts, iterators, element)
    if is_scalar:
        return trace.op("tensor.extract", dtype.mlir(), operation.result)
    return operation.result


def pruned(
    trace: Trace,
    inputs: list[Any],
    outputs: list[Any],
    texts: list[str],
    iterators: list[str],
    build: Callable[..., Sequence[Any]],
) -> Any:
    """``linalg.generic`` without the inputs that its body turns out not to use."""
    whole = gathering.generic(trace, inputs, outputs, texts, iterators, build)
    (block,) = whole.blocks
    uses = block.uses()
    idle = set()
    for operation in reversed(graph.operations(block)):
        if not any(uses[result] for result in operation.results):
            idle.add(operation)
            uses.subtract(graph.used_by(operation) if operation.blocks else operation.operands)
    block.remove(idle)
    kept = [n for n in range(len(inputs)) if uses[block.arguments[n]]]
    places = [*kept, *range(len(inputs), len(texts))]
    if len(kept) < len(inputs) and _covers(texts, places, len(iterators)):
        for number in reversed([n for n in range(len(inputs)) if n not in kept]):
            block.erase_argument(number)
        maps = ", ".join(texts[n] for n in places)
        whole.operands = [*(inputs[n] for n in kept), *outputs]
        whole.attributes["indexing_maps"] = gathering.parse_attribute(f"[{maps}]")
        sizes = [len(kept), len(outputs)]
        whole.attributes["operandSegmentSizes"] = attributes.i32_array(sizes)
    return whole


def _covers(texts: list[str], kept: list[int], rank: int) -> bool:
    """Whether the sizes of all dimensions can be read off the operands that are kept."""
    found: set[int | None] = set()
    for number in kept:
        found.update(dimensions(gathering.parse_attribute(texts[number]).value))
    return all(axis in found for axis in range(rank))


def tensors(trace: Trace, inputs: list[Any], texts: list[str]) -> tuple[list[Any], list[str]]:
    """Scalars among the inputs as tensors without dimensions."""
    made = []
    for value in inputs:
        if shaped(value.type) is None:
            kind = bindings.ir.RankedTensorType.get([], value.type)
            value = trace.op("tensor.from_elements", kind, value)
        made.append(value)
    return made, texts


def computing(made: Structured) -> list[Any]:
    """The operations of a body, without those that only combine with an output's element."""
    totals = made.arguments()[len(made.inputs) :]
    found = graph.operations(made.block)
    return [each for each in found if not any(v in totals for v in each.operands)]


def _by_nest(
    sweep: Sweep, made: Structured, extra: Extra, seeds: Seeds, captured: Sequence[Any]
) -> None:
    """The cotangents of everything in one nest of loops, for bodies that read arrays."""
    trace = sweep.trace
    sizes = iteration_sizes(trace, made)
    wanted = [value for value in made.inputs if sweep.wants(value)]

    def arguments(indices: list[Any]) -> dict[Any, Any]:
        return {
            argument: _element(trace, value, map_, indices)
            for argument, value, map_ in zip(
                made.arguments(), made.operands, made.maps, strict=False
            )
        }

    def seed(inner: Sweep, indices: list[Any], mapping: dict[Any, Any]) -> None:
        inner.active.update(
            mapping[a]
            for a, v in zip(made.arguments(), made.inputs, strict=False)
            if v in sweep.active
        )
        graph.spread(_made_here(trace), inner.active)
        scalars = [_element(trace, value, map_, indices) for value, map_ in extra]
        for value, cotangent in seeds(scalars):
            here = cotangent(mapping) if callable(cotangent) else cotangent
            inner.add(mapping.get(value, value), here)

    def also(inner: Sweep, indices: list[Any], mapping: dict[Any, Any]) -> None:
        for argument, value, map_ in zip(made.arguments(), made.inputs, made.maps, strict=False):
            found = inner.cotangent(mapping[argument])
            if found is None or value not in wanted:
                continue
            if shaped(value.type) is None:
                inner.add(value, found)
                continue
            where = positions(trace, map_, indices)
            total = inner.accumulated(value)
            before = trace.op("tensor.extract", found.type, total, *where)
            new = (Expression(trace, before) + Expression(trace, found)).ssa
            inner.cotangents[value] = trace.op("tensor.insert", total.type, new, total, *where)

    nests.backward(sweep, made.block, sizes, [*wanted, *captured], arguments, seed, also)


def _made_here(trace: Trace) -> list[Any]:
    return list(trace.scope.recorded)


def _element(trace: Trace, value: Any, map_: Any, indices: list[Any]) -> Any:
    if shaped(value.type) is None:
        return value
    where = positions(trace, map_, indices)
    return trace.op("tensor.extract", element_type(value.type), value, *where)


def positions(trace: Trace, map_: Any, indices: list[Any]) -> list[Any]:
    """The results of an affine map at the indices."""
    return [_position(trace, each, indices) for each in map_.results]


def _position(trace: Trace, expression: Any, indices: list[Any]) -> Any:
    ir = bindings.ir
    if isinstance(expression, ir.AffineDimExpr):
        return indices[expression.position]
    if isinstance(expression, ir.AffineConstantExpr):
        return trace.index(expression.value)
    names = {
        ir.AffineAddExpr: "arith.addi",
        ir.AffineMulExpr: "arith.muli",
        ir.AffineModExpr: "arith.remsi",
        ir.AffineFloorDivExpr: "arith.floordivsi",
        ir.AffineCeilDivExpr: "arith.ceildivsi",
    }
    sides = [_position(trace, each, indices) for each in (expression.lhs, expression.rhs)]
    return trace.op(names[type(expression)], trace.index_type(), *sides)


def iteration_sizes(trace: Trace, made: Structured) -> list[Any]:
    """The size of each dimension of the iteration space."""
    found: dict[int, Any] = {}
    for value, map_ in zip(made.operands, made.maps, strict=True):
        for axis, dimension in enumerate(dimensions(map_)):
            if dimension is not None and dimension not in found:
                found[dimension] = dimension_size(trace, value, axis)
    if len(found) < made.rank:
        raise refuse(made.operation, "the sizes of its iteration space cannot be read off")
    return [found[axis] for axis in range(made.rank)]


# The greatest or least element: equal ones share.


def _shares(sweep: Sweep, made: Structured, cotangent: Any) -> tuple[Extra, Seeds]:
    """The elements that are the result, each with an equal share of its cotangent."""
    trace = sweep.trace
    map_ = made.maps[-1]
    result = sweep.resolve(made.operation.result)
    extremum_of = contribution(made, 0, "extremum")
    dtype = dtype_of(result.type)
    assert dtype is not None
    kept = dimensions(map_)
    iterators = ["parallel" if axis in kept else "reduction" for axis in range(made.rank)]

    def element(*scalars: Any) -> tuple[Any, ...]:
        *given, extremum, count = scalars
        mapping = dict(zip(made.arguments(), given, strict=False))
        for each in computing(made):
            graph.copy(trace, each, mapping)
        here = Expression(trace, mapping.get(extremum_of, extremum_of))
        same = here.equals(Expression(trace, extremum))
        return ((Expression(trace, count) + same.choose(here.like(1), 0)).ssa,)

    texts = [f"affine_map<{m}>" for m in (*made.maps[:-1], map_, map_)]
    inputs, texts = tensors(trace, [*made.inputs, result], texts)
    counts = gathering.generic(
        trace, inputs, [zeros_like(trace, result)], texts, iterators, element
    ).result
    share = (sweep.received(cotangent) / Expression(trace, counts)).ssa

    def seeds(scalars: Sequence[Any]) -> list[tuple[Any, Any]]:
        extremum, part = scalars

        def chosen(mapping: dict[Any, Any]) -> Any:
            here = Expression(trace, mapping.get(extremum_of, extremum_of))
            same = here.equals(Expression(trace, extremum))
            return same.choose(Expression(trace, part), 0).ssa

        return [(extremum_of, chosen)]

    return [(result, map_), (share, map_)], seeds


# Any other way of combining elements.


def _as_loops(sweep: Sweep, made: Structured, cotangents: list[Any]) -> None:
    """Replace the operation by loops that do the same one element after the other."""
    trace, operation = sweep.trace, made.operation
    with sweep.before(operation):
        marks = trace.scope.recorded
        sizes = iteration_sizes(trace, made)

        def step(indices: list[Any], values: list[Any]) -> list[Any]:
            mapping = {}
            operands = [*made.inputs, *values]
            for argument, value, map_ in zip(made.arguments(), operands, made.maps, strict=False):
                mapping[argument] = _element(trace, value, map_, indices)
            nests.copied(sweep, made.block, indices, mapping)
            out = []
            maps = made.maps[len(made.inputs) :]
            for value, map_, found in zip(values, maps, made.yielded, strict=True):
                where = positions(trace, map_, indices)
                element = mapping.get(found, found)
                out.append(trace.op("tensor.insert", value.type, element, value, *where))
            return out

        results = loops.nest(trace, sizes, made.outputs, step)
        new = [each for each in marks if len(each.results)]
    graph.spread(new, sweep.active)
    trace.supersede(operation, results)
    for result, cotangent in zip(results, cotangents, strict=True):
        if cotangent is not None:
            sweep.cotangents[result] = cotangent
            if sweep.visits_masked:
                sweep.masked.add(result)
    sweep.run(new)


# Products of matrices.


def _as_contractions(sweep: Sweep, made: Structured, cotangents: list[Any]) -> bool:
    """Sums of products of two inputs: the cotangents are such sums, too."""
    if not is_product(made):
        return False
    trace = sweep.trace
    left, right = made.inputs
    sides = (
        (left, right, made.maps[0], made.maps[1]),
        (right, left, made.maps[1], made.maps[0]),
    )
    if any(sweep.wants(s[0]) and len(s[2].results) == made.rank for s in sides):
        return False  # there is nothing to add up
    for value, other, own, others in sides:
        if sweep.wants(value):
            factor = Expression(trace, other).conj().ssa
            inputs, maps = [cotangents[0], factor], [made.maps[2], others]
            found = contraction(trace, inputs, maps, own, zeros_like(trace, value))
            sweep.add(value, found)
    return True


def is_product(made: Structured) -> bool:
    """Whether an operation adds up products of the elements of two tensors."""
    if len(made.inputs) != 2 or len(made.outputs) != 1:
        return False
    names = [each.name for each in graph.operations(made.block)]
    if names not in (["arith.mulf", "arith.addf"], ["complex.mul", "complex.add"]):
        return False
    product = graph.operations(made.block)[0]
    arguments = made.arguments()
    straight = set(product.operands) == set(arguments[:2]) and len(set(arguments[:2])) == 2
    return straight and _kind(made, 0) == "sum" and all(map(is_selection, made.maps))


def contraction(trace: Trace, inputs: list[Any], maps: list[Any], out: Any, init: Any) -> Any:
    """The sums of products of two inputs, added to ``init``."""
    texts = ", ".join(f"affine_map<{m}>" for m in (*maps, out))
    operation = trace.create(
        "linalg.contract",
        (init.type,),
        (*inputs, init),
        {
            "indexing_maps": gathering.parse_attribute(f"[{texts}]"),
            "operandSegmentSizes": attributes.i32_array([2, 1]),
        },
    )
    element = element_type(init.type)
    names = ("complex.mul", "complex.add")
    dtype = dtype_of(element)
    if dtype is None or not dtype.is_complex:
        names = ("arith.mulf", "arith.addf")

    def step(a: Any, b: Any, total: Any) -> tuple[Any, ...]:
        return (trace.op(names[1], element, total, trace.op(names[0], element, a, b)),)

    emit.body(trace, operation, [element] * 3, step)
    return operation.result


# For the rules of others.


def empty_of(trace: Trace, kind: Any, sources: Sequence[tuple[Any, int]]) -> Any:
    """An uninitialised tensor of that type; each size is one of another tensor."""
    tensor = shaped(kind)
    sizes = [
        dimension_size(trace, value, axis)
        for at, (value, axis) in enumerate(sources)
        if tensor.is_dynamic_dim(at)
    ]
    return trace.op("tensor.empty", kind, *sizes)


def yield_first(trace: Trace, operation: Any) -> None:
    """The body of an operation that moves elements."""
    element = element_type(operation.result.type)
    emit.body(trace, operation, [element, element], lambda value, _: (value,))
