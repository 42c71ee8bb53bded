"""``agir-dump FILE.py:FUNCTION``."""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np
import pytest

from agir.backends.stages import STAGES
from agir.tools.dump_ir import main


def test_the_traced_program_is_the_default(call) -> None:
    status, out, err = call("program.py:scale", "--args", "f64[?, 4], i32")
    assert (status, err) == (0, "")
    assert out.startswith("module {")
    assert "func.func @scale(%x: tensor<?x4xf64>, %n: i32)" in out
    assert "%y = arith.addf" in out


def test_stages_come_in_the_order_asked_for_and_under_headings(call) -> None:
    _, out, _ = call("program.py:scale", "--args", "f64[4], 2", "--stage", "asm", "--stage", "hlo")
    assert out.index("# ----- asm: assembly -----") < out.index("// ----- hlo: what was traced")


def test_all_stages(call) -> None:
    _, out, _ = call("program.py:scale", "--args", "f64[4], 2", "--all")
    assert [name for name in STAGES if f"----- {name}: " in out] == list(STAGES)
    assert "def scale(x, n):" in out


def test_a_stage_that_is_not_text_goes_to_a_pipe_or_file(start, call, folder: Path) -> None:
    arguments = ["program.py:scale", "--args", "f64[4], 2", "--stage", "object"]
    assert call(*arguments, "-o", "code.o") == (0, "", "")
    assert (folder / "code.o").read_bytes()[1:4] == b"ELF" or (folder / "code.o").stat().st_size
    serialized = [*arguments[:-1], "hlo_serialized"]
    call(*serialized, "-o", "hlo.mlirbc")
    assert (folder / "hlo.mlirbc").read_bytes()[:2] == b"ML"


def test_numbered_files(call, folder: Path) -> None:
    status, out, _ = call("program.py:scale", "--args", "f64[4], 2", "--to", "out")
    names = [f"{n:02}.{row.name}{row.extension}" for n, row in enumerate(STAGES.values(), 1)]
    assert status == 0
    assert sorted(path.name for path in (folder / "out").iterdir()) == names
    assert out.splitlines() == [f"out/{name}" for name in names]


def test_only_the_named_stages_become_files(call, folder: Path) -> None:
    call("program.py:scale", "--args", "f64, 2", "--stage", "optimized_hlo", "--to", "a/b")
    assert [path.name for path in (folder / "a/b").iterdir()] == ["03.optimized_hlo.mlir"]


def test_the_passes_that_changed_something(call, folder: Path) -> None:
    arguments = ["program.py:scale", "--args", "f64[4], 2"]
    _, every, _ = call(*arguments, "--passes")
    _, changed, _ = call(*arguments, "--when", "changed")
    assert "// ----- llvm" in changed
    assert every.count("// -----") > changed.count("// -----") > 3
    for alias in ("--print-ir-after-all", "--mlir-print-ir-after-all"):
        assert call(*arguments, alias)[1] == every
    for alias in ("--print-ir-after-change", "--mlir-print-ir-after-change"):
        assert call(*arguments, alias)[1] == changed
    _, out, _ = call(*arguments, "--passes", "--when", "changed", "--to", "out")
    files = sorted((folder / "out").iterdir())
    assert len(files) == changed.count("// -----")
    assert out.split() == [f"out/{path.name}" for path in files]
    assert all("module" in path.read_text() for path in files)


def test_passes_of_the_stages_on_the_way_only(call) -> None:
    _, out, _ = call("program.py:scale", "--args", "f64[4], 2", "--passes", "--stage", "bufferized")
    assert "// ----- bufferized 1: " in out
    assert "// ----- loops" not in out
    assert "linalg.generic" in out.rpartition("-----")[2]


@pytest.mark.parametrize("option", ["--timing", "--mlir-timing"])
def test_timing(call, option: str) -> None:
    _, out, _ = call("program.py:scale", "--args", "f64[4], 2", option)
    lines = [line.split() for line in out.splitlines()]
    assert lines[0] == ["stage", "pass", "seconds", "before", "after"]
    assert lines[-1][0] == "total"
    passes = [line for line in lines[1:-1] if len(line) == 5]
    assert ["optimized_hlo", "canonicalize"] in [line[:2] for line in passes]
    assert [line[0] for line in lines[1:-1] if len(line) == 2] == ["object", "asm"]
    assert float(lines[-1][1]) == pytest.approx(sum(float(line[-3]) for line in passes)
        + sum(float(line[1]) for line in lines[1:-1] if len(line) == 2), abs=1e-4)  # fmt: skip
    whole = {line[0]: float(line[3]) for line in lines if line[2:3] == ["passes"]}
    assert [*whole] == [*dict.fromkeys(line[0] for line in passes)]
    own = [float(line[-3]) for line in passes if line[0] == "loops"]
    assert whole["loops"] == pytest.approx(sum(own), abs=1e-4)
    assert "{" not in out


