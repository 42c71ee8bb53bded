"""Text as a variable of branches and loops: the number of one of several texts, and their values."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from agir.ir import trace as traces
from agir.ir.cells import Scope
from agir.ir.host.template import Template, merged, render, template
from agir.ir.staged import known_as
from agir.ir.symbolic import SymbolicTensor
from agir.ir.trace import Trace
from agir.ir.types import DType, int64
from agir.ir.values import text
from agir.ir.values.choices import ALTERNATIVES_LIMIT, Choice, Chosen, translated
from agir.ir.values.slots import (
    GROWING_TEXT,
    KINDS,
    JoinError,
    Slot,
    Static,
    Take,
    Wrap,
    join,
    slot_of,
)
from agir.ir.values.text import StagedText


def _as_array(value: Any, is_number: bool) -> Any:
    return np.asarray(value)[()]


@known_as("str")
class OneOfTexts(StagedText):
    """One of several texts, by a number; it remembers which they are."""

    def __init__(self, index: SymbolicTensor, options: Sequence[StagedText]) -> None:
        whole = text.chosen(index, options)
        super().__init__(whole.template, whole.values)
        self.index = index
        self.options = tuple(options)


def _options(value: Any) -> tuple[StagedText, ...]:
    """The texts that a text is one of."""
    if isinstance(value, OneOfTexts):
        return value.options
    return (value if isinstance(value, StagedText) else _constant(value),)


def _constant(value: str) -> StagedText:
    return StagedText(template(merged([value])), ())


@dataclass(frozen=True)
class Option:
    """One of the texts: its template, and the slots of its values."""

    template: Template
    values: tuple[Slot, ...]


@dataclass(frozen=True)
class TextSlot(Slot):
    """Text: a number where there are several, and the values of all of them."""

    options: tuple[Option, ...]

    @property
    def settling(self) -> str:
        """What to do where a loop leaves another text in each turn."""
        return GROWING_TEXT

    def types(self) -> list[Any]:
        """The MLIR types that carry the slot."""
        return [int64.mlir(), *(t for slot in self._slots for t in slot.types())]

    def dtypes(self) -> list[DType]:
        """The element types of what carries the slot."""
        return [int64, *(d for slot in self._slots for d in slot.dtypes())]

    @property
    def _slots(self) -> list[Slot]:
        return [slot for option in self.options for slot in option.values]

    def pack(self, trace: Trace, value: Any) -> list[Any]:
        """The SSA values that carry the text."""
        if isinstance(value, Chosen):
            value = OneOfTexts(value._index, [_options(each)[0] for each in value._values])
        given = {option.template: option for option in _options(value)}
        packed = [self._number(trace, value)]
        for option in self.options:
            if option.template in given:
                pairs = zip(option.values, given[option.template].values, strict=True)
                packed += [ssa for slot, each in pairs for ssa in slot.pack(trace, each)]
            else:
                packed += [ssa for slot in option.values for ssa in slot.placeholder(trace)]
        return packed

    def _number(self, trace: Trace, value: Any) -> Any:
        known = [option.template for option in self.options]
        numbers = [known.index(option.template) for option in _options(value)]
        if isinstance(value, OneOfTexts):
            return translated(trace, value.index, numbers)
        return trace.constant(int64, numbers[0])

    def unpack(self, trace: Trace, carried: list[Any]) -> Any:
        """The text, from SSA values taken off the front of ``carried``."""
        index = trace.make(carried.pop(0), int64, ())
        options = [
            StagedText(each.template, tuple(slot.unpack(trace, carried) for slot in each.values))
            for each in self.options
        ]
        return options[0] if len(options) == 1 else OneOfTexts(index, options)

    def placeholder(self, trace: Trace) -> list[Any]:
        """Values that stand where there is none, and nothing reads them."""
        rest = [ssa for slot in self._slots for ssa in slot.placeholder(trace)]
        return [trace.constant(int64, 0), *rest]

    def assemble(self, take: Take, wrap: Wrap) -> Any:
        """The string for the caller, from the results of the compiled function."""
        number = int(take())
        values = [[slot.assemble(take, _as_array) for slot in o.values] for o in self.options]
        return render(self.options[number].template.pieces, values[number])

    def describe(self) -> str:
        """The slot in the words of an error message."""
        return f"one of {', '.join(repr(option.template) for option in self.options)}"

    def outside(self, scope: Scope) -> Slot:
        """The slot as it is seen from outside the region that made it."""
        return TextSlot(
            tuple(
                Option(each.template, tuple(slot.outside(scope) for slot in each.values))
                for each in self.options
            )
        )

    def absorb(self, name: str, other: Slot, strict: bool) -> Slot | None:
        """The least slot that holds this one and the other, if that is text, too."""
        more = _as_text(other)
        if more is None:
            return None
        options = {option.template: option for option in self.options}
        for option in more.options:
            mine = options.get(option.template, option)
            pairs = zip(mine.values, option.values, strict=True)
            joined = tuple(join(name, a, b, strict) for a, b in pairs)
            options[option.template] = Option(option.template, joined)
        if len(options) > ALTERNATIVES_LIMIT:
            text.need_codes(traces.current())
            raise JoinError(
                f"{name!r} is one of more than {ALTERNATIVES_LIMIT} texts; {GROWING_TEXT}"
            )
        return TextSlot(tuple(options.values()))


def _as_text(slot: Slot) -> TextSlot | None:
    """The slot of text that a slot is, or that holds the strings that it stands for."""
    if isinstance(slot, TextSlot):
        return slot
    alternatives = slot.alternatives if isinstance(slot, Choice) else (slot,)
    options: dict[Template, Option] = {}
    for each in alternatives:
        if isinstance(each, TextSlot):
            options.update({option.template: option for option in each.options})
        elif isinstance(each, Static) and isinstance(each.value, str):
            constant = _constant(each.value).template
            options[constant] = Option(constant, ())
        else:
            return None
    return TextSlot(tuple(options.values()))


def _slot_of_text(trace: Trace, value: StagedText, around: Scope | None) -> Slot:
    return TextSlot(
        tuple(
            Option(option.template, tuple(slot_of(trace, each) for each in option.values))
            for option in _options(value)
        )
    )


KINDS[StagedText] = _slot_of_text
