"""Operations are recorded, compiled, interpreted and evaluated eagerly, and all must agree."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import pytest

import agir as ag
from agir.backends.cpu.engine import Executable
from agir.backends.reference import Interpreter
from agir.backends.stages import Compilation
from agir.config import config
from agir.ir.building.checks import Site
from agir.ir.building.types import DTYPES, DType, as_dtype
from agir.ir.convention import TENSORFLOW
from agir.ir.emission import emit
from agir.ir.module import finish
from agir.ir.tensors.tensor import Tensor
from agir.ir.tracing.trace import Trace
from agir.runtime.calling import failures
from agir.runtime.tensor import EagerTensor

RTOL = {
    "float16": 2e-3, "bfloat16": 1.6e-2, "float32": 2e-6, "float64": 1e-13,
    "complex64": 1e-5, "complex128": 1e-12,
}  # fmt: skip


def flatten(output: Any) -> list[Any]:
    return [leaf for item in output for leaf in flatten(item)] if isinstance(
        output, (list, tuple)
    ) else [output]  # fmt: skip


@dataclass
class Recorded:
    """A recorded function, ready to be run both ways."""

    module: Any
    dtypes: list[DType]
    sites: list[Site]
    interpreter: Interpreter
    executable: Executable | None

    def interpreted(self, *arguments: Any) -> list[Any]:
        return self._results(self.interpreter.call("f", *map(_signless, arguments)))

    def compiled(self, *arguments: Any) -> list[Any]:
        assert self.executable is not None
        return self._results(self.executable(list(arguments)))

    def _results(self, values: Sequence[Any]) -> list[Any]:
        count = len(self.dtypes)
        if len(values) > count:
            code, first, second = (int(v) for v in values[count:])
            if code:
                raise failures.exception(self.sites, code, first, second)
        return [_signed(np.asarray(v), d) for v, d in zip(values[:count], self.dtypes, strict=True)]


def _signless(value: Any) -> Any:
    array = np.asarray(value)
    return array.view(f"i{array.itemsize}")[()] if array.dtype.kind == "u" else value


def _signed(value: Any, dtype: DType) -> Any:
    """MLIR's integers carry no sign: read the bits as the dtype says."""
    same_bits = value.dtype.itemsize == dtype.numpy.itemsize and value.dtype.kind in "iu"
    return value.view(dtype.numpy) if same_bits else value


def record_function(
    python: Callable[..., Any],
    *specs: Any,
    convention: Any = TENSORFLOW,
    compile: bool = True,
) -> Recorded:
    """Record ``python``, whose arguments have these (dtype, shape)."""
    with Trace("f", convention) as trace:
        arguments = [
            trace.argument(as_dtype(dtype), shape, f"x{i}")
            for i, (dtype, shape) in enumerate(specs)
        ]
        leaves = [emit.lift(trace, leaf) for leaf in flatten(python(*arguments))]
        results = [leaf.ssa for leaf in leaves]
        module = finish(trace, results)
    module.operation.verify()
    sites = trace.sites if trace.error is not None else []
    dtypes = [leaf.dtype for leaf in leaves]
    executable = None
    if compile:
        extra = [np.dtype(np.int64)] * (3 if sites else 0)
        # Optimized code where shapes are known, plain code where not: LLVM's time is most of all.
        known = all(None not in shape for _, shape in specs)
        with config.scope(**({} if known else {"opt_level": 0})):
            executable = Executable(
                Compilation.from_module(module), "f", [*(d.numpy for d in dtypes), *extra]
            )
    return Recorded(module, dtypes, list(sites), Interpreter(module), executable)


def assert_same(
    actual: Any, expected: Any, what: str, rtol: float | None = None, zeros: bool = False
) -> None:
    """Equal shape and dtype; integers and bools equal, floats within a tolerance."""
    actual, expected = np.asarray(actual), np.asarray(expected)
    assert actual.shape == expected.shape, f"{what}: shape {actual.shape}, not {expected.shape}"
    assert actual.dtype == expected.dtype, f"{what}: dtype {actual.dtype}, not {expected.dtype}"
    kind = as_dtype(expected.dtype)
    if kind.kind in "biu":
        np.testing.assert_array_equal(actual, expected, what)
        return
    tolerance = RTOL[kind.name] if rtol is None else rtol
    wide = np.complex128 if kind.is_complex else np.float64
    with np.errstate(invalid="ignore"):
        a, b = actual.astype(wide), expected.astype(wide)
    least = 0.0 if kind.is_complex else float(np.nextafter(np.float32(0), np.float32(1)))
    if kind.name == "float16":
        least = 6e-8
    elif kind.name == "float64":
        least = 5e-324
    np.testing.assert_allclose(a, b, rtol=tolerance, atol=2 * least, err_msg=what)
    if zeros:
        np.testing.assert_array_equal(
            np.signbit(a[a == 0]), np.signbit(b[a == 0]), f"{what}: sign of zero"
        )


