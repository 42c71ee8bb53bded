"""Files that nobody vouches for: one line of diagnosis, no crash, no hang."""

from __future__ import annotations

import json
import random
import subprocess
import sys
from pathlib import Path

import pytest

LOOP = "func.func @f() {\n  cf.br ^a\n^a:\n  cf.br ^a\n}\n"


def nested(depth: int) -> str:
    return "func.func @f(%c: i1) {" + "scf.if %c {" * depth + "}" * depth + " return }"


def damaged(content: bytes, rng: random.Random) -> bytes:
    """The content with one kind of damage."""
    kind = rng.choice(("flip", "cut", "lines", "words"))
    if kind == "cut":
        return content[: rng.randrange(len(content))]
    if kind == "flip":
        changed = bytearray(content)
        for _ in range(rng.randint(1, 4)):
            changed[rng.randrange(len(changed))] ^= 1 << rng.randrange(8)
        return bytes(changed)
    separator = b"\n" if kind == "lines" else b" "
    parts = content.split(separator)
    parts[rng.randrange(len(parts))] = rng.choice(parts)
    return separator.join(parts)


def test_damaged_files(call, folder: Path) -> None:
    sources = []
    for function, given in (("scale", "f64[?], 2"), ("countdown", "i64")):
        files = call(f"program.py:{function}", "--args", given, "--to", function).out.split()
        sources += [Path(file) for file in files if file.endswith((".mlir", ".mlirbc"))]
    rng = random.Random(2024)
    (folder / "damaged").mkdir()
    for number in range(60):
        source = rng.choice(sources)
        stage = source.name.split(".")[1]
        target = folder / "damaged" / f"{number:03}.{stage}{source.suffix}"
        target.write_bytes(damaged(source.read_bytes(), rng))
    done = subprocess.run(
        [sys.executable, str(Path(__file__).with_name("damaged.py")), "damaged"],
        capture_output=True,
        text=True,
        timeout=240,
    )
    outcomes = [json.loads(line) for line in done.stdout.splitlines()]
    assert len(outcomes) == 60, done.stderr
    crashed = [each for each in outcomes if each["status"] != 0]
    for each in crashed:  # it was contained, and it is known what it was doing
        assert each["doing"]
    assert len(crashed) <= 3
    assert not [each for each in outcomes if each["late"]]
    errors = [each["error"] for each in outcomes if each["last"] == "error"]
    assert len(errors) > 25
    assert all(error and "\n" not in error for error in errors)


@pytest.mark.parametrize(
    ("content", "status", "message"),
    [
        (b"", 0, ""),
        (b"\0\xff\xfe", 1, "x.mlir:1:"),
        (b'module { "\xff\xfe"() : () -> () }', 1, "x.mlir:1:"),
        (b"ML\xefR\xff\xff\xff\xff", 1, "x.mlir"),
        (b"\x7fELF" * 100, 1, "x.mlir:1:1: error: "),
        (b"(" * 100_000, 1, "x.mlir:"),
        (nested(200).encode(), 0, ""),
        (nested(200_000).encode(), 1, "x.mlir: error: the compiler crashed (SIG"),
    ],
    ids=["empty", "binary", "utf8", "bytecode", "elf", "parentheses", "nested", "deep"],
)
def test_strange_files(call, folder: Path, content: bytes, status: int, message: str) -> None:
    (folder / "x.mlir").write_bytes(content)
    done = call("x.mlir")
    assert done.status == status
    assert done.err.startswith(message)
    assert done.err.count("error: ") == status
    assert "Traceback" not in done.err


def test_a_crash_says_what_was_being_done(call, folder: Path) -> None:
    (folder / "x.mlir").write_text(nested(200_000))
    assert call("x.mlir").err == "x.mlir: error: the compiler crashed (SIGSEGV) while parsing\n"


def test_a_program_that_does_not_end(call, folder: Path) -> None:
    (folder / "x.mlir").write_text(LOOP)
    stages = ("--from-stage", "loops", "--stage", "loops")
    for seconds in (5, 60):  # a busy machine may take five to get as far as the call
        done = call("x.mlir", *stages, "--run", "--timeout", str(seconds))
        if "while running" in done.err:
            break
    assert done.status == 1
    assert "cf.br" in done.out  # what was made before the end
    assert done.err == (
        f"x.mlir: error: gave up after {seconds} s while running the compiled function "
        "(--timeout SECONDS allows more)\n"
    )


def test_a_program_that_needs_too_much_memory(call, folder: Path) -> None:
    (folder / "x.mlir").write_text(
        "func.func @f(%x: tensor<8xf64>) -> tensor<8xf64> {return %x : tensor<8xf64>}"
    )
    done = call("x.mlir", "--run", "--args", "np.ones((1 << 31) // 8)", "--memory", "1")
    assert done.status in (1, 2)
    assert "memory" in done.err.lower()
