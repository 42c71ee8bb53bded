from __future__ import annotations

import re

import numpy as np
import pytest

from agir.backends.reference import UndefinedBehaviour

from .interpret import DTYPES, Case, assert_same, run

MATRIX = np.arange(12, dtype=np.float32).reshape(3, 4)
VECTOR = np.array([5, 6, 7], np.int32)


def program(line: str, *arguments: object, types: str, result: str, expected: object) -> Case:
    """One operation: ``%r = line``, with parameters %0, %1, … of the types given."""
    names = [f"%a{index}: {type_}" for index, type_ in enumerate(types.split("; ")) if type_]
    body = re.sub(r"%([0-9])", r"%a\1", line)
    header = f"func.func @f({', '.join(names)}) -> {result}"
    text = f"{header} {{\n  %r = {body}\n  return %r : {result}\n}}"
    return Case(text, arguments, (expected,))


def gather(line: str, types: str, result: str, indices: object, expected: object) -> Case:
    return program(
        line,
        MATRIX,
        np.array(indices, np.int64),
        types=f"tensor<3x4xf32>; {types}",
        result=result,
        expected=expected,
    )


def updated(index: object, value: object) -> np.ndarray:
    result = MATRIX.copy()
    result[index] = value
    return result


IOTA_PROGRAM = """tensor.generate %0 {
  ^bb0(%i: index, %j: index):
    %s = arith.muli %i, %j : index
    tensor.yield %s : index
  } : tensor<?x3xindex>"""
BRANCHING_GENERATE = """tensor.generate %0 {
  ^bb0(%i: index):
    %one = arith.constant 1 : index
    %c = arith.cmpi eq, %i, %one : index
    %s = scf.if %c -> index { scf.yield %one : index } else { scf.yield %i : index }
    tensor.yield %s : index
  } : tensor<?xindex>"""
PAD = """tensor.pad %0 nofold low[1, %1] high[0, 2] {
  ^bb0(%i: index, %j: index):
    %z = arith.constant 9.0 : f32
    tensor.yield %z : f32
  } : tensor<3x4xf32> to tensor<4x?xf32>"""
MIRROR_PAD = """tensor.pad %0 low[1] high[0] {
  ^bb0(%i: index):
    %one = arith.constant 1 : index
    %k = arith.subi %one, %i : index
    %z = tensor.extract %0[%k] : tensor<3xi32>
    tensor.yield %z : i32
  } : tensor<3xi32> to tensor<4xi32>"""
F8 = np.array([1.5], DTYPES["bf16"])

