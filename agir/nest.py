"""``agir.nest``: structures of lists, tuples, dicts, named tuples and dataclasses.

A dict's leaves come in the order of its sorted keys.
"""

from agir.ir.tracing.nest import (
    assert_same_structure,
    flatten,
    flatten_up_to,
    is_nested,
    map_structure,
    map_structure_up_to,
    pack_sequence_as,
)

__all__ = [
    "assert_same_structure",
    "flatten",
    "flatten_up_to",
    "is_nested",
    "map_structure",
    "map_structure_up_to",
    "pack_sequence_as",
]


def __dir__() -> list[str]:
    return __all__
