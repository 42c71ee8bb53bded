from __future__ import annotations

import math
import re

import numpy as np
import pytest

from agir.backends.reference import Interpreter, UndefinedBehaviour
from agir.backends.reference.core import structured as structured_module

from .interpret import DTYPES, NAMES, Case, assert_same, parse, run

A = np.arange(6, dtype=np.float32).reshape(2, 3) + 1
B = np.arange(12, dtype=np.float32).reshape(3, 4) - 5
V3, V2 = np.float32([1, -2, 3]), np.float32([4, 5])
ONE = np.float32(1)


def type_of(array: np.ndarray) -> str:
    """The type with unknown dimensions."""
    return f"tensor<{'?x' * array.ndim}{NAMES[array.dtype]}>"


def structured(
    name: str,
    inputs: list[np.ndarray],
    initial: np.ndarray,
    expected: np.ndarray,
    *,
    attributes: str = "",
    tolerance: float = 0,
) -> Case:
    """``linalg.name attributes ins(inputs) outs(initial)`` on tensors of unknown shape."""
    operands = [*inputs, initial]
    types = [type_of(operand) if np.ndim(operand) else NAMES[operand.dtype] for operand in operands]
    types[-1] = type_of(initial)
    names = [f"%a{index}" for index in range(len(operands))]
    parameters = ", ".join(f"{n}: {t}" for n, t in zip(names, types, strict=True))
    text = f"""
    func.func @f({parameters}) -> {types[-1]} {{
      %r = linalg.{name} {attributes} ins({", ".join(names[:-1])} : {", ".join(types[:-1])})
        outs({names[-1]} : {types[-1]}) -> {types[-1]}
      return %r : {types[-1]}
    }}"""
    return Case(text, tuple(operands), (np.asarray(expected, initial.dtype),), tolerance)


def program(text: str, *arguments: object, expected: list[object]) -> Case:
    return Case(text, arguments, tuple(expected))


