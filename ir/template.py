"""Text with gaps: what a run-time text says, apart from the values that go into it.

A template is a sequence of *pieces*: literal text, a :class:`Gap` for a value, or a
:class:`Nested` text that is formatted as a whole.  It is written into the module as an attribute
(``["x = ", {value = 0 : i64, spec = ".3f"}]``), from which the text can be made again.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import cache
from typing import Any, NamedTuple

import numpy as np

from agir.ir import attributes, bindings


class Gap(NamedTuple):
    """Where the value of this number goes, and how it is written.

    ``conversion`` is empty, one of ``s r a`` as after ``!``, or ``%``: then ``spec`` is a whole
    directive such as ``%5.2f``.  ``weak`` is set for what is a Python number, not one of NumPy's.
    """

    number: int
    conversion: str = ""
    spec: str = ""
    weak: bool = False

    def render(self, values: Sequence[Any]) -> str:
        """The text of the value."""
        value = values[self.number]
        if self.weak and isinstance(value, np.generic):
            value = value.item()
        return written(value, self.conversion, self.spec)


class Nested(NamedTuple):
    """A text with gaps that is converted or padded as one."""

    pieces: tuple[Any, ...]
    conversion: str
    spec: str

    def render(self, values: Sequence[Any]) -> str:
        """The text that it is, once all its gaps are filled."""
        return written(render(self.pieces, values), self.conversion, self.spec)


Piece = str | Gap | Nested

CONVERSIONS: dict[str, Callable[[Any, str], str]] = {
    "": format,
    "s": lambda value, spec: format(str(value), spec),
    "r": lambda value, spec: format(repr(value), spec),
    "a": lambda value, spec: format(ascii(value), spec),
    "%": lambda value, spec: spec % (value,),
}


def written(value: Any, conversion: str, spec: str) -> str:
    """A value as text, as an f-string or a directive of ``%`` has it."""
    return CONVERSIONS[conversion](value, spec)


def render(pieces: Sequence[Piece], values: Sequence[Any]) -> str:
    """The text, with the values in the gaps."""
    return "".join(p if isinstance(p, str) else p.render(values) for p in pieces)


class Template:
    """The pieces of a text; equal ones are the same object."""

    def __init__(self, pieces: tuple[Piece, ...]) -> None:
        self.pieces = pieces

    def shifted(self, offset: int) -> tuple[Piece, ...]:
        """The pieces, with the values renumbered."""
        return _shifted(self.pieces, offset)

    def __repr__(self) -> str:
        return f"text {_outline(self.pieces)!r}"


@cache
def template(pieces: tuple[Piece, ...]) -> Template:
    """The template of these pieces."""
    return Template(pieces)


def merged(pieces: Sequence[Piece]) -> tuple[Piece, ...]:
    """The pieces with neighbouring literals as one, and without empty ones."""
    out: list[Piece] = []
    for piece in pieces:
        if isinstance(piece, str) and out and isinstance(out[-1], str):
            out[-1] += piece
        elif piece != "":
            out.append(piece)
    return tuple(out)


def _shifted(pieces: Sequence[Piece], offset: int) -> tuple[Piece, ...]:
    return tuple(_shifted_piece(piece, offset) for piece in pieces)


def _shifted_piece(piece: Piece, offset: int) -> Piece:
    if isinstance(piece, Gap):
        return piece._replace(number=piece.number + offset)
    if isinstance(piece, Nested):
        return piece._replace(pieces=_shifted(piece.pieces, offset))
    return piece


def _outline(pieces: Sequence[Piece]) -> str:
    """The literal text with ``{}`` for what comes in."""
    return "".join(
        _outline(p.pieces) if isinstance(p, Nested) else p if isinstance(p, str) else "{}"
        for p in pieces
    )


# As an attribute of the module.


def encode(pieces: Sequence[Piece]) -> Any:
    """The pieces as an MLIR attribute."""
    return bindings.ir.ArrayAttr.get([_encoded(piece) for piece in pieces])


def _encoded(piece: Piece) -> Any:
    ir = bindings.ir
    if isinstance(piece, str):
        return string(piece)
    held = encode(piece.pieces) if isinstance(piece, Nested) else attributes.i64(piece.number)
    named = {"text" if isinstance(piece, Nested) else "value": held}
    named |= {key: string(text) for key in ("conversion", "spec") if (text := getattr(piece, key))}
    if isinstance(piece, Gap) and piece.weak:
        named["weak"] = ir.UnitAttr.get()
    return ir.DictAttr.get(named)


def decode(attribute: Any) -> tuple[Piece, ...]:
    """The pieces that an attribute stands for; ``ValueError`` where it is none."""
    if not isinstance(attribute, bindings.ir.ArrayAttr):
        raise ValueError(f"{attribute} is not an array of literals and values")
    return tuple(_decoded(item) for item in attribute)


def _decoded(item: Any) -> Piece:
    ir = bindings.ir
    if isinstance(item, ir.StringAttr):
        return plain(item)
    if not isinstance(item, ir.DictAttr) or not ("value" in item or "text" in item):
        raise ValueError(f"{item} is neither a literal nor a value")
    conversion, spec = (plain(item[key]) if key in item else "" for key in ("conversion", "spec"))
    if conversion not in CONVERSIONS:
        raise ValueError(f"{item} has an unknown conversion")
    if "text" in item:
        return Nested(decode(item["text"]), conversion, spec)
    number = int(item["value"].value)
    if number < 0:
        raise ValueError(f"{item} has no such value")
    return Gap(number, conversion, spec, "weak" in item)


def highest(pieces: Sequence[Piece]) -> int:
    """The greatest number of a value in the pieces, -1 where there is none."""
    found = [-1]
    for piece in pieces:
        if isinstance(piece, Nested):
            found.append(highest(piece.pieces))
        elif isinstance(piece, Gap):
            found.append(piece.number)
    return max(found)


def string(text: str) -> Any:
    """A string attribute; what UTF-8 cannot hold (lone surrogates) is kept all the same."""
    return bindings.ir.StringAttr.get(text.encode("utf-8", "surrogatepass"))


def plain(attribute: Any) -> str:
    """The text of a string attribute."""
    data: bytes = attribute.value_bytes
    return data.decode("utf-8", "surrogatepass")
