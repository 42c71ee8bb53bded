"""Functions of the program may be called like functions of C that compiled code calls."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest

import agir as ag
from agir.tools import loading

SOURCE = """
import numpy as np

def {name}(z, n):
    values = [n]
    for i in range(n):
        values.append(i * 2)
    array = np.zeros(100)
    array[3:] = n
    return np.log(z) + z**2.5, values, array.copy().sum() ** 0.3, str(n), {{"a": n, "bc": 2}}["a"]
"""


@pytest.mark.parametrize(
    "name", ["clog", "powf", "malloc", "free", "memset", "strlen", "main", "exit"]
)
def test_a_function_of_that_name(name: str, tmp_path: Path) -> None:
    file = tmp_path / f"program_{name}.py"
    file.write_text(SOURCE.format(name=name))
    plain: Any = getattr(loading.load_file(file), name)
    given = np.arange(1.0, 5.0) + 1j, 4
    for one, other in zip(ag.jit(plain)(*given), plain(*given), strict=True):
        assert type(one) is type(other)
        equal = one == other if isinstance(one, str) else np.allclose(one, other)
        assert equal
