"""What functions of numbers return."""

from __future__ import annotations

from typing import Any

from agir.errors import OperandTypeError


def check_result(function: Any, found: Any, also: tuple[type, ...] = ()) -> None:
    """Refuse what is no number, nor several or an array of them; ``also`` is refused as well."""
    if found is None or isinstance(found, (str, bytes, dict, set, *also)):
        what = "None" if found is None else f"a {type(found).__name__}"
        code = getattr(function, "__code__", None)
        where = "" if code is None else f", at {code.co_filename}:{code.co_firstlineno},"
        name = getattr(function, "__name__", "the function")
        raise OperandTypeError(f"{name}{where} returns {what}, and is to return numbers")
