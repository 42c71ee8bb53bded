"""NumPy's functions, ufuncs and methods record; the page that lists them (``make docs`` writes it)."""

from __future__ import annotations

import copy
import linecache
import sys
import types
import warnings
from functools import reduce
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import agir as ag

sys.path.insert(0, str(Path(__file__).parent))

import calls
import reasons

PAGE = Path(__file__).resolve().parents[2] / "docs" / "numpy_functions.md"
HEAD = """# NumPy's functions in decorated functions

Inside of a function that is decorated with `@ag.jit` or `@ag.function` these functions, ufuncs and
methods of NumPy's are recorded when they meet a traced array, with NumPy's parameters, dtypes and
values.  With `@ag.jit` those that make arrays are recorded always, since an array may be written into.

Ufuncs take `out=`, `where=`, `dtype=` and `casting=`, and have `.reduce`, `.accumulate`, `.outer`,
`.reduceat` and `.at`.  What differs from NumPy:

- running sums and products take an `out=` of as many dimensions as they have; NumPy takes some others;
- `x.flat[a:b] = y` reads all of `y` before it writes, also where `y` is a part of `x`;
- complex numbers are not stored in arrays of real ones, which NumPy does with a warning;
- numbers that do not fit an integer dtype are converted as NumPy does on x86, where C leaves it open;
- `np.partition` puts all elements in order;
- where a function computes a new array of one that lies column by column, it lies row by row;
- `np.roots` is always complex.

`np.mgrid`, `np.ogrid`, `np.r_` and `np.c_` take run-time bounds; functions made by `np.vectorize` and
`np.lib.stride_tricks.sliding_window_view` are recorded.

Where a function cannot be recorded, the error names the line; the last table says what to do.
"""


def names(namespace: Any, prefix: str = "") -> list[str]:
    """The public functions of a namespace of NumPy's, as what stands after `np.`."""
    kinds = (types.FunctionType, types.BuiltinFunctionType, np.ufunc, type(np.sum))
    public = [n for n in dir(namespace) if n[0] != "_" and n != "test"]
    return [f"{prefix}{n}" for n in public if isinstance(getattr(namespace, n), kinds)]


RECORDED = {
    name for family, table in calls.FAMILIES.items() if family != "methods" for name in table
}
RECORDED |= {name for name in calls.WRITING if "." not in name}
ALIASES = {n for n in names(np) if getattr(np, n).__name__ != n}


def missing() -> set[str]:
    """The functions that neither record nor have a reason."""
    public = {*names(np), *names(np.linalg, "linalg."), *names(np.fft, "fft.")}
    return public - RECORDED - ALIASES - set(reasons.REASONS)


def test_every_function_is_listed() -> None:
    assert not missing(), (
        f"give {missing()} a call in tests/numpy/calls.py, or a reason in ir/ops/calls/not_recorded.py"
    )
    both = RECORDED & set(reasons.REASONS)
    assert not both, f"{both} have a call in tests/numpy/calls.py, and a reason why they have none"


def test_every_method_is_listed() -> None:
    public = {n for n in dir(np.ndarray) if n[0] != "_"}
    known = set(calls.METHODS) | set(reasons.METHODS) | set(reasons.INPLACE)
    assert public - known == set()


def written(body: str) -> Any:
    """The function with these lines over the arguments."""
    source = f"def f({', '.join(calls.ARGUMENTS)}):\n{body}"
    name = f"<calls {hash(source)}>"
    linecache.cache[name] = (len(source), None, source.splitlines(keepends=True), name)
    namespace: dict[str, Any] = {"np": np, "__name__": "calls"}
    exec(compile(source, name, "exec"), namespace)
    return namespace["f"]


def leaves(value: Any) -> list[Any]:
    return [x for v in value for x in leaves(v)] if isinstance(value, (list, tuple)) else [value]


def compare(body: str, labels: list[str], decorate: Any) -> None:
    """The results of the plain function and of the decorated one are the same."""
    given = list(calls.ARGUMENTS.values())
    with warnings.catch_warnings(), np.errstate(all="ignore"):
        warnings.simplefilter("ignore")
        wanted = written(body)(*copy.deepcopy(given))
        got = decorate(written(body))(*copy.deepcopy(given))
    for label, left, right in zip(labels, got, wanted, strict=True):
        for a, b in zip(leaves(left), leaves(right), strict=True):
            one, two = np.asarray(a), np.asarray(b)
            assert (one.dtype, one.shape) == (two.dtype, two.shape), label
            assert _number(a) == _number(b), label
            rtol = 3e-6 if one.dtype.itemsize == 4 * (1 + (one.dtype.kind == "c")) else 1e-12
            np.testing.assert_allclose(one, two, rtol=rtol, atol=1e-14, err_msg=label)


def _number(value: Any) -> type | None:
    """The class of a number of Python's; None for anything of NumPy's."""
    return type(value) if type(value) in (bool, int, float, complex) else None


def groups(size: int = 25) -> list[Any]:
    """The expressions of the families, so many in a function."""
    found = []
    for family, table in calls.FAMILIES.items():
        each = [text for texts in table.values() for text in texts if _is_there(text)]
        for start in range(0, len(each), size):
            found.append(pytest.param(each[start : start + size], id=f"{family}{start // size}"))
    return found


