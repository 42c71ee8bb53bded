"""Text that only the run time knows: digits of numbers, and text that loops put together."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import agir as ag
from agir.ir.plain.text import texts


def length(n):
    return len(str(n))


def sum_of_digits(n):
    return sum(int(digit) for digit in str(abs(n))), sum(map(int, str(abs(n))))


def armstrong(n):
    digits = str(n)
    return n == sum(int(digit) ** len(digits) for digit in digits)


def palindrome(n):
    return str(n) == str(n)[::-1], str(n) != str(n)[::-1]


def binary(n):
    found = ""
    while n > 0:
        found = str(n % 2) + found
        n //= 2
    return "0b" + (found or "0")


def in_base(n, base):
    digits = "0123456789ABCDEF"
    found = ""
    while n:
        n, rest = divmod(n, base)
        found = digits[rest] + found
    return found or "0"


def both_bits(a, b):
    x, y = str(bin(a))[2:], str(bin(b))[2:]
    width = max(len(x), len(y))
    pairs = zip(x.zfill(width), y.zfill(width), strict=True)
    return "0b" + "".join(str(int(p == "1" and q == "1")) for p, q in pairs)


def turned(n):
    return int(str(n)[1:] + str(n)[0]), int("".join(reversed(str(n))))


def searched(n):
    text = str(n)
    return text.count("1"), "3" in text, text.find("3"), text.replace("1", "22"), "9" not in text


def formats(n):
    return f"{n:08b}", f"{n:x}", "<" + f"{n:5d}" + ">", str(n) + "!", len(f"{n:X}{n}")


def prefixes(n):
    return len(hex(n)), hex(n), oct(n), bin(n)


def kinds(n):
    found = 0
    for digit in str(n):
        if digit in "135":
            found += 1
        if digit == "0":
            found += 10
        if digit in ("7", "8"):
            found += 100
    return found


def caesar(shift):
    found = ""
    for letter in "hello":
        found += chr((ord(letter) - 97 + shift) % 26 + 97)
    return found, found.upper(), found.isalpha(), found.startswith("k"), found.endswith("r")


def lists(n):
    return [int(digit) for digit in str(n)], list(str(n)), "".join(sorted(str(n)))


def persistence(n):
    steps = 0
    while len(str(n)) > 1:
        product = 1
        for digit in str(n):
            product *= int(digit)
        n = product
        steps += 1
    return steps


def largest_without_one(n):
    text, best = str(n), 0
    for place in range(len(text)):
        best = max(best, int(text[:place] + text[place + 1 :]))
    return best


def fizz_buzz(n):
    found = ""
    for i in range(1, n + 1):
        if i % 3 == 0:
            found += "Fizz"
        if i % 5 == 0:
            found += "Buzz"
        if i % 3 and i % 5:
            found += str(i)
        found += " "
    return found.strip(), len(found)


def fields(n):
    text = str(n)
    return text.zfill(6), text.rjust(6, "."), text.ljust(6) + "|", text * 2, text.isdigit()


def searched_from_both_ends(n):
    text = str(n)
    found = text.find("2", 2), text.rfind("2"), text.index("3"), text.rindex("1"), text.find("", 9)
    counts = text.count("2", 2), text.count("1", 0, 3), text.count("")
    ends = text.startswith(("3", "1")), text.endswith("21"), text.startswith("2", 1)
    return found, counts, ends, text.removeprefix("12"), text.removesuffix("x")


def changed(n):
    text = f"{n} is\tso"
    table = str.maketrans("123", "abc")
    texts = (
        text.title(),
        text.swapcase(),
        text.capitalize(),
        text.expandtabs(4),
        text.translate(table),
    )
    return texts, text.replace("", "-", 3), text.center(12, "*"), text.casefold()


def all_of_unicode(codes):
    text = "".join([chr(code) for code in codes])
    cases = text.upper(), text.lower(), text.title(), text.swapcase(), text.capitalize()
    kinds = [(c.isalpha(), c.isdigit(), c.isnumeric(), c.isspace(), c.isupper()) for c in text]
    return cases, kinds, text.isidentifier(), text.isprintable(), text.isascii(), text.istitle()


DIRECTIVE, PATTERN = "%.1e", "{:>5}|{}"


def digits_of_floats(x):
    text, fixed = str(x), f"{x:.3f}"
    parts = len(text), text[0], text.split("."), list(fixed)
    return (
        parts,
        fixed.rstrip("0").rstrip("."),
        float(text),
        float(fixed + "e2"),
        DIRECTIVE % x + "!",
    )


def in_formats(n, width):
    specs = f"{n:,}"[:2], f"{n:+d}"[0], f"{n:#x}"[1:], f"{n:^7}"[:], f"{n:06.1f}"[:], f"{n:%}"[::-1]
    return specs, f"{n:>{width}}", f"{n!s:*<{width}}"[2:], PATTERN.format(str(n), n)[1:]


def read_in_bases(n):
    texts = bin(n), oct(n), hex(n), f"  +{n}_0 "
    return [int(each, 0) for each in texts], int(str(n), base=16), int("1_0" + str(n))


def compared(n):
    text = str(n)
    orders = text < "2", text >= "12", "12" < text, max(text), min(text), sorted(text, key=ord)
    return orders, text == n, text != n, isinstance(text, str), type(text) is str


def bytes_of(n):
    data = (str(n) + "é").encode()
    turned = [byte ^ 1 for byte in data]
    return data, data[0], data[1:], data.hex(), data.decode(), turned, b"1" in data, f"{data}"


UNICODE = list(map(ord, "äSß\u0394 A\u0130\u01c5\u03a3 0\u0663\u00b2"))


CALLS: list[tuple[Callable[..., Any], list[Any]]] = [
    (length, [12345]),
    (length, [-50]),
    (length, [0]),
    (length, [-(2**63)]),
    (sum_of_digits, [-987]),
    (armstrong, [153]),
    (armstrong, [154]),
    (palindrome, [1221]),
    (palindrome, [12]),
    (binary, [10]),
    (binary, [0]),
    (in_base, [255, 16]),
    (in_base, [0, 2]),
    (both_bits, [25, 32]),
    (turned, [1234]),
    (searched, [13113]),
    (searched, [922]),
    (formats, [77]),
    (prefixes, [255]),
    (prefixes, [-7]),
    (kinds, [103578]),
    (caesar, [3]),
    (lists, [9070]),
    (persistence, [39]),
    (largest_without_one, [2736]),
    (fizz_buzz, [15]),
    (fizz_buzz, [0]),
    (fields, [42]),
    (fields, [-42]),
    (searched_from_both_ends, [12321]),
    (changed, [12321]),
    (all_of_unicode, [UNICODE]),
    (digits_of_floats, [2.5]),
    (digits_of_floats, [-1e22]),
    (in_formats, [42, 9]),
    (read_in_bases, [25]),
    (compared, [12321]),
    (bytes_of, [12]),
]


@pytest.mark.parametrize(("function", "args"), CALLS)
def test_text(function, args):
    result, expected = ag.jit(function)(*args), function(*args)
    assert result == expected
    assert repr(result) == repr(expected)


def test_it_is_printed(capsys):
    @ag.jit
    def f(n):
        text = str(n)
        print("digits", len(text), text + "x", f"{text:>5}")

    f(42)
    assert capsys.readouterr().out == "digits 2 42x    42\n"


def test_text_that_is_no_number():
    @ag.jit
    def f(n):
        return int(str(n) + "x")

    with pytest.raises(ValueError, match="invalid literal for int"):
        f(3)


def test_a_place_outside():
    f = ag.jit(lambda n, k: str(n)[k])
    assert f(123, -1) == "3"
    with pytest.raises(IndexError, match="string index out of range"):
        f(123, 3)


@pytest.mark.parametrize("text", ["x", "1e", "", "1__0"])
def test_text_that_is_no_float(text):
    @ag.jit
    def f(n):
        return float(text + chr(n))

    assert f(49) == float(text + "1") if text in ("1e", "") else True
    with pytest.raises(ValueError, match="could not convert string to float"):
        f(120)


def test_what_is_no_text():
    with pytest.raises(TypeError, match="must be str, not int"):
        ag.jit(lambda n: str(n).find(3))(3)
    with pytest.raises(TypeError, match="'<' not supported between instances of 'str' and 'int'"):
        ag.jit(lambda n: str(n)[:] < n)(3)
    with pytest.raises(UnicodeEncodeError):
        ag.jit(lambda n: chr(n).encode("ascii"))(300)


@settings(deadline=None)
@given(st.integers(-(2**63), 2**63 - 1), st.sampled_from([2, 8, 10, 16]))
def test_numbers_are_written_and_read(n, base):
    written = texts.in_base(n, base)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(texts, "call", lambda function, args, named: function(*args, **named))
        expected = {2: f"{n:b}", 8: f"{n:o}", 10: str(n), 16: f"{n:x}"}[base]
        assert written.plain() == expected
        assert texts.to_int(written, base) == n


def looked_for(text, part, start, end):
    found = text.find(part, start, end), text.rfind(part, start, end), text.count(part, start, end)
    both = text.startswith((part, "s"), start), text.endswith(part, start, end)
    return found, text.startswith(part, start, end), both


def places(text, part):
    found, at = [], text.find(part)
    while at >= 0:
        found.append(at)
        at = text.find(part, at + 1)
    return found


def place_after(text, part, start):
    try:
        return text.index(part, start), text.rindex(part, start)
    except ValueError:
        return None


@pytest.mark.filterwarnings("ignore::agir.errors.RetraceWarning")
@pytest.mark.parametrize("text", ["ascii", "", "🐍⚡é"])
def test_bounds_are_no_constants(text):
    f, g, h = ag.jit(looked_for), ag.jit(places), ag.jit(place_after)
    for part in ("a", "", "i"):
        for start in range(-7, 8):
            for end in (-9, -2, 0, 3, 2**62):
                assert f(text, part, start, end) == looked_for(text, part, start, end)
            assert h(text, part, start) == place_after(text, part, start)
        assert g(text, part) == places(text, part)
    assert max(each.experimental_get_tracing_count() for each in (f, g, h)) <= 4


def written_digits(n, count):
    plain = str(n), repr(n), hex(n), oct(n), bin(n), f"{n:08b}|{n:x}|{n:X}|{n:+d}|{n:>30}"
    whole = ""
    for number in range(-count, count):
        whole += str(number * n)
    return plain, whole


@pytest.mark.parametrize("compiled", [None, False], ids=["compiled", "interpreted"])
def test_digits_are_put_into_texts(compiled):
    f = ag.jit(written_digits, jit_compile=compiled)
    for n in (0, 1, -1, 9, -10, 99, 100, 12345, -(10**16), 10**17):
        assert f(n, 7) == written_digits(n, 7)
    for n in (2**63 - 1, -(2**63), 10**18, -(10**18) + 1):
        assert f(n, 1 - (n < -(2**62))) == written_digits(n, 1 - (n < -(2**62)))
