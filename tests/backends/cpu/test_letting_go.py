"""Engines are destroyed on another thread, once each, and before the process goes on as two."""

from __future__ import annotations

import ctypes
import errno
import os
import subprocess
import sys
import textwrap
import threading

import numpy as np
import pytest

import agir as ag
from agir.backends.cpu.code import letting_go


def compiled(number):
    with ag.config.scope(cache=False):
        return ag.jit(lambda x: x * 2 + number)(np.arange(3.0))


@pytest.fixture
def destroyed(monkeypatch):
    """The addresses of the engines that are destroyed, with the threads that do it."""
    real, found = letting_go._destroy(), []
    if real is None:
        pytest.skip("these bindings destroy engines themselves")

    @ctypes.CFUNCTYPE(None, ctypes.c_void_p)
    def destroy(address):
        found.append((address, threading.get_ident()))
        real(address)

    monkeypatch.setattr(letting_go, "_destroy", lambda: destroy)
    return found


def test_each_is_destroyed_by_another_thread(destroyed):
    before = threading.active_count()
    for number in (1, 2, 3):
        np.testing.assert_array_equal(compiled(number), np.arange(3.0) * 2 + number)
    letting_go._waiting.wait()
    assert len(destroyed) == 3
    assert all(address for address, _ in destroyed)
    assert threading.get_ident() not in [thread for _, thread in destroyed]
    assert threading.active_count() <= before + 1  # Python notices a thread that calls it


@pytest.mark.parametrize("missing", ["none is left", "the system has no such function", "the end"])
def test_where_there_is_no_thread(destroyed, monkeypatch, missing):
    letting_go._waiting.wait()
    if missing == "none is left":
        monkeypatch.setattr(letting_go._threads(), "pthread_create", lambda *_: errno.EAGAIN)
    elif missing == "the end":
        monkeypatch.setattr(letting_go._waiting, "_ended", True)
    else:
        monkeypatch.setattr(letting_go, "_threads", lambda: None)
    np.testing.assert_array_equal(compiled(4), np.arange(3.0) * 2 + 4)
    assert [thread for _, thread in destroyed] == [threading.get_ident()]


def test_bindings_without_the_function(monkeypatch):
    monkeypatch.setattr(letting_go, "_destroy", lambda: None)
    np.testing.assert_array_equal(compiled(5), np.arange(3.0) * 2 + 5)


@pytest.mark.skipif(not hasattr(os, "fork"), reason="there is no fork here")
def test_forks_and_the_end_of_the_process():
    program = """
        import os
        import numpy as np
        import agir as ag

        ag.config.cache = False
        for number in range(8):
            f = ag.jit(lambda x: x + number)
            assert f(1.0) == 1.0 + number
            child = os.fork()
            if not child:
                g = ag.jit(lambda x: x * number - 1)
                os._exit(int(g(2.0) != 2.0 * number - 1))
            assert os.waitpid(child, 0)[1] == 0
        ag.jit(lambda x: x - 0.25)(1.0)
    """
    source = textwrap.dedent(program)
    done = subprocess.run(
        [sys.executable, "-c", source], capture_output=True, text=True, timeout=300, check=False
    )
    assert (done.returncode, done.stderr) == (0, "")


@pytest.mark.skipif(not hasattr(os, "fork"), reason="there is no fork here")
def test_forks_while_another_thread_compiles():
    program = """
        import faulthandler
        import os
        import threading
        import warnings
        import numpy as np
        import agir as ag

        warnings.simplefilter("ignore")
        ag.config.cache = False
        ended = []
        for x in (1.0, np.ones(3)):  # a module that is being imported is locked, too
            ag.jit(lambda x: x + 1)(x)

        def compile_on():
            number = 0
            while not ended:
                number += 1
                ag.jit(lambda x: x * number)(np.ones(3))

        thread = threading.Thread(target=compile_on)
        thread.start()
        statuses = []
        for number in range(6):
            child = os.fork()
            if not child:
                faulthandler.dump_traceback_later(60, exit=True)
                os._exit(int(ag.jit(lambda x: x * number - 1)(2.0) != 2.0 * number - 1))
            statuses.append(os.waitpid(child, 0)[1])
        ended.append(True)
        thread.join()
        assert statuses == [0] * 6, statuses
    """
    source = textwrap.dedent(program)
    done = subprocess.run(
        [sys.executable, "-c", source], capture_output=True, text=True, timeout=500, check=False
    )
    assert (done.returncode, done.stderr) == (0, "")
