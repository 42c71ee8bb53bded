"""Optional features of the conversion, under the names that TensorFlow has for them."""

from __future__ import annotations

from agir.autograph.api import do_not_convert, set_loop_options
from agir.autograph.features import Feature, features

__all__ = ["Feature", "do_not_convert", "features", "set_loop_options"]


def __dir__() -> list[str]:
    return __all__
