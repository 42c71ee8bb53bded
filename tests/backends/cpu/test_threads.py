"""Loops on several threads: the same bits, whatever their number."""

from __future__ import annotations

import os
import re
import subprocess
import sys
import threading
from pathlib import Path

import numpy as np
import pytest

import agir as ag
from agir.backends.cpu.calling import team, threads

pytestmark = pytest.mark.skipif(not threads.is_possible(), reason="there are no threads here")


@pytest.fixture(autouse=True)
def several(monkeypatch):
    """As on a machine with several cores."""
    monkeypatch.setenv("OMP_NUM_THREADS", "3")


def both(function, *arguments):
    """What one thread gives, and what several give; the stage of the latter."""
    results = []
    for number in (1, 0):
        with ag.config.scope(num_threads=number):
            compiled = ag.jit(function)
            given = [a.copy() if isinstance(a, np.ndarray) else a for a in arguments]
            returned = compiled(*given)
            results.append((returned, [a for a in given if isinstance(a, np.ndarray)]))
            text = compiled.experimental_get_compiler_ir(*arguments)("loops")
    return *results, text


def same(left, right) -> bool:
    pairs = zip([left[0], *left[1]], [right[0], *right[1]], strict=True)
    return all(np.array_equal(a, b) for a, b in pairs)


def chain(x, y):
    return np.tanh(x * y + 1) * np.exp(-x * x) + np.sin(y)


def heat(a, b, steps):
    for _ in range(steps):
        b[1:-1, 1:-1] = 0.25 * (a[:-2, 1:-1] + a[2:, 1:-1] + a[1:-1, :-2] + a[1:-1, 2:])
        a[1:-1, 1:-1] = b[1:-1, 1:-1]


def both_ways(a, b, steps):
    for _ in range(steps):
        b[1:-1] = 0.5 * (a[:-2] + a[2:])
        a[1:-1] = 0.5 * (b[:-2] + b[2:])


def in_place(a, steps):
    for _ in range(steps):
        a[1:-1] = 0.5 * (a[:-2] + a[2:])


def rows(a):
    out = np.empty(a.shape[0])
    for i in range(a.shape[0]):
        total = 0.0
        for j in range(a.shape[1]):
            total += np.sqrt(a[i, j])
        out[i] = total
    return out


def strides(x):
    x[::-1] = x * 2
    y = np.zeros(len(x))
    for i in range(3, len(x), 2):
        y[i] = np.exp(x[i]) + i
    return y


R = np.random.default_rng(0)


@pytest.mark.parametrize(
    ("function", "arguments"),
    [
        (chain, (R.random(100_003), R.random(100_003))),
        (chain, (R.random((33, 4001)).astype(np.float32), R.random(4001).astype(np.float32))),
        (heat, (R.random((701, 503)), R.random((701, 503)), 3)),
        (both_ways, (R.random(1_000_001), R.random(1_000_001), 3)),
        (in_place, (R.random(1_000_001), 3)),
        (rows, (R.random((401, 701)),)),
        (strides, (R.random(200_001),)),
    ],
    ids=["chain", "broadcast", "heat", "both_ways", "in_place", "rows", "strides"],
)
def test_the_same_bits(function, arguments) -> None:
    one, many, text = both(function, *arguments)
    assert "agir.parallel.0.run" in text
    assert same(one, many)


def test_short_loops_stay_as_they_are() -> None:
    *_, text = both(chain, np.ones(100), np.ones(100))
    assert "parallel" not in text


def told(function, *arguments) -> list[int]:
    """The work, in picoseconds, that the team is told of: of each parallel loop."""
    text = ag.jit(function).experimental_get_compiler_ir(*arguments)("loops")
    calls = re.findall(r"call @agir\.parallel\.\d+\.run\(.*%c(\d+)(?:_\d+)?\) :", text)
    return [int(work) for work in calls]


def exponential(x):
    return np.exp(x)


def twice(x):
    return x + x


def test_the_team_is_told_of_the_work() -> None:
    single, double = (np.ones(100_000, dtype) for dtype in (np.float32, np.float64))
    (work,) = told(exponential, single)
    assert told(exponential, double) == [2 * work]
    assert told(exponential, np.ones(200_000, np.float32)) == [2 * work]
    (little,) = told(twice, single)
    assert team.WARM < little < work / 2


def test_what_is_too_little_is_not_asked_for() -> None:
    (work,) = told(twice, np.ones(100_000))
    least = 100_000 * team.WARM // work
    assert told(twice, np.ones(least + 100))
    assert not told(twice, np.ones(least - 100))


@pytest.mark.parametrize("number", [1, 2, 3, 5])
@pytest.mark.parametrize("dtype", [np.float32, np.float64])
def test_bits_do_not_depend_on_how_many_there_are(number: int, dtype) -> None:
    x, y = (R.uniform(-3, 3, 70_003).astype(dtype) for _ in range(2))
    with ag.config.scope(num_threads=1):
        expected = ag.jit(chain)(x, y)
    with ag.config.scope(num_threads=number):
        compiled = ag.jit(chain)
        for _ in range(20):  # whoever comes late
            assert compiled(x, y).tobytes() == expected.tobytes()


