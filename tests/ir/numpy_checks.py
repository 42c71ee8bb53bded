"""Runs a program of NumPy statements plain and decorated, and compares results and arguments."""

from __future__ import annotations

import linecache
import time
import warnings
from collections.abc import Callable, Iterable
from typing import Any

import numpy as np
from numpy_arguments import Given, arguments
from numpy_writer import PRELUDE, Writer
from program_checks import Refused, Report, shrink

import agir as ag


def _dynamic(f: Callable[..., Any], given: list[Any], compiled: bool | None = None) -> Any:
    """Decorated for arrays of any sizes."""
    specs = [ag.TensorSpec([None] * np.ndim(v), np.asarray(v).dtype) for v in given]
    return ag.jit(f, input_signature=specs, jit_compile=compiled)


MODES: dict[str, Callable[[Any, list[Any]], Any]] = {
    "jit": lambda f, given: ag.jit(f),
    "interpreted": lambda f, given: ag.jit(f, jit_compile=False),
    "dynamic": _dynamic,
    "interpreted_dynamic": lambda f, given: _dynamic(f, given, compiled=False),
}
VARIANTS = (0, 1)
ROUNDED = {2: 1e-2, 4: 2e-4, 8: 1e-9, 16: 1e-9}
"""By the bytes of a part: how far apart numbers that are rounded differently may be."""


def load(source: str) -> Any:
    """The function of a program."""
    text = PRELUDE + source
    name = f"<program {hash(source)}>"
    linecache.cache[name] = (len(text), None, text.splitlines(keepends=True), name)
    namespace: dict[str, Any] = {"__name__": "program"}
    exec(compile(text, name, "exec"), namespace)
    return namespace["f"]


def run(f: Callable[..., Any], given: Given) -> tuple[Any, Any]:
    """The exception or None, and the results with the memory of the arguments after the call.

    Results that are an argument itself are told by its number.
    """
    places = {id(each): _place(each) for each in given.values[:3]}
    before = [each.copy() for each in given.memory]
    try:
        result = f(*given.values)
    except Exception as error:
        kept = all(map(same, given.memory, before))
        return error, kept
    result = result if isinstance(result, tuple) else (result,)
    own = [places.get(id(each)) for each in result]
    first = {place: number for number, place in enumerate(places.values())}
    return None, ([*result, *given.memory], [first.get(place, -1) for place in own])


def _place(array: Any) -> Any:
    """What two names of the same elements have in common."""
    return array.__array_interface__["data"][0], array.shape, array.strides


def plain(f: Callable[..., Any], given: Given) -> Any:
    """What plain NumPy does; None where C leaves the result of a conversion open."""
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        found = run(f, given)
    return None if any("cast" in str(w.message).lower() for w in caught) else found


def examine(source: str, seed: int, modes: Iterable[str] = tuple(MODES)) -> Report:
    """Run a program in every mode; the report names the first difference."""
    report = Report(seed)
    start = time.process_time()
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        for name in modes:
            try:
                _compare(name, source, seed, report)
            except Refused as error:
                report.refused = report.refused or f"{error}"
            if report.mismatch:
                break
    report.seconds = time.process_time() - start
    return report


def _compare(name: str, source: str, seed: int, report: Report) -> None:
    decorated = None
    for variant in VARIANTS:
        wanted = plain(load(source), _given(name, seed, variant))
        if wanted is None:
            continue
        given = _given(name, seed, variant)
        decorated = decorated or MODES[name](load(source), given.values)
        got = run(decorated, given)
        report.calls += 1
        report.raised += wanted[0] is not None
        difference = compared(got, wanted)
        if difference:
            report.mismatch = f"{name}, variant {variant}: {difference}"
            report.kind = f"{name}: {difference.partition(':')[0]}"
            return


def _given(mode: str, seed: int, variant: int) -> Given:
    given = arguments(seed, variant)
    if mode.endswith("dynamic"):  # a signature knows no weak numbers
        given.values[3:] = np.int64(given.values[3]), np.float64(given.values[4])
    return given


def compared(got: tuple[Any, Any], wanted: tuple[Any, Any]) -> str | None:
    """How two calls differ."""
    error, expected = got[0], wanted[0]
    if isinstance(error, ag.errors.StagingError) or _is_refusal(error):
        raise Refused(f"{type(error).__name__}: {str(error).splitlines()[0]}")
    if error is not None or expected is not None:
        if isinstance(error, builtin(expected)):
            return None if got[1] else f"written before the error: {error!r}"
        return f"error: {error!r}\n  NumPy: {expected!r}"
    (results, own), (results_wanted, own_wanted) = got[1], wanted[1]
    if any(mine not in (-1, its) for mine, its in zip(own, own_wanted, strict=True)):
        return f"results that are arguments: {own}\n  NumPy: {own_wanted}"
    width = min(map(_width, results_wanted), default=8)
    for index, (left, right) in enumerate(zip(results, results_wanted, strict=True)):
        if not same(left, right, width):
            return f"result {index}: {_shown(left)}\n  NumPy: {_shown(right)}"
    return None


REFUSALS = ("how many dimensions there are is settled before", "too large for an int64")
"""Of messages that refuse a program when it runs, because only then it is known what it does."""


def _is_refusal(error: BaseException | None) -> bool:
    needs_sizes = getattr(error, "needs_sizes", False)
    return needs_sizes or any(text in str(error) for text in REFUSALS)


def builtin(error: BaseException | None) -> type:
    """The class of Python's that says what is wrong."""
    if error is None:
        return type(None)
    return next(t for t in type(error).__mro__ if t.__module__ == "builtins")


def _shown(value: Any) -> str:
    array = np.asarray(value)
    return f"{array.dtype}{list(array.shape)} {array.tolist()}"


def _width(value: Any) -> int:
    """The bytes of the floating-point numbers of an array."""
    dtype = np.asarray(value).dtype
    return {"f": dtype.itemsize, "c": dtype.itemsize // 2}.get(dtype.kind, 8)


def same(got: Any, wanted: Any, width: int = 8) -> bool:
    """Equal dtype, shape and elements: to the bit, or nearly where they are rounded.

    ``width`` is that of the narrowest numbers that they may have been computed of.
    """
    left, right = np.asarray(got), np.asarray(wanted)
    if left.shape != right.shape or left.dtype != right.dtype or _class(got) != _class(wanted):
        return False
    if np.array_equal(left, right, equal_nan=left.dtype.kind in "fc"):
        return True
    if left.dtype.kind not in "fc":
        return False
    size = min(left.real.dtype.itemsize, width)
    with np.errstate(all="ignore"):
        finite = np.abs(right[np.isfinite(right)])
        scale = float(finite.max()) if finite.size else 0.0
        return bool(np.allclose(left, right, ROUNDED[size], ROUNDED[size] * scale, equal_nan=True))


def _class(value: Any) -> type | None:
    """The class of a bool or int of Python's; None for others: NumPy's floats are Python's as well."""
    return type(value) if type(value) in (bool, int) else None


def check(seed: int, modes: Iterable[str] = tuple(MODES)) -> Report:
    """Write a program and examine it."""
    return examine(Writer(seed).program(), seed, modes)


def shrunk(report: Report, source: str) -> str:
    """A small program that fails in the same way."""
    mode = str(report.kind).partition(":")[0]

    def fails(candidate: str) -> bool:
        return (
            "return" in candidate
            and examine(candidate, report.seed or 0, [mode]).kind == report.kind
        )

    return shrink(source, fails, 20.0)
