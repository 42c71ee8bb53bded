"""The command as others see it: help, colour, pipes, ways to start it."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

import agir
from agir.backends.stages import STAGES


def test_help_version_and_stages(call) -> None:
    status, out, err = call("--help")
    assert (status, err) == (0, "")
    assert "examples:" in out
    assert call("--version") == (0, f"agir-dump {agir.__version__}\n", "")
    lines = call("--list-stages").out.splitlines()
    assert [line.split()[0] for line in lines] == list(STAGES)


@pytest.mark.parametrize("how", ["module", "script"])
def test_ways_to_start_it(start, folder: Path, how: str) -> None:
    (folder / "report.py").write_text("def f(x):\n    return x + 1\n")  # ours is called so, too
    (folder / "user.py").write_text("import report\ndef f(x):\n    return report.f(x) * 2\n")
    status, out, err = start("user.py:f", "--args", "f32", how=how)
    assert (status, err) == (0, "")
    assert "arith.mulf" in out


def test_a_script_that_finds_no_agir(folder: Path, root: Path) -> None:
    done = subprocess.run(
        [sys.executable, "-I", "-S", str(root / "tools" / "dump_ir.py"), "--version"],
        capture_output=True,
        text=True,
    )
    assert done.returncode == 1
    assert done.stderr.strip().endswith("run `pip install -e .` in the checkout")
    assert "Traceback" not in done.stderr


def test_colour_is_for_terminals_and_those_who_ask(start) -> None:
    wrong = ["program.py:wrong", "--args", "f32"]
    assert "\x1b[" not in start(*wrong).err
    assert "\x1b[1;31merror:\x1b[0m" in start(*wrong, FORCE_COLOR="1").err
    assert "\x1b[" not in start(*wrong, FORCE_COLOR="1", NO_COLOR="1").err
    two = ["program.py:double", "--args", "f32", "--stage", "hlo", "--stage", "llvm"]
    assert "\x1b[1m// ----- hlo" in start(*two, FORCE_COLOR="1").out
    assert "\x1b[" not in start(*two, "-o", "out.txt", FORCE_COLOR="1").out
    assert "\x1b[" not in Path("out.txt").read_text()


def test_a_terminal_is_spared_binary_stages(folder: Path) -> None:
    pty = pytest.importorskip("pty", reason="needs pseudo-terminals")
    ours, theirs = pty.openpty()
    command = [sys.executable, "-m", "agir.tools.dump_ir", "program.py:double", "--args", "f32"]
    try:
        done = subprocess.run(
            [*command, "--stage", "object"], stdout=theirs, stderr=subprocess.PIPE, text=True
        )
    finally:
        os.close(theirs)
        os.close(ours)
    assert done.returncode == 2
    assert "-o FILE" in done.stderr


def test_a_reader_that_goes_away(folder: Path) -> None:
    command = [sys.executable, "-m", "agir.tools.dump_ir", "program.py:scale", "--all"]
    with subprocess.Popen(
        [*command, "--args", "f64[8], 2", "--passes"],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
    ) as process:
        assert process.stdout is not None
        assert process.stderr is not None
        process.stdout.close()
        assert process.stderr.read() == b""
        assert process.wait(60) == 0
