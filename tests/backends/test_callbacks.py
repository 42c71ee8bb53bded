"""Callbacks of the host: in the text of every stage, in machine code and in the interpreter."""

from __future__ import annotations

import contextlib
import io
from typing import Any

import numpy as np
import pytest

from agir.backends.cpu.engine import Executable
from agir.backends.reference import Interpreter
from agir.backends.stages import LOWEST, STAGES, Compilation, leads_to
from agir.errors import LoweringError, UnsupportedOperation
from agir.ir.host import hosts

PROGRAM = """
func.func private @print_0(i64, tensor<?x?xi8> {bufferization.access = "read"})
    attributes {
        agir.callback = "print", agir.values = ["int64", "uint8"], llvm.emit_c_interface,
        agir.text = [{value = 0 : i64, weak}, ": ", {value = 1 : i64}, "\\0A"]}
func.func private @print_1() attributes {
    agir.callback = "print", agir.text = ["end\\0A"], agir.values = [], llvm.emit_c_interface}
func.func @f(%x: tensor<?x?xi8>, %n: i64) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %count = arith.index_cast %n : i64 to index
  scf.for %i = %c0 to %count step %c1 {
    %k = arith.index_cast %i : index to i64
    %even = arith.constant 2 : i64
    %rest = arith.remsi %k, %even : i64
    %zero = arith.constant 0 : i64
    %is_even = arith.cmpi eq, %rest, %zero : i64
    %column = tensor.extract_slice %x[0, 1] [2, 2] [1, 2] : tensor<?x?xi8> to tensor<2x2xi8>
    %cast = tensor.cast %column : tensor<2x2xi8> to tensor<?x?xi8>
    func.call @print_0(%k, %cast) : (i64, tensor<?x?xi8>) -> ()
    scf.if %is_even {
      func.call @print_1() : () -> ()
    }
    func.call @print_1() : () -> ()
    func.call @print_1() : () -> ()
  }
  return
}
"""
X = np.arange(248, 256, dtype=np.uint8).reshape(2, 4)
COLUMN = "[[249 251]\n [253 255]]\n"
WANTED = f"0: {COLUMN}end\nend\nend\n1: {COLUMN}end\nend\n"


def printed(call: Any, *arguments: Any) -> str:
    output = io.StringIO()
    with contextlib.redirect_stdout(output):
        call(*arguments)
    return output.getvalue()


@pytest.mark.parametrize(
    "stage", [s for s in STAGES if STAGES[s].is_module and leads_to(s, LOWEST)]
)
def test_the_text_of_every_stage_prints(stage: str) -> None:
    text = Compilation.from_text(PROGRAM, "hlo").text(stage)
    program = Executable(Compilation.from_text(text, stage), "f")
    assert printed(program, [X, 2]) == WANTED
    assert printed(program, [X, 0]) == ""


def test_bytecode_and_machine_code_can_be_made() -> None:
    compilation = Compilation.from_text(PROGRAM, "hlo")
    assert isinstance(compilation.text("object"), bytes)
    again = Compilation.from_text(compilation.text("hlo_serialized"), "hlo_serialized")
    assert printed(Executable(again, "f"), [X, 2]) == WANTED


def test_the_interpreter_prints_the_same() -> None:
    module = Compilation.from_text(PROGRAM, "hlo").get("hlo")
    assert printed(Interpreter(module).call, "f", X.view(np.int8), 2) == WANTED


def test_an_array_that_is_only_read_is_not_copied() -> None:
    text = """
    func.func private @print_0(tensor<?xf32> {bufferization.access = "read"}) attributes {
        agir.callback = "print", agir.text = [{value = 0 : i64}], agir.values = ["float32"],
        llvm.emit_c_interface}
    func.func @f(%x: tensor<?xf32>) {
      func.call @print_0(%x) : (tensor<?xf32>) -> ()
      return
    }
    """
    compilation = Compilation.from_text(text, "hlo")
    assert "alloc" not in str(compilation.text("bufferized"))
    x = np.arange(3, dtype=np.float32)
    assert printed(Executable(compilation, "f"), [x]) == "[0. 1. 2.]"


def declaration(types: str, attributes: str, results: str = "") -> str:
    arguments = ", ".join(f"%a{i}: {t}" for i, t in enumerate(types.split(", "))) if types else ""
    names = ", ".join(f"%a{i}" for i in range(len(types.split(", ")))) if types else ""
    return f"""
    func.func private @host({types}) {results} attributes {{llvm.emit_c_interface, {attributes}}}
    func.func @f({arguments}) {{
      func.call @host({names}) : ({types}) -> ({results.removeprefix("-> ")})
      return
    }}
    """


