"""What text of the run time is made of: functions of lists of code points, called by plain Python."""

from __future__ import annotations

import sys
from typing import Any

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from agir.ir.plain.hashed import hashes
from agir.ir.plain.text import code_kinds, code_numbers, codes, known_texts, unicode_tables

TEXTS = st.text(st.sampled_from("abAB 12\n\r\t\x85\xa0ßΣςİǅéa\u0345٣\U0001d7d8²Ⅷ_+-,"), max_size=12)
PARTS = st.text(st.sampled_from("abA 1\n"), max_size=3)
BOUNDS = st.none() | st.integers(-15, 15)
MOST = st.integers(-1, 4)

pytestmark = pytest.mark.filterwarnings("error")


def of(text: str) -> list[int]:
    return list(map(ord, text))


def text(numbers: Any) -> str:
    return "".join(map(chr, numbers))


@settings(deadline=None)
@given(TEXTS, PARTS, BOUNDS, BOUNDS)
@example("", "", 1, None)
@example("abc", "", 3, 2)
def test_searching(whole, part, start, end):
    for ours, theirs in (
        (codes.find, str.find),
        (codes.find_last, str.rfind),
        (codes.count, str.count),
        (codes.starts, str.startswith),
        (codes.ends, str.endswith),
    ):
        assert ours(of(whole), of(part), start, end) == theirs(whole, part, start, end), theirs


@settings(deadline=None)
@given(TEXTS, PARTS.filter(len), MOST)
def test_splitting(whole, part, most):
    assert list(map(text, codes.split(of(whole), of(part), most))) == whole.split(part, most)
    assert list(map(text, codes.split_last(of(whole), of(part), most))) == whole.rsplit(part, most)
    assert list(map(text, codes.words(of(whole), most))) == whole.split(None, most)
    assert list(map(text, codes.last_words(of(whole), most))) == whole.rsplit(None, most)
    for keep in (False, True):
        assert list(map(text, codes.lines(of(whole), keep))) == whole.splitlines(keep)


@settings(deadline=None)
@given(TEXTS, PARTS, PARTS, MOST)
def test_replacing(whole, old, new, most):
    assert text(codes.replace(of(whole), of(old), of(new), most)) == whole.replace(old, new, most)


@settings(deadline=None)
@given(TEXTS, PARTS, st.integers(-2, 20))
def test_fields(whole, part, width):
    assert text(codes.strip(of(whole), of(part))) == (whole.strip(part) if part else whole)
    assert text(codes.strip(of(whole), None, right=False)) == whole.lstrip()
    assert text(codes.strip(of(whole), None, left=False)) == whole.rstrip()
    assert text(codes.centred(of(whole), width, 42)) == whole.center(width, "*")
    assert text(codes.filled_with_zeros(of(whole), width)) == whole.zfill(width)
    assert text(codes.with_tabs_expanded(of(whole), max(width, 0))) == whole.expandtabs(
        max(width, 0)
    )


@settings(deadline=None)
@given(TEXTS | st.text(max_size=8))
@example("\u0391Σ \u0391Σ\u0391 Σ \u0391\u0345Σ")
def test_cases(whole):
    for name in ("upper", "casefold"):
        assert text(code_kinds.changed(of(whole), name)) == getattr(whole, name)()
    assert text(code_kinds.lower(of(whole))) == whole.lower()
    assert text(code_kinds.titled(of(whole))) == whole.title()
    assert text(code_kinds.capitalized(of(whole))) == whole.capitalize()
    assert text(code_kinds.swapped(of(whole))) == whole.swapcase()


@settings(deadline=None)
@given(TEXTS | st.text(max_size=8))
def test_kinds(whole):
    numbers = of(whole)
    for name in ("isalpha", "isalnum", "isdigit", "isdecimal", "isnumeric", "isprintable"):
        expected = getattr(whole, name)() if whole else True
        assert code_kinds.all_are(numbers, name) == expected, name
    assert code_kinds.are_in_one_case(numbers, "isupper", "islower") == whole.isupper()
    assert code_kinds.are_in_one_case(numbers, "islower", "isupper") == whole.islower()
    assert code_kinds.are_titles(numbers) == whole.istitle()
    assert code_kinds.is_name(numbers) == whole.isidentifier()
    assert [codes.is_space(code) for code in numbers] == [each.isspace() for each in whole]


@pytest.mark.parametrize("name", ["isalpha", "isdigit", "isupper", "isprintable"])
def test_every_character_is_of_its_kinds(name):
    where, flags = unicode_tables.kind(name)
    size = unicode_tables.PAGE
    for page in range(0, sys.maxunicode + 1, size):
        row = flags[where[page // size] * size :][:size].tolist()
        assert row == [getattr(chr(code), name)() for code in range(page, page + size)]


@pytest.mark.parametrize("name", ["upper", "lower", "title", "casefold"])
def test_every_character_has_its_cases(name):
    where, changes, rows = unicode_tables.changes(name)
    size, many = unicode_tables.PAGE, unicode_tables.MANY
    for code in range(sys.maxunicode + 1):
        change = int(changes[where[code // size] * size + code % size])
        made = [code + change] if change < many else [n for n in rows[change - many] if n]
        assert text(made) == getattr(chr(code), name)()


@settings(deadline=None)
@given(
    st.text(st.sampled_from("0123456789abxzXBO_+- \u2003٣\U0001d7d8g"), max_size=8),
    st.sampled_from([0, 2, 3, 8, 10, 16, 36]),
)
@example("0x_f", 0)
@example("0_0", 0)
@example("01", 0)
@example("0b1", 16)
def test_reading_ints(whole, base):
    number, fine = code_numbers.read_int(of(whole), base)
    try:
        expected = int(whole, base)
    except ValueError:
        assert not fine
    else:
        assert fine
        assert number == expected


@given(st.text(max_size=6))
def test_hashes_of_texts(whole):
    known = known_texts.hash_of(of(whole))
    assert -(2**63) <= known < 2**63
    assert hashes.hash_of(whole) == known
