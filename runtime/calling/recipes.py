"""Recipes for machine code: calls like one that Python has just made."""

from __future__ import annotations

import itertools
import keyword
import weakref
from collections.abc import Callable, Iterable, Iterator, Sequence
from functools import partial
from typing import TYPE_CHECKING, Any, NamedTuple

from agir.autograph.operators import Undefined
from agir.backends.cpu.native import compiled
from agir.backends.cpu.native.compiled import Compiled
from agir.backends.cpu.native.recipes import Builder, Place, UnfitError
from agir.backends.cpu.native.tables import Recipe, Shape
from agir.backends.cpu.native.work import is_little
from agir.ir.state.outside import Outside
from agir.ir.tensors import structure
from agir.runtime.calling import captured_places, failures, machine_calls
from agir.runtime.calling.passing import as_array
from agir.runtime.calling.places import Walk, placed
from agir.runtime.calling.short_calls import more_than_results, reader
from agir.runtime.recording.assigned import Assigned
from agir.runtime.recording.recorded import Recorded, Result
from agir.runtime.recording.traced import TracedFunction
from agir.runtime.signatures.arguments import Signature
from agir.runtime.signatures.given import Values
from agir.runtime.signatures.trace_types import CallType
from agir.runtime.state.boxes import Element
from agir.runtime.state.captures import Captured, Fresh

if TYPE_CHECKING:
    from agir.runtime.concrete import ConcreteFunction

Entry = tuple[Any, ...]
"""A recipe, as machine code finds it: its words, a `Note`, and what has to live as long."""


class Note(NamedTuple):
    """What Python has to know of a recipe."""

    kind: CallType
    """The type of the calls that the trace is for."""
    is_open: bool
    """Whether it is for arrays of more than one shape."""


def used(recipes: Sequence[Entry]) -> list[CallType]:
    """The types whose traces have been called by these recipes since this was asked last."""
    found = [entry[1].kind for entry in recipes if entry[0][Recipe.CALLS]]
    for entry in recipes:
        entry[0][Recipe.CALLS] = 0
    return found


def closed(recipes: Sequence[Entry]) -> tuple[Entry, ...]:
    """Those for arrays of one shape, which another trace does not concern."""
    return tuple(entry for entry in recipes if not entry[1].is_open)


def recipe(
    concrete: ConcreteFunction,
    signature: Signature,
    call: tuple[Sequence[Any], dict[str, Any]],
    prepared: tuple[dict[str, Any], Sequence[Any]],
    forget: weakref.WeakMethod[Callable[[], None]],
    *,
    is_alone: bool,
) -> Entry | None:
    """The recipe for calls like this one; None where only Python can make them.

    ``prepared`` are the arguments by parameter and the run-time values among them; ``forget`` is
    called when an object is gone that the recipe is about.  ``is_alone`` says that there is no
    other trace that a call with arrays of other shapes might want.
    """

    def forget_recipes(_: Any) -> None:
        method = forget()
        if method is not None:
            method()

    try:
        return _Making(concrete, forget_recipes).recipe(signature, *call, *prepared, is_alone)
    except UnfitError:
        return None


