"""``if x[i] > m: m = x[i]; j = i`` in a long loop: the greatest number first, and then where it is.

Iteration by iteration each comparison waits for the one before.  Which number is the greatest does
not depend on the order, and neither does where it is for the first time; both are found for many
elements at once. What the iteration at that place gives is what the loop would leave: the same
element, the same sign of a zero.  NaN is no greater than anything, and nothing is greater than a
NaN that the loop begins with. Elements that something else keeps out (``if not done[i] and x[i] >
m``) are as if they were not there.
"""

from __future__ import annotations

from typing import Any

from agir.backends.cpu.dependence.constants import iterations
from agir.backends.cpu.passes.analysis.loop_carried import BOUNDS
from agir.backends.mlir.graph import Graph
from agir.backends.mlir.making import REALS, clone, compare, constant, op, predicate, use_instead
from agir.backends.mlir.modules import children
from agir.ir.building import bindings
from agir.records import dataclass

_LONG = 64
"""Iterations of a loop from which on it is looked at more than once."""
_MOST = 30
"""Operations in an iteration that may be done twice."""
_ABS, _ROOT, _LOAD = "math.absf", "math.sqrt", "memref.load"
_MIRRORED = {"ogt": "olt", "olt": "ogt", "sgt": "slt", "slt": "sgt"}
"""By a comparison, greater or less, the one for exchanged operands."""
_EXTREMA = {
    "ogt": "arith.maxsi",
    "olt": "arith.minsi",
    "sgt": "arith.maxsi",
    "slt": "arith.minsi",
}


@dataclass
class _Search:
    """A loop that keeps what belongs to an extreme element."""

    loop: Any
    comparison: str
    """How an element is compared with the extreme one so far: a predicate."""
    element: Any
    position: int
    """Which of the loop's variables is the extreme one."""
    kept: list[Any]
    """What the variables become where an element is better."""
    allowed: list[Any]
    """Bits that have to be set for an element to count."""

    @property
    def is_real(self) -> bool:
        """Whether the elements are floating numbers."""
        return self.comparison in REALS

    @property
    def starts(self) -> list[Any]:
        """What the loop begins with."""
        return list(self.loop.operands)[BOUNDS:]


def split_argmin_argmax(module: Any) -> None:
    """Look for an extreme element before what belongs to it, in long loops that look for both."""
    graph = Graph(module)
    for loop in graph.find("scf.for"):
        found = _search(loop, graph)
        if found is not None:
            _write(found)


def _search(loop: Any, graph: Graph) -> _Search | None:
    block = loop.regions[0].blocks[0]
    _, *variables = block.arguments
    *body, leave = children(loop)
    if (iterations(loop) or _LONG) < _LONG:
        return None
    if not variables or len(body) > _MOST or not all(map(_is_repeatable, body)):
        return None
    chosen = [graph.producer(value, "arith.select") for value in leave.operands]
    if any(each is None or each.block != block for each in chosen):
        return None
    condition = chosen[0].operands[0]  # type: ignore[union-attr]
    parts = [list(each.operands) for each in chosen]  # type: ignore[union-attr]
    kept = [part[1] for part in parts]
    if any(p[0] != condition or p[2] != v for p, v in zip(parts, variables, strict=True)):
        return None
    if len(graph.uses(condition)) != len(variables):
        return None
    return _compared(loop, _conditions(condition, graph), variables, kept, graph)


def _conditions(condition: Any, graph: Graph) -> list[Any]:
    """Bits all of which are set where the condition holds."""
    both = graph.producer(condition, "arith.andi")
    if both is None:
        return [condition]
    return [part for each in both.operands for part in _conditions(each, graph)]


def _compared(
    loop: Any, conditions: list[Any], variables: list[Any], kept: list[Any], graph: Graph
) -> _Search | None:
    uses = [len(graph.uses(each)) for each in variables]
    for condition in conditions:
        compared = graph.producer(condition, "arith.cmp")
        if compared is None or not any(each in variables for each in compared.operands):
            continue
        comparison = predicate(compared)
        element, best = compared.operands
        if best not in variables:
            element, best, comparison = best, element, _MIRRORED.get(comparison, "")
        position = variables.index(best)
        expected = [1 + (n == position) for n in range(len(variables))]
        is_own = kept[position] == element and graph.is_inside(element, loop)
        if comparison not in _EXTREMA or uses != expected or not is_own:
            return None
        if not _is_worth_it(compared.name, variables, best.type):
            return None
        allowed = [each for each in conditions if each != condition]
        return _Search(loop, comparison, element, position, kept, allowed)
    return None


def _is_worth_it(name: str, variables: list[Any], kind: Any) -> bool:
    """Whether numbers have such bits; integers by themselves LLVM sees to."""
    if name == "arith.cmpf":
        return str(kind) in ("f32", "f64")
    return len(variables) > 1


def _is_repeatable(operation: Any) -> bool:
    """Whether an operation gives the same each time it is done, to the last bit."""
    name = operation.name
    if name in (_ABS, _ROOT, _LOAD):
        return True
    exact = str(operation.attributes["fastmath"]) if "fastmath" in operation.attributes else "none"
    return bool(name.startswith("arith.")) and "none" in exact


