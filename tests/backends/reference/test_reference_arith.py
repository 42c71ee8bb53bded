from __future__ import annotations

import numpy as np
import pytest

from .interpret import DTYPES, Case, Elementwise, assert_same, run

INF, NAN = np.inf, np.nan


def binary(name: str, type_: str, a: object, b: object, expected: object) -> Elementwise:
    return Elementwise(f"arith.{name} %0, %1 : $0", ((type_, a), (type_, b)), type_, expected)


def compare(predicate: str, type_: str, a: object, b: object, expected: object) -> Elementwise:
    name = "cmpf" if "f" in type_ else "cmpi"
    text = f"arith.{name} {predicate}, %0, %1 : $0"
    return Elementwise(text, ((type_, a), (type_, b)), "i1", expected)


def cast(name: str, source: str, target: str, values: object, expected: object) -> Elementwise:
    return Elementwise(f"arith.{name} %0 : $0 to $r", ((source, values),), target, expected)


A = [7, -7, 7, -7]
B = [2, 2, -2, -2]
BITS = ([False, False, True, True], [False, True, False, True])
FLOATS = ([1.0, NAN, 2.0, 3.0, NAN], [2.0, 1.0, 2.0, 1.0, NAN])

ELEMENTWISE = [
    binary("addi", "i8", [100, -100, 1], [100, -100, 2], [-56, 56, 3]),
    binary("addi", "i1", *BITS, [False, True, True, False]),
    binary("addi", "index", 2**62, 2**62, [-(2**63)]),
    binary("subi", "i8", [-100, 5], [100, 7], [56, -2]),
    binary("subi", "i1", *BITS, [False, True, True, False]),
    binary("muli", "i8", [100, 3], [3, -5], [44, -15]),
    binary("muli", "i1", *BITS, [False, False, False, True]),
    binary("divsi", "i32", A, B, [3, -3, -3, 3]),
    binary("remsi", "i32", A, B, [1, -1, 1, -1]),
    binary("floordivsi", "i32", A, B, [3, -4, -4, 3]),
    binary("ceildivsi", "i32", A, B, [4, -3, -3, 4]),
    binary("divui", "i8", [-1, 100], [2, -1], [127, 0]),
    binary("remui", "i8", [-1, 100], [2, -1], [1, 100]),
    binary("ceildivui", "i8", [-1, 100], [2, -1], [-128, 1]),
    binary("divui", "i1", [True, False], [True, True], [True, False]),
    binary("andi", "i8", 6, 3, [2]),
    binary("ori", "i8", 6, 3, [7]),
    binary("xori", "i8", 6, 3, [5]),
    binary("andi", "i1", *BITS, [False, False, False, True]),
    binary("ori", "i1", *BITS, [False, True, True, True]),
    binary("xori", "i1", *BITS, [False, True, True, False]),
    binary("shli", "i8", [1, 3], [7, 1], [-128, 6]),
    binary("shrsi", "i8", [-128, 64], [7, 1], [-1, 32]),
    binary("shrui", "i8", [-128, 64], [7, 1], [1, 32]),
    binary("shrsi", "i1", True, False, [True]),
    binary("maxsi", "i8", [-1, 1], [1, 2], [1, 2]),
    binary("maxui", "i8", [-1, 1], [1, 2], [-1, 2]),
    binary("minsi", "i8", [-1, 1], [1, 2], [-1, 1]),
    binary("minui", "i8", [-1, 1], [1, 2], [1, 1]),
    binary("maxsi", "i1", *BITS, [False, False, False, True]),
    binary("minsi", "i1", *BITS, [False, True, True, True]),
    binary("maxui", "i1", *BITS, [False, True, True, True]),
    compare("eq", "i8", [1, 2], [1, 1], [True, False]),
    compare("ne", "i8", [1, 2], [1, 1], [False, True]),
    compare("slt", "i8", [-1, 1, 0], [1, -1, 0], [True, False, False]),
    compare("sle", "i8", [-1, 1, 0], [1, -1, 0], [True, False, True]),
    compare("sgt", "i8", [-1, 1, 0], [1, -1, 0], [False, True, False]),
    compare("sge", "i8", [-1, 1, 0], [1, -1, 0], [False, True, True]),
    compare("ult", "i8", [-1, 1, 0], [1, -1, 0], [False, True, False]),
    compare("ule", "i8", [-1, 1, 0], [1, -1, 0], [False, True, True]),
    compare("ugt", "i8", [-1, 1, 0], [1, -1, 0], [True, False, False]),
    compare("uge", "i8", [-1, 1, 0], [1, -1, 0], [True, False, True]),
    compare("slt", "i1", *BITS, [False, False, True, False]),
    compare("ult", "i1", *BITS, [False, True, False, False]),
    compare("eq", "i1", *BITS, [True, False, False, True]),
    compare("slt", "index", [-1, 1], [1, -1], [True, False]),
    compare("false", "f32", *FLOATS, [False] * 5),
    compare("oeq", "f32", *FLOATS, [False, False, True, False, False]),
    compare("ogt", "f32", *FLOATS, [False, False, False, True, False]),
    compare("oge", "f32", *FLOATS, [False, False, True, True, False]),
    compare("olt", "f32", *FLOATS, [True, False, False, False, False]),
    compare("ole", "f32", *FLOATS, [True, False, True, False, False]),
    compare("one", "f32", *FLOATS, [True, False, False, True, False]),
    compare("ord", "f32", *FLOATS, [True, False, True, True, False]),
    compare("ueq", "f32", *FLOATS, [False, True, True, False, True]),
    compare("ugt", "f32", *FLOATS, [False, True, False, True, True]),
    compare("uge", "f32", *FLOATS, [False, True, True, True, True]),
    compare("ult", "f32", *FLOATS, [True, True, False, False, True]),
    compare("ule", "f32", *FLOATS, [True, True, True, False, True]),
    compare("une", "f32", *FLOATS, [True, True, False, True, True]),
    compare("uno", "f32", *FLOATS, [False, True, False, False, True]),
    compare("true", "f32", *FLOATS, [True] * 5),
    compare("olt", "bf16", [1.0, NAN], [2.0, 1.0], [True, False]),
    binary("addf", "f32", [1.5, INF], [2.5, -INF], [4.0, NAN]),
    binary("subf", "f16", [60000.0, 1.0], [-60000.0, 0.5], [INF, 0.5]),
    binary("mulf", "bf16", [1.5, 3.0], [2.0, 0.5], [3.0, 1.5]),
    binary("divf", "f64", [1.0, -1.0, 0.0], [0.0, 0.0, 0.0], [INF, -INF, NAN]),
    binary("remf", "f64", [7.5, -7.5, 7.5, 1.0], [2.0, 2.0, -2.0, 0.0], [1.5, -1.5, 1.5, NAN]),
    binary("remf", "bf16", [7.5, -7.5], [2.0, 2.0], [1.5, -1.5]),
    binary("maximumf", "f32", [1.0, NAN, 0.0, -0.0], [2.0, 1.0, -0.0, 0.0], [2.0, NAN, 0.0, 0.0]),
    binary("minimumf", "f32", [1.0, 1.0, 0.0, -0.0], [2.0, NAN, -0.0, 0.0], [1.0, NAN, -0.0, -0.0]),
    binary("maximumf", "bf16", [1.0, NAN], [2.0, 1.0], [2.0, NAN]),
    binary("maxnumf", "f64", [1.0, NAN, 1.0, NAN], [2.0, 1.0, NAN, NAN], [2.0, 1.0, 1.0, NAN]),
    binary("minnumf", "f64", [1.0, NAN, 1.0, NAN], [2.0, 1.0, NAN, NAN], [1.0, 1.0, 1.0, NAN]),
    Elementwise("arith.negf %0 : $0", (("f32", [1.0, 0.0, -INF]),), "f32", [-1.0, -0.0, INF]),
    Elementwise(
        "arith.flush_denormals %0 : $0", (("f32", [1.0, -1e-40, 1e-40]),), "f32", [1.0, -0.0, 0.0]
    ),
    Elementwise(
        "arith.select %0, %1, %2 : $0, $1",
        (("i1", [True, False]), ("bf16", [1.0, 2.0]), ("bf16", [3.0, 4.0])),
        "bf16",
        [1.0, 4.0],
    ),
    cast("extsi", "i8", "i32", [-1, 5], [-1, 5]),
    cast("extsi", "i1", "i32", [True, False], [-1, 0]),
    cast("extui", "i8", "i32", [-1, 5], [255, 5]),
    cast("extui", "i1", "i64", [True, False], [1, 0]),
    cast("trunci", "i32", "i8", [300, -1], [44, -1]),
    cast("trunci", "i32", "i1", [2, 3, -1], [False, True, True]),
    cast("index_cast", "i1", "index", [True, False], [-1, 0]),
    cast("index_cast", "index", "i8", [300, -1], [44, -1]),
    cast("index_castui", "i8", "index", [-1, 5], [255, 5]),
    cast("index_castui", "index", "i1", [2, 3], [False, True]),
    cast("sitofp", "i8", "bf16", [-3, 5], [-3.0, 5.0]),
    cast("sitofp", "i1", "f32", [True, False], [-1.0, 0.0]),
    cast("uitofp", "i8", "f32", [-1, 5], [255.0, 5.0]),
    cast("uitofp", "i64", "f64", [-1, 5], [2.0**64, 5.0]),
    cast("uitofp", "i1", "f16", [True, False], [1.0, 0.0]),
    cast("fptosi", "f32", "i32", [-1.9, 1.9], [-1, 1]),
    cast("fptosi", "f32", "i1", [-1.0, 0.0], [True, False]),
    cast("fptoui", "f64", "i8", [200.7, 1.9], [-56, 1]),
    cast("fptoui", "f64", "i64", [2.0**63, 1.9], [-(2**63), 1]),
    cast("fptoui", "f32", "i1", [1.0, 0.0], [True, False]),
    cast("fptosi", "bf16", "i64", [-2.5, 3.0], [-2, 3]),
    cast("extf", "bf16", "f64", [1.5, NAN], [1.5, NAN]),
    cast("truncf", "f64", "f32", [1e300, 0.1], [INF, 0.1]),
    cast("truncf", "f32", "bf16", [1.00390625, 0.1], [1.0, 0.1]),
    cast("convertf", "f16", "bf16", [1.5, 65504.0], [1.5, 65536.0]),
    cast("bitcast", "f32", "i32", [1.0, -0.0], [0x3F800000, -(2**31)]),
    cast("bitcast", "i16", "bf16", [0x3FC0, 0x7F80], [1.5, INF]),
    cast("bitcast", "i64", "f64", [0x3FF0000000000000, 0], [1.0, 0.0]),
    Elementwise(
        "arith.scaling_extf %0, %1 : $0, $1 to $r",
        (("f8E4M3FN", [1.5, 2.0]), ("f8E8M0FNU", [4.0, 0.5])),
        "f32",
        [6.0, 1.0],
    ),
    Elementwise(
        "arith.scaling_truncf %0, %1 : $0, $1 to $r",
        (("f32", [6.0, 1.0]), ("f8E8M0FNU", [4.0, 0.5])),
        "f8E4M3FN",
        [1.5, 2.0],
    ),
]


