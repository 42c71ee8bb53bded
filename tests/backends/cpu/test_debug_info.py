"""``config.debug_info``: what profilers and debuggers are told of compiled code."""

from __future__ import annotations

import os
import re
import shutil
import struct
import subprocess
import sys
import time
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


@ag.jit
def halvings(n):
    count = 0
    while n > 1:
        n //= 2
        count += 1
    return count


print(os.getpid(), flush=True)
slow(np.ones(10))
halvings(40)
"""


@pytest.mark.skipif(bool(unavailable()), reason="code is loaded by LLVM's engine here")
def test_names_and_lines_of_compiled_code(tmp_path: Path) -> None:
    (tmp_path / "program.py").write_text(PROGRAM)
    done = subprocess.run(
        [sys.executable, "program.py"],
        cwd=tmp_path,
        env={**os.environ, "AGIR_DEBUG_INFO": "1", "AGIR_CACHE": "0", "TMPDIR": str(tmp_path)},
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
    [[start, size, _]] = [each for each in symbols if each[2] == "agir::halvings"]
    numbers = range(int(start, 16), int(start, 16) + int(size, 16))
    assert {17, 18} <= {line for at, line, _ in lines if at in numbers}, "one of numbers only"
    libraries = [each.read_bytes() for each in tmp_path.glob(f"agir-{process}-*.so")]
    assert any(b"\0agir::slow\0" in each for each in libraries), "for py-spy"
    assert {file for _, _, file in lines} == {str(tmp_path / "program.py")}
    assert [each[2] for each in symbols] == [name for name, _, _ in loads]


@pytest.mark.skipif(shutil.which("py-spy") is None, reason="there is no py-spy")
@pytest.mark.skipif(bool(unavailable()), reason="code is loaded by LLVM's engine here")
def test_py_spy_names_compiled_functions(tmp_path: Path) -> None:
    (tmp_path / "program.py").write_text(
        PROGRAM.replace("range(len(x))", "range(3_000_000_000)").replace("x[i]", "x[i % 10]")
    )
    environment = {**os.environ, "AGIR_DEBUG_INFO": "1", "AGIR_CACHE": "0", "TMPDIR": str(tmp_path)}
    command = [sys.executable, "program.py"]
    program = subprocess.Popen(command, cwd=tmp_path, env=environment, stdout=subprocess.DEVNULL)
    try:
        for _ in range(60):
            time.sleep(0.5)
            watch = ["py-spy", "dump", "--native", "--pid", str(program.pid)]
            done = subprocess.run(watch, capture_output=True, text=True, timeout=60)
            if "Permission" in done.stderr:
                pytest.skip("processes cannot be watched here")
            if "agir::slow" in done.stdout:
                break
        else:
            pytest.fail(done.stdout + done.stderr)
    finally:
        program.kill()
        program.wait()
        Path(f"/tmp/perf-{program.pid}.map").unlink(missing_ok=True)


@pytest.mark.skipif(shutil.which("gdb") is None, reason="there is no gdb")
@pytest.mark.skipif(bool(unavailable()), reason="code is loaded by LLVM's engine here")
def test_a_breakpoint_in_a_compiled_function(tmp_path: Path) -> None:
    (tmp_path / "program.py").write_text(PROGRAM)
    # where threads end meanwhile, gdb itself misses libraries now and then
    shown = next((text for _ in range(4) if PLACE.search(text := _debugged(tmp_path))), "")
    assert re.search(r'Line (8|9|10) of ".*program.py"', shown), shown


PLACE = re.compile(r"hit Breakpoint 1.*, slow \(\) at .*program.py:\d+")


def _debugged(tmp_path: Path) -> str:
    """What gdb says of a breakpoint in the program's function."""
    commands = ["set breakpoint pending on", "break slow", "run program.py", "next", "info line"]
    given = [part for command in commands for part in ("-ex", command)]
    done = subprocess.run(
        ["gdb", "-nx", "-q", "-batch", *given, sys.executable],
        cwd=tmp_path,
        env={**os.environ, "AGIR_DEBUG_INFO": "1", "AGIR_CACHE": "0", "TMPDIR": str(tmp_path)},
        capture_output=True,
        text=True,
        timeout=120,
    )
    if "Operation not permitted" in done.stderr:
        pytest.skip("processes cannot be watched here")
    process = re.search(r"^\d+$", done.stdout, re.MULTILINE)
    assert process, done.stdout + done.stderr
    Path(f"/tmp/perf-{process[0]}.map").unlink()
    return done.stdout


def test_gdb_is_told_of_what_is_gone(tmp_path: Path) -> None:
    text = """
    import gc, os, agir as ag, numpy as np
    from agir.backends.cpu.code import gdb
    def files():
        found, at = [], gdb._Descriptor.in_dll(gdb._library(), gdb._DESCRIPTOR).first
        while at:
            found.append(at.contents.size)
            at = at.contents.next
        return found
    functions = [ag.jit(lambda x, k=k: x * k + 1.0) for k in (2.0, 3.0, 5.0)]
    for each in functions:
        each(np.ones(3))
    before = files()
    del functions[1], each
    gc.collect()
    os.unlink(f"/tmp/perf-{os.getpid()}.map")
    print(len(before) - len(files()) >= 1, all(size > 1000 for size in files()))
    """
    done = subprocess.run(
        [sys.executable, "-c", re.sub(r"^ {4}", "", text, flags=re.M)],
        env={**os.environ, "AGIR_DEBUG_INFO": "1", "TMPDIR": str(tmp_path)},
        capture_output=True,
        text=True,
        timeout=120,
    )
    assert done.stdout == "True True\n", done.stdout + done.stderr


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