class _Making:
    """Makes a recipe for the calls of a concrete function."""

    def __init__(self, concrete: ConcreteFunction, forget: Callable[[Any], None]) -> None:
        found = compiled.of(concrete._executable, looks_at_stack=True)
        if found is None or concrete.initialiser is not None:
            raise UnfitError
        self._compiled: Compiled = found
        self._concrete = concrete
        self._recorded: Recorded = concrete._recorded
        self._forget = forget
        _refuse(self._recorded)
        if concrete.kind.same:  # the machine code takes all containers to be apart
            raise UnfitError

    def recipe(
        self,
        signature: Signature,
        args: Sequence[Any],
        kwargs: dict[str, Any],
        prepared: dict[str, Any],
        values: Sequence[Any],
        is_alone: bool,
    ) -> Entry:
        """The recipe for calls like this one, whose arguments are ``prepared``."""
        is_open = is_alone and self._concrete.kind.is_general
        recorded = self._recorded
        pairs = zip(values, recorded.leaves, strict=True)
        if signature.opened or any(isinstance(value, Element) for value in values):
            raise UnfitError  # what holds a container of outside may hold another one by then
        if signature.knows_identities:
            raise UnfitError  # arguments may be one object by then
        outside = captured_places.arrays(recorded.captures)
        builder = Builder(self._compiled, [*(as_array(v, leaf) for v, leaf in pairs), *outside])
        watch = partial(self._watch, builder)
        writable = self._concrete._written.positions
        if signature.permissions:  # what it does to others is not for arrays that are read-only
            writable = range(len(recorded.leaves))
        walk = Walk(builder, signature, values, writable, is_open, watch)
        python = signature.python
        for name, place in placed(python, args, kwargs):
            if isinstance(place, Place):
                at = place.index
                raw = args[at] if at < len(args) else kwargs[name]
            else:
                raw = python.parameters[name].default if place is None else prepared[name]
            if name in prepared:
                walk.argument(name, place, raw, prepared[name])
        walk.finish()
        nodes = {**walk.nodes, **self._captured(builder, watch)}
        for each in recorded.guards:
            captured_places.guard(builder, each, watch)
        is_small = not is_open and is_little(self._concrete.compilation)
        self._copies(builder, nodes, [*values, *outside], is_small)
        if _is_plain(recorded):
            shape, finish = self._results(builder, nodes)
        else:
            shape, finish = self._by_python(builder, signature, args, kwargs, nodes)
        note = Note(self._concrete.kind, is_open)
        return builder.finished(
            len(args),
            list(kwargs),
            shape,
            finish=finish,
            failure=partial(_fail, recorded, self._concrete._owner) if recorded.can_fail else None,
            checks_overlap=bool(self._concrete._written.positions),
            releases=not is_small,
            note=note,
        )

    def _watch(self, builder: Builder, value: Any) -> None:
        try:
            builder.keep(weakref.ref(value, self._forget))
        except TypeError:
            raise UnfitError from None

    def _captured(self, builder: Builder, watch: Callable[[Any], None]) -> dict[int, int]:
        """The nodes of captured values, by the numbers of the arguments."""
        first = len(self._recorded.leaves)
        changed = {first + n for n, _ in self._recorded.updated}
        found = {}
        for argument, owner in enumerate(self._recorded.captures, first):
            node = captured_places.captured(
                builder, argument, owner, watch, written=argument in changed
            )
            if node is not None:
                found[argument] = node
        return found

    def _copies(
        self, builder: Builder, nodes: dict[int, int], arrays: Sequence[Any], is_small: bool
    ) -> None:
        """What is written to after the call: arguments, variables, arrays in attributes."""
        recorded, first = self._recorded, len(self._recorded.leaves)
        changes = list(recorded.mutated) if not self._concrete._in_place else []
        changes += [(first + n, result) for n, result in recorded.updated]
        variables = [n for n, _ in recorded.updated if isinstance(recorded.captures[n], Captured)]
        if variables and not is_small:
            raise UnfitError  # nobody may see them while they are written to
        for argument, result in changes:
            if result in recorded.in_place:
                continue
            array = arrays[argument]
            if self._compiled.signature.results[result].shape not in (array.shape, None):
                raise UnfitError
            builder.copy(nodes[argument], result, array.nbytes)

    def _results(
        self, builder: Builder, nodes: dict[int, int]
    ) -> tuple[Shape, Callable[[list[Any]], Any] | None]:
        recorded = self._recorded
        first = len(recorded.leaves)
        for result in recorded.results:
            given = result.argument
            if result.captured is not None:
                given = first + result.captured
            if given is not None:
                builder.given(_node(nodes, given))
            elif result.index is not None:
                is_tensor = self._concrete._owner.convention.returns_tensors
                builder.made(result.index, is_tensor=is_tensor, is_number=result.is_number)
            elif result.value is structure.MISSING:
                raise UnfitError
            else:
                builder.same(result.value)
        if recorded.assigned:
            return Shape.FINISHED, self._storing(builder, nodes)
        return _shape(recorded.structure)

    def _by_python(
        self,
        builder: Builder,
        signature: Signature,
        args: Sequence[Any],
        kwargs: dict[str, Any],
        nodes: dict[int, int],
    ) -> tuple[Shape, Callable[[list[Any]], Any]]:
        """Have Python make the result of what the compiled function gives, as after its own calls.

        It gets these results, then the arguments, then the arrays among the run-time values.
        """
        recorded, concrete = self._recorded, self._concrete
        if any(each.is_of_data for each in recorded.passed):
            raise UnfitError
        count = len([n for n in range(len(recorded.dtypes)) if n not in recorded.in_place])
        for number in range(count):
            builder.made(number, is_tensor=False)
        if not more_than_results(recorded):
            read = reader(recorded, concrete._owner.convention.returns_tensors)
            if read is not None:
                return Shape.FINISHED, read
        defaults, names = {}, []
        for name, place in placed(signature.python, args, kwargs):
            if isinstance(place, Place):
                builder.given(builder.node_at(place))
                names.append(name)
            elif place is None:
                defaults[name] = signature.python.parameters[name].default
            else:
                raise UnfitError
        positions = [n for n in nodes if n < len(recorded.leaves)]
        contents = (each for known in recorded.changed for each in known.leaves)
        if not _arguments_of([*recorded.results, *contents]).issubset(positions):
            raise UnfitError
        for position in positions:
            builder.given(nodes[position])

        def finish(leaf: list[Any]) -> Any:
            values = Values([None] * len(recorded.leaves))
            values.given = {**defaults, **dict(zip(names, leaf[count:], strict=False))}
            for position, value in zip(positions, leaf[count + len(names) :], strict=True):
                values[position] = value
            return concrete.result(values, leaf[:count])

        return Shape.FINISHED, finish

    def _storing(self, builder: Builder, nodes: dict[int, int]) -> Callable[[list[Any]], Any]:
        """What assigns to attributes, from further leaves, before it gives the result."""
        for each in self._recorded.assigned:
            if each.owner is None or not each.name.isidentifier() or keyword.iskeyword(each.name):
                raise UnfitError
            if each.given is not None:
                builder.given(_node(nodes, each.given))
            elif each.leaves or each.structure is not None:
                if each.structure is not None or len(each.leaves) > 1:
                    raise UnfitError
                (leaf,) = each.leaves
                if leaf.index is not None or leaf.held:
                    raise UnfitError
                if isinstance(leaf.value, Undefined):
                    raise UnfitError
                builder.same(leaf.value)
            else:
                assert each.result is not None
                builder.made(each.result, is_tensor=False)
        return _structuring(self._recorded.structure, self._recorded.assigned)


