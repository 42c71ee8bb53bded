"""What the passes do to the program, read from the text of its stages."""

from __future__ import annotations

import re

import numpy as np
import pytest

MATRIX = "tensor<?x?xf32>"


def inside_loops(text: str) -> str:
    """The text from the first loop to the return."""
    return text[re.search(r"scf\.(for|while)", text).start() : text.rindex("return")]


IN_PLACE_FOR = """
func.func @f(%x: tensor<?xf64>, %n: index) -> tensor<?xf64> {
  %zero = arith.constant 0 : index
  %one = arith.constant 1 : index
  %c = arith.constant 0.0 : f64
  %r = scf.for %i = %zero to %n step %one iter_args(%v = %x) -> tensor<?xf64> {
    %a = tensor.extract %v[%i] : tensor<?xf64>
    %p = arith.cmpf olt, %a, %c : f64
    %w = scf.if %p -> tensor<?xf64> {
      %b = arith.mulf %a, %a : f64
      %u = tensor.insert %b into %v[%i] : tensor<?xf64>
      scf.yield %u : tensor<?xf64>
    } else {
      scf.yield %v : tensor<?xf64>
    }
    scf.yield %w : tensor<?xf64>
  }
  return %r : tensor<?xf64>
}"""

IN_PLACE_WHILE = """
func.func @f(%x: tensor<1000xf32>, %n: i64) -> tensor<1000xf32> {
  %zero = arith.constant 0 : i64
  %one = arith.constant 1 : i64
  %r:2 = scf.while (%v = %x, %i = %zero) : (tensor<1000xf32>, i64) -> (tensor<1000xf32>, i64) {
    %more = arith.cmpi slt, %i, %n : i64
    scf.condition(%more) %v, %i : tensor<1000xf32>, i64
  } do {
  ^bb0(%v: tensor<1000xf32>, %i: i64):
    %w = arith.addf %v, %v : tensor<1000xf32>
    %j = arith.addi %i, %one : i64
    scf.yield %w, %j : tensor<1000xf32>, i64
  }
  return %r#0 : tensor<1000xf32>
}"""

STENCIL = """
func.func @f(%x: tensor<100xf64>, %y: tensor<100xf64>, %n: index)
    -> (tensor<100xf64>, tensor<100xf64>) {
  %zero = arith.constant 0 : index
  %one = arith.constant 1 : index
  %half = arith.constant 0.5 : f64
  %r:2 = scf.for %i = %zero to %n step %one iter_args(%a = %x, %b = %y)
      -> (tensor<100xf64>, tensor<100xf64>) {
    %a0 = tensor.extract_slice %a[0][98][1] : tensor<100xf64> to tensor<98xf64>
    %a2 = tensor.extract_slice %a[2][98][1] : tensor<100xf64> to tensor<98xf64>
    %ac = tensor.extract_slice %a[1][98][1] : tensor<100xf64> to tensor<98xf64>
    %sc = arith.addf %a0, %a2 : tensor<98xf64>
    %s = arith.addf %sc, %ac : tensor<98xf64>
    %h = tensor.splat %half : tensor<98xf64>
    %m = arith.mulf %s, %h : tensor<98xf64>
    %b1 = tensor.insert_slice %m into %b[1][98][1] : tensor<98xf64> into tensor<100xf64>
    %b0 = tensor.extract_slice %b1[0][98][1] : tensor<100xf64> to tensor<98xf64>
    %b2 = tensor.extract_slice %b1[2][98][1] : tensor<100xf64> to tensor<98xf64>
    %bc = tensor.extract_slice %b1[1][98][1] : tensor<100xf64> to tensor<98xf64>
    %tc = arith.addf %b0, %b2 : tensor<98xf64>
    %t = arith.addf %tc, %bc : tensor<98xf64>
    %g = tensor.splat %half : tensor<98xf64>
    %k = arith.mulf %t, %g : tensor<98xf64>
    %a1 = tensor.insert_slice %k into %a[1][98][1] : tensor<98xf64> into tensor<100xf64>
    scf.yield %a1, %b1 : tensor<100xf64>, tensor<100xf64>
  }
  return %r#0, %r#1 : tensor<100xf64>, tensor<100xf64>
}"""


