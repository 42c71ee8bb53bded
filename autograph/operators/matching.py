"""The patterns of `match` statements that are more than a comparison.

A pattern looks at the subject as Python does: what it is, how long, which keys and attributes it
has.  Only comparisons, and the class of a staged value, may be staged; such tests are combined by
the operators for ``and`` and ``or``.
"""

from __future__ import annotations

import sys
from abc import ABC, abstractmethod
from collections.abc import Callable, Iterable
from typing import Any

from agir.autograph.operators.conditionals import skip
from agir.autograph.operators.logical import and_, not_, or_
from agir.autograph.operators.staging import Staging, State, find
from agir.autograph.operators.undefined import Undefined
from agir.autograph.operators.variables import ld

__all__ = ["match", "matches"]

# Bits of a type's flags: which patterns are for it (`Py_TPFLAGS_…` in Python's object.h).
SEQUENCE, MAPPING, MATCH_SELF = 1 << 5, 1 << 6, 1 << 22

_CLASS = "class" if sys.version_info >= (3, 12) else "type"

Found = dict[str, Any]


class Pattern(ABC):
    """What a subject is held against."""

    names: tuple[str, ...] = ()
    """The names that it binds."""
    computes: bool = False
    """Whether matching may run code that records something, besides comparisons."""

    @abstractmethod
    def match(self, subject: Any, found: Found) -> Any:
        """Whether the subject matches: a bool, or staged; `found` gets what the names stand for."""

    def _consists_of(self, parts: Iterable[Pattern]) -> None:
        parts = tuple(parts)
        self.names = tuple(dict.fromkeys(name for part in parts for name in part.names))
        self.computes = self.computes or any(part.computes for part in parts)


class Match:
    """The outcome of a pattern that binds names."""

    def __init__(self, test: Any, found: Found, names: tuple[str, ...]) -> None:
        self.test = test
        self._found = found
        self._names = names

    @property
    def values(self) -> tuple[Any, ...]:
        """What the names stand for; to be asked for only where the test is true."""
        return tuple(ld(self._found[name]) for name in self._names)


def match(subject: Any, pattern: Pattern, names: tuple[str, ...]) -> Match:
    """Hold a subject against a pattern that binds these names."""
    found: Found = {}
    return Match(pattern.match(subject, found), found, names)


def matches(subject: Any, pattern: Pattern) -> Any:
    """Whether a subject matches a pattern that binds no names."""
    return pattern.match(subject, {})


def _equal(subject: Any, value: Any) -> Any:
    result = subject == value
    return result if find(result) else bool(result)


class Wildcard(Pattern):
    """``_``."""

    def match(self, subject: Any, found: Found) -> Any:
        """True."""
        return True


class Capture(Pattern):
    """``name``, ``pattern as name``."""

    def __init__(self, name: str, pattern: Pattern | None = None) -> None:
        self.pattern = pattern or Wildcard()
        self._consists_of([self.pattern])
        self.names = (*self.names, name)

    def match(self, subject: Any, found: Found) -> Any:
        """Whether the inner pattern matches."""
        test = self.pattern.match(subject, found)
        found[self.names[-1]] = subject
        return test


class Literal(Pattern):
    """A number, a string."""

    def __init__(self, value: object) -> None:
        self.value = value

    def match(self, subject: Any, found: Found) -> Any:
        """Whether the subject equals the value."""
        return _equal(subject, self.value)


class Value(Pattern):
    """A dotted name, which is looked up each time."""

    computes = True

    def __init__(self, value: Callable[[], object]) -> None:
        self.value = value

    def match(self, subject: Any, found: Found) -> Any:
        """Whether the subject equals the value."""
        return _equal(subject, self.value())


class Singleton(Pattern):
    """None, True or False; a staged bool stands for one of the two."""

    def __init__(self, value: bool | None) -> None:
        self.value = value

    def match(self, subject: Any, found: Found) -> Any:
        """Whether the subject is the object."""
        staging = find(subject)
        is_bool = staging is not None and staging.is_instance(subject, bool)
        if self.value is None or is_bool is False:
            return subject is self.value
        same = subject if self.value else not_(subject)
        return same if is_bool is True else and_(is_bool, lambda: same)


