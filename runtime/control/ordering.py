"""``control_dependencies``, ``group`` and ``no_op``: names for an order that always holds.

A function that is traced does what its program says, in that order, whether a result is used or not.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

from agir.runtime.control.agreement import explained


@contextmanager
def control_dependencies(control_inputs: Any) -> Iterator[None]:
    """A block that runs after what ``control_inputs`` stand for, as every statement does anyway.

    >>> with ag.control_dependencies([]):
    ...     y = ag.constant(1)
    """
    if control_inputs is not None and not isinstance(control_inputs, (list, tuple)):
        raise explained(
            TypeError,
            f"control_dependencies() takes a list of tensors, or None, not {control_inputs!r}",
        )
    yield


def group(*inputs: Any, name: str | None = None) -> None:
    """Nothing: what the inputs stand for happens where the program says so.

    >>> ag.group(ag.constant(1)) is None
    True
    """


def no_op(name: str | None = None) -> None:
    """Nothing.

    >>> ag.no_op() is None
    True
    """
