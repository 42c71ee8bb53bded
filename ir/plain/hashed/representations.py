"""The text of lists, dicts and sets whose length only the run time knows, as ``repr`` writes it."""

from __future__ import annotations

from collections import Counter, OrderedDict, defaultdict
from typing import Any

from agir.ir.plain.hashed.counters import most_common
from agir.ir.plain.hashed.sets import members
from agir.ir.plain.hashed.views import items, keys, values
from agir.ir.plain.text.texts import joined

__ag_convert__ = True


def of_list(owner: Any) -> Any:
    """A list, or what stands for another sequence."""
    if type(owner) is tuple:
        return _bracketed("(", owner, ",)" if len(owner) == 1 else ")")
    whole = _bracketed("[", owner, "]")
    return whole if type(owner) is list else f"{type(owner).__name__}({whole})"


def of_bounded(owner: Any) -> Any:
    """A deque with a bound."""
    return f"deque({_bracketed('[', owner.values, ']')}, maxlen={owner.bound})"


def of_dict(owner: Any) -> Any:
    """A dict of any class."""
    name = owner.stands_for.__name__
    if owner.stands_for is Counter:
        return f"{name}({_entries(most_common(owner))})" if owner.count > 0 else f"{name}()"
    if owner.stands_for is OrderedDict:
        return f"{name}({_bracketed('[', items(owner), ']')})" if owner.count > 0 else f"{name}()"
    if owner.stands_for is defaultdict:
        return f"{name}({owner.default_factory!r}, {_entries(items(owner))})"
    return _entries(items(owner))


def of_set(owner: Any) -> Any:
    """A set or frozenset."""
    name = owner.stands_for.__name__
    if owner.count == 0:
        return f"{name}()"
    whole = _bracketed("{", members(owner), "}")
    return whole if owner.stands_for is set else f"{name}({whole})"


def of_keys(view: Any) -> Any:
    """The view of a dict's keys."""
    return f"dict_keys({_bracketed('[', keys(view.owner), ']')})"


def of_values(view: Any) -> Any:
    """The view of its values."""
    return f"dict_values({_bracketed('[', values(view.owner), ']')})"


def of_items(view: Any) -> Any:
    """The view of its entries."""
    return f"dict_items({_bracketed('[', items(view.owner), ']')})"


def _entries(pairs: Any) -> Any:
    return "{" + joined(", ", (f"{key!r}: {value!r}" for key, value in pairs)) + "}"


def _bracketed(left: str, found: Any, right: str) -> Any:
    return left + joined(", ", (repr(each) for each in found)) + right
