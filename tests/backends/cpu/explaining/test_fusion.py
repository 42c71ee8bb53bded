"""What an explanation says of kernels that are not fused."""

from __future__ import annotations

import numpy as np

import agir as ag


@ag.jit
def stepwise(x):
    y = np.sin(x) * 2
    z = (y[1:] - y[:-1]) ** 2
    t = y
    for _ in range(3):
        t = np.cos(t)
    return z, t


@ag.jit
def products(a, b):
    return np.exp(a @ b) + 1


def reasons(function, *shapes):
    given = [ag.TensorSpec(shape, np.float64) for shape in shapes]
    explanation = function.explain(*given)
    pairs = explanation.unfused
    return explanation, {
        (p.giving[0].line - FIRST, p.taking[0].line - FIRST): p.reason for p in pairs
    }


FIRST = stepwise.python_function.__code__.co_firstlineno


def test_why_kernels_are_two():
    explanation, found = reasons(stepwise, [4000])
    assert found == {
        (2, 3): "it takes other elements than those at the point that is computed",
        (2, 6): "others take it, too, and would have to compute it again",
    }
    line = FIRST + 2
    assert f"with line {line}, whose result it takes: it takes other elements" in str(explanation)
    assert repr(explanation) == str(explanation)
    assert "whose result it takes" in explanation._repr_html_()
    assert explanation.as_json()["unfused"]


def test_a_reduction_is_complete_at_its_end():
    _, found = reasons(products, [60, 60], [60, 60])
    assert [*found.values()] == ["a reduction is complete only after its last element"]


def test_what_is_fused_is_not_listed():
    fused = ag.jit(lambda x: (np.sin(x) * 2 + x).sum())
    assert not fused.explain(ag.TensorSpec([4000], np.float64)).unfused
