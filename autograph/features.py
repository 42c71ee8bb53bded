"""Features that a decorator can be asked for."""

from __future__ import annotations

import enum
from collections.abc import Iterable

from agir.errors import OperandTypeError


class Feature(enum.Enum):
    """What ``experimental_autograph_options`` can ask for.

    ``NAME_SCOPES`` puts the name of the function on the operations that it records.  The others
    are always on: they are accepted, so that code that asks for them runs.

    >>> ag.autograph.experimental.Feature.NAME_SCOPES.name
    'NAME_SCOPES'
    """

    ALL = "ALL"
    ASSERT_STATEMENTS = "ASSERT_STATEMENTS"
    AUTO_CONTROL_DEPS = "AUTO_CONTROL_DEPS"
    BUILTIN_FUNCTIONS = "BUILTIN_FUNCTIONS"
    EQUALITY_OPERATORS = "EQUALITY_OPERATORS"
    LISTS = "LISTS"
    NAME_SCOPES = "NAME_SCOPES"

    @classmethod
    def all(cls) -> tuple[Feature, ...]:
        """Every feature."""
        return tuple(each for each in cls if each is not cls.ALL)

    @classmethod
    def all_but(cls, exclude: Feature | Iterable[Feature]) -> tuple[Feature, ...]:
        """Every feature except for these."""
        excluded = {exclude} if isinstance(exclude, Feature) else set(exclude)
        return tuple(each for each in cls.all() if each not in excluded)


def features(options: object) -> frozenset[Feature]:
    """The features that an option names: one, or several; ``TypeError`` for anything else.

    >>> len(ag.autograph.experimental.features(ag.autograph.experimental.Feature.ALL))
    6
    """
    if options is None:
        return frozenset()
    given = [options] if isinstance(options, Feature) else options
    if isinstance(given, str) or not isinstance(given, Iterable):
        raise OperandTypeError(f"experimental_autograph_options takes Features, not {options!r}")
    chosen = list(given)
    for each in chosen:
        if not isinstance(each, Feature):
            raise OperandTypeError(f"experimental_autograph_options takes Features, not {each!r}")
    return frozenset(Feature.all() if Feature.ALL in chosen else chosen)
