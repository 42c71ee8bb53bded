"""The trace: one function being recorded into MLIR.

A :class:`Trace` owns the module's builder (where recording stands, at which source location), the
scopes of the regions that are open, the run-time checks, and the arrays captured from outside.
"""

from __future__ import annotations

import linecache
import sys
import threading
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass
from types import CodeType
from typing import Any

import numpy as np

from agir.errors import InaccessibleTensorError, RuntimeIndexError
from agir.ir import attributes, bindings, dispatch, hooks, locations
from agir.ir.cells import Cell, Scope
from agir.ir.convention import TENSORFLOW, Convention
from agir.ir.journal import Frame, Journal
from agir.ir.locations import Position
from agir.ir.private_functions import PrivateFunctions
from agir.ir.symbolic import Dim, Dims, Fixed, Owned, SymbolicTensor
from agir.ir.tensor import Tensor
from agir.ir.types import DType, bool_, int64, mlir_type

CAPTURE_LIMIT = 16
"""Arrays of more elements than this are passed to the function; smaller ones stand in its text."""

_AT = "\n  at "


def without_place(message: str) -> str:
    """A message without the user's line that was added to it."""
    return message.partition(_AT)[0]


_active = threading.local()


def current() -> Trace | None:
    """The trace that this thread is recording, if any."""
    stack = getattr(_active, "stack", None)
    return stack[-1] if stack else None


hooks.current = current


CHECK = "fail_unless"
CHECK_FUNCTION = f"""
func.func private @{CHECK}(%ok: i1, %site: i64, %first: i64, %second: i64,
                           %failed: i64, %a: i64, %b: i64) -> (i64, i64, i64) {{
  %zero = arith.constant 0 : i64
  %true = arith.constant true
  %unset = arith.cmpi eq, %failed, %zero : i64
  %broken = arith.xori %ok, %true : i1
  %now = arith.andi %broken, %unset : i1
  %new = arith.select %now, %site, %failed : i64
  %new_a = arith.select %now, %first, %a : i64
  %new_b = arith.select %now, %second, %b : i64
  return %new, %new_a, %new_b : i64, i64, i64
}}
"""
"""Keeps the first failure: its site and operands, or what was recorded before."""


REPRESENTED: dict[type, Callable[[Trace, Any], Any]] = {}
"""What takes the place of objects of these classes that converted code makes."""


@dataclass(frozen=True)
class Site:
    """A run-time check: what it checks, where, and what its message needs to know."""

    kind: str
    place: Position | None
    text: str = ""
    extra: tuple[Any, ...] = ()
    deferred: bool = False
    """Whether the message is made when the check fails: ``extra[0]`` is known only then, and the
    first operand is the number under which the host keeps it."""


def _same_site(left: Site, right: Site) -> bool:
    plain = all(isinstance(each, (str, int)) for each in left.extra)
    return plain and left == right


class ErrorRecord:
    """The cells of the call's error record: the site that failed first, and its operands."""

    def __init__(self, root: Scope, zero: Any) -> None:
        self.code = Cell(root, zero)
        self.operands = (Cell(root, zero), Cell(root, zero))

    @property
    def cells(self) -> tuple[Cell, ...]:
        """All the cells, the code first."""
        return (self.code, *self.operands)


class Attempt:
    """Something recorded that may be taken back."""

    def __init__(self, trace: Trace, mark: tuple[Any, ...], frame: Frame) -> None:
        self.trace = trace
        self.mark = mark
        self.frame = frame

    def take_back(self) -> None:
        """Forget what was recorded, and put back what was written to."""
        self.trace.rollback(self.mark)
        self.frame.restore()

    @property
    def only_computed(self) -> bool:
        """True where no check was recorded and nothing was written."""
        return self.trace.only_computed_since(self.mark) and not self.frame.noted


