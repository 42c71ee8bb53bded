"""The page of a report in a real browser: links, folds, search, keys, and how fast it opens."""

from __future__ import annotations

import dataclasses
from collections.abc import Iterator
from pathlib import Path

import numpy as np
import pytest

from agir.backends.reporting.model import Report

from .browser import Browser, program
from .conftest import heat

pytestmark = pytest.mark.skipif(program() is None, reason="there is no Chromium on this machine")
MARKED = """
[...document.querySelectorAll('#%s .l')].flatMap((line, n) =>
  getComputedStyle(line).backgroundColor === 'rgba(0, 0, 0, 0)' ? [] : [n])
"""


@pytest.fixture(scope="module")
def browser() -> Iterator[Browser]:
    made = Browser()
    yield made
    made.close()


@pytest.fixture(scope="module")
def path(report, tmp_path_factory) -> Path:
    made = tmp_path_factory.mktemp("page") / "report.html"
    report.save(made)
    return made


@pytest.fixture
def page(browser, path) -> Iterator[Browser]:
    browser.complaints.clear()
    browser.open(path)
    yield browser
    assert not browser.complaints


def stage(report, name: str):
    return next(each for each in report.stages if each.name == name)


def lines_of(found, line: int) -> list[int]:
    """The lines of a stage that are linked to one of the user's."""
    return [
        n for n, links in enumerate(found.links) if any(found.places[at][1] == line for at in links)
    ]


def scrolled(page: Browser, pane: str, number: int) -> bool:
    return page.evaluate(
        f"(() => {{ const code = document.getElementById('{pane}').getBoundingClientRect(),"
        f" line = document.getElementById('{pane}-{number}').getBoundingClientRect();"
        " return line.top >= code.top && line.bottom <= code.bottom; })()"
    )


def test_it_needs_nothing_else(path) -> None:
    text = path.read_text()
    assert "http:" not in text.replace("http://www.w3.org", "")
    assert "https:" not in text


def test_a_python_line_leads_to_all_that_it_became(page, report, first) -> None:
    number = first + 3 - report.sources[0].first
    page.point(f"#source-{number}")
    assert page.evaluate(MARKED % "source") == [number]
    assert page.evaluate(MARKED % "left") == lines_of(stage(report, "optimized_hlo"), first + 3)
    assert page.evaluate(MARKED % "right") == lines_of(stage(report, "asm"), first + 3)
    counts = page.evaluate("[...panes[1].tabs.children].map((tab) => tab.textContent)")
    assert f"hlo{len(lines_of(stage(report, 'hlo'), first + 3))}" in counts


def test_assembly_leads_back(page, report, first) -> None:
    found = lines_of(stage(report, "asm"), first + 8)
    assert not scrolled(page, "right", found[-1])
    page.evaluate(f"panes[2].reveal({found[-1]})")
    page.point(f"#right-{found[-1]}", click=True)
    assert page.evaluate("panes[2].current") == found[-1]
    page.evaluate("marks.hot.set([], [])")  # what is pinned stays
    assert page.evaluate(MARKED % "source") == [first + 8 - report.sources[0].first]
    others = lines_of(stage(report, "optimized_hlo"), first + 8)
    assert page.evaluate(MARKED % "left") == others
    assert any(scrolled(page, "left", each) for each in others)
    page.press("Escape")
    assert page.evaluate(MARKED % "source") == []


def test_keys(page, report, first) -> None:
    names = [each.name for each in report.stages if each.text]
    page.press("2")
    assert page.evaluate("panes[1].listing.name") == names[1]
    page.press("h", "j", "j", "ArrowDown", "k")
    assert (
        page.evaluate("document.activeElement.getAttribute('aria-activedescendant')") == "source-1"
    )
    page.press("l", "l", "7")
    assert page.evaluate("panes[2].listing.name") == names[6]
    page.press("h", "h", *"j" * (first + 3 - report.sources[0].first - 1), "Enter")
    assert page.evaluate(MARKED % "left") == lines_of(stage(report, "hlo"), first + 3)
    page.press("?")
    assert page.evaluate("document.getElementById('help').open")
    page.press("Escape")
    assert not page.evaluate("document.getElementById('help').open")


def test_search_in_code(page, report) -> None:
    wanted = [n for n, line in enumerate(stage(report, "asm").text.splitlines()) if "vsqrt" in line]
    page.press("/", *"vsqrt", "Enter")
    assert page.evaluate("document.getElementById('found').textContent") == f"1 of {len(wanted)}"
    assert scrolled(page, "right", wanted[0])
    found = (
        "[...document.querySelectorAll('#right .found')].map((line) => Number(line.dataset.n) - 1)"
    )
    assert page.evaluate(found) == wanted
    page.press("Escape")
    assert page.evaluate(found) == []


