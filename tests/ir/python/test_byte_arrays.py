"""``bytearray`` in traced functions, and deques with a bound: arguments, results, what changes."""

from __future__ import annotations

import copy
from collections import deque
from typing import Any

import pytest

import agir as ag


def changed(b, n):
    b.append(n)
    b[0] = n
    b.insert(1, 7)
    b.extend([n, n + 1])
    b += bytes([n, 2])
    b[1:2] = bytes([n, n])
    return b


def in_a_loop(b, n):
    for i in range(len(b)):
        b[i] = (b[i] + n) % 256
    while len(b) < 9:
        b.append(n)
    return b, sum(b), bytes(b)


def in_a_branch(b, n):
    if n > 2:
        b.append(9)
        del b[0]
    else:
        b.reverse()
    return len(b)


def made(b, n):
    c = bytearray(n % 7)
    for i in range(len(c)):
        c[i] = i * 2
    d = bytearray(b)
    d.append(n)
    return c, d, b, bytearray(x ^ n for x in b), bytearray()


def failing(b, n):
    try:
        b[n] = n * 100
    except ValueError as error:
        return str(error), b
    except IndexError:
        return "outside", b
    return "none", b


def too_large(b, n):
    b.append(n * 200)


def none_left(b, n):
    while True:
        b.pop()


def asked(b, n):
    return (
        (len(b), n in b, b"bc" in b, b == b"abc", b < bytearray(b"b"), bool(b), max(b, default=n)),
        (b + b"x", b"x" + b, b * 2, b[1:], b[::-1], type(b) is bytearray, isinstance(b, bytes)),
        (b.find(b"c"), b.rfind(98), b.count(98), b.startswith(b"a"), b.endswith((b"c", b"x"))),
        (b.hex(), b.decode(), str(b), f"{b!r}", sorted(b), list(b)),
    )


def as_text(b, n):
    return (
        (b.upper(), b.lower(), b.title(), b.capitalize(), b.swapcase()),
        (b.split(b"b"), b.split(), b.rsplit(None, 1), b.splitlines(), b.partition(b"b")),
        (b.strip(b"a"), b.rstrip(), b.replace(b"b", b"zz"), b.zfill(n + 5), b.center(n + 6, b"*")),
        (b.isalpha(), b.isdigit(), b.isspace(), b.isupper(), b.islower(), b.istitle()),
        (b.removeprefix(b"a"), b.removesuffix(b"c"), b.join([b"1", b"2"]), b.translate(None, b"b")),
    )


def sieve(b, n):
    b[0] = b[1] = 0
    for i in range(2, len(b)):
        if i * i >= len(b):
            break
        if b[i]:
            b[i * i :: i] = bytes(len(range(i * i, len(b), i)))
    return b.count(1)


@pytest.mark.parametrize(
    "f", [changed, in_a_loop, in_a_branch, made, failing, too_large, asked, as_text]
)
def test_bytes_that_change(f: Any) -> None:
    decorated = ag.jit(f)
    for data, n in ((b"abc", 3), (b"abc", 1), (b"bb cd\nEf ", 2), (b"q", 5)):
        assert _outcome(decorated, bytearray(data), n) == _outcome(f, bytearray(data), n)


def test_long_ones_have_one_trace() -> None:
    for f in (in_a_loop, none_left, sieve):
        decorated = ag.jit(f)
        for size in (200, 3000, 1000):
            data = bytearray([1]) * size
            assert _outcome(decorated, data.copy(), 3) == _outcome(f, data.copy(), 3)
        assert decorated.experimental_get_tracing_count() == 1


def test_the_callers_own_is_returned() -> None:
    data = bytearray(b"abc")
    assert ag.jit(changed)(data, 5) is data


def test_numbers_as_bytes() -> None:
    def there_and_back(n, length):
        big = n.to_bytes(length, "big", signed=True)
        little = n.to_bytes(length, "little", signed=True)
        return (
            big,
            little,
            int.from_bytes(big, "big", signed=True),
            int.from_bytes(little, "little"),
        )

    decorated = ag.jit(there_and_back)
    for given in ((5, 2), (-1, 3), (300, 1), (-129, 1), (0, 0), (70000, 4)):
        assert _outcome(decorated, *given) == _outcome(there_and_back, *given)


def test_one_of_two_is_not_written_to() -> None:
    def either(b, c, n):
        d = b if n > 1 else c
        d.append(7)
        return b

    with pytest.raises(ag.errors.StagingError, match="that has a copy"):
        ag.jit(either)(bytearray(b"a"), bytearray(b"b"), 2)


# Deques with a bound.


def window(items, n):
    queue, total = deque(maxlen=n), 0
    for item in items:
        queue.append(item)
        total += sum(queue) * len(queue)
    return queue, queue.maxlen, total


def both_ends(items, n):
    queue = deque(items, maxlen=3)
    queue.appendleft(n)
    queue.extend(range(n))
    queue.extendleft([n, n + 1])
    queue.rotate(n)
    queue[0] += 1
    other = queue.copy()
    other.append(n)
    return queue, other, n in queue, queue.count(n), str(queue), queue + deque([n]), queue * 2


def with_no_room(items, n):
    queue = deque(items, 2)
    queue.insert(0, n)
    return queue


def several(items, n):
    queues = [deque(maxlen=2) for _ in range(2)]
    for item in items:
        queues[item % 2].append(item)
    return queues


def given(queue, n):
    for i in range(n):
        queue.append(i)
    if n > 2:
        queue.popleft()
    return queue, len(queue), queue == deque([0, 1])


@pytest.mark.parametrize("f", [window, both_ends, with_no_room])
def test_bounded_deques(f: Any) -> None:
    decorated = ag.jit(f)
    for items, n in (
        ([3, 1, 4, 1, 5], 2),
        ([9], 3),
        ([1, 1, 2, 2, 8, 9], 1),
        ([], 2),
        ([5, 6], -1),
    ):
        assert _outcome(decorated, items, n) == _outcome(f, items, n)


def test_bounded_deques_of_the_caller() -> None:
    decorated = ag.jit(given)
    for queue, n in ((deque([5, 6], 3), 2), (deque([5, 6], 4), 5), (deque(maxlen=2), 1)):
        assert _outcome(decorated, copy.copy(queue), n) == _outcome(given, copy.copy(queue), n)


def test_multiples_and_searches_of_deques() -> None:
    def f(items, n):
        queue = deque(items)
        queue *= n
        return queue, deque(items) * 2, queue.index(1, n) if n < 3 else None

    decorated = ag.jit(f)
    for items, n in (([3, 1, 4, 1], 2), ([9, 1], 3), ([2, 3], 1)):
        assert _outcome(decorated, items, n) == _outcome(f, items, n)


def _outcome(f: Any, *arguments: Any) -> Any:
    given = copy.deepcopy(arguments)
    try:
        found: Any = _told(f(*given))
    except Exception as error:
        kinds = (IndexError, ValueError, OverflowError, TypeError)
        return next(kind for kind in kinds if isinstance(error, kind)), str(error).split("\n")[0]
    return found, _told(given)


def _told(value: Any) -> Any:
    """A value with the classes of all parts, and the bounds of queues."""
    if isinstance(value, list | tuple | deque):
        return type(value), getattr(value, "maxlen", None), [_told(each) for each in value]
    return type(value), value
