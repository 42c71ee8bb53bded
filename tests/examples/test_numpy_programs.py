"""Programs as NumPy users write them: decorated, they do what they do undecorated."""

from __future__ import annotations

import copy
import importlib.util
import sys
from collections.abc import Iterator
from pathlib import Path
from types import ModuleType
from typing import Any

import numpy as np
import pytest

import agir as ag

FOLDER = Path(__file__).parent / "numpy_programs"


def load(path: Path) -> ModuleType:
    spec = importlib.util.spec_from_file_location(f"numpy_programs_{path.stem}", path)
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    sys.modules[spec.name] = module  # where dataclasses look for it
    spec.loader.exec_module(module)
    return module


def programs() -> Iterator[Any]:
    for path in sorted(FOLDER.glob("*.py")):
        module = load(path)
        for name, arguments in module.inputs(np.random.default_rng(7)).items():
            function = getattr(module, name)
            yield pytest.param(function, arguments, id=f"{path.stem}-{name}")


def same(found: Any, wanted: Any, what: str, exact: float = 1e-9) -> None:
    """Equal; float64 and complex numbers within `exact`."""
    if isinstance(wanted, tuple):
        assert type(found) is tuple, what
        assert len(found) == len(wanted), what
        for number, (f, w) in enumerate(zip(found, wanted, strict=True)):
            same(f, w, f"{what}[{number}]", exact)
        return
    if wanted is None:
        assert found is None, what
        return
    value, right = np.asarray(found), np.asarray(wanted)
    assert value.shape == right.shape, what
    if right.dtype.kind in "iub":
        np.testing.assert_array_equal(value, right, err_msg=what)
    else:
        tolerance = 1e-4 if right.dtype == np.float32 else exact
        np.testing.assert_allclose(value, right, rtol=tolerance, atol=tolerance, err_msg=what)
    if isinstance(wanted, np.ndarray):
        assert type(found) is np.ndarray, what
        assert value.dtype == right.dtype, what


@pytest.mark.parametrize(("function", "arguments"), list(programs()))
def test_decorated_does_what_undecorated_does(function: Any, arguments: tuple[Any, ...]) -> None:
    plain, given = copy.deepcopy(arguments), copy.deepcopy(arguments)
    wanted = function(*plain)
    with ag.config.scope(opt_level=0):  # LLVM's optimizer is not what is tested, and takes long
        found = ag.jit(function)(*given)
    # sums of float32 are added in another order, whatever is then computed of them in float64
    single = any(getattr(each, "dtype", None) == np.float32 for each in arguments)
    exact = 1e-6 if single else 1e-9
    same(found, wanted, "result", exact)
    same(given, plain, "arguments", exact)
