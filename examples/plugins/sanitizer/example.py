"""A root of a negative number, and a pass that is wrong, found by the lines that they concern."""

import numpy as np
from agir_sanitizer import sanitized

from agir.plugins import Graph, Pass, before, constant, op


def hypotenuse(a, b):
    square = a * a - b * b  # it should be a sum
    return np.sqrt(square)


def off_by_one(module):
    """A pass that miscompiles: it reads behind the end of arrays."""
    for each in Graph(module).find("memref.load"):
        with before(each):
            index = each.operands[1]
            each.operands[1] = op("arith.addi", index.type, index, constant(index.type, 1))


def total(x):
    result = 0.0
    for each in x:
        result += each
    return result


def raised(function, *args):
    try:
        return function(*args)
    except (FloatingPointError, IndexError) as error:
        return f"{type(error).__name__}: {error}"


checked = sanitized(hypotenuse)
assert checked(5.0, 4.0) == 3.0
assert np.array_equal(checked(np.array([5.0, 13.0]), np.array([4.0, 12.0])), [3.0, 5.0])
told = raised(checked, np.arange(9.0), np.full(9, 4.0))
print(told)
assert all(each in told for each in ("FloatingPointError: a NaN", "example.py:11"))
assert sanitized(total)(np.ones(9)) == 9.0
told = raised(sanitized(total, passes=[Pass(off_by_one, stage="loops", at="end")]), np.ones(9))
print(told)
assert all(each in told for each in ("IndexError: an access outside of the array", "example.py:24"))
