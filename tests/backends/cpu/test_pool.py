"""The pool of large buffers: what it keeps and gives again, and that nobody gets another's."""

from __future__ import annotations

import ctypes
import random
import re
import sys
import threading
from collections.abc import Callable, Iterator
from pathlib import Path

import numpy as np
import pytest

import agir as ag
from agir.backends.cpu import pooling
from agir.backends.cpu.calling import pool
from agir.backends.mlir.lock import compiling
from agir.ir.building import bindings

MIB = 1 << 20
LIMIT = 64 * MIB

pytestmark = pytest.mark.skipif(
    not hasattr(ctypes.CDLL(None), "malloc_usable_size"), reason="a pool needs malloc_usable_size"
)


@pytest.fixture(scope="module")
def own() -> pool.Pool:
    """A pool that no compiled function uses."""
    with compiling, bindings.context(), bindings.ir.Location.unknown():
        return pooling.new()


@pytest.fixture
def allocate(own: pool.Pool) -> Iterator[Callable[[int], int]]:
    with ag.config.scope(pool_bytes=LIMIT):
        own.follow_config()
    yield ctypes.PYFUNCTYPE(ctypes.c_void_p, ctypes.c_int64)(own.allocate)
    with ag.config.scope(pool_bytes=0):
        own.follow_config()
        own.release(ctypes.PYFUNCTYPE(ctypes.c_void_p, ctypes.c_int64)(own.allocate)(MIB))
    assert own.held == 0


def test_what_was_freed_is_given_again(own, allocate):
    first = allocate(8 * MIB)
    own.release(first)
    assert 8 * MIB <= own.held < 9 * MIB
    assert allocate(7 * MIB) == first
    assert own.held == 0
    own.release(first)


def test_a_buffer_is_not_given_for_a_much_smaller_one(own, allocate):
    own.release(allocate(32 * MIB))
    small = allocate(2 * MIB)
    assert own.held >= 32 * MIB
    own.release(small)


def test_small_buffers_go_past_it(own, allocate):
    own.release(allocate(pool.LARGE // 2))
    assert own.held == 0


def test_it_holds_no_more_than_it_may(own, allocate):
    buffers = [allocate(n * MIB) for n in (3, 9, 20, 30, 40, 60, 63)]
    for buffer in buffers:
        own.release(buffer)
        assert own.held <= LIMIT
    own.release(allocate(2 * LIMIT))
    assert own.held <= LIMIT
    for buffer in [allocate(MIB + n) for n in range(40)]:
        own.release(buffer)
    assert own.held <= 17 * MIB


def test_threads_never_get_the_same_buffer(own, allocate):
    wrong: list[int] = []

    def work(seed: int) -> None:
        numbers = random.Random(seed)
        mine: list[tuple[int, int]] = []
        for iteration in range(2000):
            if mine and numbers.random() < 0.5:
                address, mark = mine.pop(numbers.randrange(len(mine)))
                if ctypes.c_int64.from_address(address).value != mark:
                    wrong.append(mark)
                own.release(address)
            else:
                address, mark = allocate(numbers.choice([1, 2, 3]) * MIB), 10000 * seed + iteration
                ctypes.c_int64.from_address(address).value = mark
                mine.append((address, mark))
        for address, _ in mine:
            own.release(address)

    interval = sys.getswitchinterval()
    sys.setswitchinterval(1e-6)
    try:
        threads = [threading.Thread(target=work, args=(seed,)) for seed in range(4)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
    finally:
        sys.setswitchinterval(interval)
    assert not wrong
    assert own.held <= LIMIT


def test_results_come_from_the_memory_of_results_that_died():
    @ag.jit
    def doubled(x):
        return x + x

    x = np.arange(500_000.0)
    doubled(x)  # the frame of a call that compiles may live until garbage is collected
    first = doubled(x)
    kept = doubled(x)
    addresses = {array.__array_interface__["data"] for array in (first, kept)}
    assert len(addresses) == 2
    del first
    held = pool.running().held
    assert held >= x.nbytes
    again = doubled(x + 1)
    assert pool.running().held <= held - x.nbytes
    np.testing.assert_array_equal(kept, x + x)
    np.testing.assert_array_equal(again, 2 * (x + 1))


def test_views_keep_their_memory():
    @ag.jit
    def doubled(x):
        return x + x

    x = np.arange(500_000.0)
    part = doubled(x)[10:20]
    for _ in range(3):
        doubled(-x)
    np.testing.assert_array_equal(part, 2 * x[10:20])


def test_only_programs_with_large_buffers_want_it():
    small, large = np.zeros(10), np.zeros(200_000)

    def wanted(x, **options):
        @ag.jit(**options)
        def f(x):
            return x + 1

        return pool.wanted(f.get_concrete_function(x).compilation.get("llvm"))

    assert not wanted(small)
    assert wanted(large)
    assert wanted(small, input_signature=[ag.TensorSpec((None,), ag.float64)])


def test_the_document_says_where_large_begins(root: Path) -> None:
    text = (root / "docs" / "architecture.md").read_text()
    (size,) = re.findall(r"buffers of (\d+) KiB or more,[^.]* come from a pool", text)
    assert int(size) * 1024 == pool.LARGE
