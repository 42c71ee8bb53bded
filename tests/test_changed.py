"""Which tests a change concerns."""

from __future__ import annotations

from pathlib import Path

import pytest

from . import changed


@pytest.mark.parametrize(
    ("file", "test"),
    [
        ("backends/cpu/passes/reductions/scans.py", "backends/cpu/reductions/test_scans.py"),
        ("backends/cpu/passes/tensors/sinking.py", "backends/cpu/tensors/test_dots.py"),
        ("tests/backends/cpu/filecheck/call-team.mlir", "backends/cpu/test_pass_examples.py"),
        ("ir/ops/elementwise/mathematics.py", "ir/ops/test_elementwise.py"),
        ("ir/ops/elementwise/mathematics.py", "ir/ops/test_table.py"),
        ("ir/staging.py", "ir/test_random_programs.py"),
        ("tests/ir/values/test_lists.py", "ir/values/test_lists.py"),
        ("docs/jit.md", "test_documents.py"),
        ("tests/import_graph.py", "test_layers.py"),
        ("runtime/calling/passing.py", "runtime/calling/test_machine_calls.py"),
    ],
)
def test_the_tests_of_a_file(file: str, test: str) -> None:
    found = changed.concerned([changed.ROOT / file])
    assert changed.TESTS / test in found
    assert all(path.exists() for path in found)


def test_what_has_changed_is_there() -> None:
    assert all(isinstance(path, Path) and path.exists() for path in changed.changed("HEAD"))