@pytest.mark.parametrize("text", [IN_PLACE_FOR, IN_PLACE_WHILE, STENCIL])
def test_loops_update_in_place(lower, text):
    bufferized = lower(text, "bufferized")
    loop = inside_loops(bufferized)
    assert "memref.alloc" not in loop
    assert "copy" not in loop
    # each argument that changes is copied once, for it belongs to the caller
    copies = len(re.findall(r"memref\.copy %arg", bufferized))
    assert copies == bufferized.count("memref.copy") == bufferized.count("memref.alloc(")


def test_in_place_loops_compute_the_right_thing(run):
    x = np.array([1.0, -2, 3, -4])
    assert run(IN_PLACE_FOR, x, 4)[0].tolist() == [1, 4, 3, 16]
    assert run(IN_PLACE_WHILE, np.ones(1000, np.float32), 5)[0].tolist() == [32.0] * 1000
    a, b = np.sin(np.arange(100.0)), np.cos(np.arange(100.0))
    got_a, got_b = run(STENCIL, a, b, 7)
    for _ in range(7):
        b[1:-1] = (a[:-2] + a[2:] + a[1:-1]) * 0.5
        a[1:-1] = (b[:-2] + b[2:] + b[1:-1]) * 0.5
    np.testing.assert_array_equal(got_a, a)
    np.testing.assert_array_equal(got_b, b)


TEMPORARY_IN_LOOP = """
func.func @f(%x: tensor<SIZExf64>, %n: index) -> f64 {
  %zero = arith.constant 0 : index
  %one = arith.constant 1 : index
  %z = arith.constant 0.0 : f64
  %r = scf.for %i = %zero to %n step %one iter_args(%s = %z) -> f64 {
    %e = tensor.splat %s : tensor<SIZExf64>
    %y = arith.addf %x, %e : tensor<SIZExf64>
    %q = math.sqrt %y : tensor<SIZExf64>
    %u = tensor.extract %q[%i] : tensor<SIZExf64>
    %v = tensor.extract %q[%zero] : tensor<SIZExf64>
    %w = arith.addf %u, %v : f64
    scf.yield %w : f64
  }
  return %r : f64
}"""


@pytest.mark.parametrize(("size", "on_stack"), [(10, True), (100_000, False)])
def test_buffers_of_one_iteration_are_made_before_the_loop(lower, run, size, on_stack):
    text = TEMPORARY_IN_LOOP.replace("SIZE", str(size))
    bufferized = lower(text, "bufferized")
    assert "memref.alloc" not in inside_loops(bufferized)
    assert ("memref.alloca(" in bufferized) == on_stack
    assert bufferized.count("memref.dealloc") == (not on_stack)
    total, x = 0.0, np.arange(float(size))
    for i in range(10):
        total = np.sqrt(x[i] + total) + np.sqrt(x[0] + total)
    assert run(text, x, 10)[0] == pytest.approx(total)


def test_the_stack_of_a_function_is_bounded(lower):
    parts = "".join(
        f"""
  %p{i} = math.sqrt %x : tensor<3000xf64>
  %s{i} = math.sin %p{i} : tensor<3000xf64>
  %e{i} = tensor.extract %p{i}[%n] : tensor<3000xf64>
  %g{i} = tensor.extract %s{i}[%n] : tensor<3000xf64>
  %t{i} = arith.addf %e{i}, %g{i} : f64
  %r{i + 1} = arith.addf %r{i}, %t{i} : f64"""
        for i in range(4)
    )
    text = f"""func.func @f(%x: tensor<3000xf64>, %n: index, %r0: f64) -> f64 {{{parts}
  return %r4 : f64
}}"""
    bufferized = lower(text, "bufferized")
    stack = len(re.findall(r"memref\.alloca\(", bufferized))
    assert 0 < stack * 3000 * 8 <= 64 * 1024


