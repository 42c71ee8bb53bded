"""Operations that change shapes, move elements or make arrays, static and dynamic."""

import numpy as np
import pytest

import agir as ag

M23 = np.arange(6, dtype=np.float32).reshape(2, 3)
M34 = np.arange(12, dtype=np.float32).reshape(3, 4)
M44 = np.arange(16.0).reshape(4, 4)

PAD = """
func.func @f(%x: tensor<?x3xf32>) -> tensor<?x?xf32> {
  %z = arith.constant 1.5 : f32
  %i = arith.constant 2 : index
  %r = tensor.pad %x low[1, %i] high[%i, 0] {
  ^bb0(%a: index, %b: index):
    tensor.yield %z : f32
  } : tensor<?x3xf32> to tensor<?x?xf32>
  return %r : tensor<?x?xf32>
}"""

RESHAPE = """
func.func @f(%x: tensor<?x?xf32>, %s: tensor<2xi64>)
    -> (tensor<?x?xf32>, tensor<?xf32>, tensor<?x?xf32>) {
  %zero = arith.constant 0 : index
  %two = arith.constant 2 : index
  %r = tensor.reshape %x(%s) : (tensor<?x?xf32>, tensor<2xi64>) -> tensor<?x?xf32>
  %flat = tensor.collapse_shape %x [[0, 1]] : tensor<?x?xf32> into tensor<?xf32>
  %n = tensor.dim %flat, %zero : tensor<?xf32>
  %m = arith.divui %n, %two : index
  %e = tensor.expand_shape %flat [[0, 1]] output_shape [%m, 2] : tensor<?xf32> into tensor<?x2xf32>
  %c = tensor.cast %e : tensor<?x2xf32> to tensor<?x?xf32>
  return %r, %flat, %c : tensor<?x?xf32>, tensor<?xf32>, tensor<?x?xf32>
}"""

GENERATE = """
func.func @f(%n: index) -> tensor<?xi64> {
  %r = tensor.generate %n {
  ^bb0(%i: index):
    %j = arith.index_cast %i : index to i64
    %k = arith.muli %j, %j : i64
    tensor.yield %k : i64
  } : tensor<?xi64>
  return %r : tensor<?xi64>
}"""

GATHER = """
#m = affine_map<(d0) -> (d0)>
func.func @f(%x: tensor<?xf32>, %i: tensor<?xi64>) -> tensor<?xf32> {
  %zero = arith.constant 0 : index
  %n = tensor.dim %i, %zero : tensor<?xi64>
  %e = tensor.empty(%n) : tensor<?xf32>
  %r = linalg.generic {indexing_maps = [#m, #m], iterator_types = ["parallel"]}
      ins(%i : tensor<?xi64>) outs(%e : tensor<?xf32>) {
  ^bb0(%a: i64, %o: f32):
    %j = arith.index_cast %a : i64 to index
    %v = tensor.extract %x[%j] : tensor<?xf32>
    linalg.yield %v : f32
  } -> tensor<?xf32>
  return %r : tensor<?xf32>
}"""

CONTRACT = """
#a = affine_map<(b, i, j, k) -> (b, i, k)>
#b = affine_map<(b, i, j, k) -> (k, j, b)>
#c = affine_map<(b, i, j, k) -> (b, i, j)>
func.func @f(%x: tensor<2x3x4xf32>, %y: tensor<4x5x2xf32>) -> tensor<2x3x5xf32> {
  %z = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<2x3x5xf32>
  %f = linalg.fill ins(%z : f32) outs(%e : tensor<2x3x5xf32>) -> tensor<2x3x5xf32>
  %r = linalg.contract indexing_maps = [#a, #b, #c]
      ins(%x, %y : tensor<2x3x4xf32>, tensor<4x5x2xf32>)
      outs(%f : tensor<2x3x5xf32>) -> tensor<2x3x5xf32>
  return %r : tensor<2x3x5xf32>
}"""

CONSTANTS = """
func.func @f() -> (tensor<3xf32>, tensor<3xf32>, tensor<2xi1>, tensor<0xf32>) {
  %c = arith.constant dense<[1., 2., 3.]> : tensor<3xf32>
  %b = arith.constant dense<[true, false]> : tensor<2xi1>
  %e = arith.constant dense<> : tensor<0xf32>
  return %c, %c, %b, %e : tensor<3xf32>, tensor<3xf32>, tensor<2xi1>, tensor<0xf32>
}"""

