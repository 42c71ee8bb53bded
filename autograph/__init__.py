"""AutoGraph: from Python to functional Python, whose control flow is calls.

`convert` rewrites a function; `operators` is what the rewritten function calls, and where
something else may take over the control flow over values that it claims.
"""

from agir.autograph import experimental
from agir.autograph.api import (
    convert,
    do_not_convert,
    is_converted,
    set_loop_options,
    set_verbosity,
    to_code,
    to_graph,
)
from agir.errors import (
    AutoGraphError,
    ConversionError,
    NoSourceError,
    UnsupportedError,
)

__all__ = [
    "AutoGraphError",
    "ConversionError",
    "NoSourceError",
    "UnsupportedError",
    "convert",
    "do_not_convert",
    "experimental",
    "is_converted",
    "set_loop_options",
    "set_verbosity",
    "to_code",
    "to_graph",
]


def __dir__() -> list[str]:
    return __all__
