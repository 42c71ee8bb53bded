"""Functions of installed packages: what is converted of them, and what stays as it is."""

from __future__ import annotations

import functools
import importlib
import sys
import textwrap
from collections.abc import Iterator
from pathlib import Path
from types import ModuleType

import numpy as np
import pytest

import agir as ag
from agir.autograph import libraries

FILES = {
    "__init__.py": "from .rules import Scale, clipped, noted, square",
    "helpers.py": """
        def positive(value):
            return value if value > 0 else -value
    """,
    "rules.py": """
        from . import helpers

        def clipped(x, n):
            for i in range(n):
                if x[0] > i:
                    x[0] -= helpers.positive(x[1])
            return x.sum()

        def square(value):
            return value * value if value > 0 else value

        def noted(value):
            return "a run-time value" if type(value) is not float else "a float"

        class Scale:
            def __init__(self, factor):
                self.factor = factor

            def by(self, value):
                return value * self.factor if value > 0 else value

            def __call__(self, value):
                return self.by(value)
    """,
}
"""A package of NumPy's kind, in which nothing is agir's."""


@pytest.fixture
def package(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[ModuleType]:
    folder = tmp_path / "site-packages" / "plain_rules"
    folder.mkdir(parents=True)
    for name, text in FILES.items():
        (folder / name).write_text(textwrap.dedent(text))
    monkeypatch.syspath_prepend(str(folder.parent))
    monkeypatch.setattr(libraries, "_adopted", set())
    yield importlib.import_module("plain_rules")
    for name in [name for name in sys.modules if name.partition(".")[0] == "plain_rules"]:
        del sys.modules[name]


def test_a_decorated_function_is_converted_and_what_it_calls(package):
    expected, found = np.array([9.0, -2.0]), np.array([9.0, -2.0])
    assert ag.jit(package.clipped)(found, 5) == package.clipped(expected, 5)
    np.testing.assert_array_equal(found, expected)


@pytest.mark.parametrize(
    "handed",
    [
        lambda package: package.square,
        lambda package: functools.partial(package.square),
        lambda package: package.Scale(2.0),
        lambda package: package.Scale(2.0).by,
    ],
)
def test_whatever_is_called_is_looked_into(package, handed):
    function = handed(package)
    for value in (3.0, -3.0):
        assert ag.jit(function)(value) == function(value)


def test_a_function_that_is_differentiated_or_converted(package):
    assert ag.grad(package.square)(ag.constant(3.0)).numpy() == 6.0
    assert ag.autograph.convert(package.square)(3.0) == 9.0
    assert ag.autograph.is_converted(ag.autograph.convert(package.square))


def test_a_package_that_agir_is_handed_nothing_of_stays_as_it_is(package):
    asks = ag.jit(lambda value: package.square(value))
    with pytest.raises(ag.errors.OperatorNotAllowedInGraphError):
        asks(3.0)
    ag.jit(package.noted)  # is one of that package's
    assert asks(3.0) == 9.0


def test_without_conversion_nothing_is_handed_over(package):
    ag.function(package.square, autograph=False)
    assert not libraries._adopted
    ag.function(package.square)
    assert libraries._adopted == {"plain_rules"}


@pytest.mark.parametrize("function", [textwrap.dedent, np.trace, np.vectorize, ag.nn.relu])
def test_pythons_library_numpy_and_agir_stay_as_they_are(function):
    before = set(libraries._adopted)
    ag.jit(function)
    assert ag.autograph.convert(function) is function
    assert libraries._adopted == before
