"""``--args``: types and expressions."""

from __future__ import annotations

import numpy as np
import pytest

from agir import TensorSpec
from agir.ir.building.types import DTYPES
from agir.tools.arguments import TYPES, describe, parse
from agir.tools.diagnosis import UsageError


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("", []),
        ("f64[512,512], i32", [TensorSpec((512, 512), "float64"), TensorSpec((), "int32")]),
        ("f32[?, 4]", [TensorSpec((None, 4), "float32")]),
        ("f32[?]", [TensorSpec((None,), "float32")]),
        ("f32[]", [TensorSpec((), "float32")]),
        ("bool, i1[2]", [TensorSpec((), "bool"), TensorSpec((2,), "bool")]),
        ("bf16, f16", [TensorSpec((), "bfloat16"), TensorSpec((), "float16")]),
        ("c64, c128[1]", [TensorSpec((), "complex64"), TensorSpec((1,), "complex128")]),
        ("u8[0], uint64, float32[3]", [
            TensorSpec((0,), "uint8"), TensorSpec((), "uint64"), TensorSpec((3,), "float32"),
        ]),
        ("5, -1.5, True, None, 'a?'", [5, -1.5, True, None, "a?"]),
        ("(f64, [i8[2], 3]), {'k': f32[?]}", [
            (TensorSpec((), "float64"), [TensorSpec((2,), "int8"), 3]),
            {"k": TensorSpec((None,), "float32")},
        ]),
        ("\n f64[2],\n f64[3]\n", [TensorSpec((2,), "float64"), TensorSpec((3,), "float64")]),
        ("ag.TensorSpec([None], ag.int8)", [TensorSpec((None,), "int8")]),
        ("f64, # a comment", [TensorSpec((), "float64")]),
    ],
)  # fmt: skip
def test_what_a_text_means(text: str, expected: list[object]) -> None:
    given = parse(text)
    assert list(given.args) == expected
    assert given.kwargs == {}


def test_expressions_over_numpy_and_names() -> None:
    given = parse("np.eye(3, dtype=f32), n + 1, axis=np.int8(1)", {"n": 4})
    np.testing.assert_array_equal(given.args[0], np.eye(3))
    assert given.args[0].dtype == np.float32
    assert given.args[1] == 5
    assert given.kwargs == {"axis": 1}
    assert parse("np.ones(2, bool)").args[0].dtype == np.bool_


def test_every_dtype_has_a_short_name() -> None:
    short = "i1 i8 i16 i32 i64 u8 u16 u32 u64 f16 bf16 f32 f64 c64 c128"
    assert {TYPES[name].type for name in short.split()} == set(DTYPES)


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("f63[2]", "did you mean f6?4"),
        ("zzzzzz", "types are .*f64"),
        ("f64[2", "never closed|invalid syntax|does not match"),
        ("f64))", "unmatched"),
        ("1) + (2", "unbalanced parentheses"),
        ("f64[-1]", "a dimension is a number or [?], not -1"),
        ("f64['n']", "a dimension is a number or [?]"),
        ("float, 1", "float is no type of a tensor"),
        ("np.nothing", "AttributeError"),
        ("1 / 0", "ZeroDivisionError"),
        ("a\0b", "null bytes|source code"),
    ],
)
def test_what_has_no_meaning(text: str, message: str) -> None:
    with pytest.raises(UsageError, match=message):
        parse(text)


def test_types_become_ones_for_a_call() -> None:
    given = parse("f32[2, 1], (i8, 3), x=bool[1]").with_values()
    np.testing.assert_array_equal(given.args[0], np.ones((2, 1), np.float32))
    assert given.args[1] == (1, 3)
    assert type(given.args[1][0]) is np.int8
    assert given.kwargs["x"].tolist() == [True]
    with pytest.raises(UsageError, match=r"float64\[\?, 2\] leaves dimensions open"):
        parse("f64[?, 2]").with_values()


def test_arguments_in_words() -> None:
    words = [describe(each) for each in parse("f64[?, 2], i8, np.eye(2), 'x' * 99").args]
    assert words[:3] == ["float64[?, 2]", "int8", "float64[2, 2]"]
    assert len(words[3]) == 60
