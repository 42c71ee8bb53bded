"""The benchmarks run and report; what they measure is nobody's business here."""

from __future__ import annotations

import importlib
import json
import math
import subprocess
import sys
import types
from pathlib import Path
from typing import Any

import pytest

ROOT = Path(__file__).resolve().parents[2]


@pytest.fixture
def harness(monkeypatch: pytest.MonkeyPatch) -> types.ModuleType:
    monkeypatch.syspath_prepend(ROOT)
    return importlib.import_module("benchmarks.harness")


def run(*arguments: str) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, "-m", "benchmarks", *arguments]
    return subprocess.run(command, cwd=ROOT, capture_output=True, text=True, timeout=300)


def test_interleaved_rounds_and_ratios(
    harness: types.ModuleType, monkeypatch: pytest.MonkeyPatch
) -> None:
    now = 0.0
    order: list[str] = []

    def contender(name: str, cost: float, **more: Any) -> Any:
        def work(*_: Any) -> str:
            nonlocal now
            now += cost
            order.append(name)
            return name

        return harness.Contender(name, work, **more)

    monkeypatch.setattr(harness.time, "perf_counter", lambda: now)
    checked: list[str] = []
    rows = harness.measure(
        "sleeping",
        [
            contender("agir", 2.0, check=checked.append),
            contender("C", 4.0),
            contender("Python", 3.0, share=0.1, calls=5),
        ],
        rounds=3,
        reference="C",
        aim=1.2,
    )
    assert checked == ["agir"]
    first, *rounds = ["".join(order[i : i + 3]) for i in range(0, 12, 3)]
    assert first == "agirCPython"
    assert rounds == ["agirCPython", "CPythonagir", "PythonagirC"]
    assert [row.ratio for row in rows] == [0.5, 1.0, pytest.approx(1.5)]
    assert [row.median for row in rows] == [2.0, 4.0, pytest.approx(6.0)]
    assert [row.first for row in rows] == [2.0, 4.0, None]
    assert rows[0].aim == 1.2
    text = harness.table(rows)
    assert "<= 1.2" in text
    assert "measured on 1/10" in text


@pytest.mark.parametrize(
    ("value", "text"),
    [
        (None, ""),
        (12.3456, "12.3 s "),
        (0.0123456, "12.3 ms"),
        (1.5e-6, "1.50 us"),
        (2e-10, "0.20 ns"),
    ],
)
def test_times_for_reading(harness: types.ModuleType, value: float | None, text: str) -> None:
    assert harness.seconds(value) == text


def test_json_of_a_benchmark() -> None:
    done = run("compile_time", "--rounds", "1", "--json")
    assert done.returncode == 0, done.stderr
    report = json.loads(done.stdout)
    assert report["machine"]["cpus"] > 0
    rows = {(row["benchmark"], row["contender"]): row for row in report["rows"]}
    assert ("the parts", "trace") in rows
    assert all(math.isfinite(row["median"]) and row["median"] > 0 for row in rows.values())


def test_a_benchmark_that_does_not_exist() -> None:
    done = run("sorting")
    assert done.returncode == 2
    assert "no benchmark sorting" in done.stderr


def test_only_whole_benchmarks_are_written() -> None:
    done = run("kernels.spmv", "--write")
    assert done.returncode == 2
    assert "--write takes whole benchmarks" in done.stderr


def test_blocks_that_were_not_measured_stay_unless_the_machine_is_another(
    harness: types.ModuleType, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    results = importlib.import_module("benchmarks.results")
    monkeypatch.setattr(results, "DOCUMENT", tmp_path / "results.md")
    monkeypatch.setattr(results, "machine", lambda: {"cpus": 2})
    results.write([], {"calls": "first table", "state": "second table"}, "first command")
    results.write([], {"calls": "third table"}, "second command")
    text = results.DOCUMENT.read_text()
    assert text.index("## calls") < text.index("second command") < text.index("third table")
    assert text.index("## state") < text.index("first command") < text.index("second table")
    assert "first table" not in text
    monkeypatch.setattr(results, "machine", lambda: {"cpus": 2, "torch": "2.0"})  # one library more
    results.write([], {"calls": "third table"}, "second command")
    assert "| torch | 2.0 |" in results.DOCUMENT.read_text()
    assert "second table" in results.DOCUMENT.read_text()
    monkeypatch.setattr(results, "machine", lambda: {"cpus": 3})
    results.write([], {"calls": "fourth table"}, "third command")
    assert "## state" not in results.DOCUMENT.read_text()
