"""What a call costs, and the memory it takes, read off the program: nothing is run."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from agir.backends.cpu.code import elf
from agir.backends.cpu.dependence.constants import iterations
from agir.backends.cpu.explaining import counting
from agir.backends.cpu.explaining.explain import READ, generalize, whole
from agir.backends.cpu.sweeps.buffers import item_bytes
from agir.backends.mlir.lock import compiling
from agir.backends.mlir.modules import children, find, symbols
from agir.backends.stages import Compilation
from agir.ir.building import bindings
from agir.records import dataclass

Amount = int | None
"""None where it depends on the run."""


@dataclass(frozen=True)
class Cost:
    """Estimates for one call; None where they depend on the run.

    ``flops`` are floating-point operations, ``bytes`` what is read and written if each element of each
    operand of each kernel is moved once.  Of branches the dearer one counts.
    """

    flops: int | None
    bytes: int | None

    @property
    def intensity(self) -> float | None:
        """Floating-point operations for each byte."""
        return self.flops / self.bytes if self.flops is not None and self.bytes else None


@dataclass(frozen=True)
class Memory:
    """Bytes of arrays during a call; None where they depend on the run.

    ``heap`` is the most that is allocated at one time, results included; ``stack`` the arrays that
    lie there; ``code`` the instructions.
    """

    arguments: int | None
    results: int | None
    heap: int | None
    stack: int | None
    code: int

    @property
    def peak(self) -> int | None:
        """All that is there at the most expensive moment."""
        return _sum([self.arguments, self.heap, self.stack])


def cost(compilation: Compilation, name: str) -> Cost:
    """What a call of a function of the program costs."""
    module = whole(compilation).derived(READ, generalize).get(READ)
    with compiling, bindings.context():
        return Cost(_Sum(module, _flops).of(name), _Sum(module, _bytes).of(name))


def memory(compilation: Compilation, name: str) -> Memory:
    """What memory a call of a function of the program takes."""
    module, code = compilation.get(READ), elf.parse(compilation.get("object"))
    with compiling, bindings.context():
        function = symbols(module)[name]
        kind = function.attributes["function_type"].value
        stack = _sum(map(_size, find(module, "memref.alloca")))
        heap, _ = _heap(function, symbols(module), ())
        sizes = (_arrays(kind.inputs), _arrays(kind.results), heap, stack)
    return Memory(*sizes, sum(each.size for each in code.sections if each.is_code))


def _sum(amounts: Iterable[Amount]) -> Amount:
    total = 0
    for amount in amounts:
        if amount is None:
            return None
        total += amount
    return total


def _most(amounts: list[Amount]) -> Amount:
    known = [each for each in amounts if each is not None]
    return max(known, default=0) if len(known) == len(amounts) else None


class _Sum:
    """Adds up what the operations of functions cost, loops as often as they run."""

    def __init__(self, module: Any, own: Any) -> None:
        self._functions = symbols(module)
        self._own = own
        self._known: dict[str, Amount] = {}

    def of(self, name: str) -> Amount:
        """The sum of a function; of one that calls itself it depends on the run."""
        if name not in self._known:
            self._known[name] = None
            self._known[name] = self._inside(self._functions[name])
        return self._known[name]

    def _inside(self, operation: Any) -> Amount:
        regions = [
            _sum(self._operation(view.operation) for block in region for view in block)
            for region in operation.regions
        ]
        return _most(regions) if operation.name == "scf.if" else _sum(regions)

    def _operation(self, operation: Any) -> Amount:
        if operation.name == "linalg.generic":
            return self._own(operation)  # type: ignore[no-any-return]
        if operation.name == "func.call":
            callee = operation.attributes["callee"].value
            return self.of(callee) if callee in self._functions else 0
        inside = self._inside(operation)
        if inside != 0 and operation.name in _LOOPS:
            count = iterations(operation) if operation.name == "scf.for" else None
            inside = None if count is None or inside is None else inside * count
        return _sum([self._own(operation), inside])


_LOOPS = ("scf.for", "scf.while", "scf.parallel", "scf.forall")


def _flops(operation: Any) -> Amount:
    if operation.name == "linalg.generic":
        return counting.flops_inside(operation)
    return counting.flops(operation)


def _bytes(operation: Any) -> Amount:
    if operation.name == "linalg.generic":
        return counting.bytes_moved(operation)
    if operation.name == "memref.copy":
        return counting.copied(operation)
    if operation.name in ("memref.load", "memref.store"):
        array = operation.operands[0 if operation.name == "memref.load" else 1]
        return item_bytes(array.type)
    if operation.name in ("vector.transfer_read", "vector.load"):
        return counting.vector_size(operation.results[0].type)
    if operation.name in ("vector.transfer_write", "vector.store"):
        return counting.vector_size(operation.operands[0].type)
    return 0


def _arrays(types: Iterable[Any]) -> Amount:
    return _sum(counting.buffer_size(each) for each in types if hasattr(each, "rank"))


def _size(allocation: Any) -> Amount:
    return counting.buffer_size(allocation.results[0].type)


def _heap(
    around: Any, functions: dict[str, Any], callers: tuple[str, ...]
) -> tuple[Amount, Amount]:
    """The most that the operations inside another one have allocated, and what is left of it."""
    now, most = 0, 0
    for operation in children(around):
        if operation.name == "memref.alloc":
            size = _size(operation)
            inside, left = size, size
        elif operation.name == "memref.dealloc":
            size = counting.buffer_size(operation.operands[0].type)
            inside, left = 0, None if size is None else -size
        elif operation.name == "func.call":
            name = operation.attributes["callee"].value
            if name in callers:
                return None, None
            inside, left = (0, 0)
            if name in functions:
                inside, left = _heap(functions[name], functions, (*callers, name))
        else:
            inside, left = _heap(operation, functions, callers)
        if inside is None or left is None:
            return None, None
        most = max(most, now + inside)
        now += left
    return most, now
