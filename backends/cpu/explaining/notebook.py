"""An explanation as a notebook shows it: a table, and lists below it."""

from __future__ import annotations

from collections.abc import Sequence
from html import escape

from agir.backends.cpu.explaining.listed import Remark
from agir.backends.cpu.explaining.report import Row

Rows = Sequence[tuple[Sequence[str], Row]]
Sections = Sequence[tuple[str, Sequence[Remark]]]

_LEFT = ("line", "what")


def html(title: str, headings: Sequence[str], rows: Rows, sections: Sections) -> str:
    """An explanation as HTML without styles or scripts of its own."""
    parts = [f"<div><b>{escape(title)}</b></div>"]
    if rows:
        head = "".join(f"<th{_aligned(each)}>{escape(each)}</th>" for each in headings)
        body = "".join(
            f"<tr>{''.join(_cell(*each, row.depth) for each in zip(headings, cells, strict=True))}</tr>"
            for cells, row in rows
        )
        parts.append(f"<table><thead><tr>{head}</tr></thead><tbody>{body}</tbody></table>")
    for heading, remarks in sections:
        if remarks:
            items = "".join(f"<li>{escape(str(each))}</li>" for each in remarks)
            parts.append(
                f"<details open><summary>{escape(heading)}</summary><ul>{items}</ul></details>"
            )
    return f"<div>{''.join(parts)}</div>"


def _cell(heading: str, text: str, depth: int) -> str:
    inside = f"padding-left:{depth + 0.5}em" if heading == "what" else ""
    return f"<td{_aligned(heading, inside)}>{escape(text)}</td>"


def _aligned(heading: str, more: str = "") -> str:
    side = "left" if heading in _LEFT else "right"
    return f' style="text-align:{side};{more}"'