def _write(found: _Search) -> None:
    ir = bindings.ir
    loop = found.loop
    low, high, step = list(loop.operands)[:BOUNDS]
    kinds = [result.type for result in loop.results]
    with ir.InsertionPoint(loop), loop.location:
        long = op("arith.muli", step.type, step, constant(step.type, _LONG))
        distance = op("arith.subi", low.type, high, low)
        is_long = compare(distance, "sge", long)
        branch = ir.Operation.create("scf.if", results=kinds, operands=[is_long], regions=2)
    use_instead(loop, branch.results)
    blocks = [region.blocks.append() for region in branch.regions]
    with ir.InsertionPoint(blocks[0]), loop.location:
        best = _extremum(found)
        is_better = compare(best, found.comparison, found.starts[found.position])
        inner = ir.Operation.create("scf.if", results=kinds, operands=[is_better], regions=2)
        ir.Operation.create("scf.yield", operands=list(inner.results))
        with ir.InsertionPoint(inner.regions[0].blocks.append()):
            at = _place(found, best)
            names = _iteration(found, at)
            ir.Operation.create("scf.yield", operands=[names.get(v, v) for v in found.kept])
        with ir.InsertionPoint(inner.regions[1].blocks.append()):
            ir.Operation.create("scf.yield", operands=found.starts)
    blocks[1].append(loop)
    with ir.InsertionPoint(blocks[1]), loop.location:
        ir.Operation.create("scf.yield", operands=list(loop.results))


def _extremum(found: _Search) -> Any:
    """The extreme one of all elements; NaN, or what the loop begins with, where there is none."""
    best = found.starts[found.position]
    kind = integer(best.type) if found.is_real else best.type
    start = constant(kind, _worst(found, kind)) if found.is_real else best
    made, counter, so_far = _loop(found, start)
    with bindings.ir.InsertionPoint(made.regions[0].blocks[0]):
        names = _iteration(found, counter)
        element, none = names[found.element], start
        if found.is_real:
            unordered = compare(element, "uno", element)
            key = flipped(op("arith.bitcast", kind, element))
            element = op("arith.select", kind, unordered, none, key)
        for condition in found.allowed:
            element = op("arith.select", kind, names.get(condition, condition), element, none)
        better = op(_EXTREMA[found.comparison], kind, so_far, element)
        bindings.ir.Operation.create("scf.yield", operands=[better])
    (extremum,) = made.results
    return op("arith.bitcast", best.type, flipped(extremum)) if found.is_real else extremum


def integer(kind: Any) -> Any:
    """The integers of as many bits as a floating number has."""
    return bindings.ir.IntegerType.get_signless(kind.width)


def _worst(found: _Search, kind: Any) -> int:
    """An integer to which no other one is to be preferred; as a floating number it is NaN."""
    half: int = 2 ** (kind.width - 1)
    return -half if _EXTREMA[found.comparison] == "arith.maxsi" else half - 1


def flipped(bits: Any) -> Any:
    """The bits of a floating number as an integer that is in order with others, and the way back.

    Vectors of integers have the greater one of two in an instruction, and reals only if NaN is not
    looked at.
    """
    kind = bits.type
    sign = op("arith.shrsi", kind, bits, constant(kind, kind.width - 1))
    mask = op("arith.andi", kind, sign, constant(kind, 2 ** (kind.width - 1) - 1))
    return op("arith.xori", kind, bits, mask)


def _place(found: _Search, best: Any) -> Any:
    """The first iteration with this element."""
    low, high = list(found.loop.operands)[:2]
    made, counter, first = _loop(found, high)
    with bindings.ir.InsertionPoint(made.regions[0].blocks[0]):
        names = _iteration(found, counter)
        is_best = compare(names[found.element], "oeq" if found.is_real else "eq", best)
        for condition in found.allowed:
            is_best = op("arith.andi", is_best.type, is_best, names.get(condition, condition))
        here = op("arith.select", high.type, is_best, counter, high)
        sooner = op("arith.minsi", high.type, first, here)
        bindings.ir.Operation.create("scf.yield", operands=[sooner])
    # another thread may have written there since
    is_gone = compare(made.results[0], "eq", high)
    return op("arith.select", high.type, is_gone, low, made.results[0])


def _loop(found: _Search, start: Any) -> tuple[Any, Any, Any]:
    """A loop of as many iterations with one variable, its counter and that variable."""
    bounds = list(found.loop.operands)[:BOUNDS]
    made = bindings.ir.Operation.create(
        "scf.for", results=[start.type], operands=[*bounds, start], regions=1
    )
    block = made.regions[0].blocks.append(bounds[0].type, start.type)
    return made, *block.arguments


def _iteration(found: _Search, counter: Any) -> dict[Any, Any]:
    """Do what an iteration does, at the insertion point; gives what its values are called there."""
    block = found.loop.regions[0].blocks[0]
    names = dict(zip(block.arguments, [counter, *found.starts], strict=True))
    for each in children(found.loop)[:-1]:
        clone(each, names)
    return names
