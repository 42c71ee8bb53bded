"""Text with gaps: what a run-time text says, apart from the values that go into it.

A template is a sequence of *pieces*: literal text, a :class:`Gap` for a value, a :class:`Nested`
text that is formatted as a whole, or a :class:`Choice` between texts.  It is written into the module
as an attribute (``["x = ", {value = 0 : i64, spec = ".3f"}]``), from which it can be read again.
"""

from __future__ import annotations

import ast
from collections.abc import Callable, Iterator, Sequence
from functools import cache
from typing import Any, NamedTuple

import numpy as np

from agir.ir.building import attributes, bindings
from agir.ir.host.summary import summary


class Gap(NamedTuple):
    """Where the value of this number goes, and how it is written.

    ``conversion`` is empty, one of ``s r a`` as after ``!``, ``%`` (then ``spec`` is a whole directive
    such as ``%5.2f``), ``list``: the elements of an array, as a list of them is written, ``codes``: the
    text that they are the code points of, or
    ``tensor``: a tensor, with ``spec`` elements at each end.  ``weak`` is set for what are Python
    numbers, not NumPy's.
    """

    number: int
    conversion: str = ""
    spec: str = ""
    weak: bool = False

    def render(self, values: Sequence[Any]) -> str:
        """The text of the value."""
        value = values[self.number]
        if self.weak and isinstance(value, (np.generic, np.ndarray)):
            value = value.tolist()
        return written(value, self.conversion, self.spec)

    def shifted(self, offset: int) -> Gap:
        """The same, with the value renumbered."""
        return self._replace(number=self.number + offset)

    def in_ascii(self) -> Gap:
        """What ``ascii`` writes where ``repr`` writes this."""
        return self._replace(conversion="a") if self.conversion == "r" else self

    def numbers(self) -> Iterator[int]:
        """The numbers of the values."""
        yield self.number

    def outline(self) -> str:
        """What an error message shows of it."""
        return "{}"

    def encoded(self) -> Any:
        """As an attribute of the module."""
        named = {"value": attributes.i64(self.number), **_format(self.conversion, self.spec)}
        if self.weak:
            named["weak"] = bindings.ir.UnitAttr.get()
        return bindings.ir.DictAttr.get(named)


class Nested(NamedTuple):
    """A text with gaps that is converted or padded as one."""

    pieces: tuple[Any, ...]
    conversion: str
    spec: str

    def render(self, values: Sequence[Any]) -> str:
        """The text that it is, once all its gaps are filled."""
        return written(render(self.pieces, values), self.conversion, self.spec)

    def shifted(self, offset: int) -> Nested:
        """The same, with the values renumbered."""
        return self._replace(pieces=shifted(self.pieces, offset))

    def in_ascii(self) -> Nested:
        """What ``ascii`` writes where ``repr`` writes this."""
        if self.conversion == "r":
            return self._replace(conversion="a")
        return self._replace(pieces=in_ascii(self.pieces))

    def numbers(self) -> Iterator[int]:
        """The numbers of the values."""
        return numbers(self.pieces)

    def outline(self) -> str:
        """What an error message shows of it."""
        return outline(self.pieces)

    def encoded(self) -> Any:
        """As an attribute of the module."""
        named = {"text": encode(self.pieces), **_format(self.conversion, self.spec)}
        return bindings.ir.DictAttr.get(named)


class Choice(NamedTuple):
    """One of several texts: the one whose position is the value of this number."""

    number: int
    options: tuple[tuple[Any, ...], ...]

    def render(self, values: Sequence[Any]) -> str:
        """The text that is chosen."""
        return render(self.options[int(values[self.number])], values)

    def shifted(self, offset: int) -> Choice:
        """The same, with the values renumbered."""
        options = tuple(shifted(option, offset) for option in self.options)
        return Choice(self.number + offset, options)

    def in_ascii(self) -> Choice:
        """What ``ascii`` writes where ``repr`` writes this."""
        return self._replace(options=tuple(map(in_ascii, self.options)))

    def numbers(self) -> Iterator[int]:
        """The numbers of the values."""
        yield self.number
        for option in self.options:
            yield from numbers(option)

    def outline(self) -> str:
        """What an error message shows of it."""
        return "{" + "|".join(map(outline, self.options)) + "}"

    def encoded(self) -> Any:
        """As an attribute of the module."""
        ir = bindings.ir
        options = ir.ArrayAttr.get([encode(option) for option in self.options])
        return ir.DictAttr.get({"choose": attributes.i64(self.number), "from": options})


