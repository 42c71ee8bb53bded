"""The table of rules of the forward sweep.

An elementwise operation multiplies a change by what the way back multiplies a cotangent by, so it
has the formulas of that; an operation that moves numbers moves their changes.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from agir.ir.building import attributes, bindings
from agir.ir.building.checks import CHECK
from agir.ir.building.private_functions import GRADIENT
from agir.ir.emission import gathering
from agir.ir.gradients.core import graph, recursion, structured
from agir.ir.gradients.core.branches import close
from agir.ir.gradients.core.checkpoints import copy_kind
from agir.ir.gradients.core.dual import FORWARD, WHOLE, Dual, reached
from agir.ir.gradients.core.expressions import (
    Expression,
    carries,
    complex_of,
    element_type,
    empty_like,
    known_dims,
    separate,
    shaped,
    zeros_like,
)
from agir.ir.gradients.core.sweep import Sweep, refuse

# These fill in the formulas.
from agir.ir.gradients.rules import arith as arith
from agir.ir.gradients.rules import complex as complex
from agir.ir.gradients.rules import math as math
from agir.ir.gradients.rules.elementwise import CONSTANT, FORMULAS
from agir.ir.gradients.rules.func import calls_itself
from agir.ir.gradients.rules.linalg import NAMED
from agir.ir.ops.ordering.sorting import SORTED
from agir.ir.tensors import dispatch

E = Expression


# Elementwise operations.


def _elementwise(dual: Dual, operation: Any, results: list[Any]) -> list[Any]:
    trace = dual.trace
    operands = [dual.expression(value) for value in operation.operands]
    result = E(trace, results[0])
    total: E | None = None
    for value, formula in zip(operation.operands, FORMULAS[operation.name], strict=True):
        change = dual.tangent(value)
        if formula is None or change is None:
            continue
        part = formula(E(trace, change).conj(), *operands, result)
        if part is not None:
            total = part.conj() if total is None else total + part.conj()
    return [None if total is None else total.ssa]


for _name in FORMULAS:
    FORWARD[_name] = _elementwise
for _name in CONSTANT:
    FORWARD[_name] = lambda dual, operation, results: [None] * len(results)


def _converted(dual: Dual, operation: Any, results: list[Any]) -> list[Any]:
    change = E(dual.trace, dual.tangent(operation.operands[0]))
    return [change.converted(E(dual.trace, results[0]).dtype).ssa]


FORWARD["arith.extf"] = FORWARD["arith.truncf"] = _converted


def _selected(dual: Dual, operation: Any, results: list[Any]) -> list[Any]:
    if SORTED in operation.attributes:
        return [_sorted(dual, operation, results[0])]
    condition, left, right = operation.operands
    where = E(dual.trace, dual.value(condition))
    one, other = (E(dual.trace, dual.change(value)) for value in (left, right))
    return [where.choose(one, other).ssa]


def _sorted(dual: Dual, operation: Any, result: Any) -> Any:
    """Each sorted element's change is that of where the element has been."""
    trace, elements = dual.trace, operation.operands[2]
    values, changes = dual.value(elements), dual.change(elements)
    tensor = trace.make(values, E(trace, values).dtype, known_dims(values))
    order = dispatch.call("argsort", tensor, -1, operation.attributes[SORTED].value).ssa
    rank = int(shaped(values.type).rank)

    def element(place: Any, _: Any) -> tuple[Any, ...]:
        index = trace.index_type()
        where = [trace.op("linalg.index", index, dim=attributes.i64(a)) for a in range(rank - 1)]
        where.append(trace.op("arith.index_cast", index, place))
        return (trace.op("tensor.extract", element_type(changes.type), changes, *where),)

    maps, kinds = [gathering.identity_map(rank)] * 2, ["parallel"] * rank
    init = empty_like(trace, result)
    return gathering.generic(trace, [order], [init], maps, kinds, element).result


FORWARD["arith.select"] = _selected


# Between real and complex numbers.


def _parts(dual: Dual, operation: Any) -> tuple[E, E]:
    (value,) = operation.operands
    return dual.expression(value), E(dual.trace, dual.tangent(value))


