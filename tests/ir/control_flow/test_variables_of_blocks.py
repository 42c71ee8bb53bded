"""Variables that a branch, loop or clause of a ``try`` has for itself: what they were is not read."""

from __future__ import annotations

import pytest


def at_the_end_of_a_branch(n):
    p = n + 1
    x = p
    if n > 2:
        if n > 3:
            p = 2
        else:
            p = 3
        x = p
        p = 5
    return x


def at_the_end_of_a_loop(n):
    p = n + 1
    x = p
    for i in range(n):
        if i > 3:
            p = 2
        else:
            p = 3
        x += p
        p = 4
    return x


def at_the_end_of_a_while_loop(n):
    p, x, i = n + 1, n, 0
    while i < n:
        i += 1
        if i % 2 == 0:
            p = 2
        else:
            p = i
        x = x * 3 + p
        p = [12]
    p = x
    return p


def in_a_clause(n):
    p = n + 1
    x = p
    try:
        if n > 3:
            p = 2
        else:
            p = 3
        if n == 2:
            raise ValueError
        x = p
        p = 7
    except ValueError:
        if n > 3:
            p = 4
        else:
            p = 5
        x += p
        p = 6
    return x


def after_a_return_in_a_clause(n):
    p = n
    if n > 2:
        p += 1
        try:
            if n == 3:
                return 5
        finally:
            pass
        if n % 2 == 0:
            p = 2
        else:
            p = 3
        if p % 2 == 0:
            pass
    return n


def assigned_after_a_return(n):
    a, b = n + 1, n
    if a > 3:
        b = b + a
        if a > 3:
            try:
                pass
            finally:
                b = a
            if n > 3:
                return a, b
            b = b + n
    return a, a


@pytest.mark.parametrize(
    "function",
    [
        at_the_end_of_a_branch,
        at_the_end_of_a_loop,
        at_the_end_of_a_while_loop,
        in_a_clause,
        after_a_return_in_a_clause,
        assigned_after_a_return,
    ],
)
def test_they_are_not_read_before_they_are_assigned(agrees, function):
    agrees(function, *((n,) for n in range(6)))