EMPTY = np.full((2, 3), np.nan, np.float32)
POSITIVE = np.float32([[0.5, 1, 2], [3, 4, 5]])
UNARY = {
    "abs": np.abs,
    "ceil": np.ceil,
    "copy": np.array,
    "erf": np.vectorize(math.erf),
    "exp": np.exp,
    "floor": np.floor,
    "log": np.log,
    "negf": np.negative,
    "reciprocal": lambda x: 1 / x,
    "round": np.rint,
    "rsqrt": lambda x: 1 / np.sqrt(x),
    "sqrt": np.sqrt,
    "square": np.square,
    "tanh": np.tanh,
}
BINARY = {
    "add": np.add,
    "sub": np.subtract,
    "mul": np.multiply,
    "div": np.divide,
    "max": np.maximum,
    "min": np.minimum,
    "powf": np.power,
}
BYTES = np.int8([[100, -1, 3]])
ELEMENTWISE = [
    *(
        structured(name, [POSITIVE], EMPTY, function(POSITIVE), tolerance=2e-7)
        for name, function in UNARY.items()
        if name != "round"
    ),
    structured("round", [np.float32([0.5, 1.5])], V2, np.float32([1, 2])),
    *(
        structured(name, [POSITIVE, A], EMPTY, function(POSITIVE, A), tolerance=2e-7)
        for name, function in BINARY.items()
    ),
    structured("add", [BYTES, BYTES], BYTES, np.int8([[-56, -2, 6]])),
    structured("div_unsigned", [BYTES, BYTES * 0 + 2], BYTES, np.int8([[50, 127, 1]])),
    structured("select", [A > 3, A, -A], EMPTY, np.where(A > 3, A, -A)),
    structured(
        "elementwise",
        [A],
        EMPTY,
        np.exp(A.astype(np.float64)),
        attributes="kind=#linalg.elementwise_kind<exp>",
    ),
    structured("fill", [ONE], EMPTY, np.ones((2, 3))),
]
BATCH_A, BATCH_B = np.stack([A, -A, 2 * A]), np.stack([B, B, 3 * B])
EINSUM = (
    "indexing_maps = [affine_map<(b, i, j, k) -> (b, i, k)>, "
    "affine_map<(b, i, j, k) -> (k, j, b)>, affine_map<(b, i, j, k) -> (j, i)>]"
)
CONTRACTIONS = [
    structured("matmul", [A, B], np.ones((2, 4), np.float32), A @ B + 1),
    structured(
        "matmul",
        [A, B.T.copy()],
        np.ones((2, 4), np.float32),
        A @ B + 1,
        attributes="indexing_maps = [affine_map<(i, j, k) -> (i, k)>, "
        "affine_map<(i, j, k) -> (j, k)>, affine_map<(i, j, k) -> (i, j)>]",
    ),
    structured(
        "matmul",
        [(A * 1j).astype("c8"), (B * 1j).astype("c8")],
        np.ones((2, 4), np.complex64),
        1 - A @ B,
    ),
    structured(
        "matmul",
        [A.astype("i1"), B.astype("i1")],
        np.ones((2, 4), np.int32),
        (A @ B + 1),
    ),
    structured("matmul", [A > 2, B > 2], np.zeros((2, 4), np.bool_), (A > 2) @ (B > 2)),
    structured(
        "batch_matmul", [BATCH_A, BATCH_B], np.zeros((3, 2, 4), np.float32), BATCH_A @ BATCH_B
    ),
    structured(
        "batch_reduce_matmul",
        [BATCH_A, BATCH_B],
        np.zeros((2, 4), np.float32),
        (BATCH_A @ BATCH_B).sum(0),
    ),
    structured("matvec", [A, V3], V2, A @ V3 + V2),
    structured("vecmat", [V2, A], V3, V2 @ A + V3),
    structured("dot", [V3, V3], np.array(1, np.float32), V3 @ V3 + 1),
    structured(
        "batch_matvec",
        [BATCH_A, np.stack([V3] * 3)],
        np.zeros((3, 2), np.float32),
        BATCH_A @ V3,
    ),
    structured(
        "batch_vecmat", [np.stack([V2] * 3), BATCH_A], np.zeros((3, 3), np.float32), V2 @ BATCH_A
    ),
    structured(
        "contract",
        [BATCH_A, np.transpose(BATCH_B, (1, 2, 0)).copy()],
        np.ones((4, 2), np.float32),
        np.einsum("bik,bkj->ji", BATCH_A, BATCH_B) + 1,
        attributes=EINSUM,
    ),
]
IMAGE = np.arange(36, dtype=np.float32).reshape(6, 6) % 7
KERNEL = np.float32([[1, 2], [-1, 3]])


def windows(image: np.ndarray, shape: tuple[int, ...], stride: int = 1) -> np.ndarray:
    every = np.lib.stride_tricks.sliding_window_view(image, shape)
    return every[(slice(None, None, stride),) * image.ndim]


CONVOLVED = np.einsum("xykl,kl->xy", windows(IMAGE, (2, 2)), KERNEL)
STRIDED = np.einsum("xykl,kl->xy", windows(IMAGE, (2, 2), 2), KERNEL)
LINE = IMAGE[1]
LINE_CONVOLVED = windows(LINE, (2,)) @ KERNEL[0]
CUBE = np.stack([IMAGE] * 3)
STRIDES = "{dilations = dense<1> : vector<2xi64>, strides = dense<2> : vector<2xi64>}"
POOL = np.float32(np.zeros((2, 2)))


def pooled(name: str, function: object, start: float) -> Case:
    channels = name.startswith("pooling_nchw")
    place = (None, None) if channels else (None, ..., None)
    expected = function(windows(IMAGE, (2, 2), 2), axis=(2, 3))[place]
    return structured(
        name,
        [IMAGE[place], POOL],
        np.full_like(expected, start),
        expected,
        attributes=STRIDES,
    )


