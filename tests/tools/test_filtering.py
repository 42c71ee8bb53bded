"""What is shown of a program in part: functions, operations, passes; counts; options of other tools."""

from __future__ import annotations

import json

import pytest

from agir.backends.stages import STAGES
from agir.tools import dump_ir
from agir.tools.options import _OF_OTHER_TOOLS

PROGRAM = """\
import numpy as np


def picked(x, i):
    return np.sin(x[i]) + 1.0


def halvings(n):
    count = 0
    while n > 1:
        n //= 2
        count += 1
    return count
"""
TWO = """\
func.func @f(%x: i64) -> i64 {
  %c = arith.constant 0 : i64
  %0 = arith.addi %x, %c : i64
  return %0 : i64
}
// -----
func.func @f(%x: i64) -> i64 {
  return %x : i64
}
"""


@pytest.fixture
def show(tmp_path, capsys):
    (tmp_path / "program.py").write_text(PROGRAM)

    def shown(*options, of="picked", types="f64[20], i64[3]"):
        given = [f"{tmp_path}/program.py:{of}", "--args", types, *options]
        assert dump_ir.main(given) == 0, capsys.readouterr().err
        return capsys.readouterr().out

    return shown


def test_functions_and_operations(show):
    whole = show()
    assert "@picked" in whole
    part = show("--only-functions", "^fail_")
    assert "@picked" not in part
    assert "func.func private @fail_unless" in part
    assert part.rstrip().endswith("}")
    assert show("--filter-print-funcs=picked").count("func.func") == 1
    lines = show("--only-operations", r"^arith\.cmpi$").splitlines()
    assert lines == [line for line in whole.splitlines() if " arith.cmpi " in line]
    for stage, name, operation in (
        ("llvm_ir", "define", "fcmp|load"),
        ("asm", "picked:", "vmovsd"),
    ):
        assert name in show("--stage", stage, "--only-functions", "^picked$")
        assert show("--stage", stage, "--only-operations", operation)


def test_passes(show):
    options = ("--when", "changed", "--stage", "optimized_hlo", "--json")
    found = json.loads(show(*options, "--only-passes", "fuse|cse"))["passes"]
    assert found
    assert all("fuse" in each["name"] or "cse" in each["name"] for each in found)
    some = json.loads(show(*options, "--only-operations", "^linalg"))["passes"]
    texts = [line for each in some for line in (each["text"] or "").splitlines()]
    assert texts
    assert all("linalg." in line for line in texts)


def test_counts(show):
    data = json.loads(show("--histogram", "--json"))
    assert [*data["operations"]] == ["hlo", "optimized_hlo", "bufferized", "loops", "llvm"]
    assert data["operations"]["hlo"]["math.sin"] == 1
    assert data["stages"] == []
    head, *rows = show("--histogram", "--stage", "asm").splitlines()
    assert head.split() == ["operation", "asm"]
    assert any(row.startswith("vaddsd ") or row.startswith("vaddpd ") for row in rows)
    assert rows[-1].startswith("total")


def test_control_flow(show, tmp_path):
    show("--cfg", str(tmp_path / "flow.dot"), of="halvings", types="i64")
    text = (tmp_path / "flow.dot").read_text()
    assert text.count("subgraph") >= 1
    assert '[label="yes"]' in text
    assert '<font color="#7b8794">10</font>' in text, "the line of the loop"


def test_several_modules_in_a_file(tmp_path, capsys):
    file = tmp_path / "two.mlir"
    file.write_text(TWO)
    given = [str(file), "--pass", "canonicalize", "--split-input-file"]
    assert dump_ir.main(given) == 0
    out = capsys.readouterr().out
    assert out.count("func.func @f") == 2
    assert "// -----" in out
    assert "arith" not in out
    assert dump_ir.main([str(file), "--split-input-file"]) == 2
    assert "--split-input-file goes with --pass" in capsys.readouterr().err


@pytest.mark.parametrize("option", ["--mlir-print-ir-before-all", "--print-op-stats", "--histgram"])
def test_options_of_other_tools(option, capsys):
    assert dump_ir.main(["x.py:f", option]) == 2
    said = capsys.readouterr().err
    assert _OF_OTHER_TOOLS.get(option, "did you mean --histogram?") in said


def test_every_stage_with_functions_is_known():
    from agir.tools import filtering

    text = {row.extension for row in STAGES.values()} - {".py", ".dot", ".o", ".mlirbc"}
    assert text == {*filtering._HEADS} == {*filtering._BETWEEN}
