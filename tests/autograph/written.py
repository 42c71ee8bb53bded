"""What a function is converted to, compared with what is expected."""

from __future__ import annotations

import ast
import inspect
from collections.abc import Callable
from typing import Any

from agir.autograph import to_code


def check(f: Callable[..., Any], expected: str) -> None:
    """The code of the converted function is the expected one, however Python lays that out."""
    laid_out = ast.unparse(ast.parse(inspect.cleandoc(expected)))
    assert to_code(f).splitlines() == laid_out.splitlines()