CASES = [
    program(
        "tensor.empty() : tensor<2xf32>",
        types="",
        result="tensor<2xf32>",
        expected=np.full(2, np.nan, np.float32),
    ),
    program(
        "tensor.empty(%0) : tensor<?xi8>",
        2,
        types="index",
        result="tensor<?xi8>",
        expected=np.full(2, -128, np.int8),
    ),
    program(
        "tensor.splat %0[%1] : tensor<2x?xf64>",
        1.5,
        3,
        types="f64; index",
        result="tensor<2x?xf64>",
        expected=np.full((2, 3), 1.5),
    ),
    program(
        "tensor.from_elements %0, %1 : tensor<2x1xi1>",
        True,
        False,
        types="i1; i1",
        result="tensor<2x1xi1>",
        expected=np.array([[True], [False]]),
    ),
    program(
        "tensor.from_elements %0 : tensor<f32>",
        1.5,
        types="f32",
        result="tensor<f32>",
        expected=np.array(1.5, np.float32),
    ),
    program(
        "tensor.extract %0[%1, %2] : tensor<?x4xf32>",
        MATRIX,
        1,
        2,
        types="tensor<?x4xf32>; index; index",
        result="f32",
        expected=np.float32(6),
    ),
    program(
        "tensor.extract %0[] : tensor<bf16>",
        F8[0:1].reshape(()),
        types="tensor<bf16>",
        result="bf16",
        expected=F8[0],
    ),
    program(
        "tensor.insert %1 into %0[%2, %2] : tensor<3x4xf32>",
        MATRIX,
        -1.0,
        2,
        types="tensor<3x4xf32>; f32; index",
        result="tensor<3x4xf32>",
        expected=updated((2, 2), -1),
    ),
    program(
        "tensor.insert %1 into %0[] : tensor<f32>",
        np.float32(2),
        3.0,
        types="tensor<f32>; f32",
        result="tensor<f32>",
        expected=np.array(3, np.float32),
    ),
    program(
        "tensor.extract_slice %0[%1, 0] [%1, 2] [1, %2] : tensor<3x4xf32> to tensor<?x2xf32>",
        MATRIX,
        1,
        3,
        types="tensor<3x4xf32>; index; index",
        result="tensor<?x2xf32>",
        expected=MATRIX[1:2, 0:4:3],
    ),
    program(
        "tensor.extract_slice %0[%1, 0] [1, 4] [1, 1] : tensor<3x4xf32> to tensor<4xf32>",
        MATRIX,
        2,
        types="tensor<3x4xf32>; index",
        result="tensor<4xf32>",
        expected=MATRIX[2],
    ),
    program(
        "tensor.extract_slice %0[0, 3] [%1, 1] [1, 1] : tensor<3x4xf32> to tensor<?xf32>",
        MATRIX,
        3,
        types="tensor<3x4xf32>; index",
        result="tensor<?xf32>",
        expected=MATRIX[:, 3],
    ),
    program(
        "tensor.extract_slice %0[0, 3] [1, 1] [1, 1] : tensor<3x4xf32> to tensor<f32>",
        MATRIX,
        types="tensor<3x4xf32>",
        result="tensor<f32>",
        expected=np.array(3, np.float32),
    ),
    program(
        "tensor.extract_slice %0[%1, 0] [%2, 4] [1, 1] : tensor<3x4xf32> to tensor<?x4xf32>",
        MATRIX,
        3,
        0,
        types="tensor<3x4xf32>; index; index",
        result="tensor<?x4xf32>",
        expected=MATRIX[3:],
    ),
    program(
        "tensor.insert_slice %1 into %0[0, %2] [3, 1] [1, 1] : tensor<3xf32> into tensor<3x4xf32>",
        MATRIX,
        np.float32([9, 8, 7]),
        3,
        types="tensor<3x4xf32>; tensor<3xf32>; index",
        result="tensor<3x4xf32>",
        expected=updated((slice(None), 3), [9, 8, 7]),
    ),
    program(
        "tensor.insert_slice %1 into %0[0, 0] [2, 2] [%2, %2] : "
        "tensor<2x2xf32> into tensor<3x4xf32>",
        MATRIX,
        np.zeros((2, 2), np.float32),
        2,
        types="tensor<3x4xf32>; tensor<2x2xf32>; index",
        result="tensor<3x4xf32>",
        expected=updated((slice(None, None, 2), slice(0, 4, 2)), 0),
    ),
    program(
        "tensor.dim %0, %1 : tensor<?x4xf32>",
        MATRIX,
        0,
        types="tensor<?x4xf32>; index",
        result="index",
        expected=np.int64(3),
    ),
    program(
        "tensor.rank %0 : tensor<*xf32>",
        MATRIX,
        types="tensor<*xf32>",
        result="index",
        expected=np.int64(2),
    ),
    program(
        "tensor.cast %0 : tensor<?x?xf32> to tensor<3x4xf32>",
        MATRIX,
        types="tensor<?x?xf32>",
        result="tensor<3x4xf32>",
        expected=MATRIX,
    ),
    program(
        "tensor.cast %0 : tensor<*xf32> to tensor<?x4xf32>",
        MATRIX,
        types="tensor<*xf32>",
        result="tensor<?x4xf32>",
        expected=MATRIX,
    ),
    program(
        "tensor.reshape %0(%1) : (tensor<3x4xf32>, tensor<3xindex>) -> tensor<?x?x?xf32>",
        MATRIX,
        np.array([2, 3, 2]),
        types="tensor<3x4xf32>; tensor<3xindex>",
        result="tensor<?x?x?xf32>",
        expected=MATRIX.reshape(2, 3, 2),
    ),
    program(
        "tensor.expand_shape %0 [[0], [1, 2]] output_shape [3, %1, 2] : "
        "tensor<3x?xf32> into tensor<3x?x2xf32>",
        MATRIX,
        2,
        types="tensor<3x?xf32>; index",
        result="tensor<3x?x2xf32>",
        expected=MATRIX.reshape(3, 2, 2),
    ),
    program(
        "tensor.expand_shape %0 [] output_shape [1, 1] : tensor<f32> into tensor<1x1xf32>",
        np.float32(4),
        types="tensor<f32>",
        result="tensor<1x1xf32>",
        expected=np.array([[4]], np.float32),
    ),
    program(
        "tensor.collapse_shape %0 [[0, 1]] : tensor<3x4xf32> into tensor<12xf32>",
        MATRIX,
        types="tensor<3x4xf32>",
        result="tensor<12xf32>",
        expected=MATRIX.reshape(12),
    ),
    program(
        "tensor.collapse_shape %0 [] : tensor<1x1xf32> into tensor<f32>",
        MATRIX[:1, :1],
        types="tensor<1x1xf32>",
        result="tensor<f32>",
        expected=MATRIX[0, 0].reshape(()),
    ),
    program(
        "tensor.concat dim(1) %0, %1 : (tensor<3x4xf32>, tensor<3x?xf32>) -> tensor<3x?xf32>",
        MATRIX,
        MATRIX[:, :1],
        types="tensor<3x4xf32>; tensor<3x?xf32>",
        result="tensor<3x?xf32>",
        expected=np.concatenate([MATRIX, MATRIX[:, :1]], 1),
    ),
    program(
        IOTA_PROGRAM,
        2,
        types="index",
        result="tensor<?x3xindex>",
        expected=np.array([[0, 0, 0], [0, 1, 2]]),
    ),
    program(
        BRANCHING_GENERATE, 3, types="index", result="tensor<?xindex>", expected=np.array([0, 1, 2])
    ),
    program(
        BRANCHING_GENERATE,
        0,
        types="index",
        result="tensor<?xindex>",
        expected=np.zeros(0, np.int64),
    ),
    program(
        PAD,
        MATRIX,
        1,
        types="tensor<3x4xf32>; index",
        result="tensor<4x?xf32>",
        expected=np.pad(MATRIX, ((1, 0), (1, 2)), constant_values=9),
    ),
    program(
        MIRROR_PAD,
        VECTOR,
        types="tensor<3xi32>",
        result="tensor<4xi32>",
        expected=np.array([6, 5, 6, 7], np.int32),
    ),
    program(
        "tensor.bitcast %0 : tensor<3xi32> to tensor<3xf32>",
        VECTOR,
        types="tensor<3xi32>",
        result="tensor<3xf32>",
        expected=VECTOR.view(np.float32),
    ),
    gather(
        "tensor.gather %0[%1] gather_dims([0]) : (tensor<3x4xf32>, tensor<2x1xindex>) -> "
        "tensor<2x4xf32>",
        "tensor<2x1xindex>",
        "tensor<2x4xf32>",
        [[2], [0]],
        MATRIX[[2, 0]],
    ),
    gather(
        "tensor.gather %0[%1] gather_dims([1]) : (tensor<3x4xf32>, tensor<2x1xindex>) -> "
        "tensor<2x3x1xf32>",
        "tensor<2x1xindex>",
        "tensor<2x3x1xf32>",
        [[2], [0]],
        MATRIX[:, [2, 0]].T.reshape(2, 3, 1),
    ),
    gather(
        "tensor.gather %0[%1] gather_dims([0, 1]) : (tensor<3x4xf32>, tensor<2x2xindex>) -> "
        "tensor<2xf32>",
        "tensor<2x2xindex>",
        "tensor<2xf32>",
        [[2, 1], [0, 3]],
        MATRIX[[2, 0], [1, 3]],
    ),
    program(
        "tensor.scatter %1 into %0[%2] scatter_dims([0]) unique : (tensor<2x1x4xf32>, "
        "tensor<3x4xf32>, tensor<2x1xindex>) -> tensor<3x4xf32>",
        MATRIX,
        np.zeros((2, 1, 4), np.float32),
        np.array([[2], [0]]),
        types="tensor<3x4xf32>; tensor<2x1x4xf32>; tensor<2x1xindex>",
        result="tensor<3x4xf32>",
        expected=updated([2, 0], 0),
    ),
    program(
        "tensor.scatter %1 into %0[%2] scatter_dims([0, 1]) unique : (tensor<2xf32>, "
        "tensor<3x4xf32>, tensor<2x2xindex>) -> tensor<3x4xf32>",
        MATRIX,
        np.float32([-1, -2]),
        np.array([[2, 1], [0, 3]]),
        types="tensor<3x4xf32>; tensor<2xf32>; tensor<2x2xindex>",
        result="tensor<3x4xf32>",
        expected=updated(([2, 0], [1, 3]), [-1, -2]),
    ),
]


