"""Takes out the checks of ints of which it turns out that they cannot fail.

While a loop is recorded, nothing is known yet of what its variables become, so sums of them are
checked.  When the program is finished, interval analysis says what they can be.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable

from agir.ir.building.checks import CHECK, EXCEEDS
from agir.ir.building.program import Block, Operation, Value
from agir.ir.proofs import carried
from agir.ir.proofs.interval_analysis import IntervalAnalysis
from agir.ir.tracing.trace import Trace


def prove(trace: Trace) -> None:
    """Take out the checks that never fail, of the finished function and of its private ones.

    Where no check is left, nothing of the trace can fail any more.
    """
    if not any(site.kind == EXCEEDS for site in trace.sites):
        return
    needed = trace.functions.needed_in(trace.root.block)
    blocks = [trace.root.block, *(each.blocks[0] for each in needed)]
    for block in blocks:
        proven = _proven(trace, block)
        if proven:
            _without(block, proven)
    if not any(_site_of(each) for block in blocks for each in block.walk()):
        trace.sites.clear()


def _proven(trace: Trace, block: Block) -> list[Operation]:
    """The checks of ints that hold whenever they are reached."""
    checks = []
    for operation in block.walk():
        site = _site_of(operation)
        if site and trace.sites[site - 1].kind == EXCEEDS:
            checks.append(operation)
    if not checks:
        return []
    found: list[Operation] = []

    def reached(check: Operation, analysis: IntervalAnalysis) -> None:
        if analysis.truth(check.operands[0]):
            found.append(check)

    def required(operation: Operation) -> Value | None:
        # After a check of the body of a `try` the program may go on, though it has failed.
        return None if trace.has_tried or not _site_of(operation) else operation.operands[0]

    IntervalAnalysis(trace.exact_sums, required, checks, reached).go_through(block)
    return found


def _site_of(operation: Operation) -> int:
    """The number of the site that an operation checks; 0 where it is no check."""
    if operation.name != "func.call" or operation.attributes["callee"].value != CHECK:
        return 0
    maker = operation.operands[1].maker
    assert maker is not None, "it is a constant"
    number: int = maker.attributes["value"].value
    return number


def _without(block: Block, checks: Iterable[Operation]) -> None:
    """Take checks out of a block, and what is carried through loops and branches for them alone."""
    gone: dict[Value, Value] = {}
    around: set[int] = set()
    by_block: defaultdict[Block, list[Operation]] = defaultdict(list)
    for check in checks:
        gone.update(zip(check.results, check.operands[4:], strict=True))
        assert check.block is not None, "it stands in a block"
        by_block[check.block].append(check)
    for inside, members in by_block.items():
        inside.remove(members)
        while inside is not block and inside.owner is not None and inside.owner.block is not None:
            around.add(id(inside.owner))
            inside = inside.owner.block
    carried.simplify(block, gone, around)
