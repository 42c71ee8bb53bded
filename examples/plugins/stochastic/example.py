"""Two formulas of the variance: equal on paper, and not in floating point."""

import numpy as np
from agir_stochastic import significant_digits


def in_one_sweep(x):
    total = squares = 0.0
    for each in x:
        total += each
        squares += each * each
    mean = total / len(x)
    return squares / len(x) - mean * mean


def in_two_sweeps(x):
    mean = x.sum() / len(x)
    return ((x - mean) ** 2).sum() / len(x)


x = 1e6 + np.arange(1000.0) / 1000
one, two = significant_digits(in_one_sweep, x), significant_digits(in_two_sweeps, x)
print(f"in one sweep {one:.1f} significant digits, in two {two:.1f}")
assert one < 4 < 9 < two, (one, two)