class Trace:
    """One function being recorded."""

    def __init__(self, name: str, convention: Convention = TENSORFLOW) -> None:
        self.name = name
        self.convention = convention
        self.sites: list[Site] = []
        self.captures: list[tuple[Any, SymbolicTensor]] = []
        self.variables: dict[int, tuple[Any, Any]] = {}
        """The variables that it has met, by their identity, and where it keeps them."""
        self.creation: list[Any] | None = None
        """The variables that it creates; None where it may not."""
        self.error: ErrorRecord | None = None
        self.callbacks: dict[Any, Any] = {}
        """What the host provides, as :class:`agir.ir.host.callbacks.Callback`."""
        self.must_compile = False
        """Whether what only Python can do is refused (``jit_compile=True``)."""
        self.folded: dict[int, Any] = {}
        """Tensors with values that came into being while tracing, by their identity."""
        self.constants_used: dict[int, Any] = {}
        """Tensors with values, of outside, that stand in the text, by their identity."""
        self.unchecked_loops = 0
        self.name_scope = ""
        self.tries: list[Any] = []
        """The `try` statements whose body is being recorded (see ``failing``)."""
        self.caught: dict[int, Any] = {}
        """By their identity, the exceptions that handlers were given."""
        self.journal = Journal()
        self.rolling = False
        """Whether a loop over a Python range is recorded that could be unrolled instead."""
        self.activations: list[Any] = []
        """The converted functions that are being run (`agir.ir.functions.calls`)."""
        self.recursive: dict[int, CodeType] = {}
        """The code of functions that call themselves on run-time values, by its identity."""
        self.unrolled: dict[int, CodeType] = {}
        """The code of those that have to be unrolled all the same."""
        self.obstacles: dict[Any, str] = {}
        """Why functions that call themselves on run-time values are unrolled."""
        self.speculation = 0
        """How many attempts to compute what may not be needed are under way."""
        self.outlining: list[Any] = []
        """The functions of their own that are being recorded, the innermost last."""
        self.explanations = 0
        """How many checks with operands were recorded."""
        self.functions = PrivateFunctions({name, CHECK})
        self.definition: Position | None = None
        """Where the function itself stands, for what belongs to no line of it."""
        self.base_frame = sys._getframe()
        self._exits = ExitStack()

    def __enter__(self) -> Trace:
        ir = bindings.ir
        self._exits.enter_context(bindings.context())
        self.location = ir.Location.unknown()
        self._exits.enter_context(self.location)
        self.root = self.scope = Scope(None)
        self.base_frame = sys._getframe(1)
        stack = getattr(_active, "stack", None)
        if stack is None:
            stack = _active.stack = []
        stack.append(self)
        return self

    def __exit__(self, kind: Any, *exception: Any) -> None:
        _active.stack.pop()
        self._bury(failed=kind is not None)
        self._exits.close()

    def _bury(self, failed: bool) -> None:
        """Put away the blocks that found no place: attempts that were recorded again.

        MLIR must not destroy a value that another block still uses.  After success the leftovers go
        first, inner before outer.  After a failure a debugger may still hold values of any of the
        blocks, so all of them are kept together, and die with the trace.
        """
        if failed:
            self.functions.give_up(self.root.body)
        for scope in reversed(self.root.opened[1:]):
            if failed:
                self.root.adopt(scope)
            else:
                scope.discard()

    # Where recording stands.

    def frames(self) -> list[Any]:
        """The user's frames, innermost first."""
        return locations.user_frames(self.base_frame)

    def place(self) -> Position | None:
        """The user's line that is being recorded."""
        frames = self.frames()
        return locations.position(frames[0]) if frames else self.definition

    def special_method(self) -> str | None:
        """The operator or other special method of a user's class that stands around, if one does."""
        names = [frame.f_code.co_name for frame in self.frames()]
        return next((n for n in names if n.startswith("__") and n.endswith("__")), None)

    def explain(self, message: str) -> str:
        """The message with the user's line and its text under it."""
        place = self.place()
        if place is None:
            return message
        source = linecache.getline(place.file, place.line).strip()
        return f"{message}{_AT}{place}: {source}" if source else f"{message}{_AT}{place}"

    @contextmanager
    def at(self, location: Any) -> Iterator[None]:
        """Record at that MLIR location."""
        before, self.location = self.location, location
        try:
            yield
        finally:
            self.location = before

    @contextmanager
    def at_user_line(self) -> Iterator[str | None]:
        """Record at the user's current line; gives the name that the line is about to assign."""
        frames = self.frames()
        location = locations.location_of([locations.position(f) for f in frames])
        location = locations.named(location, self.name_scope)
        with self.at(location):
            yield locations.assigned_name(frames)

    @contextmanager
    def inside(self, scope: Scope) -> Iterator[Scope]:
        """Record into another region."""
        before, self.scope = self.scope, scope
        try:
            yield scope
        finally:
            self.scope = before

    def made(self, value: Any) -> Any:
        """Announce a Python object that has come into being, and give what is used in its place."""
        value = self.represent(value)
        self.journal.made(value)
        return value

    def represent(self, value: Any) -> Any:
        """What stands for a new object while tracing."""
        replacement = REPRESENTED.get(type(value))
        return value if replacement is None else replacement(self, value)

    def named_location(self, name: str) -> Any:
        """The current location with a variable's name around it."""
        return locations.named(self.location, name)

    def checkpoint(self) -> tuple[Any, ...]:
        """A mark to which :meth:`rollback` returns."""
        created = len(self.creation or ())
        return (self.scope, self.scope.snapshot(), len(self.sites), dict(self.caught), created)

    @contextmanager
    def attempt(self) -> Iterator[Attempt]:
        """Record something that may be taken back."""
        mark = self.checkpoint()
        with self.journal.attempt() as frame:
            yield Attempt(self, mark, frame)

    def rollback(self, mark: tuple[Any, ...]) -> None:
        """Forget everything recorded since the mark was made."""
        scope, snapshot, sites, self.caught, created = mark
        assert scope is self.scope, "a rollback stays within the region of its checkpoint"
        scope.restore(snapshot)
        del self.sites[sites:]
        if self.creation is not None:
            del self.creation[created:]

    def only_computed_since(self, mark: tuple[Any, ...]) -> bool:
        """True where no check or effect was recorded and no array written since the mark."""
        _, snapshot, sites, *_ = mark
        values, written, effects = snapshot[1], snapshot[2], snapshot[5]
        return (
            len(self.sites) == sites
            and self.scope.written == written
            and self.scope.effects == effects
            and all(self.scope.values[cell] is value for cell, value in values.items())
        )

    # Creating operations.

    def create(
        self,
        name: str,
        types: Sequence[Any] = (),
        operands: Sequence[Any] = (),
        attributes: dict[str, Any] | None = None,
        regions: int = 0,
    ) -> Any:
        """Append an MLIR operation with these result types to the current region."""
        operation = bindings.ir.Operation.create(
            name,
            results=list(types),
            operands=list(operands),
            attributes=attributes,
            regions=regions,
            loc=self.location,
            ip=self.scope.insertion,
        )
        self.scope.recorded.append(operation)
        return operation

    def op(self, name: str, result: Any, *operands: Any, **attributes: Any) -> Any:
        """Append an operation with one result and return that result."""
        return self.create(name, (result,), operands, attributes or None).result

    def index_type(self) -> Any:
        """MLIR's ``index``."""
        return bindings.ir.IndexType.get()

    def constant(self, dtype: DType, value: Any) -> Any:
        """A scalar constant; one for each value in a region and those around it."""
        key = (dtype.name, repr(value))
        found = self.scope.recall("constants", key)
        if found is None:
            name = "complex.constant" if dtype.is_complex else "arith.constant"
            try:
                attribute = attributes.scalar(dtype, value)
            except OverflowError:
                raise self.too_large(dtype, value) from None
            found = self.op(name, dtype.mlir(), value=attribute)
            self.scope.constants[key] = found
        return found

    def too_large(self, dtype: DType, value: Any) -> OverflowError:
        """The error that a Python number is too large for a dtype."""
        return OverflowError(
            self.explain(f"the Python integer {value} is out of bounds for {dtype.name}")
        )

    def index(self, value: int) -> Any:
        """A constant of type ``index``."""
        key = ("index", value)
        found = self.scope.recall("constants", key)
        if found is None:
            ir = bindings.ir
            attribute = ir.IntegerAttr.get(self.index_type(), value)
            found = self.op("arith.constant", self.index_type(), value=attribute)
            self.scope.constants[key] = found
        return found

    def dense(self, dtype: DType, shape: tuple[int, ...], array: Any) -> Any:
        """A constant tensor; ``array`` is broadcast to the shape (a splat where it is a scalar)."""
        values = np.broadcast_to(np.asarray(array, dtype.numpy), shape)
        if dtype.is_complex:
            return self._complex_tensor(dtype, values)
        attribute = attributes.dense(dtype, values)
        return self.op("arith.constant", mlir_type(dtype, shape), value=attribute)

    def _complex_tensor(self, dtype: DType, values: np.ndarray[Any, Any]) -> Any:
        # The bindings cannot hold a dense attribute of complex numbers.
        result = mlir_type(dtype, values.shape)
        if values.size and not any(values.strides):
            return self.op("tensor.splat", result, self.constant(dtype, values.flat[0]))
        return self.op(
            "tensor.from_elements", result, *(self.constant(dtype, v) for v in values.flat)
        )

    def insert_dim(self, tensor: Any, axis: int) -> Any:
        """``tensor.dim`` right after the tensor's definition."""
        ir = bindings.ir
        owner = tensor.owner
        if isinstance(owner, ir.Block):
            point = ir.InsertionPoint.at_block_begin(owner)
        else:
            point = ir.InsertionPoint.after(owner)
        with ir.Location.unknown():
            attribute = ir.IntegerAttr.get(self.index_type(), axis)
            constant = ir.Operation.create(
                "arith.constant", [self.index_type()], [], {"value": attribute}, ip=point
            )
            after = ir.InsertionPoint.after(constant)
            operands = [tensor, constant.result]
            return ir.Operation.create("tensor.dim", [self.index_type()], operands, ip=after).result

    # Tensors.

    def make(self, ssa: Any, dtype: DType, dims: Dims, weak: bool = False) -> SymbolicTensor:
        """A symbolic tensor for a new SSA value; an array gets a cell of its own."""
        storage = Owned(self.scope, ssa) if dims else Fixed(self.scope, ssa)
        return SymbolicTensor(self, storage, dtype, dims, weak)

    def read(self, tensor: SymbolicTensor) -> Any:
        """The tensor's SSA value where recording stands."""
        if tensor.trace is not self:
            raise InaccessibleTensorError(
                self.explain(
                    "a tensor of another traced function (or of an earlier trace of this one) "
                    "is used here; pass it as an argument, or return it from the function"
                )
            )
        try:
            return tensor.storage.read(self)
        except LookupError:
            raise InaccessibleTensorError(
                self.explain(
                    "a tensor made inside a loop body or a branch is used outside of it; "
                    "assign it to a variable that the loop or branch carries"
                )
            ) from None

    def fold(self, value: Any, operands: Iterable[Any] = ()) -> Any:
        """Note that tensors with values were computed here, of what, and are none of outside."""
        for each in operands:
            if isinstance(each, Tensor):
                self.use(each)
        for each in value if isinstance(value, tuple) else (value,):
            self.folded[id(each)] = each
        return value

    def use(self, tensor: Tensor) -> None:
        """Note that a tensor with a value, unless it was computed here, is a constant of the text."""
        if id(tensor) not in self.folded:
            self.constants_used[id(tensor)] = tensor

    def argument(self, dtype: DType, shape: Any, name: str | None) -> SymbolicTensor:
        """Append an argument to the function."""
        location = locations.named(self.location, name)
        ssa = self.root.block.add_argument(mlir_type(dtype, tuple(shape)), location)
        dims = tuple(
            extent if extent is not None else Dim(source=ssa, axis=axis)
            for axis, extent in enumerate(shape)
        )
        storage = Owned(self.root, ssa) if dims else Fixed(self.root, ssa)
        tensor = SymbolicTensor(self, storage, dtype, dims)
        tensor.shared = True
        return tensor

    def capture(self, owner: Any, array: np.ndarray[Any, Any], dtype: DType) -> SymbolicTensor:
        """An array from outside the function as a further argument of it."""
        for captured, tensor in self.captures:
            if captured is owner:
                return tensor
        with self.at(bindings.ir.Location.unknown()):
            tensor = self.argument(dtype, array.shape, f"captured{len(self.captures)}")
        self.captures.append((owner, tensor))
        return tensor

    def state_argument(self, owner: Any, dtype: DType, shape: Any, name: str) -> Any:
        """The value of a variable before the call, as a further argument of the function."""
        with self.at(bindings.ir.Location.unknown()):
            tensor = self.argument(dtype, shape, name)
        self.captures.append((owner, tensor))
        return tensor.storage.origin

    # Operations of the table.

    def record(self, operation: dispatch.Operation, parameters: dict[str, Any]) -> Any:
        """Apply the operation's type rule, emit it, and name the result after its variable."""
        with self.at_user_line() as name:
            mark = len(self.scope.recorded)
            try:
                result = operation.rule(**operation.types(parameters))
                output = operation.emit(self, result, **parameters)
            except (TypeError, ValueError, IndexError) as error:
                self.locate(error)
                if type(error) is IndexError:
                    raise RuntimeIndexError(*error.args) from None
                raise
            if name and isinstance(output, SymbolicTensor):
                self.name_value(output, name, mark)
        return output

    def locate(self, error: Exception) -> None:
        """Add the user's line to the message of an error in the use of an operation."""
        if len(error.args) == 1 and isinstance(error.args[0], str) and _AT not in error.args[0]:
            error.args = (self.explain(error.args[0]),)

    def name_value(self, tensor: SymbolicTensor, name: str, mark: int) -> None:
        """Put the variable's name on the operation, recorded since ``mark``, behind the tensor."""
        storage = tensor.storage
        ssa = storage.ssa if isinstance(storage, Fixed) else None
        ssa = storage.cell.initial if isinstance(storage, Owned) else ssa
        if ssa is None or isinstance(ssa.owner, bindings.ir.Block):
            return
        owner = ssa.owner.operation
        if owner in self.scope.recorded[mark:] and not owner.name.endswith(".constant"):
            owner.location = locations.named(owner.location, name)

    @contextmanager
    def speculating(self) -> Iterator[None]:
        """What is recorded meanwhile may be computed without being needed."""
        self.speculation += 1
        try:
            yield
        finally:
            self.speculation -= 1

    # Run-time checks.

    def guard(self, ok: Any, site: Site, first: Any = None, second: Any = None) -> None:
        """Check ``ok`` (i1) at run time; the first check that fails is what the call raises.

        ``first`` and ``second`` are i64 operands for the message.
        """
        number = self._number(site)
        self.explanations += first is not None or second is not None
        zero = self.constant(int64, 0)
        cells = self.error_record().cells
        operands = [ok, self.constant(int64, number), first or zero, second or zero]
        operands += [self.scope.read(cell) for cell in cells]
        callee = bindings.ir.FlatSymbolRefAttr.get(CHECK)
        i64 = int64.mlir()
        call = self.create("func.call", (i64, i64, i64), operands, {"callee": callee})
        for cell, value in zip(cells, call.results, strict=True):
            self.scope.write(cell, value)

    def note_effect(self) -> None:
        """Something was recorded that must happen although nothing uses a result of it."""
        scope: Scope | None = self.scope
        while scope is not None:
            scope.effects += 1
            scope = scope.parent

    def _number(self, site: Site) -> int:
        """The site's number, from 1; in a function of its own that of an equal one, if any.

        Such a function is recorded for each call from outside, and then is the same text.
        """
        if self.outlining:
            for number, known in enumerate(self.sites):
                if _same_site(known, site):
                    return number + 1
        self.sites.append(site)
        return len(self.sites)

    @property
    def can_fail(self) -> bool:
        """True where a check was recorded, and not taken back: the function returns its record."""
        return bool(self.sites)

    @property
    def record_cells(self) -> tuple[Cell, ...]:
        """The cells of the error record; none where nothing can fail."""
        return self.error.cells if self.error is not None and self.can_fail else ()

    def failing(self) -> Any:
        """The error code so far (i64, zero while nothing failed); None where nothing can fail."""
        return None if self.error is None else self.scope.read(self.error.code)

    def error_record(self) -> ErrorRecord:
        """The cells of the error record, from now on part of the trace."""
        if self.error is None:
            ir = bindings.ir
            point = ir.InsertionPoint.at_block_begin(self.root.block)
            i64 = int64.mlir()
            attribute = ir.IntegerAttr.get(i64, 0)
            zero = ir.Operation.create(
                "arith.constant", [i64], [], {"value": attribute}, ip=point, loc=self.location
            )
            self.error = ErrorRecord(self.root, zero.result)
        return self.error

    def compare(self, predicate: str, left: Any, right: Any) -> Any:
        """``arith.cmpi`` on scalars."""
        attribute = attributes.integer_predicate(predicate)
        return self.op("arith.cmpi", bool_.mlir(), left, right, predicate=attribute)

    def site(self, kind: str, *extra: Any) -> Site:
        """A site at the user's current line."""
        place = self.place()
        text = "" if place is None else linecache.getline(place.file, place.line).strip()
        return Site(kind, place, text, extra)
