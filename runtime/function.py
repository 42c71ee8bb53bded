"""Decorated functions: ``GenericFunction``, one callable over all signatures."""

from __future__ import annotations

import copy
import functools
import inspect
import threading
import time
import weakref
from collections.abc import Callable
from functools import partial
from types import FunctionType
from typing import TYPE_CHECKING, Any, Concatenate, Generic, ParamSpec, TypeVar, cast, overload

from agir.by_identity import IdentityDict
from agir.config import config
from agir.errors import InternalError, OverlappingArgumentsError, StageError
from agir.ir import hooks, recording
from agir.ir.tensors import structure
from agir.ir.tensors.tensor import Tensor
from agir.ir.tracing.outdated import (
    Identified,
    LayoutError,
    Lengthy,
    Opening,
    OutdatedError,
    ReadOnlyError,
)
from agir.runtime import pickling
from agir.runtime.blame import at_caller
from agir.runtime.calling import machine_calls
from agir.runtime.calling.machine_calls import RECIPES, Uses
from agir.runtime.first_calls import FirstCalls
from agir.runtime.recording.retracing import History
from agir.runtime.recording.traced import Options, TracedFunction
from agir.runtime.signatures.arguments import Signature, is_read_only, is_strided
from agir.runtime.signatures.given import Values
from agir.runtime.signatures.trace_types import CallType
from agir.runtime.state.columns import Numbers
from agir.runtime.state.passed_lists import MOST_APART
from agir.runtime.traces import Traces

if TYPE_CHECKING:
    from agir.backends.cpu.explaining.analysis import Cost, Memory
    from agir.backends.cpu.explaining.explanation import Explanation
    from agir.backends.reporting.model import Report
    from agir.runtime.calling.recipes import Entry
    from agir.runtime.concrete import ConcreteFunction
    from agir.runtime.fallback import Fallbacks, Plan
    from agir.runtime.iterators.returned_iterators import Returning

P = ParamSpec("P")
Q = ParamSpec("Q")
R = TypeVar("R")

_FORMER = 8
"""How many traces for other contents of objects of outside are kept, of a kind of call."""
_ROUTES = 1024
"""How many kinds of calls a function remembers the short way of."""


class _Route:
    """The short way of calls with one quick key."""

    __slots__ = ("kind", "run")

    def __init__(self, kind: CallType, run: Callable[[Any], Any]) -> None:
        self.kind = kind
        self.run = run


