"""Text that is known when the program runs: strings with run-time values in them.

:func:`text_of` does while tracing what ``format``, ``str`` and ``repr`` do: it gives a ``str`` where
nothing is staged, else a :class:`StagedText`, which is formatted by the host when it is printed or
raised.  Values format as they do in Python: an array or a scalar of NumPy's, or a Python number.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from types import FunctionType
from typing import Any, NoReturn

import numpy as np

from agir import errors
from agir.autograph import operators
from agir.errors import StagingError
from agir.ir import hooks
from agir.ir.building.types import bfloat16, bool_
from agir.ir.emission import emit
from agir.ir.host import template
from agir.ir.host.template import Choice, Formatted, Gap, Nested, Piece, Seen, Template
from agir.ir.recording import explained
from agir.ir.tensors import markers
from agir.ir.tensors.staged import Staged, Written, known_as
from agir.ir.tensors.symbolic import Fixed, Retrace, SymbolicTensor
from agir.ir.tracing.trace import Trace, current

_NEEDED = (
    "{what} needs a text that has no value yet: {text} holds run-time values, and exists only when "
    "the compiled function runs. It can be printed, joined to other text, and be the message of an "
    "assertion."
)


_MOST = 512
"""A text that holds more values is one that a loop makes longer, and twice as long each time."""


@known_as("str")
class StagedText(Staged):
    """A string in which run-time values stand; immutable, like the values in it."""

    def __init__(self, template: Template, values: tuple[Any, ...]) -> None:
        self.template = template
        self.values = values
        if len(values) > _MOST:
            refuse(self, f"text that holds more than {_MOST} values")

    def __add__(self, other: object) -> Any:
        return joined([self, other]) if _is_text(as_text(other)) else NotImplemented

    def __radd__(self, other: object) -> Any:
        return joined([other, self]) if _is_text(as_text(other)) else NotImplemented

    def __mul__(self, count: Any) -> Any:
        if isinstance(count, SymbolicTensor):
            return looked_into(self, "repeating text as often as a run-time value says") * count
        return joined([self] * count)

    __rmul__ = __mul__

    def join(self, items: Any) -> Any:
        """The items with this text between them."""
        parts: list[Any] = [part for item in items for part in (self, item)]
        return joined(parts[1:])

    def truth(self, trace: Trace) -> Any:
        """Whether there is any text."""
        if any(isinstance(piece, str) for piece in self.template.pieces):
            return trace.constant(bool_, True)
        return looked_into(self, "bool(text)").codes.truth(trace)

    @property
    def codes(self) -> Any:
        """Its code points, a list of the run time."""
        return looked_into(self, "looking into text").codes

    def __bool__(self) -> bool:
        if any(isinstance(piece, str) for piece in self.template.pieces):
            return True
        refuse(self, "bool(text)")

    def __format__(self, spec: str) -> str:
        return answer(field(self, "", spec), markers.collecting())

    def __str__(self) -> str:
        return answer(self, markers.collecting())

    def __repr__(self) -> str:
        collector = markers.collecting()
        return collector.mark(field(self, "r", "")) if collector else f"<{self.template!r}>"

    def __getattr__(self, name: str) -> Any:
        if hasattr(str, name) and not name.startswith("__"):
            return getattr(looked_into(self, f".{name}()"), name)
        raise AttributeError(f"{type(self).__name__!r} object has no attribute {name!r}")


def _looking(name: str) -> Callable[..., Any]:
    """A method that asks for the text itself: that of the text in code points answers."""

    def method(self: StagedText, *args: Any) -> Any:
        if name not in _ASKED:
            refuse(self, _LOOKING[name])
        return getattr(looked_into(self, _LOOKING[name]), name)(*args)

    return method


_COMPARISONS = ("__eq__", "__ne__", "__lt__", "__le__", "__gt__", "__ge__")
_ASKED = (*_COMPARISONS, "__contains__", "__getitem__")
"""Those of which Python takes an answer that only the run time knows."""
_LOOKING = {
    **dict.fromkeys(_COMPARISONS, "a comparison"),
    "__hash__": "a key of a dict, or hash(text),",
    "__len__": "len(text)",
    "__iter__": "iteration over text",
    "__contains__": "`in`",
    "__getitem__": "indexing text",
    "__mod__": "formatting with %",
    "__int__": "int(text)",
    "__float__": "float(text)",
    "__fspath__": "the name of a file",
}
for _name in _LOOKING:
    setattr(StagedText, _name, _looking(_name))


class ByCodes(Retrace):
    """More is asked of text than a template can give."""

    def tell(self, trace: Trace) -> None:
        """Text is a list of code points."""
        trace.codes_text = True


def need_codes(trace: Trace | None) -> None:
    """Trace again with text as lists of code points, if that has not been done."""
    if trace is not None and trace.convention.arrays_are_mutable and not trace.codes_text:
        raise ByCodes


def looked_into(text: StagedText, what: str) -> Any:
    """The text as a list of code points, for a use that needs it."""
    trace = current()
    if trace is None or not trace.convention.arrays_are_mutable:
        refuse(text, what)
    need_codes(trace)
    return hooks.texts.looked_into(trace, text)


def refuse(text: StagedText, what: str) -> NoReturn:
    """Raise the error of a use that needs the text itself."""
    trace = current()
    need_codes(trace)
    message = _NEEDED.format(what=what, text=repr(text))
    raise StagingError(explained(message))


def _is_text(value: object) -> bool:
    return isinstance(value, (str, StagedText)) or is_coded(value)


def as_text(value: Any) -> Any:
    """The value; the staged text that it is, where it stands for one of several strings."""
    return value.as_text() if isinstance(value, Written) else value


def joined(parts: Sequence[Any]) -> Any:
    """The parts as one text: a ``str`` where all of them are."""
    pieces: list[Piece] = []
    values: list[Any] = []
    parts = list(map(as_text, parts))
    if (found := hooks.texts.together(parts)) is not None:
        return found
    for position, part in enumerate(parts):
        part = as_template(part)
        if isinstance(part, StagedText):
            pieces += template.shifted(part.template.pieces, len(values))
            values += part.values
        elif isinstance(part, str):
            pieces.append(part)
        else:
            kind = type(part).__name__
            raise TypeError(f"sequence item {position}: expected str instance, {kind} found")
    whole = template.merged(pieces)
    if not values:
        return template.render(whole, ())
    return StagedText(template.template(whole), tuple(values))


def field(value: Any, conversion: str, spec: str) -> StagedText:
    """A run-time value, or a text that holds some, as ``{value!conversion:spec}`` writes it."""
    if isinstance(value, StagedText):
        if not spec and conversion in ("", "s"):
            return value
        nested = Nested(value.template.pieces, conversion, spec)
        return StagedText(template.template((nested,)), value.values)
    trace = current() or value.recorder
    _check(trace, value, conversion, spec)
    if conversion == "s" and not spec and value.dtype != bfloat16:
        conversion = ""  # which means the same, but to ml_dtypes
    gap = Gap(0, conversion, spec, value.weak and not value.dims)
    return StagedText(template.template((gap,)), (_snapshot(trace, value),))


def formatted(value: Any, conversion: str, spec: StagedText) -> StagedText:
    """The same with a format that only the run time knows."""
    trace = current() or spec.values[0].recorder
    if type(value) in (bool, int, float):
        value = emit.lift(trace, value)
    value = as_template(value)
    given: tuple[Any, ...] = ()
    if isinstance(value, StagedText):
        of: Any = Nested(value.template.pieces, conversion, "")
        given = value.values
    elif isinstance(value, SymbolicTensor):
        of = Gap(0, conversion, "", value.weak and not value.dims)
        given = (_snapshot(trace, value),)
    elif isinstance(value, str):
        of = Nested((value,), conversion, "")
    else:
        refuse(spec, "a format of what is neither a number nor text")
    piece = Formatted(of, template.shifted(spec.template.pieces, len(given)))
    return StagedText(template.template((piece,)), (*given, *spec.values))


def _snapshot(trace: Trace, value: SymbolicTensor) -> SymbolicTensor:
    """The value as it is now: an array may be written to before the text is printed."""
    if isinstance(value.storage, Fixed):
        return value
    storage = Fixed(trace.scope, value.ssa)
    return SymbolicTensor(trace, storage, value.dtype, value.dims, value.weak)


def _check(trace: Trace, value: SymbolicTensor, conversion: str, spec: str) -> None:
    """Refuse while tracing what the host would refuse when the program runs."""
    if markers.SIGN in spec:
        raise StagingError(
            trace.explain("a format such as a width must be a Python value, known while tracing")
        )
    if not spec:
        return
    kind = f"array of {value.dtype}" if value.dims else str(value.dtype)
    sample: Any = np.ones((2,) * len(value.dims), value.dtype.numpy)
    sample = sample if value.dims else sample[()]
    try:
        template.written(sample.item() if value.weak else sample, conversion, spec)
    except (TypeError, ValueError) as error:
        message = f"the format {spec!r} does not fit a run-time {kind}: {errors.message(error)}"
        raise type(error)(trace.explain(message)) from None


def listed(array: SymbolicTensor, weak: bool) -> StagedText:
    """The text of a list of the elements, which are Python numbers where ``weak`` is set."""
    trace = current() or array.recorder
    gap = Gap(0, "list", "", weak)
    return StagedText(template.template((gap,)), (_snapshot(trace, array),))


def coded(codes: Any, conversion: str, spec: str) -> StagedText:
    """The text of code points."""
    array: SymbolicTensor = codes.staged(current()).tensor()
    gap = Gap(0, "codes", "", False)
    made = StagedText(template.template((gap,)), (_snapshot(array.recorder, array),))
    return field(made, conversion, spec)


def of_layout(value: Any, conversion: str, spec: str) -> StagedText:
    """The text of what stands for arrays, records or numbers of a dtype that is no number's."""
    trace = current()
    assert trace is not None, "they are of a trace"
    layout, arrays = value.layout_and_arrays()
    numbers = tuple(range(len(arrays)))
    piece = Seen(numbers, template.described(layout), value.stands_for.__name__, conversion, spec)
    given = [emit.lift(trace, np.int64(each) if type(each) is int else each) for each in arrays]
    piece.render([np.ones([1] * len(each.dims), each.dtype.numpy) for each in given])  # may it be?
    snapshots = tuple(_snapshot(trace, each) for each in given)
    return StagedText(template.template((piece,)), snapshots)