class Or(Pattern):
    """``one | other``."""

    def __init__(self, *patterns: Pattern) -> None:
        self.patterns = patterns
        self._consists_of(patterns)

    def match(self, subject: Any, found: Found) -> Any:
        """Whether one of the patterns matches: the first that does binds the names."""
        return self._from(0, subject, found)

    def _from(self, index: int, subject: Any, found: Found) -> Any:
        own: Found = {}
        test = self.patterns[index].match(subject, own)
        staging = find(test)
        if index + 1 == len(self.patterns) or (staging is None and test):
            found.update(own)
            return test
        if staging is None or not (self.names or self.computes):
            return or_(test, lambda: self._from(index + 1, subject, found))
        result = _Result(self.names, found)

        def body() -> None:
            found.update(own)
            result.test = True

        def orelse() -> None:
            result.test = self._from(index + 1, subject, found)

        staging.if_stmt(test, body, orelse, result.state)
        return result.test


class _Result:
    """A test and the names bound on the way to it, as the state of a staged branch."""

    def __init__(self, names: tuple[str, ...], found: Found) -> None:
        self.test: Any = False
        self.names = names
        self.found = found
        self.state = State(self._get, self._set, ("the match", *names))

    def _get(self) -> tuple[Any, ...]:
        return (self.test, *(self.found.get(name, Undefined(name)) for name in self.names))

    def _set(self, values: tuple[Any, ...]) -> None:
        self.test, *bound = values
        self.found.update(zip(self.names, bound, strict=True))


def _in_turn(pairs: Iterable[tuple[Pattern, Any]], found: Found) -> Any:
    """Whether each item matches its pattern; what follows one that does not is left out."""
    test: Any = True
    for pattern, item in pairs:
        if not isinstance(pattern, Wildcard):
            test = _both(test, pattern, item, found)
            if test is False:
                break
    return test


def _both(test: Any, pattern: Pattern, item: Any, found: Found) -> Any:
    """``test and pattern.match(item, found)``."""
    staging = find(test)
    if staging is not None and pattern.computes:
        return _where(staging, test, pattern, item, found)
    return and_(test, lambda: pattern.match(item, found))


def _where(staging: Staging, test: Any, pattern: Pattern, item: Any, found: Found) -> Any:
    result = _Result(pattern.names, found)

    def body() -> None:
        result.test = pattern.match(item, found)

    staging.if_stmt(test, body, skip, result.state)
    return result.test


class Star(Pattern):
    """``*name`` and ``*_`` in a sequence."""

    def __init__(self, name: str | None = None) -> None:
        self.names = () if name is None else (name,)

    def match(self, subject: Any, found: Found) -> Any:
        """True: it takes whatever items are left."""
        found.update(dict.fromkeys(self.names, subject))
        return True


class Sequence(Pattern):
    """``[one, two, *rest]``."""

    def __init__(self, *patterns: Pattern) -> None:
        self.patterns = patterns
        places = [i for i, each in enumerate(patterns) if isinstance(each, Star)]
        self.star = places[0] if places else None
        self._consists_of(patterns)

    def match(self, subject: Any, found: Found) -> Any:
        """Whether the subject is a sequence of that length whose items match."""
        if not type(subject).__flags__ & SEQUENCE or not self._fits(subject):
            return False
        if all(_ignores(each) for each in self.patterns):
            return True
        if self.star is not None and _ignores(self.patterns[self.star]):
            return _in_turn(self._subscripted(subject), found)
        items = [item for item in subject]  # noqa: C416 - list() would ask for the length again
        return _in_turn(zip(self.patterns, self._unpacked(items), strict=True), found)

    def _fits(self, subject: Any) -> bool:
        if self.star is None:
            return bool(len(subject) == len(self.patterns))
        fixed = len(self.patterns) - 1
        return fixed == 0 or bool(len(subject) >= fixed)

    def _subscripted(self, subject: Any) -> Iterable[tuple[Pattern, Any]]:
        """The items on both sides of ``*_``, of which the others are not looked at."""
        assert self.star is not None
        for index, pattern in enumerate(self.patterns):
            if index < self.star and not _ignores(pattern):
                yield pattern, subject[index]
            elif index > self.star and not _ignores(pattern):
                yield pattern, subject[len(subject) - (len(self.patterns) - index)]

    def _unpacked(self, items: list[Any]) -> list[Any]:
        wanted = len(self.patterns)
        if self.star is None:
            if len(items) > wanted:
                raise ValueError(f"too many values to unpack (expected {wanted})")
            if len(items) < wanted:
                raise ValueError(
                    f"not enough values to unpack (expected {wanted}, got {len(items)})"
                )
            return items
        after = wanted - self.star - 1
        if len(items) < wanted - 1:
            raise ValueError(
                f"not enough values to unpack (expected at least {wanted - 1}, got {len(items)})"
            )
        end = len(items) - after
        return [*items[: self.star], items[self.star : end], *items[end:]]


