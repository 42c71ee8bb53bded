"""Two forms of a function are proven equal, or there are arguments that show a difference."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest

from agir.backends.stages import Compilation
from agir.ir.building import bindings
from agir.tools import dump_ir

pytest.importorskip("z3")
from agir.backends import proving
from agir.backends.proving import Proof
from agir.backends.proving.equality import prove

INTEGERS = "func.func @f(%a: i32, %b: i32) -> i32 {{ {body} return %r : i32 }}"
FLOATS = "func.func @f(%a: {kind}, %b: {kind}) -> {kind} {{ {body} return %r : {kind} }}"


def proof(before: str, after: str) -> Proof:
    with bindings.context(), bindings.ir.Location.unknown():
        modules = [bindings.ir.Module.parse(each) for each in (before, after)]
        return prove(*modules, "f")


def integers(body: str) -> str:
    return INTEGERS.format(body=body)


def floats(body: str, kind: str = "f16") -> str:
    return FLOATS.format(body=body.replace("T", kind), kind=kind)


SHIFTED = """
  llvm.func @f(%a: i32, %b: i32) -> i32 attributes {agir.signature = (i32, i32) -> i32} {
    %two = llvm.mlir.constant(2 : i32) : i32
    %c = llvm.icmp "slt" %a, %b : i32
    llvm.cond_br %c, ^small, ^end(%b : i32)
  ^small:
    %s = llvm.ashr %a, %two : i32
    llvm.br ^end(%s : i32)
  ^end(%r: i32):
    llvm.return %r : i32
  }"""
DIVIDED = integers("""
  %four = arith.constant 4 : i32
  %c = arith.cmpi sgt, %b, %a : i32
  %r = scf.if %c -> i32 {
    %q = arith.floordivsi %a, %four : i32
    scf.yield %q : i32
  } else { scf.yield %b : i32 }""")


def test_forms_that_give_the_same() -> None:
    assert proof(DIVIDED, SHIFTED) == Proof(True)
    # where a division is not defined, the other form may give what it likes
    checked = "%r = arith.divsi %a, %b : i32"
    assert proof(integers(checked), integers(checked)).is_proven


def test_arguments_that_show_a_difference() -> None:
    found = proof(DIVIDED, SHIFTED.replace("ashr", "lshr"))
    assert not found.is_proven
    assert found.arguments is not None
    one, other = found.arguments
    assert one < 0
    assert one < other
    assert str(found).startswith("differs for the arguments -")
    # what is not defined any more is a difference
    found = proof(
        integers("%r = arith.andi %b, %b : i32"), integers("%r = arith.divsi %b, %a : i32")
    )
    assert found.arguments is not None


def test_floats() -> None:
    total = floats("%s = arith.addf %a, %b : T %r = math.exp %s : T")
    assert proof(total, total.replace("%a, %b :", "%b, %a :")) == Proof(True)
    odd = "%t = math.tanh %a : T %r = arith.negf %t : T"
    other = "%t = arith.negf %a : T %r = math.tanh %t : T"
    assert proof(floats(odd), floats(other)).reason.startswith("floats are computed otherwise")
    assert proof(total, total) == Proof(True)
    double = "%t = arith.constant 2.0 : T %r = arith.mulf %a, %t : T"
    assert proof(floats(double), floats("%r = arith.addf %a, %a : T")) == Proof(True)
    found = proof(floats("%r = arith.addf %a, %b : T"), floats("%r = arith.subf %a, %b : T"))
    assert found.arguments is not None
    one, other = found.arguments
    with np.errstate(all="ignore"):
        assert not np.array_equal(one + other, one - other, equal_nan=True)


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("func.func @f(%a: tensor<4xf64>) { return }", "values of type tensor<4xf64>"),
        (
            "llvm.func @f(%a: i1) attributes {agir.signature = (i1) -> ()} "
            "{ llvm.br ^l ^l: llvm.cond_br %a, ^l, ^e ^e: llvm.return }",
            "a loop",
        ),
    ],
)
def test_what_is_not_known(text: str, reason: str) -> None:
    assert str(proof(text, text)) == f"unknown ({reason})"


def test_the_stages_of_a_program() -> None:
    program = Compilation.from_text(DIVIDED, "hlo")
    found = dict(proving.stages_proven(program, "f", "hlo"))
    assert list(found) == ["optimized_hlo", "bufferized", "loops", "llvm"]
    assert all(each.is_proven for each in found.values())


def test_on_the_command_line(tmp_path: Path, capsys: Any) -> None:
    file = tmp_path / "f.py"
    file.write_text("def f(x, y):\n    return (x + y) * 0.5 if x > y else x - y\n")
    assert dump_ir.main([f"{file}:f", "--args", "f64, f64", "--prove"]) == 0
    assert capsys.readouterr().out.splitlines()[-1] == "llvm: proven"
