"""``agir.nest``: structures of lists, tuples, dicts, named tuples and dataclasses.

A dict's leaves come in the order of its sorted keys.
"""

from agir.ir.nest import assert_same_structure as assert_same_structure
from agir.ir.nest import flatten as flatten
from agir.ir.nest import flatten_up_to as flatten_up_to
from agir.ir.nest import is_nested as is_nested
from agir.ir.nest import map_structure as map_structure
from agir.ir.nest import map_structure_up_to as map_structure_up_to
from agir.ir.nest import pack_sequence_as as pack_sequence_as