class GenericFunction(Generic[P, R]):
    """A decorated function: one callable over all signatures, with a trace for each.

    The first call with a signature traces and compiles; later ones look it up.  Calls are
    thread-safe: racing first calls of one signature compile it once.  At most
    ``ag.config.max_traces`` traces are kept, and none for an argument that is gone.

    >>> isinstance(ag.function(lambda x: x), ag.types.GenericFunction)
    True

    Raises: TypeError for arguments that do not fit
    """

    __slots__ = ("__dict__", "__weakref__", "_method_entries", "_recipes")

    def __init__(
        self,
        python_function: Callable[P, R],
        options: Options,
        receiver: weakref.ref[Any] | None = None,
        unbound: GenericFunction[..., Any] | None = None,
    ) -> None:
        self._traced = TracedFunction(python_function, options, receiver)
        self._unbound = unbound
        """Of a method of one instance, that of the class."""
        self._signature = self._traced.signature
        self._quick: dict[Any, _Route] = {}
        self._recipes = ()
        self._uses = Uses()
        self._last: CallType | None = None
        self._concrete = Traces(self._forget_routes)
        self._former: dict[CallType, list[ConcreteFunction]] = {}
        """Traces for what objects of outside held before, by kinds of calls, the last one first."""
        self._variants: dict[Any, GenericFunction[..., Any]] = {}
        """For arguments that share memory, by what is a view of what."""
        self._lock = threading.RLock()
        self._first_calls = FirstCalls()
        self._methods: IdentityDict[GenericFunction[..., Any]] = IdentityDict()
        self._method_entries = self._methods.entries
        functools.update_wrapper(self, python_function)
        if not hasattr(python_function, "__name__"):  # a callable object
            self.__name__ = self.__qualname__ = type(python_function).__name__
        if receiver is not None:
            vars(self).pop("__wrapped__", None)  # it has the instance among its parameters
            self.__signature__ = self._signature.python
        self._returning: Returning | None = None
        """How it is called if it returns iterators."""
        self._fallbacks: Fallbacks | None = None
        """The calls that plain Python has made; None where there were none."""
        self._history = History(self.__name__, self._signature.names)

    @property
    def python_function(self) -> Callable[P, R]:
        """The function as it was written."""
        return cast("Callable[P, R]", self._traced.python_function)

    @property
    def input_signature(self) -> Any:
        """The specs that every call must fit; None where each signature has its own trace."""
        return self._signature.input_signature

    @property
    def function_type(self) -> Any:
        """The parameters, as :mod:`inspect` has them."""
        return self._signature.python

    def __call__(self, *args: P.args, **kwargs: P.kwargs) -> R:
        """Call the function: traced and compiled at the first call of a signature."""
        if recording.current() is not None:
            return cast(R, self._nested(args, kwargs))
        if config.calls_ask() and (config.functions_run_eagerly() or self._traced.is_run_by_python):
            return self.python_function(*args, **kwargs)
        key = None if kwargs else self._signature.quick_key(args)
        route = self._quick.get(key) if key is not None else None
        if route is None and self._fallbacks is not None and (plan := self._fallbacks.known(key)):
            return self._by_python(plan, key, args, kwargs)
        try:
            if hooks.observers.active:
                return cast(R, self._observed(args, kwargs))
            if route is not None:
                if route.kind is not self._last:
                    self._last = route.kind
                    self._concrete.used(route.kind)
                try:
                    result = route.run(args)
                    self._note_call(args, kwargs)
                    return result  # type: ignore[no-any-return]
                except (OutdatedError, OverlappingArgumentsError):  # the long way tells which
                    pass
            return self._by_lookup(key, args, kwargs)
        except Exception as error:
            if self._may_return_iterators(error) or self._learns_of_refusal(error):
                return self(*args, **kwargs)
            plan = self._plan(error, args, kwargs)
            if plan is None:
                raise
        return self._by_python(plan, key, args, kwargs)

    def _by_lookup(self, key: Any, args: Any, kwargs: Any) -> R:
        """Call the trace of these arguments; ``key`` is their quick key, or None."""
        if self._returning is not None:
            receiver = self._traced.receiver
            first = () if receiver is None else (receiver,)
            return cast(R, self._returning((*first, *args), kwargs))
        concrete, values = self._lookup(args, kwargs, is_call=True)
        try:
            result = concrete.call_flat(values)
        except (LayoutError, ReadOnlyError) as error:
            return self._told_apart(error, args, kwargs)
        except OutdatedError:
            concrete, values = self._renewed(concrete, args, kwargs)
            result = concrete.call_flat(values)
        except OverlappingArgumentsError as error:
            return self._sharing(args, kwargs, error)
        if key is not None and key == self._signature.quick_key(args):  # it has learnt nothing new
            self._remember(key, args, concrete)
        self._note_call(args, kwargs)
        return cast(R, result)

    def _may_return_iterators(self, error: Exception) -> bool:
        """Whether a call that was refused returns an iterator, which its caller could make."""
        function = self._traced.python_function
        if self._traced.receiver is not None:
            function = getattr(function, "__func__", function)
        plain = type(function) is FunctionType and self._traced.options.finish is None
        mutable = self._traced.convention.arrays_are_mutable
        is_one = self._returning is None and getattr(error, "returns_iterator", False)
        if not (is_one and plain and mutable):
            return False
        from agir.runtime.iterators.returned_iterators import returning

        with self._lock:
            found = cast(FunctionType, function)
            self._returning = returning(found, self._traced.options, GenericFunction)
        return self._returning is not None

    def _plan(self, error: Exception, args: Any, kwargs: Any) -> Plan | None:
        """How plain Python is to run a call that has ended in an error; None if it is not to."""
        if not self._traced.falls_back or self._traced.options.is_inner:
            return None
        return self._known_fallbacks().plan(error, args, kwargs)

    def _by_python(self, plan: Plan, key: Any, args: Any, kwargs: Any) -> R:
        """What plain Python gives for a call that agir cannot make."""
        if plan.kind is not None:
            self._forget_routes()
        python: Any = self.python_function
        return cast(R, self._known_fallbacks().run(plan, key, lambda: python(*args, **kwargs)))

    def _known_fallbacks(self) -> Fallbacks:
        """The calls that plain Python has made."""
        if self._fallbacks is None:
            from agir.runtime.fallback import Fallbacks

            with self._lock:
                self._fallbacks = self._fallbacks or Fallbacks(self._traced, self._history)
        return self._fallbacks

    def _nested(self, args: Any, kwargs: Any) -> Any:
        """Call the function while another one is traced."""
        from agir.runtime.recording import nested

        if self._traced.options.finish is not None:
            nested.refuse_generator()
        return nested.call(self._traced, args, kwargs)

    def _observed(self, args: Any, kwargs: Any) -> Any:
        """Call the function while tapes are on."""
        concrete, values = self._lookup(args, kwargs, boxes=False, is_call=True)
        try:
            return hooks.gradients.observe_call(concrete, values)
        except OutdatedError:
            return hooks.gradients.observe_call(*self._renewed(concrete, args, kwargs, boxes=False))

    def _remember(self, key: Any, args: Any, concrete: ConcreteFunction) -> None:
        """Take the short way for calls like this one from now on."""
        if len(self._quick) >= _ROUTES:
            self._quick.clear()
        positions = self._signature.run_time_positions(args)
        self._quick[key] = _Route(concrete.kind, concrete.route(args, positions))

    def _note_call(self, args: Any, kwargs: Any) -> None:
        """After many calls, have machine code make those like this one."""
        if not self._uses.is_due():
            return
        from agir.runtime.calling import recipes

        arguments = self._signature.bound(args, kwargs)
        kind, values = self._signature.split(arguments)
        concrete = self._concrete.find(kind)
        if concrete is None:
            return
        recipe = recipes.recipe(
            concrete,
            self._signature,
            (args, kwargs),
            (arguments, values),
            weakref.WeakMethod(self._forget_recipes),
            is_alone=len(self._concrete) == 1,
        )
        if recipe is not None:
            self._recipes = (recipe, *self._recipes[: RECIPES - 1])

    def _forget_routes(self) -> None:
        self._quick.clear()
        self._recipes = ()

    def _forget_recipes(self) -> None:
        """Something is gone that one of them is about."""
        self._recipes = ()

    def _lookup(
        self, args: Any, kwargs: Any, boxes: bool = True, *, is_call: bool = False
    ) -> tuple[ConcreteFunction, Values]:
        if self._signature.data.classes and self._unbound is not None:
            receiver = self._traced.receiver
            if (
                type(receiver) in self._unbound._signature.data.classes
            ):  # it is data like an argument
                return self._unbound._lookup((receiver, *args), kwargs, boxes, is_call=is_call)
        arguments = self._signature.bound(args, kwargs, boxes)
        kind, values = self._signature.split(arguments)
        concrete = self._concrete.find(kind)
        if is_call and self._fallbacks is not None:
            self._fallbacks.check(kind, concrete is None)
        if concrete is None:
            with self._lock:
                concrete = self._concrete.find(kind)
                if concrete is None and (
                    self._learns_of_lengths(kind)
                    or self._learns_of_texts(arguments)
                    or self._learns_of_data(arguments, hash(kind))
                ):
                    return self._lookup(args, kwargs, boxes, is_call=is_call)
                if concrete is None:
                    again = partial(self._lookup, args, kwargs, boxes, is_call=is_call)
                    concrete, values = self._made(kind, arguments, values, again)
        if concrete.defers_errors and self._learns_of(values):
            return self._lookup(args, kwargs, boxes, is_call=is_call)
        return concrete, values

    def _made(
        self,
        kind: CallType,
        arguments: dict[str, Any],
        values: Values,
        again: Callable[[], tuple[ConcreteFunction, Values]],
    ) -> tuple[ConcreteFunction, Values]:
        """A new trace, or the one that is found after more is known of what it needs."""
        try:
            return self._trace(kind, arguments), values
        except Exception as error:
            from agir.ir.tensors import mistakes

            mistakes.concealed(error)
            if not (
                self._learns_numbers(error)
                or self._needs_texts()
                or self._learns_of_lists(values)
                or self._learns_of(values)
                or self._learns_data(error, arguments)
            ):
                if getattr(arguments, "layout", None) is not None:
                    return self._without_data(error, arguments, again)
                return self._by_number(error, again)
        except Opening as found:
            if not self._needs_texts():  # what known text changes may be known, too
                self._open(found, arguments)
        except Identified:
            self._signature.knows_identities = True
            self._forget_routes()
        except Lengthy:
            self._signature.lengths_vary = True
            self._learns_from(arguments, lambda s, given: s.learn_data(given, None, all_of_it=True))
        return again()

    def _without_data(
        self,
        error: Exception,
        arguments: dict[str, Any],
        again: Callable[[], tuple[ConcreteFunction, Values]],
    ) -> tuple[ConcreteFunction, Values]:
        """Look up once more after an error that is perhaps one of data alone."""
        signature = self._signature
        before = signature.data, signature.data_are_apart, set(signature.refused)
        signature.know_data(getattr(arguments, "layout", None))
        try:
            return again()
        except type(error):
            signature.data, signature.data_are_apart, signature.refused = before
            raise

    def _learns_numbers(self, error: Exception) -> bool:
        """Whether tracing has failed for numbers that another trace may know."""
        signature = self._signature
        news: set[str] = getattr(error, "wanted_numbers", set()) - signature.known
        signature.known |= news
        if news:
            self._forget_routes()
        return bool(news)

    def _by_number(
        self, error: Exception, again: Callable[[], tuple[ConcreteFunction, Values]]
    ) -> tuple[ConcreteFunction, Values]:
        """Look up once more after a refusal, with the objects that it makes known by their numbers."""
        traced = self._traced
        made: frozenset[Any] = getattr(error, "made_classes", frozenset())
        more = made - traced.classes_by_number
        if not more or not getattr(error, "is_refusal", False):
            raise error
        before, traced.classes_by_number = traced.classes_by_number, traced.classes_by_number | more
        try:
            return again()
        except Exception as later:
            if not getattr(later, "is_refusal", False):
                raise
            traced.classes_by_number = before
            if getattr(later, "is_of_numbers", False):  # which the program does not need to know
                raise error from later
            raise

    def _learns_of_lists(self, values: list[Any]) -> bool:
        """Whether it is news that the trace may need to know the numbers of a long list one by one."""
        signature = self._signature
        count = sum(value.size for value in values if isinstance(value, Numbers))
        is_news = not signature.apart and 0 < count <= MOST_APART
        signature.apart |= is_news
        return is_news

    def _open(self, found: Opening, arguments: dict[str, Any]) -> None:
        """Pass a container of outside at each call from now on."""
        given = getattr(arguments, "given", arguments)
        if not self._signature.open(found.owner, found.name, given):
            raise InternalError(f"{found.name} is passed, and is not found by its trace")
        self._forget_routes()

    def _learns_of_lengths(self, kind: CallType) -> bool:
        """Whether it is news that the lengths of lists vary: one trace may serve all of them."""
        signature = self._signature
        if not signature.lists_are_short:
            return False
        signature.lengths_vary = any(map(kind.differs_in_lengths, self._concrete.types()))
        return signature.lengths_vary

    def _learns_of_texts(self, arguments: dict[str, Any]) -> bool:
        """Whether it is news that the text of an argument varies: one trace may serve all of it."""
        is_news = self._signature.learn_texts(getattr(arguments, "given", arguments))
        if is_news:
            self._forget_routes()
        return is_news

    def _learns_of_data(self, arguments: dict[str, Any], trace: object) -> bool:
        """Whether it is news that objects or containers are data: one trace may serve all of them."""
        return self._learns_from(
            arguments, lambda signature, given: signature.learn_data(given, trace)
        )

    def _learns_data(self, error: Exception, arguments: dict[str, Any]) -> bool:
        """Whether a trace that is refused may not be where more is data, or where nothing is."""
        if not getattr(error, "is_refusal", False):
            return False
        numbered = getattr(error, "wants_numbers", False)
        layout = None if numbered else getattr(arguments, "layout", None)
        return self._signature.know_data(layout) or self._learns_from(
            arguments,
            lambda signature, given: signature.learn_data(
                given, None, all_of_it=True, numbered=numbered
            ),
        )

    def _learns_from(
        self, arguments: dict[str, Any], learn: Callable[[Signature, dict[str, Any]], bool]
    ) -> bool:
        """Whether there is news about data; the methods of all instances learn it."""
        given, signature = getattr(arguments, "given", arguments), self._signature
        if (unbound := self._unbound) is not None:
            signature = unbound._signature
            given = {next(iter(signature.python.parameters)): self._traced.receiver, **given}
        is_news = learn(signature, given) or self._signature.data != signature.data
        self._signature.data = signature.data
        if is_news:
            self._forget_routes()
        return is_news

    def _learns_of_refusal(self, error: Exception) -> bool:
        """Whether another trace may do what compiled code has refused, having done nothing yet."""
        if not getattr(error, "is_refusal", False) or getattr(error, "has_acted", False):
            return False
        if getattr(error, "kind", "") == "negative_power" and not self._traced.powers_are_mixed:
            self._traced.powers_are_mixed = True
            self._concrete.clear()
            self._forget_routes()
            return True
        return self._needs_texts()

    def _needs_texts(self) -> bool:
        """Whether tracing may have failed for text that it does not know, and can know."""
        needs = self._signature.know_texts()
        if needs:
            self._forget_routes()
        return needs

    def _learns_of(self, values: list[Any]) -> bool:
        """Whether it is news that arrays are read-only, or how they lie, and may change an error.

        NumPy looks at permissions before anything else; views of what is read-only are, copies not.
        """
        signature = self._signature
        known = signature.permissions, signature.layouts
        signature.permissions = signature.layouts = True
        return (not known[0] and any(map(is_read_only, values))) or (
            not known[1] and any(map(is_strided, values))
        )

    def _told_apart(self, error: LayoutError | ReadOnlyError, args: Any, kwargs: Any) -> R:
        """Call the trace for arrays that lie in memory as these do, and are read-only as these are."""
        what = "layouts" if isinstance(error, LayoutError) else "permissions"
        if getattr(self._signature, what):
            raise error
        setattr(self._signature, what, True)
        self._forget_routes()
        return self._by_lookup(None, args, kwargs)

    def _sharing(self, args: Any, kwargs: Any, error: OverlappingArgumentsError) -> R:
        """Call the function of the arrays that arguments are views of, which share memory."""
        from agir.runtime.calling import sharing

        run = sharing.call(self, self._signature.bound(args, kwargs))
        if run is None:
            raise error
        return cast(R, run())

    def _renewed(
        self, outdated: ConcreteFunction, args: Any, kwargs: Any, boxes: bool = True
    ) -> tuple[ConcreteFunction, Values]:
        """Another trace in the place of one for what objects of outside no longer hold.

        It is an earlier one that was for what they hold now, or a new one.
        """
        arguments = self._signature.bound(args, kwargs, boxes)
        kind, values = self._signature.split(arguments)
        with self._lock:
            self._forget_routes()
            former = self._former.setdefault(outdated.kind, [])
            found = next((each for each in former if each.is_current()), None)
            former[:] = [outdated, *(e for e in former if e not in (found, outdated))][:_FORMER]
            if found is not None:
                self._concrete.add(found.kind, found)
                return found, values
            again = partial(self._lookup, args, kwargs, boxes, is_call=True)
            self._concrete.remove(outdated.kind)
            if self._learns_of_data(arguments, object()):
                return again()
            return self._made(kind, arguments, values, again)

    def _trace(self, kind: CallType, arguments: dict[str, Any]) -> ConcreteFunction:
        hooks.recorder()
        from agir.runtime import unranked

        others = self._concrete.types()
        reduce = self._traced.options.reduce_retracing
        general = self._concrete.generalized(kind) if reduce else kind
        self._history.check_size(general)
        first = self._first_calls.is_first(arguments)
        pattern = self._signature.pattern(arguments, general)
        self._signature.knowable = self._signature.numbers(arguments)
        given = getattr(arguments, "given", arguments)
        self._signature.originals = {o.parameter: o.find(given) for o in self._signature.opened}
        start = time.perf_counter()
        try:
            concrete = unranked.concrete(self._traced, general, pattern, may_create=first)
        finally:
            self._signature.knowable, self._signature.originals = frozenset(), {}
        concrete.function = weakref.ref(self)
        concrete.tracing_took = time.perf_counter() - start
        self._first_calls.note(arguments)
        self._keep_closed_recipes()
        self._concrete.add(general, concrete)
        self._history.note(kind, general, others)
        if self._fallbacks is not None:
            self._fallbacks.note_trace(kind)
        return concrete

    def _keep_closed_recipes(self) -> None:
        if not self._recipes:
            return
        from agir.runtime.calling import recipes

        for each in recipes.used(self._recipes):
            self._concrete.used(each)
        self._recipes = recipes.closed(self._recipes)

    def get_concrete_function(self, *args: Any, **kwargs: Any) -> ConcreteFunction:
        """The trace for arguments given as values or as :class:`TensorSpec`.

        With an input signature no arguments are needed; nor are they for a function that has been
        traced once and not more.
        """
        if not args and not kwargs:
            if self.input_signature is not None:
                args = self.input_signature
            elif self._signature.has_required and len(self._concrete) == 1:
                return self._concrete.values()[0]
        return self._lookup(args, kwargs)[0]

    def experimental_get_compiler_ir(self, *args: Any, **kwargs: Any) -> Callable[..., Any]:
        """A function ``dump(stage="hlo", device_name=None)`` for the trace of these arguments.

        It returns the text of the stage, bytes for the serialized ones and machine code.  Stages
        are those of ``agir.backends.stages.STAGES``.  Raises ``StageError`` for an unknown stage
        or a function with ``jit_compile=False``, ``TypeError`` for symbolic arguments.
        """
        if self._traced.jit_compile is False:
            raise StageError(
                at_caller(
                    f"{self.__name__} is not compiled (jit_compile=False), so it has no compiler IR"
                )
            )
        if any(map(_is_symbolic, structure.flatten((args, kwargs))[0])):
            raise TypeError(
                at_caller(
                    "experimental_get_compiler_ir takes values or TensorSpecs; it was given a "
                    "symbolic tensor, inside a traced function"
                )
            )
        concrete = self.get_concrete_function(*args, **kwargs)
        values = self._lookup(args, kwargs)[1] if args or kwargs else None
        return functools.partial(self._stage, concrete.ranked(values))

    def _stage(
        self, concrete: ConcreteFunction, stage: str = "hlo", device_name: str | None = None
    ) -> str | bytes:
        from agir.backends.stages import STAGES

        if device_name is not None and "CPU" not in device_name.upper():
            raise StageError(
                at_caller(f"agir compiles for the CPU only; there is no device {device_name!r}")
            )
        if stage == "autograph":
            return self._traced.source()
        if stage not in STAGES:
            raise StageError(
                at_caller(f"there is no stage {stage!r}; the stages are {', '.join(STAGES)}")
            )
        return concrete.compilation.text(stage)

    def pretty_printed_concrete_signatures(self) -> str:
        """The types of all traces that there are, for people."""
        return "\n\n".join(
            each.function_type.described(self.__name__) for each in self._concrete.values()
        )

    def explain(self, *args: Any, **kwargs: Any) -> Explanation:
        """What became of the trace for these arguments; ``print`` shows it.

        For each kernel (operations on arrays, of which several may be fused), loop and copy: the
        user's lines, how wide its loops are vectorised or why not, estimates of its operations and
        bytes, and, if the arguments are values and not `TensorSpec`, its time and which share that
        is of what this machine could do.  Then the checks that are left at run time, and the memory
        that is taken.  Nothing that the caller sees is changed: the runs work on copies.  Of a function
        that falls back it also says which calls plain Python has run, and why.

        >>> f = ag.jit(lambda x: np.sin(x) * 2 + 1)
        >>> f.explain(np.ones(1000)).rows[0].what
        'sin, mul, add'

        Raises: StageError for a function with ``jit_compile=False``
        """
        self._check_is_compiled("explain")
        if not args and not kwargs and self._fallbacks and not len(self._concrete):
            return self._fallbacks.explanation()
        try:
            concrete = self.get_concrete_function(*args, **kwargs)
            values = self._lookup(args, kwargs)[1] if args or kwargs else None
            ranked = concrete.ranked(values)
        except Exception as error:
            plan = self._plan(error, args, kwargs)
            if plan is None or (plan.doubt is not None and not plan.reason.calls):
                raise
            return self._known_fallbacks().explanation()
        explanation = ranked.explain_flat(values)
        explanation.fallbacks = self._fallbacks.listed() if self._fallbacks else []
        return explanation

    def report(self, *args: Any, **kwargs: Any) -> Report:
        """The way of the trace for these arguments from source to machine code, as a page.

        ``save(path)`` writes it as one file for a browser, a notebook shows it: every stage, with each
        of the user's lines linked to what it became; what each pass changed and how long it took; and
        what `explain` says.  If compiling fails, it has the stages until then, and ``error``.

        >>> f = ag.jit(lambda x: np.sin(x) * 2 + 1)
        >>> [stage.name for stage in f.report(np.ones(9)).stages][:3]
        ['autograph', 'hlo', 'optimized_hlo']

        Raises: StageError for a function with ``jit_compile=False``
        """
        from agir.runtime import reports

        self._check_is_compiled("report")
        return reports.report(self, args, kwargs)

    def cost_analysis(self, *args: Any, **kwargs: Any) -> Cost:
        """The floating-point operations and bytes of a call with these arguments; it is not run.

        >>> cost = ag.jit(lambda x: x * 2.0 + 1.0).cost_analysis(np.ones(1000))
        >>> cost.flops, cost.bytes
        (2000, 16000)

        Raises: StageError for a function with ``jit_compile=False``
        """
        from agir.backends.cpu.explaining import analysis

        self._check_is_compiled("analyse")
        concrete, _ = self._reported(args, kwargs)
        return analysis.cost(concrete.compilation, concrete.name)

    def memory_analysis(self, *args: Any, **kwargs: Any) -> Memory:
        """The bytes that a call with these arguments takes: arrays, stack, code; it is not run.

        >>> memory = ag.jit(lambda x: x * 2.0 + 1.0).memory_analysis(np.ones(1000))
        >>> memory.arguments, memory.results, memory.heap
        (8000, 8000, 8000)

        Raises: StageError for a function with ``jit_compile=False``
        """
        from agir.backends.cpu.explaining import analysis

        self._check_is_compiled("analyse")
        concrete, _ = self._reported(args, kwargs)
        return analysis.memory(concrete.compilation, concrete.name)

    def _reported(self, args: Any, kwargs: Any) -> tuple[ConcreteFunction, str]:
        """The trace of these arguments, and the types that it is for."""
        concrete = self.get_concrete_function(*args, **kwargs)
        values = self._lookup(args, kwargs)[1] if args or kwargs else None
        return concrete.ranked(values), self._history.shown(concrete.kind)

    def _check_is_compiled(self, what: str) -> None:
        if self._traced.jit_compile is False:
            raise StageError(
                at_caller(f"{self.__name__} is not compiled (jit_compile=False): nothing to {what}")
            )

    def explain_retracing(self) -> str:
        """Every trace that was made, with what made it necessary: an argument, how it was and is."""
        return self._history.explain()

    def experimental_get_tracing_count(self) -> int:
        """How many traces were made."""
        return self._history.count

    def clear_cache(self) -> None:
        """Drop all traces and their compiled code; the next call traces anew."""
        with self._lock:
            self._concrete.clear()
            self._variants.clear()
            if self._fallbacks is not None:
                self._fallbacks.clear()
        for method in self._methods.values():
            method.clear_cache()

    def _repr_html_(self) -> str:
        """What a notebook shows of it."""
        from agir.runtime import notebooks

        return notebooks.html(self)

    def known_traces(self) -> list[tuple[str, ConcreteFunction]]:
        """The traces that are kept, each with the types that it is for."""
        kept = self._concrete.values()
        return [(self._history.shown(each.kind), each) for each in kept]

    def told(self) -> list[str]:
        """What has been warned of: calls that plain Python has made, traces that are many."""
        fallbacks = [] if self._fallbacks is None else self._fallbacks.listed()
        found = [
            f"plain Python has run {each.arguments}: {each.reason} (calls: {each.calls})"
            for each in fallbacks
        ]
        if self._history.has_warned:
            found.append(f"traced {self._history.count} times: explain_retracing() says why")
        return found

    @overload
    def __get__(self, instance: None, owner: Any = None) -> GenericFunction[P, R]: ...
    @overload
    def __get__(
        self: GenericFunction[Concatenate[Any, Q], R], instance: object, owner: Any = None
    ) -> GenericFunction[Q, R]: ...
    def __get__(self, instance: Any, owner: Any = None) -> Any:
        """The method of an instance; the function itself for its class."""
        if instance is None:
            return self
        self._first_calls.of_methods = True
        return BoundFunction(self, instance)

    def _method_of(self, instance: Any) -> GenericFunction[..., Any] | None:
        """The function of one instance, which has traces of its own and does not hold it.

        None for an instance that cannot be referred to weakly.
        """
        found = self._methods.get(instance)
        if found is None:
            with self._lock:
                found = self._methods.get(instance)
                if found is None:
                    try:
                        reference = weakref.ref(instance)
                    except TypeError:
                        return None
                    function: Any = self._traced.python_function
                    found = GenericFunction(function, self._traced.options, reference, self)
                    self._methods.set(instance, found)
        return found

    def __reduce__(self) -> Any:
        if not pickling.is_by_value():
            return pickling.qualified_name(self)
        # what the function refers to may be this object, so there is one before that is looked at
        function: Any = self.python_function
        state = function, self._traced.options, pickling.sources(function)
        return pickling.blank, (type(self),), state

    def __setstate__(self, state: tuple[Any, Options, Any]) -> None:
        function, options, sources = state
        pickling.restore(sources)
        self.__init__(function, options)  # type: ignore[misc]

    def __copy__(self) -> GenericFunction[P, R]:
        return self

    def __deepcopy__(self, memo: dict[int, Any]) -> GenericFunction[P, R]:
        function: Any = self.python_function
        if not hasattr(function, "__self__"):
            return self
        return GenericFunction(copy.deepcopy(function, memo), self._traced.options)

    def __repr__(self) -> str:
        return f"<agir.{self._traced.convention.name} {self.__qualname__}>"

    __name__: str
    __qualname__: str
    _recipes: tuple[Entry, ...]
    _method_entries: dict[int, Any]