def test_differences_are_folded_and_searched(page, report) -> None:
    shown = "[...document.querySelectorAll('details.pass')].flatMap((e, n) => e.hidden ? [] : [n])"
    page.press("]")
    assert page.evaluate(shown) == [n for n, each in enumerate(report.passes) if each.changed]
    assert page.evaluate("document.querySelectorAll('.diff').length") == 0
    number = next(n for n, each in enumerate(report.passes) if "fuse-elementwise" in each.name)
    page.point(f"#pass-{number} summary", click=True)
    text = page.evaluate(
        f"[...document.querySelectorAll('#pass-{number} .diff div')].map((e) => e.textContent)"
    )
    assert text == report.passes[number].diff.split("\n")
    page.press("/", *"fuse-elementwise")
    assert page.evaluate(shown) == [
        n
        for n, each in enumerate(report.passes)
        if each.changed and "fuse-elementwise" in each.name + each.diff
    ]
    page.press("Escape")
    page.evaluate("document.getElementById('all-passes').click()")
    assert len(page.evaluate(shown)) == len(report.passes)


def test_times_and_kernels(page, report, first) -> None:
    page.press("]", "]")
    steps = page.evaluate("document.querySelectorAll('.lane button').length")
    assert steps == 1 + len(report.passes) + 1  # tracing, and the machine code
    assert page.evaluate(
        "[...document.querySelectorAll('#view-time h2')][0].textContent"
    ).startswith("Time line: ")
    page.press("]")
    rows = page.evaluate(
        "[...document.querySelectorAll('#view-kernels tbody tr')].map((e) => e.textContent)"
    )
    assert len(rows) == len(report.kernels.rows)
    page.evaluate("[...document.querySelectorAll('#view-kernels tr')].at(-1).click()")
    assert page.evaluate("shown") == "code"
    assert page.evaluate(MARKED % "source") == [first + 8 - report.sources[0].first]


def test_light_dark_and_print(page) -> None:
    colour = "getComputedStyle(document.body).backgroundColor"
    page.prefer(color_scheme="dark")
    assert page.evaluate(colour) == "rgb(22, 24, 28)"
    page.press("t")
    assert page.evaluate(colour) == "rgb(255, 255, 255)"
    page.press("t")
    assert page.evaluate(colour) == "rgb(22, 24, 28)"
    page.ask("Emulation.setEmulatedMedia", media="print")
    heights = "Object.keys(VIEWS).map((each) => byId('view-' + each).offsetHeight > 50)"
    assert page.evaluate(heights) == [True] * 4
    page.ask("Emulation.setEmulatedMedia", media="screen")


def test_what_each_part_is_can_be_told(page) -> None:
    """Each control and each part has a role and a name for those who do not see it."""
    page.ask("Accessibility.enable")
    nodes = page.ask("Accessibility.getFullAXTree")["nodes"]
    found = [
        (n["role"]["value"], n.get("name", {}).get("value", "")) for n in nodes if not n["ignored"]
    ]
    page.ask("Accessibility.disable")
    for wanted in (
        *(("tab", "Passes"), ("searchbox", "search in what is shown"), ("button", "keys")),
        *(("listbox", "assembly"), ("heading", "heat"), ("tabpanel", "code")),
    ):
        assert wanted in found
    named = {"button", "tab", "listbox", "searchbox", "dialog", "tabpanel"}
    assert not [role for role, name in found if role in named and not name.strip()]
    assert sum(role == "option" for role, _ in found) > 100


def test_twenty_thousand_lines_of_assembly(browser, report, tmp_path) -> None:
    times = 20000 // len(stage(report, "asm").links) + 1
    stages = [
        dataclasses.replace(each, text=each.text * times, links=each.links * times)
        if each.name == "asm"
        else each
        for each in report.stages
    ]
    made = dataclasses.replace(report, stages=stages)
    made.save(tmp_path / "long.html")
    assert min(browser.open(tmp_path / "long.html") for _ in range(3)) < 3.0
    assert browser.evaluate("document.querySelectorAll('#right .l').length") >= 20000
    hover = """new Promise((done) => {
      const start = performance.now();
      panes[0].over(panes[0].listing.keys.findIndex((keys) => keys.length));
      requestAnimationFrame(() => setTimeout(() => done(performance.now() - start)));
    })"""
    assert browser.evaluate(hover) < 1000


def test_a_report_of_an_error(browser, report, tmp_path) -> None:
    Report("</script><b>f", stages=report.stages[:1], error="<i>it failed</i>").save(
        tmp_path / "error.html"
    )
    browser.complaints.clear()
    browser.open(tmp_path / "error.html")
    assert browser.evaluate("document.getElementById('error').textContent") == "<i>it failed</i>"
    assert browser.evaluate("document.getElementById('title').textContent") == "</script><b>f"
    browser.press("1", "2", "j", "]", "]", "]", "]", "Enter", "/", "x", "Enter", "Escape")
    Report("f", error="it failed").save(tmp_path / "empty.html")
    browser.open(tmp_path / "empty.html")
    browser.press("1", "2", "j", "k", "l", "Enter", "n", "]", "]", "]", "/", "x", "Enter", "Escape")
    assert not browser.complaints


def test_in_a_notebook(browser, tmp_path) -> None:
    path = tmp_path / "notebook.html"
    shown = heat.report(np.ones(8), np.arange(4), 0.1)._repr_html_()
    path.write_text(f"<!doctype html><title>n</title><body>{shown}")
    browser.complaints.clear()
    browser.open(path)
    inside = "document.querySelector('iframe').contentDocument.querySelectorAll('#right .l').length"
    assert browser.evaluate(inside) > 50
    assert not browser.complaints
