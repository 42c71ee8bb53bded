"""Random programs of a hundred lines, nested deeply: compiled in seconds, and right."""

import sys
from pathlib import Path

import pytest

sys.path.insert(0, str(Path(__file__).parent))
try:
    from deep_programs import Writer, checked
finally:
    sys.path.pop(0)


def test_programs_are_of_at_most_a_hundred_lines():
    assert max(len(Writer(seed).program().splitlines()) for seed in range(300)) <= 110


@pytest.mark.parametrize("seed", range(8))
def test_a_program_is_compiled_in_seconds(seed):
    found = checked(seed)
    assert found["result"] in ("same", "refused")
    assert found["seconds"] < 10  # half of that where nothing else runs
