"""Loops whose iterations are independent run on several threads, where that is worth its start.

The body becomes a function ``@agir.parallel.0(first, last, ...)`` of a range of iterations; the
loop becomes a call of ``@agir.parallel.0.run``, which `team_calls` writes, or, where the iterations
are known too late, a choice of the two.  The call is told how much work there is, for whether
threads are worth it depends on what they do at the time (`calling/team.py`).  Each element is
computed as before, so results do not depend on the number of threads.
"""

from __future__ import annotations

from typing import Any

from agir.backends.cpu.calling import threads
from agir.backends.cpu.calling.team import WARM
from agir.backends.cpu.dependence.constants import iterations, number_of
from agir.backends.cpu.dependence.independence import Independence, independence
from agir.backends.cpu.dependence.work import Work, of_iteration
from agir.backends.cpu.passes.analysis.functions import KERNEL, PREFIX, RUN, functions, is_public
from agir.backends.mlir.making import called, compare, index_constant, op, rename
from agir.backends.mlir.modules import walk
from agir.ir.building import bindings

_SOME = 16
"""Iterations of a loop that are not known before."""
_CHEAP = {
    "arith.constant",
    "complex.constant",
    "ub.poison",
    "memref.get_global",
    "memref.subview",
    "memref.cast",
    "memref.collapse_shape",
    "memref.expand_shape",
    "memref.reinterpret_cast",
}
_FAIR = 8
"""Iterations that can be divided among threads."""
_WORTH_IT = WARM / 1000
"""Nanoseconds of work from which on threads are asked for; generated code counts picoseconds."""
_MUCH = 10**12
"""Picoseconds, a second: more need not be told."""


def parallelize_loops(module: Any) -> None:
    """Let independent iterations of the outermost loops that have any run on several threads."""
    if not threads.are_wanted():
        return
    found: list[tuple[Any, Independence]] = []
    for function in functions(module):
        if is_public(function) or KERNEL in function.attributes:
            _collect(function, found)
    for number, (loop, result) in enumerate(found):
        _Outlined(module, loop, result, f"{PREFIX}{number}").replace()


def _collect(operation: Any, found: list[tuple[Any, Independence]]) -> None:
    for region in operation.regions:
        for block in region.blocks:
            for view in block.operations:
                if view.operation.name == "scf.for":
                    _consider(view.operation, found)
                elif view.operation.name in ("scf.while", "scf.if"):
                    _collect(view.operation, found)


def _consider(loop: Any, found: list[tuple[Any, Independence]]) -> None:
    """Take the loop, or loops in it where it has too few iterations for a fair division."""
    result = _worth_it(loop)
    before = len(found)
    if result is None or (iterations(loop) or _FAIR) < _FAIR:
        _collect(loop, found)
    if result is not None and len(found) == before:
        found.append((loop, result))


def _worth_it(loop: Any) -> Independence | None:
    """What makes a loop independent that may be long enough."""
    known = iterations(loop)
    work = of_iteration(loop)
    if known is not None and not work.inner and known * work.fixed < _WORTH_IT:
        return None
    found = independence(loop) if known is None or known > 1 else None
    if found is None or found.most_iterations is None or work.inner:
        return found
    return found if found.most_iterations * work.fixed >= _WORTH_IT else None


