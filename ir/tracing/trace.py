"""The trace: one function being recorded into MLIR.

A :class:`Trace` owns the module's builder (where recording stands, at which source location), the
scopes of the regions that are open, the run-time checks, and the arrays captured from outside.
"""

from __future__ import annotations

import linecache
import sys
import weakref
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import ExitStack, contextmanager
from types import CodeType
from typing import Any

import numpy as np

from agir.autograph import operators
from agir.errors import InaccessibleTensorError, RuntimeIndexError, StagingError
from agir.ir import bypass, hooks, recording
from agir.ir.building import bindings, locations
from agir.ir.building.cells import Scope
from agir.ir.building.checks import CHECK, Checks
from agir.ir.building.locations import Position
from agir.ir.building.private_functions import PrivateFunctions
from agir.ir.building.program import Before, Block, Operation, Value
from agir.ir.building.types import DType, Shape, mlir_type
from agir.ir.convention import TENSORFLOW, Convention
from agir.ir.tensors import dispatch, mistakes
from agir.ir.tensors.symbolic import Dim, Dims, Fixed, Owned, Protected, Retrace, SymbolicTensor
from agir.ir.tensors.tensor import Tensor
from agir.ir.tracing.journal import Frame, Journal, Marks
from agir.ir.tracing.known_arrays import KnownArrays
from agir.ir.tracing.known_numbers import KnownNumbers
from agir.ir.tracing.left_to_python import LeftToPython, Loops

CAPTURE_LIMIT = 16
"""Arrays of more elements than this are passed to the function; smaller ones stand in its text."""

_AT = "\n  at "


def without_place(message: str) -> str:
    """A message without the user's line that was added to it."""
    return message.partition(_AT)[0]


class Copies:
    """Arrays of which something has copies, which watches them as long as it lives."""

    def __init__(self) -> None:
        self.arrays: list[Any] = []


current: Callable[[], Trace | None] = recording.current
"""The trace that this thread is recording, if any."""

REPRESENTED: dict[type, Callable[[Trace | None, Any], Any]] = {}
"""What takes the place of objects of these classes that converted code makes."""


class Attempt:
    """Something recorded that may be taken back."""

    def __init__(self, trace: Trace, mark: tuple[Any, ...], frame: Frame) -> None:
        self.trace = trace
        self.mark = mark
        self.frame = frame

    def roll_back(self) -> None:
        """Forget what was recorded, and put back what was written to."""
        self.trace.rollback(self.mark)
        self.frame.restore()

    @property
    def only_computed(self) -> bool:
        """True where no check was recorded and nothing was written."""
        return self.trace.only_computed_since(self.mark) and not self.frame.noted


class WithOperators(Retrace):
    """Objects come up whose class has operators that a user has written."""

    def tell(self, trace: Trace) -> None:
        """Functions are converted with their operators."""
        trace.has_operators = True


class _AtUserLine:
    """A context in which operations are recorded at the user's line; one is made for each of them."""

    __slots__ = ("_before", "_trace")

    def __init__(self, trace: Trace) -> None:
        self._trace = trace

    def __enter__(self) -> str | None:
        trace = self._trace
        location, name = trace.stack.where()
        self._before, trace.location = trace.location, locations.named(location, trace.name_scope)
        return name

    def __exit__(self, *_: object) -> None:
        self._trace.location = self._before


