"""Programs run as C that gcc compiles, against plain Python: ``python compared.py NAME ...``."""

from __future__ import annotations

import sys
from pathlib import Path

import numpy as np

import agir as ag

HERE = Path(__file__).resolve().parent
sys.path[:0] = [str(HERE.parent), str(HERE.parents[2] / "examples" / "plugins" / "gcc")]

import agir_gcc  # noqa: E402
from lowered_programs import CALLS  # noqa: E402


def copies(arguments):
    return [np.copy(each) if isinstance(each, np.ndarray) else each for each in arguments]


def leaves(result):
    return [np.asarray(each) for each in (result if isinstance(result, tuple) else (result,))]


def by_agir_itself(program, entry):
    raise AssertionError(f"{entry.name} was not compiled by gcc")


agir_gcc.engine.load = by_agir_itself
agir_gcc.OPTIONS[0] = "-O0"
for function, arguments in CALLS.items():
    if function.__name__ not in sys.argv[1:]:
        continue
    given, plain = copies(arguments), copies(arguments)
    with ag.config.scope(backend="gcc"):
        found = leaves(ag.jit(function)(*given))
    wanted = leaves(function(*plain))
    for mine, theirs in zip([*found, *given], [*wanted, *plain], strict=True):
        tolerance = 1e-3 if np.asarray(theirs).dtype.itemsize < 4 else 1e-6
        assert np.asarray(mine).dtype == np.asarray(theirs).dtype, function.__name__
        np.testing.assert_allclose(mine, theirs, tolerance, tolerance, err_msg=function.__name__)
    print(function.__name__)