def _is_symbolic(leaf: Any) -> bool:
    return isinstance(leaf, Tensor) and leaf.is_symbolic


class BoundFunction(GenericFunction[P, R]):
    """A decorated method bound to its instance, which it holds for as long as it lives.

    Each instance has traces of its own; they go when it goes.
    """

    __slots__ = ("__func__", "__self__", "_target")

    def __init__(self, function: GenericFunction[..., Any], instance: Any) -> None:
        self.__func__ = function
        self.__self__ = instance
        self._target = function._method_of(instance)
        """The function of the instance; None if it has none of its own."""
        if self._target is None:
            self.__signature__ = inspect.signature(self.python_function)

    def _called(self) -> GenericFunction[..., Any]:
        return self.__func__ if self._target is None else self._target

    @property
    def _first(self) -> tuple[Any, ...]:
        """The arguments that come before those of a call."""
        return (self.__self__,) if self._target is None else ()

    def __getattr__(self, name: str) -> Any:
        return getattr(self._called(), name)

    @property
    def __doc__(self) -> str | None:  # type: ignore[override]
        return self._called().__doc__

    @property
    def __module__(self) -> str:  # type: ignore[override]
        return self._called().__module__

    @property
    def python_function(self) -> Callable[..., Any]:
        """The method as it was written, bound to the instance."""
        function: Any = self.__func__.python_function
        return function.__get__(self.__self__)  # type: ignore[no-any-return]

    def __call__(self, *args: Any, **kwargs: Any) -> Any:
        """Call the method."""
        return self._called()(*self._first, *args, **kwargs)

    def get_concrete_function(self, *args: Any, **kwargs: Any) -> ConcreteFunction:
        """The trace of the method for these arguments."""
        return self._called().get_concrete_function(*self._first, *args, **kwargs)

    def experimental_get_compiler_ir(self, *args: Any, **kwargs: Any) -> Callable[..., Any]:
        """The stages of the method's trace for these arguments."""
        return self._called().experimental_get_compiler_ir(*self._first, *args, **kwargs)

    def explain(self, *args: Any, **kwargs: Any) -> Explanation:
        """What became of the method's trace for these arguments."""
        return self._called().explain(*self._first, *args, **kwargs)

    def report(self, *args: Any, **kwargs: Any) -> Report:
        """The report of the method's trace for these arguments."""
        return self._called().report(*self._first, *args, **kwargs)

    def cost_analysis(self, *args: Any, **kwargs: Any) -> Cost:
        """The cost of a call of the method with these arguments."""
        return self._called().cost_analysis(*self._first, *args, **kwargs)

    def memory_analysis(self, *args: Any, **kwargs: Any) -> Memory:
        """The memory of a call of the method with these arguments."""
        return self._called().memory_analysis(*self._first, *args, **kwargs)

    def __get__(self, instance: Any, owner: Any = None) -> Any:
        return self

    def __eq__(self, other: object) -> bool:
        return (
            isinstance(other, BoundFunction)
            and self.__func__ is other.__func__
            and self.__self__ is other.__self__
        )

    def __hash__(self) -> int:
        return hash((id(self.__func__), id(self.__self__)))

    def __reduce__(self) -> Any:
        return getattr, (self.__self__, self.__func__.__name__)

    def __deepcopy__(self, memo: dict[int, Any]) -> Any:
        return BoundFunction(self.__func__, copy.deepcopy(self.__self__, memo))

    def __repr__(self) -> str:
        return f"<bound {self.__func__!r} of {self.__self__!r}>"


machine_calls.offer(generic=GenericFunction, bound=BoundFunction)
