"""``agir-dump FILE.mlir``: going on from any stage."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from agir.backends.stages import STAGES

MODULES = [row.name for row in STAGES.values() if row.is_module]
LOOP = "func.func @f() {\n  cf.br ^a\n^a:\n  cf.br ^a\n}\n"
FUNCTION = """\
func.func @f(%x: tensor<?xf64>, %k: i32) -> (tensor<?xf64>, i32) {
  %y = arith.addf %x, %x : tensor<?xf64>
  return %y, %k : tensor<?xf64>, i32
}
"""


@pytest.mark.parametrize(
    ("function", "given"), [("scale", "np.arange(4.0), 1"), ("countdown", "10")]
)
def test_every_stage_leads_to_the_same_code(call, folder: Path, function: str, given: str) -> None:
    program = f"program.py:{function}"
    files = call(program, "--args", given, "--to", "out").out.split()
    asm = (folder / "out" / "08.asm.s").read_text()
    expected = call(program, "--args", given, "--run").out
    sources = [file for file in files if file.endswith((".mlir", ".mlirbc"))]
    assert len(sources) == len(MODULES) + 2
    [aside] = [file for file in sources if "stablehlo" in file]
    sources.remove(aside)
    assert "compiling cannot go on from 'stablehlo', only from hlo" in call(aside, "--run").err
    for file in sources:  # the file's name says which stage it holds
        done = call(file, "--stage", "asm", "--run", "--args", given)
        assert (done.status, done.err) == (0, "")
        assert done.out == asm + expected


def test_standard_input_and_an_edited_program(start, folder: Path) -> None:
    text = FUNCTION.replace("addf", "mulf").encode()
    done = start("-", "--run", "--args", "[3, 4], 7", stdin=text)
    assert (done.status, done.out) == (0, "[ 9., 16.]\n7\n")


def test_bytecode_on_standard_input(start, call, folder: Path) -> None:
    call("program.py:double", "--args", "f32", "--stage", "hlo_serialized", "-o", "hlo.mlirbc")
    content = (folder / "hlo.mlirbc").read_bytes()
    assert "@double" in start("-", stdin=content).out


def test_the_stage_itself_is_the_default(call, folder: Path) -> None:
    call("program.py:scale", "--args", "f64[2], 1", "--stage", "loops", "-o", "x.mlir")
    assert "memref.store" in call("x.mlir", "--from-stage", "loops").out
    (folder / "code.txt").write_text(FUNCTION)
    assert call("code.txt", "--from-stage", "hlo").status == 0
    assert "--from-stage NAME says which stage it holds" in call("code.txt").err


def test_everything_below_a_stage(call, folder: Path) -> None:
    (folder / "f.mlir").write_text("func.func @f(%x: f64) -> f64 { return %x : f64 }")
    call("f.mlir", "--from-stage", "optimized_hlo", "--to", "out")
    names = [path.name for path in sorted(folder.glob("out/*"))]
    assert names[0] == "03.optimized_hlo.mlir"
    assert "08.asm.s" in names
    assert not any(name.startswith(("01.", "02.", "10.")) for name in names)


@pytest.mark.parametrize("stage", ["autograph", "hlo"])
def test_there_is_no_way_back(call, folder: Path, stage: str) -> None:
    (folder / "f.mlir").write_text(FUNCTION)
    done = call("f.mlir", "--from-stage", "loops", "--stage", stage)
    assert done.status == 2
    assert f"{stage!r} cannot be made from 'loops'" in done.err


def test_timing_passes_and_json_come_from_the_child(call, folder: Path) -> None:
    (folder / "f.mlir").write_text(FUNCTION)
    report = json.loads(call("f.mlir", "--timing", "--when", "changed", "--json").out)
    assert {each["stage"] for each in report["passes"]} >= {"optimized_hlo", "llvm", "asm"}
    assert any(each["text"] for each in report["passes"])


def test_which_function_runs(call, folder: Path) -> None:
    two = FUNCTION + FUNCTION.replace("@f", "@g").replace("addf", "mulf")
    (folder / "two.mlir").write_text(two)
    run = ["two.mlir", "--run", "--args", "np.full(1, 3.0), 1"]
    assert call(*run, "--function", "g").out.startswith("[9.]")
    unnamed = call(*run)
    assert unnamed.status == 2
    assert "--function NAME says which public function to run; it has f, g" in unnamed.err
    unknown = call(*run, "--function", "h")
    assert unknown.status == 1
    assert "there is no function 'h'" in unknown.err
    (folder / "one.mlir").write_text(FUNCTION + FUNCTION.replace("@f", "private @g"))
    assert call("one.mlir", "--run", "--args", "[2], 1").out.startswith("[4.]")


@pytest.mark.parametrize(
    ("given", "message"),
    [
        ("[1.0]", "expected 2 arguments, got 1"),
        ("np.ones((2, 2)), 1", "expected float64[?], got float64[2, 2]"),
        ("np.ones(2, np.float32), 1", "expected float64[?], got float32[2]"),
        ("np.ones(2), 1.5", "argument 1: expected int32"),
        ("np.ones(2), 1 << 40", "does not fit in 32 bits"),
    ],
)
def test_arguments_that_do_not_fit(call, folder: Path, given: str, message: str) -> None:
    (folder / "f.mlir").write_text(FUNCTION)
    status, out, err = call("f.mlir", "--run", "--args", given)
    assert (status, out) == (1, "")
    assert err.startswith("f.mlir: error: ")
    assert message in err


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("module {", "x.mlir:1:7: error: expected operation name in quotes"),
        (FUNCTION.replace("addf", "foo"), "x.mlir:2:8: error: "),
        (FUNCTION.replace("(%x: tensor<?xf64>", "(%x: i8"), "x.mlir:2:19: error: use of value"),
        (FUNCTION.replace("return %y", "return %k"), "x.mlir:3:"),
        (LOOP, "x.mlir:2: error: the passes of 'optimized_hlo' do not lower cf.br"),
    ],
)
def test_a_program_at_fault(call, folder: Path, text: str, message: str) -> None:
    (folder / "x.mlir").write_text(text)
    status, _, err = call("x.mlir", "--stage", "loops")
    assert status == 1
    assert err.startswith(message)
    assert "Traceback" not in err
    assert "Traceback" in call("x.mlir", "--stage", "loops", "--traceback").err


PRINTING = """\
func.func private @print_0(i64, tensor<?xf64> {bufferization.access = "read"}) attributes {
    agir.callback = "print", agir.text = [{value = 0 : i64}, " of ", {value = 1 : i64}, "\\0A"],
    agir.values = ["int64", "float64"], llvm.emit_c_interface}
