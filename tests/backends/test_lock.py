"""The lock of compilations, while which no garbage is collected."""

from __future__ import annotations

import gc
import threading
from collections.abc import Iterator

import pytest

from agir.backends.mlir.lock import compiling


@pytest.fixture(autouse=True)
def collecting() -> Iterator[None]:
    assert gc.isenabled()
    yield
    gc.enable()


def test_the_outermost_block_counts() -> None:
    with compiling:
        with compiling:
            assert not gc.isenabled()
        assert not gc.isenabled()
    assert gc.isenabled()


def test_after_an_error_too() -> None:
    with pytest.raises(ZeroDivisionError), compiling:
        raise ZeroDivisionError
    assert gc.isenabled()


def test_who_has_turned_collection_off_finds_it_off() -> None:
    gc.disable()
    with compiling:
        pass
    assert not gc.isenabled()


def test_one_thread_at_a_time() -> None:
    inside: list[int] = []

    def enter() -> None:
        with compiling:
            inside.append(1)

    with compiling:
        thread = threading.Thread(target=enter)
        thread.start()
        thread.join(0.01)
        assert not inside
    thread.join()
    assert inside == [1]
    assert gc.isenabled()
