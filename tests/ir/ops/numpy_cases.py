"""Comparing bodies of functions, plain and decorated: results, arguments afterwards, errors."""

from __future__ import annotations

import hashlib
import linecache
import warnings
from typing import Any

import numpy as np

import agir as ag

ARGUMENTS: dict[str, Any] = {
    "x": np.array([[3.0, -1.5, 2.0], [0.5, 4.0, -2.0]]),
    "v": np.array([2.0, -1.0, 0.5, 3.0, 2.0]),
    "w": np.array([1.0, 2.0, 0.5, 1.0, 4.0]),
    "i": np.array([3, 1, 2, 1, 0]),
    "u": np.array([200, 3, 100], np.uint8),
    "m": np.array([True, False, True, True, False]),
    "f": np.array([1.5, -2.25, 0.5], np.float32),
    "g": np.array([1.0, np.nan, 3.0, np.inf, -2.0]),
    "z": np.array([1 + 2j, -1j, 2.0]),
    "a": np.array([[2.0, 1.0, 0.0], [1.0, 3.0, 1.0], [0.0, 1.0, 4.0]]),
    "t": np.arange(24.0).reshape(2, 3, 4),
    "e": np.zeros(0),
    "q": np.array(3.0),
    "c": np.asfortranarray(np.arange(12.0).reshape(3, 4)),
    "n": 3,
    "s": 0.5,
}


def written(body: str) -> Any:
    """The function with these lines, of which the last one may be an expression."""
    if "return" not in body and "\n" not in body:
        body = f"return {body}"
    lines = [part.strip() for part in body.split(";")] if "\n" not in body else body.split("\n")
    source = f"def f({', '.join(ARGUMENTS)}):\n" + "".join(f"    {line}\n" for line in lines)
    name = f"<case {hashlib.sha1(source.encode()).hexdigest()}>"
    linecache.cache[name] = (len(source), None, source.splitlines(keepends=True), name)
    namespace: dict[str, Any] = {"np": np, "__name__": "numpy_cases"}
    exec(compile(source, name, "exec"), namespace)
    return namespace["f"]


def given() -> dict[str, Any]:
    """The arguments, each array with the layout that it has."""
    return {k: a.copy("K") if isinstance(a, np.ndarray) else a for k, a in ARGUMENTS.items()}


def leaves(value: Any) -> list[Any]:
    return [x for v in value for x in leaves(v)] if isinstance(value, (list, tuple)) else [value]


def same(found: Any, wanted: Any, what: str) -> None:
    """The same dtype, shape and values."""
    if wanted is None or isinstance(wanted, (np.dtype, type)):
        assert found == wanted, what
        return
    a, b = np.asarray(found), np.asarray(wanted)
    assert (a.dtype, a.shape) == (b.dtype, b.shape), what
    single = a.dtype in (np.float32, np.float16, np.complex64)
    np.testing.assert_allclose(a, b, rtol=3e-6 if single else 1e-10, atol=1e-13, err_msg=what)


def compare(body: str, **options: Any) -> None:
    """The decorated function does what the plain one does."""
    plain, own = given(), given()
    function = written(body)
    with warnings.catch_warnings(), np.errstate(all="ignore"):
        warnings.simplefilter("ignore")
        wanted = function(**plain)
    with ag.config.scope(opt_level=0):
        found = ag.jit(function, **options)(**own)
    for a, b in zip(leaves(found), leaves(wanted), strict=True):
        same(a, b, body)
    for name, array in plain.items():
        same(own[name], array, f"{name} after {body}")


def in_groups(*cases: list[str]) -> list[list[str]]:
    """The cases, some in one test, which is quicker."""
    every = [case for some in cases for case in some]
    return [every[k : k + 8] for k in range(0, len(every), 8)]
