"""Each pass is checked by interpreting the program after it; mistakes are found where they are made."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import agir as ag
from agir.backends import validation
from agir.backends.cpu import pipelines
from agir.backends.reference import Interpreter
from agir.backends.stages import Compilation
from agir.errors import InternalError
from agir.ir.building import bindings
from agir.tools import dump_ir

from .broken import broken
from .programs import recurrence, searching, values

ADDITION = """func.func @f(%a: tensor<4xf64>, %n: i64) -> (tensor<4xf64>, i64) {
  %x = arith.sitofp %n : i64 to f64
  %s = tensor.splat %x : tensor<4xf64>
  %r = arith.addf %a, %s : tensor<4xf64>
  %t = arith.constant 3 : i64
  %q = arith.remsi %n, %t : i64
  return %r, %q : tensor<4xf64>, i64
}"""


def program() -> Compilation:
    return Compilation.from_text(ADDITION, "hlo")


@pytest.mark.parametrize("each", [recurrence, searching], ids=lambda each: each.__name__)
def test_the_passes_of_a_program_keep_what_a_call_gives(each: Any) -> None:
    arguments, own = values(each), values(each)
    expected = each(*arguments)
    with ag.config.scope(backend="validated", cache=False), validation.collecting() as found:
        result = ag.jit(each)(*own)
    (checked,) = found
    assert checked.finding is None
    stages = {stage for stage, _ in checked.checked}
    assert stages == {"optimized_hlo", "bufferized", "loops", "llvm"}
    assert len(checked.checked) >= 20
    for one, other in zip(result, expected, strict=True):
        np.testing.assert_allclose(one, other)


def test_a_pass_that_changes_what_a_call_gives_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    passes, dialects = pipelines.PIPELINES["loops"]
    monkeypatch.setitem(pipelines.PIPELINES, "loops", ((*passes, broken), dialects))
    found = validation.validate(program(), "f", [np.arange(4.0), np.int64(5)])
    assert found.finding is not None
    assert (found.finding.stage, found.finding.name) == ("loops", "broken")
    assert found.finding.difference == (
        "result 0 at [0] is np.float64(0.0), in place of np.float64(5.0)"
    )
    assert "arith.addf" in found.finding.before
    assert "arith.addf" not in found.finding.after

    @ag.jit
    def add(a: Any, n: int) -> Any:
        return a + n

    with (
        ag.config.scope(validate=True, cache=False),
        pytest.raises(InternalError, match="after the pass 'broken', on the way to 'loops'"),
    ):
        add(np.arange(4.0), 5)


def test_what_is_undefined_after_a_pass_is_its_mistake(monkeypatch: pytest.MonkeyPatch) -> None:
    def forget(given: Any) -> None:
        from agir.backends.mlir.modules import find

        for each in find(given, "arith.constant"):
            if str(each.attributes["value"]).startswith("3 "):
                zero = bindings.ir.IntegerAttr.get(each.results[0].type, 0)
                each.attributes["value"] = zero

    passes, dialects = pipelines.PIPELINES["optimized_hlo"]
    monkeypatch.setitem(pipelines.PIPELINES, "optimized_hlo", ((*passes, forget), dialects))
    finding = validation.validate(program(), "f", [np.arange(4.0), np.int64(5)]).finding
    assert finding is not None
    assert finding.name == "forget"
    assert finding.difference.startswith("undefined: ")


def test_a_pass_that_raises_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    def raising(given: Any) -> None:
        raise KeyError("nothing")

    passes, dialects = pipelines.PIPELINES["bufferized"]
    monkeypatch.setitem(pipelines.PIPELINES, "bufferized", ((*passes, raising), dialects))
    finding = validation.validate(program(), "f", [np.arange(4.0), np.int64(5)]).finding
    assert str(finding) == (
        "the pass 'raising', on the way to 'bufferized', raises KeyError: 'nothing'"
    )


def test_a_module_of_any_stage_is_validated(monkeypatch: pytest.MonkeyPatch) -> None:
    passes, dialects = pipelines.PIPELINES["llvm"]
    monkeypatch.setitem(pipelines.PIPELINES, "llvm", ((broken, *passes), dialects))
    begun = Compilation.from_text(program().text("loops"), "loops")
    given = [np.arange(4.0), np.int64(5), np.zeros(4)]
    count = len(Interpreter(begun.get("loops")).function("f").inputs)
    finding = validation.validate(begun, "f", given[:count], origin="loops").finding
    assert finding is not None
    assert (finding.stage, finding.name) == ("llvm", "broken")


def test_on_the_command_line(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    file = tmp_path / "adding.py"
    file.write_text("def add(a, n):\n    a += n\n    return a.sum() % 3\n")
    arguments = [f"{file}:add", "--args", "np.arange(4.0), 5", "--validate"]
    assert dump_ir.main([*arguments, "--json"]) == 0
    (found,) = json.loads(capsys.readouterr().out)["validations"]
    assert found["finding"] is None
    assert ["bufferized", "empty-tensor-to-alloc-tensor"] in found["checked"]


def test_mistakes_in_passes_are_pinned_to_them() -> None:
    mutants = Path(__file__).with_name("mutants.py")
    command = [sys.executable, mutants, "--pass", "split-argmin-argmax", "--changing", "2"]
    done = subprocess.run([*command, "--program", "best"], capture_output=True, text=True)
    assert "'pinned': 2}" in done.stdout.splitlines()[-1], done.stdout + done.stderr
