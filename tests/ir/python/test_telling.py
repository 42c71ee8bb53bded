"""What a program tells while it runs, and what it does outside: at each call, or not at all."""

import datetime
import io
import logging
import os
import pathlib
import sys
import threading
import time
import uuid
import warnings

import pytest

import agir as ag
from agir.errors import FallbackWarning, StagingError

log = logging.getLogger("a program")
lock = threading.Lock()


@ag.jit
def writes(n):
    for i in range(n):
        sys.stdout.write(f"{i} ")
    count = sys.stdout.write("\n")
    sys.stderr.writelines(["a", str(n)])
    sys.stderr.flush()
    return count


def test_the_standard_streams(capsys):
    for n in (2, 3):
        assert writes(n) == 1
        told = capsys.readouterr()
        assert (told.out, told.err) == (" ".join(map(str, range(n))) + " \n", f"a{n}")


@ag.jit
def logs(n):
    for i in range(n):
        if i % 2:
            log.info("%d of %s", i, n)
        else:
            log.debug("not %d", i)
    logging.warning(f"done {n}")
    return n


def test_logs(caplog):
    caplog.set_level(logging.INFO, "a program")
    for n in (3, 4):
        caplog.clear()
        assert logs(n) == n
        assert caplog.messages == [*(f"{i} of {n}" for i in range(1, n, 2)), f"done {n}"]
        first, *_, last = caplog.records
        assert (first.name, first.levelname, first.filename) == (
            "a program",
            "INFO",
            "test_telling.py",
        )
        assert (last.name, last.levelname) == ("root", "WARNING")
        assert "log.info" in _line(first.pathname, first.lineno)


def _line(path, number):
    return pathlib.Path(path).read_text().splitlines()[number - 1]


@ag.jit
def warns(x):
    if x > 2:
        warnings.warn(f"{x} is large", RuntimeWarning, stacklevel=1)
    return x


def test_warnings():
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        assert warns(1) == 1
    for x in (3, 5):
        with pytest.warns(RuntimeWarning, match=f"{x} is large") as told:
            assert warns(x) == x
        assert "warnings.warn" in _line(told[0].filename, told[0].lineno)


def test_waiting():
    @ag.jit
    def waits(n):
        for _ in range(n):
            time.sleep(0.01)
        return n

    waits(1)
    before = time.perf_counter()
    waits(5)
    assert time.perf_counter() - before >= 0.05


def reads(path):
    with open(path) as file:
        return len(file.read())


OUTSIDE = [
    lambda path: reads(path),
    lambda path: pathlib.Path(path).read_text(),
    lambda path: os.path.exists(path),
    lambda path: os.environ.get("HOME"),
    lambda path: len(os.listdir(".")),
    lambda path: datetime.datetime.now().year,
    lambda path: str(uuid.uuid4()),
    lambda path: input(),
]


@pytest.mark.parametrize("f", OUTSIDE)
def test_what_is_done_or_read_outside_is_refused(f, tmp_path):
    path = tmp_path / "a file"
    path.write_text("abc")
    with pytest.raises(StagingError, match="outside of the program"):
        ag.jit(f)(str(path))


def test_plain_python_does_it():
    made = []
    path = os.devnull
    f = ag.jit(reads, fallback=True)
    with pytest.warns(FallbackWarning, match="outside of the program"):
        made.append(f(path))
    assert made == [0]


def test_a_lock_is_refused():
    @ag.jit
    def f(x):
        with lock:
            return x + 1

    with pytest.raises(StagingError, match="outside of the program"):
        f(1)


def test_a_file_that_is_open_is_refused(tmp_path):
    path = tmp_path / "numbers"
    path.write_text("1\n2\n")
    with path.open() as file:

        def by_line(n):
            return [int(file.readline()) for _ in range(n)]

        def all_of_it(n):
            return [int(line) + n for line in file]

        for f in (by_line, all_of_it):
            with pytest.raises(StagingError):
                ag.jit(f)(2)
        assert file.read() == "1\n2\n"


def test_what_is_the_same_each_time_may_be_asked():
    @ag.jit
    def f(n):
        text = io.StringIO()
        text.write("x")
        return os.path.join("a", "b"), text.getvalue(), pathlib.PurePath("a/b.c").suffix, n

    assert f(1) == (os.path.join("a", "b"), "x", ".c", 1)
