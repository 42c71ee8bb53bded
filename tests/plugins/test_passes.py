"""Passes of the user's: what they do, where they go, what shows them, and what is filed of them."""

from __future__ import annotations

import pickle
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import cloudpickle
import numpy as np
import pytest

import agir as ag
from agir.backends.cpu.cache import store
from agir.errors import OperandTypeError, OperandValueError, PluginError
from agir.plugins import Pass, Patterns, Schedule, before, op, replace, walk
from agir.tools import dump_ir

#: a pass as a user writes one, in a file of its own
USER_FILE = """\
import agir as ag
from agir.plugins import Graph, before, op, replace


@ag.register
def add_instead_of_doubling(module):
    graph = Graph(module)
    for product in graph.find("arith.mulf"):
        if graph.producer(product.operands[1], "arith.constant"):
            with before(product):
                x = product.operands[0]
                replace(product, op("arith.addf", x.type, x, x))
"""
PROGRAM = """\
def twice(x):
    return x * 2.0
"""


def double(module: Any) -> None:
    """Products of anything by anything become sums of the first operand."""
    for product in [each for each in walk(module) if each.name == "arith.mulf"]:
        with before(product):
            x = product.operands[0]
            replace(product, op("arith.addf", x.type, x, x))


def stages(passes: list[Any]) -> Any:
    return ag.jit(lambda x: x * 3.0, passes=passes).experimental_get_compiler_ir(1.5)


@pytest.fixture
def registered() -> Iterator[list[Any]]:
    """What is registered in a test is taken out after it."""
    mine: list[Any] = []
    yield mine
    for each in mine:
        ag.plugins.unregister(each)


def test_a_pass_of_one_function() -> None:
    @ag.jit(passes=[double])
    def tripled(x):
        return x * 3.0

    @ag.function(passes=[double])
    def tensor(x):
        return x * 3.0

    assert tripled(1.5) == 3.0
    assert float(tensor(ag.constant(1.5))) == 3.0
    assert ag.jit(lambda x: x * 3.0)(1.5) == 4.5
    assert "arith.mulf" in tripled.experimental_get_compiler_ir(1.5)("hlo")
    assert "arith.mulf" not in tripled.experimental_get_compiler_ir(1.5)("optimized_hlo")
    place = f"{Path(__file__).name}:{double.__code__.co_firstlineno}"
    assert tripled.explain(1.5).passes == [f"double, at the begin in optimized_hlo ({place})"]
    assert "double, at the begin" in str(tripled.explain(1.5))
    assert float(ag.grad(tripled)(1.5)) == 3.0, "of what was recorded"
    with ag.GradientTape() as tape:
        tape.watch(x := ag.constant(1.5))
        y = tripled(x)
    assert (float(y), float(tape.gradient(y, x))) == (3.0, 3.0)


def rewrite(product: Any, rewriter: Any) -> bool:
    if product.name != "arith.mulf":
        return True
    x = product.operands[0]
    rewriter.replace_op(product, ag.plugins.mlir().Operation.create("arith.addf", [x.type], [x, x]))
    return False


SCHEDULE = """
module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(%m: !transform.any_op {transform.readonly}) {
    %0 = transform.structured.match ops{["linalg.generic"]} in %m
      : (!transform.any_op) -> !transform.any_op
    %1, %loop = transform.structured.tile_using_for %0 tile_sizes [7]
      : (!transform.any_op) -> (!transform.any_op, !transform.any_op)
    transform.yield
  }
}
"""


def test_every_kind_of_pass() -> None:
    assert "arith.addf" in stages([Patterns({"arith.mulf": rewrite})])("optimized_hlo")
    tiled = ag.jit(
        lambda x: x * 3.0 + 1.0,
        passes=[Pass(Schedule(SCHEDULE), name="tiles", stage="optimized_hlo", at="end")],
    )
    x = np.arange(20.0)
    assert "scf.for" in tiled.experimental_get_compiler_ir(x)("optimized_hlo")
    np.testing.assert_array_equal(tiled(x), x * 3 + 1)
    assert "f64_2" not in stages(["canonicalize,cse"])("optimized_hlo")
    needed = Pass(double, needs=("scf.while",))
    assert "arith.mulf" in stages([needed])("optimized_hlo")


