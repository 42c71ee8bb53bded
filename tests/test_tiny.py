"""The public surface in a few lines: what this says, all the rest refines.  It runs first."""

import numpy as np
import pytest

import agir as ag


def test_a_function() -> None:
    first = ag.function(lambda x: x * 2 + 1)
    assert first(ag.constant([1.0, 2.0])).numpy().tolist() == [3.0, 5.0]


def test_control_flow_and_assignment() -> None:
    @ag.jit
    def collatz(n, seen):
        steps = 0
        while n != 1:
            n = n // 2 if n % 2 == 0 else 3 * n + 1
            seen[steps] = n
            steps += 1
        return steps

    seen = np.zeros(200, int)
    assert collatz(27, seen) == 111
    assert seen.max() == 9232


def test_state_errors_and_stages() -> None:
    total = ag.Variable(0)
    add = ag.function(lambda x: total.assign_add(x))
    assert int(add(3)) == int(total) == 3
    with pytest.raises(IndexError, match=r"test_tiny\.py"):
        ag.jit(lambda x, i: x[i])(np.zeros(3), 3)
    assert "func.func" in add.experimental_get_compiler_ir(3)(stage="hlo")
