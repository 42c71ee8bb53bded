"""Nested structures as ``ag.nest`` has them: what TensorFlow's functions of these names do.

Containers are what ``structure.children`` says; leaves come in one order, a dict's by its keys,
whatever order it was filled in.
"""

from __future__ import annotations

import copy
from collections import deque
from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any, NamedTuple, NoReturn

from agir.autograph import operators
from agir.errors import OperandTypeError, OperandValueError
from agir.ir.tensors import structure
from agir.ir.tracing import trace


class Level(NamedTuple):
    """One container: its class, what leads to each of its items, and the items."""

    kind: type
    labels: tuple[Any, ...]
    items: list[Any]

    def step(self, label: Any) -> str:
        """What is written behind the container's name for one of its items."""
        by_key = self.kind in (list, tuple, deque) or issubclass(self.kind, Mapping)
        return f"[{label!r}]" if by_key else f".{label}"


def level(value: Any) -> Level | None:
    """The outermost container of a value; None for a leaf."""
    found = structure.children(value)
    if found is None:
        return None
    (kind, names), items = found
    if kind in (list, tuple, deque):
        return Level(kind, tuple(range(len(items))), items)
    if not issubclass(kind, Mapping):
        return Level(kind, tuple(names), items)
    pairs = dict(zip(names, items, strict=True))
    labels = _sorted(names)
    return Level(kind, labels, [pairs[label] for label in labels])


def _sorted(keys: tuple[Any, ...]) -> tuple[Any, ...]:
    try:
        return tuple(sorted(keys))
    except TypeError:
        raise OperandTypeError(
            f"the keys of a dict in a structure must have an order, not {list(keys)!r}"
        ) from None


def rebuilt(like: Any, items: Sequence[Any]) -> Any:
    """A container like another one, with these items in the order of its leaves."""
    found = level(like)
    assert found is not None, "a leaf holds nothing"
    if issubclass(found.kind, Mapping):
        new = copy.copy(like)  # keeps a defaultdict's factory, and the order of the keys
        new.update(zip(found.labels, items, strict=True))
    else:
        new = structure.rebuild((found.kind, found.labels), list(items))
    current = trace.current()
    return new if current is None else current.made(new)


# The public functions.


def is_nested(structure: Any) -> bool:
    """True for a container: a list, tuple, dict, named tuple or dataclass.

    >>> ag.nest.is_nested([1]), ag.nest.is_nested(1)
    (True, False)
    """
    return level(structure) is not None


def flatten(structure: Any, expand_composites: bool = False) -> list[Any]:
    """The leaves of a structure in one list; ``[structure]`` where it is a leaf itself.

    >>> ag.nest.flatten({"b": 2, "a": [1, (3,)]})
    [1, 3, 2]
    """
    return [leaf for _, leaf in paths(structure)]


def paths(structure: Any, name: str = "") -> Iterator[tuple[str, Any]]:
    """Each leaf with what leads to it: ``('batch["x"][0]', leaf)``."""
    found = level(structure)
    if found is None:
        yield name, structure
        return
    for label, item in zip(found.labels, found.items, strict=True):
        yield from paths(item, name + found.step(label))


def transform(function: Callable[[Any], Any], structure: Any) -> Any:
    """The structure with a function of agir's own applied to each leaf."""
    found = level(structure)
    if found is None:
        return function(structure)
    return rebuilt(structure, [transform(function, item) for item in found.items])


def pack_sequence_as(structure: Any, flat_sequence: Any, expand_composites: bool = False) -> Any:
    """The leaves of a sequence in the form of a structure; ``ValueError`` for too few or many.

    >>> ag.nest.pack_sequence_as({"a": 0, "b": (0,)}, [1, 2])
    {'a': 1, 'b': (2,)}

    Raises: ValueError for too few leaves or too many, TypeError for what is no list or tuple
    """
    if not is_nested(flat_sequence) or isinstance(flat_sequence, Mapping):
        raise OperandTypeError(f"flat_sequence must be a list or tuple, not {flat_sequence!r}")
    leaves = list(flat_sequence)
    wanted = len(flatten(structure))
    if wanted != len(leaves):
        raise OperandValueError(
            f"the structure has {wanted} leaves and flat_sequence {len(leaves)}: "
            f"structure {structure!r}, flat_sequence {flat_sequence!r}"
        )
    return _packed(structure, iter(leaves))


def _packed(like: Any, leaves: Iterator[Any]) -> Any:
    found = level(like)
    if found is None:
        return next(leaves)
    return rebuilt(like, [_packed(item, leaves) for item in found.items])


def map_structure(
    func: Callable[..., Any],
    *structures: Any,
    check_types: bool = True,
    expand_composites: bool = False,
) -> Any:
    """The structure with each leaf replaced by ``func`` of the leaves at that place.

    >>> ag.nest.map_structure(lambda x, y: x + y, [1, (2,)], [10, (20,)])
    [11, (22,)]

    Raises: ValueError where they differ, TypeError where their containers' classes do
    """
    _check_call("map_structure", func, structures)
    for other in structures[1:]:
        assert_same_structure(structures[0], other, check_types)
    return _mapped(func, structures)


