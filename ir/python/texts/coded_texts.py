"""Text of the run time as lists of code points: where it is made of, and meets, other values.

A first trace has templates for text with run-time values in it (`agir.ir.values.text`), which can be
printed, joined and returned.  Where more is asked of it, or a loop makes it longer, the function is
traced again, and then text is a list of code points (`agir.ir.plain.text.texts`).
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Sequence
from functools import partial
from types import BuiltinMethodType, MethodDescriptorType
from typing import Any

import numpy as np

from agir.autograph.operators import call, if_exp
from agir.autograph.operators.generators import Producer
from agir.ir.building.cells import Scope
from agir.ir.building.types import int64
from agir.ir.emission import emit
from agir.ir.plain.entering import represented
from agir.ir.plain.hashed import representations
from agir.ir.plain.hashed.bounded_queues import BoundedDeque
from agir.ir.plain.hashed.mappings import HashDict
from agir.ir.plain.hashed.sets import HashSet
from agir.ir.plain.hashed.views import ItemsView, KeysView, ValuesView
from agir.ir.plain.text import byte_strings, texts
from agir.ir.plain.text.byte_strings import ByteArray, Bytes
from agir.ir.plain.text.texts import Char, Text
from agir.ir.python.iterators.iterator_builtins import listed
from agir.ir.python.texts import host_texts, text_builtins
from agir.ir.tensors import structure
from agir.ir.tensors.symbolic import SymbolicTensor, holds_run_time
from agir.ir.tracing.trace import REPRESENTED, Trace, current
from agir.ir.values import text
from agir.ir.values.abstract_values import (
    FIRST,
    KINDS,
    AbstractValue,
    Static,
    Structure,
    Typed,
    abstract_of,
    join,
)
from agir.ir.values.alternatives.abstract_texts import AbstractText
from agir.ir.values.alternatives.choices import Choice, Chosen
from agir.ir.values.alternatives.equality import disjunction
from agir.ir.values.alternatives.optional import MaybeNone
from agir.ir.values.sequences.abstract_lists import Listed
from agir.ir.values.sequences.counted import Counted
from agir.ir.values.sequences.lists import TracedList, traced_list
from agir.ir.values.text import StagedText

Replacement = Callable[..., Any]
_FORMAT = re.compile(r"(?P<fill>0?)(?P<width>\d*)(?P<kind>[bdoxX]?)")
_BASES = {"b": 2, "o": 8, "x": 16, "X": 16}


def find(trace: Trace, function: Any, args: tuple[Any, ...]) -> Replacement | None:
    """What stands for a function or method of text that meets text of the run time."""
    first = args[0] if args else None
    if function is str and is_text(first):
        return lambda value: value
    if not trace.convention.arrays_are_mutable:
        return None
    if function is bytearray and len(args) <= 1:
        return lambda *source: call(byte_strings.byte_array, source, {})
    if function is bytes and (found := _making_bytes(args)) is not None:
        return found
    if isinstance(first, ByteArray) and function in (np.array, np.asarray):
        return _array_of_bytes
    if isinstance(first, Bytes) and function == int.from_bytes:
        return lambda *given, **named: call(byte_strings.number_of, given, named)
    if isinstance(first, Text) and function in _OF_TEXT:
        return _OF_TEXT[function]
    if isinstance(first, MaybeNone) and is_text(first._value) and _looks_into(function):
        return lambda value, *rest, **named: call(function, (value._checked, *rest), named)
    if any(isinstance(each, StagedText) for each in args) and _looks_into(function):
        return partial(_looking, trace, function)
    if function is chr and _is_int(first):
        text.need_codes(trace)
        return lambda code: call(texts.character, (code,), {})
    if function in _PREFIXES and _is_int(first):
        text.need_codes(trace)
        base, prefix = _PREFIXES[function]
        return lambda number: call(texts.in_base, (number, base, prefix), {})
    return _method(trace, function, args)


def _array_of_bytes(value: Any, dtype: Any = np.uint8, **named: Any) -> Any:
    """``np.array`` of a bytearray."""
    return call(np.array, (value.values, dtype), named)


def _making_bytes(args: tuple[Any, ...]) -> Replacement | None:
    """What ``bytes`` does with what only the run time knows."""
    first = args[0] if args else None
    if isinstance(first, Text | StagedText):
        return lambda value, *rest: call(Text.encode, (value, *rest), {})
    if _is_int(first):
        return lambda count: call(byte_strings.zeros, (count,), {})
    if isinstance(first, Bytes):
        return lambda value: call(byte_strings.as_bytes, (value,), {})
    if len(args) == 1 and _gives_items(first):
        return lambda numbers: call(byte_strings.from_numbers, (numbers,), {})
    return None


def _gives_items(value: Any) -> bool:
    """Whether it is a sequence or an iterator with what only the run time knows."""
    if isinstance(value, SymbolicTensor):
        return False
    return holds_run_time(value) or isinstance(value, Producer | Counted)


def is_text(value: Any) -> bool:
    """Whether it is text of the run time, or one of several texts."""
    if isinstance(value, Chosen):
        return all(isinstance(each, str) or is_text(each) for each in value._values)
    return isinstance(value, Text | StagedText)


def codes_of_one(value: Any) -> Any:
    """The code points of one of several known texts, out of those of all; None for anything else."""
    if not isinstance(value, Chosen) or not all(type(each) is str for each in value._values):
        return None
    trace = value._trace
    ends, codes = _side_by_side(value._values)
    start, end = (emit.lift(trace, part)[value._index] for part in (ends[:-1], ends[1:]))
    return host_texts.listed(trace, emit.lift(trace, codes)[start:end])


def holds_text(value: Any) -> bool:
    """Whether a key of a dict is text of the run time, or a tuple with such in it."""
    if isinstance(value, tuple):
        return any(map(holds_text, value))
    return isinstance(value, Text | StagedText)


def as_key(value: Any) -> Any:
    """A key with text in code points in the place of templates."""
    if isinstance(value, StagedText):
        return text.looked_into(value, "a key of a dict")
    if type(value) is tuple and holds_text(value):
        return tuple(map(as_key, value))
    return value


def looked_up(trace: Trace, known: Sequence[Any], value: Any) -> Any:
    """Which of some known keys, no two of which are equal, a text is; -1 where it is none."""
    strings = [each if type(each) is str else "" for each in known]
    place = call(texts.place_among, (value, *_side_by_side(strings)), {})
    others = [n for n, each in enumerate(known) if type(each) is not str]
    for position in others:  # the text that stands for one in the search is no key
        place = if_exp(place == position, lambda: -1, partial(_same, place))
    return place


def _same(value: Any) -> Any:
    return value


def _side_by_side(strings: Sequence[str]) -> tuple[Any, Any]:
    """Where texts end if they stand one after another, and all code points."""
    codes = list(map(ord, "".join(strings)))
    return np.cumsum([0, *map(len, strings)]), np.array([*codes, 0], np.int64)


def _looks_into(function: Any) -> bool:
    """Whether a function asks for the characters of a text."""
    if function in _OF_TEXT or function in _OF_CHARACTERS:
        return True
    is_method = type(function) is BuiltinMethodType and type(function.__self__) is str
    return is_method and function.__name__ not in _MAKING_TEXT


def _looking(trace: Trace, function: Any, *args: Any, **named: Any) -> Any:
    """The function with text in code points in the place of templates."""
    text.need_codes(trace)
    given = [
        host_texts.looked_into(trace, each) if isinstance(each, StagedText) else each
        for each in args
    ]
    return call(function, tuple(given), named)


def _method(trace: Trace, function: Any, args: tuple[Any, ...]) -> Replacement | None:
    """A method of text which meets text of the run time among its arguments."""
    if type(function) is MethodDescriptorType and function.__objclass__ is str:
        if args and isinstance(args[0], Text | StagedText):
            return lambda first, *rest, **named: call(
                getattr(first, function.__name__), rest, named
            )
        return None
    if type(function) is not BuiltinMethodType or type(function.__self__) is not str:
        return None
    owner, name = function.__self__, function.__name__
    if name == "join" and args:
        return partial(_joined, trace, owner)
    is_met = any(isinstance(each, Text) for each in args)
    if not is_met and name in _ASKING and any(map(_is_int, args)):  # where it begins, and ends
        text.need_codes(trace)
        is_met = True
    if is_met and hasattr(Text, name):
        return lambda *rest, **named: call(getattr(_text(owner), name), rest, named)
    return None


_ASKING = frozenset(("count", "endswith", "find", "index", "rfind", "rindex", "startswith"))


def _joined(trace: Trace, separator: str, parts: Any) -> Any:
    """``separator.join(parts)``: of templates, unless only the run time knows how many there are."""
    made = parts if type(parts) in (list, tuple) else listed(trace, parts)
    if isinstance(made, TracedList) and made.is_staged:
        text.need_codes(trace)
    elif not any(isinstance(each, Text) for each in made):
        return text_builtins.join(separator, made)
    return call(texts.joined, (separator, made), {})


_CONTAINERS: tuple[Any, ...] = (
    list,
    tuple,
    set,
    frozenset,
    dict,
    type({}.keys()),
    type({}.values()),
)


def _text(value: str) -> Any:
    return call(texts.as_text, (value,), {})


def _is_int(value: Any) -> bool:
    return isinstance(value, SymbolicTensor) and not value.dims and value.dtype.kind in "iu"


def repeated_by_run_time(trace: Trace, value: str, count: Any) -> Any:
    """``value * count``."""
    text.need_codes(trace)
    return call(texts.repeated, (value, count), {})


def subscript(trace: Trace, value: str, key: Any) -> Any:
    """``value[key]`` of a known text at a place of the run time; None where that is one of texts."""
    return call(texts.item, (value, key), {}) if trace.codes_text else None


def membership(value: Any, container: Any) -> Callable[[], Any] | None:
    """``value in container``, where one of them is text of the run time."""
    if isinstance(value, StagedText) and isinstance(container, str | Text):
        value = text.looked_into(value, "asking whether it is in another text")
    if isinstance(value, Text) and isinstance(container, str):
        return lambda: call(texts.find, (container, value), {}) >= 0
    if isinstance(container, TracedList) and container.is_staged:
        return None
    if isinstance(value, Text) and isinstance(container, _CONTAINERS):
        known = [each for each in container if isinstance(each, str | Text)]
        if len(known) == len(container):
            return lambda: disjunction(call(texts.equal, (value, each), {}) for each in known)
    return None


def written(trace: Trace, value: Any, conversion: str, spec: str) -> Any:
    """The text of a number, where text is a list of code points; None for what is a template."""
    if not trace.codes_text or not isinstance(value, SymbolicTensor) or value.dims:
        return None
    if value.dtype.kind == "b" and not spec:
        return if_exp(value, lambda: _text("True"), lambda: _text("False"))
    found = _FORMAT.fullmatch(spec)
    if value.dtype.kind not in "iu" or found is None or conversion not in ("", "s", "r"):
        return None
    base = _BASES.get(found["kind"], 10)
    made = call(texts.in_base, (value, base, "", found["kind"] == "X"), {})
    if not found["width"]:
        return made
    method = "zfill" if found["fill"] else "rjust"
    return call(getattr(made, method), (int(found["width"]),), {})


def together(parts: list[Any]) -> Any:
    """Texts as one, if all of them are known or lists of code points; else None."""
    if any(isinstance(each, Text) for each in parts) and all(
        isinstance(each, str | Text) for each in parts
    ):
        return call(texts.joined, ("", parts), {})
    return None


def _to_int(value: Any, base: Any = 10) -> Any:
    return call(texts.to_int, (value, base), {})


def _code(value: Any) -> Any:
    return call(texts.code_of, (value,), {})


_OF_TEXT: dict[Any, Replacement] = {
    int: _to_int,
    float: host_texts.to_float,
    ord: _code,
    sorted: lambda value, key=None, reverse=False: call(texts.in_order, (value, key, reverse), {}),
    reversed: lambda value: call(Text.__reversed__, (value,), {}),
}
"""Functions that take text otherwise than anything else."""
_OF_CHARACTERS = frozenset((
    len, iter, list, tuple, set, frozenset, enumerate, zip, map, filter, max, min, any, all, bool,
    Counter, dict.fromkeys, hash,
))  # fmt: skip
"""Those that take any iterable, and ask a text for its characters."""
_MAKING_TEXT = ("join", "format", "format_map")
_PREFIXES = {bin: (2, "0b"), oct: (8, "0o"), hex: (16, "0x")}


def _with_text(
    name: str, left: AbstractValue, right: AbstractValue, strict: bool
) -> AbstractValue | None:
    """Text of the run time on one path, and any text on the other."""
    if left == right or not (_is_coded(left) or _is_coded(right) or _are_many(left, right)):
        return None
    if not all(_is_coded(each) or _is_known(each) for each in (left, right)):
        return None
    codes = _CODES
    for each in (left, right):
        if isinstance(each, Structure) and each.key[0] is Text:
            codes = join(name, codes, each.items[0])
    return Structure((Text, ("codes",)), (codes,))


def _are_many(left: AbstractValue, right: AbstractValue) -> bool:
    """Whether there are more texts than are told apart."""
    trace = current()
    counts = [len(getattr(each, "alternatives", (each,))) for each in (left, right)]
    return trace is not None and trace.codes_text and sum(counts) > _FEW


_FEW = 8
"""So many texts are told apart where text is code points: each costs what one does."""
_CODES: AbstractValue = Listed(Typed(int64, (), weak=True), list)


def _abstract(trace: Trace, value: Any, around: Scope | None) -> AbstractValue:
    """The abstract value of a text of the run time, which is what it says.

    Wherever it has been made.
    """
    found = structure.attributes(value)
    assert found is not None, "it has attributes"
    return Structure(found[0], tuple(abstract_of(trace, item, around) for item in found[1]))


KINDS[Text] = KINDS[Bytes] = KINDS[ByteArray] = _abstract


def _byte_array(trace: Trace | None, value: Any) -> Any:
    """A new bytearray as the function gets it."""
    if trace is None or not trace.convention.arrays_are_mutable:
        return value
    return ByteArray(traced_list(list(value)))


REPRESENTED[bytearray] = REPRESENTED[structure.ByteItems] = _byte_array


def any_text() -> AbstractValue:
    """The abstract value of any text."""
    return Structure((Text, ("codes",)), (_CODES,))


def _is_coded(abstract: AbstractValue) -> bool:
    return isinstance(abstract, Structure) and abstract.key[0] in (Text, Char)


def _is_known(abstract: AbstractValue) -> bool:
    if isinstance(abstract, Choice):
        return all(_is_known(each) or _is_coded(each) for each in abstract.alternatives)
    if isinstance(abstract, AbstractText):
        return True
    return isinstance(abstract, Static) and isinstance(abstract.value, str)


FIRST["codes of text"] = _with_text
BoundedDeque.__staged_text__ = represented(representations.of_bounded)
HashDict.__staged_text__ = represented(representations.of_dict)
HashSet.__staged_text__ = represented(representations.of_set)
KeysView.__staged_text__ = represented(representations.of_keys)
ValuesView.__staged_text__ = represented(representations.of_values)
ItemsView.__staged_text__ = represented(representations.of_items)