def test_where_passes_go() -> None:
    seen: list[str] = []

    def noted(name: str, **where: Any) -> Pass:
        return Pass(lambda module: seen.append(name), name=name, effects=True, **where)

    def mark(name: str) -> Pass:
        return noted(name, after="first")

    passes = [
        noted("last", stage="optimized_hlo", at="end"),
        noted("second-last", before="reduce_division_strength"),
        noted("first"),
        mark("second"),
        noted("loops", stage="loops"),
        noted("between", before="canonicalize", stage="optimized_hlo"),
    ]
    stages(passes)("loops")
    assert seen == ["first", "second", "between", "second-last", "last", "loops"]


def test_what_shows_a_pass(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], registered: list[Any]
) -> None:
    """A pass of 12 lines in a user's file is in lists, dumps, timing and JSON."""
    plugin, program = tmp_path / "mine.py", tmp_path / "doubled.py"
    plugin.write_text(USER_FILE)
    program.write_text(PROGRAM)
    assert len(USER_FILE.splitlines()) <= 15
    registered.append("add-instead-of-doubling")

    def run(*more: str) -> str:
        given = [f"{program}:twice", "--args", "1.5", "--plugin", str(plugin), *more]
        assert dump_ir.main(given) == 0
        return capsys.readouterr().out

    shown = "add-instead-of-doubling, at the begin in optimized_hlo (mine.py:5, of the plugin"
    assert shown in run("--list-stages")
    assert "add-instead-of-doubling (" in run("--when", "changed", "--stage", "llvm")
    assert "add-instead-of-doubling " in run("--timing", "--stage", "llvm")
    assert '"name": "add-instead-of-doubling"' in run("--passes", "--json")
    assert "passes of plugins" in run("--explain")
    page = tmp_path / "page.html"
    run("--html", str(page))
    assert "add-instead-of-doubling" in page.read_text()
    assert run("--run", "--stage", "optimized_hlo").endswith("3.0\n")
    run("--all", "--to", str(tmp_path / "out"), "--passes")
    names = {path.name for path in (tmp_path / "out").iterdir()}
    assert "03.optimized_hlo.01.add-instead-of-doubling.mlir" in names
    with ag.config.scope(dump_dir=tmp_path / "dumps"):
        assert ag.jit(lambda x: x * 2.0)(1.5) == 3.0
    assert "addf" in next((tmp_path / "dumps").glob("*/03.*")).read_text()
    module = str(tmp_path / "out" / "02.hlo.mlir")
    done = subprocess.run(
        [*(sys.executable, "-m", "agir.tools.dump_ir", module, "--plugin", str(plugin)),
         *("--pass", "add-instead-of-doubling")],
        capture_output=True, text=True, timeout=120, cwd=tmp_path,
    )  # fmt: skip
    assert "arith.addf" in done.stdout, done.stderr


def factor_of(factor: float) -> Any:
    def replaced(module: Any) -> None:
        for each in walk(module):
            if each.name == "arith.constant":
                kind = each.results[0].type
                each.attributes["value"] = ag.plugins.mlir().FloatAttr.get(kind, factor)

    return replaced


def test_what_is_filed(tmp_path: Path) -> None:
    """Machine code is found again for the same pass, and for no other."""

    def misses(passes: list[Any], wanted: float) -> int:
        before = ag.cache.info().misses
        assert ag.jit(lambda x: x * 3.0, passes=passes)(1.5) == wanted
        return ag.cache.info().misses - before

    with ag.config.scope(cache=True, cache_dir=tmp_path / "code"):
        assert misses([], 4.5) == 1
        assert misses([double], 3.0) == 1
        assert misses([double], 3.0) == 0
        assert misses([factor_of(4.0)], 6.0) == 1
        assert misses([factor_of(4.0)], 6.0) == 0
        assert misses([factor_of(5.0)], 7.5) == 1
        assert misses([Pass(double, version="1")], 3.0) == 1
        assert misses([Pass(double, version="2")], 3.0) == 1
        effects = ag.jit(lambda x: x * 3.0, passes=[Pass(double, effects=True)])
        assert store.key(effects.get_concrete_function(1.5).compilation) is None


