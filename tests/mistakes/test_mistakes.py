"""What agir says of typical mistakes, held against a file that people read."""

import importlib.util
import pathlib
import re
import sys
import warnings

import numpy as np
import pytest

import agir as ag

sys.path.insert(0, str(pathlib.Path(__file__).parent))

import wrong

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


def internal_names():
    """The classes of agir that users do not know: those that no public module shows."""
    found = set()
    for name, module in list(sys.modules.items()):
        if name.startswith(("agir.ir", "agir.autograph", "agir.backends", "agir.runtime")):
            classes = [each for each in vars(module).values() if isinstance(each, type)]
            found |= {each.__name__ for each in classes if each.__module__ == name}
    public = {*dir(ag), *dir(ag.errors), *dir(ag.types)}
    words = {name for name in found - public if re.fullmatch(r"[A-Z]\w*[a-z][A-Z]\w*", name)}
    return words | {"SymbolicTensor", "TracedList", "OneOf", "ag__"}


def test_no_message_names_what_only_we_know():
    words = "|".join(sorted(internal_names()))
    for name, text in ENTRIES.items():
        assert not re.search(rf"\b({words})\b", text), name


@pytest.mark.parametrize("decorator", [ag.jit, ag.function])
@pytest.mark.parametrize("name", [n for n in dir(wrong) if n.startswith("f_")])
def test_what_python_says_names_no_class_of_ours(decorator, name):
    function = getattr(wrong, name)
    count = function.__code__.co_argcount
    given = (np.arange(6.0), 2, np.ones((2, 3)))[:count]
    decorated = decorator(function, jit_compile=False)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        with pytest.raises(Exception) as raised:  # noqa: PT011 - each has its own
            decorated(*given)
    words = "|".join(sorted(internal_names()))
    assert not re.search(rf"\b({words})\b", str(raised.value))
    assert " object at 0x" not in str(raised.value)