def _create(dual: Dual, operation: Any, results: list[Any]) -> list[Any]:
    re, im = (E(dual.trace, dual.change(value)) for value in operation.operands)
    return [complex_of(E(dual.trace, results[0]).dtype, re, im).ssa]


def _magnitude(dual: Dual, operation: Any, results: list[Any]) -> list[Any]:
    z, t = _parts(dual, operation)
    size = E(dual.trace, results[0])
    safe = size.equals(0).choose(1, size)
    return [((z.re * t.re + z.im * t.im) / safe).ssa]


def _angle(dual: Dual, operation: Any, results: list[Any]) -> list[Any]:
    z, t = _parts(dual, operation)
    return [((z.re * t.im - z.im * t.re) / (z.re * z.re + z.im * z.im)).ssa]


def _sign(dual: Dual, operation: Any, results: list[Any]) -> list[Any]:
    z, t = _parts(dual, operation)
    r = E(dual.trace, results[0])
    size = z.function("complex.abs", dtype=z.dtype.real)
    zero = size.equals(0)
    iteration = (r.re * t.im - r.im * t.re) / zero.choose(1, size)
    iteration = zero.choose(0, iteration)
    return [complex_of(z.dtype, -(iteration * r.im), iteration * r.re).ssa]


FORWARD["complex.create"] = _create
FORWARD["complex.re"] = lambda dual, operation, results: [_parts(dual, operation)[1].re.ssa]
FORWARD["complex.im"] = lambda dual, operation, results: [_parts(dual, operation)[1].im.ssa]
FORWARD["complex.abs"] = _magnitude
FORWARD["complex.angle"] = _angle
FORWARD["complex.sign"] = _sign


# What moves numbers.


def _linear(dual: Dual, operation: Any, results: list[Any]) -> list[Any]:
    """The same operation on the changes."""
    changes = {v: dual.change(v) for v in operation.operands if carries(v)}
    mapping = {**dual.mapping, **{dual.trace.replacement(v): c for v, c in changes.items()}}
    made = Dual(dual.trace, {}, mapping)
    return made.copy(operation)


MOVING = (
    "tensor.extract tensor.insert tensor.from_elements tensor.splat tensor.extract_slice "
    "tensor.insert_slice tensor.concat tensor.expand_shape tensor.collapse_shape "
    "tensor.cast linalg.broadcast linalg.transpose linalg.fill arith.bitcast"
)
for _name in MOVING.split():
    FORWARD[_name] = _linear


def _pad(dual: Dual, operation: Any, results: list[Any]) -> list[Any]:
    """The changes, padded with the change of the padding."""
    trace, (block,) = dual.trace, operation.blocks
    source, *sizes = operation.operands
    (filling,) = graph.terminator(block).operands
    names = ("static_low", "static_high", "operandSegmentSizes")
    found = {name: operation.attributes[name] for name in names}

    def build(inner: Dual, arguments: list[Any]) -> tuple[str, list[Any]]:
        inner.mapping.update(zip(block.arguments, arguments, strict=True))
        inner.again(graph.operations(block))
        return "tensor.yield", [inner.change(filling)]

    scope = dual.block([each.type for each in block.arguments], build)
    operands = [dual.change(source), *(dual.value(each) for each in sizes)]
    made = trace.create("tensor.pad", (results[0].type,), operands, found, [scope.block])
    return [made.result]


FORWARD["tensor.pad"] = _pad


# Operations over an iteration space.