@pytest.mark.parametrize("case", CASES)
def test_program(case: Case) -> None:
    before = [np.array(argument) for argument in case.arguments]
    (result,) = run(case.text, *case.arguments)
    assert_same(result, case.expected[0])
    for argument, copy in zip(case.arguments, before, strict=True):
        assert_same(argument, np.asarray(argument).dtype.type(copy) if not np.ndim(copy) else copy)
        assert not np.shares_memory(argument, result)


def matrix(line: str, result: str, *arguments: object, types: str = "index") -> Case:
    return program(
        line, MATRIX, *arguments, types=f"tensor<?x4xf32>; {types}", result=result, expected=None
    )


SLICE = "tensor.extract_slice %0[%1, 0] [%2, 4] [1, 1] : tensor<?x4xf32> to tensor<?x4xf32>"
STRIDED = "tensor.extract_slice %0[0, 0] [%1, 4] [%2, 1] : tensor<?x4xf32> to tensor<?x4xf32>"
INSERT_SLICE = (
    "tensor.insert_slice %1 into %0[0, 0] [%2, 4] [1, 1] : tensor<?x4xf32> into tensor<?x4xf32>"
)
UNDEFINED = [
    matrix("tensor.extract %0[%1, %1] : tensor<?x4xf32>", "f32", 3),
    matrix("tensor.extract %0[%1, %1] : tensor<?x4xf32>", "f32", -1),
    matrix(
        "tensor.insert %1 into %0[%2, %2] : tensor<?x4xf32>",
        "tensor<?x4xf32>",
        1.0,
        3,
        types="f32; index",
    ),
    matrix("tensor.dim %0, %1 : tensor<?x4xf32>", "index", 2),
    matrix("tensor.cast %0 : tensor<?x4xf32> to tensor<2x4xf32>", "tensor<2x4xf32>", types=""),
    matrix(SLICE, "tensor<?x4xf32>", 2, 2, types="index; index"),
    matrix(SLICE, "tensor<?x4xf32>", -1, 1, types="index; index"),
    matrix(SLICE, "tensor<?x4xf32>", 0, -1, types="index; index"),
    matrix(STRIDED, "tensor<?x4xf32>", 2, 3, types="index; index"),
    matrix(STRIDED, "tensor<?x4xf32>", 2, 0, types="index; index"),
    matrix(INSERT_SLICE, "tensor<?x4xf32>", MATRIX, 2, types="tensor<?x4xf32>; index"),
    matrix("tensor.empty(%1) : tensor<?xf32>", "tensor<?xf32>", -1),
    matrix(
        "tensor.reshape %0(%1) : (tensor<?x4xf32>, tensor<1xindex>) -> tensor<?xf32>",
        "tensor<?xf32>",
        np.array([11]),
        types="tensor<1xindex>",
    ),
    matrix(
        "tensor.expand_shape %0 [[0, 1], [2]] output_shape [%1, 2, 4] : tensor<?x4xf32> into "
        "tensor<?x2x4xf32>",
        "tensor<?x2x4xf32>",
        2,
    ),
    matrix(
        "tensor.concat dim(1) %0, %1 : (tensor<?x4xf32>, tensor<?x4xf32>) -> tensor<?x8xf32>",
        "tensor<?x8xf32>",
        MATRIX[:2],
        types="tensor<?x4xf32>",
    ),
    matrix(
        "tensor.gather %0[%1] gather_dims([0]) : (tensor<?x4xf32>, tensor<1x1xindex>) -> "
        "tensor<1x4xf32>",
        "tensor<1x4xf32>",
        np.array([[3]]),
        types="tensor<1x1xindex>",
    ),
    matrix(
        "arith.addf %0, %1 : tensor<?x4xf32>",
        "tensor<?x4xf32>",
        MATRIX[:1],
        types="tensor<?x4xf32>",
    ),
]


@pytest.mark.parametrize("case", UNDEFINED)
def test_undefined_behaviour(case: Case) -> None:
    with pytest.raises(UndefinedBehaviour, match=r"^(tensor|arith)\.\w+: .* at loc\("):
        run(case.text, *case.arguments)
