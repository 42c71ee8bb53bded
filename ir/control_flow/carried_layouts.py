"""How arrays lie in memory that branches and loops leave: as on each of the paths."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

from agir.autograph.operators import Undefined
from agir.ir import structure
from agir.ir.ops import layouts
from agir.ir.symbolic import SymbolicTensor
from agir.ir.values.one_of import OneOf
from agir.ir.values.slots import MaybeUnbound


class Arriving:
    """What arrives where paths meet, of which further paths become known later."""

    def __init__(self, values: Sequence[Any], *paths: Sequence[Any]) -> None:
        pairs = [
            pair
            for value, *sources in zip(values, *paths, strict=True)
            for pair in _arrays(value, sources)
        ]
        self.values = values
        self.known = {id(made): layouts.derive_carried(made, found) for made, found in pairs}

    def also(self, path: Sequence[Any]) -> None:
        """What a further path leaves."""
        for value, source in zip(self.values, path, strict=True):
            for made, found in _arrays(value, [source]):
                carried = self.known.get(id(made))
                if carried is not None:
                    carried.sources += [each for each in found if each is not made]


def _arrays(value: Any, sources: Sequence[Any]) -> Iterator[tuple[SymbolicTensor, list[Any]]]:
    """The arrays that a value consists of, each with those that the paths leave for it."""
    given = [_bound(each) for each in sources if not isinstance(each, Undefined)]
    value = _bound(value)
    if isinstance(value, SymbolicTensor):
        storage = value.storage
        own = storage.spare if isinstance(storage, OneOf) else value
        if own is not None and not any(each is value for each in given):
            yield own, [each for each in given if isinstance(each, SymbolicTensor)]
        return
    if (found := structure.children(value)) is None:
        return
    others = [each for each in map(structure.children, given) if each and each[0] == found[0]]
    for at, item in enumerate(found[1]):
        yield from _arrays(item, [each[1][at] for each in others])


def _bound(value: Any) -> Any:
    return value.value if isinstance(value, MaybeUnbound) else value
