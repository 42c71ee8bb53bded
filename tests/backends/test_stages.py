"""The stage table: every stage from every other one, and what is said when that is impossible."""

from __future__ import annotations

import re
from itertools import pairwise

import numpy as np
import pytest

from agir.backends.cpu.engine import Executable
from agir.backends.stages import STAGES, Compilation, find
from agir.errors import LoweringError, StageError
from agir.ir.building import bindings

TEXT = """
func.func @f(%x: tensor<?xf64>, %s: f64) -> (tensor<?xf64>, f64) {
  %zero = arith.constant 0 : index
  %n = tensor.dim %x, %zero : tensor<?xf64>
  %b = tensor.splat %s[%n] : tensor<?xf64>
  %r = arith.mulf %x, %b : tensor<?xf64>
  %e = math.exp %r : tensor<?xf64>
  %y = math.cbrt %s : f64
  return %e, %y : tensor<?xf64>, f64
}"""

LOWERED = ["optimized_hlo", "bufferized", "loops", "llvm"]
X = np.arange(4.0)


def check(compilation):
    result, root = Executable(compilation, "f")([X, 0.5])
    np.testing.assert_allclose(result, np.exp(X * 0.5))
    assert root == np.cbrt(0.5)


@pytest.fixture(scope="module")
def compilation():
    return Compilation.from_text(TEXT, "hlo")


def test_order_and_sources():
    assert list(STAGES)[:9] == [
        *("autograph", "hlo", *LOWERED),
        *("llvm_ir", "asm", "object"),
    ]
    for stage in STAGES.values():
        assert stage.summary
        assert stage.source is None or stage.source in STAGES
        assert (stage.make is None) == (stage.name in ("autograph", "hlo"))


@pytest.mark.parametrize(
    "name", [name for name in STAGES if name not in ("autograph", "stablehlo")]
)
def test_every_stage_has_a_text(compilation, name):
    text = compilation.text(name)
    assert text
    assert isinstance(text, bytes) == (name == "object" or name.endswith("serialized"))


@pytest.mark.parametrize("name", ["hlo", *LOWERED, "hlo_serialized", "optimized_hlo_serialized"])
def test_resuming(compilation, name):
    resumed = Compilation.from_text(compilation.text(name), name)
    check(resumed)
    assert "malloc" in resumed.text("asm")


def test_an_edited_stage_is_what_runs(compilation):
    edited = compilation.text("loops").replace("math.exp", "math.sqrt")
    result, _ = Executable(Compilation.from_text(edited, "loops"), "f")([X, 0.5])
    np.testing.assert_allclose(result, np.sqrt(X * 0.5))


@pytest.mark.parametrize("name", ["autograph", "llvm_ir", "asm", "object", "optimized_hlo_dot"])
def test_what_cannot_be_read_back(name):
    with pytest.raises(StageError, match=f"cannot resume from '{name}'"):
        Compilation.from_text("", name)


def test_unknown_names():
    with pytest.raises(ValueError, match=r"no stage 'hl0'; the stages are autograph, hlo, "):
        find("hl0")
    with pytest.raises(ValueError, match="no stage"):
        Compilation.from_text(TEXT, "hl0")


def test_earlier_stages_cannot_be_made(compilation):
    later = Compilation.from_text(compilation.text("loops"), "loops")
    with pytest.raises(StageError, match="'optimized_hlo' cannot be made from loops"):
        later.get("optimized_hlo")


def test_text_that_does_not_parse():
    with pytest.raises(StageError, match=r"line 2: .*undeclared"):
        Compilation.from_text("func.func @f() -> f64 {\n  return %x : f64\n}", "hlo")


def test_later_stages_leave_earlier_ones_alone():
    compilation = Compilation.from_text(TEXT, "hlo")
    before = {name: compilation.text(name) for name in ("hlo", "optimized_hlo")}
    compilation.get("asm")
    assert before == {name: compilation.text(name) for name in before}


def test_put():
    compilation = Compilation.from_text(TEXT, "hlo")
    compilation.put("autograph", "def f(x): ...")
    assert compilation.text("autograph") == "def f(x): ..."