def _is_plain(recorded: Recorded) -> bool:
    """Whether machine code can make the result itself."""
    indices = [each.index for each in recorded.results if each.index is not None]
    if recorded.changed or any(each.contents is not None for each in recorded.passed):
        return False
    if len(set(indices)) < len(indices):  # what is given twice is one object
        return False
    return all(
        (each.abstract, each.held, each.choices, each.path, each.alternatives) == (None,) * 5
        and not each.is_array
        for each in recorded.results
    )


def _arguments_of(results: Iterable[Result]) -> set[int]:
    """The run-time values that results may be."""
    found: set[int] = set()
    for each in results:
        found.update(n for n in (each.argument, *(each.choices or ())) if n is not None)
        for _, leaves in each.alternatives or ():
            found |= _arguments_of(leaves)
    return found


def _node(nodes: dict[int, int], argument: int) -> int:
    """The node of an argument of the compiled function that is an array."""
    if argument not in nodes:
        raise UnfitError
    return nodes[argument]


def _refuse(recorded: Recorded) -> None:
    """Some functions do after the call what only Python does."""
    if recorded.updates or recorded.created or recorded.by_rows:
        raise UnfitError
    if recorded.draws or recorded.may_act:
        raise UnfitError
    if any(leaf.steps is not None or leaf.read_only for leaf in recorded.leaves):
        raise UnfitError
    if any(isinstance(each, Fresh) for each in recorded.captures):
        raise UnfitError
    for capture, result in recorded.updated:
        owner, target = recorded.captures[capture], recorded.in_place.get(result)
        if isinstance(owner, Outside) or target is None:
            continue
        if target != len(recorded.leaves) + capture:
            raise UnfitError


def _shape(key: Any) -> tuple[Shape, Callable[[list[Any]], Any] | None]:
    """What the leaves make."""
    if key is None:
        return Shape.SINGLE, None
    if type(key) is structure.Shared:
        raise UnfitError
    (kind, _), below = key
    if kind in (tuple, list) and not any(below):
        return (Shape.TUPLE if kind is tuple else Shape.LIST), None
    return Shape.FINISHED, _structuring(key)


def _structuring(key: Any, stored: Sequence[Assigned] = ()) -> Callable[[list[Any]], Any]:
    """A function that puts leaves into a structure; those behind them become attributes first."""
    space: dict[str, Any] = {"rebuild": structure.rebuild}
    numbers = itertools.count()
    result = _written(key, numbers, space)
    values, stores = [], []
    for n, each in enumerate(stored):
        space[f"owner{n}"], space[f"convert{n}"] = each.owner, each.convert
        value = f"leaf[{next(numbers)}]"
        values.append(f"value{n} = {value if each.convert is None else f'convert{n}({value})'}")
        stores.append(f"owner{n}().{each.name} = value{n}")
    lines = ["def finish(leaf):", *values, *stores, f"return {result}"]
    exec("\n    ".join(lines), space)
    made: Callable[[list[Any]], Any] = space["finish"]
    return made


def _written(key: Any, numbers: Iterator[int], space: dict[str, Any]) -> str:
    """The text of an expression that puts leaves into a structure."""
    if key is None:
        return f"leaf[{next(numbers)}]"
    if type(key) is structure.Shared:
        raise UnfitError
    (kind, names), below = key
    items = [_written(each, numbers, space) for each in below]
    if kind is tuple:
        return f"({' '.join(f'{item},' for item in items)})"
    if kind is list:
        return f"[{', '.join(items)}]"
    own = f"of{len(space)}"
    if kind is dict:
        space[own] = names
        return "{" + ", ".join(f"{own}[{n}]: {item}" for n, item in enumerate(items)) + "}"
    space[own] = kind, names
    return f"rebuild({own}, [{', '.join(items)}])"


def _fail(recorded: Recorded, owner: TracedFunction, code: int, first: int, second: int) -> Any:
    """Raise what a call has failed with, or have Python make it again, which may know what to do."""
    may_learn = owner.falls_back or recorded.sites[code - 1].is_refusal
    if may_learn and failures.may_be_of_agir(recorded, code):
        return machine_calls.AGAIN
    raise failures.exception(recorded.sites, code, first, second)