def extended(name: str, a: int, b: int, *expected: object, type_: str = "i8") -> Case:
    flag = "i1" if "u" in name and "mul" not in name else type_
    suffix = f"{type_}, {flag}" if flag == "i1" else type_
    text = f"""
    func.func @f(%a: {type_}, %b: {type_}) -> ({type_}, {flag}) {{
      %r:2 = arith.{name}_extended %a, %b : {suffix}
      return %r#0, %r#1 : {type_}, {flag}
    }}"""
    dtype, flag_dtype = DTYPES[type_], DTYPES[flag]
    return Case(text, (dtype(a), dtype(b)), (dtype(expected[0]), flag_dtype(expected[1])))


def constant(attribute: str, type_: str, expected: object) -> Case:
    text = f"""
    func.func @f() -> {type_} {{
      %r = arith.constant {attribute} : {type_}
      return %r : {type_}
    }}"""
    return Case(text, (), (expected,))


BF16 = DTYPES["bf16"]


def formula(name: str, results: str, expected: int) -> Case:
    text = f"""
    func.func @f(%a: index, %b: index) -> index {{
      %r = affine.{name} affine_map<(i)[s] -> ({results})>(%a)[%b]
      return %r : index
    }}"""
    return Case(text, (np.int64(7), np.int64(3)), (np.int64(expected),))


