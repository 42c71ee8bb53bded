"""The dtypes, and conversion between them, under TensorFlow's names."""

from __future__ import annotations

import typing as _typing

from agir.families.functions import cast as cast
from agir.families.functions import saturate_cast as saturate_cast
from agir.ir.building.types import DType as DType
from agir.ir.building.types import as_dtype as as_dtype
from agir.ir.building.types import bfloat16 as bfloat16
from agir.ir.building.types import bool_ as _bool
from agir.ir.building.types import complex64 as complex64
from agir.ir.building.types import complex128 as complex128
from agir.ir.building.types import float16 as float16
from agir.ir.building.types import float32 as float32
from agir.ir.building.types import float64 as float64
from agir.ir.building.types import int8 as int8
from agir.ir.building.types import int16 as int16
from agir.ir.building.types import int32 as int32
from agir.ir.building.types import int64 as int64
from agir.ir.building.types import uint8 as uint8
from agir.ir.building.types import uint16 as uint16
from agir.ir.building.types import uint32 as uint32
from agir.ir.building.types import uint64 as uint64
from agir.names import public as _public
from agir.operations import complex as complex

half, double = float16, float64

bool = _bool

if not _typing.TYPE_CHECKING:  # type checkers go by the imports, and know literal lists only
    __all__ = _public(globals())

    def __dir__() -> list[str]:
        return __all__