SLICE = """
func.func @f(%x: tensor<4x4xf64>) -> tensor<2x3xf64> {
  %s = tensor.extract_slice %x[1, 0][2, 3][1, 1] : tensor<4x4xf64> to tensor<2x3xf64>
  return %s : tensor<2x3xf64>
}"""

REVERSED_SLICE = """
func.func @f(%x: tensor<?xf64>, %start: index, %n: index) -> tensor<?xf64> {
  %s = tensor.extract_slice %x[%start][%n][-1] : tensor<?xf64> to tensor<?xf64>
  %t = arith.addf %s, %s : tensor<?xf64>
  return %t : tensor<?xf64>
}"""

INSERT_COLUMN = """
func.func @f(%x: tensor<4x4xf64>, %v: tensor<4xf64>, %j: index) -> tensor<4x4xf64> {
  %r = tensor.insert_slice %v into %x[0, %j][4, 1][1, 1] : tensor<4xf64> into tensor<4x4xf64>
  return %r : tensor<4x4xf64>
}"""

SPLAT = """
func.func @f(%x: tensor<?xf32>, %s: f32) -> tensor<?xf32> {
  %zero = arith.constant 0 : index
  %n = tensor.dim %x, %zero : tensor<?xf32>
  %b = tensor.splat %s[%n] : tensor<?xf32>
  %r = arith.divf %x, %b : tensor<?xf32>
  return %r : tensor<?xf32>
}"""

FROM_ELEMENTS = """
func.func @f(%a: f32, %b: f32) -> tensor<2x2xf32> {
  %r = tensor.from_elements %a, %b, %b, %a : tensor<2x2xf32>
  return %r : tensor<2x2xf32>
}"""

NORMALIZED_TRANSPOSED = """
func.func @f(%x: tensor<?x?xf32>) -> tensor<?x?xf32> {
  %zero = arith.constant 0 : index
  %one = arith.constant 1 : index
  %z = arith.constant 0.0 : f32
  %m = tensor.dim %x, %zero : tensor<?x?xf32>
  %n = tensor.dim %x, %one : tensor<?x?xf32>
  %e = tensor.empty(%m) : tensor<?xf32>
  %f = linalg.fill ins(%z : f32) outs(%e : tensor<?xf32>) -> tensor<?xf32>
  %s = linalg.reduce {arith.addf} ins(%x : tensor<?x?xf32>) outs(%f : tensor<?xf32>)
      dimensions = [1]
  %e2 = tensor.empty(%m, %n) : tensor<?x?xf32>
  %b = linalg.broadcast ins(%s : tensor<?xf32>) outs(%e2 : tensor<?x?xf32>) dimensions = [1]
  %r = arith.divf %x, %b : tensor<?x?xf32>
  %e3 = tensor.empty(%n, %m) : tensor<?x?xf32>
  %t = linalg.transpose ins(%r : tensor<?x?xf32>) outs(%e3 : tensor<?x?xf32>) permutation = [1, 0]
  return %t : tensor<?x?xf32>
}"""

SELECT = """
func.func @f(%p: tensor<?xi1>, %a: tensor<?xi32>, %b: tensor<?xi32>)
    -> (tensor<?xi32>, tensor<?xi1>) {
  %r = arith.select %p, %a, %b : tensor<?xi1>, tensor<?xi32>
  %c = arith.cmpi slt, %a, %b : tensor<?xi32>
  return %r, %c : tensor<?xi32>, tensor<?xi1>
}"""

ARGMAX = """
#m = affine_map<(d0) -> (d0)>
#r = affine_map<(d0) -> ()>
func.func @f(%x: tensor<?xf64>) -> (f64, i64) {
  %lowest = arith.constant 0xFFF0000000000000 : f64
  %zero = arith.constant 0 : i64
  %e = tensor.empty() : tensor<f64>
  %ei = tensor.empty() : tensor<i64>
  %f = linalg.fill ins(%lowest : f64) outs(%e : tensor<f64>) -> tensor<f64>
  %fi = linalg.fill ins(%zero : i64) outs(%ei : tensor<i64>) -> tensor<i64>
  %r:2 = linalg.generic {indexing_maps = [#m, #r, #r], iterator_types = ["reduction"]}
      ins(%x : tensor<?xf64>) outs(%f, %fi : tensor<f64>, tensor<i64>) {
  ^bb0(%a: f64, %b: f64, %c: i64):
    %i = linalg.index 0 : index
    %j = arith.index_cast %i : index to i64
    %p = arith.cmpf ogt, %a, %b : f64
    %v = arith.select %p, %a, %b : f64
    %w = arith.select %p, %j, %c : i64
    linalg.yield %v, %w : f64, i64
  } -> (tensor<f64>, tensor<i64>)
  %v = tensor.extract %r#0[] : tensor<f64>
  %w = tensor.extract %r#1[] : tensor<i64>
  return %v, %w : f64, i64
}"""

