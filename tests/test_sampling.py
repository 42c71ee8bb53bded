"""The sample of tests with many cases."""

from __future__ import annotations

import json

import pytest

from . import sampling


@pytest.mark.parametrize(
    ("count", "seconds", "wanted"),
    [
        (1, 90, 1),
        (2, 90, 2),
        (99, 0.2, 99),
        (100, 2, 10),
        (100, 90, 2),
        (99, 3000, 1),
        (7, 0.35, 4),
    ],
)
def test_how_many_run(count: int, seconds: float, wanted: int) -> None:
    assert sampling.wanted_of(count, seconds) == wanted


def test_the_sample_is_spread_and_always_the_same(
    monkeypatch: pytest.MonkeyPatch, tmp_path
) -> None:
    table = tmp_path / "durations.json"
    table.write_text(json.dumps({"tests/a.py::long": 2.0, "tests/a.py::slow": 400.0}))
    monkeypatch.setattr(sampling, "TABLE", table)
    cases = [f"tests/a.py::{name}[{n}]" for name in ("long", "slow") for n in range(100)]
    cases += ["tests/a.py::short[0]"]
    out = list(sampling.left_out(cases))
    assert out == list(sampling.left_out(cases))
    assert [case for case in cases if case not in out] == [
        *(f"tests/a.py::long[{n}]" for n in range(0, 100, 10)),
        "tests/a.py::slow[50]",
        "tests/a.py::short[0]",
    ]


def test_what_takes_long_is_a_test_that_is_there(root) -> None:
    names = json.loads(sampling.TABLE.read_text())
    assert names
    for name in names:
        file, _, test = name.partition("::")
        assert f"def {test.rpartition('::')[2]}(" in (root / file).read_text(), name
