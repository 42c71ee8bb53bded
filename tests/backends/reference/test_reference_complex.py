from __future__ import annotations

import numpy as np
import pytest

from .interpret import NAMES, Case, assert_same, run

Z = np.array([1 + 2j, -0.5 + 0.25j, 3 - 1j])
W = np.array([0.5 - 1j, 2 + 1j, -1 + 1j])
UNARY = {
    "neg": np.negative,
    "conj": np.conj,
    "exp": np.exp,
    "expm1": np.expm1,
    "log": np.log,
    "log1p": np.log1p,
    "sqrt": np.sqrt,
    "rsqrt": lambda z: 1 / np.sqrt(z),
    "sin": np.sin,
    "cos": np.cos,
    "tan": np.tan,
    "tanh": np.tanh,
    "sign": lambda z: z / np.abs(z),
}
REAL = {"re": np.real, "im": np.imag, "abs": np.abs, "angle": np.angle}
BINARY = {
    "add": np.add,
    "sub": np.subtract,
    "mul": np.multiply,
    "div": np.divide,
    "pow": np.power,
    "atan2": lambda y, x: -1j * np.log((x + 1j * y) / np.sqrt(x * x + y * y)),
}


def case(text: str, operands: list[np.ndarray], expected: np.ndarray, tolerance: float) -> Case:
    """The operation on scalars, and mapped over a tensor of them."""
    scalars = [NAMES[operand.dtype] for operand in operands]
    result = NAMES[expected.dtype]
    names = [f"%x{index}" for index in range(len(operands))]
    tensors = ", ".join(f"tensor<3x{type_}>" for type_ in scalars)
    region = ", ".join(f"{n}: {t}" for n, t in zip(names, scalars, strict=True))
    parameters = [f"%t{i}: tensor<3x{t}>, %s{i}: {t}" for i, t in enumerate(scalars)]
    ins = ", ".join(f"%t{i}" for i in range(len(operands)))
    body = text.format(*names)
    program = f"""
    func.func @f({", ".join(parameters)}) -> (tensor<3x{result}>, {result}) {{
      %init = tensor.empty() : tensor<3x{result}>
      %r = linalg.map ins({ins} : {tensors}) outs(%init : tensor<3x{result}>)
        ({region}, %o: {result}) {{
          %y = {body}
          linalg.yield %y : {result}
        }}
      %z = {text.format(*[f"%s{i}" for i in range(len(operands))])}
      return %r, %z : tensor<3x{result}>, {result}
    }}"""
    arguments = tuple(value for operand in operands for value in (operand, operand[1]))
    return Case(program, arguments, (expected, expected[1]), tolerance)


def programs(dtype: type, name: str, tolerance: float) -> list[Case]:
    z, w = Z.astype(dtype), W.astype(dtype)
    real = z.real.dtype
    part = NAMES[real]
    exponent = np.array([2, -1, 3], np.int32)
    return [
        *(
            case(f"complex.{op} {{0}} : {name}", [z], f(Z).astype(dtype), tolerance)
            for op, f in UNARY.items()
        ),
        *(
            case(f"complex.{op} {{0}} : {name}", [z], f(Z).astype(real), tolerance)
            for op, f in REAL.items()
        ),
        *(
            case(f"complex.{op} {{0}}, {{1}} : {name}", [z, w], f(Z, W).astype(dtype), tolerance)
            for op, f in BINARY.items()
        ),
        case(
            f"complex.create {{0}}, {{1}} : {name}",
            [np.array([1, np.inf, 0], real), np.array([2, np.nan, -0.0], real)],
            np.array([complex(1, 2), complex(np.inf, np.nan), complex(0, -0.0)], dtype),
            0,
        ),
        case(
            f"complex.powi {{0}}, {{1}} : {name}, i32",
            [z, exponent],
            (Z ** np.array([2, -1, 3])).astype(dtype),
            tolerance,
        ),
        case(f"complex.eq {{0}}, {{1}} : {name}", [z, z], np.full(3, True), 0),
        case(f"complex.neq {{0}}, {{1}} : {name}", [z, w], np.full(3, True), 0),
        case(
            f"complex.constant [1.5 : {part}, -2.0 : {part}] : {name}",
            [z],
            np.full(3, 1.5 - 2j, dtype),
            0,
        ),
        Case(
            f"""func.func @f(%x: {part}) -> {part} {{
              %z = complex.constant [0.0 : {part}, 0.0 : {part}] : {name}
              %i = complex.im %z : {name}
              %s = complex.sign %z : {name}
              %a = complex.re %s : {name}
              %y = arith.addf %a, %i : {part}
              return %y : {part}
            }}""",
            (real.type(1),),
            (real.type(0),),
        ),
    ]


BITCAST = case(
    "complex.bitcast {0} : complex<f32> to i64", [Z.astype("c8")], Z.astype("c8").view("i8"), 0
)
CASES = [
    *programs(np.complex64, "complex<f32>", 2e-6),
    *programs(np.complex128, "complex<f64>", 1e-14),
    BITCAST,
]


@pytest.mark.parametrize("case", CASES)
def test_program(case: Case) -> None:
    for result, expected in zip(run(case.text, *case.arguments), case.expected, strict=True):
        assert_same(result, expected, case.tolerance)
