"""What a compiled function uses of outside, in a recipe: variables, arrays, attributes."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from agir.autograph.operators import Names
from agir.backends.cpu.native.recipes import Builder, Place, UnfitError
from agir.backends.cpu.native.tables import Kind, Source
from agir.ir.state.outside import Guard, Outside, OutsideArray, PlaceGuard
from agir.ir.state.outside_containers import is_constant, is_object, items_of
from agir.ir.tensors.tensor import Tensor
from agir.ir.tracing.outdated import OutdatedError
from agir.runtime.calling.places import Watch
from agir.runtime.state.buffers import buffer_of
from agir.runtime.state.captures import Captured


def arrays(captures: Sequence[Any]) -> list[Any]:
    """What is passed for captured values, as far as a recipe can have them."""
    return [_array(each) for each in captures]


def _array(owner: Any) -> Any:
    if isinstance(owner, Captured):
        return buffer_of(owner.get()).current()
    if isinstance(owner, Outside):
        try:
            return owner.array()
        except OutdatedError:  # the call has assigned something else
            raise UnfitError from None
    if isinstance(owner, Tensor):
        return owner.numpy()
    if isinstance(owner, (np.ndarray, np.generic)):
        return owner
    raise UnfitError


def captured(
    builder: Builder, argument: int, owner: Any, watch: Watch, *, written: bool
) -> int | None:
    """Tell a builder where a captured value is found; gives the number of its node, if it has one."""
    if isinstance(owner, Captured):
        variable = owner.get()
        watch(variable)
        buffer = buffer_of(variable)
        place = builder.object_at(buffer)
        return builder.array(place, argument, buffer.array, buffer, Kind.VARIABLE, written=written)
    if isinstance(owner, Outside):
        if len(owner.places) != 1:
            raise UnfitError
        reference, name, path = owner.places[0]
        if path:
            raise UnfitError
        place = attribute(builder, reference(), name, watch)
        if isinstance(owner, OutsideArray):
            return builder.array(place, argument, owner.array(), written=written)
        builder.number(place, argument, owner.array())
        return None
    if isinstance(owner, np.ndarray):
        return builder.array(builder.object_at(owner), argument, owner, written=written)
    builder.fixed(argument)
    return None


def attribute(builder: Builder, owner: Any, name: str, watch: Watch) -> Place:
    """The place that is an attribute of an object, in its dictionary; a name is one of its module."""
    if isinstance(owner, Names):
        owner = owner.module(name)
    kind: Any = type(owner)
    if isinstance(owner, type) or not kind.__dictoffset__ or type(vars(owner)) is not dict:
        raise UnfitError
    if name not in vars(owner):  # it is the class's
        raise UnfitError
    watch(owner)
    builder.keep(name)
    return Place(Source.ATTRIBUTE, id(owner), id(name))


def guard(builder: Builder, given: Guard | PlaceGuard, watch: Watch) -> None:
    """Tell a builder of a constant of the trace that an attribute has to hold still."""
    if isinstance(given, PlaceGuard) or not given.holds():  # the call may have assigned to it
        raise UnfitError
    owner = given.reference()
    names = owner.module(given.name) if isinstance(owner, Names) else owner
    place = attribute(builder, owner, given.name, watch)
    _constant(builder, place, vars(names)[given.name], given.sketch, watch)


def _is_plain(value: Any) -> bool:
    return type(value) in (list, dict) or isinstance(value, tuple)


def _constant(builder: Builder, place: Place, value: Any, sketch: Any, watch: Watch) -> None:
    """Tell a builder that a place holds a constant of the trace."""
    if is_constant(sketch) or sketch is value:
        builder.keep(value)
        builder.constant(place, value)
    elif is_object(sketch):
        watch(value)
        builder.constant(place, value)
    elif (items := items_of(sketch)) is not None and _is_plain(value):
        if isinstance(value, dict) and any(type(key) is not str for key in value):
            raise UnfitError
        held = list(value.values()) if isinstance(value, dict) else list(value)
        number = builder.container(place, value)
        for n, (item, inner) in enumerate(zip(held, items, strict=True)):
            _constant(builder, Place.item(number, n), item, inner, watch)
    else:
        raise UnfitError
