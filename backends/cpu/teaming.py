"""The team of threads in memory: compiled when first needed, or found on disk."""

from __future__ import annotations

from functools import cache

from agir.backends.cpu.calling import team, threads
from agir.backends.cpu.calling.team import Team
from agir.backends.cpu.fixed_programs import FixedProgram, loaded


@cache
def start() -> Team:
    """The team that all programs share.  The caller holds the lock."""
    return new()


def new() -> Team:
    """A team of its own."""
    program = FixedProgram("team", team.text(), team.module)
    # optimizing takes LLVM a tenth of a second, and saves no time of a loop that could be measured
    address, code = loaded(program, team.NAME, level=0)
    return Team(team.packed(address), code)


def address(symbol: str) -> int | None:
    """Where the function is that runs a loop's iterations; None for other symbols.

    The team then has as many threads as options say.  The caller holds the lock.
    """
    if symbol != threads.RUN:
        return None
    made = start()
    made.grow(threads.usual(), threads.limit())
    return made.run
