"""``agir.debugging``: assertions, checked where the program gets to them.

What is known while tracing is checked while tracing.
"""

import typing as _typing

from agir.names import public as _public
from agir.runtime.effects.assertions import Assert as Assert
from agir.runtime.effects.assertions import assert_all_finite as assert_all_finite
from agir.runtime.effects.assertions import assert_equal as assert_equal
from agir.runtime.effects.assertions import assert_greater as assert_greater
from agir.runtime.effects.assertions import assert_greater_equal as assert_greater_equal
from agir.runtime.effects.assertions import assert_less as assert_less
from agir.runtime.effects.assertions import assert_less_equal as assert_less_equal
from agir.runtime.effects.assertions import assert_near as assert_near
from agir.runtime.effects.assertions import assert_negative as assert_negative
from agir.runtime.effects.assertions import assert_non_negative as assert_non_negative
from agir.runtime.effects.assertions import assert_non_positive as assert_non_positive
from agir.runtime.effects.assertions import assert_none_equal as assert_none_equal
from agir.runtime.effects.assertions import assert_positive as assert_positive
from agir.runtime.effects.assertions import check_numerics as check_numerics
from agir.runtime.effects.type_assertions import assert_integer as assert_integer
from agir.runtime.effects.type_assertions import assert_proper_iterable as assert_proper_iterable
from agir.runtime.effects.type_assertions import assert_rank as assert_rank
from agir.runtime.effects.type_assertions import assert_rank_at_least as assert_rank_at_least
from agir.runtime.effects.type_assertions import assert_rank_in as assert_rank_in
from agir.runtime.effects.type_assertions import assert_same_float_dtype as assert_same_float_dtype
from agir.runtime.effects.type_assertions import assert_scalar as assert_scalar
from agir.runtime.effects.type_assertions import assert_shapes as assert_shapes
from agir.runtime.effects.type_assertions import assert_type as assert_type

if not _typing.TYPE_CHECKING:  # type checkers go by the imports, and know literal lists only
    __all__ = _public(globals())

    def __dir__() -> list[str]:
        return __all__
