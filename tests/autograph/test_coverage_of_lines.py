"""What ``coverage run`` counts of a decorated function: the user's lines, as they are recorded."""

from __future__ import annotations

import json
import subprocess
import sys

import pytest

PROGRAM = """\
import agir as ag


@ag.jit
def steps(n, verbose=None):
    count = 0
    while n != 1:
        if n % 2 == 0:
            n = n // 2
        else:
            n = helped(n)
        count += 1
    if verbose is not None:
        print(count)
        return -count
    for _ in ():
        count += 1
    return count


def helped(n):
    tripled = 3 * n
    return tripled + 1


@ag.jit
def unused(x):
    return x + 1


assert steps(27) == 111
"""


def test_coverage_counts_the_lines_of_the_program(tmp_path):
    pytest.importorskip("coverage")
    (tmp_path / "program.py").write_text(PROGRAM)
    for arguments in (["run", "--include=program.py", "program.py"], ["json", "-q"]):
        command = [sys.executable, "-m", "coverage", *arguments]
        done = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True, check=False)
        assert done.returncode == 0, done.stdout + done.stderr
    found = json.loads((tmp_path / "coverage.json").read_text())["files"]["program.py"]
    assert found["missing_lines"] == [14, 15, 17, 28]
    assert {7, 8, 9, 11, 12, 18, 22, 23} <= set(found["executed_lines"])
