"""Large programs, kernel by kernel: each array operation becomes a function, and equal ones the same.

LLVM takes more than twice the time for a function of twice the size, and does all its work again for
loops that it has seen before.  So where a program has many array operations, each becomes a private
function, named after what it computes and a hash of its text.  So does a loop in which array
operations take turns.  Operations that differ in nothing but the sizes of their arrays become one
function of any sizes, where there are many of them.

Operations on small arrays take less time than a call.  They become functions where there are so many
of them that LLVM would take seconds: a recursion that was written out, a loop that Python has run.

In programs with few array operations only those become functions that are there more than once, as
what is computed before a loop and then in each iteration: inside one function LLVM knows more.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from math import prod
from typing import Any, TypeVar

from agir.backends.cpu.contractions import finding
from agir.backends.cpu.passes.analysis.functions import functions
from agir.backends.cpu.passes.outlining.numbered_operations import SHORT
from agir.backends.cpu.passes.outlining.outlined_functions import add_kernel, call, defined, kernel
from agir.backends.mlir.graph import Graph
from agir.backends.mlir.making import cast
from agir.backends.mlir.modules import walk
from agir.ir.building import bindings

_T = TypeVar("_T")

WHOLE = "agir.whole"
"""Marks modules that are not taken apart, in which each operation can be told from its like."""

MANY = 32
"""Array operations from which on a program is taken apart as a whole."""
_VERY_MANY = 128
"""Operations from which on those on small arrays are functions, too."""
_ALIKE = 4
"""As many functions are made for operations that differ in sizes only, before one is for all."""
_LARGE = 1024
"""Elements from which on the time of a call does not matter."""
_OPERATIONS = ("linalg.contract", "linalg.generic")
_IN_LOOPS = ("arith.", "complex.", "linalg.", "math.", "memref.subview", "scf.for", "scf.yield")
_NO_ALIAS = "llvm.noalias"
_VIEWS = (
    "memref.cast",
    "memref.collapse_shape",
    "memref.expand_shape",
    "memref.reinterpret_cast",
    "memref.subview",
    "memref.transpose",
)


def outline_kernels(module: Any) -> None:
    """Give array operations functions of their own: all of a large program, else what is repeated."""
    if WHOLE in module.operation.attributes:
        return
    everything = [op for function in functions(module) for op in _candidates(function, _can_be)]
    if len(everything) < _VERY_MANY:
        found = [op for function in functions(module) for op in _candidates(function)]
    else:
        found = [op for op in everything if _is_worth_it(op) or not _is_of_large(op)]
    if len(found) < MANY:
        _outline_repeated(module, found)
        return
    kernels = _Kernels(module)
    for operation in found:
        kernels.add(operation)
    kernels.call()


def _outline_repeated(module: Any, operations: Sequence[Any]) -> None:
    """Give those of the operations functions that have their like; else look into loops."""
    members: dict[Any, list[Any]] | None = None
    while len(operations) > 1:
        alone: list[Any] = []
        for alike in _grouped(operations, _look):
            if len(alike) == 1:
                alone += alike
                continue
            members = _contractions(module) if members is None else members
            uses = [_use(*members.get(each, [each])) for each in alike if members.get(each) != []]
            for equal in _grouped(uses, lambda use: str(_kernel(use))):
                if len(equal) > 1:
                    _replace(module, equal, _kernel(equal[0]))
                else:
                    alone += equal[0].operations
        operations = [inner for loop in alone for inner in _candidates(loop)]


def _grouped(items: Iterable[_T], key: Callable[[_T], Any]) -> list[list[_T]]:
    """The items in groups of those with one key."""
    groups: dict[Any, list[_T]] = defaultdict(list)
    for item in items:
        groups[key(item)].append(item)
    return list(groups.values())


def _look(operation: Any) -> Any:
    """What equal operations have in common, and is soon found."""
    return tuple((each.name, *(v.type for v in each.operands)) for each in walk(operation))


def _contractions(module: Any) -> dict[Any, list[Any]]:
    """Contractions with the fills that they begin with; nothing for what stays where it is.

    That is what the registers of a contraction compute with its sums, and all that belongs to it.
    """
    found: dict[Any, list[Any]] = {}
    for group in finding.groups(Graph(module)):
        for contraction in group.contractions:
            parts = [p for p in (contraction.fill, contraction.operation) if p is not None]
            found |= {part: [] for part in (*parts, group.epilogue)}
            if group.epilogue is None:
                found[contraction.operation] = parts
    return found


def _is_worth_it(operation: Any) -> bool:
    """Whether it works on large buffers, and on no two that share memory in a way LLVM can see."""
    if not _can_be(operation) or not _is_of_large(operation):
        return False
    buffers = _buffers(operation)
    return len({_root(buffer) for buffer in buffers}) == len(buffers)


def _candidates(around: Any, is_wanted: Callable[[Any], bool] = _is_worth_it) -> list[Any]:
    """The array operations inside of an operation, and the loops in which some of them take turns."""
    found: list[Any] = []
    inside: set[Any] = {around}
    for operation in walk(around):
        if operation in inside:
            continue
        is_loop = operation.name == "scf.for" and _is_of_arrays(operation)
        if (is_loop or operation.name.startswith("linalg.")) and is_wanted(operation):
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


def _can_be(operation: Any) -> bool:
    """Whether it can be a function."""
    return not operation.results and operation.name not in ("linalg.yield", "linalg.index")


def _buffers(operation: Any) -> list[Any]:
    return [value for value in _inputs([operation]) if _is_buffer(value)]


def _is_of_large(operation: Any) -> bool:
    return any(_is_large(buffer.type) for buffer in _buffers(operation))


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
    """Operations that become a call: what they take, and the types of that here."""

    operations: Sequence[Any]
    inputs: Sequence[Any]
    types: tuple[Any, ...]


def _use(*operations: Any) -> _Use:
    inputs = _inputs(operations)
    return _Use(operations, inputs, tuple(value.type for value in inputs))


def _kernel(use: _Use) -> Any:
    """The function of operations, for the types that they are used with here."""
    return kernel(use.operations, use.inputs, use.types)


class _Kernels:
    """The operations that differ in sizes only, by the text of the function that does for all."""

    def __init__(self, module: Any) -> None:
        self._module = module
        self._general: dict[str, Any] = {}
        self._uses: dict[str, list[_Use]] = defaultdict(list)

    def add(self, operation: Any) -> None:
        """Note an operation, with what it uses of the function around."""
        use = _use(operation)
        # what a loop does depends on its number of iterations
        is_loop = operation.name == "scf.for"
        general = use.types if is_loop else [_of_any_sizes(kind) for kind in use.types]
        function = kernel([operation], use.inputs, general)
        text = str(function)
        self._general.setdefault(text, function)
        self._uses[text].append(use)

    def call(self) -> None:
        """Put calls in the place of the operations."""
        for text, uses in self._uses.items():
            exact: dict[tuple[Any, ...], list[_Use]] = defaultdict(list)
            for use in uses:
                exact[use.types].append(use)
            if len(exact) > _ALIKE:
                _replace(self._module, uses, self._general[text])
                continue
            for same in exact.values():
                _replace(self._module, same, _kernel(same[0]))


def outline(module: Any, operation: Any, alone: Callable[[Any], bool]) -> None:
    """Put a call of a function in the place of an operation; of one there is, if it does the same.

    Arguments of which `alone` holds share memory with no other argument.
    """
    ir = bindings.ir
    use = _use(operation)
    function = _kernel(use)
    said = ir.DictAttr.get({_NO_ALIAS: ir.UnitAttr.get()})
    nothing = ir.DictAttr.get({})
    function.attributes["arg_attrs"] = ir.ArrayAttr.get(
        [said if alone(value) else nothing for value in use.inputs]
    )
    _replace(module, [use], function)


def _replace(module: Any, uses: Sequence[_Use], function: Any) -> None:
    """Put calls of a function, which is put into the module, in the place of operations."""
    add_kernel(module, function)
    wanted = function.attributes["function_type"].value.inputs
    for use in uses:
        last = use.operations[-1]
        with bindings.ir.InsertionPoint(last), last.location:
            pairs = zip(use.inputs, wanted, strict=True)
            call(function, [cast(value, kind, "memref.cast") for value, kind in pairs])
        for operation in use.operations:
            operation.erase()


def _inputs(operations: Sequence[Any]) -> list[Any]:
    """The values of the function around that operations use, but for constants."""
    everything = [each for operation in operations for each in walk(operation)]
    used = dict.fromkeys(value for each in everything for value in each.operands)
    for each in everything:
        for value in defined(each):
            used.pop(value, None)
    return [value for value in used if not _is_constant(value)]


def _is_constant(value: Any) -> bool:
    owner = value.owner
    return not isinstance(owner, bindings.ir.Block) and owner.name == "arith.constant"


def _of_any_sizes(kind: Any) -> Any:
    """The type of buffers of that layout, whatever their sizes are, but for short ones."""
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