class Formatted(NamedTuple):
    """A value or text in a format that only the run time knows."""

    of: Any
    """A gap, or a text."""
    spec: tuple[Any, ...]

    def render(self, values: Sequence[Any]) -> str:
        """The text in the format that it is."""
        text: str = self.of._replace(spec=render(self.spec, values)).render(values)
        return text

    def shifted(self, offset: int) -> Formatted:
        """The same, with the values renumbered."""
        return Formatted(self.of.shifted(offset), shifted(self.spec, offset))

    def in_ascii(self) -> Formatted:
        """What ``ascii`` writes where ``repr`` writes this."""
        return self._replace(of=self.of.in_ascii())

    def numbers(self) -> Iterator[int]:
        """The numbers of the values."""
        yield from self.of.numbers()
        yield from numbers(self.spec)

    def outline(self) -> str:
        """What an error message shows of it."""
        outline: str = self.of.outline()
        return outline

    def encoded(self) -> Any:
        """As an attribute of the module."""
        return bindings.ir.DictAttr.get({"of": self.of.encoded(), "by": encode(self.spec)})


class Seen(NamedTuple):
    """A structured array, a record, dates or differences, of the arrays with these numbers."""

    arrays: tuple[int, ...]
    layout: str
    """The dtype (`described`)."""
    kind: str
    """The name of the class in NumPy."""
    conversion: str = ""
    spec: str = ""

    def render(self, values: Sequence[Any]) -> str:
        """The text of what it is."""
        dtype = _layout(self.layout)
        leaves = iter([np.asarray(values[number]) for number in self.arrays])
        made: Any = _filled(dtype, leaves)
        if self.kind == "recarray":
            made = made.view(np.recarray)
        elif self.kind != "ndarray":
            made = made.reshape(-1)[0]
        return written(made, self.conversion, self.spec)

    def shifted(self, offset: int) -> Seen:
        """The same, with the values renumbered."""
        return self._replace(arrays=tuple(number + offset for number in self.arrays))

    def in_ascii(self) -> Seen:
        """What ``ascii`` writes where ``repr`` writes this."""
        return self._replace(conversion="a") if self.conversion == "r" else self

    def numbers(self) -> Iterator[int]:
        """The numbers of the values."""
        yield from self.arrays

    def outline(self) -> str:
        """What an error message shows of it."""
        return "{}"

    def encoded(self) -> Any:
        """As an attribute of the module."""
        arrays = bindings.ir.ArrayAttr.get([attributes.i64(number) for number in self.arrays])
        said = {"layout": string(self.layout), "kind": string(self.kind)}
        return bindings.ir.DictAttr.get(
            {"arrays": arrays, **said, **_format(self.conversion, self.spec)}
        )


def described(dtype: Any) -> str:
    """A dtype of NumPy's as text, from which it can be made again."""
    if dtype.names is None:
        return repr(dtype.str)
    fields = [dtype.fields[name] for name in dtype.names]
    formats = [(described(kind.base), kind.shape) for kind, *_ in fields]
    offsets = [offset for _, offset, *_ in fields]
    is_record = dtype.type is np.record
    return repr((dtype.names, formats, offsets, dtype.itemsize, dtype.isalignedstruct, is_record))


@cache
def _layout(text: str) -> np.dtype[Any]:
    found = ast.literal_eval(text)
    if isinstance(found, str):
        return np.dtype(found)
    names, formats, offsets, itemsize, aligned, is_record = found
    kinds = [(_layout(kind), shape) for kind, shape in formats]
    parts: Any = {"names": list(names), "formats": kinds, "offsets": offsets, "itemsize": itemsize}
    made: Any = np.dtype(parts, align=aligned)
    return np.dtype((np.record, made)) if is_record else made


def _filled(dtype: Any, leaves: Iterator[Any]) -> Any:
    """An array of a dtype, of the arrays of numbers that its fields are."""
    if dtype.names is None:
        array = next(leaves)
        return array.view(dtype) if dtype.kind in "mM" else array
    columns = [_filled(dtype[name].base, leaves) for name in dtype.names]
    rank = columns[0].ndim - len(dtype[0].shape)
    made = np.zeros(columns[0].shape[:rank], dtype)
    for name, column in zip(dtype.names, columns, strict=True):
        made[name] = column
    return made


Piece = str | Gap | Nested | Choice | Formatted | Seen
Pieces = tuple[Piece, ...]

KEPT = "kept"
"""The conversion of the number of a text that the host keeps."""

CONVERSIONS: dict[str, Callable[[Any, str], str]] = {
    "": format,
    "s": lambda value, spec: format(str(value), spec),
    "r": lambda value, spec: format(repr(value), spec),
    "a": lambda value, spec: format(ascii(value), spec),
    "%": lambda value, spec: spec % (value,),
    "list": lambda value, spec: repr(list(value)),
    "codes": lambda value, spec: "".join(map(chr, value)),
    "bytes": lambda value, spec: format(repr(bytes(value.tolist())), spec),
    "tensor": lambda value, spec: summary(value, int(spec)),
}


