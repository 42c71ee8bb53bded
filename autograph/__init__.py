"""AutoGraph: from Python to functional Python, whose control flow is calls.

`convert` rewrites a function; `operators` is what the rewritten function calls, and where
something else may take over the control flow over values that it claims.
"""

from typing import TYPE_CHECKING

from agir.errors import (
    AutoGraphError,
    ConversionError,
    NoSourceError,
    UnsupportedError,
)

if TYPE_CHECKING:
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


def __getattr__(name: str) -> object:
    """What converts is imported when it is first asked for."""
    if name not in __all__:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    import agir.autograph.experimental as experimental
    from agir.autograph import api

    return experimental if name == "experimental" else getattr(api, name)


def __dir__() -> list[str]:
    return __all__
