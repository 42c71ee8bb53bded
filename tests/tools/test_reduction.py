"""Programs that fail are made smaller, and still fail in the same way."""

from __future__ import annotations

import ast
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest

import agir as ag
from agir.tools import dump_ir, smaller_mlir, smaller_python
from agir.tools.isolation import Limits
from agir.tools.judging import Judge, same
from agir.tools.reduction_search import Search
from agir.tools.verdicts import FINE

from ..backends.validation.broken import PLUGIN

SOURCE = """
import os

def step(a, n, scale):
    total = 0
    for i in range(n):
        if i % 2:
            total += a[i] - needle(scale)
        else:
            total += i
    return total
"""
MODULE = """func.func @f(%a: tensor<4xf64>, %x: f64) -> (tensor<4xf64>, f64) {
  %s = tensor.splat %x : tensor<4xf64>
  %b = arith.mulf %a, %s : tensor<4xf64>
  %c = arith.constant 1 : index
  %e = tensor.extract %b[%c] : tensor<4xf64>
  %t = arith.cmpf olt, %x, %e fastmath<nnan> : f64
  %r = scf.if %t -> f64 {
    %y = arith.addf %e, %x {agir.word} : f64
    scf.yield %y : f64
  } else {
    %y = arith.mulf %x, %x : f64
    scf.yield %y : f64
  }
  return %b, %r : tensor<4xf64>, f64
}
"""


ENDING = """
import os
import agir as ag

def ending(module):
    KIND

@ag.jit(passes=[ending])
def f(x):
    return x + 1

ARGUMENTS = (1,)
"""


def texts(tree: ast.Module, kind: Callable[[ast.Module], smaller_python.Ways]) -> list[str]:
    return [smaller_python.text(made) for way in kind(tree) if (made := way()) is not None]


def test_statements_are_left_out_the_most_at_once_first() -> None:
    tree = smaller_python.program("a = 1\nb = 2\n", "")
    found = texts(tree, smaller_python.left_out)
    assert found[:2] == ["\n", "a = 1\nb = 2\n"]
    assert "b = 2\nARGUMENTS = ()\n" in found
    inner = smaller_python.program("if x:\n    y = 1\n", "")
    assert "if x:\n    pass\nARGUMENTS = ()\n" in texts(inner, smaller_python.left_out)


def test_blocks_are_opened_and_expressions_simplified() -> None:
    tree = smaller_python.program("if x:\n    y = 1\nelse:\n    y = 2\n", "7")
    opened = texts(tree, smaller_python.opened)
    assert opened == ["y = 1\nARGUMENTS = (7,)\n", "y = 2\nARGUMENTS = (7,)\n"]
    tree = smaller_python.program("y = f(a) + 9\n", "[1, 2]")
    found = texts(tree, smaller_python.simplified)
    for each in ("y = f(a)\n", "y = 9\n", "y = 0 + 9\n", "y = f(a) + 4\n"):
        assert f"{each}ARGUMENTS = ([1, 2],)\n" in found
    assert "y = f(a) + 9\nARGUMENTS = ([2],)\n" in found


def test_parameters_go_with_their_arguments() -> None:
    tree = smaller_python.program("def f(a, b):\n    return b\n", "1, 2")
    found = texts(tree, lambda each: smaller_python.without_parameters("f", each))
    assert found[0] == "def f(b):\n    return b\nARGUMENTS = (2,)\n"


def test_a_search_ends_with_what_cannot_be_smaller() -> None:
    tree = smaller_python.program(SOURCE, "[1, 2], 2, 3")
    search = Search(smaller_python.text, lambda text: "needle(" in text, 500)
    kinds = [smaller_python.left_out, smaller_python.opened, smaller_python.simplified]
    found = smaller_python.text(search.run(tree, kinds))
    assert found == "def step(a, n, scale):\n    total += needle(0)\n"
    assert 10 < search.tried < 500