def _mapped(func: Callable[..., Any], structures: Sequence[Any]) -> Any:
    levels = [level(each) for each in structures]
    if levels[0] is None:
        return _applied(func, tuple(structures))
    columns = [found.items for found in levels if found is not None]
    return rebuilt(structures[0], [_mapped(func, row) for row in zip(*columns, strict=True)])


def map_structure_up_to(
    shallow_tree: Any, func: Callable[..., Any], *inputs: Any, check_types: bool = True
) -> Any:
    """The same, down to the leaves of ``shallow_tree``: what lies deeper is passed whole.

    >>> ag.nest.map_structure_up_to([0, 0], len, [[1, 2], [3]])
    [2, 1]

    Raises: ValueError where they differ, TypeError where their containers' classes do
    """
    _check_call("map_structure_up_to", func, inputs)
    flat = [flatten_up_to(shallow_tree, each, check_types) for each in inputs]
    results = [_applied(func, row) for row in zip(*flat, strict=True)]
    return _packed(shallow_tree, iter(results))


def flatten_up_to(shallow_tree: Any, input_tree: Any, check_types: bool = True) -> list[Any]:
    """The parts of ``input_tree`` at the leaves of ``shallow_tree``.

    >>> ag.nest.flatten_up_to([0, 0], [[1, 2], 3])
    [[1, 2], 3]

    Raises: ValueError where they differ, TypeError where their containers' classes do
    """
    return _up_to(shallow_tree, input_tree, check_types, "")


def _up_to(shallow: Any, deep: Any, check_types: bool, path: str) -> list[Any]:
    above, below = level(shallow), level(deep)
    if above is None:
        return [deep]
    if below is None:
        raise OperandTypeError(
            f"{_at(path)}shallow_tree has {_named(above)}, and input_tree the leaf {deep!r}"
        )
    _compare(above, below, check_types, path, ("shallow_tree", "input_tree"))
    rows = zip(above.labels, above.items, below.items, strict=True)
    return [leaf for n, a, b in rows for leaf in _up_to(a, b, check_types, path + above.step(n))]


def assert_same_structure(
    nest1: Any, nest2: Any, check_types: bool = True, expand_composites: bool = False
) -> None:
    """``ValueError`` where two structures differ, ``TypeError`` where their containers' classes do.

    With ``check_types=False`` a list and a tuple of one length are the same.

    >>> ag.nest.assert_same_structure([1, (2, 3)], [4, (5, 6)])

    Raises: ValueError where they differ, TypeError where their containers' classes do
    """
    check_same(nest1, nest2, check_types, ("the first structure", "the second"))


def check_same(
    left: Any, right: Any, check_types: bool, names: tuple[str, str], path: str = ""
) -> None:
    """The same, with what the two are called in the message."""
    one, two = level(left), level(right)
    if one is None and two is None:
        return
    if one is None or two is None:
        texts = ["a leaf" if each is None else _named(each) for each in (one, two)]
        _refuse(ValueError, path, names, texts)
    _compare(one, two, check_types, path, names)
    for label, a, b in zip(one.labels, one.items, two.items, strict=True):
        check_same(a, b, check_types, names, path + one.step(label))


def _compare(one: Level, two: Level, check_types: bool, path: str, names: tuple[str, str]) -> None:
    if check_types and not _same_kind(one, two):
        _refuse(TypeError, path, names, [_named(one), _named(two)])
    keyed = issubclass(one.kind, Mapping) or issubclass(two.kind, Mapping)
    if len(one.items) != len(two.items) or (keyed and one.labels != two.labels):
        _refuse(ValueError, path, names, [_named(one), _named(two)])


def _same_kind(one: Level, two: Level) -> bool:
    if one.kind is two.kind:
        return True
    if issubclass(one.kind, Mapping) and issubclass(two.kind, Mapping):
        return True
    are_named = all(issubclass(each.kind, tuple) and each.kind is not tuple for each in (one, two))
    return are_named and one.kind.__name__ == two.kind.__name__ and one.labels == two.labels


def _refuse(
    error: type[Exception], path: str, names: tuple[str, str], texts: Sequence[str]
) -> NoReturn:
    raise error(f"{_at(path)}{names[0]} has {texts[0]}, and {names[1]} {texts[1]}")


def _at(path: str) -> str:
    return f"at {path}: " if path else ""


def _named(found: Level) -> str:
    if found.kind in (list, tuple):
        return f"a {found.kind.__name__} of {len(found.items)}"
    return f"a {found.kind.__name__} of {', '.join(map(repr, found.labels)) or 'nothing'}"


def _check_call(name: str, func: object, structures: Sequence[Any]) -> None:
    if not callable(func):
        raise OperandTypeError(f"{name}() takes a function, not {func!r}")
    if not structures:
        raise OperandValueError(f"{name}() takes at least one structure")


def _applied(func: Callable[..., Any], arguments: tuple[Any, ...]) -> Any:
    """A call of the user's function, converted while a function is traced."""
    if trace.current() is None:
        return func(*arguments)
    return operators.call(func, arguments)