def _structured(dual: Dual, operation: Any) -> tuple[list[Any], Sequence[Any]]:
    """Values and changes in one operation; of a product of matrices the changes are such products."""
    trace = dual.trace
    made = structured.parts(operation, dual.value)
    if structured.is_product(made) and not dual.moves(operation.operands[2:]):
        return _product(dual, operation, made)
    if structured.is_extremum(made) and not dual.moves(made.outputs):
        return _extremum(dual, operation, made)
    count = len(made.inputs)
    inputs, outputs = list(operation.operands)[:count], list(operation.operands)[count:]
    moving = [n for n, value in enumerate(inputs) if dual.tangent(value) is not None]
    changing = [n for n, value in enumerate(outputs) if carries(value)]
    given = [*made.inputs, *(dual.tangent(inputs[n]) for n in moving)]
    taken = [*made.outputs, *(dual.change(outputs[n]) for n in changing)]
    maps = [*made.maps[:count], *(made.maps[n] for n in moving)]
    maps += [*made.maps[count:], *(made.maps[count + n] for n in changing)]
    arguments = made.arguments()

    def element(*scalars: Any) -> list[Any]:
        own, rest = list(scalars[:count]), list(scalars[count : len(given)])
        totals = list(scalars[len(given) : len(given) + len(outputs)])
        changes = list(scalars[len(given) + len(outputs) :])
        inner = dual.inner()
        inner.mapping.update(zip(arguments, [*own, *totals], strict=False))
        for number, change in zip(moving, rest, strict=True):
            inner.tangents[own[number]] = change
        for number, change in zip(changing, changes, strict=True):
            inner.tangents[totals[number]] = change
        inner.again(graph.operations(made.block))
        out = [inner.value(value) for value in made.yielded]
        return [*out, *(inner.change(made.yielded[n]) for n in changing)]

    texts = [f"affine_map<{each}>" for each in maps]
    given = [_tensor(trace, value) for value in given]
    found = gathering.generic(trace, given, taken, texts, _iterators(made), element)
    results = list(found.results)
    changes: list[Any] = [None] * len(outputs)
    for number, change in zip(changing, results[len(outputs) :], strict=True):
        changes[number] = change
    return results[: len(outputs)], changes


def _extremum(
    dual: Dual, operation: Any, made: structured.Structured
) -> tuple[list[Any], Sequence[Any]]:
    """Equal elements share, as they do on the way back: the change is the mean of theirs."""
    trace, count, last = dual.trace, len(made.inputs), made.maps[-1]
    results = dual.copy(operation)
    changes = [dual.tangent(value) for value in list(operation.operands)[:count]]
    moving = [n for n, change in enumerate(changes) if change is not None]
    element_of = structured.contribution(made, 0, "extremum")

    def element(*scalars: Any) -> list[Any]:
        extremum, total, number = (E(trace, each) for each in scalars[-3:])
        inner = dual.inner()
        inner.mapping.update(zip(made.arguments(), scalars[:count], strict=False))
        for n, change in zip(moving, scalars[count:], strict=False):
            inner.tangents[scalars[n]] = change
        inner.again(structured.computing(made))
        same = E(trace, inner.value(element_of)).equals(extremum)
        change = E(trace, inner.change(element_of))
        return [
            (total + same.choose(change, 0)).ssa,
            (number + same.choose(extremum.like(1), 0)).ssa,
        ]

    maps = [*made.maps[:count], *(made.maps[n] for n in moving), last, last, last]
    texts = [f"affine_map<{each}>" for each in maps]
    given = [*made.inputs, *(changes[n] for n in moving), results[0]]
    given, texts = structured.tensors(trace, given, texts)
    taken = [zeros_like(trace, results[0])] * 2
    found = gathering.generic(trace, given, taken, texts, _iterators(made), element)
    total, number = (E(trace, each) for each in found.results)
    return results, [(total / number).ssa]


def _tensor(trace: Any, value: Any) -> Any:
    if shaped(value.type) is not None:
        return value
    kind = bindings.ir.RankedTensorType.get([], value.type)
    return trace.op("tensor.from_elements", kind, value)


def _iterators(made: structured.Structured) -> list[str]:
    kept = {axis for m in made.maps[len(made.inputs) :] for axis in structured.dimensions(m)}
    return ["parallel" if axis in kept else "reduction" for axis in range(made.rank)]


def _product(
    dual: Dual, operation: Any, made: structured.Structured
) -> tuple[list[Any], Sequence[Any]]:
    trace = dual.trace
    results = dual.copy(operation)
    total: Any = zeros_like(trace, results[0])
    for number, value in enumerate(list(operation.operands)[:2]):
        change = dual.tangent(value)
        if change is None:
            continue
        factors = list(made.inputs)
        factors[number] = change
        total = structured.contraction(trace, factors, made.maps[:2], made.maps[2], total)
    return results, [total]


for _name in NAMED.split():
    WHOLE[f"linalg.{_name}"] = _structured


