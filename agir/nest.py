"""``agir.nest``: structures of lists, tuples, dicts, named tuples and dataclasses.

A dict's leaves come in the order of its sorted keys.
"""

import typing as _typing

from agir.ir.tracing.nest import assert_same_structure as assert_same_structure
from agir.ir.tracing.nest import flatten as flatten
from agir.ir.tracing.nest import flatten_up_to as flatten_up_to
from agir.ir.tracing.nest import is_nested as is_nested
from agir.ir.tracing.nest import map_structure as map_structure
from agir.ir.tracing.nest import map_structure_up_to as map_structure_up_to
from agir.ir.tracing.nest import pack_sequence_as as pack_sequence_as
from agir.names import public as _public

if not _typing.TYPE_CHECKING:  # type checkers go by the imports, and know literal lists only
    __all__ = _public(globals())

    def __dir__() -> list[str]:
        return __all__
