"""Dicts that grow, lose entries and grow again, and lists that move while they grow: as in Python."""

from __future__ import annotations

import math

import pytest

import agir as ag

pytestmark = pytest.mark.filterwarnings("error")


def squares(n, step):
    found = {}
    for k in range(n):
        found[k * step] = found.get(k * step - step, 0) + k
    return len(found), found.get(step * (n - 1), -1), found.get(step * n, -1), found


def negative_keys(n):
    found = {}
    for k in range(n):
        found[-k] = k
        found[k - 3] = found.get(k - 3, 0) - 1
    return found, -1 in found, found.get(-2, 0)


def lost_and_found(n):
    found = {}
    for k in range(n):
        found[k % 97] = k
        if k % 3 == 0 and k % 97 in found:
            del found[k % 97]
        if k % 5 == 0:
            found[n + k] = k
    return list(found), [found[k] for k in found]


def floats(values):
    found = {}
    for value in values:
        found[value] = found.get(value, 0) + 1
    return [found[key] for key in found], len(found)


def pairs(n):
    found = {}
    for k in range(n):
        found[k % 13, k % 7] = k
    return found, (3, 3) in found, found.get((0, 0), -1)


def sums(n):
    rows = [[0] * 0 for _ in range(17)]
    pairs = [[(0, 0.5)] for _ in range(5)]
    for k in range(n):
        rows[k * k % 17].append(k)
        pairs[k % 5].append((k, k / 2))
        if k % 11 == 0:
            rows[k % 17].extend([k, -k, k])
    return rows, [len(row) for row in pairs], pairs[2][-1], rows[0][-2:]


def picked(values, places):
    total, missed = 0, 0
    for place in places:
        if -len(values) <= place < len(values):
            total += values[place]
            values[place] += 1
        else:
            missed += 1
    return total, missed, values


def read(values, place):
    return values[place]


@pytest.mark.parametrize("step", [1, 2, 64, -1, 4096])
def test_dicts_that_grow(step):
    compiled = ag.jit(squares)
    for n in (0, 1, 5, 6, 21, 22, 86, 87, 3000):
        assert compiled(n, step) == squares(n, step)


def test_large_dicts():
    compiled = ag.jit(squares)
    for n in (49_999, 87_500, 140_000):
        assert compiled(n, 3) == squares(n, 3)


@pytest.mark.parametrize("function", [negative_keys, lost_and_found, pairs, sums])
def test_entries_that_come_and_go(function):
    compiled = ag.jit(function)
    for n in (0, 1, 7, 60, 61, 500, 4001):
        assert compiled(n) == function(n)


def test_keys_that_are_floats():
    compiled = ag.jit(floats)
    for values in (
        [0.0, -0.0, 1.0, -1.0, 2.0**70, math.inf, -math.inf, 0.1, 1e-300, 0.1],
        [k / 8 for k in range(-400, 400)] * 2,
    ):
        assert compiled(values) == floats(values)


def test_keys_that_are_not_equal_to_themselves():
    @ag.jit
    def program(n):
        found = {}
        for k in range(n):
            found[math.inf - math.inf if k % 2 else float(k % 4)] = k
        return len(found)

    assert program(40) == 2 + 20


def test_places_that_are_counted_from_the_end():
    compiled = ag.jit(picked)
    for count in (1, 2, 9, 30):
        places = [*range(-count - 3, count + 3), 2**62, -(2**62)]
        given, expected = list(range(count)), list(range(count))
        assert compiled(given, places) == picked(expected, places)
        assert given == expected


@pytest.mark.parametrize("place", [5, -6, 2**62, -(2**62), 2**63 - 1, -(2**63)])
def test_places_outside(place):
    compiled = ag.jit(read)
    assert [compiled([1, 2, 3, 4, 5], k) for k in (0, 4, -1, -5)] == [1, 5, 5, 1]
    with pytest.raises(IndexError, match=f"list index {place} is out of range"):
        compiled([1, 2, 3, 4, 5], place)


