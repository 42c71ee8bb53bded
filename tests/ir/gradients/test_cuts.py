"""What is saved is the least that lets the rest be computed again."""

from __future__ import annotations

import itertools
import random

import pytest

from agir.ir.gradients.core import cuts

Inputs = dict[str, list[str] | None]


def suffices(kept: set[str], wanted: list[str], inputs: Inputs) -> bool:
    """Whether the wanted values can be had when these are kept."""

    def had(value: str) -> bool:
        found = inputs[value]
        return value in kept or (found is not None and all(map(had, found)))

    return all(map(had, wanted))


def some_program(seed: int) -> tuple[Inputs, dict[str, int], list[str]]:
    chance = random.Random(seed)
    inputs: Inputs = {"known": []}
    for number in range(9):
        before = list(inputs)
        own = None if number < 2 or chance.random() < 0.2 else chance.choices(before, k=2)
        inputs[f"v{number}"] = own
    sizes = {name: chance.choice([1, 2, 5]) for name in inputs}
    return inputs, sizes, chance.sample(list(inputs), 3)


@pytest.mark.parametrize("seed", range(40))
def test_nothing_smaller_suffices(seed: int) -> None:
    inputs, sizes, wanted = some_program(seed)
    kept = cuts.smallest(wanted, inputs.__getitem__, sizes.__getitem__)
    assert suffices(kept, wanted, inputs)
    least = min(
        sum(sizes[name] for name in some)
        for count in range(len(inputs))
        for some in itertools.combinations(inputs, count)
        if suffices(set(some), wanted, inputs)
    )
    assert sum(sizes[name] for name in kept) == least


def test_of_equal_cuts_the_one_that_computes_least() -> None:
    inputs: Inputs = {"a": None, "b": ["a"], "c": ["b"]}
    assert cuts.smallest(["c"], inputs.__getitem__, lambda value: 1) == {"c"}
    assert cuts.smallest(["c", "b"], inputs.__getitem__, lambda value: 1) == {"b"}