def test_a_command_says_what_is_kept(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    file, out = tmp_path / "step.py", tmp_path / "smaller.py"
    file.write_text(SOURCE)
    options = ["--args", "[1, 2], 2, 3", "--reduce", "grep -q total", "-o", str(out)]
    assert dump_ir.main([f"{file}:step", *options]) == 0
    assert "    total = 0\n" in out.read_text()
    assert "succeeds" in capsys.readouterr().err
    options[options.index("grep -q total")] = "false"
    assert dump_ir.main([f"{file}:step", *options]) == 2
    assert "'false' fails on the whole program" in capsys.readouterr().err


def test_what_a_pass_breaks_is_reduced_to_a_file_that_runs(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    file, plugin, out = (tmp_path / name for name in ("f.py", "plugin.py", "smaller.py"))
    file.write_text("def f(x, y):\n    z = x * y\n    return z + y\n")
    plugin.write_text(PLUGIN)
    options = ["--args", "2.5, 1.5", "--plugin", str(plugin), "--reduce", "-o", str(out)]
    try:
        assert dump_ir.main([f"{file}:f", *options]) == 0
    finally:
        ag.plugins.unregister("broken")  # which this process has, too
    told = capsys.readouterr().err
    assert "the pass 'broken', of the stage 'optimized_hlo', changes what it gives" in told
    text = out.read_text()
    assert " + " in text
    assert " * " not in text
    done = subprocess.run([sys.executable, out], capture_output=True, text=True)
    assert done.stdout.startswith("Python: ")


@pytest.mark.parametrize(
    ("kind", "found"),
    [
        (smaller_mlir.left_out, "return %arg0, %cst_1 : tensor<4xf64>, f64"),
        (smaller_mlir.opened, "  %2 = arith.mulf %arg1, %arg1 : f64\n    return"),
        (smaller_mlir.without_results, "return %0 : tensor<4xf64>"),
        (smaller_mlir.simplified, "arith.mulf %arg0, %cst : tensor<4xf64>"),
        (smaller_mlir.without_attributes, "arith.addf %extracted, %arg1 : f64"),
        (smaller_mlir.without_attributes, "arith.cmpf olt, %arg1, %extracted : f64"),
    ],
)
def test_modules_are_made_smaller(kind: Callable[[str], smaller_mlir.Ways], found: str) -> None:
    made = [text for way in kind(MODULE) if (text := way()) is not None]
    assert any(found in each for each in made), "\n".join(made)


def test_a_module_is_reduced_by_what_a_pass_makes_of_it(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    file, plugin, out = (tmp_path / name for name in ("f.mlir", "plugin.py", "smaller.mlir"))
    file.write_text(MODULE)
    plugin.write_text(PLUGIN)
    options = ["--args", "np.arange(4.0) * 3, 2.0", "--plugin", str(plugin)]
    try:
        reduce = ["--pass", "broken", "--reduce", "-o", str(out)]
        assert dump_ir.main([str(file), *options, *reduce]) == 0
        assert dump_ir.main([str(out), *options, "--validate"]) == 1
    finally:
        ag.plugins.unregister("broken")
    assert "the pass 'broken', of the stage 'broken', changes what it gives" in out.read_text()
    assert len(smaller_mlir.normal(out.read_bytes()).splitlines()) <= 7
    assert "after the pass 'broken'" in capsys.readouterr().out


def test_a_stage_is_reduced_as_a_command_says(tmp_path: Path) -> None:
    file, out = tmp_path / "step.py", tmp_path / "0.loops.mlir"
    file.write_text("def f(a):\n    a[1:] += a[:-1]\n    return a.sum() * 3\n")
    options = ["--args", "f64[5]", "--stage", "loops", "--reduce", "grep -q scf.for"]
    assert dump_ir.main([f"{file}:f", *options, "-o", str(out)]) == 0
    text = out.read_text()
    assert "scf.for" in text
    assert "arith.addf" not in text
    assert dump_ir.main([str(out), "--stage", "llvm", "-o", str(tmp_path / "l.mlir")]) == 0


def test_verdicts() -> None:
    with Judge({"function": "f", "convention": "jit"}, Limits(60.0)) as judge:
        assert judge("def f(x):\n    return x + 1\nARGUMENTS = (1,)\n") == FINE
        ends = "import os\ndef f(x):\n    os.abort()\nARGUMENTS = (1,)\n"
        assert judge(ends) == "the process ends (SIGABRT)"
        ending = ENDING.replace("KIND", "os.abort()")
        assert judge(ending) == (
            "the process ends (SIGABRT) in the pass 'ending', of the stage 'optimized_hlo'"
        )
        raising = ENDING.replace("KIND", "raise KeyError")
        assert judge(raising) == (
            "the pass 'ending', of the stage 'optimized_hlo', raises PluginError"
        )
        assert judge("def f(x):\n    return y\nARGUMENTS = (1,)\n") == FINE  # both raise
        assert judge("ARGUMENTS = (1,)\n") == "the program itself: UsageError"


def test_results_that_are_the_same() -> None:
    assert same((1.0, [np.ones(2)]), (1.0, [np.ones(2) + 1e-9]))
    assert not same((1.0,), [1.0])
    assert not same(1, True)
    assert not same(np.ones(2, np.float32), np.ones(2))
    assert same({"a": float("nan")}, {"a": float("nan")})
    assert same(KeyError("a"), KeyError("b"))
    assert not same(KeyError("a"), "a")
