"""What plugins add besides passes: operations, dialects, converters, stages, back ends; loading."""

from __future__ import annotations

import ast
import os
import subprocess
import sys
import types
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import agir as ag
from agir.backends import reference
from agir.backends.mlir.modules import find
from agir.errors import OperandTypeError, PluginError, UnsupportedOperation
from agir.plugins import Backend, Converter, Dialect, Graph, Pass, Stage, before, op, replace


@pytest.fixture
def registered() -> Iterator[list[Any]]:
    """What is registered in a test is taken out after it."""
    mine: list[Any] = []
    yield mine
    for each in mine:
        ag.plugins.unregister(each)


DIALECT = """
irdl.dialect @agir_test {
  irdl.operation @square {
    %0 = irdl.any
    irdl.operands(x: %0)
    irdl.results(r: %0)
  }
}
"""


def lower_squares(module: Any) -> None:
    for each in Graph(module).find("agir_test.square"):
        with before(each):
            x = each.operands[0]
            replace(each, op("arith.mulf", x.type, x, x))


def test_a_dialect_with_an_operation_its_derivative_and_its_lowering(registered: list[Any]) -> None:
    registered += ["agir_test", "lower-squares", "squared"]
    ag.register(Dialect(DIALECT))
    ag.register(lower_squares)
    ag.plugins.derivative("agir_test.square", lambda c, x, r: c * (2.0 * x))
    ag.plugins.interpretation("agir_test.square", lambda x: x * x)

    @ag.plugins.elementwise(np.square)
    def squared(op, x):
        return op("agir_test.square", x)

    def program(x):
        return squared(x).sum() + 1.0

    x = np.arange(4.0)
    compiled = ag.jit(program)
    stages = compiled.experimental_get_compiler_ir(x)
    assert "agir_test.square" in stages("hlo")
    assert "agir_test.square" not in stages("bufferized")
    assert compiled(x) == ag.jit(program, jit_compile=False)(x) == 15.0
    np.testing.assert_array_equal(squared(x).numpy(), x * x)
    np.testing.assert_array_equal(ag.grad(program)(x).numpy(), 2 * x)
    with pytest.raises(PluginError, match=r"'squared' .* has the name of another"):
        ag.plugins.elementwise(np.square)(named("squared"))
    with pytest.raises(PluginError, match=r"'agir_test.square' .* has a derivative"):
        ag.plugins.derivative("agir_test.square", None)
    with pytest.raises(PluginError, match=r"'agir_test.square' .* has an interpretation"):
        ag.plugins.interpretation("agir_test.square", np.square)


def named(name: str) -> Any:
    def function(op, x):
        return x

    function.__name__ = name
    return function


def test_a_dialect_that_is_declared_in_python(registered: list[Any]) -> None:
    from torch_mlir.dialects import ext

    class Mine(ext.Dialect, name="agir_python"):
        pass

    annotations = {"x": ext.Operand[Any], "r": ext.Result[Any]}  # which are objects here
    bases, options = (Mine.Operation,), {"name": "keep", "traits": [ext.Pure]}
    types.new_class("Keep", bases, options, lambda space: space.update(__annotations__=annotations))

    def keep(module: Any) -> None:
        for each in Graph(module).find("func.return"):
            with before(each):
                x = each.operands[0]
                each.operands[0] = op("agir_python.keep", x.type, x)

    def drop(module: Any) -> None:
        for each in find(module, "agir_python.keep"):
            replace(each, each.operands[0])

    ag.register(Dialect(Mine))
    registered.append("agir_python")
    function = ag.jit(lambda x: x + 1.0, passes=[keep, Pass(drop, stage="llvm")])
    assert "agir_python.keep" in function.experimental_get_compiler_ir(1.0)("loops")
    assert function(1.0) == 2.0
    with pytest.raises(OperandTypeError, match="a dialect is a text"):
        Dialect("func.func @f()")


def swapped(tree: ast.AST) -> ast.AST:
    """Additions become subtractions."""

    class Swap(ast.NodeTransformer):
        def visit_Add(self, node: ast.Add) -> ast.AST:
            return ast.Sub()

    return Swap().visit(tree)


def test_a_converter(registered: list[Any]) -> None:
    import gast

    class Swap(gast.NodeTransformer):
        def visit_Add(self, node):
            return gast.Sub()

    def plus(x):
        return x + 1.0

    def plus_again(x):
        return x + 2.0

    ag.register(Converter(Swap))
    assert ag.jit(plus)(3.0) == 2.0
    assert "x - 1.0" in ag.autograph.to_code(plus)
    ag.plugins.unregister("Swap")
    ag.register(Converter(swapped, at="end"))
    registered.append("swapped")
    assert ag.jit(plus_again)(3.0) == 1.0

    def broken(tree):
        raise IndexError("no such node")

    ag.register(Converter(broken))
    registered.append("broken")
    with pytest.raises(
        PluginError, match=r"converter 'broken' \(.*test_kinds.py:\d+\) cannot convert"
    ):
        ag.jit(lambda x: x + 1.0)(3.0)


