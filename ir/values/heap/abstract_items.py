"""What an item of a list of run-time length can be: copies of arrays, or arrays by themselves.

A list has copies, as a rule, and nothing may be written into them or into what they are of: few
programs do.  In a trace that tells arrays apart (``one_array``) an item that is an array of the whole
function, or a part of one, is carried as that: its number, or where the part begins.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

from agir.errors import StagingError
from agir.ir import hooks
from agir.ir.building.cells import Scope
from agir.ir.tensors import structure
from agir.ir.tensors.staged import Staged
from agir.ir.tensors.symbolic import SymbolicTensor
from agir.ir.tracing.trace import Trace
from agir.ir.values.abstract_values import (
    AbstractValue,
    Static,
    Structure,
    Typed,
    abstract_of,
    join,
)
from agir.ir.values.arrays.one_array import (
    OneArray,
    Paths,
    always_one,
    as_item,
    is_held,
    may_alias_set,
)
from agir.ir.values.arrays.one_of import root_of, storage_of, watch
from agir.ir.values.heap.kinds import ByReference

ITEM = "an item of the list"


def copied(current: Trace, value: Any, abstract: AbstractValue) -> None:
    """Note that an item is a copy: what is written into it, or into what it is of, would be lost."""
    current.journal.copied(value)
    for each in _copies_in(current, value, abstract):
        watch(current, each)


def listed(current: Trace, value: Any, abstract: AbstractValue) -> None:
    """Note that items taken of lists of run-time length may lie in memory as this one does."""
    arrays, taken = current.listed
    for array in _copies_in(current, value, abstract):
        arrays.append(array)
        for carried in taken:
            if _may_be_like(carried, array):
                carried.sources.append(array)


def from_list(current: Trace, value: Any, abstract: AbstractValue) -> None:
    """Note that an item lies in memory as those do which were put into lists."""
    arrays, taken = current.listed
    for made in _copies_in(current, value, abstract):
        alike = [array for array in arrays if _may_be_like(made, array)]
        carried = hooks.values.lie_as_one_of(made, alike)
        if carried is not None:
            taken.append(carried)


def _may_be_like(one: Any, array: SymbolicTensor) -> bool:
    """Whether an array may be this item."""
    return len(one.dims) == len(array.dims) and all(
        a == b or not (isinstance(a, int) and isinstance(b, int))
        for a, b in zip(one.dims, array.dims, strict=True)
    )


def taken_out(current: Trace, value: Any, abstract: AbstractValue) -> None:
    """Note that an item which is a list's no longer is perhaps one that a variable has, too."""
    for each in _copies_in(current, value, abstract):
        if any(_may_be(current, each, other) for other in current.watched):
            watch(current, each)


def _copies_in(current: Trace, value: Any, abstract: AbstractValue) -> list[SymbolicTensor]:
    """The arrays in a value that items of this type have copies of."""
    if not current.convention.arrays_are_mutable or always_one(abstract):
        return []
    if isinstance(abstract, Structure) and (found := structure.parts(value)) is not None:
        pairs = zip(
            found[1], abstract.items, strict=False
        )  # entries that no path makes are left out
        return [each for item, kind in pairs for each in _copies_in(current, item, kind)]
    if isinstance(abstract, OneArray):
        value = abstract.copied(value)
    return [value] if isinstance(value, SymbolicTensor) and value.dims else []


def _may_be(current: Trace, item: SymbolicTensor, array: SymbolicTensor) -> bool:
    """Whether an item may be a copy of an array that a variable has."""
    alike = item.dtype == array.dtype and len(item.dims) == len(array.dims)
    return (
        alike
        and current.scope.encloses(array.storage.home)
        and all(a == b for a, b in zip(item.shape, array.shape, strict=True) if None not in (a, b))
        and is_held(current, array)
    )


