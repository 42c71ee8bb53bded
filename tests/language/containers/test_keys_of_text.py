"""Text of the run time as keys of dicts and items of sets, and the text of such dicts."""

from __future__ import annotations

from collections import Counter, OrderedDict, defaultdict

import pytest

import agir as ag

pytestmark = pytest.mark.filterwarnings("error")


def counted(n):
    found = {}
    for letter in str(n):
        found[letter] = found.get(letter, 0) + 1
    return found, "1" in found, found[str(n)[0]]


def counter(n):
    found = Counter(str(n))
    ranked = sorted(found.items(), key=lambda entry: (-entry[1], entry[0]))
    return found, found.most_common(1)[0][0], ranked, found == Counter(str(n)[::-1])


def words(n):
    found = defaultdict(list)
    for place, word in enumerate(f"{n} b {n} a".split()):
        found[word].append(place)
    return dict(found), [f"{word}={len(found[word])}" for word in sorted(found)]


def pairs(n):
    letters, found = str(n), {}
    for place in range(len(letters)):
        found[place % 2, letters[place]] = place
    return found


def first_repeated(n):
    seen = set()
    for letter in str(n):
        if letter in seen:
            return letter
        seen.add(letter)
    return None


def items_of_sets(n):
    found = set(str(n)) | {"x"}
    return found, len(found), sorted(found), "x" in found, found == set(str(n))


def known(n):
    values = {"1": 10, "2": 20, "3": 30}
    names = {"1": "one", "2": "two"}
    total = sum(values[letter] for letter in str(n))
    return total, " ".join(names.get(letter, "?") for letter in str(n))


def brackets(n):
    closing = {")": "(", "]": "["}
    opened = []
    for letter in str(n).replace("1", "(").replace("2", ")").replace("3", "["):
        if letter in closing:
            if not opened or opened[-1] != closing[letter]:
                return False
            opened.pop()
        elif letter in closing.values():
            opened.append(letter)
    return not opened


def of_floats(x):
    found = {}
    for k in range(4):
        found[f"{x * k:.0f}"] = k
    return found


CALLS = [
    (counted, [12321]),
    (counter, [12321]),
    (words, [7]),
    (pairs, [12321]),
    (first_repeated, [12321]),
    (first_repeated, [123]),
    (items_of_sets, [12321]),
    (known, [12321]),
    (brackets, [1122]),
    (brackets, [1232]),
    (of_floats, [0.3]),
]


@pytest.mark.parametrize(("function", "args"), CALLS)
def test_keys(function, args):
    result, expected = ag.jit(function)(*args), function(*args)
    assert result == expected
    if not isinstance(result, tuple):
        assert repr(result) == repr(expected)


def test_a_key_that_is_not_there():
    @ag.jit
    def f(n):
        found = {str(n): 1}
        return found[f"x{n}"]

    with pytest.raises(KeyError) as caught:
        f(3)
    assert caught.value.args[0] == "x3"


def written(n):
    numbers = {k: k * k for k in range(n)}
    texts = {str(k): [k] for k in range(n)}
    ordered = OrderedDict()
    for k in range(n):
        ordered[k] = k / 2
    default = defaultdict(int)
    for k in range(n):
        default[k] += 1
    print(numbers, Counter(str(n)), set(range(n)), numbers.keys(), numbers.items())
    print([str(k) for k in range(n)], [(k, k / 2) for k in range(n)], [[0] * k for k in range(n)])
    return str(texts), f"{ordered}", repr(default), len(f"{numbers}"), str(list(range(n)))[1:]


def test_the_text_of_containers(capsys):
    compiled = ag.jit(written)
    for n in (0, 3):
        result = compiled(n)
        printed = capsys.readouterr().out
        assert result == written(n)
        assert printed == capsys.readouterr().out
