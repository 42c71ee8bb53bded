"""Read-only arrays as arguments: what writes into them fails as NumPy's does, where it does."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

import agir as ag


def fixed(*shape: int, dtype: Any = float) -> Any:
    array = np.arange(np.prod(shape)).reshape(shape).astype(dtype)
    array.flags.writeable = False
    return array


def free(*shape: int, dtype: Any = float) -> Any:
    return fixed(*shape, dtype=dtype).copy()


def divided(a: Any) -> Any:
    return np.add(a, 0.5, out=a)


def added(a: Any) -> Any:
    a += np.ones(9)
    return a


def branched(a: Any, n: int) -> Any:
    if n > 2:
        a[0] = 1
    return a.sum()


def chosen(a: Any, b: Any, n: int) -> Any:
    w = a if n > 2 else b
    w[0] = 7
    return w.sum()


def carried(a: Any, n: int) -> Any:
    for i in range(n):
        v = a[i:]
    v[0] = 2
    return v.sum()


def indexed(a: Any, n: int) -> Any:
    a[n] = 1
    return a


def after_another(a: Any, b: Any, n: int) -> Any:
    b[n] = 1
    a[1] = 5
    return a.sum()


def viewed(a: Any) -> Any:
    b = a.reshape(-1)[::-1]
    b += 1
    return a


def handled(a: Any, n: int) -> Any:
    try:
        a[0] = n
    except ValueError:
        return 5
    return 6


def by_rows(a: Any, n: int) -> Any:
    s = 0.0
    for r in a:
        if n > 5:
            r[0] = 1
        s += r[0]
    return s


def by_methods(a: Any, n: int) -> Any:
    if n == 0:
        a.sort()
    if n == 1:
        a.fill(2)
    if n == 2:
        a.put([0], 1)
    if n == 3:
        a.flat[0] = 1
    if n == 4:
        np.copyto(a[1:], 1)
    if n == 5:
        a[a > 0] = 1
    if n == 6:
        np.cumsum(a, out=a)
    return a.sum()


CASES: list[tuple[Callable[..., Any], tuple[Any, ...]]] = [
    (divided, (fixed(3, dtype=int),)),
    (divided, (free(3, dtype=int),)),
    (added, (fixed(3),)),
    (branched, (fixed(3), 1)),
    (branched, (fixed(3), 3)),
    (branched, (free(3), 3)),
    (chosen, (fixed(3), free(3), 1)),
    (chosen, (fixed(3), free(3), 3)),
    (chosen, (free(3), fixed(3), 3)),
    (carried, (fixed(3), 2)),
    (indexed, (fixed(3), 1)),
    (indexed, (fixed(3), 7)),
    (indexed, (free(3), 7)),
    (after_another, (fixed(3), free(3), 1)),
    (after_another, (fixed(3), free(3), 9)),
    (viewed, (fixed(3),)),
    (handled, (fixed(3), 1)),
    (handled, (free(3), 1)),
    (by_rows, (fixed(2, 2), 1)),
    (by_rows, (fixed(2, 2), 7)),
    (by_rows, (free(2, 2), 7)),
    *((by_methods, (fixed(4), n)) for n in range(8)),
]


@pytest.mark.parametrize("compiled", [True, False])
@pytest.mark.parametrize(("function", "given"), CASES)
def test_what_is_written_is_what_numpy_writes(function: Any, given: Any, compiled: bool) -> None:
    decorated = ag.jit(function) if compiled else ag.jit(function, jit_compile=False)
    for _ in range(2):
        assert _seen(decorated, given) == _seen(function, given)


def _seen(function: Any, given: Any) -> Any:
    arguments = [copied(each) for each in given]
    try:
        result = np.asarray(function(*arguments)).tolist()
    except (ValueError, TypeError, IndexError) as error:
        kinds = (IndexError, TypeError, ValueError)
        result = next(kind for kind in kinds if isinstance(error, kind))
    return result, [np.asarray(each).tolist() for each in arguments]


def copied(value: Any) -> Any:
    if not isinstance(value, np.ndarray):
        return value
    made = value.copy()
    made.flags.writeable = value.flags.writeable
    return made


def test_arrays_of_both_kinds_have_a_trace_each() -> None:
    decorated = ag.jit(branched)
    for _ in range(3):
        assert decorated(free(3), 3) == 4.0
        assert decorated(fixed(3), 1) == 3.0
        with pytest.raises(ValueError, match=r"the array is read-only(.|\n)*a\[0\] = 1"):
            decorated(fixed(3), 3)


def test_with_a_signature() -> None:
    spec = [ag.TensorSpec([None], ag.float64), ag.TensorSpec([], ag.int64)]
    decorated = ag.jit(branched, input_signature=spec)
    assert decorated(fixed(3), np.int64(1)) == 3.0
    with pytest.raises(ValueError, match="read-only"):
        decorated(fixed(3), np.int64(3))
    assert decorated(free(4), np.int64(3)) == 7.0


def reversed_written(a: Any, c: Any, n: int) -> Any:
    c[0] = 5
    if n > 2:
        a[0] = 1
    return a.sum()


@pytest.mark.parametrize("n", [1, 3])
@pytest.mark.parametrize("which", range(4))
@pytest.mark.parametrize("whole", [True, False])
def test_where_arguments_share_memory(n: int, which: int, whole: bool) -> None:
    found = []
    for function in (reversed_written, ag.jit(reversed_written)):
        base = np.arange(6)
        a = base if whole else base[1:]
        c = a[::-1]
        c.flags.writeable, a.flags.writeable = not which & 2, not which & 1
        try:
            result = int(function(a, c, n))
        except ValueError:
            result = -1
        found.append((result, base.tolist()))
    assert found[0] == found[1]
