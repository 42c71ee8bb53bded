"""A program to compile, and two ways of giving a command line: here and in a new process."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import NamedTuple

import pytest

from agir.config import config
from agir.tools.dump_ir import main

PROGRAM = '''\
"""What the tests of the command line compile."""

import numpy as np
import agir as ag


@ag.jit
def scale(x, n):
    y = x * 2 + n
    return y / 3


@ag.function
def double(x):
    return x + x


@ag.jit
def countdown(n):
    steps = 0
    while n > 0:
        n = n - 3
        steps = steps + 1
    return steps


@ag.jit
def element(x, i):
    return x[i]


@ag.jit
def fill(x):
    x[0] = 7.0
    return x


def pair(x, y=2):
    print("tracing")
    return {"sum": x + y, "rest": (x * y, "a constant")}


def wrong(x):
    y = x + 1
    return y + unknown


class Model:
    @ag.jit
    def step(self, x):
        return x + 1


class Sized:
    def __init__(self, size):
        self.size = size

    def step(self, x):
        return x + self.size


model = Model()
number = 5
_hidden = pair
'''


class Done(NamedTuple):
    """What a command line gave."""

    status: int
    out: str
    err: str


Call = Callable[..., Done]


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    """The working folder, with the program in it."""
    (tmp_path / "program.py").write_text(PROGRAM)
    monkeypatch.chdir(tmp_path)
    for name in ("NO_COLOR", "FORCE_COLOR"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setattr(sys, "path", list(sys.path))
    before = set(sys.modules)
    config.reset()
    yield tmp_path
    for name in set(sys.modules) - before:
        if getattr(sys.modules[name], "__file__", None) and str(tmp_path) in str(
            sys.modules[name].__file__
        ):
            del sys.modules[name]


@pytest.fixture
def call(folder: Path, capfd: pytest.CaptureFixture[str]) -> Call:
    """Give a command line in this process."""

    def dump(*argv: str) -> Done:
        capfd.readouterr()
        status = main(argv)
        return Done(status, *capfd.readouterr())

    return dump


@pytest.fixture
def start(folder: Path) -> Call:
    """Give a command line in a new process."""

    def dump(*argv: str, stdin: bytes = b"", how: str = "module", **env: str) -> Done:
        script = Path(__file__).resolve().parents[2] / "tools" / "dump_ir.py"
        command = [str(script)] if how == "script" else ["-m", "agir.tools.dump_ir"]
        done = subprocess.run(
            [sys.executable, *command, *argv],
            input=stdin,
            capture_output=True,
            env={**os.environ, **env},
            timeout=120,
        )
        return Done(done.returncode, done.stdout.decode(), done.stderr.decode())

    return dump