@pytest.mark.parametrize(
    ("types", "attributes", "message"),
    [
        ("", 'agir.callback = "launch"', "there is no callback \"launch\"; agir has print, message"),
        ("", "agir.callback = 3 : i64", "there is no callback"),
        ("", 'agir.callback = "print"', "does not say its text"),
        ("", 'agir.callback = "print", agir.text = "x"', "not an array of literals"),
        ("", 'agir.callback = "print", agir.text = [1 : i64]', "neither a literal nor a value"),
        ("", 'agir.callback = "print", agir.text = [{value = 0 : i64}]', "more values than"),
        ("", 'agir.callback = "print", agir.text = [{value = -1 : i64}]', "no such value"),
        ("", 'agir.callback = "print", agir.text = [], agir.stream = "TextIOWrapper log"',
         "exists only in the process that traced it"),
        ("i64", 'agir.callback = "print", agir.text = []', "1 parameters, agir.values names 0"),
        ("i64", 'agir.callback = "print", agir.text = [], agir.values = ["float64"]',
         "does not hold a value of float64"),
        ("f64", 'agir.callback = "print", agir.text = [], agir.values = ["complex128"]',
         "does not hold a value of complex128"),
        ("tensor<2xf32>", 'agir.callback = "print", agir.text = [], agir.values = ["float64"]',
         "does not hold a value of float64"),
        ("i64", 'agir.callback = "print", agir.text = [], agir.values = ["quaternion"]', "dtype"),
    ],
)  # fmt: skip
def test_a_declaration_that_makes_no_sense(types: str, attributes: str, message: str) -> None:
    compilation = Compilation.from_text(declaration(types, attributes), "hlo")
    with pytest.raises(LoweringError, match=message):
        Executable(compilation, "f")
    with pytest.raises(LoweringError, match=message):
        Interpreter(compilation.get("hlo"))


def test_small_integers_do_not_cross() -> None:
    attributes = 'agir.callback = "print", agir.text = [], agir.values = ["int8"]'
    with pytest.raises(LoweringError, match="scalars cross as i64 or f64"):
        Executable(Compilation.from_text(declaration("i8", attributes), "hlo"), "f")


def test_a_function_that_nobody_knows() -> None:
    compilation = Compilation.from_text(declaration("i64", "some.attribute"), "hlo")
    with pytest.raises(LoweringError, match="no symbol _mlir_ciface_host"):
        Executable(compilation, "f")
    with pytest.raises(UnsupportedOperation, match="nothing provides the function 'host'"):
        Interpreter(compilation.get("hlo")).call("f", 1)


def test_a_declaration_that_was_edited_in_the_llvm_stage() -> None:
    text = str(Compilation.from_text(PROGRAM, "hlo").text("llvm"))
    wrong = text.replace("(i64, memref<?x?xi8>) -> ()", "(i64, memref<?xi8>) -> ()")
    assert wrong != text
    with pytest.raises(LoweringError, match=r"not of the type that 'agir\.callback_type' says"):
        Executable(Compilation.from_text(wrong, "llvm"), "f")


def test_an_exception_is_kept_until_the_call_is_over(monkeypatch: pytest.MonkeyPatch) -> None:
    seen = []

    def kind(declaration: Any, given: Any) -> hosts.Host:
        def host(values: Any) -> None:
            seen.append(int(values[0]))
            raise KeyError(int(values[0]))

        return host

    monkeypatch.setitem(hosts.KINDS, "broken", kind)
    text = PROGRAM.replace('"print", agir.values = ["int64"', '"broken", agir.values = ["int64"')
    program = Executable(Compilation.from_text(text, "hlo"), "f")
    output = io.StringIO()
    with contextlib.redirect_stdout(output), pytest.raises(KeyError, match="0"):
        program([X, 5])
    assert (seen, output.getvalue()) == ([0], "")


def test_a_callback_may_call_compiled_code() -> None:
    inner = Executable(Compilation.from_text(PROGRAM, "hlo"), "f")

    class Calling(io.StringIO):
        def write(self, text: str) -> int:
            if text == "end\n":
                inner_text.append(printed(inner, [X, 1]))
            return super().write(text)

    inner_text: list[str] = []
    output = Calling()
    with contextlib.redirect_stdout(output):
        Executable(Compilation.from_text(PROGRAM, "hlo"), "f")([X, 1])
    assert output.getvalue() == f"0: {COLUMN}end\nend\nend\n"
    assert inner_text == [f"0: {COLUMN}end\nend\nend\n"] * 3
