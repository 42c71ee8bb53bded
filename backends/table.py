"""The back ends, as one table: what runs a program.

A back end is a row of `BACKENDS` and a function, which makes something to call of a program on its
way down.  ``ag.config.backend`` names the one that compiled functions use.  A back end is imported by
the first program that needs it.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

from agir.backends.entry import Entry, Run
from agir.config import nearest
from agir.ir.registry import Registry
from agir.records import dataclass

if TYPE_CHECKING:
    from agir.backends.stages import Compilation


@dataclass(frozen=True)
class Backend:
    """One row of the table: ``load`` makes something to call of a program and an `Entry`.

    >>> ag.plugins.Backend("mine", "another machine", lambda program, entry: None).name
    'mine'
    """

    name: str
    summary: str
    load: Callable[[Compilation, Entry], Run]
    in_place: bool = False
    """Whether results that have an argument for their destination are written there, and not given."""


def _cpu(compilation: Compilation, entry: Entry) -> Run:
    from agir.backends.cpu import engine

    return engine.load(compilation, entry)


def _reference(compilation: Compilation, entry: Entry) -> Run:
    from agir.backends import reference

    return reference.load(compilation, entry)


def _validated(compilation: Compilation, entry: Entry) -> Run:
    from agir.backends import validation

    return validation.load(compilation, entry)


_OWN = (
    Backend("cpu", "machine code for this processor", _cpu, in_place=True),
    Backend(
        "validated",
        "`cpu`, and with a first call the program is interpreted after each pass",
        _validated,
        in_place=True,
    ),
    Backend("reference", "the `hlo` stage, interpreted in NumPy", _reference),
)

BACKENDS: Registry[Backend] = Registry("back end", {each.name: each for each in _OWN})
"""Every back end by its name."""


def find(name: str) -> Backend:
    """The row of the table with this name; ``ValueError`` lists the names if there is none."""
    try:
        return BACKENDS[name]
    except KeyError:
        raise ValueError(
            f"no back end {name!r}{nearest(name, BACKENDS)}; there are {', '.join(BACKENDS)}"
        ) from None
