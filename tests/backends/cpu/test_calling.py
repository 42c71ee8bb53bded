"""The calling convention: every type and layout in and out, and who owns which memory."""

from __future__ import annotations

import gc
import os
import threading
import weakref

import ml_dtypes
import numpy as np
import pytest

DTYPES = {
    "i1": np.bool_,
    "i8": np.int8,
    "i16": np.int16,
    "i32": np.int32,
    "i64": np.int64,
    "f16": np.float16,
    "bf16": ml_dtypes.bfloat16,
    "f32": np.float32,
    "f64": np.float64,
    "complex<f32>": np.complex64,
    "complex<f64>": np.complex128,
}

PAGE = os.sysconf("SC_PAGE_SIZE") if hasattr(os, "sysconf") else 4096


def doubled(shape: str) -> str:
    kind = f"tensor<{shape}f64>"
    return f"""
func.func @f(%x: {kind}) -> {kind} {{
  %r = arith.addf %x, %x : {kind}
  return %r : {kind}
}}"""


@pytest.fixture(scope="module")
def twice(build):
    return {
        shape: build(doubled(shape)) for shape in ("", "?x", "3x", "?x?x", "2x3x", "2x?x", "?x3x?x")
    }


def same(result, expected):
    assert result.dtype == expected.dtype
    assert result.shape == expected.shape
    as_bytes = [np.ascontiguousarray(array).tobytes() for array in (result, expected)]
    assert as_bytes[0] == as_bytes[1]


@pytest.mark.parametrize("name", DTYPES)
def test_elements_and_scalars(run, name):
    text = f"""
    func.func @f(%x: tensor<?x{name}>, %s: {name}, %y: tensor<2x?x{name}>)
        -> ({name}, tensor<2x?x{name}>, tensor<?x{name}>) {{
      return %s, %y, %x : {name}, tensor<2x?x{name}>, tensor<?x{name}>
    }}"""
    x = np.array([0, 1, 1, 0, 1]).astype(DTYPES[name])
    if x.dtype.kind == "c":
        x *= 1 - 2j
    y = np.stack([x, x[::-1]])
    scalar, matrix, vector = run(text, x, x[1], y)
    same(np.asarray(scalar), np.asarray(x[1]))
    same(matrix, y)
    same(vector, x)


@pytest.mark.parametrize("name", ["i8", "i16", "i32", "i64"])
def test_unsigned(run, name):
    dtype = np.dtype(f"uint{name[1:]}")
    largest = np.iinfo(dtype).max
    text = f"""
    func.func @f(%x: tensor<?x{name}>, %s: {name}) -> (tensor<?x{name}>, {name}) {{
      %two = arith.constant 2 : {name}
      %h = arith.divui %s, %two : {name}
      return %x, %h : tensor<?x{name}>, {name}
    }}"""
    x = np.array([0, largest], dtype)
    array, half = run(text, x, dtype.type(largest), results=[dtype, dtype])
    same(array, x)
    assert half == largest // 2
    assert half.dtype == dtype


def test_a_struct_of_everything(run):
    kinds = ["i1", "f16", "complex<f32>", "i8", "complex<f64>", "i16", "i1", "f32", "bf16", "i64"]
    values = [True, 1.5, 1 + 2j, -3, 3 - 4j, -300, False, 2.5, 1.25, -(1 << 40)]
    names = [f"%a{i}" for i in range(len(kinds))]
    text = f"""
    func.func @f({", ".join(map(": ".join, zip(names, kinds, strict=True)))})
        -> (i1, tensor<2xi1>, {", ".join(kinds)}, tensor<?xf64>, i1) {{
      %t = arith.constant dense<[true, false]> : tensor<2xi1>
      %n = arith.constant 2 : index
      %e = arith.constant 0.5 : f64
      %v = tensor.splat %e[%n] : tensor<?xf64>
      return %a0, %t, {", ".join(names)}, %v, %a0
          : i1, tensor<2xi1>, {", ".join(kinds)}, tensor<?xf64>, i1
    }}"""
    first, pair, *middle, vector, last = run(text, *values)
    assert [first, *middle, last] == [True, *values, True]
    assert pair.tolist() == [True, False]
    assert vector.tolist() == [0.5, 0.5]


LAYOUTS = {
    "contiguous": lambda a: a.copy(),
    "transposed": lambda a: a.T.copy().T,
    "strided": lambda a: np.repeat(a, 2, axis=-1)[..., ::2],
    "reversed": lambda a: a[..., ::-1].copy()[..., ::-1],
    "broadcast": lambda a: np.broadcast_to(a.ravel()[0], a.shape),
    "misaligned": lambda a: np.frombuffer(b"\0" + a.tobytes(), a.dtype, offset=1).reshape(a.shape),
    "swapped": lambda a: a.astype(a.dtype.newbyteorder()),
    "subclass": lambda a: np.ma.MaskedArray(a),
    "list": lambda a: a.tolist(),
}


@pytest.mark.parametrize("layout", LAYOUTS)
@pytest.mark.parametrize(("shape", "known"), [("?x?x", (2, 3)), ("2x3x", (2, 3)), ("?x", (6,))])
def test_layouts(twice, layout, shape, known):
    array = LAYOUTS[layout](np.arange(1.0, 7.0).reshape(known))
    before = np.array(array)
    (result,) = twice[shape]([array])
    np.testing.assert_array_equal(result, before + before, strict=True)
    np.testing.assert_array_equal(array, before)
    assert result.flags.writeable
    assert result.flags.c_contiguous


def test_read_only_arrays_work(twice):
    array = np.arange(3.0)
    array.flags.writeable = False
    assert twice["?x"]([array])[0].tolist() == [0, 2, 4]