COMPLEX_MAP = """
func.func @f(%a: tensor<?xcomplex<f32>>, %b: tensor<?xcomplex<f32>>) -> tensor<?xcomplex<f32>> {
  %zero = arith.constant 0 : index
  %n = tensor.dim %a, %zero : tensor<?xcomplex<f32>>
  %e = tensor.empty(%n) : tensor<?xcomplex<f32>>
  %r = linalg.map {complex.mul} ins(%a, %b : tensor<?xcomplex<f32>>, tensor<?xcomplex<f32>>)
      outs(%e : tensor<?xcomplex<f32>>)
  return %r : tensor<?xcomplex<f32>>
}"""

Z = np.array([1 + 2j, 3j], np.complex64)
E234 = np.arange(24, dtype=np.float32).reshape(2, 3, 4)
E452 = np.arange(40, dtype=np.float32).reshape(4, 5, 2)
WITH_COLUMN = M44.copy()
WITH_COLUMN[:, 2] = 7


@pytest.mark.parametrize(
    ("text", "arguments", "expected"),
    [
        pytest.param(
            PAD,
            (M23,),
            [np.pad(M23, ((1, 2), (2, 0)), constant_values=1.5)],
            id="pad",
        ),
        pytest.param(
            RESHAPE,
            (M34, np.array([2, 6])),
            [M34.reshape(2, 6), M34.ravel(), M34.reshape(6, 2)],
            id="reshape",
        ),
        pytest.param(GENERATE, (5,), [np.arange(5) ** 2], id="generate"),
        pytest.param(GENERATE, (0,), [np.arange(0)], id="generate-nothing"),
        pytest.param(
            GATHER,
            (M34.ravel(), np.array([3, 1, 1])),
            [M34.ravel()[[3, 1, 1]]],
            id="gather",
        ),
        pytest.param(CONTRACT, (E234, E452), [np.einsum("bik,kjb->bij", E234, E452)], id="einsum"),
        pytest.param(
            CONSTANTS,
            (),
            [M34[0, 1:], M34[0, 1:], np.array([True, False]), M34[0, :0]],
            id="constants",
        ),
        pytest.param(SLICE, (M44,), [M44[1:3, :3]], id="slice"),
        pytest.param(REVERSED_SLICE, (M44[0], 3, 3), [2 * M44[0, :0:-1]], id="reversed-slice"),
        pytest.param(INSERT_COLUMN, (M44, np.full(4, 7.0), 2), [WITH_COLUMN], id="insert-column"),
        pytest.param(SPLAT, (M34[0], 2.0), [M34[0] / 2], id="splat"),
        pytest.param(
            FROM_ELEMENTS,
            (1.0, 2.0),
            [np.array([[1, 2], [2, 1]], np.float32)],
            id="from-elements",
        ),
        pytest.param(
            NORMALIZED_TRANSPOSED,
            (1 + M23,),
            [((1 + M23) / (1 + M23).sum(1, keepdims=True)).T],
            id="reduce-broadcast-transpose",
        ),
        pytest.param(
            SELECT,
            (np.array([True, False]), np.array([1, 2], np.int32), np.array([3, 0], np.int32)),
            [np.array([1, 0], np.int32), np.array([True, False])],
            id="select",
        ),
        pytest.param(ARGMAX, (np.array([1.0, 5, 2]),), [5.0, 1], id="argmax"),
        pytest.param(COMPLEX_MAP, (Z, Z.conj()), [np.array([5, 9], np.complex64)], id="complex"),
    ],
)
def test_program(run, text, arguments, expected):
    results = run(text, *arguments)
    assert len(results) == len(expected)
    for result, value in zip(results, expected, strict=True):
        np.testing.assert_allclose(result, value, rtol=1e-6, strict=np.ndim(value) > 0)


@pytest.mark.parametrize("jit_compile", [None, False])
@pytest.mark.parametrize("rank", [33, 64])
def test_arrays_of_as_many_dimensions_as_numpy_has(rank, jit_compile):
    def f(x):
        return x * 2, np.exp(x) + x, x.sum(), x[0]

    x = np.ones((1,) * rank)
    for found, wanted in zip(ag.jit(f, jit_compile=jit_compile)(x), f(x), strict=True):
        np.testing.assert_allclose(found, wanted, strict=True)