def joined(current: Trace, name: str, left: AbstractValue, right: AbstractValue) -> AbstractValue:
    """The abstract value of items of both kinds, wherever a list has come from."""
    before, current.paths = current.paths, Paths((), ())
    try:
        abstract = general(join(name, left, right))
    finally:
        current.paths = before
    return (
        hooks.values.referring(name, abstract) if current.pools and _nested(abstract) else abstract
    )


def abstract_element(current: Trace, value: Any) -> AbstractValue:
    """The abstract value of an item, whose dynamic sizes belong to no tensor in particular."""
    around = current.root if current.tracks_arrays else None
    abstract = general(_with_codes(abstract_of(current, value, around)))
    if current.pools and _nested(abstract):
        abstract = hooks.values.referring(ITEM, abstract)
    arrays = structure.flatten(value)[0] if structure.children(value) else (value,)
    return as_seen(abstract) if any(map(is_seen, arrays)) else abstract


def _with_codes(abstract: AbstractValue) -> AbstractValue:
    """Text in which there is text of a run-time length as what it is made of: items differ in that."""
    if isinstance(abstract, Structure):
        return abstract.of(map(_with_codes, abstract.items))
    values = [each for option in getattr(abstract, "options", ()) for each in option.values]
    are_open = any(not isinstance(d, int) for each in values for d in getattr(each, "dims", ()))
    return hooks.texts.abstract() if are_open else abstract


def is_seen(value: Any) -> bool:
    """Whether an array is a part of another one, or goes by a name as well.

    Names that an iteration of a loop gives to its own arrays are of no consequence after it, as a rule.
    """
    if not isinstance(value, SymbolicTensor) or not value.dims:
        return False
    trace = value.recorder
    if not trace.convention.arrays_are_mutable:
        return False
    if value.shared or root_of(value) is not value:
        return True
    storage = storage_of(value)
    return not storage.home.repeats_since(trace.root) and any(
        isinstance(each, SymbolicTensor) and storage_of(each) is storage
        for frames in trace.functions_around()
        for frame in frames
        for each in frame.f_locals.values()
    )


def as_seen(abstract: AbstractValue) -> AbstractValue:
    """The abstract value of items that others see, too: they cannot be written into."""
    if isinstance(abstract, Typed):
        return replace(abstract, shared=True)
    if isinstance(abstract, Structure):
        return abstract.of(map(as_seen, abstract.items))
    return abstract


def tells_apart(abstract: AbstractValue) -> bool:
    """Whether items are, or hold, arrays by themselves."""
    if isinstance(abstract, Structure):
        return any(map(tells_apart, abstract.items))
    return bool(may_alias_set(abstract))


def is_columnwise(old: AbstractValue, new: AbstractValue) -> bool:
    """Whether items become others by a conversion of each column alone."""
    if len(old.types()) != len(new.types()) or tells_apart(old) or tells_apart(new):
        return False
    if type(old) is not type(new):
        return False
    if isinstance(old, Static):
        return old == new  # the unit of dates, say
    if isinstance(old, Structure):
        assert isinstance(new, Structure), "the classes are the same"
        return old.key == new.key and all(map(is_columnwise, old.items, new.items))
    before, after = (getattr(each, "alternatives", ()) for each in (old, new))
    if before:  # numbers tell of which each is
        return bool(before == after[: len(before)])
    texts = [getattr(each, "options", ()) for each in (old, new)]
    if texts[0]:
        pairs = list(zip(*texts, strict=False))
        same = len(pairs) == len(texts[0]) and all(a.template == b.template for a, b in pairs)
        return same and all(all(map(is_columnwise, a.values, b.values)) for a, b in pairs)
    one, other = (getattr(each, "inner", None) for each in (old, new))
    return one is None or other is None or is_columnwise(one, other)


def visible(abstract: AbstractValue, scope: Scope) -> AbstractValue:
    """The abstract value as it is seen where some arrays do not exist: items are copies of those."""
    if isinstance(abstract, Structure):
        return abstract.of(visible(item, scope) for item in abstract.items)
    gone = any(not scope.encloses(each.storage.home) for each in may_alias_set(abstract))
    return abstract.by_value() if gone else abstract


