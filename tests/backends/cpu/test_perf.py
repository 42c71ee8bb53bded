"""``config.perf``: what the profiler is told of compiled code."""

from __future__ import annotations

import os
import re
import struct
import subprocess
import sys
from pathlib import Path

import pytest

from agir.backends.cpu.code.loading import unavailable

PROGRAM = """\
import os
import numpy as np
import agir as ag


@ag.jit
def slow(x):
    total = 0.0
    for i in range(len(x)):
        total += np.sin(x[i])
    return total


slow(np.ones(10))
print(os.getpid())
"""


@pytest.mark.skipif(bool(unavailable()), reason="code is loaded by LLVM's engine here")
def test_names_and_lines_of_compiled_code(tmp_path: Path) -> None:
    (tmp_path / "program.py").write_text(PROGRAM)
    done = subprocess.run(
        [sys.executable, "program.py"],
        cwd=tmp_path,
        env={**os.environ, "AGIR_PERF": "1", "AGIR_CACHE": "0", "TMPDIR": str(tmp_path)},
        capture_output=True,
        text=True,
        timeout=120,
    )
    assert done.returncode == 0, done.stderr
    process = int(done.stdout)
    table = Path(f"/tmp/perf-{process}.map")
    symbols = [line.split(" ", 2) for line in table.read_text().splitlines()]
    table.unlink()
    [[start, size, _]] = [each for each in symbols if each[2] == "agir::slow"]
    loads, lines = read((tmp_path / f"jit-{process}.dump").read_bytes(), process)
    [(address, code)] = [(at, code) for name, at, code in loads if name == "agir::slow"]
    assert (address, len(code)) == (int(start, 16), int(size, 16))
    inside = {line for at, line, file in lines if address <= at < address + len(code)}
    assert {6, 9, 10} <= inside <= set(range(6, 12))
    assert {file for _, _, file in lines} == {str(tmp_path / "program.py")}
    assert [each[2] for each in symbols] == [name for name, _, _ in loads]


def read(data: bytes, process: int) -> tuple[list, list]:
    """The code and the lines of a dump, as perf's documentation has its format."""
    magic, version, at, machine, _, of, _, _ = struct.unpack_from("<IIIIIIQQ", data)
    assert (magic, version, machine, of) == (0x4A695444, 1, 62, process)
    loads, lines = [], []
    while at < len(data):
        kind, size, _ = struct.unpack_from("<IIQ", data, at)
        body = data[at + 16 : at + size]
        if kind == 0:
            _, _, start, _, length, _ = struct.unpack_from("<IIQQQQ", body)
            name, _, code = body[40:].partition(b"\0")
            assert len(code) == length
            loads.append((name.decode(), start, code))
        else:
            assert kind == 2
            _, count = struct.unpack_from("<QQ", body)
            rest = body[16:]
            for _ in range(count):
                address, line, _ = struct.unpack_from("<QII", rest)
                file, _, rest = rest[16:].partition(b"\0")
                lines.append((address, line, file.decode()))
        at += size
    return loads, lines


def test_the_code_is_the_same_with_lines(tmp_path: Path) -> None:
    """A profile is of the program that it is about."""
    text = """
    import numpy as np, agir as ag
    from agir.backends.cpu.code import elf
    from agir.backends.cpu.debug_lines import add_lines
    f = ag.jit(lambda x: np.exp(x).sum() + np.sort(x)[0])
    program = f.get_concrete_function(np.ones(50)).compilation
    plain, located = (p.get("asm") for p in (program, program.derived("llvm", add_lines)))
    lines = located.splitlines()
    without = [line for line in lines if not line.strip().startswith((".file ", ".loc "))]
    print(plain.splitlines() == without, len(without) < len(lines))
    """
    done = subprocess.run(
        [sys.executable, "-c", re.sub(r"^ {4}", "", text, flags=re.M)],
        capture_output=True,
        text=True,
        timeout=120,
    )
    assert done.stdout == "True True\n", done.stderr
