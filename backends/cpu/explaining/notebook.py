"""An explanation as a notebook shows it: a table, and lists below it."""

from __future__ import annotations

from html import escape
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from agir.backends.cpu.explaining.explanation import Explanation

_LEFT = ("line", "what")


def html(explanation: Explanation) -> str:
    """An explanation as HTML without styles or scripts of its own."""
    parts = [f"<div><b>{escape(explanation.title)}</b></div>"]
    headings, rows = explanation.table()
    if rows:
        head = "".join(f"<th{_aligned(each)}>{escape(each)}</th>" for each in headings)
        body = "".join(
            f"<tr>{''.join(_cell(*each, row.depth) for each in zip(headings, cells, strict=True))}</tr>"
            for cells, row in rows
        )
        parts.append(f"<table><thead><tr>{head}</tr></thead><tbody>{body}</tbody></table>")
    for title, remarks in explanation.sections():
        if remarks:
            items = "".join(f"<li>{escape(str(each))}</li>" for each in remarks)
            parts.append(
                f"<details open><summary>{escape(title)}</summary><ul>{items}</ul></details>"
            )
    return f"<div>{''.join(parts)}</div>"


def _cell(heading: str, text: str, depth: int) -> str:
    inside = f"padding-left:{depth + 0.5}em" if heading == "what" else ""
    return f"<td{_aligned(heading, inside)}>{escape(text)}</td>"


def _aligned(heading: str, more: str = "") -> str:
    side = "left" if heading in _LEFT else "right"
    return f' style="text-align:{side};{more}"'