func.func @f(%x: tensor<?xf64>, %k: i64) -> i64 {
  func.call @print_0(%k, %x) : (i64, tensor<?xf64>) -> ()
  return %k : i64
}
"""


def test_a_file_that_prints(call, start, folder: Path) -> None:
    (folder / "f.mlir").write_text(PRINTING)
    done = call("f.mlir", "--from-stage", "hlo", "--run", "--args", "[1, 2], 7")
    assert (done.status, done.out, done.err) == (0, "7\n", "7 of [1. 2.]\n")
    edited = PRINTING.replace(" of ", " and also ").encode()
    done = start("-", "--run", "--args", "[1, 2], 7", stdin=edited)
    assert (done.status, done.err) == (0, "7 and also [1. 2.]\n")
    unknown = PRINTING.replace('callback = "print"', 'callback = "launch"').encode()
    done = start("-", "--run", "--args", "[1, 2], 7", stdin=unknown)
    assert done.status == 1
    assert 'there is no callback "launch"' in done.err


def test_a_program_that_prints_goes_on_printing(call, folder: Path) -> None:
    (folder / "printing.py").write_text(
        "import agir as ag\n\n@ag.jit\ndef f(n):\n"
        "    for i in range(n):\n        print(f'iteration {i} of {n}')\n    return n\n"
    )
    done = call("printing.py:f", "--args", "2", "--run")
    assert (done.out, done.err) == ("2\n", "iteration 0 of 2\niteration 1 of 2\n")
    call("printing.py:f", "--args", "2", "--to", "out")
    for file in sorted((folder / "out").glob("*.mlir")):
        done = call(str(file), "--args", "2", "--run")
        assert (done.status, done.err) == (0, "iteration 0 of 2\niteration 1 of 2\n")


HALVES = """\
func.func @halves(%x: i64) -> i64 {
  %two = arith.constant 2 : i64
  %half = arith.floordivsi %x, %two : i64
  return %half : i64
}
"""


def test_a_pass_by_itself(call, folder: Path) -> None:
    (folder / "halves.mlir").write_text(HALVES)
    ours = call("halves.mlir", "--pass", "reduce-division-strength")
    assert (ours.status, ours.err) == (0, "")
    assert "arith.shrsi" in ours.out
    assert "arith.constant 2" in ours.out
    both = call("halves.mlir", "--pass", "reduce-division-strength", "--pass", "canonicalize").out
    assert "arith.shrsi" in both
    assert "arith.constant 2" not in both
    told = json.loads(call("halves.mlir", "--pass", "cse", "--json").out)
    assert "arith.floordivsi" in told["stages"][0]["text"]


def test_passes_that_are_not_there(call, folder: Path) -> None:
    (folder / "halves.mlir").write_text(HALVES)
    wrong = call("halves.mlir", "--pass", "reduce-division-strenth")
    assert wrong.status == 2
    assert "did you mean 'reduce-division-strength'" in wrong.err
    assert call("halves.mlir", "--pass", "cse)").status == 2
    other = call("halves.mlir", "--pass", "cse", "--run")
    assert other.status == 2
    assert "leave --run out" in other.err
    function = call("program.py:double", "--pass", "cse")
    assert function.status == 2
    assert "--passes shows each pass" in function.err


def test_a_pass_that_fails(call, folder: Path) -> None:
    (folder / "other.mlir").write_text("func.func @f(%x: tensor<4xf64>) { return %y : f64 }")
    assert "use of undeclared SSA value" in call("other.mlir", "--pass", "cse").err
    (folder / "large.mlir").write_text(FUNCTION)
    failed = call("large.mlir", "--pass", "one-shot-bufferize{dump-alias-sets=true")
    assert failed.status == 2