CONVOLUTIONS = [
    structured("conv_1d", [LINE, KERNEL[0]], LINE_CONVOLVED * 0, LINE_CONVOLVED),
    structured("conv_2d", [IMAGE, KERNEL], CONVOLVED * 0 + 1, CONVOLVED + 1),
    structured("conv_3d", [CUBE, KERNEL[None]], CUBE[:, 1:, 1:] * 0, np.stack([CONVOLVED] * 3)),
    structured(
        "conv_1d_nwc_wcf",
        [LINE[None, :, None], KERNEL[0][:, None, None]],
        LINE_CONVOLVED[None, :, None] * 0,
        LINE_CONVOLVED[None, :, None],
    ),
    structured(
        "conv_1d_ncw_fcw",
        [LINE[None, None], KERNEL[0][None, None]],
        LINE_CONVOLVED[None, None] * 0,
        LINE_CONVOLVED[None, None],
    ),
    structured(
        "conv_2d_nhwc_hwcf",
        [IMAGE[None, ..., None], KERNEL[..., None, None]],
        STRIDED[None, ..., None] * 0,
        STRIDED[None, ..., None],
        attributes=STRIDES,
    ),
    structured(
        "conv_2d_nchw_fchw",
        [IMAGE[None, None], KERNEL[None, None]],
        STRIDED[None, None] * 0,
        STRIDED[None, None],
        attributes=STRIDES,
    ),
    structured(
        "depthwise_conv_2d_nhwc_hwc",
        [IMAGE[None, ..., None], KERNEL[..., None]],
        STRIDED[None, ..., None] * 0,
        STRIDED[None, ..., None],
        attributes=STRIDES,
    ),
    pooled("pooling_nhwc_sum", np.sum, 0),
    pooled("pooling_nhwc_max", np.max, -9),
    pooled("pooling_nhwc_min", np.min, 99),
    pooled("pooling_nchw_sum", np.sum, 0),
    pooled("pooling_nchw_max", np.max, -9),
]
VARIADIC_REDUCE = """
func.func @f(%x: tensor<?x3xf32>, %k: tensor<?x3xindex>, %a: tensor<3xf32>, %b: tensor<3xindex>)
    -> (tensor<3xf32>, tensor<3xindex>) {
  %r:2 = linalg.reduce ins(%x, %k : tensor<?x3xf32>, tensor<?x3xindex>)
      outs(%a, %b : tensor<3xf32>, tensor<3xindex>) dimensions = [0]
    (%in: f32, %i: index, %best: f32, %j: index) {
      %c = arith.cmpf ogt, %in, %best : f32
      %v = arith.select %c, %in, %best : f32
      %p = arith.select %c, %i, %j : index
      linalg.yield %v, %p : f32, index
    }
  return %r#0, %r#1 : tensor<3xf32>, tensor<3xindex>
}"""
SWAP = """
func.func @f(%a: tensor<2xf32>, %b: tensor<2xf32>) -> (tensor<2xf32>, tensor<2xf32>) {
  %r:2 = linalg.generic {indexing_maps = [affine_map<(i) -> (i)>, affine_map<(i) -> (i)>],
      iterator_types = ["parallel"]} outs(%a, %b : tensor<2xf32>, tensor<2xf32>) {
    ^bb0(%x: f32, %y: f32):
      linalg.yield %y, %x : f32, f32
  } -> (tensor<2xf32>, tensor<2xf32>)
  return %r#0, %r#1 : tensor<2xf32>, tensor<2xf32>
}"""

ROW_AND_TOTAL = """
func.func @f(%x: tensor<?x?xf32>, %a: tensor<?xf32>, %b: tensor<f32>)
    -> (tensor<?xf32>, tensor<f32>) {
  %r:2 = linalg.generic {indexing_maps = [affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> (i)>,
      affine_map<(i, j) -> ()>], iterator_types = ["reduction", "reduction"]}
      ins(%x : tensor<?x?xf32>) outs(%a, %b : tensor<?xf32>, tensor<f32>) {
    ^bb0(%in: f32, %row: f32, %total: f32):
      %s = arith.addf %in, %row : f32
      %t = arith.maximumf %in, %total : f32
      linalg.yield %s, %t : f32, f32
  } -> (tensor<?xf32>, tensor<f32>)
  return %r#0, %r#1 : tensor<?xf32>, tensor<f32>
}"""