def _ignores(pattern: Pattern) -> bool:
    return isinstance(pattern, Wildcard) or (isinstance(pattern, Star) and not pattern.names)


class Mapping(Pattern):
    """``{key: pattern, **rest}``."""

    computes = True

    def __init__(
        self,
        keys: Callable[[], tuple[Any, ...]],
        patterns: tuple[Pattern, ...],
        rest: str | None = None,
    ) -> None:
        self.keys = keys
        self.patterns = patterns
        self.rest = rest
        self._consists_of(patterns)
        if rest is not None:
            self.names = (*self.names, rest)

    def match(self, subject: Any, found: Found) -> Any:
        """Whether the subject is a mapping with these keys whose values match."""
        if not type(subject).__flags__ & MAPPING:
            return False
        if self.patterns and len(subject) < len(self.patterns):
            return False
        keys = self.keys()
        values = _looked_up(subject, keys)
        if values is None:
            return False
        test = _in_turn(zip(self.patterns, values, strict=True), found)
        if self.rest is not None and test is not False:
            found[self.rest] = _without(subject, keys)
        return test


def _looked_up(subject: Any, keys: tuple[Any, ...]) -> list[Any] | None:
    if not keys:
        return []
    get, missing = subject.get, object()
    seen: set[Any] = set()
    values: list[Any] = []
    for key in keys:
        if key in seen:
            raise ValueError(f"mapping pattern checks duplicate key ({key!r})")
        seen.add(key)
        value = get(key, missing)
        if value is missing:
            return None
        values.append(value)
    return values


def _without(subject: Any, keys: tuple[Any, ...]) -> dict[Any, Any]:
    rest = dict(subject)
    for key in keys:
        del rest[key]
    return rest


class Class(Pattern):
    """``Name(one, two, attribute=three)``."""

    computes = True

    def __init__(
        self,
        kind: Callable[[], object],
        patterns: tuple[Pattern, ...] = (),
        attributes: tuple[str, ...] = (),
        others: tuple[Pattern, ...] = (),
    ) -> None:
        self.kind = kind
        self.positional = len(patterns)
        self.attributes = attributes
        self.patterns = (*patterns, *others)
        self._consists_of(self.patterns)

    def match(self, subject: Any, found: Found) -> Any:
        """Whether the subject is an instance of the class whose attributes match."""
        kind = self.kind()
        if not isinstance(kind, type):
            raise TypeError(f"called match pattern must be a {_CLASS}")
        is_one = _is_instance(subject, kind)
        items = None if is_one is False else self._items(subject, kind)
        if items is None:
            return False
        matched = _in_turn(zip(self.patterns, items, strict=True), found)
        return matched if is_one is True else and_(is_one, lambda: matched)

    def _items(self, subject: Any, kind: type) -> list[Any] | None:
        """The attributes, or None where one is missing."""
        items: list[Any] = []
        attributes = self.attributes
        if self.positional:
            named = _match_args(kind, self.positional)
            if named is None:
                items.append(subject)
            else:
                attributes = (*named[: self.positional], *attributes)
        seen: set[str] = set()
        for attribute in attributes:
            if type(attribute) is not str:
                wrong = type(attribute).__name__
                raise TypeError(f"__match_args__ elements must be strings (got {wrong})")
            if attribute in seen:
                raise TypeError(
                    f"{kind.__name__}() got multiple sub-patterns for attribute {attribute!r}"
                )
            seen.add(attribute)
            try:
                items.append(getattr(subject, attribute))
            except AttributeError:
                return None
        return items


def _is_instance(subject: Any, kind: type) -> Any:
    staging = find(subject)
    return isinstance(subject, kind) if staging is None else staging.is_instance(subject, kind)


def _match_args(kind: type, wanted: int) -> tuple[Any, ...] | None:
    """The attributes for positional patterns; None where the only one is for the subject itself."""
    named = getattr(kind, "__match_args__", None)
    itself = named is None and bool(kind.__flags__ & MATCH_SELF)
    if named is not None and type(named) is not tuple:
        wrong = type(named).__name__
        raise TypeError(f"{kind.__name__}.__match_args__ must be a tuple (got {wrong})")
    allowed = 1 if itself else len(named or ())
    if allowed < wanted:
        plural = "" if allowed == 1 else "s"
        raise TypeError(
            f"{kind.__name__}() accepts {allowed} positional sub-pattern{plural} ({wanted} given)"
        )
    return None if itself else named or ()