CASES = [
    formula("apply", "i * 2 + s - 1", 16),
    formula("apply", "i mod s + i floordiv s", 3),
    formula("apply", "(-i) floordiv s + i ceildiv s", 0),
    formula("min", "i, s, i - s", 3),
    formula("max", "s, i - s", 4),
    extended("addui", -1, 2, 1, True),
    extended("addui", 1, 2, 3, False),
    extended("addui", 1, 1, 0, True, type_="i1"),
    extended("subui", 1, 2, -1, True),
    extended("subui", -1, 2, -3, False),
    extended("mulsi", -128, -128, 0, 64),
    extended("mulsi", -1, 1, -1, -1),
    extended("mului", -1, -1, 1, -2),
    extended("mulsi", 2**62, 4, 0, 1, type_="i64"),
    extended("mului", -1, -1, 1, -2, type_="i64"),
    constant("5", "index", np.int64(5)),
    constant("-5", "i8", np.int8(-5)),
    Case("func.func @f() -> i1 { %r = arith.constant false\n return %r : i1 }", (), (np.False_,)),
    constant("0x7FC0", "bf16", BF16(NAN)),
    constant("1.5", "f16", np.float16(1.5)),
    constant("dense<[true, false]>", "tensor<2xi1>", np.array([True, False])),
    constant("dense<true>", "tensor<2x1xi1>", np.array([[True], [True]])),
    constant("dense<[[1], [-2]]>", "tensor<2x1xi8>", np.array([[1], [-2]], np.int8)),
    constant("dense<7>", "tensor<3xindex>", np.full(3, 7, np.int64)),
    constant("dense<2.5>", "tensor<f64>", np.array(2.5)),
    constant("dense<[1.5, 0x7F80]>", "tensor<2xbf16>", np.array([1.5, INF], BF16)),
    constant("dense<-1.5>", "tensor<2xbf16>", np.array([-1.5, -1.5], BF16)),
    constant('dense<"0x803F0040">', "tensor<2xbf16>", np.array([1.0, 2.0], BF16)),
    constant("dense<(1.0, -2.0)>", "tensor<2xcomplex<f32>>", np.full(2, 1 - 2j, np.complex64)),
    constant(
        "dense<[(1.0, 2.0), (0x7FF0000000000000, -1.0e-3)]>",
        "tensor<2xcomplex<f64>>",
        np.array([1 + 2j, complex(INF, -1e-3)]),
    ),
    constant("dense<>", "tensor<0xcomplex<f64>>", np.zeros(0, np.complex128)),
    constant("dense<>", "tensor<0x2xf32>", np.zeros((0, 2), np.float32)),
    Case(
        """func.func @f(%c: i1, %a: tensor<2xf32>, %b: tensor<2xf32>) -> tensor<2xf32> {
          %r = arith.select %c, %a, %b : tensor<2xf32>
          return %r : tensor<2xf32>
        }""",
        (True, np.float32([1, 2]), np.float32([3, 4])),
        (np.float32([1, 2]),),
    ),
]


@pytest.mark.parametrize("case", ELEMENTWISE, ids=lambda case: case.text)
def test_elementwise(case: Elementwise) -> None:
    arrays = [np.atleast_1d(array) for array in case.arrays()]
    expected = np.array(case.expected, DTYPES[case.result])
    (result,) = run(case.program(len(expected)), *arrays)
    assert_same(result, expected)
    for position, value in enumerate(expected):
        (result,) = run(case.program(None), *(array[position] for array in arrays))
        assert isinstance(result, np.generic)
        assert_same(result, value)


@pytest.mark.parametrize("case", CASES)
def test_program(case: Case) -> None:
    for result, expected in zip(run(case.text, *case.arguments), case.expected, strict=True):
        assert_same(result, expected)
