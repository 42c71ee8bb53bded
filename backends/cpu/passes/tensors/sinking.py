"""Arrays that only one branch uses are computed in it, where more is known of their sizes.

``p += x`` of sizes that only the run time knows computes a sum, of arrays that may have to be
repeated along an axis, and keeps it where it has the sizes of ``p``.  Where that is so, ``p`` is not
repeated: the sum is computed behind the question, and in the place of ``p``, or of a part of it.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Hashable
from typing import Any

from agir.backends.mlir.graph import Graph
from agir.backends.mlir.making import predicate, use_instead
from agir.backends.mlir.modules import children, in_block, walk
from agir.ir.building import bindings

_IF, _INSERT, _EXTRACT = "scf.if", "tensor.insert_slice", "tensor.extract_slice"
_PLACES = ("static_offsets", "static_sizes", "static_strides")
_PURE = ("arith.", "math.", "complex.", "linalg.", "tensor.", "scf.yield", _IF)


def sink_into_branches(module: Any) -> None:
    """Move computations of arrays into the branches that answer what they ask; drop the questions."""
    graph = Graph(module)
    for insert in graph.find(_INSERT):
        if _write_in_branch(insert, graph):
            graph = Graph(module)
    answering = _answering(graph)
    for operation in reversed(graph.operations):
        branch = _only_branch(operation, graph)
        if branch is not None and branch in answering and _is_movable(operation):
            operation.move_before(children(branch)[0])
    if answering:
        for each in walk(module, inner_first=True):  # what goes with another is behind us then
            if each.name == _IF and each in answering.get(each.parent, ()):
                take_first(each)


def _write_in_branch(insert: Any, graph: Graph) -> bool:
    """Let a branch write a part, or nothing, that gives new elements for it or the old ones."""
    part, whole, *places = insert.operands
    branch = graph.producer(part, _IF)
    if branch is None or branch.block != insert.block or len(graph.uses(part)) != 1:
        return False
    number = list(branch.results).index(part)
    leaves = [each for each in children(branch) if each.name == "scf.yield"]
    old = graph.producer(leaves[1].operands[number], _EXTRACT)
    if old is None or list(old.operands) != [whole, *places]:
        return False
    if any(old.attributes[name] != insert.attributes[name] for name in _PLACES):
        return False
    if not all(_is_there_before(branch, value, graph) for value in (whole, *places)):
        return False
    ir = bindings.ir
    with ir.InsertionPoint(leaves[0]), insert.location:
        written = insert.clone()
    written.operands[0] = leaves[0].operands[number]
    leaves[0].operands[number] = written.results[0]
    leaves[1].operands[number] = whole
    kinds = [result.type for result in branch.results]
    kinds[number] = whole.type
    with ir.InsertionPoint(branch), branch.location:
        made = ir.Operation.create(_IF, kinds, list(branch.operands), regions=2)
    for region, new in zip(branch.regions, made.regions, strict=True):
        region.blocks[0].append_to(new)
    insert.results[0].replace_all_uses_with(made.results[number])
    insert.erase()
    use_instead(branch, made.results)
    branch.erase()
    return True


def _is_there_before(operation: Any, value: Any, graph: Graph) -> bool:
    source = graph.producer(value)
    if source is None or source.block != operation.block:
        return True
    return bool(source.is_before_in_block(operation))


def _answering(graph: Graph) -> dict[Any, list[Any]]:
    """The branches whose conditions include those of earlier ones that choose an array, and these."""
    choices: defaultdict[Any, list[tuple[Any, set[Hashable]]]] = defaultdict(list)
    found: defaultdict[Any, list[Any]] = defaultdict(list)
    for branch in graph.find(_IF):
        holds = _holds(branch.operands[0], graph)
        for earlier, asked in choices[branch.block]:
            if asked <= holds:
                found[branch].append(earlier)
        if len(branch.results) and _is_movable(branch):
            choices[branch.block].append((branch, holds))
    return dict(found)


def _holds(condition: Any, graph: Graph) -> set[Hashable]:
    """What holds where a condition does, which may be several at once."""
    source = graph.producer(condition, "arith.")
    if source is None:
        return {condition}
    if source.name == "arith.andi":
        return set().union(*(_holds(each, graph) for each in source.operands))
    if source.name == "arith.cmpi" and predicate(source) == "eq":
        return {frozenset(source.operands)}
    return {condition}


def _only_branch(operation: Any, graph: Graph) -> Any | None:
    """The branch of the same block whose first region has all uses of an operation."""
    found = None
    for result in operation.results:
        for user, _ in graph.uses(result):
            branch = in_block(user, operation.block)
            if branch is None or branch == user or branch.name != _IF:
                return None
            if (found is not None and found != branch) or not _is_in_first(user, branch):
                return None
            found = branch
    return found


def _is_in_first(user: Any, branch: Any) -> bool:
    return in_block(user, branch.regions[0].blocks[0]) is not None


def _is_movable(operation: Any) -> bool:
    """Whether an operation makes arrays, and does nothing else."""
    kind = bindings.ir.RankedTensorType
    makes = [isinstance(result.type, kind) for result in operation.results]
    return bool(makes) and all(makes) and all(o.name.startswith(_PURE) for o in walk(operation))


def take_first(branch: Any) -> None:
    """Put what a branch does where its condition holds in its place."""
    block = branch.regions[0].blocks[0]
    *inside, leave = (each for each in children(branch) if each.block == block)
    for each in inside:
        each.move_before(branch)
    use_instead(branch, leave.operands)
    branch.erase()