def test_a_loop_whose_iterations_depend_on_each_other() -> None:
    def scan(x):
        for i in range(1, len(x)):
            x[i] = 0.5 * x[i - 1] + x[i]

    one, many, text = both(scan, R.random(500_000))
    assert "parallel" not in text
    assert same(one, many)


def test_loops_in_short_arrays_stay_as_they_are() -> None:
    """Of unknown length, but there is not much to write."""

    @ag.jit
    def ordered(x):
        return np.sort(x)

    text = ordered.experimental_get_compiler_ir(np.ones(500))("loops")
    assert "scf.while" in text
    assert "parallel" not in text


@pytest.mark.parametrize("n", [0, 1, 2, 7, 1000, 300_000])
def test_sizes_of_the_run_time(n: int) -> None:
    spec = ag.TensorSpec([None], ag.float64)
    compiled = ag.jit(chain).get_concrete_function(spec, spec)
    x = R.random(n)
    np.testing.assert_allclose(compiled(x, x), chain(x, x), rtol=1e-12)
    text = ag.jit(chain).experimental_get_compiler_ir(spec, spec)("loops")
    assert "scf.if" in text[: text.index("agir.parallel.0.run")]


def test_several_callers_at_once() -> None:
    compiled = ag.jit(chain)
    x = R.random(200_000)
    expected = compiled(x, x)
    results = [None] * 4

    def call(i: int) -> None:
        for _ in range(5):
            results[i] = compiled(x, x)

    callers = [threading.Thread(target=call, args=(i,)) for i in range(4)]
    for each in callers:
        each.start()
    for each in callers:
        each.join()
    assert all(np.array_equal(result, expected) for result in results)


FORKED = """
import os
import numpy as np
import agir as ag

f = ag.jit(lambda x: np.exp(np.sin(x)) + 1)
x = np.arange(500_000.0)
expected = f(x)
assert "parallel" in f.experimental_get_compiler_ir(x)("loops")
child = os.fork()
if child == 0:
    os._exit(0 if np.array_equal(f(x), expected) else 1)
print(os.waitpid(child, 0)[1])
"""


@pytest.mark.skipif(not hasattr(os, "fork"), reason="there is no fork here")
def test_after_a_fork(tmp_path: Path) -> None:
    script = tmp_path / "forked.py"
    script.write_text(FORKED)
    done = subprocess.run(
        [sys.executable, "-W", "ignore", script],
        capture_output=True,
        text=True,
        timeout=100,
        check=False,
    )
    assert done.stdout.strip() == "0", done.stderr


COUNTED = """
import numpy as np
import agir as ag
from agir.backends.cpu import teaming

f = ag.jit(lambda x: np.exp(x) + 1)
x = np.ones(10**6)
f(x)
parallel = "parallel" in f.experimental_get_compiler_ir(x)("loops")
print(parallel)
print(teaming.start().workers + 1 if parallel else 1)
"""


def test_how_many(tmp_path: Path) -> None:
    script = tmp_path / "counted.py"
    script.write_text(COUNTED)
    shown = {}
    for name, number in (("AGIR", "1"), ("AGIR", "3"), ("OMP", "1"), ("OMP", "3"), ("OMP", "3,2")):
        environment = {**os.environ, f"{name}_NUM_THREADS": number}
        environment.pop({"AGIR": "OMP", "OMP": "AGIR"}[name] + "_NUM_THREADS", None)
        done = subprocess.run(
            [sys.executable, script],
            capture_output=True,
            text=True,
            timeout=100,
            check=True,
            env=environment,
        )
        shown[name, number] = done.stdout.split()
    for name, number in shown:
        wanted = ["False", "1"] if number == "1" else ["True", "3"]
        assert shown[name, number] == wanted, (name, number)


def test_an_explanation_of_threads() -> None:
    x = R.random(300_000)
    explanation = ag.jit(chain).explain(x, x)
    [kernel] = explanation.rows
    assert kernel.threads
    assert kernel.executions == 1
    assert kernel.loops[0].width > 1
    assert "threads" in str(explanation)


def test_loops_of_which_only_a_huge_bound_is_known():
    def f(a, b, c, n):
        v = a[::-1]
        v[[0, -1]] = v[[-1, 0]]
        for _ in enumerate(c):
            c //= c
        w = c.real
        for i in range(n):
            w[i] = max(w[i], 1)
        return a, b, c, w, v

    array, number = ag.TensorSpec([None], ag.float64), ag.TensorSpec([], ag.int64)
    general = ag.jit(f, input_signature=[array, array, array, number])
    given = [np.arange(1.0, 6.0) for _ in "abc"]
    expected = f(*(each.copy() for each in given), 2)
    for found, wanted in zip(general(*given, 2), expected, strict=True):
        np.testing.assert_array_equal(found, wanted)