def counted(text):
    found = {}
    for word in text.split():
        found[word] = found.get(word, 0) + 1
    return found, found.get("ab", -1), "" in found, "𝄞𝄞" in found


def letters(text, known):
    values = {"a": 1, "ab": 2, "abc": 3, "abcd": 4, "abcde": 5, "𐍈ß": 6, "": 7, "abcdef": 8}
    total = values.get(text, 0)
    for size in range(len(text) + 1):
        total = total * 10 + values.get(text[:size], 0)
    values[text] = -1
    return total, values, text in values, values.get(known, 0)


def test_words_of_all_lengths():
    compiled = ag.jit(counted)
    lengths = ["x" * n + "yz"[n % 2] for n in range(40)]
    for text in (
        "",
        " ",
        "ab",
        "a b c ab ba abc bca aab aba baa",
        " ".join(lengths * 3),
        "𝄞 𝄞𝄞 \u2003é𐍈 𝄞𝄞 \U0010ffff a\U0010ffff \U0010ffffa ß",
        " ".join(f"w{k * k % 1009}" for k in range(3000)),
        " ".join("ab"[k % 2] * (k % 9 + 1) for k in range(700)),
    ):
        assert compiled(text) == counted(text)


def test_texts_that_are_known_are_found_by_others():
    compiled = ag.jit(letters)
    for text in ("", "a", "ab", "abc", "abcd", "abcde", "abcdef", "abcdefg", "𐍈ß", "𐍈", "ba"):
        assert compiled(text, "abcd") == letters(text, "abcd")


def written(n, step):
    text, rows = "", []
    for k in range(-2, n):
        number = k * step
        text += str(number)
        rows.append(f"{number:x}|{hex(number)}|{bin(k)}|{oct(number)}")
    return text, rows


def test_numbers_in_texts():
    compiled = ag.jit(written)
    for step in (1, -1, 9, 999_999_999, 10**17, -(2**61)):
        assert compiled(4, step) == written(4, step)
    assert compiled(300, 37) == written(300, 37)


def crowded(keys, gone):
    """Keys that want the same first place: with other keys there, or such as are gone."""
    numbers, kept, left = {}, set(), set(keys)
    for place in range(len(keys)):
        numbers[keys[place]] = numbers.get(keys[place], 0) + place
        kept.add(keys[place])
    for key in gone:
        left.discard(key)
        kept.discard(key)
        numbers.pop(key, -1)
    missing = [key in numbers for key in keys]
    for key in gone:
        kept.discard(key)  # once more: its place says that it is gone
        numbers[key] = numbers.get(key, -1) + 1
        left.add(key)
    return numbers, missing, kept, left, sorted(left), len(kept)


CROWDS = [
    ([n << 12 for n in range(40)], [n << 12 for n in range(0, 60, 3)]),
    ([n << 40 for n in range(-9, 9)] + [1, 2, 3], [0, 1 << 40, -9 << 40, 2]),
    ([2**61 - 1, 0, 2**62, -(2**61), -(2**63), 2**63 - 1, -1, -2, 2**61], [2**61 - 1, -1, 5]),
    ([n * 65536.0 for n in range(30)] + [0.5, -0.0, 1e300, math.inf], [0.0, 65536.0, 1e300]),
    ([f"{n % 7}{'x' * (n % 3)}" for n in range(50)], ["0", "1x", "2xx", "not there"]),
    ([(n % 4, n << 20) for n in range(30)], [(0, 0), (1, 1 << 20), (9, 9)]),
    ([7], [7]),
]


@pytest.mark.parametrize(("keys", "gone"), CROWDS)
def test_keys_at_one_place(keys, gone):
    compiled = ag.jit(crowded)
    for _ in range(2):
        given = list(keys), list(gone)
        found, wanted = compiled(*given), crowded(list(keys), list(gone))
        assert found == wanted
        assert list(found[0]) == list(wanted[0])
        assert given == (keys, gone)
        keys, gone = keys[::-1], gone + keys[:2]
