"""Large programs, kernel by kernel: each array operation becomes a function, and equal ones the same.

LLVM takes more than twice the time for a function of twice the size, and does all its work again for
loops that it has seen before.  So where a program has many array operations, each becomes a private
function, named after what it computes and a hash of its text.  So does a loop in which array
operations take turns.  Operations that differ in nothing but the extents of their arrays become one
function of any extents, where there are many of them.

Programs with few array operations are left as they are: inside one function LLVM knows more.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass
from math import prod
from typing import Any

from agir.backends.cpu.passes.functions import functions
from agir.backends.cpu.passes.numbers import SHORT
from agir.backends.cpu.passes.outlined import add_kernel, call, defined, kernel
from agir.backends.mlir.modules import walk
from agir.ir import bindings

WHOLE = "agir.whole"
"""Marks modules that are not taken apart, in which each operation can be told from its like."""

MANY = 32
"""Array operations from which on a program is taken apart."""
_ALIKE = 4
"""As many functions are made for operations that differ in extents only, before one is for all."""
_LARGE = 1024
"""Elements from which on the time of a call does not matter."""
_OPERATIONS = ("linalg.contract", "linalg.generic")
_IN_LOOPS = ("arith.", "complex.", "linalg.", "math.", "memref.subview", "scf.for", "scf.yield")
_VIEWS = (
    "memref.cast",
    "memref.collapse_shape",
    "memref.expand_shape",
    "memref.reinterpret_cast",
    "memref.subview",
    "memref.transpose",
)


def outline_kernels(module: Any) -> None:
    """Give the array operations of a large program functions of their own."""
    if WHOLE in module.operation.attributes:
        return
    found = [op for function in functions(module) for op in _candidates(function)]
    if len(found) < MANY:
        return
    kernels = _Kernels(module)
    for operation in found:
        kernels.add(operation)
    kernels.call()


def _candidates(function: Any) -> list[Any]:
    """The array operations, and the loops in which some of them take turns."""
    found: list[Any] = []
    inside: set[Any] = set()
    for operation in walk(function):
        if operation in inside:
            continue
        is_loop = operation.name == "scf.for" and _is_of_arrays(operation)
        if (is_loop or operation.name.startswith("linalg.")) and _is_worth_it(operation):
            found.append(operation)
            inside.update(walk(operation))
    return found


def _is_of_arrays(loop: Any) -> bool:
    """Whether a loop does nothing but operations on parts of arrays."""
    inner = walk(loop)
    names = {operation.name for operation in inner}
    return any(name in _OPERATIONS for name in names) and all(
        name.startswith(_IN_LOOPS) for name in names
    )


def _is_worth_it(operation: Any) -> bool:
    """Whether it works on large buffers, and on no two that share memory in a way LLVM can see."""
    if operation.results or operation.name in ("linalg.yield", "linalg.index"):
        return False
    buffers = [v for v in _inputs(operation) if _is_buffer(v)]
    roots = {_root(buffer) for buffer in buffers}
    return len(roots) == len(buffers) and any(_is_large(buffer.type) for buffer in buffers)


def _is_buffer(value: Any) -> bool:
    return isinstance(value.type, bindings.ir.MemRefType)


def _is_large(kind: Any) -> bool:
    return not kind.has_static_shape or prod(kind.shape) >= _LARGE


def _root(buffer: Any) -> Any:
    """The buffer that another one is a part of."""
    while not isinstance(owner := buffer.owner, bindings.ir.Block) and owner.name in _VIEWS:
        buffer = owner.operands[0]
    return buffer


@dataclass(frozen=True)
class _Use:
    """An operation that becomes a call: what it takes, and the types of that here."""

    operation: Any
    inputs: Sequence[Any]
    types: tuple[Any, ...]


class _Kernels:
    """The operations that differ in extents only, by the text of the function that does for all."""

    def __init__(self, module: Any) -> None:
        self._module = module
        self._general: dict[str, Any] = {}
        self._uses: dict[str, list[_Use]] = defaultdict(list)

    def add(self, operation: Any) -> None:
        """Note an operation, with what it uses of the function around."""
        inputs = _inputs(operation)
        types = tuple(value.type for value in inputs)
        # what a loop does depends on its number of turns
        is_loop = operation.name == "scf.for"
        general = types if is_loop else [_of_any_extents(kind) for kind in types]
        function = kernel([operation], inputs, general)
        text = str(function)
        self._general.setdefault(text, function)
        self._uses[text].append(_Use(operation, inputs, types))

    def call(self) -> None:
        """Put calls in the place of the operations."""
        for text, uses in self._uses.items():
            exact: dict[tuple[Any, ...], list[_Use]] = defaultdict(list)
            for use in uses:
                exact[use.types].append(use)
            if len(exact) > _ALIKE:
                self._replace(uses, self._general[text])
                continue
            for same in exact.values():
                first = same[0]
                self._replace(same, kernel([first.operation], first.inputs, first.types))

    def _replace(self, uses: Sequence[_Use], function: Any) -> None:
        add_kernel(self._module, function)
        wanted = function.attributes["function_type"].value.inputs
        for use in uses:
            with bindings.ir.InsertionPoint(use.operation), use.operation.location:
                call(function, [_cast(v, kind) for v, kind in zip(use.inputs, wanted, strict=True)])
            use.operation.erase()


def _inputs(operation: Any) -> list[Any]:
    """The values of the function around that an operation uses, but for constants."""
    everything = walk(operation)
    used = dict.fromkeys(value for each in everything for value in each.operands)
    for each in everything:
        for value in defined(each):
            used.pop(value, None)
    return [value for value in used if not _is_constant(value)]


def _is_constant(value: Any) -> bool:
    owner = value.owner
    return not isinstance(owner, bindings.ir.Block) and owner.name == "arith.constant"


def _of_any_extents(kind: Any) -> Any:
    """The type of buffers of that layout, whatever their extents are, but for short ones."""
    ir = bindings.ir
    if not isinstance(kind, ir.MemRefType):
        return kind
    unknown = ir.ShapedType.get_dynamic_size()
    shape = [n if 0 <= n <= SHORT else unknown for n in kind.shape]
    if not isinstance(kind.layout, ir.StridedLayoutAttr):
        return ir.MemRefType.get(shape, kind.element_type, kind.layout, kind.memory_space)
    dynamic = ir.ShapedType.get_dynamic_stride_or_offset()
    strides = [n if n == 1 else dynamic for n in kind.layout.strides]
    layout = ir.StridedLayoutAttr.get(dynamic, strides)
    return ir.MemRefType.get(shape, kind.element_type, layout, kind.memory_space)


def _cast(value: Any, kind: Any) -> Any:
    if value.type == kind:
        return value
    return bindings.ir.Operation.create("memref.cast", results=[kind], operands=[value]).results[0]