def _is_there(text: str) -> bool:
    """Whether this NumPy has what the expression names; it comes in NumPy 2.1 to 2.3."""
    late = ("cumulative_sum", "cumulative_prod", "unstack", "astype(v", "vecdot", "matvec",
    "vecmat",
            "row_stack")  # fmt: skip
    names = text.partition("(")[0].split(".")[1:]
    known = reduce(lambda space, name: getattr(space, name, None), names, np) is not None
    return known or not any(each in text for each in late)


@pytest.mark.parametrize("texts", groups())
@pytest.mark.parametrize("mode", ["compiled", "interpreted"])
def test_functions_agree(texts: list[str], mode: str) -> None:
    body = "    return [\n" + "".join(f"        {text},\n" for text in texts) + "    ]\n"
    compare(body, texts, lambda f: ag.jit(f, jit_compile=None if mode == "compiled" else False))


@pytest.mark.parametrize("mode", ["compiled", "interpreted"])
def test_functions_that_write(mode: str) -> None:
    texts = [*calls.WRITING.values(), *reasons.INPLACE.values()]
    texts = [t for t in texts if "partition" not in t]
    lines = [f"    y{k} = x.copy()\n    {t.replace('y', f'y{k}', 1) if t[0] == 'y' else _named(t, k)}\n"
             for k, t in enumerate(texts)]  # fmt: skip
    body = "".join(lines) + f"    return [{', '.join(f'y{k}' for k in range(len(texts)))}]\n"
    compare(body, texts, lambda f: ag.jit(f, jit_compile=None if mode == "compiled" else False))


def _named(text: str, number: int) -> str:
    """The call with ``y`` under a name of its own."""
    head, _, rest = text.partition("(")
    return f"{head}({rest.replace('y', f'y{number}', 1) if rest[0] == 'y' else rest}".replace(
        "=y >", f"=y{number} >"
    ).replace(", y >", f", y{number} >")


def test_functions_record_under_either_decorator() -> None:
    def f(x: Any) -> Any:
        return (
            np.histogram(x, bins=3)[0],
            np.cumsum(x),
            np.pad(x, 1),
            np.unique(x),
            np.add.reduce(x),
        )

    x = np.array([1.0, 2.0, 2.0, 5.0])
    for left, right in zip(ag.function(f)(x), f(x), strict=True):
        np.testing.assert_array_equal(np.asarray(left), right)


def test_what_cannot_be_recorded_says_what_to_do() -> None:
    @ag.jit
    def f(x: Any) -> Any:
        return np.array2string(x)

    with pytest.raises(ag.errors.StagingError, match=r"print and f-strings.*numpy_functions\.md"):
        f(np.array([1, 0], np.uint8))


def page() -> str:
    """The text of the page."""
    parts = [HEAD]
    for family, table in calls.FAMILIES.items():
        if family == "methods":
            continue
        rows = "".join(
            f"| `np.{name}` | {', '.join(f'`{text}`' for text in texts[:3])} |\n"
            for name, texts in sorted(table.items())
        ).replace("|| ", "\\|\\| ")
        parts.append(f"\n## Recorded: {family}\n\n| | for example |\n|---|---|\n{rows}")
    writing = {**calls.WRITING, **{f"ndarray.{n}": t for n, t in reasons.INPLACE.items()}}
    rows = "".join(f"| `{name}` | `{text}` |\n" for name, text in sorted(writing.items()))
    parts.append(
        f"\n## Recorded: what writes into an array\n\n| | for example |\n|---|---|\n{rows}"
    )
    shown = ", ".join(f"`{n}`" for n in sorted(calls.METHODS) if n[0] != "_")
    parts.append(f"\n## Recorded: methods and attributes of arrays\n\n{shown}\n")
    rows = "".join(f"| `np.{n}` | {why} |\n" for n, why in sorted(reasons.REASONS.items()))
    rows += "".join(f"| `ndarray.{n}` | {why} |\n" for n, why in sorted(reasons.METHODS.items()))
    parts.append(f"\n## Not recorded\n\n| | why, and what to do |\n|---|---|\n{rows}")
    return "".join(parts)


def test_the_page_is_up_to_date() -> None:
    assert PAGE.read_text() == page(), "make docs writes it"


@pytest.mark.parametrize("one", [bool, np.uint8, np.uint16, np.int64, np.float16, np.float32])
def test_the_dtype_that_choices_have_in_common(one):
    def f(b, c, default):
        return np.select([b > 1, b < 0], [c, b], 0.5), np.select([b > 0], [c], default)

    for other in (bool, np.uint8, np.int64, np.float16, np.float32, np.float64):
        given = np.arange(3).astype(one), np.full(3, 2, other), np.float32(1.5)
        for got, wanted in zip(ag.jit(f)(*given), f(*given), strict=True):
            assert got.dtype == wanted.dtype
            np.testing.assert_array_equal(got, wanted)


if __name__ == "__main__":
    PAGE.write_text(page())
