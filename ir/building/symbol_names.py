"""Names of the functions of a module."""

from __future__ import annotations

_OF_DOUBLES = (
    "acos", "acosh", "asin", "asinh", "atan", "atan2", "atanh", "cbrt", "ceil", "cos", "cosh", "erf",
    "erfc", "exp", "exp2", "expm1", "fabs", "floor", "fma", "fmod", "lgamma", "log", "log10", "log1p",
    "log2", "pow", "remainder", "rint", "round", "roundeven", "sin", "sinh", "sqrt", "tan", "tanh",
    "tgamma", "trunc",
)  # fmt: skip
_OF_C = frozenset(name + suffix for name in _OF_DOUBLES for suffix in ("", "f"))
"""Functions of C's library: MLIR declares the ones that it calls by these names."""


def symbol(name: str) -> str:
    """The name in a module of a function that has this name in Python."""
    if name == "<lambda>":
        return "lambda_"
    return f"{name}_" if name in _OF_C else name