def test_values_are_named_after_variables_and_lines_are_shown_on_demand():
    text = TEXT.replace(
        "%r = arith.mulf %x, %b : tensor<?xf64>",
        '%r = arith.mulf %x, %b : tensor<?xf64> loc("scaled"("user.py":7:3))',
    )
    compilation = Compilation.from_text(text, "hlo")
    assert "%scaled = arith.mulf" in compilation.text("hlo")
    assert "user.py" not in compilation.text("hlo")
    assert '"user.py":7:3' in compilation.text("hlo", locations=True)


def test_large_constants_can_be_left_out():
    numbers = ", ".join(f"{i}.0" for i in range(500))
    compilation = Compilation.from_text(
        f"func.func @f() -> tensor<500xf64> {{\n"
        f"  %c = arith.constant dense<[{numbers}]> : tensor<500xf64>\n"
        f"  return %c : tensor<500xf64>\n}}",
        "hlo",
    )
    assert len(compilation.text("hlo", elide=16)) < 300
    np.testing.assert_array_equal(Executable(compilation, "f")([])[0], np.arange(500.0))


def test_leftovers_are_errors_with_the_users_line():
    text = """
    func.func @f(%x: tensor<2xf64>) -> tensor<2xf32> {
      %r = tensor.bitcast %x : tensor<2xf64> to tensor<2xi64> loc("user.py":12:1)
      %s = arith.sitofp %r : tensor<2xi64> to tensor<2xf32>
      return %s : tensor<2xf32>
    }"""
    with pytest.raises(LoweringError, match=r"'bufferized': user.py:12: op was not bufferized"):
        Compilation.from_text(text, "hlo").get("llvm")
    text = """
    func.func @f(%x: f32) -> f32 {
      %r = arith.flush_denormals %x : f32 loc(callsite("a.py":3:1 at "b.py":4:1))
      return %r : f32
    }"""
    with pytest.raises(LoweringError, match=r"flush_denormals \(a.py:3, called from b.py:4\)"):
        Compilation.from_text(text, "hlo").get("llvm")


def test_missing_symbols_are_named(capfd):
    text = """
    func.func private @no_such_function(f64) -> f64
    func.func @f(%x: f64) -> f64 {
      %r = func.call @no_such_function(%x) : (f64) -> f64
      return %r : f64
    }"""
    with pytest.raises(LoweringError, match="no symbol no_such_function"):
        Executable(Compilation.from_text(text, "hlo"), "f")
    capfd.readouterr()


def test_missing_function(compilation):
    with pytest.raises(StageError, match="no function 'g'"):
        Executable(compilation, "g")


def test_observer():
    seen = []

    def observe(report):
        seen.append((report.stage, report.name, report.operations, report.changed, report.text()))
        assert report.seconds > 0

    compilation = Compilation.from_text(TEXT, "hlo", observe)
    check(compilation)
    assert list(dict.fromkeys(stage for stage, *_ in seen)) == LOWERED
    passes = [name for _, name, *_ in seen]
    assert "canonicalize" in passes
    assert "generalize-simple-operations" in passes
    for (*_, before), (_, _, _, changed, after) in pairwise(seen):
        assert changed == (before != after)
    for (_, _, sizes, _, _), (_, _, following, _, _) in pairwise(seen):
        assert sizes[1] == following[0]


def test_the_graph(compilation):
    text = compilation.text("optimized_hlo_dot")
    assert text.startswith("digraph")
    assert text.count("{") == text.count("}")
    assert "<b>linalg.generic</b><br/>tensor&lt;?xf64&gt;<br/><i>arith.mulf, math.exp</i>" in text
    nodes = set(re.findall(r"^ *(n\d+) \[", text, re.MULTILINE))
    ends = re.findall(r"^ *(n\d+) -> (n\d+);", text, re.MULTILINE)
    assert ends
    assert {end for edge in ends for end in edge} <= nodes


def test_the_assembly(compilation):
    text = compilation.text("asm")
    assert "\nf:\n" in text
    assert re.search(r"# .*\bmalloc\b", text)
    for label in re.findall(r"\s(\.L\d+)$", text, re.MULTILINE):
        assert f"\n{label}:" in text


def test_modules_are_taken_as_they_are():
    with bindings.context():
        module = bindings.ir.Module.parse(TEXT)
    before = str(module)
    check(Compilation.from_module(module))
    assert str(module) == before