def _generate(dual: Dual, operation: Any) -> tuple[list[Any], Sequence[Any]]:
    """As an operation over all positions, which gives two tensors."""
    trace = dual.trace
    (block,) = operation.blocks
    (result,) = operation.results
    sizes = [dual.value(value) for value in operation.operands]
    init = [trace.op("tensor.empty", result.type, *sizes) for _ in range(2)]
    rank = int(shaped(result.type).rank)

    def element(*_: Any) -> list[Any]:
        index = trace.index_type()
        where = [trace.op("linalg.index", index, dim=attributes.i64(a)) for a in range(rank)]
        inner = dual.inner()
        inner.mapping.update(zip(block.arguments, where, strict=True))
        inner.again(graph.operations(block))
        (value,) = graph.terminator(block).operands
        return [inner.value(value), inner.change(value)]

    maps = [gathering.identity_map(rank)] * 2
    made = gathering.generic(trace, [], init, maps, ["parallel"] * rank, element)
    return [made.results[0]], [made.results[1]]


WHOLE["tensor.generate"] = _generate


# Control flow.


def _pairs(dual: Dual, values: Sequence[Any], moving: Sequence[int]) -> list[Any]:
    return [*(dual.value(v) for v in values), *(dual.change(values[n]) for n in moving)]


def _split(
    results: Sequence[Any], count: int, moving: Sequence[int]
) -> tuple[list[Any], list[Any]]:
    changes: list[Any] = [None] * count
    for number, change in zip(moving, results[count:], strict=True):
        changes[number] = change
    return list(results[:count]), changes


def _outside(dual: Dual, operation: Any) -> set[Any]:
    return {v for v in graph.captured(operation) if dual.tangent(v) is not None}


def _if(dual: Dual, operation: Any) -> tuple[list[Any], Sequence[Any]]:
    blocks = operation.blocks
    outside, moving = _outside(dual, operation), set()
    for block in blocks:
        local = reached(graph.operations(block), outside)
        ends = list(graph.terminator(block).operands)
        moving |= {n for n, v in enumerate(ends) if carries(v) and v in local}
    chosen = sorted(moving)

    def branch(block: Any) -> Any:
        def build(inner: Dual, _: list[Any]) -> tuple[str, list[Any]]:
            inner.again(graph.operations(block))
            return "scf.yield", _pairs(inner, list(graph.terminator(block).operands), chosen)

        return dual.block((), build)

    kinds = [r.type for r in operation.results]
    kinds += [kinds[n] for n in chosen]
    scopes = [branch(block) for block in blocks]
    made = close(dual.trace, "scf.if", kinds, [dual.value(operation.operands[0])], scopes)
    return _split(list(made.results), len(operation.results), chosen)


def _fixed(
    operations: Sequence[Any],
    outside: set[Any],
    variables: Sequence[Any],
    yielded: Sequence[Any],
    moving: set[int],
) -> set[int]:
    """The variables of a loop that change, of which some do from the start."""
    while True:
        local = reached(operations, outside | {variables[n] for n in moving})
        more = moving | {n for n, v in enumerate(yielded) if carries(v) and v in local}
        if more == moving:
            return moving
        moving = more


def _for(dual: Dual, operation: Any) -> tuple[list[Any], Sequence[Any]]:
    (block,) = operation.blocks
    bounds, initial = list(operation.operands)[:3], list(operation.operands)[3:]
    variables, yielded = list(block.arguments)[1:], list(graph.terminator(block).operands)
    moving = {n for n, v in enumerate(initial) if dual.tangent(v) is not None}
    outside, inside = _outside(dual, operation), graph.operations(block)
    chosen = sorted(_fixed(inside, outside, variables, yielded, moving))
    start = _pairs(dual, initial, chosen)

    def build(inner: Dual, arguments: list[Any]) -> tuple[str, list[Any]]:
        inner.mapping.update(zip(block.arguments, arguments, strict=False))
        own = arguments[1 : 1 + len(variables)]
        inner.note([own[n] for n in chosen], arguments[1 + len(variables) :])
        inner.again(inside)
        return "scf.yield", _pairs(inner, yielded, chosen)

    scope = dual.block([block.arguments[0].type, *(v.type for v in start)], build)
    operands = [*(dual.value(v) for v in bounds), *start]
    made = close(dual.trace, "scf.for", [v.type for v in start], operands, [scope])
    copy_kind(operation, made)
    return _split(list(made.results), len(initial), chosen)


