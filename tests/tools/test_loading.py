"""Which function a command line means."""

from __future__ import annotations

from pathlib import Path

import pytest


def test_a_function_that_is_not_decorated(call) -> None:
    arguments = ["program.py:pair", "--args", "f64[2], 3"]
    jit, function = call(*arguments), call(*arguments, "--convention", "function")
    assert "%y: i64" in jit.out  # a number is a run-time value
    assert "%y" not in function.out
    assert function.err == "tracing\n"  # what the program prints is not part of the answer
    assert jit.err == ""  # where every call prints, tracing does not


@pytest.mark.parametrize("name", ["Model.step", "model.step"])
def test_methods(call, name: str) -> None:
    assert "func.func @step(%x: f32)" in call(f"program.py:{name}", "--args", "f32").out


def test_a_module_by_its_name(call, folder: Path) -> None:
    package = folder / "parts" / "inner"
    package.mkdir(parents=True)
    for init in (folder / "parts", package):
        (init / "__init__.py").write_text("")
    (package / "base.py").write_text("TWO = 2\n")
    (package / "code.py").write_text("from .base import TWO\ndef f(x):\n    return x * TWO\n")
    by_name = call("parts.inner.code:f", "--args", "f32")
    by_path = call("parts/inner/code.py:f", "--args", "f32")
    assert by_name == by_path
    assert "arith.mulf" in by_name.out


def test_a_file_called_like_a_module_of_the_standard_library(call, folder: Path) -> None:
    (folder / "types.py").write_text("def f(x):\n    return -x\n")
    assert "arith.negf" in call("types.py:f", "--args", "f32").out


def test_an_input_signature_stands_for_arguments(call, folder: Path) -> None:
    (folder / "signed.py").write_text(
        "import agir as ag\n"
        "@ag.function(input_signature=[ag.TensorSpec([2], ag.float32)])\n"
        "def f(x):\n    return x * 2\n"
    )
    assert "@f(%x: tensor<2xf32>)" in call("signed.py:f").out
    assert "[2., 2.]" in call("signed.py:f", "--run").out
    assert "[8., 8.]" in call("signed.py:f", "--run", "--args", "np.full(2, 4, f32)").out
