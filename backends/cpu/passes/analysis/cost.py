"""What operations on numbers cost."""

from __future__ import annotations

_CHEAP_MATH = frozenset({"math.absf", "math.absi", "math.copysign", "math.fma", "math.floor"})
_COSTLY = frozenset(
    {"arith.divf", "arith.divsi", "arith.divui", "arith.remf", "arith.remsi", "arith.remui"}
    | {"arith.floordivsi"}
)
_CHEAP_COMPLEX = frozenset(
    {"complex.add", "complex.bitcast", "complex.conj", "complex.constant", "complex.create"}
    | {"complex.eq", "complex.im", "complex.mul", "complex.neg", "complex.neq", "complex.re"}
    | {"complex.sub"}
)


def is_costly(name: str) -> bool:
    """Whether an operation on numbers takes longer than a few additions."""
    if name.startswith("complex."):
        return name not in _CHEAP_COMPLEX
    return name in _COSTLY or (name.startswith("math.") and name not in _CHEAP_MATH)
