"""The public surface: what is on it, and what its documentation says.

Every public name has an example, which is run.  A function on tensors says ``Shapes``, ``Dtypes``
and ``Raises``, which are compared with what it does; ``Source`` where it has one.
"""

from __future__ import annotations

import builtins
import doctest
import importlib
import inspect
import pkgutil
import re
import sys
import textwrap
import types
from typing import Any

import numpy as np
import pytest

import agir as ag

from . import doc_facts, public_names
from .public_names import Name

DOCUMENTED = public_names.documented()
OPERATIONS = public_names.operations()

NAMESPACES = {
    "autograph", "autograph.experimental", "bitwise", "cache", "debugging", "dtypes", "errors",
    "linalg", "math", "nest", "nn", "numpy", "numpy.fft", "numpy.linalg", "plugins", "random",
    "types",
}  # fmt: skip

PROSE = {
    "bitcast", "cast", "clip", "clip_by_value", "einsum", "identity_n", "in_top_k", "meshgrid",
    "polyval", "saturate_cast", "shape_n", "unravel_index", "where",
}  # fmt: skip
"""Operations whose dtypes do not follow from one operand's: they are told in words."""


def of(names: list[Name]) -> Any:
    return pytest.mark.parametrize("name", names, ids=[name.path for name in names])


def test_the_modules() -> None:
    assert {path[1:] for path, _ in public_names.modules()} == {"", *NAMESPACES}


def test_classes_show_their_parameters() -> None:
    classes = [name for name in DOCUMENTED if isinstance(name.value, type)]
    plain = [name for name in classes if not getattr(name.value, "_is_protocol", False)]
    assert len(plain) > 20
    assert not [n.path for n in plain if str(inspect.signature(n.value)) == "(*args, **kwargs)"]


def test_no_table_has_a_name_of_another_one() -> None:
    names = [*ag._HERE, *ag._MODULES]
    for table in ag._TABLES:
        names += importlib.import_module(f"agir.{table}").__all__
    assert sorted(names) == sorted({*names})


def test_no_module_takes_the_place_of_a_public_name() -> None:
    """What imports `agir.name` binds it, and a name that is bound is not looked for any more."""
    modules = {each.name for each in pkgutil.iter_modules(ag.__path__)}
    assert modules & {*ag.__all__} <= {*ag._HERE, *ag._MODULES}


@pytest.mark.parametrize("path", ["", *sorted(NAMESPACES)])
def test_a_module_shows_what_is_public_and_nothing_else(path: str) -> None:
    module = dict(public_names.modules())[f".{path}" if path else ""]
    shown = [name for name in dir(module) if name != "__version__"]
    assert sorted(shown) == sorted(set(module.__all__))
    for name in shown:
        value = getattr(module, name)
        assert name[0] != "_"
        home = value.__name__ if isinstance(value, types.ModuleType) else _home(value)
        assert home == "agir" or home.startswith("agir."), f"{name} is {value!r}"


def _home(value: Any) -> str:
    """The module that a function or class is defined in; others are values of agir's."""
    kinds = (type, types.FunctionType, types.BuiltinFunctionType)
    return str(value.__module__) if isinstance(value, kinds) else "agir"


def test_the_program_for_the_type_checker_uses_the_names() -> None:
    program = public_names.program().split()
    assert {"ag.matmul", "ag.float32", "ag.linalg.inv", "ag.errors.AgirError"} <= {*program}


@of(DOCUMENTED)
def test_a_name_has_documentation_with_an_example(name: Name) -> None:
    documentation = name.documentation
    assert documentation.partition("\n")[0].strip()
    assert doctest.DocTestParser().get_examples(documentation), "there is no example"


@of(DOCUMENTED)
def test_the_examples(name: Name, monkeypatch: pytest.MonkeyPatch) -> None:
    """What stands in an example is what Python prints."""
    monkeypatch.setattr(ag.random, "set_global_generator", lambda generator: None)
    names = {"ag": ag, "np": np, "sys": sys, "textwrap": textwrap, "__name__": "example"}
    test = doctest.DocTestParser().get_doctest(name.documentation, names, name.path, None, 0)
    said: list[str] = []
    runner = doctest.DocTestRunner(verbose=False)
    runner.run(test, out=said.append)
    assert not runner.failures, "".join(said)


@of(OPERATIONS)
def test_an_operation_says_its_shapes_dtypes_and_errors(name: Name) -> None:
    assert {"Shapes", "Dtypes", "Raises"} <= name.facts().keys()


@of(DOCUMENTED)
def test_the_errors_that_are_named_exist(name: Name) -> None:
    named = re.findall(r"\b(?:\w+\.)*\w+Error\b", name.facts().get("Raises", ""))
    for each in named:
        found = getattr(ag.errors, each, getattr(builtins, each.rpartition(".")[2], None))
        assert found is not None or each == "numpy.linalg.LinAlgError", each


@of(OPERATIONS)
def test_the_shapes_are_those_of_the_example(name: Name) -> None:
    call = doc_facts.example(name.value, name.documentation)
    if call is not None:
        doc_facts.shapes_fit(name.facts()["Shapes"], call)


@of(OPERATIONS)
def test_the_dtypes_are_those_that_the_operation_takes(name: Name) -> None:
    facts = name.facts()
    call = doc_facts.example(name.value, name.documentation)
    if call is None or name.path in PROSE or facts["Dtypes"].startswith("of the result"):
        return
    said = doc_facts.said_dtypes(facts["Dtypes"])
    found = doc_facts.found_dtypes(facts["Shapes"], call)
    assert {*said} == {*found}
    for dtype, results in found.items():
        one = said[dtype] * len(results) if len(said[dtype]) == 1 else said[dtype]
        assert not one or one == results, f"of {dtype}: {results}"


def test_most_of_what_is_said_is_compared() -> None:
    """The two tests above would hold of documentation that says nothing."""
    calls = {n.path: doc_facts.example(n.value, n.documentation) for n in OPERATIONS}
    found = {n.path: n.facts().get("Shapes", "") for n in OPERATIONS if calls[n.path] is not None}
    compared = [path for path, shapes in found.items() if doc_facts.shapes_fit(shapes, calls[path])]
    assert len(compared) > 0.7 * len(OPERATIONS)


@pytest.mark.parametrize(
    ("shapes", "fits"),
    [
        ("x [...] -> [...]", True),
        ("x [n, m] -> [n, m]", True),
        ("x [n, 3] -> [n, ...]", True),
        ("x [n, n] -> [n, n]", False),
        ("x [n, m] -> [m, n]", False),
        ("x [n] -> [n]", False),
        ("x [2, ...] -> [...]", False),
        ("x [a, b, ...] -> [a, b]", True),
        ("x [n, 4] -> [n, 4]", False),
    ],
)
def test_the_comparison_itself(shapes: str, fits: bool) -> None:
    call = doc_facts.example(ag.exp, ">>> ag.exp([[1.0, 2.0, 3.0], [4.0, 5.0, 6.0]])")
    assert call is not None
    if fits:
        assert doc_facts.shapes_fit(shapes, call) == 2
    else:
        with pytest.raises(AssertionError):
            doc_facts.shapes_fit(shapes, call)
