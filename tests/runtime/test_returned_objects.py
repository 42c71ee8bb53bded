"""Objects that a function makes and returns: new ones at each call, with the values of the call."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import agir as ag


class Box:
    def __init__(self, value: Any) -> None:
        self.value = value

    def increase(self) -> None:
        self.value += 1


class Node:
    def __init__(self, value: Any, below: Any) -> None:
        self.value = value
        self.below = below


@pytest.mark.parametrize("decorator", [ag.jit, ag.function])
def test_an_object_holds_the_values_of_the_call(decorator: Any) -> None:
    @decorator
    def count(n: Any) -> Any:
        box = Box(n * 0)
        for _ in range(n):
            box.increase()
        return box

    found = [count(n) for n in (3, 5)]
    assert [type(each) for each in found] == [Box, Box]
    assert [int(each.value) for each in found] == [3, 5]


def test_objects_in_objects_and_containers() -> None:
    @ag.jit
    def tree(x: Any, n: Any) -> Any:
        low = Node(x.sum(), None)
        return {"top": Node(n, [low, Node("text", x)]), "others": (low, Box(3))}

    x = np.ones(3)
    for n in (1, 2):
        found = tree(x, n)
        top = found["top"]
        assert (top.value, top.below[0].value, top.below[1].value) == (n, 3.0, "text")
        assert top.below[1].below is x
        assert (found["others"][0].value, found["others"][1].value) == (3.0, 3)


def test_each_call_makes_its_own() -> None:
    @ag.jit
    def constant() -> Any:
        return Box(1)

    first = constant()
    first.value = 7
    assert constant().value == 1


def test_an_object_of_outside_is_itself() -> None:
    box = Box(0)

    @ag.jit
    def put(n: Any) -> Any:
        box.value = n
        return box

    for n in (3, 4):
        assert put(n) is box
        assert box.value == n


def test_of_a_branch() -> None:
    @ag.jit
    def choose(n: Any) -> Any:
        box = Box(n) if n > 2 else Box(-n)
        box.increase()
        return box

    assert [choose(n).value for n in (3, 1)] == [4, 0]


def test_an_object_that_holds_itself() -> None:
    @ag.jit
    def ring(n: Any) -> Any:
        node = Node(n, None)
        node.below = node
        return node

    node = ring(3)
    assert node.below is node
    assert type(node) is Node