def bytes_written(values: Any, spec: str) -> Any:
    """The text of bytes, which are a list of numbers."""
    if not values.is_staged and not len(values):
        return format(b"", spec)
    array: SymbolicTensor = values.staged(current()).tensor()
    gap = Gap(0, "bytes", spec, False)
    return StagedText(template.template((gap,)), (_snapshot(array.recorder, array),))


def is_coded(value: Any) -> bool:
    """Whether it is text as a list of code points."""
    return getattr(type(value), "stands_for", None) is str


def is_of_run_time(value: Any) -> bool:
    """Whether it is text that only the run time knows, or a tuple or list with such in it."""
    if isinstance(value, (list, tuple)):
        return any(map(is_of_run_time, list.__iter__(value) if isinstance(value, list) else value))
    return isinstance(value, StagedText) or is_coded(value)


def as_template(part: Any) -> Any:
    """The value; text in code points as a template."""
    return part.__staged_text__("", "") if is_coded(part) else part


def chosen(index: SymbolicTensor, options: Sequence[Any]) -> StagedText:
    """One of several texts, by an integer scalar that counts from 0."""
    pieces, values = [], [index]
    for option in map(_as_staged, options):
        pieces.append(template.shifted(option.template.pieces, len(values)))
        values += option.values
    return StagedText(template.template((Choice(0, tuple(pieces)),)), tuple(values))


