"""The right side of ``and`` and ``or`` that searches is computed only where Python would."""

from __future__ import annotations

import pytest

import agir as ag

pytestmark = pytest.mark.filterwarnings("error")


def begins(one, other):
    return len(one) == len(other) and one == other, one == other or one < other


def wanted(items, key, asks):
    seen = {}
    for item in items:
        seen[item] = item + 1
    return asks and key in seen, asks or key in items, not asks and (key in items or key in seen)


def of_words(text, word):
    words = text.split()
    return [each == word or each in word for each in words], word in words and len(words) > 1


@pytest.mark.parametrize("asks", [True, False])
@pytest.mark.parametrize("items", [[], [3], list(range(50))])
def test_searches(items, asks):
    compiled = ag.jit(wanted)
    for key in (3, -1, 49):
        assert compiled(items, key, asks) == wanted(items, key, asks)


@pytest.mark.parametrize("other", ["", "ab", "abc", "abd", "abcd" * 50])
def test_texts(other):
    compiled = ag.jit(begins)
    for one in ("abc" * 20, "abcd" * 50, "ab" * 30):
        assert compiled(one, other) == begins(one, other)
        assert compiled([*map(ord, one)], [*map(ord, other)]) == begins(
            [*map(ord, one)], [*map(ord, other)]
        )
        assert ag.jit(of_words)(one + " ab abc ab", other) == of_words(one + " ab abc ab", other)


def test_a_search_is_in_a_branch():
    """Else it would look at items of the longer list beyond the end of the other one."""

    def compared(one, other):
        return len(one) == len(other) and one == other

    text = ag.jit(compared).experimental_get_compiler_ir("ab" * 30, "ab" * 40)(stage="hlo")
    lines = text.splitlines()
    loops = [n for n, line in enumerate(lines) if "scf.while" in line]
    assert loops
    for n in loops:
        assert lines[n].startswith(" " * 6), "it is inside of a branch"
