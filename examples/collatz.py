"""The number below a limit with the longest Collatz chain: a `while` and an `if` on every number.

From n the chain goes on with n / 2 where n is even, else with 3 n + 1, until it is at 1.

    python examples/collatz.py --limit 1000000
"""

from __future__ import annotations

import argparse
import time

import agir as ag


@ag.jit
def longest_chain(limit: int) -> tuple[int, int]:
    """The number from 1 to below ``limit`` with the longest chain, and how many steps it takes."""
    longest = 1
    most = 0
    for start in range(1, limit):
        n = start
        steps = 0
        while n != 1:
            n = n // 2 if n % 2 == 0 else 3 * n + 1
            steps += 1
        if steps > most:
            longest = start
            most = steps
    return longest, most


def chain(n: int) -> list[int]:
    """The numbers from n down to 1, in plain Python."""
    numbers = [n]
    while n != 1:
        n = n // 2 if n % 2 == 0 else 3 * n + 1
        numbers.append(n)
    return numbers


def main() -> None:
    """Search below the limit of the command line, and show the chain that was found."""
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--limit", type=int, default=1_000_000, help="default: %(default)s")
    limit = parser.parse_args().limit

    longest_chain(2)  # compiles
    start = time.perf_counter()
    longest, steps = longest_chain(limit)
    seconds = time.perf_counter() - start

    numbers = chain(int(longest))
    shown = " ".join(map(str, numbers if len(numbers) <= 20 else numbers[:14]))
    print(f"below {limit}: {longest} takes {steps} steps and climbs to {max(numbers)}")
    print(shown if len(numbers) <= 20 else f"{shown} ... {' '.join(map(str, numbers[-5:]))}")
    print(f"compiled code looked at every number below the limit in {1e3 * seconds:.1f} ms")


if __name__ == "__main__":
    main()
