"""The web site of the documentation: it is made without a warning, and its links can be right."""

from __future__ import annotations

import importlib.util
import inspect
import re
import subprocess
import sys
from pathlib import Path
from urllib.parse import urlsplit

import pytest

from .public_names import documented
from .test_documents import DOCUMENTS, ROOT

SITE = ROOT / "docs" / "site"
URL = re.compile(r"https?:[^\s)>\]\"'`|]+")


def test_the_pages_have_no_warnings(tmp_path: Path) -> None:
    for name in ("sphinx", "myst_parser", "furo"):
        pytest.importorskip(name)
    done = subprocess.run(
        [sys.executable, "-m", "sphinx", "-q", "--fail-on-warning", "--keep-going", "-t", "pages",
         "-b", "dummy", "-c", str(SITE), "-d", str(tmp_path / "trees"), str(ROOT), str(tmp_path)],
        capture_output=True,
        text=True,
        timeout=300,
    )  # fmt: skip
    assert done.returncode == 0, done.stderr


def test_docstrings_are_well_formed() -> None:
    """What sphinx would warn of, found without it making the pages, which takes a minute."""
    core = pytest.importorskip("docutils.core")
    pytest.importorskip("sphinx")
    spec = importlib.util.spec_from_file_location("agir_pages", SITE / "agir_pages.py")
    assert spec is not None
    assert spec.loader is not None
    pages = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(pages)
    wrong = {}
    for name in documented():
        lines = inspect.getdoc(name.value).splitlines()
        pages.facts_as_fields(None, "function", name.path, name.value, None, lines)
        tree = core.publish_doctree("\n".join(lines), settings_overrides={"report_level": 5})
        told = [each.astext() for each in (*tree.parse_messages, *tree.transform_messages)]
        problems = [each for each in told if "role" not in each]  # roles are sphinx's
        if problems:
            wrong[name.path] = problems
    assert not wrong


def test_addresses_on_the_web_are_well_formed() -> None:
    found = {url for document in DOCUMENTS for url in URL.findall(document.read_text())}
    parts = {url: urlsplit(url) for url in found}
    assert not [url for url, each in parts.items() if "." not in (each.hostname or "")]
