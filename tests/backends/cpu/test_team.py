"""The team of threads: every iteration once, whoever comes late, and no thread that is waited for."""

from __future__ import annotations

import ctypes
import os
import re
import sys
import threading
import time

import pytest

from agir.backends.cpu import teaming
from agir.backends.cpu.calling import team, threads
from agir.backends.mlir.lock import compiling
from agir.ir.building import bindings

pytestmark = pytest.mark.skipif(not threads.is_possible(), reason="there are no threads here")

TASK = ctypes.CFUNCTYPE(None, ctypes.c_void_p, ctypes.c_int64, ctypes.c_int64)
RUN = ctypes.CFUNCTYPE(None, TASK, ctypes.c_void_p, *[ctypes.c_int64] * 3)
MUCH = 10**12


class Loops:
    """Loops of Python functions on a team of its own, and who has run which iterations."""

    def __init__(self, usual: int) -> None:
        with compiling, bindings.context():
            self.team = teaming.new()
        self.team.grow(usual, 0)
        self._run = RUN(self.team.run)

    def __call__(self, iterations: int, work: int = MUCH, most: int = 0, pause: float = 0.0):
        """The ranges of iterations, and the thread that has run each."""
        ran: list[tuple[int, int, int]] = []

        def task(_data, begin, end):
            time.sleep(pause)
            ran.append((begin, end, threading.get_native_id()))

        self._run(TASK(task), None, iterations, work, most)
        return sorted(ran)


@pytest.fixture(scope="module", params=[2, 3, 9])
def loops(request):
    return Loops(request.param)


def covers(ran, iterations: int) -> bool:
    """Whether the pieces are all iterations, each once."""
    ends = [end for _, end, _ in ran]
    return [begin for begin, *_ in ran] == [0, *ends[:-1]] and ends[-1] == iterations


@pytest.mark.parametrize("iterations", [1, 2, 3, 7, 16, 100, 1000, 12_345, 10**6])
def test_every_iteration_runs_once(loops, iterations):
    for _ in range(20):
        assert covers(loops(iterations), iterations)


def test_pieces_of_long_loops_begin_where_cache_lines_do(loops):
    ran = loops(1_000_003)
    assert len(ran) > 1
    assert all(begin % 16 == 0 for begin, *_ in ran)


def test_threads_share_the_pieces():
    loops = Loops(3)
    helped = {who for _ in range(5) for *_, who in loops(48, pause=0.002)}
    assert threading.get_native_id() in helped
    assert len(helped) == 3


def test_no_more_threads_than_are_wanted():
    loops = Loops(4)
    for most in (1, 2, 3):
        for _ in range(10):
            assert len({who for *_, who in loops(64, most=most, pause=0.0005)}) <= most


def test_short_loops_run_where_they_are():
    loops = Loops(3)
    for _ in range(100):
        assert loops(1000, work=team.WARM - 1) == [(0, 1000, threading.get_native_id())]


def test_one_short_loop_does_not_wake_the_team():
    loops = Loops(3)
    time.sleep(0.05)  # now they sleep
    assert len(loops(1000, work=team.COLD - 1)) == 1


def test_many_short_loops_do():
    loops = Loops(3)
    time.sleep(0.05)
    assert any(len(loops(1000, work=team.COLD - 1, pause=0.0002)) > 1 for _ in range(100))


def test_who_sleeps_is_woken():
    loops = Loops(3)
    for _ in range(10):
        time.sleep(0.01)  # patience is less
        helped = {who for *_, who in loops(32, pause=0.005)}
        assert len(helped) > 1


def test_loops_at_the_same_time_and_in_each_other():
    loops = Loops(3)
    results = [[] for _ in range(4)]

    def call(mine) -> None:
        for _ in range(50):
            ran = loops(1000)
            mine.append(covers(ran, 1000))

    callers = [threading.Thread(target=call, args=(mine,)) for mine in results]
    for each in callers:
        each.start()
    for each in callers:
        each.join()
    assert results == [[True] * 50] * 4
    inner = []
    task = TASK(lambda *_: inner.append(covers(loops(100), 100)))
    RUN(loops.team.run)(task, None, 64, MUCH, 0)
    assert inner
    assert all(inner)


@pytest.mark.skipif(not hasattr(os, "fork"), reason="there is no fork here")
@pytest.mark.filterwarnings("ignore::DeprecationWarning")
def test_a_child_goes_on_alone():
    loops = Loops(3)
    loops(1000)
    child = os.fork()
    if child == 0:
        alone = loops(1000) == [(0, 1000, threading.get_native_id())]
        loops.team.grow(3, 3)
        os._exit(0 if alone and loops.team.workers == 0 else 1)
    assert os.waitpid(child, 0)[1] == 0
    assert covers(loops(1000), 1000)


@pytest.mark.parametrize(
    ("said", "number"), [("3", 3), (" 5,2", 5), ("0", None), ("many", None), ("-2", None)]
)
def test_how_many_are_usual(monkeypatch, said, number):
    monkeypatch.delenv("OMP_NUM_THREADS", raising=False)
    cores = threads.usual()
    assert cores >= 1
    monkeypatch.setenv("OMP_NUM_THREADS", said)
    assert threads.usual() == (number or cores)


@pytest.mark.parametrize(
    ("text", "cores"),
    [("max 100000\n", None), ("150000 100000\n", 2), ("50000 100000\n", 1), ("nonsense", None)],
)
def test_a_container_may_have_fewer(monkeypatch, tmp_path, text, cores):
    file = tmp_path / "cpu.max"
    file.write_text(text)
    monkeypatch.setattr(threads, "_QUOTA", str(file))
    assert threads._quota() == (cores or sys.maxsize)


def test_how_long_they_look_for_work(monkeypatch):
    found = {}
    for policy in ("active", "passive", "else"):
        monkeypatch.setenv("OMP_WAIT_POLICY", policy)
        found[policy] = threads.patience()
    assert found["passive"] == 0 < found["else"] < found["active"]


def test_what_the_documentation_names_is_there() -> None:
    for name in re.findall(r"`(\w+)`", team.__doc__ or ""):
        assert hasattr(team, name) or f"@{name}(" in team.CODE, name