FLOOR = """
func.func @f(%x: tensor<?xKIND>) -> (tensor<?xKIND>, tensor<?xKIND>) {
  %zero = arith.constant 0 : index
  %n = tensor.dim %x, %zero : tensor<?xKIND>
  %d = arith.constant DIVISOR : KIND
  %y = tensor.splat %d[%n] : tensor<?xKIND>
  %q = arith.floordivsi %x, %y : tensor<?xKIND>
  %m = arith.muli %q, %y : tensor<?xKIND>
  %r = arith.subi %x, %m : tensor<?xKIND>
  return %q, %r : tensor<?xKIND>, tensor<?xKIND>
}"""


@pytest.mark.parametrize("kind", ["i8", "i32", "i64"])
@pytest.mark.parametrize("divisor", [1, 2, 16, 3, -2])
def test_floor_division_by_constants(lower, run, kind, divisor):
    text = FLOOR.replace("KIND", kind).replace("DIVISOR", str(divisor))
    optimized = lower(text, "optimized_hlo")
    power_of_two = divisor in (1, 2, 16)
    assert ("floordivsi" in optimized) != power_of_two
    x = np.arange(-70, 70).astype(f"int{kind[1:]}")
    quotient, remainder = run(text, x)
    np.testing.assert_array_equal(quotient, x // divisor)
    np.testing.assert_array_equal(remainder, x % divisor)


def test_remainders_of_powers_of_two_are_masks(lower):
    text = """
    func.func @f(%x: i64) -> i64 {
      %eight = arith.constant 8 : i64
      %q = arith.floordivsi %x, %eight : i64
      %m = arith.muli %q, %eight : i64
      %r = arith.subi %x, %m : i64
      return %r : i64
    }"""
    body = lower(text, "asm").partition("\nf:\n")[2].partition("ret")[0]
    assert re.search(r"and +\w+, 7", body)
    assert not re.search("sar|shl|sub|idiv", body)


TESTED = """
func.func @f(%x: KIND) -> (i1, i1) {
  %d = arith.constant DIVISOR : KIND
  %zero = arith.constant 0 : KIND
  %q = arith.floordivsi %x, %d : KIND
  %m = arith.muli %q, %d : KIND
  %r = arith.subi %x, %m : KIND
  %whole = arith.cmpi eq, %r, %zero : KIND
  %rest = arith.cmpi ne, %r, %zero : KIND
  return %whole, %rest : i1, i1
}"""


@pytest.mark.parametrize("kind", ["i8", "i32", "i64"])
@pytest.mark.parametrize("divisor", [1, 2, 3, 7, -1, -3])
def test_whether_a_remainder_is_zero(lower, run, kind, divisor):
    text = TESTED.replace("KIND", kind).replace("DIVISOR", str(divisor))
    assert ("remsi" in lower(text, "optimized_hlo")) == (divisor > 1)
    dtype = np.dtype(f"int{kind[1:]}")
    least, most = np.iinfo(dtype).min, np.iinfo(dtype).max
    for x in (least, least + 1, -7, -3, -2, -1, 0, 1, 2, 3, 7, 21, most - 1, most):
        whole, rest = run(text, dtype.type(x))
        assert (whole, rest) == (int(x) % divisor == 0, int(x) % divisor != 0)


@pytest.mark.parametrize(
    "other",
    [
        "%s = arith.addi %r, %q : i64",
        "%s = arith.addi %r, %r : i64",
        "%s = arith.muli %m, %m : i64",
    ],
)
def test_a_remainder_that_is_used_otherwise_stays(lower, run, other):
    text = f"""
    func.func @f(%x: i64) -> (i1, i64) {{
      %d = arith.constant 3 : i64
      %zero = arith.constant 0 : i64
      %q = arith.floordivsi %x, %d : i64
      %m = arith.muli %q, %d : i64
      %r = arith.subi %x, %m : i64
      %t = arith.cmpi eq, %r, %zero : i64
      {other}
      return %t, %s : i1, i64
    }}"""
    assert "remsi" not in lower(text, "optimized_hlo")
    for x in (-7, -6, 0, 5, 6):
        q, r = divmod(x, 3)
        expected = {"%r, %q": r + q, "%r, %r": r + r, "%m, %m": (3 * q) ** 2}
        found = run(text, np.int64(x))
        assert found[0] == (r == 0)
        assert found[1] == next(value for names, value in expected.items() if names in other)


SHARED_FILL = """
func.func @f(%x: tensor<?xf32>, %n: index) -> tensor<?xf32> {
  %zero = arith.constant 0 : index
  %one = arith.constant 1 : index
  %c = arith.constant 0.5 : f32
  %m = tensor.dim %x, %zero : tensor<?xf32>
  %h = tensor.splat %c[%m] : tensor<?xf32>
  %y = arith.addf %x, %h : tensor<?xf32>
  %r = scf.for %i = %zero to %n step %one iter_args(%v = %y) -> tensor<?xf32> {
    %w = arith.mulf %v, %h : tensor<?xf32>
    scf.yield %w : tensor<?xf32>
  }
  return %r : tensor<?xf32>
}"""


def test_fills_become_constants_of_loop_bodies(lower, run):
    assert "linalg.fill" not in lower(SHARED_FILL, "optimized_hlo")
    (result,) = run(SHARED_FILL, np.arange(4, dtype=np.float32), 2)
    np.testing.assert_array_equal(result, (np.arange(4, dtype=np.float32) + 0.5) * 0.25)


def rows(operation: str) -> str:
    """A value for each row, used all along the row."""
    return f"""
func.func @f(%x: tensor<?xf32>, %y: {MATRIX}) -> {MATRIX} {{
  %zero = arith.constant 0 : index
  %one = arith.constant 1 : index
  %m = tensor.dim %y, %zero : {MATRIX}
  %n = tensor.dim %y, %one : {MATRIX}
  %v = {operation} : tensor<?xf32>
  %e = tensor.empty(%m, %n) : {MATRIX}
  %b = linalg.broadcast ins(%v : tensor<?xf32>) outs(%e : {MATRIX}) dimensions = [1]
  %r = arith.mulf %y, %b : {MATRIX}
  return %r : {MATRIX}
}}"""


def test_costly_values_are_computed_once(lower, run):
    cheap, costly = rows("arith.addf %x, %x"), rows("math.exp %x")
    assert lower(cheap, "optimized_hlo").count("linalg.generic") == 1
    assert lower(costly, "optimized_hlo").count("linalg.generic") == 2
    assert "dealloc_tensor" not in lower(costly, "optimized_hlo")
    x, y = np.arange(3, dtype=np.float32), np.ones((3, 2), np.float32)
    np.testing.assert_allclose(run(costly, x, y)[0], np.exp(x)[:, None] * y, rtol=1e-6)


CHAIN = f"""
func.func @f(%x: {MATRIX}) -> {MATRIX} {{
  %a = arith.addf %x, %x : {MATRIX}
  %b = math.exp %a : {MATRIX}
  %c = arith.mulf %b, %a : {MATRIX}
  %d = math.tanh %c : {MATRIX}
  return %d : {MATRIX}
}}"""


def test_chains_become_one_loop(lower):
    text = CHAIN.replace("%c = arith.mulf %b, %a", "%c = arith.mulf %b, %b")
    for kind in (MATRIX, "tensor<4x4xf32>"):
        assert lower(text.replace(MATRIX, kind), "optimized_hlo").count("linalg.generic") == 1


PRODUCT = f"""
func.func @f(%x: {MATRIX}, %y: {MATRIX}) -> {MATRIX} {{
  %zero = arith.constant 0 : index
  %one = arith.constant 1 : index
  %z = arith.constant 0.0 : f32
  %m = tensor.dim %x, %zero : {MATRIX}
  %n = tensor.dim %y, %one : {MATRIX}
  %a = math.exp %x : {MATRIX}
  %e = tensor.empty(%m, %n) : {MATRIX}
  %f = linalg.fill ins(%z : f32) outs(%e : {MATRIX}) -> {MATRIX}
  %r = linalg.matmul ins(%a, %y : {MATRIX}, {MATRIX}) outs(%f : {MATRIX}) -> {MATRIX}
  return %r : {MATRIX}
}}"""


def test_products_run_along_rows(lower, run):
    assert "linalg.matmul" in lower(PRODUCT, "optimized_hlo")
    inner = lower(PRODUCT, "loops").rpartition("scf.for")[2]
    counter, row = re.match(r" %(\w+) = .*?%arg1\[%\w+, %(\w+)\]", inner, re.DOTALL).groups()
    assert counter == row
    x, y = np.ones((5, 3), np.float32), np.arange(12, dtype=np.float32).reshape(3, 4)
    np.testing.assert_allclose(run(PRODUCT, x, y)[0], np.exp(x) @ y, rtol=1e-6)


def total(combiner: str, initial: str, kind: str = "f32") -> str:
    return f"""
func.func @f(%x: tensor<?x{kind}>) -> {kind} {{
  %z = arith.constant {initial} : {kind}
  %e = tensor.empty() : tensor<{kind}>
  %f = linalg.fill ins(%z : {kind}) outs(%e : tensor<{kind}>) -> tensor<{kind}>
  %r = linalg.reduce {{{combiner}}} ins(%x : tensor<?x{kind}>) outs(%f : tensor<{kind}>)
      dimensions = [0]
  %s = tensor.extract %r[] : tensor<{kind}>
  return %s : {kind}
}}"""


def test_sums_use_vectors(lower, run):
    text = total("arith.addf", "-0.0")
    assert "fastmath<reassoc,contract>" in lower(text, "loops")
    body = lower(text, "asm").partition("\nf:\n")[2].partition("\n_mlir_f:")[0]
    assert re.search(r"vaddps +[yz]mm|fadd +v\d+\.4s", body)
    x = np.random.default_rng(0).random(10_000, np.float32)
    assert run(text, x)[0] == pytest.approx(x.sum(dtype=np.float64), rel=1e-5)


def test_sums_keep_special_values(run):
    text = total("arith.addf", "-0.0")
    for size in (1, 7, 64, 1000):
        zeros = np.full(size, -0.0, np.float32)
        assert np.signbit(run(text, zeros)[0])
        zeros[-1] = 0
        assert not np.signbit(run(text, zeros)[0])
        zeros[size // 2] = np.inf
        assert run(text, zeros) == [np.inf]
        zeros[0] = np.nan
        assert np.isnan(run(text, zeros)[0])


@pytest.mark.parametrize(
    ("text", "stage"),
    [(CHAIN, "loops"), (STENCIL, "loops"), (total("arith.maximumf", "0.0"), "loops")],
)
def test_nothing_else_has_fast_math(lower, text, stage):
    assert "fastmath" not in lower(text, stage)


INVARIANT = """
func.func @f(%x: tensor<?xf64>, %y: tensor<?xf64>, %n: index, %m: index) -> tensor<?xf64> {
  %zero = arith.constant 0 : index
  %one = arith.constant 1 : index
  %r = scf.for %i = %zero to %n step %one iter_args(%v = %x) -> tensor<?xf64> {
    %w = scf.for %j = %zero to %m step %one iter_args(%u = %v) -> tensor<?xf64> {
      %e = math.exp %y : tensor<?xf64>
      %a = tensor.extract %y[%n] : tensor<?xf64>
      %s = math.sqrt %e : tensor<?xf64>
      %t = arith.addf %u, %s : tensor<?xf64>
      %b = tensor.insert %a into %t[%zero] : tensor<?xf64>
      scf.yield %b : tensor<?xf64>
    }
    scf.yield %w : tensor<?xf64>
  }
  return %r : tensor<?xf64>
}"""


def test_invariant_arrays_are_computed_before_the_loop(lower, run):
    optimized = lower(INVARIANT, "optimized_hlo")
    assert "math.exp" in optimized.partition("scf.for")[0]
    assert "math" not in inside_loops(optimized)
    assert "tensor.extract " in inside_loops(optimized)
    x, y = np.arange(4.0), np.linspace(0, 1, 4)
    expected = x.copy()
    for _ in range(6):
        expected += np.sqrt(np.exp(y))
        expected[0] = y[2]
    np.testing.assert_allclose(run(INVARIANT, x, y, 2, 3)[0], expected)
    np.testing.assert_array_equal(run(INVARIANT, x[:0], y[:0], 0, 1 << 40)[0], x[:0])


PRIVATE = """
func.func private @double(%x: f64) -> f64 {
  %r = arith.addf %x, %x : f64
  return %r : f64
}
func.func @f(%x: f64) -> f64 {
  %a = func.call @double(%x) : (f64) -> f64
  %b = func.call @double(%a) : (f64) -> f64
  return %b : f64
}"""


def test_private_functions_are_inlined(lower):
    optimized = lower(PRIVATE, "optimized_hlo")
    assert "call" not in optimized
    assert optimized.count("func.func") == 1


def test_shared_empty_tensors_do_not_make_bufferization_slow(lower):
    parts = "".join(
        f"""
  %a{i} = math.sin %v{i} : tensor<8xf32>
  %e{i} = tensor.empty() : tensor<4xf32>
  %s{i} = tensor.extract_slice %a{i}[{i % 5}][4][1] : tensor<8xf32> to tensor<4xf32>
  %c{i} = linalg.copy ins(%s{i} : tensor<4xf32>) outs(%e{i} : tensor<4xf32>) -> tensor<4xf32>
  %v{i + 1} = tensor.concat dim(0) %c{i}, %s{i} : (tensor<4xf32>, tensor<4xf32>) -> tensor<8xf32>"""
        for i in range(60)
    )
    text = f"""func.func @f(%v0: tensor<8xf32>) -> tensor<8xf32> {{{parts}
  return %v60 : tensor<8xf32>
}}"""
    assert "memref" in lower(text, "bufferized")


TWO_BUFFERS = """
func.func @f(%n: index) -> i64 {
  %zero = arith.constant 0 : index
  %one = arith.constant 1 : index
  %four = arith.constant 4 : index
  %c = arith.constant 0 : i64
  %a = tensor.empty(%four) : tensor<?xi64>
  %b = tensor.empty(%four) : tensor<?xi64>
  %r:4 = scf.while (%i = %zero, %s = %c, %v = %a, %w = %b)
      : (index, i64, tensor<?xi64>, tensor<?xi64>) -> (index, i64, tensor<?xi64>, tensor<?xi64>) {
    %more = arith.cmpi ult, %i, %four : index
    scf.condition(%more) %i, %s, %v, %w : index, i64, tensor<?xi64>, tensor<?xi64>
  } do {
  ^bb0(%i: index, %s: i64, %v: tensor<?xi64>, %w: tensor<?xi64>):
    %next = arith.addi %i, %one : index
    %number = arith.index_cast %i : index to i64
    %after = arith.index_cast %next : index to i64
    %x = tensor.insert %number into %v[%i] : tensor<?xi64>
    %y = tensor.insert %after into %w[%i] : tensor<?xi64>
    %p = tensor.extract %x[%i] : tensor<?xi64>
    %q = arith.addi %s, %p : i64
    scf.yield %next, %q, %x, %y : index, i64, tensor<?xi64>, tensor<?xi64>
  }
  return %r#1 : i64
}"""


def test_equal_empty_arrays_of_unknown_length_stay_apart(run):
    assert run(TWO_BUFFERS, 0)[0] == 0 + 1 + 2 + 3


FILLS = """
func.func @f(%x: tensor<?xf64>, %m: index, %n: index) -> f64 {
  %zero = arith.constant 0 : index
  %one = arith.constant 1 : index
  %begin = arith.constant 2.5 : f64
  %e = tensor.splat %begin[%m] : tensor<?xf64>
  %r:2 = scf.for %i = %zero to %n step %one iter_args(%v = %e, %s = %begin)
      -> (tensor<?xf64>, f64) {
    %w = tensor.splat %begin[%m] : tensor<?xf64>
    %u = scf.for %j = %zero to %i step %one iter_args(%k = %w) -> tensor<?xf64> {
      %a = tensor.extract %x[%j] : tensor<?xf64>
      %b = tensor.extract %v[%j] : tensor<?xf64>
      %c = arith.addf %a, %b : f64
      %d = tensor.insert %c into %k[%j] : tensor<?xf64>
      scf.yield %d : tensor<?xf64>
    }
    %p = tensor.extract %u[%zero] : tensor<?xf64>
    %q = arith.addf %s, %p : f64
    %o = tensor.insert %q into %v[%i] : tensor<?xf64>
    scf.yield %o, %q : tensor<?xf64>, f64
  }
  return %r#1 : f64
}"""


def test_equal_fills_of_unknown_length_stay_apart(lower, run):
    text = lower(FILLS, "bufferized")
    assert text.count("linalg.fill") == text.count("memref.alloc(") == 2
    assert "memref.copy" not in text
    x, total, v = np.arange(1.0, 5.0), 2.5, [2.5] * 4
    for i in range(4):
        total += x[0] + v[0] if i else 2.5
        v[i] = total
    assert run(FILLS, x, 4, 4) == [total]


SPLATS = """
func.func @f(%x: tensor<4000xf64>, %n: index) -> (tensor<4000xf64>, tensor<4000xf64>) {
  %zero = arith.constant 0 : index
  %one = arith.constant 1 : index
  %begin = arith.constant dense<2.5> : tensor<4000xf64>
  %r = scf.for %i = %zero to %n step %one iter_args(%v = %begin) -> tensor<4000xf64> {
    %a = tensor.extract %x[%i] : tensor<4000xf64>
    %u = tensor.insert %a into %v[%i] : tensor<4000xf64>
    scf.yield %u : tensor<4000xf64>
  }
  return %r, %begin : tensor<4000xf64>, tensor<4000xf64>
}"""


def test_arrays_of_equal_numbers_are_filled(build, lower):
    text = lower(SPLATS, "bufferized")
    assert text.count("linalg.fill") == 2
    assert "memref.global" not in text
    assert "memref.copy" not in text
    x = np.arange(4000.0)
    changed, begin = build(SPLATS)([x, 3])
    np.testing.assert_array_equal(begin, np.full(4000, 2.5))
    np.testing.assert_array_equal(changed, np.concatenate([x[:3], begin[3:]]))


ROWS = """
func.func @f(%x: tensor<64x{width}xf32>, %b: tensor<{width}xf32>) -> tensor<64x{width}xf32> {{
  %e = tensor.empty() : tensor<64x{width}xf32>
  %r = linalg.generic {{indexing_maps = [affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> (j)>,
      affine_map<(i, j) -> (i, j)>], iterator_types = ["parallel", "parallel"]}}
      ins(%x, %b : tensor<64x{width}xf32>, tensor<{width}xf32>) outs(%e : tensor<64x{width}xf32>) {{
  ^bb0(%one: f32, %other: f32, %out: f32):
    %p = arith.mulf %one, %other : f32
    linalg.yield %p : f32
  }} -> tensor<64x{width}xf32>
  return %r : tensor<64x{width}xf32>
}}"""


@pytest.mark.parametrize("width", [4, 16, 32, 64, 100])
def test_short_rows_stay_loops(lower, run, width):
    """LLVM would write out a row of 32 elements, and vectorise the loop over rows instead.

    A row of 4 elements is written out; then it is the loop over 64 rows that stays.
    """
    text = ROWS.format(width=width)
    assert ("unroll" in lower(text, "llvm")) == (width <= 64)
    assert ("llvm.loop.unroll.disable" in lower(text, "llvm_ir")) == (width <= 64)
    x, b = np.ones((64, width), np.float32), np.arange(float(width), dtype=np.float32)
    np.testing.assert_array_equal(run(text, x, b)[0], x * b)
