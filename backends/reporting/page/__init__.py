"""The page of a report: its data, its style and its scripts in one file."""

from __future__ import annotations

import json
from html import escape
from pathlib import Path
from typing import Any

_FILES = Path(__file__).parent
_SCRIPTS = ("data.js", "search.js", "panes.js", "views.js", "keys.js")
_HEIGHT = 720
"""Pixels of a page in a notebook."""


def html(name: str, data: dict[str, Any]) -> str:
    """A page for the data of a report."""
    parts = {
        "title": escape(name),
        "style": _file("page.css"),
        "script": "\n".join(map(_file, _SCRIPTS)),
        # nothing in the data may end the element that it stands in
        "data": json.dumps(data, separators=(",", ":")).replace("<", "\\u003c"),
    }
    page = _file("page.html")
    for mark, text in parts.items():
        before, found, after = page.partition(f"<!--{mark}-->")
        page = before + text + after if found else page
    return page


def framed(page: str) -> str:
    """A page inside of another one, with a world of its own."""
    style = f"width:100%;height:{_HEIGHT}px;border:0"
    return f'<iframe srcdoc="{escape(page)}" style="{style}"></iframe>'


def _file(name: str) -> str:
    return (_FILES / name).read_text(encoding="utf-8")