def generic(maps: str, iterators: str, ins: str, out: str, body: str, name: str = "generic") -> str:
    """A function of the operands ``ins`` (named %a0, %a1, …) and the output ``out``."""
    types = [type_.strip() for type_ in ins.split(";")] if ins else []
    names = [f"%a{index}" for index in range(len(types))]
    parameters = ", ".join(f"{n}: {t}" for n, t in zip([*names, "%o"], [*types, out], strict=True))
    element = re.compile(r"(?:x|<|^)([a-z]+[0-9]*)>?$")
    arguments = ", ".join(
        f"%x{index}: {element.search(type_).group(1)}" for index, type_ in enumerate([*types, out])
    )
    kinds = ", ".join(f'"{"parallel" if c == "p" else "reduction"}"' for c in iterators)
    decoded = ", ".join(f"affine_map<{map_}>" for map_ in maps.split("; "))
    inputs = f"ins({', '.join(names)} : {', '.join(types)})" if types else ""
    return f"""
    func.func @f({parameters}) -> {out} {{
      %r = linalg.{name} {{indexing_maps = [{decoded}], iterator_types = [{kinds}]}}
          {inputs} outs(%o : {out}) {{
        ^bb0({arguments}):
          {body}
      }} -> {out}
      return %r : {out}
    }}"""