def refused(module: Any, program: Any) -> str:
    raise UnsupportedOperation("numbers only")


def test_a_stage(registered: list[Any], tmp_path: Path) -> None:
    names = Stage("names", ".txt", "functions", "hlo", lambda m, _: str(len(find(m, "func.func"))))
    ag.register(names)
    registered.append(names)
    function = ag.jit(lambda x: x + 1.0)
    assert function.experimental_get_compiler_ir(1.0)("names") == "1"
    with ag.config.scope(dump_dir=tmp_path):
        ag.jit(lambda x: x + 1.0)(1.0)
    assert next(tmp_path.glob("*/*.names.txt")).read_text() == "1"
    scalars = Stage("scalars", ".txt", "of numbers", "hlo", refused)
    ag.register(scalars)
    registered.append(scalars)
    with ag.config.scope(dump_dir=tmp_path / "without"):
        assert ag.jit(lambda x: x + 1.0)(1.0) == 2.0
    assert not list(tmp_path.glob("without/*/*.scalars.txt"))
    with pytest.raises(UnsupportedOperation, match="numbers only"):
        function.experimental_get_compiler_ir(1.0)("scalars")
    broken = Stage("broken", ".txt", "no text", "hlo", lambda m, _: m.nothing)
    ag.register(broken)
    registered.append(broken)
    with pytest.raises(PluginError, match=r"stage 'broken' \(test_kinds.*made: AttributeError"):
        function.experimental_get_compiler_ir(1.0)("broken")
    with pytest.raises(PluginError, match=r"stage 'hlo' \(.*\) has the name of agir's own"):
        ag.register(Stage("hlo", ".mlir", "another"))


def test_a_back_end(registered: list[Any]) -> None:
    calls = []

    def load(program: Any, entry: Any) -> Any:
        calls.append(entry.name)
        return reference.load(program, entry)

    ag.register(Backend("noted", "the interpreter, noted", load))
    registered.append("noted")
    with ag.config.scope(backend="noted"):
        assert ag.jit(lambda x: x + 1.0)(1.0) == 2.0
    assert len(calls) == 1
    with ag.config.scope(backend="note"), pytest.raises(ValueError, match="did you mean noted"):
        ag.jit(lambda x: x + 1.0)(1.0)


PLUGIN = """\
import agir as ag
from agir.plugins import Graph


def begin():
    @ag.register
    def count(module):
        print("products:", len(Graph(module).find("arith.mulf")))
"""
PROGRAM = """\
import sys
import agir as ag

assert "counting" not in sys.modules, "nothing is loaded before the first trace"
print(ag.jit(lambda x: x * 3.0)(1.5))
print(ag.plugins.describe())
"""


def run(folder: Path) -> tuple[str, str]:
    done = subprocess.run(
        [sys.executable, "-c", PROGRAM],
        env={**os.environ, "PYTHONPATH": str(folder), "AGIR_CACHE": "0"},
        capture_output=True, text=True, timeout=120, cwd=folder,
    )  # fmt: skip
    return done.stdout, done.stderr


def test_plugins_that_are_installed(tmp_path: Path) -> None:
    """They are found at the first trace, and one that is broken is named."""
    (tmp_path / "counting.py").write_text(PLUGIN)
    metadata = tmp_path / "agir_counting-1.0.dist-info"
    metadata.mkdir()
    (metadata / "METADATA").write_text("Metadata-Version: 2.1\nName: agir-counting\nVersion: 1.0\n")
    (metadata / "entry_points.txt").write_text(
        "[agir.plugins]\nfirst = json\ncounting = counting:begin\n"
    )
    out, error = run(tmp_path)
    assert out.startswith("products: 1\n4.5\nplugin    agir-counting\npass      count, at"), error
    assert (
        "count, at the begin in optimized_hlo (counting.py:6, of the plugin agir-counting)" in out
    )
    (metadata / "entry_points.txt").write_text("[agir.plugins]\ncounting = counting:start\n")
    _, error = run(tmp_path)
    assert (
        "PluginError: the plugin 'counting' (counting:start) of the package 'agir-counting'"
        in error
    )
    assert "cannot be loaded: AttributeError" in error


def test_plugins_that_an_option_names(
    tmp_path: Path, registered: list[Any], capsys: pytest.CaptureFixture[str]
) -> None:
    file = tmp_path / "by_file.py"
    file.write_text(PLUGIN + "\n\nbegin()\n")
    registered.append("count")
    with ag.config.scope(plugins=str(file)):
        assert ag.jit(lambda x: x * 3.0)(1.5) == 4.5
    assert capsys.readouterr().out == "products: 1\n"
    with (
        ag.config.scope(plugins="no_such_module"),
        pytest.raises(PluginError, match="the plugin 'no_such_module' cannot be loaded: Module"),
    ):
        ag.jit(lambda x: x * 3.0)(1.5)
