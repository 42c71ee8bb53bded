"""Slices with a run-time step; np.mgrid, np.ogrid, np.r_ and np.c_ of run-time bounds."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest

sys.path.insert(0, str(Path(__file__).parents[1]))

from numpy_cases import compare, in_groups

STEPS = [
    "v[::n]",
    "v[n::-n]",
    "v[::-n] + v[::-n]",
    "v[::n - 4]",
    "v[n::n - 4]",
    "v[n - 3::n - 2]",
    "x[:, ::n]",
    "x[::n - 4, ::-n]",
    "t[0, :, ::n - 1].sum()",
    "v[n::n] = 7.0; return v",
    "v[::-n] = np.array([1.0, 2.0]); return v",
    "v[n::n-4] = np.arange(4.0); return v",
    "v[::n] += 1; return v",
    "x[:, ::n-4] *= np.array([1., 2., 3.]); return x",
    "x[::n-4, 1] = 3; return x",
    "y = v[::n-1]; y[1] = 50.0; return v, y",
    "y = v[::n-5]; y[:2] = 50.0; return v, y",
    "v[n-5:n-10:n-4]",
    "e[::n]",
    "e[::-n]",
    "v[::n * 10**17]",
    "v[::-n * 10**17]",
    "z[::n-4] = 1j; return z",
    "v[::u[1]]",
    "v[::i[1]]",
    "c[::n-1, ::n-4]",
]
GRIDS = [
    "np.mgrid[0:n, 0:4]",
    "np.mgrid[0:n]",
    "np.mgrid[0:1:3j]",
    "np.mgrid[0:s:3j]",
    "np.mgrid[0:s:3j, 0:n]",
    "np.ogrid[0:s:3j, 0:n]",
    "np.mgrid[n:-n:-2, 0:n:2]",
    "np.ogrid[0:n, 0:4]",
    "np.ogrid[0:n:2]",
    "np.mgrid[:n, :n][0] + x.sum()",
    "np.mgrid[-1:1:5j, -1:1:5j]",
    "y, q = np.mgrid[0:3, 0:4]; y[0, 0] = 7; return y, q",
    "y = np.mgrid[0:3, 0:4]; y[0, 0] = v[0]; return y",
    "np.r_[v, 1.0, w]",
    "np.r_[0:n, 5]",
    "np.r_[0:n, 5.5, f]",
    "np.r_[f, 1]",
    "np.r_[0:1:4j, n]",
    "np.r_['0,2', v, w]",
    "np.r_['1', x, x]",
    "np.r_['1,2,0', v, w]",
    "np.r_['0,2,0', v, w]",
    "np.r_[x, x]",
    "np.c_[v, w]",
    "np.c_[x, x]",
    "np.c_[v, i]",
    "np.c_[v, np.arange(5)]",
    "np.c_[v, 1:n+3]",
    "np.c_[np.ones(5), v]",
    "np.r_[1:4, 0, 4]",
    "np.r_[True, m]",
    "np.r_[v[0], v[1]]",
    "np.r_[-1, v, 5]",
    "np.r_[0, np.cumsum(i)]",
    "np.r_[n:n+2, n:n+4]",
    "np.indices((2, n))",
]


GROUPS = in_groups(STEPS, GRIDS)


@pytest.mark.parametrize("bodies", GROUPS, ids=lambda bodies: bodies[0][:40])
@pytest.mark.parametrize("compiled", [None, False])
def test_decorated_does_what_plain_does(bodies: list[str], compiled: bool | None) -> None:
    for body in bodies:
        compare(body, jit_compile=compiled)