F1, F2, F3 = "tensor<?xf32>", "tensor<?x?xf32>", "tensor<?x?x?xf32>"
SUM = "%s = arith.addf %x0, %x1 : f32\n linalg.yield %s : f32"
BRANCH = """
%zero = arith.constant 0.0 : f32
%c = arith.cmpf ogt, %x0, %zero : f32
%s = scf.if %c -> f32 {
  scf.yield %x0 : f32
} else {
  %n = func.call @negate(%x0) : (f32) -> f32
  scf.yield %n : f32
}
linalg.yield %s : f32"""
NEGATE = """
func.func private @negate(%x: f32) -> f32 {
  %n = arith.negf %x : f32
  return %n : f32
}"""
INDICES = """
%i = linalg.index 0 : index
%j = linalg.index 1 : index
%t = arith.constant 10 : index
%u = arith.muli %i, %t : index
%v = arith.addi %u, %j : index
linalg.yield %v : index"""
INDEX_SUM = """
%j = linalg.index 1 : index
%k = arith.index_cast %j : index to i64
%w = arith.sitofp %k : i64 to f32
%p = arith.mulf %w, %x0 : f32
%s = arith.addf %p, %x1 : f32
linalg.yield %s : f32"""
TAKE = """
%n = arith.constant 0 : index
%d = tensor.dim %a0, %n : tensor<?xf32>
%i = linalg.index 0 : index
%one = arith.constant 1 : index
%l = arith.subi %d, %one : index
%k = arith.subi %l, %i : index
%v = tensor.extract %a0[%k] : tensor<?xf32>
linalg.yield %v : f32"""
GENERIC = [
    program(
        VARIADIC_REDUCE,
        A[::-1].copy(),
        np.array([[0] * 3, [1] * 3]),
        V3 * 0,
        np.zeros(3, int),
        expected=[A[1], np.zeros(3, int)],
    ),
    program(ROW_AND_TOTAL, A, V2, ONE, expected=[A.sum(1) + V2, np.array(6, np.float32)]),
    program(SWAP, V2, -V2, expected=[-V2, V2]),
    program(
        generic("(i, j) -> (i, j); (i, j) -> (i)", "pr", F2, F1, SUM),
        A,
        V2,
        expected=[A.sum(1) + V2],
    ),
    program(
        generic("(i, j) -> (i, j); (i, j) -> (i, 0)", "pr", F2, F2, SUM),
        A,
        V2[:, None],
        expected=[(A.sum(1) + V2)[:, None]],
    ),
    program(
        generic("(i, j) -> (i, j); (i, j) -> (j, i)", "pp", F2, F2, SUM),
        A,
        A.T.copy(),
        expected=[(A + A).T],
    ),
    program(
        generic("(i, j) -> (i + j); (i, j) -> (i, j)", "pp", F1, F2, SUM),
        np.float32([1, 2, 3, 4]),
        A,
        expected=[A + np.float32([[1, 2, 3], [2, 3, 4]])],
    ),
    program(
        generic("(i) -> (i, i); (i) -> (i)", "p", F2, F1, SUM),
        B[:, :3].copy(),
        V3,
        expected=[np.diag(B[:, :3]) + V3],
    ),
    program(
        generic("(i) -> (i * 2 + 1); (i) -> (i)", "p", F1, F1, SUM),
        np.float32([1, 2, 3, 4]),
        V2,
        expected=[V2 + np.float32([2, 4])],
    ),
    program(
        generic("(i) -> (i mod 2); (i) -> (i)", "p", F1, F1, SUM),
        V2,
        V3,
        expected=[V3 + V2[[0, 1, 0]]],
    ),
    program(
        generic("(i) -> (i floordiv 2); (i) -> (i)", "p", F1, F1, SUM),
        V2,
        V3,
        expected=[V3 + V2[[0, 0, 1]]],
    ),
    program(
        generic("(i) -> (i ceildiv 2); (i) -> (i)", "p", F1, F1, SUM),
        V2,
        V3,
        expected=[V3 + V2[[0, 1, 1]]],
    ),
    program(generic("(i) -> (1); (i) -> (i)", "p", F1, F1, SUM), V2, V3, expected=[V3 + 5]),
    program(generic("(i) -> (); (i) -> (i)", "p", "f32", F1, SUM), ONE, V3, expected=[V3 + 1]),
    program(
        generic("(i, j) -> (i, j); (i, j) -> ()", "rr", F2, "tensor<f32>", SUM),
        A,
        ONE * 2,
        expected=[np.array(23, np.float32)],
    ),
    program(
        generic("(i, j) -> (i, j)", "pp", "", "tensor<?x?xindex>", INDICES),
        np.zeros((2, 3), int),
        expected=[np.array([[0, 1, 2], [10, 11, 12]])],
    ),
    program(
        generic("(i, j) -> (i, j); (i, j) -> (i)", "pr", F2, F1, INDEX_SUM),
        A,
        V2,
        expected=[A @ np.float32([0, 1, 2]) + V2],
    ),
    program(generic("(i) -> (i); (i) -> (i)", "p", F1, F1, TAKE), V3, V3, expected=[V3[::-1]]),
    program(
        generic("(i) -> (i); (i) -> (i)", "p", F1, F1, BRANCH) + NEGATE,
        V3,
        V3,
        expected=[np.abs(V3)],
    ),
    program(generic("(i) -> (i); (i) -> (i)", "p", F1, F1, SUM), V3[:0], V3[:0], expected=[V3[:0]]),
    program(
        generic("(i, j) -> (i, j); (i, j) -> (i)", "pr", F2, F1, SUM),
        A[:, :0].copy(),
        V2,
        expected=[V2],
    ),
]
SIMPLE = [
    program(
        """func.func @f(%x: tensor<?xf32>, %o: tensor<2x?x4xf32>) -> tensor<2x?x4xf32> {
      %r = linalg.broadcast ins(%x : tensor<?xf32>) outs(%o : tensor<2x?x4xf32>) dimensions = [0, 2]
      return %r : tensor<2x?x4xf32>
    }""",
        V3,
        np.zeros((2, 3, 4), np.float32),
        expected=[np.broadcast_to(V3[None, :, None], (2, 3, 4))],
    ),
    program(
        """func.func @f(%x: tensor<?x3x?xf32>, %o: tensor<3x?x?xf32>) -> tensor<3x?x?xf32> {
      %r = linalg.transpose ins(%x : tensor<?x3x?xf32>) outs(%o : tensor<3x?x?xf32>)
          permutation = [1, 2, 0]
      return %r : tensor<3x?x?xf32>
    }""",
        BATCH_B,
        np.zeros((3, 4, 3), np.float32),
        expected=[BATCH_B.transpose(1, 2, 0)],
    ),
    program(
        """func.func @f(%x: tensor<2x3xf32>, %o: tensor<2x3xf32>) -> tensor<2x3xf32> {
      %r = linalg.map { arith.addf } ins(%x, %x : tensor<2x3xf32>, tensor<2x3xf32>)
          outs(%o : tensor<2x3xf32>)
      return %r : tensor<2x3xf32>
    }""",
        A,
        EMPTY,
        expected=[A + A],
    ),
]
CASES = [*ELEMENTWISE, *CONTRACTIONS, *CONVOLUTIONS, *GENERIC, *SIMPLE]