def differences(
    what: str, actual: Any, expected: Any, rtol: float | None, zeros: bool
) -> list[str]:
    try:
        assert_same(actual, expected, what, rtol, zeros)
    except AssertionError as error:
        return [f"{what}: {error}"]
    return []


def compare_all(
    python: Callable[..., Any],
    *arguments: Any,
    dynamic: bool = False,
    expected: Any = None,
    rtol: float | None = None,
    zeros: bool = False,
    labels: Sequence[str] = (),
    more: Sequence[Sequence[Any]] = (),
) -> Recorded:
    """Run on NumPy arrays all ways; ``expected`` is what NumPy gives, if another function.

    ``more`` are further arguments of the same types (with ``dynamic``, of other shapes).
    """
    specs = [
        (np.asarray(a).dtype, tuple(None if dynamic else d for d in np.shape(a))) for a in arguments
    ]
    recorded = record_function(python, *specs)
    for given in (arguments, *more):
        before = [np.array(a) for a in given]
        wanted = [
            leaf.numpy() if isinstance(leaf, Tensor) else leaf
            for leaf in flatten(python(*(EagerTensor(np.asarray(a)) for a in given)))
        ]
        native, reference = recorded.compiled(*given), recorded.interpreted(*given)
        assert len(native) == len(wanted)
        names = list(labels) or [f"result {i}" for i in range(len(wanted))]
        shapes = f" of {[np.shape(a) for a in given]} {np.asarray(given[0]).dtype}"
        truth = [None] * len(names) if expected is None else flatten(expected(*given))
        wrong = []
        for name, want, got, again, true in zip(
            names, wanted, native, reference, truth, strict=True
        ):
            wrong += differences(f"compiled {name}{shapes}", got, want, rtol, zeros)
            wrong += differences(f"interpreted {name}{shapes}", again, want, rtol, zeros)
            if true is not None:
                wrong += differences(f"{name}{shapes} against NumPy", want, true, rtol, zeros)
        assert not wrong, "\n".join(wrong)
        for old, now in zip(before, given, strict=True):
            assert old.tobytes() == np.asarray(now).tobytes(), "an argument changed"
    return recorded


@pytest.fixture(scope="session")
def record() -> Callable[..., Recorded]:
    """Record a function from argument types."""
    return record_function


@pytest.fixture(scope="session")
def compare() -> Callable[..., Recorded]:
    """Record, compile, interpret and evaluate a function, and compare."""
    return compare_all


@pytest.fixture(scope="session")
def same() -> Callable[..., None]:
    """Assert that two arrays are equal within their dtype's precision."""
    return assert_same


@pytest.fixture(scope="session")
def dtypes() -> tuple[DType, ...]:
    return DTYPES


def compare_calls(
    python: Callable[..., Any],
    *arguments: Any,
    expected: Any = None,
    rtol: float = 1e-10,
    dynamic: bool = False,
) -> None:
    """Run what calls the host all ways: eagerly, compiled and interpreted, against ``expected``."""
    specs = [
        ag.TensorSpec([None] * np.ndim(a) if dynamic else np.shape(a), np.asarray(a).dtype)
        for a in arguments
    ]

    def listed(*values: Any) -> list[Any]:
        return flatten(python(*values))

    runs = {"eager": listed}
    for name, compiled in (("compiled", None), ("interpreted", False)):
        runs[name] = ag.function(
            listed, input_signature=specs, jit_compile=compiled, autograph=False
        )
    tensors = [EagerTensor(np.asarray(a)) for a in arguments]
    truth = flatten(expected(*arguments)) if expected else [t.numpy() for t in listed(*tensors)]
    for name, run in runs.items():
        found = run(*tensors)
        assert len(found) == len(truth)
        for i, (got, true) in enumerate(zip(found, truth, strict=True)):
            assert_near(np.asarray(got.numpy()), np.asarray(true), f"{name} result {i}", rtol)


def assert_near(actual: Any, expected: Any, what: str, rtol: float) -> None:
    """Equal shape and dtype, and values relative to the greatest of them."""
    assert actual.shape == expected.shape, f"{what}: shape {actual.shape}, not {expected.shape}"
    assert actual.dtype == expected.dtype, f"{what}: dtype {actual.dtype}, not {expected.dtype}"
    size = np.abs(expected[np.isfinite(expected)]).max(initial=1.0)
    np.testing.assert_allclose(actual, expected, rtol=rtol, atol=rtol * size, err_msg=what)


@pytest.fixture(scope="session")
def compare_host() -> Callable[..., None]:
    """Compare, all ways, a function that calls the host when it runs."""
    return compare_calls