class Trace(Checks):
    """One function being recorded."""

    def __init__(self, name: str, convention: Convention = TENSORFLOW) -> None:
        super().__init__()
        self.name = name
        self.convention = convention
        self.captures: list[tuple[Any, SymbolicTensor]] = []
        self._elements: dict[tuple[str, Shape, bytes], np.ndarray[Any, Any]] = {}
        self.outside: list[tuple[Any, SymbolicTensor]] = []
        """The arrays of outside that are read and written where they lie, each with its symbol."""
        self.layouts: dict[Any, Any] = {}
        """The steps of arrays that do not lie row by row, by their cells (`ir/ops/core/layouts.py`)."""
        self.derived: dict[Any, Any] = {}
        """What arrays were computed of elementwise, by their cells: they lie as that does."""
        self.listed: tuple[list[Any], list[Any]] = ([], [])
        """The arrays in lists of run-time length, and how those lie that were taken of such lists."""
        self.has_open_arguments = False
        """Whether there are arguments with sizes that only the run time knows."""
        self.argument_cells: dict[Any, int] = {}
        """The arrays that are arguments, by their cells, with their numbers."""
        self.assumes: list[Any] = []
        """What has been assumed of how arguments lie."""
        self.containers: list[tuple[Any, Any]] = []
        """The containers of arrays of outside, each with the one of symbols that stands for it."""
        self.codes_text = False
        """Whether text that holds run-time values is a list of code points."""
        self.remembering: list[Any] = []
        """Functions with a cache that is a table of the compiled function."""
        self.memos: dict[int, tuple[Any, Any, Scope]] = {}
        """By their identity, these functions, their tables, and where those have been made."""
        self.running: list[Any] = []
        """Functions with a cache that are being run."""
        self.passed_objects: dict[int, Any] = {}
        """The containers that outlined functions got as copies, by their identity."""
        self.parts_of_callers: dict[int, tuple[Any, Any]] = {}
        """The parts of those that are tables, likewise, with the table."""
        self.tables: set[Any] = set()
        """The places where dicts and sets are made whose keys only the run time knows."""
        self.tables_made: dict[int, tuple[Any, Any]] = {}
        """Those dicts and sets, by their identity, and the places where they were made."""
        self.made_at: dict[int, tuple[Any, Any]] = {}
        """Other dicts and sets, by their identity, and the places where they were made."""
        self.examples: list[object] = []
        """What users' types have made in the place of arguments: a call has others."""
        self.cells: frozenset[int] = frozenset()
        """The variables of the functions around the one that is traced, by their identity."""
        self.guards: dict[Any, Any] = {}
        """The attributes of outside whose numbers are constants of the trace."""
        self.assigned_numbers: dict[Any, Any] = {}
        """The attributes with numbers in them that the function assigns to, with their owners."""
        self.variables: dict[int, tuple[Any, Any]] = {}
        """The variables that it has met, by their identity, and where it keeps them."""
        self.creation: list[Any] | None = None
        """The variables that it creates; None where it may not."""
        self.callbacks: dict[Any, Any] = {}
        """What the host provides, as :class:`agir.ir.host.callbacks.Callback`."""
        self.may_be_repeated = False
        """Whether plain Python runs what cannot be recorded: tracing then does nothing for good."""
        self.callers: dict[int, tuple[Any, tuple[Any, ...]]] = {}
        """The containers that stand for the caller's, by their identity, with where those are found."""
        self.met: dict[int, tuple[Any, Any, str]] = {}
        """The containers of outside that were read, by their identity, with what holds them."""
        self.opened: dict[int, set[tuple[int, str]]] = {}
        """Those that are passed at each call, with their places (``ir/tracing/opened.py``)."""
        self.given: list[Any] = []
        """The caller's lists and objects that are passed as arrays (``values/heap/references.py``)."""
        self.given_roots: list[Any] = []
        """The arguments, and parts of such, that are or have objects passed so."""
        self.written_out: set[Any] = set()
        """The places in loops where entries of dicts are put in without a call."""
        self.searches_left: int | None = None
        """So many more calls of the library are recorded; None for any number."""
        self.powers_are_mixed = False
        """Whether an int to the power of an int that only the run time knows may be a float."""
        self.must_compile = False
        """Whether what only Python can do is refused (``jit_compile=True``)."""
        self.folded: dict[int, Any] = {}
        """Tensors with values that came into being while tracing, by their identity."""
        self.constants_used: dict[int, Any] = {}
        """Tensors with values, of outside, that stand in the text, by their identity."""
        self.unchecked_loops = 0
        self.name_scope = ""
        self.has_tried = False
        """Whether there was a `try` statement, after whose body checks may have failed."""
        self.caught: dict[int, Any] = {}
        """By their identity, the exceptions that handlers were given."""
        self.held: dict[int, Any] = {}
        """By the numbers of their sites, where the values are that exceptions hold."""
        self.classes: dict[type, bool] = {}
        """The classes of the objects that it has made, and whether a branch or loop has."""
        self.has_operators = False
        """Whether operators are called that the user has written, for objects of these or others."""
        self.made_in = Marks()
        """The regions in which objects of library classes were made (``ir/python/foreign.py``)."""
        self.known_numbers = KnownNumbers()
        self.known_arrays = KnownArrays(self.functions_around, self._refuse_write)
        self.journal = Journal(self.known_arrays)
        self.loops = Loops()
        self.left_to_python = LeftToPython()
        self.lists_are_short = False
        """Whether lists of numbers are passed number by number that could be passed as arrays."""
        self.knows_identities = False
        """Whether arrays and tuples of the caller's that are one object are one here, too."""
        self.is_for_all_calls = False
        """Whether an input signature says of arguments all that may be known of them."""
        self.rolling = False
        """Whether a loop over a Python range is recorded that could be unrolled instead."""
        self.activations: list[Any] = []
        """The converted functions that are being run (`agir.ir.functions.calls`)."""
        self.calls: dict[Any, int] = {}
        """How often a function that is being run has called itself, by what tells functions apart."""
        self.calls_itself_often: set[int] = set()
        """The code, by its identity, of those that do so very often on numbers that Python knows."""
        self.recursive: dict[int, CodeType] = {}
        """The code of functions that call themselves on run-time values, by its identity."""
        self.unrolled: dict[int, CodeType] = {}
        """The code of those that have to be unrolled all the same."""
        self.obstacles: dict[Any, str] = {}
        """Why functions that call themselves on run-time values are unrolled."""
        self.speculation = 0
        self._speculative: Scope | None = None
        """The region in which what is recorded now was begun without being needed."""
        """How many attempts to compute what may not be needed are under way."""
        self.waiting_checks: list[tuple[Any, Any, Any]] = []
        """Checks of what may not be needed (``ir/emission/exact_integers.py``)."""
        self.exact_sums: set[Value] = set()
        """Results that are what they would be without a limit of bits, or a check fails."""
        self.stand_ins: dict[int, tuple[Any, SymbolicTensor]] = {}
        """Tensors with values that a tape watches, by their identity, and what is used for them."""
        self.replaced: dict[Value, Value] = {}
        """Values of operations that are to go, and those that take their places."""
        self.defers_errors = False
        """Whether what tracing has raised is raised when the function runs."""
        self.tracks_arrays = False
        """Whether it is noted which of several arrays a name stands for."""
        self.kinds: Any = None
        """What earlier traces have learnt of lists that are items of lists."""
        self.pools: Any = None
        """The lists that are items of lists, where they are known by themselves."""
        self.copies = self.kept = Copies()
        """Arrays that a name may stand for, which is of no consequence until they are written to."""
        self.passing: weakref.WeakSet[Copies] = weakref.WeakSet()
        """Those of which only a list that may be gone soon has copies."""
        self.recordings: list[Any] = []
        """The loops around, as they are being recorded this time."""
        self.paths: Any = None
        """What the paths leave that are being joined."""
        self.superseded: list[Operation] = []
        """Operations that are to go: something else takes their place."""
        self.inserted: list[Before] = []
        """What was put before operations that had been recorded."""
        self.stored: list[tuple[SymbolicTensor, Any]] = []
        """Tensors that were given another storage, and the one that each had."""
        self.functions = PrivateFunctions({name, CHECK})
        self.library: dict[int, list[Any]] = {}
        """Functions of the library that are called, by what each is made of (``functions/library``)."""
        self.definition: Position | None = None
        """Where the function itself stands, for what belongs to no line of it."""
        self.stack = locations.Stack(sys._getframe(1))
        self._exits = ExitStack()

    def __enter__(self) -> Trace:
        self._exits.enter_context(bindings.context())
        self.location = locations.unknown()
        self._exits.enter_context(self.location)
        self.root = self.scope = Scope(None)
        self.stack = locations.Stack(sys._getframe(1))
        recording.begin(self)
        bypass.add()
        return self

    def __exit__(self, *exception: object) -> None:
        recording.end()
        bypass.remove()
        self.stack.forget()
        self._exits.close()

    # Where recording stands.

    def frames(self) -> list[Any]:
        """The user's frames, innermost first."""
        return locations.user_frames(self.stack.base)

    def functions_around(self) -> list[list[Any]]:
        """The user's frames, with those of the statements around in the same function."""
        return locations.activations(self.stack.base)

    def _refuse_write(self) -> None:
        raise StagingError(
            self.explain(
                "a NumPy array that was made by code that is not converted is written into: that "
                "happens once, while the function is traced; write into a copy, np.array(x)"
            )
        )

    def place(self) -> Position | None:
        """The user's line that is being recorded."""
        frame = locations.innermost(self.stack.base)
        return self.definition if frame is None else locations.position(frame)

    def refusing(self, what: str, tensor: SymbolicTensor) -> None:
        """Python asks for a value that there is not: another trace may know it, or do without."""
        if not tensor.dims:
            self.ask(self.read(tensor))
        elif isinstance(tensor.dims[0], Dim):
            self.ask(tensor.dims[0].value(self))
        operators.overload_operators(self.frames(), what.startswith("bool("))

    def ask(self, ssa: Any) -> None:
        """A number decides what is recorded: a trace that knows it may record what this one cannot."""
        self.known_numbers.ask(ssa, self.root.block)

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

    def at_user_line(self) -> _AtUserLine:
        """Record at the user's current line; gives the name that the line is about to assign."""
        return _AtUserLine(self)

    def made(self, value: Any) -> Any:
        """Announce a Python object that has come into being, and give what is used in its place."""
        value = self.represent(value)
        self.meets(type(value))
        self.journal.made(value)
        inside = len(self.journal.frames) > 1
        self.classes[type(value)] = inside or self.classes.get(type(value), False)
        return value

    def meets(self, kind: type) -> None:
        """An object of a class comes up: with operators that a user has written, they are converted.

        Python would call them as they are, and nobody would be told of what they make and change.
        """
        if self.has_operators or kind in self.classes or kind.__module__.startswith("agir."):
            return
        if kind.__module__ != "builtins" and operators.has_operators(kind):
            raise WithOperators

    def is_callers(self, value: Any) -> bool:
        """Whether an object stands for a container of the caller's."""
        return id(value) in self.callers and self.callers[id(value)][0] is value

    def is_elsewhere(self, value: Any) -> bool:
        """Whether an object is known, too, to what calls the function or an outlined one."""
        return self.is_callers(value) or self.passed_objects.get(id(value)) is value

    def represent(self, value: Any) -> Any:
        """What stands for a new object while tracing."""
        replacement = REPRESENTED.get(type(value))
        return value if replacement is None else replacement(self, value)

    def checkpoint(self) -> tuple[Any, ...]:
        """A mark to which :meth:`rollback` returns."""
        created = len(self.creation or ())
        replaced = len(self.superseded)
        counts = (
            len(self.sites), created, replaced, len(self.inserted), len(self.stored),
            len(self.waiting_checks),
        )  # fmt: skip
        return (self.scope, self.scope.snapshot(), dict(self.caught), counts)

    @contextmanager
    def attempt(self) -> Iterator[Attempt]:
        """Record something that may be taken back."""
        mark = self.checkpoint()
        with self.journal.attempt() as frame:
            yield Attempt(self, mark, frame)

    def rollback(self, mark: tuple[Any, ...]) -> None:
        """Forget everything recorded since the mark was made."""
        scope, snapshot, self.caught, counts = mark
        sites, created, replaced, inserted, stored, waiting = counts
        assert scope is self.scope, "a rollback stays within the region of its checkpoint"
        while len(self.superseded) > replaced:
            for value in self.superseded.pop().results:
                del self.replaced[value]
        while len(self.inserted) > inserted:
            self.inserted.pop().roll_back()
        while len(self.stored) > stored:
            tensor, before = self.stored.pop()
            tensor.storage = before
        scope.restore(snapshot)
        del self.sites[sites:]
        del self.waiting_checks[waiting:]
        if self.creation is not None:
            del self.creation[created:]

    def store(self, tensor: SymbolicTensor, storage: Any) -> None:
        """Give a tensor another storage, until what is recorded from here on is taken back."""
        self.stored.append((tensor, tensor.storage))
        tensor.storage = storage

    def stand_in(self, value: Any) -> SymbolicTensor:
        """The symbolic tensor that is used for a tensor with a value from now on."""
        known = self.stand_ins.get(id(value))
        if known is not None and self.scope.encloses(known[1].storage.home):
            return known[1]
        made: SymbolicTensor = hooks.gradients.stand_in(self, value)
        self.stand_ins[id(value)] = (value, made)
        return made

    def open(self, value: Tensor) -> None:
        """Take a tensor of outside as a further argument, wherever it is used."""
        found = self.capture(value, np.asarray(value.numpy()), value.dtype)
        self.stand_ins[id(value)] = (value, found)

    def standing_in(self, value: Any) -> Any:
        """The tensor that is used for this one, or for those in a list."""
        if isinstance(value, (list, tuple)):
            return (
                type(value)(map(self.standing_in, value)) if type(value) in (list, tuple) else value
            )
        return self.stand_in(value) if id(value) in self.stand_ins else value

    # Operations that others take the place of.

    def supersede(self, old: Operation, values: Sequence[Value]) -> None:
        """Let the values, which are made right before it, take the place of an operation's results.

        Python may hold those still, so the operation stays until the trace is finished.
        """
        self.superseded.append(old)
        self.replaced.update(zip(old.results, values, strict=True))

    def replacement(self, value: Any) -> Any:
        """The value that has taken the place of this one; itself where none has."""
        while (found := self.replaced.get(value)) is not None:
            value = found
        return value

    def settle_superseded(self, block: Block, first: int = 0) -> None:
        """Let operations in a block use what takes the place of others, which go."""
        gone = self.superseded[first:]
        if not gone:
            return
        results = [value for old in gone for value in old.results]
        block.replace({value: self.replacement(value) for value in results})
        for value in results:
            del self.replaced[value]
        for old in gone:
            if old.block is not None:
                old.block.remove([old])
        del self.superseded[first:]

    def only_computed_since(self, mark: tuple[Any, ...]) -> bool:
        """True where no check or effect was recorded and no array written since the mark."""
        _, snapshot, _, (sites, *_) = mark
        values, written, effects = snapshot[1], snapshot[2], snapshot[5]
        return (
            len(self.sites) == sites
            and self.scope.written == written
            and self.scope.effects == effects
            and all(self.scope.values[cell] is value for cell, value in values.items())
        )

    # Tensors.

    def count_searches(self, count: int) -> None:
        """Note that tables or texts are searched, which is not to be recorded too often."""
        if self.searches_left is None:
            return
        self.searches_left -= count
        if self.searches_left < 0:
            raise StagingError(self.explain("the program searches tables and texts too often"))

    def make(self, ssa: Any, dtype: DType, dims: Dims, weak: bool = False) -> SymbolicTensor:
        """A symbolic tensor for a new SSA value; an array gets a cell of its own."""
        storage = Owned(self.scope, ssa) if dims else Fixed(self.scope, ssa)
        return SymbolicTensor(self, storage, dtype, dims, weak)

    def watch(self, array: SymbolicTensor) -> None:
        """Begin anew if the array is written to: what stands for it may be read after that.

        An iteration of a loop that has written to it by now will do so again.
        """
        self.copies.arrays.append(array)
        if self.copies is self.kept:
            self._check_iteration(array)

    def _check_iteration(self, array: SymbolicTensor) -> None:
        storage = array.storage
        in_iterations = isinstance(storage, Owned) and self.scope.repeats_since(storage.home)
        if in_iterations and self.scope.has_written(storage.cell):
            storage.refuse(self)

    @property
    def watched(self) -> list[Any]:
        """The arrays of which something has copies."""
        return [array for each in (self.kept, *self.passing) for array in each.arrays]

    @contextmanager
    def copying(self, copies: Copies) -> Iterator[None]:
        """Watch the arrays copied meanwhile for as long as the owner of the copies is there."""
        before, self.copies = self.copies, copies
        self.passing.add(copies)
        try:
            yield
        finally:
            self.copies = before

    def keep_copies(self, copies: Copies | None) -> None:
        """Watch the arrays to the end: copies of them have gone elsewhere."""
        if copies is None:
            return
        arrays, copies.arrays = copies.arrays, []
        self.kept.arrays += arrays
        for each in arrays:
            self._check_iteration(each)

    def settle(self, tensor: SymbolicTensor) -> None:
        """Give a tensor that is made on demand elements before a loop, which may write into it later.

        What the loop reads is then what an earlier iteration has written.
        """
        storage = tensor.storage
        waits = hasattr(storage, "own") and not getattr(storage, "never_changes", False)
        if waits and self.scope.repeats_since(storage.home):
            storage.own(self, tensor)

    def read(self, tensor: SymbolicTensor) -> Any:
        """The tensor's SSA value where recording stands."""
        if tensor.recorder is not self:
            raise InaccessibleTensorError(
                self.explain(
                    "a tensor of another traced function (or of an earlier trace of this one) "
                    "is used here; pass it as an argument, or return it from the function"
                )
            )
        try:
            self.settle(tensor)
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
            tensor.freeze()
            self.constants_used[id(tensor)] = tensor

    def argument(
        self, dtype: DType, shape: Any, name: str | None, read_only: bool = False
    ) -> SymbolicTensor:
        """Append an argument to the function."""
        location = locations.named(self.location, name)
        ssa = self.root.block.add_argument(mlir_type(dtype, tuple(shape)), location)
        dims = tuple(
            size if size is not None else Dim(source=ssa, axis=axis)
            for axis, size in enumerate(shape)
        )
        owned = Protected if read_only else Owned
        storage = owned(self.root, ssa) if dims else Fixed(self.root, ssa)
        tensor = SymbolicTensor(self, storage, dtype, dims)
        tensor.shared = True
        self.has_open_arguments |= None in shape
        return tensor

    def same_elements(self, array: np.ndarray[Any, Any]) -> np.ndarray[Any, Any]:
        """The array that stands for all constants of the same elements: nobody writes into it."""
        key = array.dtype.str, array.shape, array.tobytes()
        return self._elements.setdefault(key, array)

    def capture(self, owner: Any, array: np.ndarray[Any, Any], dtype: DType) -> SymbolicTensor:
        """An array from outside the function as a further argument of it."""
        for captured, tensor in self.captures:
            if captured is owner:
                return tensor
        with self.at(locations.unknown()):
            tensor = self.argument(dtype, array.shape, f"captured{len(self.captures)}")
        self.captures.append((owner, tensor))
        return tensor

    def state_argument(self, owner: Any, dtype: DType, shape: Any, name: str) -> Any:
        """The value of a variable before the call, as a further argument of the function."""
        with self.at(locations.unknown()):
            tensor = self.argument(dtype, shape, name)
        self.captures.append((owner, tensor))
        return tensor.storage.origin

    # Operations of the table.

    def record(self, operation: dispatch.Operation, parameters: dict[str, Any]) -> Any:
        """Apply the operation's type rule, emit it, and name the result after its variable."""
        before = self.location
        location, name = self.stack.where(3)
        self.location = locations.named(location, self.name_scope) if self.name_scope else location
        mark = len(self.scope.recorded)
        try:
            result = operation.result_type(self, parameters)
            output = operation.emit(self, result, **parameters)
            if name and isinstance(output, SymbolicTensor):
                self.name_value(output, name, mark)
        except (TypeError, ValueError, IndexError) as error:
            self.locate(error)
            if type(error) is IndexError:
                raise RuntimeIndexError(*error.args) from None
            raise
        finally:
            self.location = before
        return output

    def locate(self, error: Exception) -> None:
        """Add the user's line to the message of an error in the use of an operation."""
        mistakes.check(error)
        if len(error.args) == 1 and isinstance(error.args[0], str) and _AT not in error.args[0]:
            error.args = (self.explain(error.args[0]),)

    def name_value(self, tensor: SymbolicTensor, name: str, mark: int) -> None:
        """Put the variable's name on the operation, recorded since ``mark``, behind the tensor."""
        storage = tensor.storage
        ssa = storage.ssa if isinstance(storage, Fixed) else None
        ssa = storage.cell.initial if isinstance(storage, Owned) else ssa
        owner = None if ssa is None else ssa.maker
        if owner is None:
            return
        if owner in self.scope.recorded[mark:] and not owner.name.endswith(".constant"):
            owner.location = locations.named(owner.location, name)

    @contextmanager
    def speculating(self) -> Iterator[None]:
        """What is recorded meanwhile may be computed without being needed."""
        before, self._speculative = self._speculative, self.scope
        self.speculation += 1
        try:
            yield
        finally:
            self._speculative = before
            self.speculation -= 1

    @property
    def checks_wait(self) -> bool:
        """Whether a check waits until it is known if it is needed: one in a branch stays in it."""
        return self.scope is self._speculative

    def note_effect(self) -> None:
        """Something was recorded that must happen although nothing uses a result of it."""
        scope: Scope | None = self.scope
        while scope is not None:
            scope.effects += 1
            scope = scope.parent
