"""Lists of texts that only the run time knows: split, joined, sorted, changed."""

from __future__ import annotations

import pytest

import agir as ag

WORDS = list(map(ord, "so it is  as it was "))


def text(codes):
    return "".join([chr(code) for code in codes])


def split(codes):
    whole = text(codes)
    parts = whole.split()
    return parts, whole.split(" ", 1), whole.rsplit("i", 1), whole.partition("is"), len(parts)


def lines(n):
    whole = f"{n}\r\n{n + 1}\n\n{n}"
    return whole.splitlines(), whole.splitlines(True), whole.split("\n"), whole.rpartition("\n")


def turned(codes):
    words = text(codes).split()
    longer = [word[::-1] if len(word) > 2 else word.capitalize() for word in words]
    return " ".join(words[::-1]), " ".join(longer), words[1], max(words, key=len)


def in_order(codes):
    words = text(codes).split()
    ranked = sorted([(len(word), word) for word in words])
    return sorted(words), sorted(words, key=len, reverse=True), ranked


def without_others(codes):
    found = []
    for word in text(codes).split():
        if word not in found:
            found.append(word)
    return found, found.index("is"), found.count("it"), found == ["so"]


def numbers(n):
    return sum(int(part) for part in f"{n},{n * 2},7".split(",")), list(map(int, str(n)))


def unpacked(n):
    one, two = f"{n} {n + 1}".split()
    first, *rest = str(n)
    return two + one, first, rest, [*str(n), "x"]


def rows(text, count):
    made = ["" for _ in range(count)]
    row, step = 0, 1
    for letter in text:
        made[row] += letter
        if row == 0:
            step = 1
        elif row == count - 1:
            step = -1
        row += step
    return "".join(made)


def counted_rows(n):
    made = ["" for _ in range(n)]
    for place in range(n):
        made[place] += str(place) * place
    made.append("end")
    return made


def grid(n):
    made = [["."] * n for _ in range(n)]
    for place in range(n):
        made[place][(2 * place) % n] = "Q"
    return ["".join(row) for row in made]


def swapped(n):
    letters = list(str(n))
    letters[0], letters[-1] = letters[-1], letters[0]
    letters.append("!")
    return "".join(letters)


def gray(n):
    made = ["0", "1"]
    for _ in range(n - 1):
        made = ["0" + each for each in made] + ["1" + each for each in reversed(made)]
    return made


def generated(n):
    return "-".join(str(k) for k in range(n)), "".join(map(str, range(n))), "ab" * (n % 4)


def fizz(n):
    return ["Fizz" * (k % 3 == 0) + "Buzz" * (k % 5 == 0) or str(k) for k in range(1, n + 1)]


def longest_without_repetition(n):
    best = current = ""
    for letter in str(n):
        if letter in current:
            current = current[current.index(letter) + 1 :]
        current += letter
        best = max(best, current, key=len)
    return best


def longest_or_none(codes):
    best = previous = None
    changes = 0
    for word in text(codes).split():
        if best is None or len(word) > len(best) or word > best:
            best = word
        changes += word != previous
        previous = word
    return best, changes, f"{best}", None if best is None else best.upper()


def lengths_of_runs(n):
    runs = []
    for letter in str(n):
        if runs and runs[-1][0] == letter:
            runs[-1][1] += 1
        else:
            runs.append([letter, 1])
    return "".join(f"{letter}{count}" for letter, count in runs)


def of_two_lengths(n):
    found = []
    for power in (3, 2):
        high, n = divmod(n, 10**power)
        if high > 0:
            part = str(high) if high >= 100 else "abc"
            found.append(f"{part} x")
    return " ".join(found), found


def add_balanced(begun, opened, closed, n, found):
    if len(begun) == 2 * n:
        found.append(begun)
        return
    if opened < n:
        add_balanced(begun + "(", opened + 1, closed, n, found)
    if closed < opened:
        add_balanced(begun + ")", opened, closed + 1, n, found)


def balanced(n):
    found = []
    add_balanced("", 0, 0, n, found)
    return found


def in_words(n):
    found = []
    if n < 0:
        found.append("minus")
        n = -n
    for power in (6, 3):
        high, n = divmod(n, 10**power)
        if high > 0:
            part = in_words(high) if high >= 100 else str(high)
            found.append(f"{part} e{power}")
    if n > 0 or not found:
        found.append(f"{n}")
    return " ".join(found)


def of_known_number(n):
    words = [str(n), "b", str(n * 7)]
    words.sort()
    first = list(words)
    words.sort(reverse=True)
    words.remove("b")
    return (
        first,
        words,
        sorted(["x", str(n)]),
        max(["x", str(n)]),
        first.count("b"),
        str(n) in first,
    )


CALLS = [
    (split, [WORDS]),
    (split, [list(map(ord, "xisx"))]),
    (lines, [41]),
    (turned, [WORDS]),
    (in_order, [WORDS]),
    (without_others, [WORDS]),
    (numbers, [305]),
    (unpacked, [42]),
    (rows, ["hello world", 3]),
    (counted_rows, [5]),
    (grid, [5]),
    (swapped, [123]),
    (gray, [4]),
    (generated, [11]),
    (fizz, [15]),
    (longest_without_repetition, [121341]),
    (longest_or_none, [WORDS]),
    (longest_or_none, [[32, 32]]),
    (lengths_of_runs, [11211]),
    (of_two_lengths, [123456789]),
    (of_two_lengths, [5]),
    (of_known_number, [2]),
    (of_known_number, [53]),
    (balanced, [3]),
    (in_words, [-1234567890]),
    (in_words, [0]),
]


@pytest.mark.parametrize(("function", "args"), CALLS)
def test_lists_of_texts(function, args):
    result, expected = ag.jit(function)(*args), function(*args)
    assert result == expected
    assert repr(result) == repr(expected)


def test_an_empty_separator():
    with pytest.raises(ValueError, match="empty separator"):
        ag.jit(lambda n: str(n).split(""))(3)


def test_too_many_to_unpack():
    @ag.jit
    def f(n):
        one, two = str(n).split("0")
        return one + two

    assert f(102) == "12"
    with pytest.raises(ValueError, match="unpack"):
        f(10203)
