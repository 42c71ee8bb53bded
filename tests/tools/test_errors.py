"""Who is at fault, and where."""

from __future__ import annotations

import json
import re
from pathlib import Path

import pytest


@pytest.mark.parametrize(
    ("argv", "message"),
    [
        ([], "name a program"),
        (["--bogus"], "unrecognized arguments: --bogus"),
        (["program.py:nothing"], "program.py has no 'nothing'; its functions: scale, double"),
        (["program.py:Model.jump", "--args", "f32"], "has no 'Model.jump'"),
        (["program.py:Sized.step", "--args", "f32"], "make an instance in the module"),
        (["program.py:number"], "'number' is not a function but int"),
        (["program.py:Model"], "'Model' is not a function"),
        (["nothing.py:f"], "cannot read nothing.py: No such file"),
        (["nothing.mlir"], "cannot read nothing.mlir: No such file"),
        (["."], "cannot read .: Is a directory"),
        (["nothing"], "there is no file and no module 'nothing'"),
        (["no.such:f"], "there is no module 'no.such'"),
        (["program.txt"], "cannot read program.txt"),
        (["program.py:scale", "--stage", "hla"], "there is no stage 'hla'; the stages are"),
        (["program.py:scale", "--from-stage", "hlo"], "--from-stage is for MLIR files"),
        (["a.ll", "--from-stage", "llvm_ir"], "cannot go on from 'llvm_ir', only from hlo"),
        (["program.py:scale"], "does not fit scale(x, n): missing a required argument: 'x'"),
        (["program.py:scale", "--args", "f64, 1, 2"], "too many positional arguments"),
        (["program.py:scale", "--args", "f63"], "name 'f63' is not defined; did you mean f64"),
        (["program.py:scale", "--timeout", "soon"], "invalid number of seconds value: 'soon'"),
        (["a.mlir:f"], "for an MLIR file write a.mlir --function f"),
    ],
)  # fmt: skip
def test_a_command_line_at_fault(call, argv: list[str], message: str) -> None:
    status, out, err = call(*argv)
    assert (status, out) == (2, "")
    assert message in err
    assert err.startswith("agir-dump: error: ")
    assert "Traceback" not in err


def test_a_file_alone_lists_its_functions(call) -> None:
    for program in ("program.py", "program"):
        status, _, err = call(program)
        assert status == 2
        assert f"  {program}:countdown(n)\n" in err
        assert f"  {program}:Model.step(self, x)\n" in err
        assert "_hidden" not in err
    (Path("empty.py")).write_text("")
    assert "defines no functions" in call("empty.py").err
    (Path("broken.py")).write_text("def f(:\n")
    assert "broken.py is not Python" in call("broken.py").err


def line_of(text: str) -> int:
    """The line of the program that holds this text."""
    lines = Path("program.py").read_text().splitlines()
    return next(number for number, line in enumerate(lines, 1) if text in line)


def test_an_error_while_tracing(call) -> None:
    status, out, err = call("program.py:wrong", "--args", "f32")
    assert (status, out) == (1, "")
    first, source, *_ = err.splitlines()
    place = rf"program\.py:{line_of('+ unknown')}:(16:)?"
    assert re.fullmatch(place + " error: NameError: name 'unknown' is not defined", first)
    assert source.strip() == "return y + unknown"


def test_a_staging_error_is_told_in_agirs_words(call, folder: Path) -> None:
    (folder / "staging.py").write_text("def f(x):\n    y = x * 2\n    return float(y)\n")
    status, _, err = call("staging.py:f", "--args", "f32[2]")
    assert status == 1
    assert err.startswith("staging.py:3:")
    assert "\n  at " not in err


def test_an_error_at_run_time(call) -> None:
    status, _, err = call("program.py:element", "--run", "--args", "np.ones(3), 5")
    assert status == 1
    assert re.match(rf"program\.py:{line_of('x[i]')}:(\d+:)? error: index 5 is out of bounds", err)
    assert "return x[i]" in err


@pytest.mark.parametrize(
    ("text", "place", "message"),
    [
        ("def f(x):\n    return x +\n", "user.py:2:", "SyntaxError: invalid syntax"),
        ("import nothing_like_it\n", "user.py:1", "ModuleNotFoundError: No module named"),
        ("x = 1\nx.y\n", "user.py:2", "AttributeError"),
        ("import sys\nsys.exit(3)\n", "user.py:2", "SystemExit: 3"),
        ("import json\njson.loads('{')\n", "user.py:2", "JSONDecodeError"),
    ],
)
def test_a_file_that_cannot_be_imported(
    call, folder: Path, text: str, place: str, message: str
) -> None:
    (folder / "user.py").write_text(text)
    status, out, err = call("user.py:f")
    assert (status, out) == (1, "")
    assert err.startswith(place)
    assert message in err
    assert "Traceback" not in err


def test_a_traceback_where_it_is_asked_for(call) -> None:
    err = call("program.py:wrong", "--args", "f32", "--traceback").err
    assert err.startswith("Traceback (most recent call last):")
    assert "error: NameError" in err


def test_errors_as_json(call) -> None:
    status, out, err = call("program.py:wrong", "--args", "f32", "--json")
    assert status == 1
    error = json.loads(out)["error"]
    assert error["line"] == line_of("+ unknown")
    assert error["file"].endswith("program.py")
    assert error["message"] == "NameError: name 'unknown' is not defined"
    assert "error: NameError" in err


def test_a_place_that_cannot_be_written(call, folder: Path) -> None:
    for options in (["-o", "program.py/x"], ["--to", "program.py"], ["--dot", "program.py/x.dot"]):
        status, _, err = call("program.py:double", "--args", "f32", *options)
        assert status == 1
        assert "error: cannot write program.py" in err
