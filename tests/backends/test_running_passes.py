"""Which passes of a stage run: those for what is in the module when it is their turn."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest

from agir.backends.mlir import passes
from agir.backends.mlir.modules import find
from agir.backends.mlir.passes import Only, PassReport
from agir.ir.building import bindings

SUM = """
func.func @f(%x: memref<4xf64>, %y: memref<4xf64>) {
  linalg.generic {indexing_maps = [affine_map<(i) -> (i)>, affine_map<(i) -> (i)>],
                  iterator_types = ["parallel"]} ins(%x : memref<4xf64>) outs(%y : memref<4xf64>) {
  ^bb0(%a: f64, %b: f64):
    %c = arith.addf %a, %b : f64
    linalg.yield %c : f64
  }
  return
}
"""
TO_LOOPS, TO_BRANCHES = "convert-linalg-to-loops", "convert-scf-to-cf"
LOOP = ("scf.for",)


@pytest.fixture
def module() -> Iterator[Any]:
    with bindings.context():
        yield bindings.ir.Module.parse(SUM)


class Pass:
    """A pass that only notes how many loops there are when it runs."""

    __name__ = "look"

    def __init__(self) -> None:
        self.loops: list[int] = []

    def __call__(self, module: Any) -> None:
        self.loops.append(len(find(module, *LOOP)))


def make_loops(module: Any) -> None:
    """A pass of ours that makes the first loop."""
    passes.apply(module, TO_LOOPS)


@pytest.fixture(params=[False, True], ids=["unwatched", "watched"])
def observer(request: pytest.FixtureRequest) -> Any:
    def note(report: PassReport) -> None:
        assert report.stage == "loops"

    return note if request.param else None


@pytest.mark.parametrize("maker", [make_loops, TO_LOOPS, Only(("linalg.generic",), TO_LOOPS)])
def test_a_pass_for_what_another_one_has_made(module, observer, maker):
    seen, inside, before = Pass(), Pass(), Pass()
    rows = (Only(LOOP, before), maker, Only(LOOP, seen), Only(("func",), Only(LOOP, inside)))
    passes.run(module, "loops", rows, observer)
    assert (before.loops, seen.loops, inside.loops) == ([], [1], [1])


def test_what_was_there_counts_though_it_is_gone(module, observer):
    seen, instead = Pass(), Pass()
    passes.run(module, "loops", (TO_LOOPS,), observer)
    rows = (TO_BRANCHES, Only(LOOP, seen), Only(("scf.while",), seen, otherwise=instead))
    passes.run(module, "loops", rows, observer)
    assert (seen.loops, instead.loops) == ([0], [0])


def test_a_fragment_that_waits_is_run_by_the_end(module):
    passes.run(module, "loops", ("cse", TO_LOOPS, TO_BRANCHES), None)
    assert not find(module, "linalg.generic", *LOOP)


def test_the_module_is_looked_at_only_where_that_can_matter(module, monkeypatch):
    looks: list[Any] = []
    monkeypatch.setattr(passes, "walk", lambda module: looks.append(module) or [])
    skipped = Only(LOOP, Pass()), Only(("scf.while",), Pass())
    passes.run(module, "loops", skipped, None)
    assert len(looks) == 1  # when it begins
    passes.run(module, "loops", ("cse", *skipped, Only(("bf16",), Pass()), "cse"), None)
    assert len(looks) == 3  # and once for both that were left out