def test_json_has_everything(call) -> None:
    _, out, _ = call(
        "program.py:scale", "--args", "np.ones(2), 4", "--json", "--run", "--timing",
        "--stage", "hlo", "--stage", "hlo_serialized",
    )  # fmt: skip
    report = json.loads(out)
    assert report["program"] == "program.py:scale"
    assert report["function"] == "scale"
    assert report["arguments"] == ["float64[2]", "4"]
    assert [stage["name"] for stage in report["stages"]] == ["hlo", "hlo_serialized"]
    assert "text" in report["stages"][0]
    assert "base64" in report["stages"][1]
    assert report["run"] == {"results": ["[2., 2.]"], "changed": {}}
    assert {"stage", "name", "seconds", "operations_before", "operations_after", "changed"} <= set(
        report["passes"][0]
    )
    assert report["error"] is None


def test_locations_and_elided_constants(call, folder: Path) -> None:
    (folder / "constants.py").write_text(
        "import numpy as np\nDATA = np.arange(12.0)\ndef f(x):\n    return x + DATA\n"
    )
    constant = ["--args", "f64", "--convention", "function"]
    for option in ("--locations", "--mlir-print-debuginfo"):
        assert '/constants.py":4:' in call("constants.py:f", *constant, option)[1]
    below = ["--locations", "--stage", "asm", "--stage", "llvm_ir"]
    assembly = call("constants.py:f", *constant, *below)[1]
    assert '/constants.py"\n' in assembly
    assert ".loc 1 4 " in assembly
    assert "!DILocation(line: 4" in assembly
    _, whole, _ = call("constants.py:f", *constant)
    _, short, _ = call("constants.py:f", *constant, "--elide", "4")
    assert len(short) < len(whole)


def test_a_run_prints_what_comes_back(call) -> None:
    run = ["--run", "--args"]
    assert call("program.py:scale", *run, "np.ones(3), 4") == (0, "[2., 2., 2.]\n", "")
    assert call("program.py:countdown", *run, "10").out == "4\n"
    lines = call("program.py:pair", *run, "np.float32(3), y=np.int8(2)").out.splitlines()
    assert lines == ["['sum']: np.float32(5.0)", "['rest'][0]: np.float32(6.0)",
                     "['rest'][1]: 'a constant'"]  # fmt: skip
    assert "[2., 2.]" in call("program.py:double", *run, "np.ones(2)").out


def test_a_run_shows_the_arrays_that_changed(call) -> None:
    out = call("program.py:fill", "--run", "--args", "np.zeros(2)").out
    assert out.splitlines()[-1] == "argument 0 is now [7., 0.]"


def test_a_run_makes_up_values_for_types_and_says_so(call) -> None:
    done = call("program.py:scale", "--run", "--args", "f64[2], 1")
    assert done == (0, "[1., 1.]\n", "note: only the type float64[2] is given; --run passes ones\n")
    done = call("program.py:scale", "--run", "--args", "f64[?], 1")
    assert done.status == 2
    assert "leaves dimensions open" in done.err


def test_graphs(call, folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    arguments = ["program.py:scale", "--args", "f64[2], 1", "--dot"]
    assert call(*arguments, "graph.dot") == (0, "", "")
    assert (folder / "graph.dot").read_text().startswith("digraph")
    monkeypatch.setenv("PATH", str(folder))
    status, out, err = call(*arguments, "graph.svg")
    assert (status, out) == (1, "")
    assert "Graphviz" in err
    assert "--dot FILE.dot" in err
    fake = folder / "dot"
    fake.write_text('#!/bin/sh\nread line\necho "$1 $line"\n')
    fake.chmod(0o755)
    assert call(*arguments, "graph.svg").status == 0
    assert (folder / "graph.svg").read_text().startswith("-Tsvg digraph")


def test_the_result_is_what_the_function_gives(call, folder: Path) -> None:
    (folder / "out.txt").write_text("before")
    main(["program.py:scale", "--run", "--args", "np.arange(3.0), 0", "-o", "out.txt"])
    text = (folder / "out.txt").read_text()
    shown = np.array2string(np.arange(3.0) * 2 / 3, separator=", ")
    assert text == shown + "\n"


def test_a_captured_variable_is_an_argument_of_its_name(call, folder: Path) -> None:
    (folder / "state.py").write_text(
        "import agir as ag\n"
        "w = ag.Variable([1.0, 2.0], name='weights')\n"
        "@ag.function\n"
        "def step(x):\n"
        "    w.assign_sub(x * 0.5)\n"
        "    return ag.reduce_sum(w)\n"
    )
    status, out, err = call("state.py:step", "--args", "f32[2]")
    assert (status, err) == (0, "")
    assert "func.func @step(%x: tensor<2xf32>, %weights: tensor<2xf32> {agir.writable})" in out
    status, out, _ = call("state.py:step", "--args", "f32[2]", "--all")
    assert status == 0
    assert "w).assign_sub" in out


def test_explaining(call) -> None:
    told = call("program.py:scale", "--args", "np.ones(1000), 2.0", "--explain")
    assert told.status == 0
    assert "a call" in told.out
    assert "mul, add, div" in told.out
    data = json.loads(call("program.py:scale", "--args", "f64[5], f64", "--explain", "--json").out)
    assert data["explanation"]["rows"][0]["size"] == "5"