@pytest.mark.parametrize("case", CASES)
def test_program(case: Case) -> None:
    before = [np.array(argument) for argument in case.arguments]
    for result, expected in zip(run(case.text, *case.arguments), case.expected, strict=True):
        assert_same(result, expected, case.tolerance)
    for argument, copy in zip(case.arguments, before, strict=True):
        np.testing.assert_array_equal(argument, copy)


UNDEFINED = [
    structured("matmul", [A, B[:2]], np.ones((2, 4), np.float32), ONE),
    structured("add", [A, A[:1]], EMPTY, ONE),
    program(generic("(i) -> (i * 2); (i) -> (i)", "p", F1, F1, SUM), V2, V2, expected=[]),
    program(generic("(i) -> (1); (i) -> (i)", "p", F1, F1, SUM), V3[:1], V2, expected=[]),
]


@pytest.mark.parametrize("case", UNDEFINED)
def test_undefined_behaviour(case: Case) -> None:
    with pytest.raises(UndefinedBehaviour, match=r"^linalg\.\w+: .* at loc\("):
        run(case.text, *case.arguments)


def test_reduction_order_is_that_of_the_loop_nest() -> None:
    values = np.float32([1e8, 1, -1e8, 1])
    text = generic("(i) -> (i); (i) -> ()", "r", F1, "tensor<f32>", SUM)
    (result,) = run(text, values, np.float32(0))
    assert result == ((np.float32(1e8) + np.float32(1)) - np.float32(1e8)) + np.float32(1)


COMBINE = {
    "addf": "f16 bf16 f32 f64",
    "mulf": "f32",
    "maximumf": "f32 bf16",
    "minimumf": "f64",
    "maxnumf": "f32",
    "minnumf": "f32",
    "addi": "i1 i8 i64",
    "muli": "i8",
    "andi": "i1 i32",
    "ori": "i1 i32",
    "xori": "i1 i32",
    "maxsi": "i8 i1",
    "minsi": "i8",
    "maxui": "i8",
    "minui": "i8 i1",
}


@pytest.mark.parametrize("axis", [0, 1])
@pytest.mark.parametrize(
    ("name", "type_"), [(name, type_) for name, types in COMBINE.items() for type_ in types.split()]
)
def test_reductions_equal_a_loop(name: str, type_: str, axis: int) -> None:
    """Many elements at once are combined as one at a time."""
    matrix, vector = f"tensor<?x?x{type_}>", f"tensor<?x{type_}>"
    text = f"""
    func.func @f(%x: {matrix}, %o: {vector}) -> {vector} {{
      %r = linalg.reduce {{ arith.{name} }} ins(%x : {matrix}) outs(%o : {vector})
          dimensions = [{axis}]
      return %r : {vector}
    }}
    func.func @step(%x: {vector}, %o: {vector}) -> {vector} {{
      %r = arith.{name} %x, %o : {vector}
      return %r : {vector}
    }}"""
    random = np.random.default_rng(0)
    values = (random.normal(size=(5, 7)) * 3).astype(DTYPES[type_])
    expected = values[0, :5] if axis else values[0]
    interpreter = Interpreter(parse(text))
    (result,) = interpreter.call("f", values, expected)
    for element in np.moveaxis(values, axis, 0):
        (expected,) = interpreter.call("step", element, expected)
    assert_same(result, expected)


def test_reductions_too_large_to_be_computed_at_once(monkeypatch: pytest.MonkeyPatch) -> None:
    cases = [case for case in CASES if any(word in case.text for word in ("matmul", "reduction"))]
    monkeypatch.setattr(structured_module, "_LIMIT", 8)
    for case in cases:
        test_program(case)
    monkeypatch.setattr(structured_module, "_LIMIT", 0)
    for case in cases:
        test_program(case)


def test_a_combiner_leaves_the_surrounding_values_alone() -> None:
    body = "%s = arith.maximumf %k, %x1 : f32\n linalg.yield %s : f32"
    text = generic("(i) -> (i); (i) -> ()", "r", F1, "tensor<f32>", body)
    text = text.replace("%r =", "%k = arith.constant 3.0 : f32\n%r =").replace(
        "return", "%q = tensor.insert %k into %r[] : tensor<f32>\nreturn"
    )
    assert run(text.replace("return %r", "return %q"), V3, np.float32(9))[0] == 3
    assert run(text, V3, np.float32(9))[0] == 9
