"""The operands of a ufunc: how many there are, and their core dimensions."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from typing import Any, NamedTuple

from agir.errors import OperandValueError

_OPERAND = re.compile(r"\(([^()]*)\)")


class Layout(NamedTuple):
    """The operands, inputs first."""

    inputs: int
    outputs: int
    dimensions: tuple[tuple[str, ...], ...]
    """The names of the core dimensions of each operand."""
    names: tuple[str, ...]
    """Each name once, in their order: NumPy gives sizes by that."""

    @classmethod
    def of_elements(cls, inputs: int, outputs: int) -> Layout:
        """That of a ufunc whose function takes elements."""
        return cls(inputs, outputs, ((),) * (inputs + outputs), ())

    @classmethod
    def of(cls, text: str) -> Layout:
        """That of a signature of NumPy's such as ``"(m,n),(n)->(m)"``.

        One without outputs is for a function that writes into its arguments.
        """
        left, _, right = text.replace(" ", "").partition("->")
        inputs, outputs = ([_names(each) for each in _OPERAND.findall(p)] for p in (left, right))
        rest = _OPERAND.sub("", left + right).replace(",", "")
        if rest or not inputs:
            raise OperandValueError(f"the signature {text!r} is not like '(m,n),(n)->(m)'")
        several = (*inputs, *outputs)
        names = tuple(dict.fromkeys(name for each in several for name in each))
        return cls(len(inputs), len(outputs), several, names)

    @property
    def operands(self) -> int:
        """How many operands there are."""
        return self.inputs + self.outputs

    @property
    def sizes(self) -> int:
        """How many sizes NumPy gives: of the loop, and of the core dimensions."""
        return 1 + len(self.names)

    @property
    def strides(self) -> int:
        """How many strides NumPy gives: of the loop, and of each core dimension of each operand."""
        return self.operands + sum(map(len, self.dimensions))

    @property
    def is_fold(self) -> bool:
        """Whether there can be reductions and accumulations."""
        return self.inputs == 2 and self.outputs == 1 and not self.names

    def parts(
        self,
        types: Sequence[Any],
        data: Sequence[int],
        sizes: Sequence[int],
        strides: Sequence[int],
    ) -> Iterator[tuple[Any, ...]]:
        """Of each operand the address, dtype, shape and strides of what a loop goes through."""
        known = dict(zip(self.names, sizes[1:], strict=True))
        at = self.operands
        for n, names in enumerate(self.dimensions):
            shape = (sizes[0], *(known[name] for name in names))
            yield data[n], types[n], shape, (strides[n], *strides[at : at + len(names)])
            at += len(names)


def _names(text: str) -> tuple[str, ...]:
    return tuple(name for name in text.split(",") if name)
