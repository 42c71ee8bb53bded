"""Whether arrays agree in their sizes is asked before a loop, not in each of its iterations.

An operation on two arrays of sizes that only the run time knows may have to repeat one of them,
where it has a single element along an axis.  Mostly that is the same in all iterations.  So there
are two loops; in one of them nothing is repeated, and arrays are computed as if their sizes were
known.
"""

from __future__ import annotations

from collections.abc import Collection
from typing import Any

from agir.backends.cpu.passes.analysis.error_records import loops_around
from agir.backends.cpu.passes.analysis.hoisting import movable
from agir.backends.cpu.passes.analysis.loop_carried import LOOPS
from agir.backends.cpu.passes.tensors.sinking import take_first
from agir.backends.mlir.graph import Producers
from agir.backends.mlir.making import versions
from agir.backends.mlir.modules import children, is_in_loop, walk
from agir.ir.building import bindings

_IF, _REPEATED = "scf.if", "tensor.generate"
_JOINED = ("arith.andi", "arith.ori", "arith.xori")
_MOST = 1500
"""Operations in a loop that is short enough to be there twice."""


def hoist_shape_checks(module: Any) -> None:
    """Put a loop that asks nothing about sizes beside each one in which the answers stay the same."""
    graph = Producers(module)
    if not graph.find(_REPEATED):
        return
    for loop in graph.find(*LOOPS):
        if not is_in_loop(loop.parent):
            _look_at(loop, graph)


def _look_at(loop: Any, graph: Producers) -> None:
    """Ask before a loop, or else before the loops in it."""
    inside = walk(loop)
    questions: dict[Any, None] = {}
    for each in inside:
        if _is_question(each, loop, graph) and not _is_settled(each, questions):
            questions[each] = None
    if any(_repeats(each) for each in questions):
        if len(inside) <= _MOST:
            _write(loop, list(questions), graph)
        return
    for each in inside[1:]:
        if each.name in LOOPS and loops_around(each)[0] == loop:
            _look_at(each, graph)


def _is_question(operation: Any, loop: Any, graph: Producers) -> bool:
    """Whether an operation chooses arrays by sizes that are known before a loop."""
    if operation.name != _IF or not len(operation.results):
        return False
    kind = bindings.ir.RankedTensorType
    if not all(isinstance(result.type, kind) for result in operation.results):
        return False
    condition = operation.operands[0]
    return _is_of_sizes(condition, graph) and movable([condition], loop, graph) is not None


def _is_settled(operation: Any, questions: Collection[Any]) -> bool:
    """Whether something is done only where the answer to one of the questions is no."""
    while operation.name not in LOOPS:
        block, operation = operation.block, operation.parent
        if operation in questions and block == operation.regions[1].blocks[0]:
            return True
    return False


def _is_of_sizes(condition: Any, graph: Producers) -> bool:
    source = graph.producer(condition, "arith.")
    if source is None:
        return False
    if source.name in _JOINED:
        return all(_is_of_sizes(each, graph) for each in source.operands)
    if source.name == "arith.constant":
        return True
    return source.name == "arith.cmpi" and str(source.operands[0].type) == "index"


def _repeats(question: Any) -> bool:
    """Whether what is chosen may be an array that is repeated."""
    other = question.regions[1].blocks[0]
    outer = [each for each in children(question) if each.block == other]
    return any(each.name == _REPEATED for part in outer for each in walk(part))


def _write(loop: Any, questions: list[Any], graph: Producers) -> None:
    """A branch in the loop's place: without the questions where the answer to all is yes."""
    conditions = list(dict.fromkeys(each.operands[0] for each in questions))
    for operation in movable(conditions, loop, graph) or ():
        operation.move_before(loop)
    copy = versions(loop, conditions)
    asked = set(questions)
    pairs = zip(walk(loop), walk(copy), strict=True)
    for each in [other for original, other in pairs if original in asked]:
        take_first(each)