class _Outlined:
    """A loop on its way into a function of a range of iterations."""

    def __init__(self, module: Any, loop: Any, result: Independence, name: str) -> None:
        self._module = module
        self._loop = loop
        self._private = result.private
        self._name = name
        self._work = of_iteration(loop)
        self._known = self._outer()
        self._copied: list[Any] = []
        """What is made once more in the function: constants and views, in order."""
        self._passed: list[Any] = []
        for value in self._known:
            self._bring(value)

    def replace(self) -> None:
        """Put calls in the place of the loop."""
        ir = bindings.ir
        index = ir.IndexType.get()
        types = [index, index, *(value.type for value in self._passed)]
        with self._loop.location:
            self._declare(types)
            self._write(types)
            with ir.InsertionPoint(self._loop):
                self._call()
        self._loop.erase()
        for array in self._private:
            _forget(array)

    def _bring(self, value: Any) -> None:
        """Have a value of outside in the function: copied, or passed to it."""
        if value in self._copied or value in self._passed or value in self._private:
            return
        operation = getattr(value.owner, "operation", None)
        if operation is None or operation.name not in _CHEAP:
            self._passed.append(value)
            return
        for operand in operation.operands:
            self._bring(operand)
        self._copied.append(value)

    def _outer(self) -> list[Any]:
        """What the loop uses of outside, each once, the bounds included."""
        inside = walk(self._loop)
        blocks = [block for op in inside for region in op.regions for block in region.blocks]
        own = {value for op in inside for value in op.results}
        own |= {value for block in blocks for value in block.arguments}
        used = (value for op in inside for value in op.operands)
        return list(dict.fromkeys(value for value in used if value not in own))

    def _declare(self, types: list[Any]) -> None:
        self._function(f"{self._name}{RUN}", [*types, bindings.ir.IndexType.get()])

    def _function(self, name: str, types: list[Any]) -> Any:
        ir = bindings.ir
        attributes = {
            "sym_name": ir.StringAttr.get(name),
            "function_type": ir.TypeAttr.get(ir.FunctionType.get(types, [])),
            "sym_visibility": ir.StringAttr.get("private"),
        }
        with ir.InsertionPoint(self._module.body):
            return ir.Operation.create("func.func", attributes=attributes, regions=1)

    def _write(self, types: list[Any]) -> None:
        """The function of a range of iterations."""
        ir = bindings.ir
        function = self._function(self._name, types)
        step = number_of(list(self._loop.operands)[2])
        function.attributes["agir.step"] = ir.IntegerAttr.get(ir.IntegerType.get_signless(64), step)
        block = function.regions[0].blocks.append(
            *types, arg_locs=[self._loop.location] * len(types)
        )
        first, last, *passed = block.arguments
        with ir.InsertionPoint(block):
            end = ir.Operation.create("func.return")
            with ir.InsertionPoint(end):
                made = self._loop.clone()
                new: dict[Any, Any] = dict(zip(self._passed, passed, strict=True))
                with ir.InsertionPoint(made):
                    for value in [*self._copied, *self._private]:
                        copy = value.owner.operation.clone()
                        rename(copy, new)
                        new[value] = copy.results[0]
                rename(made, new)
                made.operands[0], made.operands[1] = first, last
                for array in self._private:
                    if array.owner.operation.name == "memref.alloc":
                        ir.Operation.create("memref.dealloc", operands=[new[array]])

    def _call(self) -> None:
        ir = bindings.ir
        operands = [*list(self._loop.operands)[:2], *self._passed]
        known = iterations(self._loop)
        if known is not None and not self._work.inner:
            work = index_constant(int(min(1000 * known * self._work.fixed, _MUCH)))
            return self._call_of(f"{self._name}{RUN}", [*operands, work])
        work = self._whole_work()
        calls = ((f"{self._name}{RUN}", [*operands, work]), (self._name, operands))
        choice = ir.Operation.create("scf.if", operands=[_is_worth_it(work)], regions=2)
        for region, (name, given) in zip(choice.regions, calls, strict=True):
            with ir.InsertionPoint(region.blocks.append()):
                self._call_of(name, given)
                ir.Operation.create("scf.yield")

    def _call_of(self, name: str, operands: list[Any]) -> None:
        called(name, [], operands)

    def _whole_work(self) -> Any:
        """The work of all iterations: picoseconds."""
        first, last, step = list(self._loop.operands)[:3]
        return self._product(self._iterations(first, last, step), self._picoseconds(self._work))

    def _picoseconds(self, work: Work) -> Any:
        total = index_constant(max(1, int(min(1000 * work.fixed, _MUCH))))
        for loop, iteration in work.inner:
            operands = list(loop.operands)[:3]
            outer = all(value in self._known for value in operands)
            count = self._iterations(*operands) if outer else index_constant(_SOME)
            total = op(
                "arith.addi", total.type, total, self._product(count, self._picoseconds(iteration))
            )
        return total

    def _iterations(self, first: Any, last: Any, step: Any) -> Any:
        index = bindings.ir.IndexType.get()
        span = op("arith.subi", index, last, first)
        return op("arith.ceildivsi", index, span, step)

    def _product(self, left: Any, right: Any) -> Any:
        return op("arith.muli", bindings.ir.IndexType.get(), left, right)


def _is_worth_it(work: Any) -> Any:
    """Whether there is enough work to ask for threads: an i1."""
    return compare(work, "sge", index_constant(WARM))


def _forget(array: Any) -> None:
    """Remove an allocation that only its end still uses."""
    owner = array.owner.operation
    for use in list(array.uses):
        use.owner.operation.erase()
    owner.erase()