def written(value: Any, conversion: str, spec: str) -> str:
    """A value as text, as an f-string or a directive of ``%`` has it."""
    return CONVERSIONS[conversion](value, spec)


def render(pieces: Sequence[Piece], values: Sequence[Any]) -> str:
    """The text, with the values in the gaps."""
    return "".join(p if isinstance(p, str) else p.render(values) for p in pieces)


def shifted(pieces: Sequence[Piece], offset: int) -> Pieces:
    """The pieces, with the values renumbered."""
    return tuple(p if isinstance(p, str) else p.shifted(offset) for p in pieces)


def in_ascii(pieces: Sequence[Piece]) -> Pieces:
    """The pieces of what ``ascii`` gives, from those of what ``repr`` gives."""
    return tuple(
        p.encode("ascii", "backslashreplace").decode() if isinstance(p, str) else p.in_ascii()
        for p in pieces
    )


def numbers(pieces: Sequence[Piece]) -> Iterator[int]:
    """The numbers of the values in the pieces."""
    for piece in pieces:
        if not isinstance(piece, str):
            yield from piece.numbers()


def outline(pieces: Sequence[Piece]) -> str:
    """The literal text with ``{}`` for what comes in."""
    return "".join(p if isinstance(p, str) else p.outline() for p in pieces)


def merged(pieces: Sequence[Piece]) -> Pieces:
    """The pieces with neighbouring literals as one, and without empty ones."""
    out: list[Piece] = []
    for piece in pieces:
        if isinstance(piece, str) and out and isinstance(out[-1], str):
            out[-1] += piece
        elif piece != "":
            out.append(piece)
    return tuple(out)


class Template:
    """The pieces of a text; equal ones are the same object."""

    def __init__(self, pieces: Pieces) -> None:
        self.pieces = pieces

    def __repr__(self) -> str:
        return f"text {outline(self.pieces)!r}"


@cache
def template(pieces: Pieces) -> Template:
    """The template of these pieces."""
    return Template(pieces)


# As an attribute of the module.


def encode(pieces: Sequence[Piece]) -> Any:
    """The pieces as an MLIR attribute."""
    return bindings.ir.ArrayAttr.get(
        [string(p) if isinstance(p, str) else p.encoded() for p in pieces]
    )


def _format(conversion: str, spec: str) -> dict[str, Any]:
    given = {"conversion": conversion, "spec": spec}
    return {name: string(text) for name, text in given.items() if text}


def decode(attribute: Any) -> Pieces:
    """The pieces that an attribute stands for; ``ValueError`` where it is none."""
    if not isinstance(attribute, bindings.ir.ArrayAttr):
        raise ValueError(f"{attribute} is not an array of literals and values")
    return tuple(_decoded(item) for item in attribute)


def _decoded(item: Any) -> Piece:
    ir = bindings.ir
    if isinstance(item, ir.StringAttr):
        return plain(item)
    if not isinstance(item, ir.DictAttr) or not any(key in item for key in _READERS):
        raise ValueError(f"{item} is neither a literal nor a value")
    return next(read(item) for key, read in _READERS.items() if key in item)


def _gap(item: Any) -> Gap:
    return Gap(_number(item["value"]), *_read_format(item), "weak" in item)


def _nested(item: Any) -> Nested:
    return Nested(decode(item["text"]), *_read_format(item))


def _choice(item: Any) -> Choice:
    return Choice(_number(item["choose"]), tuple(map(decode, item["from"])))


def _formatted(item: Any) -> Formatted:
    return Formatted(_decoded(item["of"]), decode(item["by"]))


def _seen(item: Any) -> Seen:
    arrays = tuple(_number(each) for each in item["arrays"])
    return Seen(arrays, plain(item["layout"]), plain(item["kind"]), *_read_format(item))


_READERS: dict[str, Callable[[Any], Piece]] = {
    "value": _gap,
    "text": _nested,
    "choose": _choice,
    "of": _formatted,
    "layout": _seen,
}


def _number(attribute: Any) -> int:
    number = int(attribute.value)
    if number < 0:
        raise ValueError(f"there is no such value as {number}")
    return number


def _read_format(item: Any) -> tuple[str, str]:
    conversion, spec = (plain(item[key]) if key in item else "" for key in ("conversion", "spec"))
    if conversion not in CONVERSIONS:
        raise ValueError(f"{item} has an unknown conversion")
    return conversion, spec


def string(text: str) -> Any:
    """A string attribute; what UTF-8 cannot hold (lone surrogates) is kept all the same."""
    return bindings.ir.StringAttr.get(text.encode("utf-8", "surrogatepass"))


def plain(attribute: Any) -> str:
    """The text of a string attribute."""
    data: bytes = attribute.value_bytes
    return data.decode("utf-8", "surrogatepass")