@pytest.mark.parametrize(("shape", "known"), [("?x", (0,)), ("?x?x", (0, 3)), ("2x?x", (2, 0))])
def test_arrays_without_elements(twice, shape, known):
    (result,) = twice[shape]([np.empty(known)])
    assert result.shape == known


def test_rank_0(twice):
    (result,) = twice[""]([np.array(1.5)])
    assert isinstance(result, np.ndarray)
    assert result == 3


def test_three_dimensions(twice):
    array = np.arange(24.0).reshape(2, 3, 4)
    np.testing.assert_array_equal(twice["?x3x?x"]([array])[0], array * 2)
    np.testing.assert_array_equal(twice["?x3x?x"]([array.T.copy().T])[0], array * 2)


@pytest.mark.parametrize(
    ("shape", "argument", "message"),
    [
        ("?x", np.ones(3, np.float32), r"argument 0: expected float64\[\?\], got float32\[3\]"),
        ("?x", np.ones((2, 2)), r"expected float64\[\?\], got float64\[2, 2\]"),
        ("?x", 1.0, r"got float64\[\]"),
        ("3x", np.ones(4), r"expected float64\[3\], got float64\[4\]"),
        ("2x?x", np.ones((3, 3)), r"expected float64\[2, \?\]"),
        ("?x", np.ones(2, np.int64), "got int64"),
        ("?x", ["a"], "argument 0"),
    ],
)
def test_arrays_that_do_not_fit(twice, shape, argument, message):
    with pytest.raises(TypeError, match=message):
        twice[shape]([argument])


def test_scalars_that_do_not_fit(build):
    function = build("func.func @f(%x: i8) -> i8 { return %x : i8 }")
    assert function([-128]) == [-128]
    assert function([np.uint8(255)]) == [-1]
    for wrong in (255, np.int64(256), -129, 1.5, "1", None):
        with pytest.raises(TypeError, match="argument 0"):
            function([wrong])
    with pytest.raises(TypeError, match="expected 1 arguments, got 2"):
        function([1, 2])


def test_float_scalars(build):
    function = build("func.func @f(%x: f32) -> f32 { return %x : f32 }")
    assert function([1e300]) == [np.float32(np.inf)]
    assert function([np.array(2.0)]) == [2.0]
    assert function([3]) == [3.0]


def test_no_arguments_and_no_results(run):
    assert run("func.func @f() { return }") == []


SHARING = """
func.func @f(%x: tensor<?xf64>) -> (tensor<?xf64>, f64, tensor<?xf64>, tensor<?xf64>) {
  %s = arith.constant 2.5 : f64
  %r = arith.addf %x, %x : tensor<?xf64>
  return %r, %s, %r, %x : tensor<?xf64>, f64, tensor<?xf64>, tensor<?xf64>
}"""


@pytest.mark.parametrize("size", [0, 1, 4, 100_000])
def test_results_share_nothing(run, size):
    x = np.arange(float(size))
    first, scalar, second, third = run(SHARING, x)
    assert scalar == 2.5
    first += 1
    np.testing.assert_array_equal(second, x * 2)
    second += 1
    third += 1
    np.testing.assert_array_equal(x, np.arange(float(size)))


@pytest.mark.parametrize("size", [4, 100_000])
def test_results_outlive_the_executable(build, size):
    function = build(doubled("?x"))
    gone = weakref.ref(function)
    (result,) = function([np.ones(size)])
    del function
    assert gone() is None
    assert result.sum() == 2 * size


def test_the_call_keeps_the_code_alive(build):
    call = build(doubled("?x")).call
    gc.collect()
    assert call([np.ones(3)])[0].tolist() == [2, 2, 2]


def resident() -> int:
    with open("/proc/self/statm") as file:
        return int(file.read().split()[1]) * PAGE


needs_proc = pytest.mark.skipif(
    not os.path.exists("/proc/self/statm"), reason="needs Linux's /proc"
)


@needs_proc
def test_calls_do_not_leak(build):
    function = build(SHARING)
    small, big = np.ones(10), np.ones(50_000)
    for _ in range(200):
        function([big])
    before = resident()
    for _ in range(100_000):
        function([small])
    for _ in range(1000):
        function([big])
        function([big[::2]])
    assert resident() - before < 4_000_000


@needs_proc
def test_executables_do_not_leak(build):
    text = doubled("?x")
    for _ in range(40):
        build(text)([np.ones(3)])
    before = resident()
    for _ in range(70):
        build(text)([np.ones(3)])
    assert resident() - before < 4_000_000


def test_threads(build):
    function = build(doubled("?x"))
    wrong = []

    def work(number):
        x = np.full(1000 + number, float(number))
        for _ in range(300):
            (result,) = function([x])
            if result.shape != x.shape or (result != 2 * number).any():
                wrong.append(number)

    threads = [threading.Thread(target=work, args=(number,)) for number in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert not wrong


def test_other_threads_run_during_a_call(build):
    function = build("""
    func.func @f(%n: i64) -> i64 {
      %zero = arith.constant 0 : i64
      %one = arith.constant 1 : i64
      %r:2 = scf.while (%i = %zero, %s = %one) : (i64, i64) -> (i64, i64) {
        %more = arith.cmpi slt, %i, %n : i64
        scf.condition(%more) %i, %s : i64, i64
      } do {
      ^bb0(%i: i64, %s: i64):
        %j = arith.addi %i, %one : i64
        %t = arith.muli %s, %s : i64
        %u = arith.xori %t, %j : i64
        scf.yield %j, %u : i64, i64
      }
      return %r#1 : i64
    }""")
    done = threading.Event()
    ticks = 0
    thread = threading.Thread(target=lambda: (function([100_000_000]), done.set()))
    thread.start()
    while not done.wait(0.002):
        ticks += 1
    thread.join()
    assert ticks > 5
