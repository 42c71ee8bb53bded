"""``if x[i] > m: m = x[i]; j = i`` in a long loop: the greatest number first, and then where it is.

Turn by turn each comparison waits for the one before.  Which number is the greatest does not depend on
the order, and neither does where it is for the first time; both are found for many elements at once.
What the turn at that place gives is what the loop would leave: the same element, the same sign of a
zero.  NaN is no greater than anything, and nothing is greater than a NaN that the loop begins with.
Elements that something else keeps out (``if not done[i] and x[i] > m``) are as if they were not there.
"""

from __future__ import annotations

from typing import Any

from agir.backends.cpu.dependence.constants import turns
from agir.backends.cpu.passes.alternation import constant
from agir.backends.cpu.passes.slots import BOUNDS
from agir.backends.mlir.graph import Graph
from agir.backends.mlir.modules import children
from agir.ir import bindings
from agir.records import dataclass

_LONG = 64
"""Turns of a loop from which on it is looked at more than once."""
_MOST = 30
"""Operations in a turn that may be done twice."""
_ABS, _ROOT, _LOAD = "math.absf", "math.sqrt", "memref.load"
_MIRRORED = {("arith.cmpf", 2): 4, ("arith.cmpf", 4): 2, ("arith.cmpi", 4): 2, ("arith.cmpi", 2): 4}
"""By a comparison, greater or less, the predicate for exchanged operands."""
_EXTREMES = {
    ("arith.cmpf", 2): "arith.maxsi",
    ("arith.cmpf", 4): "arith.minsi",
    ("arith.cmpi", 4): "arith.maxsi",
    ("arith.cmpi", 2): "arith.minsi",
}
_EQUAL = {"arith.cmpf": 1, "arith.cmpi": 0}
_UNORDERED, _AT_LEAST, _SAME = 14, 5, 0


@dataclass
class _Search:
    """A loop that keeps what belongs to an extreme element."""

    loop: Any
    comparison: tuple[str, int]
    """The name and the predicate of what compares an element with the extreme one so far."""
    element: Any
    position: int
    """Which of the loop's variables is the extreme one."""
    kept: list[Any]
    """What the variables become where an element is better."""
    allowed: list[Any]
    """Bits that have to be set for an element to count."""

    @property
    def starts(self) -> list[Any]:
        """What the loop begins with."""
        return list(self.loop.operands)[BOUNDS:]


def find_extremes_first(module: Any) -> None:
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
    if (turns(loop) or _LONG) < _LONG:
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
        name, predicate = compared.name, compared.attributes["predicate"].value
        element, best = compared.operands
        if best not in variables:
            element, best, predicate = best, element, _MIRRORED.get((name, predicate))
        position = variables.index(best)
        expected = [1 + (n == position) for n in range(len(variables))]
        is_own = kept[position] == element and graph.is_inside(element, loop)
        if (name, predicate) not in _EXTREMES or uses != expected or not is_own:
            return None
        if not _is_worth_it(name, variables, best.type):
            return None
        allowed = [each for each in conditions if each != condition]
        return _Search(loop, (name, predicate), element, position, kept, allowed)
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
        long = _op("arith.muli", step.type, step, constant(step.type, _LONG))
        distance = _op("arith.subi", low.type, high, low)
        is_long = _compare("arith.cmpi", _AT_LEAST, distance, long)
        branch = ir.Operation.create("scf.if", results=kinds, operands=[is_long], regions=2)
    for old, new in zip(loop.results, branch.results, strict=True):
        old.replace_all_uses_with(new)
    blocks = [region.blocks.append() for region in branch.regions]
    with ir.InsertionPoint(blocks[0]), loop.location:
        best = _extreme(found)
        is_better = _compare(*found.comparison, best, found.starts[found.position])
        inner = ir.Operation.create("scf.if", results=kinds, operands=[is_better], regions=2)
        ir.Operation.create("scf.yield", operands=list(inner.results))
        with ir.InsertionPoint(inner.regions[0].blocks.append()):
            at = _place(found, best)
            names = _turn(found, at)
            ir.Operation.create("scf.yield", operands=[names.get(v, v) for v in found.kept])
        with ir.InsertionPoint(inner.regions[1].blocks.append()):
            ir.Operation.create("scf.yield", operands=found.starts)
    blocks[1].append(loop)
    with ir.InsertionPoint(blocks[1]), loop.location:
        ir.Operation.create("scf.yield", operands=list(loop.results))


