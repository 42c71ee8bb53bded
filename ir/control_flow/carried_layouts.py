"""How arrays lie in memory that branches and loops leave: as on each of the paths."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

from agir.autograph.operators import Undefined
from agir.ir.ops.core import layouts_of_paths
from agir.ir.tensors import structure
from agir.ir.tensors.symbolic import SymbolicTensor, is_only_number
from agir.ir.values.abstract_values import MaybeUnbound
from agir.ir.values.arrays.one_of import OneOf, root_of, storage_of


class Arriving:
    """What arrives where paths meet, of which further paths become known later."""

    def __init__(self, values: Sequence[Any], *paths: Sequence[Any]) -> None:
        pairs = [
            pair
            for value, *sources in zip(values, *paths, strict=True)
            for pair in _arrays(value, sources)
        ]
        self.values = values
        self.known = {id(made): _derived(made, found) for made, found in pairs}

    def also(self, path: Sequence[Any]) -> None:
        """What a further path leaves."""
        for value, source in zip(self.values, path, strict=True):
            for made, found in _arrays(value, [source]):
                carried = self.known.get(id(made))
                if carried is not None:
                    carried.sources += _left(made, found)


def _derived(made: SymbolicTensor, found: Sequence[SymbolicTensor]) -> Any:
    first = next(iter(found), None)
    return layouts_of_paths.derive_carried(_own(made), _left(made, found), first)


def _own(made: SymbolicTensor) -> SymbolicTensor | None:
    """The array whose elements the paths leave: of one of several, the one that is none of those."""
    storage = made.storage
    return storage.spare if isinstance(storage, OneOf) else made


def _left(made: SymbolicTensor, found: Sequence[SymbolicTensor]) -> list[SymbolicTensor]:
    """The arrays that paths leave for it, without those that it may be itself."""
    storage, own = made.storage, _own(made)
    roots = [root_of(each) for each in storage.members] if isinstance(storage, OneOf) else []
    given: list[SymbolicTensor] = []
    for each in found:
        its = storage_of(each)
        left = its.spare if roots and isinstance(its, OneOf) else each
        if left is None or left is own or any(root_of(left) is root for root in roots):
            continue
        given.append(left)
    return given


def _arrays(
    value: Any, sources: Sequence[Any]
) -> Iterator[tuple[SymbolicTensor, list[SymbolicTensor]]]:
    """The arrays that a value consists of, each with those that the paths leave for it."""
    value = _bound(value)
    if is_only_number(value):
        return
    given = [_bound(each) for each in sources if not isinstance(each, Undefined)]
    if isinstance(value, SymbolicTensor):
        if not any(each is value for each in given):
            yield value, [each for each in given if isinstance(each, SymbolicTensor)]
        return
    if (found := structure.children(value)) is None:
        return
    others = [each for each in map(structure.children, given) if each and each[0] == found[0]]
    for at, item in enumerate(found[1]):
        yield from _arrays(item, [each[1][at] for each in others])


def _bound(value: Any) -> Any:
    return value.value if isinstance(value, MaybeUnbound) else value
