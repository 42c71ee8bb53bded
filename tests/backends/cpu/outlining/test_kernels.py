"""Large programs: array operations as functions, equal ones the same."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

import agir as ag
from agir.backends.cpu.calling import threads
from agir.backends.cpu.passes.outlining import equal_parts, kernels
from agir.backends.stages import Compilation

KERNEL = re.compile(r"func\.func private @(agir\.kernel_\w+)\((.*?)\)")


def block(x: Any, w: Any) -> Any:
    a = np.tanh(x + w)
    c = a * x
    d = np.exp(c) - c.sum() * 1e-3
    return (d @ w + x) * 0.01


def repeated(times: int) -> Callable[..., Any]:
    def f(x: Any, w: Any) -> Any:
        for _ in (None,) * times:
            x = block(x, w)
        return x

    return f


def in_no_order(times: int) -> Callable[..., Any]:
    """Two kinds of blocks, in an order that does not repeat itself."""

    def f(x: Any, w: Any) -> Any:
        for k in dict.fromkeys(range(times)):  # which is unrolled
            x = block(x, w) if k * k % 11 % 2 else np.cos(x @ w) - x.sum() * 1e-3
        return x

    return f


def of_own_sizes(times: int) -> Callable[..., Any]:
    """The same, each on arrays of its own size."""

    def f(x: Any, w: Any) -> Any:
        total = 0.0
        for k in dict.fromkeys(range(times)):  # which is unrolled
            a, b = x[: 40 + k, : 40 + k], w[: 40 + k, : 40 + k]
            y = block(a, b) if k * k % 11 % 2 else np.cos(a @ b) - a.sum() * 1e-3
            total = total + y[0, 0]
        return total

    return f


def loops(function: Callable[..., Any], *arguments: Any) -> str:
    return loops_of(ag.jit(function), *arguments)


def loops_of(jitted: Any, *arguments: Any) -> str:
    return str(jitted.get_concrete_function(*arguments).compilation.text("loops"))


def arrays(n: int) -> tuple[np.ndarray[Any, Any], np.ndarray[Any, Any]]:
    random = np.random.default_rng(1)
    return random.normal(size=(n, n)), random.normal(size=(n, n)) / n


def test_small_programs_stay_whole() -> None:
    assert "agir.kernel" not in loops(repeated(1), *arrays(64))


def step(x: Any, w: Any) -> Any:
    """A product, and two loops that are not computed in its registers."""
    y = x @ w
    return np.sin(y + y.T) * (y - y.sum(axis=1))


def test_what_a_small_program_repeats_is_one_function() -> None:
    def f(x: Any, w: Any, n: int) -> Any:
        x = step(x, w)
        for _ in range(n):
            x = step(x, w)
            x[0] *= 2
        return np.cos(x)

    text = loops(f, *arrays(64), 3)
    found = len(KERNEL.findall(text))
    assert found >= 1
    assert text.count("call @agir.kernel") == 2 * found
    x, w = arrays(64)
    for n in (0, 3):
        np.testing.assert_allclose(ag.jit(f)(x, w, n), f(x, w, n), rtol=1e-8)


def test_a_product_is_a_function_with_the_zeros_that_it_begins_with() -> None:
    def f(x: Any, w: Any) -> Any:
        y = x @ w
        z = y @ w
        return y[0] + z[1], z

    found = re.split(r"(?=func\.func private @agir\.kernel)", loops(f, *arrays(64)))[1:]
    assert len(found) == 1
    assert "arith.constant dense<0.000000e+00> : vector" in found[0]
    x, w = arrays(64)
    for ours, right in zip(ag.jit(f)(x, w), f(x, w), strict=True):
        np.testing.assert_allclose(ours, right, rtol=1e-9, atol=1e-13)


def test_what_registers_compute_with_a_product_stays_with_it() -> None:
    def f(x: Any, w: Any) -> Any:
        for _ in (None,) * 3:
            x = np.maximum(x @ w + 1, 0) * w[0]
        return x

    with ag.config.scope(num_threads=1):
        assert "agir.kernel" not in loops(f, *arrays(64))


def test_small_operations_are_not_worth_a_call() -> None:
    assert "agir.kernel" not in loops(repeated(3), *arrays(16))


def fft(x: Any) -> Any:
    n = len(x)
    if n == 1:
        return x
    even, odd = fft(x[::2]), fft(x[1::2])
    t = np.exp(-2j * np.pi * np.arange(n) / n)
    return np.concatenate((even + t[: n // 2] * odd, even + t[n // 2 :] * odd))


def test_very_many_small_operations_are_functions(monkeypatch: Any) -> None:
    monkeypatch.setattr(equal_parts, "_LEAST", 1 << 30)  # as of a program whose parts differ
    jitted = ag.jit(fft)
    texts = {n: loops_of(jitted, np.ones(n) + 0j) for n in (16, 128, 256)}
    assert "agir.kernel" not in texts[16]
    counts = {n: len(KERNEL.findall(texts[n])) for n in (128, 256)}
    assert 0 < counts[256] <= counts[128] + 4
    assert texts[256].count("call @agir.kernel") > 400
    assert texts[256][: texts[256].index("func.func private")].count("scf.for") < 40
    for n in (16, 128, 256):
        x = np.random.default_rng(n).normal(size=2 * n).view(complex)
        np.testing.assert_allclose(jitted(x), np.fft.fft(x), rtol=1e-9, atol=1e-9)


def test_small_operations_on_parts_of_one_array() -> None:
    def f(x: Any) -> Any:
        x = x.copy()
        for k in (*range(160),):
            x[k % 5 : k % 5 + 9] = x[(k + 3) % 6 : (k + 3) % 6 + 9] * 0.5 + x[k % 4] - k
        return x

    x = np.random.default_rng(2).normal(size=20)
    np.testing.assert_allclose(ag.jit(f)(x), f(x))


def test_equal_operations_are_one_function() -> None:
    text = loops(in_no_order(20), *arrays(64))
    names = [name for name, _ in KERNEL.findall(text)]
    assert len(names) == len(set(names)) <= 10
    assert text.count("call @agir.kernel") >= 40
    assert all(re.search("<64x64xf64|<4096xf64", taken) for _, taken in KERNEL.findall(text))


def test_loops_in_which_operations_take_turns_are_functions_too() -> None:
    text = loops(in_no_order(33), *arrays(64))
    assert text[: text.index("func.func private")].count("scf.for") < 8


def test_of_twice_the_blocks_there_are_no_more_functions() -> None:
    counts = {len(KERNEL.findall(loops(in_no_order(n), *arrays(64)))) for n in (22, 33)}
    assert len(counts) == 1


def test_operations_that_differ_in_sizes_are_one_function_where_there_are_many() -> None:
    text = loops(of_own_sizes(20), *arrays(64))
    found = KERNEL.findall(text)
    assert len(found) <= 9
    assert all("memref<?x" in arguments for _, arguments in found if "64x" not in arguments)
    assert "memref.cast" in text


def test_a_few_that_differ_in_sizes_are_a_function_each() -> None:
    def f(x: Any, w: Any) -> Any:
        for _ in (None,) * 10:
            x, w = block(x, w), np.exp(w) * 0.5
        y = x[:50, :50]
        return x, block(y, w[:50, :50])

    found = KERNEL.findall(loops(f, *arrays(64)))
    assert not [arguments for _, arguments in found if "?" in arguments.replace("offset: ?", "")]


@pytest.mark.parametrize("make", [repeated, of_own_sizes, in_no_order])
def test_results(make: Callable[[int], Callable[..., Any]]) -> None:
    f = make(20)
    x, w = arrays(64)
    np.testing.assert_allclose(ag.jit(f)(x, w), f(x, w), rtol=1e-11, atol=1e-13)


@pytest.mark.parametrize("shape", ["static", "dynamic"])
def test_all_is_taken_apart(shape: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """With the limits at nothing: values from around, slices, reductions, writes, casts, scalars."""
    for name in ("MANY", "_LARGE", "_ALIKE", "SHORT"):
        monkeypatch.setattr(kernels, name, 0)

    def f(x: Any, k: Any) -> Any:
        y = np.where(x > k, x, -x) + x.shape[0]
        total = y.sum(axis=0) * k
        for i in range(3):
            y[1:, i] = y[:-1, i] * total[i] + x.max()
        z = y.T.astype(np.float32) @ x.astype(np.float32)
        return y, z, np.argmax(x, axis=1), np.cumsum(x[:, ::2], axis=0)

    x = np.random.default_rng(0).normal(size=(5, 4))
    spec = [ag.TensorSpec([None, None] if shape == "dynamic" else [5, 4], ag.float64), 0.25]
    concrete = ag.jit(f).get_concrete_function(*spec)
    assert "call @agir.kernel" in concrete.compilation.text("loops")
    for ours, right in zip(concrete(x, 0.25), f(x, 0.25), strict=True):
        np.testing.assert_allclose(ours, right, rtol=1e-6)


SHARED = """
func.func @f(%a: memref<64x64xf64>) {
  %top = memref.subview %a[0, 0] [32, 64] [1, 1]
      : memref<64x64xf64> to memref<32x64xf64, strided<[64, 1]>>
  %next = memref.subview %a[1, 0] [32, 64] [1, 1]
      : memref<64x64xf64> to memref<32x64xf64, strided<[64, 1], offset: 64>>
  linalg.generic {
    indexing_maps = [affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> (i, j)>],
    iterator_types = ["parallel", "parallel"]
  } ins(%top : memref<32x64xf64, strided<[64, 1]>>)
    outs(%next : memref<32x64xf64, strided<[64, 1], offset: 64>>) {
    ^bb0(%x: f64, %y: f64):
      linalg.yield %x : f64
  }
  return
}
"""


def test_buffers_that_share_memory_stay_where_llvm_sees_it(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(kernels, "MANY", 0)
    assert "agir.kernel" not in str(Compilation.from_text(SHARED, "bufferized").text("loops"))
    apart = SHARED.replace("subview %a[1, 0]", "subview %b[1, 0]").replace(
        "%a: memref<64x64xf64>", "%a: memref<64x64xf64>, %b: memref<64x64xf64>"
    )
    assert "agir.kernel" in str(Compilation.from_text(apart, "bufferized").text("loops"))


def test_the_users_lines_are_kept() -> None:
    concrete = ag.jit(repeated(20)).get_concrete_function(*arrays(64))
    text = str(concrete.compilation.text("loops", locations=True))
    tanh = re.findall(r"math\.tanh .* loc\((#loc\d+)\)", text)
    assert tanh
    assert "test_kernels.py" in text


def test_kernels_are_functions_of_the_machine_code() -> None:
    """LLVM does not put them back in the place of the calls, even those with one call only."""
    concrete = ag.jit(of_own_sizes(20)).get_concrete_function(*arrays(64))
    assert str(concrete.compilation.text("llvm")).count("no_inline") >= 5
    assert "agir.kernel_" in concrete.compilation.text("asm")


def test_kernels_run_on_several_threads() -> None:
    if not threads.are_wanted():
        pytest.skip("there are no threads here")
    x, w = arrays(600)
    concrete = ag.jit(in_no_order(12)).get_concrete_function(x, w)
    text = str(concrete.compilation.text("loops"))
    kernels_ = re.split(r"(?=func\.func private @agir\.kernel)", text)[1:]
    assert any("call @agir.parallel." in kernel.split("\n  }\n")[0] for kernel in kernels_)
    np.testing.assert_allclose(concrete(x, w), in_no_order(12)(x, w), rtol=1e-10, atol=1e-12)


def test_each_operation_is_explained() -> None:
    """Equal ones, too: they are measured one by one."""
    explanation = ag.jit(repeated(12)).explain(*arrays(64))
    products = [row for row in explanation.rows if row.what == "mul, add"]
    assert len(products) == 12
