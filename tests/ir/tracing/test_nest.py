"""``ag.nest``: structures taken apart, put together and compared, eagerly and while tracing."""

from __future__ import annotations

from collections import OrderedDict, defaultdict, namedtuple
from dataclasses import dataclass
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import agir as ag
from agir import nest

Point = namedtuple("Point", "x y")


@dataclass
class Pair:
    left: Any
    right: Any


STRUCTURES = st.recursive(
    st.integers() | st.none() | st.text(max_size=2),
    lambda inner: st.one_of(
        st.lists(inner, max_size=3),
        st.lists(inner, max_size=3).map(tuple),
        st.dictionaries(st.text(max_size=2), inner, max_size=3),
        st.tuples(inner, inner).map(lambda pair: Point(*pair)),
        st.tuples(inner, inner).map(lambda pair: Pair(*pair)),
    ),
    max_leaves=12,
)


def test_a_dict_gives_its_leaves_by_its_keys() -> None:
    assert nest.flatten({"b": 1, "a": [2, (3,)]}) == [2, 3, 1]
    assert nest.flatten(OrderedDict(b=1, a=2)) == [2, 1]
    assert nest.flatten(Pair(1, Point(2, 3))) == [1, 2, 3]
    assert nest.flatten(5) == [5]
    assert nest.flatten(None) == [None]
    assert nest.flatten([]) == []
    assert nest.flatten("text") == ["text"]


def test_what_is_nested() -> None:
    assert all(map(nest.is_nested, ([], (), {}, Point(1, 2), Pair(1, 2))))
    assert not any(map(nest.is_nested, ("ab", 1, None, np.ones(2), ag.constant([1]), ag.float32)))


def test_a_dict_keeps_its_order_and_its_class() -> None:
    packed = nest.pack_sequence_as({"b": 0, "a": 0}, [1, 2])
    assert list(packed.items()) == [("b", 2), ("a", 1)]
    counts = defaultdict(int, b=1, a=2)
    doubled = nest.map_structure(lambda n: n * 2, counts)
    assert type(doubled) is defaultdict
    assert doubled["missing"] == 0
    assert doubled["a"] == 4
    assert counts["a"] == 2


@given(STRUCTURES)
def test_packing_undoes_flattening(structure: Any) -> None:
    assert nest.pack_sequence_as(structure, nest.flatten(structure)) == structure
    nest.assert_same_structure(structure, structure)
    pairs = nest.map_structure(lambda a, b: (a, b) == (a, a), structure, structure)
    assert all(nest.flatten(pairs))


@given(STRUCTURES, STRUCTURES)
def test_structures_are_the_same_where_their_keys_are(left: Any, right: Any) -> None:
    def shape(value: Any) -> Any:
        if not nest.is_nested(value):
            return None
        names = tuple(sorted(value)) if isinstance(value, dict) else ()
        items = [value[n] for n in names] or ([] if isinstance(value, dict) else _items(value))
        return (type(value), names, tuple(map(shape, items)))

    def _items(value: Any) -> Any:
        return [value.left, value.right] if isinstance(value, Pair) else list(value)

    if shape(left) == shape(right):
        nest.assert_same_structure(left, right)
    else:
        with pytest.raises((TypeError, ValueError)):
            nest.assert_same_structure(left, right)


@pytest.mark.parametrize(
    ("use", "error", "message"),
    [
        (lambda: nest.assert_same_structure([1], (1,)), TypeError, "a list of 1.*a tuple of 1"),
        (lambda: nest.assert_same_structure([1, 2], [1]), ValueError, "a list of 2.*a list of 1"),
        (lambda: nest.assert_same_structure({"a": 1}, {"b": 1}), ValueError, "'a'.*'b'"),
        (lambda: nest.assert_same_structure([[1]], [1]), ValueError, r"at \[0\].*a leaf"),
        (lambda: nest.assert_same_structure({"a": [1, 2]}, {"a": [1]}), ValueError, r"at \['a'\]"),
        (lambda: nest.map_structure(1, [1]), TypeError, "takes a function"),
        (lambda: nest.map_structure(abs), ValueError, "at least one structure"),
        (lambda: nest.pack_sequence_as([1, 2], [1]), ValueError, "2 leaves and flat_sequence 1"),
        (lambda: nest.pack_sequence_as([1, 2], 3), TypeError, "must be a list or tuple"),
        (lambda: nest.flatten_up_to([1, 2], [1]), ValueError, "shallow_tree has a list of 2"),
        (lambda: nest.flatten_up_to([[1]], [1]), TypeError, r"at \[0\].*the leaf 1"),
        (lambda: nest.flatten({1: 1, "a": 2}), TypeError, "must have an order"),
    ],
)
def test_errors_say_what_differs(use: Any, error: type[Exception], message: str) -> None:
    with pytest.raises(error, match=message):
        use()


def test_types_need_not_be_checked() -> None:
    nest.assert_same_structure([1, (2,)], (1, [2]), check_types=False)
    assert nest.map_structure(lambda a, b: a + b, [1], (2,), check_types=False) == [3]


def test_up_to_a_shallow_structure() -> None:
    deep = {"a": [1, 2], "b": (3, {"c": 4})}
    assert nest.flatten_up_to({"a": 0, "b": (0, 0)}, deep) == [[1, 2], 3, {"c": 4}]
    lengths = nest.map_structure_up_to({"a": 0, "b": 0}, len, deep)
    assert lengths == {"a": 2, "b": 2}


@pytest.mark.parametrize("wrap", [ag.function, ag.jit, lambda f: f])
def test_a_mapped_function_is_converted(wrap: Any) -> None:
    @wrap
    def f(batch: Any) -> Any:
        def positive(x: Any) -> Any:
            if x > 0:
                return x
            return -x

        return ag.nest.map_structure(positive, batch)

    out = f({"x": ag.constant(-1.5), "y": [ag.constant(2)]})
    assert float(out["x"]) == 1.5
    assert int(out["y"][0]) == 2


def test_a_structure_that_is_made_in_a_loop_is_carried() -> None:
    @ag.function
    def f(n: Any) -> Any:
        state = {"a": 0, "b": [1, 2]}
        for _ in ag.range(n):
            state = ag.nest.map_structure(lambda leaf: leaf + 1, state)
        return state

    out = f(ag.constant(3))
    assert [int(leaf) for leaf in ag.nest.flatten(out)] == [3, 4, 5]