def _as_staged(text: Any) -> StagedText:
    text = as_template(text)
    if isinstance(text, StagedText):
        return text
    return StagedText(template.template(template.merged([text])), ())


# Text of anything.


def text_of(value: Any, conversion: str, spec: Any) -> Any:
    """``format(conversion(value), spec)`` while tracing: a ``str``, or a :class:`StagedText`.

    What stands for a value of Python's may say in ``__staged_text__(conversion, spec)`` what its
    text is.
    """
    if isinstance(spec, StagedText) or is_coded(spec):
        return formatted(value, conversion, as_template(spec))
    if hasattr(type(value), "__staged_text__") and getattr(value, "is_staged", True):
        return value.__staged_text__(conversion, spec)
    trace = current()
    if (
        trace is not None
        and (found := hooks.texts.of_number(trace, value, conversion, spec)) is not None
    ):
        return found
    if isinstance(value, (SymbolicTensor, StagedText)):
        return field(value, conversion, spec)
    if type(value) in _PLAIN:
        return template.written(value, conversion, spec)
    text = _asked(value, "r" if conversion == "a" else conversion, "" if conversion else spec)
    text = _ascii(as_template(text)) if conversion == "a" else text
    if not (conversion and spec):
        return text
    return format(text, spec) if isinstance(text, str) else field(as_template(text), "", spec)


def collected(make: Callable[[], Any]) -> Any:
    """A text that Python puts together, with the run-time values that it asked for in it."""
    with markers.Markers() as found:
        text = make()
    return joined(found.split(text)) if isinstance(text, str) else text


_PLAIN = frozenset({str, int, float, bool, complex, type(None), bytes})


def _asked(value: Any, conversion: str, spec: str) -> Any:
    """What the value says of itself; a method of the user's own is converted on the way."""
    kind: Any = type(value)
    plain: Any = object
    method = {"s": "__str__", "r": "__repr__"}.get(conversion, "__format__")
    if method == "__format__" and kind.__format__ is plain.__format__ and not spec:
        method = "__str__"
    if method == "__str__" and kind.__str__ is plain.__str__:
        method = "__repr__"
    function = getattr(kind, method)
    if type(function) is not FunctionType:
        return collected(lambda: template.written(value, conversion, spec))
    arguments = (value, spec) if method == "__format__" else (value,)
    text = collected(lambda: operators.call(function, arguments))
    if not _is_text(text):
        raise TypeError(f"{method} returned non-string (type {type(text).__name__})")
    return text


def _ascii(text: Any) -> Any:
    """``ascii`` of what ``repr`` gave."""
    if isinstance(text, str):
        return template.render(template.in_ascii([text]), ())
    return StagedText(template.template(template.in_ascii(text.template.pieces)), text.values)


def answer(text: Any, collector: markers.Markers | None) -> str:
    """What a ``__repr__`` gives for this text: a mark where one is collected."""
    if isinstance(text, str):
        return text
    text = as_template(text)
    return collector.mark(text) if collector else refuse(text, "str(text)")


def marked(value: Any, conversion: str, spec: str, collector: markers.Markers | None) -> str:
    """What stands for the text of a value while a text is put together."""
    return answer(text_of(value, conversion, spec), collector)


def holds_run_time(*parts: Any) -> bool:
    """Whether one of the texts is yet to be formatted."""
    return any(isinstance(part, StagedText) for part in parts)
