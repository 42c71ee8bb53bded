"""Loops that keep more of their iterations than there is memory for: an error, and no dead process."""

from __future__ import annotations

import subprocess
import sys
import textwrap

import pytest

import agir as ag
from agir.ir.host import memory

PROGRAM = """
import resource
import numpy as np
import agir as ag

def counted(x, n):
    for _ in ag.range(n):
        x = ag.sin(x) * ag.cos(x) + 0.1
    return x

def arrays(v, n):
    for _ in ag.range(n):
        v = ag.sin(v) * ag.cos(v)
    return ag.reduce_sum(v)

def unknown(x, limit):
    k = x * 0.0
    while k < limit:
        x = x * x * 0.25 + 0.1
        k = k + 1.0
    return x

def nested(x, limit):
    k = x * 0.0
    while k < limit:
        x = unknown(x, limit)
        k = k + 1.0
    return x

def growing(v, limit):
    k = 0.0
    while k < limit:
        k = k + 1.0
        v = ag.sin(ag.concat([v, v[:20000]], 0))
    return ag.reduce_sum(v)

PROGRAMS = {
    "counted": (counted, np.float64(0.5), np.int64(10**12)),
    "arrays": (arrays, np.ones(10**6), np.int64(30000)),
    "unknown": (unknown, np.float64(0.5), np.float64(1e9)),
    "nested": (nested, np.float64(0.5), np.float64(1e4)),
    "growing": (growing, np.ones(20000), np.float64(2000.0)),
}
f, *args = PROGRAMS["NAME"]
gradient = ag.grad(f)
small = [args[0], args[1].dtype.type(3)]
expected = gradient(*small).numpy()
decorated = ag.function(f)
with ag.GradientTape() as tape:
    tape.watch(x := ag.constant(args[0]))
    decorated(x, small[1])
size = int(open("/proc/self/statm").read().split()[0]) * 4096
resource.setrlimit(resource.RLIMIT_AS, (size + (3 << 28),) * 2)
for attempt in (lambda: gradient(*args), lambda: decorated(x, args[1])):
    with ag.GradientTape() as tape:
        tape.watch(x)
        try:
            attempt()
        except MemoryError as error:
            print(type(error).__name__, error)
        else:
            print("no error")
assert (gradient(*small).numpy() == expected).all()
print("alive")
"""


@pytest.mark.skipif(sys.platform != "linux", reason="limits as Linux has them")
@pytest.mark.parametrize("name", ["counted", "arrays", "unknown", "nested", "growing"])
def test_a_loop_that_keeps_too_much(name: str) -> None:
    program = textwrap.dedent(PROGRAM).replace("NAME", name)
    done = subprocess.run(
        [sys.executable, "-c", program], capture_output=True, text=True, timeout=300, check=False
    )
    assert done.returncode == 0, done.stderr
    assert done.stdout.count("RuntimeMemoryError the gradient of this loop needs") == 2
    assert done.stdout.count("checkpoint=") == 2
    assert done.stdout.endswith("alive\n")


def test_what_there_is() -> None:
    assert memory.is_there(1e6)
    assert not memory.is_there(1e18)
    assert not memory.is_there(1e30)


def test_loops_that_keep_little_ask_nothing() -> None:
    def f(x):
        for _ in ag.range(1000):
            x = ag.sin(x)
        return x

    text = ag.grad(f).get_concrete_function(ag.TensorSpec([], ag.float64)).compilation.text("hlo")
    assert "agir.callback" not in text
