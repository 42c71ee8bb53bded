"""All names of the standard are there, with its parameters; what is inspected; what is expected."""

from __future__ import annotations

import inspect
import re
from collections.abc import Iterator
from pathlib import Path
from types import ModuleType
from typing import Any

import numpy
import pytest

import agir as ag
import agir.numpy as np

HERE = Path(__file__).resolve().parent


def functions(standard: ModuleType) -> Iterator[tuple[Any, str, inspect.Signature]]:
    for space, text in ((np, "FUNCTIONS"), (np.linalg, "LINALG"), (np.fft, "FFT")):
        for line in getattr(standard, text).split("\n"):
            if line:
                name, parameters = re.fullmatch(r"(\w+)(\(.*\))", line).groups()  # type: ignore[union-attr]
                made: Any = eval(f"lambda {re.sub(r', /|/, |/', '', parameters[1:-1])}: None")
                yield space, name, _with_kinds(made, parameters)


def _with_kinds(made: Any, text: str) -> inspect.Signature:
    """The signature, whose parameters before the slash are positional only."""
    before = text[1 : text.index("/")].count(",") if "/" in text else 0
    found = list(inspect.signature(made).parameters.values())
    return inspect.Signature(
        [p.replace(kind=p.POSITIONAL_ONLY) if i < before else p for i, p in enumerate(found)]
    )


def test_functions(standard: ModuleType) -> None:
    count = 0
    for space, name, wanted in functions(standard):
        own = list(inspect.signature(getattr(space, name)).parameters.values())
        for i, parameter in enumerate(wanted.parameters.values()):
            if parameter.kind is parameter.KEYWORD_ONLY:
                (same,) = [p for p in own if p.name == parameter.name]
                assert same.kind in (same.KEYWORD_ONLY, same.POSITIONAL_OR_KEYWORD), name
            elif parameter.kind is parameter.POSITIONAL_OR_KEYWORD:
                assert (own[i].name, own[i].kind) == (parameter.name, parameter.kind), name
            if parameter.default is not parameter.empty:
                own_default = next(p for p in own if p.name == parameter.name).default
                equal = own_default == parameter.default
                assert equal or parameter.name == "dtype", (name, parameter)
        count += 1
    assert count == 170


def test_every_name_says_what_it_is() -> None:
    for space in (np, np.linalg, np.fft):
        assert list(space.__all__) == sorted(set(space.__all__)) or space is np
        for name in space.__all__:
            value = getattr(space, name)
            if callable(value) and not isinstance(value, (ag.DType, type)):
                assert len(inspect.getdoc(value) or "") > 8, name
    for name in ("hstack", "median", "bincount", "einsum"):  # the table has them
        assert getattr(np, name).function is getattr(numpy, name)
    with pytest.raises(AttributeError, match=r"'agir\.numpy' has no attribute 'nothing'"):
        _ = np.nothing
    with pytest.raises(AttributeError, match=r"'agir\.numpy\.fft' has no attribute 'nothing'"):
        _ = np.fft.nothing


def test_constants_and_dtypes(standard: ModuleType) -> None:
    for name in standard.CONSTANTS.split():
        value, wanted = getattr(np, name), getattr(numpy, name)
        assert value is wanted or value == wanted or value != value
    for name in standard.DTYPES.split():
        assert getattr(np, name) == ag.as_dtype(name)
        assert np.asarray([0, 1], getattr(np, name)).dtype == getattr(np, name)
    assert np.float32(1.5).dtype == np.float32
    assert np.ndarray is ag.Tensor


def test_the_array(standard: ModuleType) -> None:
    eager: list[Any] = [np.ones((2, 3)), np.ones((2, 3))]
    for name in (*standard.ATTRIBUTES.split(), *standard.METHODS.split()):
        assert hasattr(eager[0], name), name

    @ag.function(input_signature=[ag.TensorSpec([2, 3], "f8")])
    def traced(x: Any) -> Any:
        for name in (*standard.ATTRIBUTES.split(), *standard.METHODS.split()):
            assert hasattr(x, name), name
        assert x.__array_namespace__() is np
        assert x.device == "cpu"
        assert x.size == 6
        return x.mT.to_device("cpu")

    assert traced(eager[0]).shape == (3, 2)
    x = eager[0]
    assert x.__array_namespace__() is np
    assert x.__array_namespace__(api_version="2022.12").__array_api_version__ == "2024.12"
    with pytest.raises(ValueError, match=r"version 2024\.12"):
        x.__array_namespace__(api_version="2030.12")
    with pytest.raises(ValueError, match="'cpu'"):
        x.to_device("cuda")
    with pytest.raises(ValueError, match="two dimensions"):
        _ = x[0].mT


def test_a_size_that_only_the_run_time_knows() -> None:
    run = ag.function(lambda x: x.size, input_signature=[ag.TensorSpec([None, 2], "f8")])
    assert int(run(numpy.ones((5, 2)))) == 10


def test_inspection() -> None:
    info = np.__array_namespace_info__()
    assert info.devices() == ["cpu"] == [info.default_device()]
    assert info.capabilities()["data-dependent shapes"] is True
    assert info.default_dtypes()["real floating"] == np.float64
    assert set(info.dtypes(kind="unsigned integer")) == {"uint8", "uint16", "uint32", "uint64"}
    assert len(info.dtypes()) == 13
    assert set(info.dtypes(kind=("bool", "complex floating"))) == {
        "bool",
        "complex64",
        "complex128",
    }
    with pytest.raises(ValueError, match="kind is of"):
        info.dtypes(kind="floats")
    with pytest.raises(ValueError, match="only device is 'cpu'"):
        info.dtypes(device="gpu")


@pytest.mark.parametrize("name", ["expected_failures.txt", "expected_failures_traced.txt"])
def test_every_expected_failure_has_a_reason(name: str) -> None:
    reason, found = "", 0
    for line in (HERE / name).read_text().splitlines():
        if not line:
            reason = ""
        elif line.startswith("#"):
            reason += line
        else:
            assert line.startswith("array_api_tests/"), line
            assert len(reason) > 40, f"no reason stands before {line}"
            found += 1
    assert 0 < found < 60
