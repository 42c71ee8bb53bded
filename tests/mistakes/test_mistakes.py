"""What agir says of typical mistakes, held against a file that people read."""

import importlib.util
import pathlib
import re
import sys

import pytest

_PATH = pathlib.Path(__file__).with_name("mistakes.py")
_SPEC = importlib.util.spec_from_file_location("agir_mistakes", _PATH)
mistakes = sys.modules[_SPEC.name] = importlib.util.module_from_spec(_SPEC)
_SPEC.loader.exec_module(mistakes)

ENTRIES = dict(
    re.findall(r"## (\w+): [^\n]*\n(.*?)\n(?=\n## |\Z)", mistakes.GOLDEN.read_text(), re.DOTALL)
)
OUTSIDE = {"eager_tensor_is_assigned_to"}
"""Mistakes outside of any call, whose line the traceback shows."""


@pytest.mark.parametrize("name", mistakes.MISTAKES)
def test_message(name):
    assert mistakes.message(mistakes.MISTAKES[name]) == ENTRIES[name].rstrip("\n")


def test_every_message_names_the_line():
    assert set(ENTRIES) == set(mistakes.MISTAKES)
    assert len(ENTRIES) >= 30
    without = {name for name, text in ENTRIES.items() if "at mistakes.py:" not in text}
    assert without == OUTSIDE
