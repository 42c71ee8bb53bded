"""Numba's ``cuda``: there is no device, as Numba has it on a machine without one."""

from __future__ import annotations

from typing import Any

from agir.numba.absent import AbsentDecorator

_REASON = "agir compiles for the CPU"
jit = AbsentDecorator("cuda.jit", _REASON)
gpus: tuple[Any, ...] = ()


def is_available() -> bool:
    """Whether there is a device: no."""
    return False


def __getattr__(name: str) -> Any:
    raise AttributeError(f"agir.numba.cuda has no {name!r}: {_REASON}")
