"""Random nests of ``cond``, ``switch_case``, ``while_loop``, ``scan``, ``foldl`` and ``map_fn``.

Each program is a tree of these over two variables; plain Python is what it is compared with.
"""

from __future__ import annotations

import functools
import random
from typing import Any

import numpy as np
import pytest

import agir as ag

from ..ways import TRACED

Program = Any
"""A function of (the library, a, b) to (a, b): a float vector and an int scalar."""
MODULUS = 1009


class Plain:
    """The same functions in plain Python."""

    @staticmethod
    def cond(pred: Any, yes: Any, no: Any) -> Any:
        return yes() if pred else no()

    @staticmethod
    def switch_case(index: Any, branches: Any, default: Any) -> Any:
        return branches[int(index)]() if 0 <= index < len(branches) else default()

    @staticmethod
    def while_loop(test: Any, body: Any, variables: Any, maximum_iterations: Any) -> Any:
        iterations = 0
        while iterations < maximum_iterations and test(*variables):
            variables = body(*variables)
            iterations += 1
        return variables

    @staticmethod
    def foldl(fn: Any, rows: Any, initializer: Any) -> Any:
        return functools.reduce(fn, list(rows), initializer)

    @staticmethod
    def scan(fn: Any, rows: Any, initializer: Any, reverse: bool) -> Any:
        seen = []
        for row in list(rows)[:: -1 if reverse else 1]:
            initializer = fn(initializer, row)
            seen.append(initializer)
        seen = seen[::-1] if reverse else seen
        return tuple(np.stack(column) for column in zip(*seen, strict=True))

    @staticmethod
    def map_fn(fn: Any, rows: Any) -> Any:
        return np.stack([fn(row) for row in rows])


def leaf(rng: random.Random) -> Program:
    k, m = rng.randint(1, 9), rng.randint(2, 5)
    return rng.choice(
        [
            lambda lib, a, b: (a + k, (b * m + k) % MODULUS),
            lambda lib, a, b: (a * 0.5 - b, (b + k) % MODULUS),
            lambda lib, a, b: (a[::-1] + m, b // m),
            lambda lib, a, b: (a - a[0], (b * b + 1) % MODULUS),
        ]
    )


def condition(rng: random.Random) -> Any:
    k, m = rng.randint(0, 4), rng.randint(2, 5)
    return rng.choice([lambda a, b: b % m == k % m, lambda a, b: a[0] > k, lambda a, b: b > k * 50])


def program(rng: random.Random, depth: int) -> Program:
    if not depth:
        return leaf(rng)
    kind = rng.choice(list(BUILDERS))
    return BUILDERS[kind](rng, lambda: program(rng, depth - 1))


def _sequence(rng: random.Random, part: Any) -> Program:
    first, second = part(), part()
    return lambda lib, a, b: second(lib, *first(lib, a, b))


def _cond(rng: random.Random, part: Any) -> Program:
    test, yes, no = condition(rng), part(), part()
    return lambda lib, a, b: lib.cond(test(a, b), lambda: yes(lib, a, b), lambda: no(lib, a, b))


def _switch(rng: random.Random, part: Any) -> Program:
    parts, other, m = [part() for _ in range(rng.randint(1, 3))], part(), rng.randint(2, 5)

    def run(lib: Any, a: Any, b: Any) -> Any:
        branches = [lambda p=p: p(lib, a, b) for p in parts]
        return lib.switch_case(b % m, branches, default=lambda: other(lib, a, b))

    return run


def _while(rng: random.Random, part: Any) -> Program:
    test, body, limit = condition(rng), part(), rng.randint(0, 4)

    def run(lib: Any, a: Any, b: Any) -> Any:
        step = lambda a, b: body(lib, a, b)  # noqa: E731
        return lib.while_loop(test, step, (a, b), maximum_iterations=limit)

    return run


def _foldl(rng: random.Random, part: Any) -> Program:
    body = part()

    def run(lib: Any, a: Any, b: Any) -> Any:
        def step(state: Any, row: Any) -> Any:
            a, b = body(lib, *state)
            return a + row, b

        return lib.foldl(step, a, initializer=(a, b))

    return run


def _scan(rng: random.Random, part: Any) -> Program:
    body, reverse, at = part(), rng.random() < 0.5, rng.randint(0, 2)

    def run(lib: Any, a: Any, b: Any) -> Any:
        step = lambda state, row: body(lib, state[0] - row, state[1])  # noqa: E731
        rows, numbers = lib.scan(step, a, initializer=(a, b), reverse=reverse)
        return rows[at], numbers[at]

    return run


def _map(rng: random.Random, part: Any) -> Program:
    body = part()

    def run(lib: Any, a: Any, b: Any) -> Any:
        return lib.map_fn(lambda row: body(lib, a + row, b)[0][1] - row, a), b

    return run


BUILDERS = {
    "sequence": _sequence,
    "cond": _cond,
    "switch": _switch,
    "while": _while,
    "foldl": _foldl,
    "scan": _scan,
    "map": _map,
}


@pytest.mark.parametrize("seed", range(24))
def test_a_random_program(seed: int) -> None:
    rng = random.Random(seed)
    run = program(rng, depth=3)
    inputs = [(np.round(np.array([rng.uniform(-9, 9) for _ in range(3)]), 1), rng.randint(0, 99))]
    inputs.append((inputs[0][0] * 2, rng.randint(0, 99)))
    functions = {name: wrap(lambda a, b: run(ag, a, b)) for name, wrap in TRACED.items()}
    functions["eager"] = lambda a, b: run(ag, ag.constant(a), b)
    for a, b in inputs:
        with np.errstate(all="ignore"):
            wanted = run(Plain, a, np.int64(b))
        for name, function in functions.items():
            found = function(a, ag.constant(np.int64(b)))
            np.testing.assert_allclose(found[0], wanted[0], rtol=1e-12, err_msg=name)
            assert int(found[1]) == int(wanted[1]), name
