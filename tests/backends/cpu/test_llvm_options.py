"""What LLVM may not do, for it would end the process."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import agir as ag


def small_numbers(a: int, n: int) -> tuple[int, int]:
    """The inner loop leaves ``a`` as it is, or makes of it what is the same in all its iterations."""
    bound, found = 2305843009213693955, 0
    for i in range(n):
        found += 1
        for j in range(n):
            if min(j, bound) <= 1:
                a = found * (i // 2)
            bound = i
    return a, bound


def main() -> None:
    """Call it, compiled."""
    compiled = ag.jit(small_numbers)
    for arguments in ((5, 2), (7, 0), (3, 40)):
        assert compiled(*arguments) == small_numbers(*arguments)


def test_a_loop_that_leaves_a_value_as_it_was() -> None:
    environment = {**os.environ, "AGIR_CACHE": "0", "AGIR_OPT_LEVEL": "3"}
    command = [sys.executable, str(Path(__file__))]
    done = subprocess.run(command, capture_output=True, text=True, env=environment, check=False)
    assert done.returncode == 0, done.stderr


if __name__ == "__main__":
    main()
