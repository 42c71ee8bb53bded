"""The longest Collatz chain below a limit: scalar integers, a `while` and an `if` in a `for`."""

from __future__ import annotations

import ctypes
from typing import Any

import agir as ag

from .harness import Contender, Row, measure, optional
from .native import compiled

LIMIT = 300_000
LONGEST = 230_631
PYTHON_LIMIT = 3_000

SOURCE = """
#include <stdint.h>
int64_t longest_chain(int64_t limit) {
    int64_t longest = 1, most = 0;
    for (int64_t start = 1; start < limit; start++) {
        int64_t n = start, steps = 0;
        while (n != 1) {
            n = n % 2 == 0 ? n / 2 : 3 * n + 1;
            steps++;
        }
        if (steps > most) {
            longest = start;
            most = steps;
        }
    }
    return longest;
}
"""


def longest_chain(limit: int) -> int:
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
    return longest


def with_jax(jax: Any) -> Any:
    """As a JAX user writes it: all numbers at once, until the last one is at 1."""
    jax.config.update("jax_enable_x64", True)
    jnp = jax.numpy

    def longest(limit: int) -> Any:
        def step(carry: Any) -> Any:
            n, steps = carry
            after = jnp.where(n % 2 == 0, n // 2, 3 * n + 1)
            return jnp.where(n == 1, 1, after), steps + (n != 1)

        start = jnp.arange(1, limit)
        _, steps = jax.lax.while_loop(
            lambda carry: jnp.any(carry[0] != 1), step, (start, jnp.zeros_like(start))
        )
        return jnp.argmax(steps) + 1

    chain = jax.jit(longest, static_argnums=0)
    return lambda limit: int(chain(limit))


def chain_steps(limit: int) -> int:
    """How many steps there are altogether: the work."""
    known = {1: 0}
    total = 0
    for start in range(1, limit):
        n, steps = start, 0
        while n not in known:
            n = n // 2 if n % 2 == 0 else 3 * n + 1
            steps += 1
        known[start] = steps + known[n]
        total += known[start]
    return total


def check(result: Any) -> None:
    assert result == LONGEST, result


def benchmark(rounds: int) -> list[Row]:
    contenders = [
        Contender("agir", ag.jit(longest_chain), lambda: (LIMIT,), check=check),
        Contender(
            "plain Python",
            longest_chain,
            lambda: (PYTHON_LIMIT,),
            share=chain_steps(PYTHON_LIMIT) / chain_steps(LIMIT),
        ),
    ]
    if library := compiled(SOURCE):
        native = library.longest_chain
        native.argtypes, native.restype = [ctypes.c_int64], ctypes.c_int64
        contenders.insert(1, Contender("gcc -O2", native, lambda: (LIMIT,), check=check))
    if numba := optional("numba"):
        contenders.append(
            Contender("Numba", numba.njit(longest_chain), lambda: (LIMIT,), check=check)
        )
    if jax := optional("jax"):
        contenders.append(Contender("JAX", with_jax(jax), lambda: (LIMIT,), check=check))
    title = f"longest Collatz chain below {LIMIT}"
    return measure(title, contenders, rounds, reference="gcc -O2", aim=1.2)
