"""What editors and notebooks show of decorated functions."""

import html.parser
import inspect
import io
import pydoc
import re

import numpy as np
import pytest
from IPython.core.interactiveshell import InteractiveShell
from IPython.core.oinspect import Inspector

import agir as ag


@ag.jit
def smooth(x: "np.ndarray", n: int = 3) -> float:
    """Halve <everything> & add it up.

    Further lines.
    """
    for _ in range(n):
        x = x * 0.5
    return x.sum()


class Model:
    @ag.jit
    def step(self, x):
        return {"a": x * 2, "b": [x, "<i>"]}


class Elements(html.parser.HTMLParser):
    """The texts of cells and items, and whether each element is closed."""

    def __init__(self, text):
        super().__init__()
        self.open, self.texts = [], []
        self.feed(text)
        assert not self.open

    def handle_starttag(self, tag, attrs):
        self.open.append(tag)

    def handle_endtag(self, tag):
        assert self.open.pop() == tag

    def handle_data(self, data):
        self.texts.append(data)


def test_html_of_traces_and_warnings():
    smooth.clear_cache()
    shown = Elements(smooth._repr_html_())
    assert "not traced yet" in shown.texts
    assert "Halve <everything> & add it up." in shown.texts
    assert any(each.startswith("smooth(x: 'np.ndarray', n: int = 3)") for each in shown.texts)
    smooth(np.ones(3))
    smooth(np.ones((2, 2)), n=2)
    texts = Elements(smooth._repr_html_()).texts
    assert "(x: float64[3], n: int64[])" in texts
    assert "(x: float64[2, 2], n: int64[])" in texts
    assert texts.count("float64") == 2
    assert sum(bool(re.fullmatch(r"\d+\.\d+ m?s", each)) for each in texts) == 4


def test_html_of_methods_and_text():
    model = Model()
    assert "not traced yet" in Elements(model.step._repr_html_()).texts
    model.step(2.0)
    texts = Elements(model.step._repr_html_()).texts
    assert "(x: float64[])" in texts
    assert "{'a': float64, 'b': list(float64, <i>)}" in texts
    chosen = ag.jit(lambda x, mode: x if mode == "<a>" else -x)
    chosen(1, "<a>")
    assert "(x: int64[], mode: '<a>')" in Elements(chosen._repr_html_()).texts
    concrete = chosen.get_concrete_function(1.5, "<a>")
    assert concrete.compiling_took is None
    assert "\N{EN DASH}" in Elements(chosen._repr_html_()).texts


@pytest.mark.filterwarnings("ignore::agir.errors.FallbackWarning")
def test_html_of_calls_that_python_has_made():
    unknown = ag.jit(lambda x: hash(repr(x)), fallback=True)
    unknown(np.ones(2))
    shown = Elements(unknown._repr_html_()).texts
    assert any(each.startswith("plain Python has run (x: float64[2])") for each in shown)


def test_signatures_and_help():
    plain = smooth.python_function
    assert inspect.signature(smooth) == inspect.signature(plain)
    assert inspect.getsource(smooth) == inspect.getsource(plain)
    assert inspect.getdoc(smooth) == inspect.getdoc(plain)
    assert str(inspect.signature(Model().step)) == "(x)"
    written = io.StringIO()
    pydoc.Helper(output=written).help(smooth)
    text = pydoc.plain(written.getvalue())
    assert "smooth(x: 'np.ndarray', n: int = 3) -> float" in text
    assert "Halve <everything> & add it up." in text


def test_the_question_mark_of_ipython():
    inspector = Inspector(theme_name="nocolor")
    found = inspector.info(smooth, oname="smooth")
    assert found["definition"] == "smooth(x: 'np.ndarray', n: int = 3) -> float"
    assert found["docstring"].startswith("Halve <everything>")
    assert found["file"].endswith("test_editors.py")
    assert "x = x * 0.5" in inspector.info(smooth, oname="smooth", detail_level=1)["source"]


def test_a_notebook_shows_the_html():
    shell = InteractiveShell.instance()
    shown, _ = shell.display_formatter.format(smooth)
    assert shown["text/html"] == smooth._repr_html_()
    assert shown["text/plain"] == repr(smooth)
