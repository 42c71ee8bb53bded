"""Functions of the library that are compiled once, apart from the programs that call them."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import agir as ag
from agir.backends.cpu import libraries, machine_code
from agir.backends.cpu.code import elf, loading
from agir.backends.cpu.library import iterations
from agir.backends.mlir.lock import compiling
from agir.backends.stages import Compilation
from agir.ir.building import bindings

pytestmark = pytest.mark.skipif(bool(loading.unavailable()), reason="no code is loaded here")

FUNCTIONS = [np.sin, np.cos, np.tan]


def program(function: str, kind: str) -> Compilation:
    return Compilation.from_text(
        f"""
        func.func @f(%x: tensor<?x{kind}>) -> tensor<?x{kind}> {{
          %y = math.{function} %x : tensor<?x{kind}>
          return %y : tensor<?x{kind}>
        }}""",
        "hlo",
    )


def test_machine_code_has_them_elsewhere_and_stages_show_them() -> None:
    compilation = program("sin", "f64")
    with ag.config.scope(cache=False), compiling, bindings.context():
        code = elf.parse(machine_code.machine_code(compilation).object)
    assert any(name.startswith("agir.large_sin_f64") for name in code.undefined)
    defined = {symbol.name for symbol in code.symbols if symbol.section}
    assert not any("large" in name for name in defined)
    assert "agir.large_sin_f64_8:" in compilation.text("asm")
    assert not elf.parse(compilation.get("object")).undefined.count("agir.large_sin_f64")


def until(x: Any) -> Any:
    while x < 100.0:
        x = x * 2.0
    return x


def test_loops_ask_for_signals_elsewhere() -> None:
    compilation = ag.jit(until).get_concrete_function(1.0).compilation
    with ag.config.scope(cache=False), compiling, bindings.context():
        made = machine_code.machine_code(compilation)
    code = elf.parse(made.object)
    assert iterations.NAME in code.undefined
    assert "PyErr_CheckSignals" not in code.undefined
    assert iterations.NAME not in str(made.interface)
    assert f"llvm.func @{iterations.NAME}(!llvm.ptr) -> i64" in compilation.text("llvm")
    assert f"{iterations.NAME}:" in compilation.text("asm")
    assert iterations.NAME not in elf.parse(compilation.get("object")).undefined


def test_programs_share_one(monkeypatch: pytest.MonkeyPatch) -> None:
    made: list[Any] = []
    original = machine_code.new_engine

    def counted(module: Any, **options: Any) -> Any:
        made.append(module)
        return original(module, **options)

    monkeypatch.setattr(machine_code, "new_engine", counted)
    monkeypatch.setattr(libraries, "_images", {})
    x = np.ones(2000)
    with ag.config.scope(cache=False):
        ag.jit(lambda x: np.sin(x) + 1.0)(x)
        assert len(made) == 2  # with the library
        ag.jit(lambda x: np.sin(x) + 2.0)(x)
        assert len(made) == 3
        ag.jit(lambda x: np.exp(x))(x)
        assert len(made) == 4
        assert ag.jit(until)(3.0) == 192.0
        assert len(made) == 6  # with what the loop calls
        assert ag.jit(until)(np.float32(3.0)) == 192.0
        assert len(made) == 7


@pytest.mark.parametrize("function", FUNCTIONS)
@pytest.mark.parametrize("dtype", [np.float32, np.float64])
def test_large_arguments(function: Any, dtype: Any) -> None:
    x = np.array([0.5, 1e5, 1e22, -3e30, 1e300, np.inf, np.nan] * 20)
    with np.errstate(all="ignore"):
        x = x.astype(dtype)
        right = function(x.astype(np.float64)).astype(dtype)
    ours = ag.jit(lambda x: function(x))(x)
    np.testing.assert_allclose(ours, right, rtol=3e-7 if dtype is np.float32 else 1e-15)
    assert ag.jit(lambda x: function(x))(x[1]) == pytest.approx(right[1], rel=1e-6)


def test_without_our_linker_they_are_in_the_program(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("agir.backends.cpu.engine.unavailable", lambda: "not here")
    x = np.array([1e22, 0.5] * 10)
    np.testing.assert_allclose(ag.jit(lambda x: np.sin(x))(x), np.sin(x), rtol=1e-15)
    assert ag.jit(until)(3.0) == 192.0
