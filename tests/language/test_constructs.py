"""Each construct of the table, decorated and plain; and the page made from the table."""

from __future__ import annotations

import contextlib
import importlib.util
import inspect
import io
import pathlib
import sys
import warnings
from collections.abc import Generator
from typing import Any

import numpy as np
import pytest

import agir as ag

HERE = pathlib.Path(__file__).resolve().parent
PAGE = HERE.parent.parent / "docs" / "language.md"
HEAD = """# The language

Python's own meaning holds over run-time values, in any nesting.  Every row is a function of
[`tests/language/constructs.py`](../tests/language/constructs.py) that is run with `@ag.jit` and
`@ag.function`, compiled and in the interpreter, and compared with its undecorated self: results,
printed text and exceptions.  Generators that the caller goes through are `@ag.jit`'s alone.
(`make docs` writes this page.)
"""


def _loaded() -> Any:
    name = "agir_language_constructs"
    if name not in sys.modules:
        spec = importlib.util.spec_from_file_location(name, HERE / "constructs.py")
        assert spec is not None
        assert spec.loader is not None
        sys.modules[name] = module = importlib.util.module_from_spec(spec)
        spec.loader.exec_module(module)
    return sys.modules[name]


constructs = _loaded()

MODES = {
    "jit": ag.jit,
    "function": ag.function,
    "interpreted": lambda function: ag.jit(function, jit_compile=False),
}


def leaves(value: Any) -> list[Any]:
    if isinstance(value, dict):
        return [leaf for key in value for leaf in [key, *leaves(value[key])]]
    if isinstance(value, tuple | list):
        return [leaf for item in value for leaf in leaves(item)]
    return [value]


def given(mode: str, value: Any) -> Any:
    if isinstance(value, constructs.Python):
        return value.value
    if mode == "function":
        return ag.constant(np.asarray(value))
    return value.copy() if isinstance(value, np.ndarray) else value


def outcome(function: Any, arguments: list[Any]) -> tuple[str, Any]:
    """(what is printed, the results or the exception)."""
    text = io.StringIO()
    with contextlib.redirect_stdout(text), warnings.catch_warnings():
        warnings.simplefilter("ignore")
        try:
            result = function(*arguments)
            if isinstance(result, Generator):
                result = list(result)
        except Exception as error:
            return text.getvalue(), error
    return text.getvalue(), leaves(result)


def same(got: Any, wanted: Any) -> None:
    if isinstance(wanted, Exception):
        assert isinstance(got, type(wanted)), got
        if not isinstance(wanted, UnboundLocalError):
            assert str(got).startswith(str(wanted))
        return
    if isinstance(got, Exception):
        raise got
    assert len(got) == len(wanted)
    for one, other in zip(got, wanted, strict=True):
        if other is None or isinstance(other, str):
            assert one == other or (one is None and other is None)
            continue
        one, other = np.asarray(one), np.asarray(other)
        assert one.shape == other.shape
        assert one.dtype.kind == other.dtype.kind
        np.testing.assert_allclose(one, other, rtol=1e-12)


@pytest.mark.parametrize("mode", MODES)
@pytest.mark.parametrize("row", constructs.CONSTRUCTS, ids=lambda row: row.function.__name__)
def test_construct(row: Any, mode: str) -> None:
    if row.of_jit and mode == "function":
        pytest.skip("generator functions are refused under ag.function, as under tf.function")
    decorated = MODES[mode](row.function)
    for call in row.calls:
        plain = [given("jit", value) for value in call]
        text, wanted = outcome(row.function, plain)
        printed, got = outcome(decorated, [given(mode, value) for value in call])
        same(got, wanted)
        if mode != "function":  # whose numbers are tensors, and print as NumPy's
            assert printed == text


def page() -> str:
    sections: dict[str, list[str]] = {}
    for row in constructs.CONSTRUCTS:
        line = inspect.getsourcelines(row.function)[1]
        name = row.function.__name__
        link = f"[`{name}`](../tests/language/constructs.py#L{line})"
        sections.setdefault(row.section, []).append(f"| {row.title} | works | {link} |\n")
    parts = [
        f"\n## {section}\n\n| construct | | test |\n|---|---|---|\n{''.join(rows)}"
        for section, rows in sections.items()
    ]
    return HEAD + "".join(parts)


def test_the_page_is_up_to_date() -> None:
    assert PAGE.read_text(encoding="utf-8") == page(), "run: make docs"


if __name__ == "__main__":
    PAGE.write_text(page(), encoding="utf-8")
