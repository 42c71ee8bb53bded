"""Whether two results are the same, in classes, dtypes and shapes, and nearly in their numbers."""

from __future__ import annotations

from typing import Any

import numpy as np
from scipy import sparse


def same(mine: Any, plain: Any, rtol: float, atol: float = 0) -> None:
    """The results of a compiled function and of the plain one; sparse matrices as well."""
    assert type(mine) is type(plain)
    if isinstance(plain, tuple | list):
        assert len(mine) == len(plain)
        for one, other in zip(mine, plain, strict=True):
            same(one, other, rtol, atol)
        return
    if type(plain) is str:
        assert mine == plain
        return
    if sparse.issparse(plain):
        assert mine.dtype == plain.dtype
        assert mine.shape == plain.shape
        mine, plain = mine.toarray(), plain.toarray()
    if isinstance(plain, np.ndarray):
        assert mine.dtype == plain.dtype
        assert mine.shape == plain.shape
    np.testing.assert_allclose(mine, plain, rtol=rtol, atol=atol)
