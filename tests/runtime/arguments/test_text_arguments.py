"""Text among the arguments: known while tracing at first, and data where there are several."""

from __future__ import annotations

import pytest

import agir as ag


def counted(text):
    found = {}
    for word in text.split():
        found[word] = found.get(word, 0) + 1
    return found


def reversed_text(text):
    return text[::-1].upper() + "!"


def distance(a, b):
    rows = [[0] * (len(b) + 1) for _ in range(len(a) + 1)]
    for i in range(len(a) + 1):
        rows[i][0] = i
    for j in range(len(b) + 1):
        rows[0][j] = j
    for i in range(1, len(a) + 1):
        for j in range(1, len(b) + 1):
            changed = rows[i - 1][j - 1] + (a[i - 1] != b[j - 1])
            rows[i][j] = min(rows[i - 1][j] + 1, rows[i][j - 1] + 1, changed)
    return rows[-1][-1]


def joined(words, separator):
    return separator.join(words)


def by_mode(x, mode):
    if mode == "twice":
        return [x, x]
    return x if mode == "once" else float(x)


TEXTS = ("a b a", "c d", "", "hello hello", "Ünï cödé ünï", "straße straße", "😀 x 😀", "x" * 500)


@pytest.mark.parametrize("function", [counted, reversed_text])
def test_one_trace_for_all_texts(function):
    compiled = ag.jit(function)
    for text in TEXTS:
        found = compiled(text)
        assert found == function(text)
        assert type(found) is type(function(text))


def traces(compiled):
    return len(compiled._concrete.types())


def test_few_traces():
    compiled = ag.jit(counted)
    for number in range(20):
        assert compiled(f"a{number} b") == counted(f"a{number} b")
    assert traces(compiled) == 3


def test_several_texts_and_those_in_lists():
    compiled = ag.jit(distance)
    pairs = [
        ("intention", "execution"),
        ("ab", "abc"),
        ("kitten", "sitting"),
        ("", ""),
        ("a" * 40, "b" * 30),
    ]
    for pair in pairs:
        assert compiled(*pair) == distance(*pair)
    compiled = ag.jit(joined)
    for words, separator in (
        (["a"], "-"),
        (["b", "c"], "-"),
        (["d", "e"], "+"),
        (["f", "gg"], "="),
        (["h", "i"], ""),
    ):
        assert compiled(words, separator) == joined(words, separator)


def test_a_text_that_decides_what_is_recorded_stays_known():
    compiled = ag.jit(by_mode)
    for x, mode in (
        (1, "once"),
        (1, "twice"),
        (2, "other"),
        (3, "once"),
        (4, "twice"),
        (5, "another"),
    ):
        found, wanted = compiled(x, mode), by_mode(x, mode)
        assert (found, type(found)) == (wanted, type(wanted))


def test_a_static_text_stays_known():
    compiled = ag.jit(reversed_text, static=["text"])
    for number in range(5):
        assert compiled(f"t{number}") == f"{number}T!"
    assert traces(compiled) == 5


def test_refused_at_run_time_and_known():
    """What compiled code refuses of a text, plain Python may do while tracing."""

    @ag.jit
    def whole(text):
        return int(text) % 7

    for text in ("12", "-5", "77", "123456789012345678901234567890"):
        assert whole(text) == int(text) % 7


def test_a_concrete_function_takes_text():
    compiled = ag.jit(reversed_text)
    for text in ("ab", "cd", "ef"):
        compiled(text)
    concrete = compiled.get_concrete_function("gh")
    assert concrete("xyz") == "ZYX!"
    assert concrete("") == "!"


def test_a_text_of_numbers_in_a_known_text():
    def f(number):
        known = ""
        found = str(number % 7) in known, str(number) in "a-12b"
        known += str(number)
        return found, str(number) in known, len(known)

    for number in (3, 12, -1, 1):
        assert ag.jit(f)(number) == f(number)


def test_a_known_text_in_a_tuple_of_characters():
    def both(one, two):
        return "".join([str(int("1" in (a, b))) for a, b in zip(one, two, strict=True)])

    for one, two in (("0101", "0011"), ("000", "100"), ("", ""), ("1", "0"), ("11", "00")):
        compiled = ag.jit(both)
        compiled._signature.texts = frozenset(("one", "two"))
        assert compiled(one, two) == both(one, two)
