"""Text of the run time as lists of code points: where it is made of, and meets, other values.

A first trace has templates for text with run-time values in it (`agir.ir.values.text`), which can be
printed, joined and returned.  Where more is asked of it, or a loop makes it longer, the function is
traced again, and then text is a list of code points (`agir.ir.plain.texts`).
"""

from __future__ import annotations

import re
from collections.abc import Callable
from functools import partial
from types import BuiltinMethodType, MethodDescriptorType
from typing import Any

from agir.autograph.operators import call, if_exp
from agir.ir import hooks
from agir.ir.plain import texts
from agir.ir.plain.texts import Char, Text
from agir.ir.staged import Staged
from agir.ir.symbolic import SymbolicTensor
from agir.ir.trace import Trace
from agir.ir.types import int64
from agir.ir.values import text
from agir.ir.values.choices import Choice
from agir.ir.values.equality import disjunction
from agir.ir.values.list_slots import Listed
from agir.ir.values.slots import FIRST, Slot, Static, Structure, Typed

Replacement = Callable[..., Any]
_FORMAT = re.compile(r"(?P<fill>0?)(?P<width>\d*)(?P<kind>[bdoxX]?)")
_BASES = {"b": 2, "o": 8, "x": 16, "X": 16}


def find(trace: Trace, function: Any, args: tuple[Any, ...]) -> Replacement | None:
    """What stands for a function or method of text that meets text of the run time."""
    first = args[0] if args else None
    if isinstance(first, Text) and function in _OF_TEXT:
        return _OF_TEXT[function]
    if not trace.convention.arrays_are_mutable:
        return None
    if function is chr and _is_int(first):
        text.need_codes(trace)
        return lambda code: call(texts.character, (code,), {})
    if function in _PREFIXES and _is_int(first):
        text.need_codes(trace)
        base, prefix = _PREFIXES[function]
        return lambda number: call(texts.in_base, (number, base, prefix), {})
    if not trace.codes_text:
        return None
    return _method(function, args)


def _method(function: Any, args: tuple[Any, ...]) -> Replacement | None:
    """A method of a known text, which meets text of the run time among its arguments."""
    if type(function) is MethodDescriptorType and function.__objclass__ is str:
        return None
    if type(function) is not BuiltinMethodType or type(function.__self__) is not str:
        return None
    owner, name = function.__self__, function.__name__
    if name == "join" and args:
        return partial(_joined, owner)
    if any(isinstance(each, Text) for each in args) and hasattr(Text, name):
        return lambda *rest: call(getattr(_text(owner), name), rest, {})
    return None


def _joined(separator: str, parts: Any) -> Any:
    staged = isinstance(parts, Staged) and parts.is_staged
    if not staged and isinstance(parts, list | tuple) and all(type(p) is str for p in parts):
        return separator.join(parts)
    return call(texts.joined, (separator, parts), {})


def _text(value: str) -> Any:
    return call(texts.as_text, (value,), {})


def _is_int(value: Any) -> bool:
    return isinstance(value, SymbolicTensor) and not value.dims and value.dtype.kind in "iu"


def subscript(trace: Trace, value: str, key: Any) -> Any:
    """``value[key]`` of a known text at a place of the run time; None where that is one of texts."""
    return call(texts.item, (value, key), {}) if trace.codes_text else None


def membership(value: Any, container: Any) -> Callable[[], Any] | None:
    """``value in container``, where one of them is text of the run time."""
    if isinstance(value, Text) and isinstance(container, str):
        return lambda: call(texts.find, (container, value), {}) >= 0
    if isinstance(value, Text) and isinstance(container, list | tuple | set | frozenset | dict):
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
    ord: _code,
    sorted: lambda value, reverse=False: call(texts.in_order, (value, reverse), {}),
    reversed: lambda value: call(Text.__reversed__, (value,), {}),
    str: lambda value: value,
    type: lambda value: str,
    isinstance: lambda value, kinds: issubclass(str, kinds) or isinstance(value, kinds),
}
_PREFIXES = {bin: (2, "0b"), oct: (8, "0o"), hex: (16, "0x")}


def _with_text(name: str, left: Slot, right: Slot, strict: bool) -> Slot | None:
    """Text of the run time on one path, and any text on the other."""
    if not (_is_coded(left) or _is_coded(right)) or left == right:
        return None
    if not all(_is_coded(each) or _is_known(each) for each in (left, right)):
        return None
    return _any_text()


def _any_text() -> Slot:
    return Structure((Text, ("codes",)), (Listed(Typed(int64, (), weak=True), list),))


def _is_coded(slot: Slot) -> bool:
    return isinstance(slot, Structure) and slot.key[0] in (Text, Char)


def _is_known(slot: Slot) -> bool:
    if isinstance(slot, Choice):
        return all(_is_known(each) or _is_coded(each) for each in slot.alternatives)
    return isinstance(slot, Static) and isinstance(slot.value, str)


FIRST.insert(0, _with_text)
hooks.codes_of, hooks.coded = texts.codes_of, text.coded
hooks.text_written, hooks.text_together, hooks.text_slot = written, together, _any_text
