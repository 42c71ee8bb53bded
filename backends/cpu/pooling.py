"""The pool of large buffers in memory: compiled when first needed, or found on disk."""

from __future__ import annotations

from functools import cache

from agir.backends.cpu.calling import pool
from agir.backends.cpu.calling.pool import Pool
from agir.backends.cpu.fixed_programs import FixedProgram, loaded


@cache
def start() -> Pool | None:
    """The pool that all programs share; None where there can be none.  The caller holds the lock."""
    if not pool.is_possible():
        return None
    made = new()
    pool.use(made)
    return made


def new() -> Pool:
    """A pool of its own."""
    address, code = loaded(FixedProgram("pool", pool.text(), pool.module), pool.NAME)
    return Pool(pool.packed(address), code)