def _while(dual: Dual, operation: Any) -> tuple[list[Any], Sequence[Any]]:
    test, body = operation.blocks
    initial = list(operation.operands)
    handed = list(graph.terminator(test).operands)[1:]
    yielded = list(graph.terminator(body).operands)
    outside = _outside(dual, operation)
    moving = {n for n, v in enumerate(initial) if dual.tangent(v) is not None}
    while True:
        local = reached(graph.operations(test), outside | {test.arguments[n] for n in moving})
        passed = {n for n, v in enumerate(handed) if carries(v) and v in local}
        local = reached(graph.operations(body), outside | {body.arguments[n] for n in passed})
        more = moving | {n for n, v in enumerate(yielded) if carries(v) and v in local}
        if more == moving:
            break
        moving = more
    entering, leaving = sorted(moving), sorted(passed)
    start = _pairs(dual, initial, entering)

    def before(inner: Dual, arguments: list[Any]) -> tuple[str, list[Any]]:
        inner.mapping.update(zip(test.arguments, arguments, strict=False))
        inner.note([arguments[n] for n in entering], arguments[len(initial) :])
        inner.again(graph.operations(test))
        condition = inner.value(graph.terminator(test).operands[0])
        return "scf.condition", [condition, *_pairs(inner, handed, leaving)]

    def after(inner: Dual, arguments: list[Any]) -> tuple[str, list[Any]]:
        inner.mapping.update(zip(body.arguments, arguments, strict=False))
        inner.note([arguments[n] for n in leaving], arguments[len(handed) :])
        inner.again(graph.operations(body))
        return "scf.yield", _pairs(inner, yielded, entering)

    kinds = [*(v.type for v in handed), *(handed[n].type for n in leaving)]
    scopes = [dual.block([v.type for v in start], before), dual.block(kinds, after)]
    made = close(dual.trace, "scf.while", kinds, start, scopes)
    copy_kind(operation, made)
    return _split(list(made.results), len(handed), leaving)


WHOLE["scf.if"] = _if
WHOLE["scf.for"] = _for
WHOLE["scf.while"] = _while


# Calls.


def _call(dual: Dual, operation: Any) -> tuple[list[Any], Sequence[Any]]:
    """By the changes in the body of the function, which is done again."""
    symbol = operation.attributes["callee"].value
    if symbol == CHECK:
        return dual.copy(operation), [None] * len(operation.results)
    function = dual.trace.functions.made(symbol)
    if function is None:
        raise refuse(operation, "agir does not know what it does")
    if GRADIENT in function.attributes:
        return _custom(dual, operation, function)
    if calls_itself(dual.trace, function):
        return recursion.forward(dual, operation, function)
    (block,) = function.blocks
    inner = dual.inner()
    inner.mapping.update(zip(block.arguments, map(dual.value, operation.operands), strict=True))
    inner.again(graph.operations(block))
    ends = list(graph.terminator(block).operands)
    return [inner.value(v) for v in ends], [inner.tangent(v) for v in ends]


def _custom(dual: Dual, operation: Any, function: Any) -> tuple[list[Any], Sequence[Any]]:
    """By the way back of the way back that the user says, which is linear in the cotangents."""
    trace = dual.trace
    results = dual.copy(operation)
    gradient = trace.functions.made(function.attributes[GRADIENT].value)
    (block,) = gradient.blocks
    seeds = [separate(trace, zeros_like(trace, result)) for result in results]
    operands = list(operation.operands)
    captured = operands[len(operands) - (len(block.arguments) - len(seeds)) :]
    given = [*seeds, *map(dual.value, captured)]
    mapping = dict(zip(block.arguments, given, strict=True))
    copies = [graph.copy(trace, each, mapping) for each in graph.operations(block)]
    active = set(seeds)
    graph.spread(copies, active)
    sweep = Sweep(trace, active)
    for value, end in zip(operands, graph.terminator(block).operands, strict=False):
        if dual.tangent(value) is not None:
            sweep.add(mapping.get(end, end), dual.tangent(value))
    sweep.run(copies)
    return results, [sweep.cotangent(seed) for seed in seeds]


WHOLE["func.call"] = _call