def _extreme(found: _Search) -> Any:
    """The extreme one of all elements; NaN, or what the loop begins with, where there is none."""
    best = found.starts[found.position]
    is_real = found.comparison[0] == "arith.cmpf"
    kind = integer(best.type) if is_real else best.type
    start = constant(kind, _worst(found, kind)) if is_real else best
    made, counter, so_far = _loop(found, start)
    with bindings.ir.InsertionPoint(made.regions[0].blocks[0]):
        names = _turn(found, counter)
        element, none = names[found.element], start
        if is_real:
            unordered = _compare("arith.cmpf", _UNORDERED, element, element)
            key = flipped(_op("arith.bitcast", kind, element))
            element = _op("arith.select", kind, unordered, none, key)
        for condition in found.allowed:
            element = _op("arith.select", kind, names.get(condition, condition), element, none)
        better = _op(_EXTREMES[found.comparison], kind, so_far, element)
        bindings.ir.Operation.create("scf.yield", operands=[better])
    (extreme,) = made.results
    return _op("arith.bitcast", best.type, flipped(extreme)) if is_real else extreme


def integer(kind: Any) -> Any:
    """The integers of as many bits as a floating number has."""
    return bindings.ir.IntegerType.get_signless(kind.width)


def _worst(found: _Search, kind: Any) -> int:
    """An integer to which no other one is to be preferred; as a floating number it is NaN."""
    half: int = 2 ** (kind.width - 1)
    return -half if _EXTREMES[found.comparison] == "arith.maxsi" else half - 1


def flipped(bits: Any) -> Any:
    """The bits of a floating number as an integer that is in order with others, and the way back.

    Vectors of integers have the greater one of two in an instruction, and reals only if NaN is not
    looked at.
    """
    kind = bits.type
    sign = _op("arith.shrsi", kind, bits, constant(kind, kind.width - 1))
    mask = _op("arith.andi", kind, sign, constant(kind, 2 ** (kind.width - 1) - 1))
    return _op("arith.xori", kind, bits, mask)


def _place(found: _Search, best: Any) -> Any:
    """The first turn with this element."""
    name, _ = found.comparison
    low, high = list(found.loop.operands)[:2]
    made, counter, first = _loop(found, high)
    with bindings.ir.InsertionPoint(made.regions[0].blocks[0]):
        names = _turn(found, counter)
        is_best = _compare(name, _EQUAL[name], names[found.element], best)
        for condition in found.allowed:
            is_best = _op("arith.andi", is_best.type, is_best, names.get(condition, condition))
        here = _op("arith.select", high.type, is_best, counter, high)
        sooner = _op("arith.minsi", high.type, first, here)
        bindings.ir.Operation.create("scf.yield", operands=[sooner])
    # another thread may have written there since
    is_gone = _compare("arith.cmpi", _SAME, made.results[0], high)
    return _op("arith.select", high.type, is_gone, low, made.results[0])


def _loop(found: _Search, start: Any) -> tuple[Any, Any, Any]:
    """A loop of as many turns with one variable, its counter and that variable."""
    bounds = list(found.loop.operands)[:BOUNDS]
    made = bindings.ir.Operation.create(
        "scf.for", results=[start.type], operands=[*bounds, start], regions=1
    )
    block = made.regions[0].blocks.append(bounds[0].type, start.type)
    return made, *block.arguments


def _turn(found: _Search, counter: Any) -> dict[Any, Any]:
    """Do what a turn does, at the insertion point; gives what its values are called there."""
    block = found.loop.regions[0].blocks[0]
    names = dict(zip(block.arguments, [counter, *found.starts], strict=True))
    for each in children(found.loop)[:-1]:
        copy = each.clone()
        for position, value in enumerate(each.operands):
            if value in names:
                copy.operands[position] = names[value]
        names.update(zip(each.results, copy.results, strict=True))
    return names


def _op(name: str, kind: Any, *operands: Any) -> Any:
    return bindings.ir.Operation.create(name, [kind], list(operands)).results[0]


def _compare(name: str, predicate: int, left: Any, right: Any) -> Any:
    ir = bindings.ir
    bit, i64 = (ir.IntegerType.get_signless(bits) for bits in (1, 64))
    how = {"predicate": ir.IntegerAttr.get(i64, predicate)}
    return ir.Operation.create(name, [bit], [left, right], attributes=how).results[0]
