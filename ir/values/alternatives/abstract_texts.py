"""Text as a variable of branches and loops: the number of one of several texts, and their values."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from agir.ir.building.cells import Scope
from agir.ir.building.types import DType, int64
from agir.ir.host.template import Template, merged, render, template
from agir.ir.tensors.staged import known_as
from agir.ir.tensors.symbolic import SymbolicTensor
from agir.ir.tracing import trace as traces
from agir.ir.tracing.trace import Trace
from agir.ir.values import text
from agir.ir.values.abstract_values import (
    GROWING_TEXT,
    KINDS,
    AbstractValue,
    JoinError,
    Static,
    Take,
    Wrap,
    abstract_of,
    join,
)
from agir.ir.values.alternatives.choices import ALTERNATIVES_LIMIT, Choice, Chosen, translated
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
    """One of the texts: its template, and the abstract values of its values."""

    template: Template
    values: tuple[AbstractValue, ...]


@dataclass(frozen=True)
class AbstractText(AbstractValue):
    """Text: a number where there are several, and the values of all of them."""

    options: tuple[Option, ...]

    @property
    def settling(self) -> str:
        """What to do where a loop leaves another text in each iteration."""
        return GROWING_TEXT

    def types(self) -> list[Any]:
        """The MLIR types that carry the abstract value."""
        return [int64.mlir(), *(t for abstract in self._abstracts for t in abstract.types())]

    def dtypes(self) -> list[DType]:
        """The element types of what carries the abstract value."""
        return [int64, *(d for abstract in self._abstracts for d in abstract.dtypes())]

    @property
    def _abstracts(self) -> list[AbstractValue]:
        return [abstract for option in self.options for abstract in option.values]

    def pack(self, trace: Trace, value: Any) -> list[Any]:
        """The SSA values that carry the text."""
        if isinstance(value, Chosen):
            value = OneOfTexts(value._index, [_options(each)[0] for each in value._values])
        given = {option.template: option for option in _options(value)}
        packed = [self._number(trace, value)]
        for option in self.options:
            if option.template in given:
                pairs = zip(option.values, given[option.template].values, strict=True)
                packed += [ssa for abstract, each in pairs for ssa in abstract.pack(trace, each)]
            else:
                packed += [ssa for abstract in option.values for ssa in abstract.placeholder(trace)]
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
            StagedText(
                each.template, tuple(abstract.unpack(trace, carried) for abstract in each.values)
            )
            for each in self.options
        ]
        return options[0] if len(options) == 1 else OneOfTexts(index, options)

    def placeholder(self, trace: Trace) -> list[Any]:
        """Values that stand where there is none, and nothing reads them."""
        rest = [ssa for abstract in self._abstracts for ssa in abstract.placeholder(trace)]
        return [trace.constant(int64, 0), *rest]

    def assemble(self, take: Take, wrap: Wrap) -> Any:
        """The string for the caller, from the results of the compiled function."""
        number = int(take())
        values = [
            [abstract.assemble(take, _as_array) for abstract in o.values] for o in self.options
        ]
        return render(self.options[number].template.pieces, values[number])

    def describe(self) -> str:
        """The abstract value in the words of an error message."""
        return f"one of {', '.join(repr(option.template) for option in self.options)}"

    def outside(self, scope: Scope) -> AbstractValue:
        """The abstract value as it is seen from outside the region that made it."""
        return AbstractText(
            tuple(
                Option(each.template, tuple(abstract.outside(scope) for abstract in each.values))
                for each in self.options
            )
        )

    def join(self, name: str, other: AbstractValue, strict: bool) -> AbstractValue | None:
        """The least abstract value that holds this one and the other, if that is text, too."""
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
        return AbstractText(tuple(options.values()))


def _as_text(abstract: AbstractValue) -> AbstractText | None:
    """The abstract value of text that an abstract value is.

    Or that holds the strings that it stands for.
    """
    if isinstance(abstract, AbstractText):
        return abstract
    alternatives = abstract.alternatives if isinstance(abstract, Choice) else (abstract,)
    options: dict[Template, Option] = {}
    for each in alternatives:
        if isinstance(each, AbstractText):
            options.update({option.template: option for option in each.options})
        elif isinstance(each, Static) and isinstance(each.value, str):
            constant = _constant(each.value).template
            options[constant] = Option(constant, ())
        else:
            return None
    return AbstractText(tuple(options.values()))


def _abstract_of_text(trace: Trace, value: StagedText, around: Scope | None) -> AbstractValue:
    return AbstractText(
        tuple(
            Option(option.template, tuple(abstract_of(trace, each) for each in option.values))
            for option in _options(value)
        )
    )


KINDS[StagedText] = _abstract_of_text