def test_a_registered_pass(registered: list[Any]) -> None:
    with pytest.raises(PluginError, match=r"no plugin has added a pass 'double'"):
        ag.plugins.unregister("double")
    ag.register(double)
    registered.append("double")
    assert ag.jit(lambda x: x * 3.0)(1.5) == 3.0
    assert "double, at the begin" in ag.plugins.describe()
    with pytest.raises(
        PluginError, match=r"'double' \(test_passes.py:\d+\) has the name of another"
    ):
        ag.register(Pass("cse", name="double"))
    ag.register(Pass("cse", name="double"), replace=True)
    assert ag.jit(lambda x: x * 3.0)(1.5) == 4.5


def test_pickling() -> None:
    copy = pickle.loads(pickle.dumps(Pass(double, after="cse", stage="loops")))
    assert copy == Pass(double, after="cse", stage="loops")
    function = ag.jit(lambda x: x * 3.0, passes=[factor_of(4.0)])
    assert cloudpickle.loads(cloudpickle.dumps(function))(1.5) == 6.0


def unwilling(module: Any) -> None:
    raise KeyError("nothing here")


def spoil(module: Any) -> None:
    """Have the function return what it does not say."""
    for each in walk(module):
        if each.name == "func.return":
            each.operation.attributes["oops"] = ag.plugins.mlir().UnitAttr.get()
            with before(each):
                made = ag.plugins.constant(ag.plugins.mlir().IndexType.get(), 1)
            each.operands[0] = made


@pytest.mark.parametrize(
    ("given", "error", "message"),
    [
        (unwilling, PluginError, r"'unwilling' \(test_passes.py:\d+\) raises KeyError at line \d+"),
        (spoil, PluginError, r"pass 'spoil' \(test_passes.py:\d+\) leaves a module that is not valid:"),
        ("canonicalise", PluginError, r"pass 'canonicalise' \(.*\) is no text of MLIR's passes: .*"),
        (Patterns({"arith.mulf": unwilling}), PluginError, r"'patterns' .* raises TypeError"),
        (Schedule("module {}"), PluginError, r"raises ValueError: there is no transform"),
        (Schedule("modul"), PluginError, r"the pass 'schedule' \(.*\) fails: "),
        (Pass(double, stage="hllo"), PluginError, r"'hllo' is no stage with passes"),
        (Pass(double, after="cse"), PluginError, r"pass 'cse' in the stages .* say which with stage="),
        (Pass(double, after="fuse-sweep"), PluginError, r"did you mean fuse-sweeps\?"),
        (3, OperandTypeError, r"a pass is a function of the module, .* not 3\n  at .*test_passes"),
    ],
)  # fmt: skip
def test_what_goes_wrong(given: Any, error: type[Exception], message: str) -> None:
    with pytest.raises(error, match=message):
        stages([given])("bufferized")


def test_what_is_refused() -> None:
    with pytest.raises(OperandValueError, match="'double': give one of before="):
        Pass(double, before="cse", at="end")
    with pytest.raises(OperandValueError, match="at= is 'begin' or 'end'"):
        Pass(double, at="middle")
    with pytest.raises(OperandTypeError, match="passes= is a list of passes"):
        ag.jit(abs, passes="cse")
    with pytest.raises(OperandValueError, match="jit_compile=False interprets"):
        ag.jit(lambda x: x, passes=["cse"], jit_compile=False)
    with pytest.raises(OperandTypeError, match=r"register\(\) takes Pass, "):
        ag.register(3)


CRASH = """\
import os, tempfile
import agir as ag

tempfile.tempdir = os.getcwd()
ag.jit(lambda x: x * 3.0, passes=[lambda module: os.abort()])(1.5)
"""


def test_a_pass_that_crashes_leaves_the_program(tmp_path: Path) -> None:
    (tmp_path / "crash.py").write_text(CRASH)
    done = subprocess.run(
        [sys.executable, "crash.py"], cwd=tmp_path, capture_output=True, timeout=120
    )
    assert done.returncode < 0
    (left,) = tmp_path.glob("agir-before-*.mlir")
    assert "arith.mulf" in left.read_text()