def holds_lists(abstract: AbstractValue) -> bool:
    """Whether an item is, or holds, a list."""
    if isinstance(abstract, Structure):
        return abstract.key[0] is list or any(map(holds_lists, abstract.items))
    parts = getattr(abstract, "alternatives", ())
    return getattr(abstract, "is_list", False) or any(map(holds_lists, parts))


def _nested(abstract: AbstractValue) -> bool:
    """Whether an item is, or holds, a list of run-time length itself."""
    if isinstance(abstract, Structure):
        return any(map(_nested, abstract.items))
    inner = getattr(abstract, "inner", None)
    parts = getattr(abstract, "alternatives", () if inner is None else (inner,))
    return getattr(abstract, "is_list", False) or any(map(_nested, parts))


def is_entered(old: AbstractValue, new: AbstractValue) -> bool:
    """Whether something of an item becomes a list that is known by itself."""
    if old == new or not _holds_references(new):
        return False
    both = isinstance(old, Structure) and isinstance(new, Structure) and old.key == new.key
    if not both:
        return not (_is_reference(old) and _is_reference(new))
    return any(map(is_entered, old.items, new.items))  # type: ignore[attr-defined]


def _is_reference(abstract: AbstractValue) -> bool:
    return getattr(abstract, "is_reference", False)


def _holds_references(abstract: AbstractValue) -> bool:
    parts = (*getattr(abstract, "items", ()), *getattr(abstract, "alternatives", ()))
    inner = getattr(abstract, "inner", None)
    parts = parts if inner is None else (*parts, inner)
    return _is_reference(abstract) or any(map(_holds_references, parts))


def check_item(current: Trace, element: AbstractValue) -> None:
    """Refuse items that columns cannot hold; lists may still be known by themselves."""
    if _nested(element):
        if current.pools is None:
            raise ByReference
        raise StagingError(
            current.explain(
                f"a list of run-time length holds {element.describe()}: lists in it may hold numbers, "
                "tuples of numbers, and such lists; use an array with a row for each of them"
            )
        )


Path = tuple[Any, ...]
"""Where in an item of a list something is."""


def as_items(current: Trace, value: Any, abstract: AbstractValue | None, path: Path = ()) -> None:
    """The lists in a value are items of a list from now on.

    Of kinds that an abstract value may tell.
    """
    hooks.tables.enter(current, value)
    if current.pools is None:
        return
    value = hooks.values.unchecked(value)
    if alternatives := hooks.values.alternatives(value):
        for at, item in enumerate(alternatives):
            as_items(current, item, None, (*path, at))
    elif isinstance(value, Staged):
        value.become_item(current, abstract, path)
    elif (found := structure.parts(value)) is not None:
        kinds: Sequence[AbstractValue | None] = (
            abstract.items if isinstance(abstract, Structure) else ()
        )
        if len(kinds) != len(found[1]):  # perhaps a tuple among others that are not of its length
            within = getattr(getattr(abstract, "kind", None), "known", None)
            kinds = [within] * len(found[1])
        for at, (item, kind) in enumerate(zip(found[1], kinds, strict=True)):
            as_items(current, item, kind, (*path, at))


def general(abstract: AbstractValue) -> AbstractValue:
    """The abstract value without what is known of the sizes of one tensor only."""
    if (kept := as_item(abstract)) is not None:
        return kept
    seen = type(abstract) is Static and is_seen(abstract.value)
    abstract = abstract.by_value()
    if isinstance(abstract, Typed):
        dims = tuple(d if isinstance(d, int) else None for d in abstract.dims)
        return replace(abstract, dims=dims, shared=abstract.shared or seen, alike=())
    if isinstance(abstract, Structure):
        return abstract.of(map(general, abstract.items))
    return abstract
