"""``Module``: an object that finds the variables in its attributes."""

from __future__ import annotations

import functools
import re
from collections.abc import Callable, Iterator, Mapping
from typing import Any, TypeVar

from agir.autograph import operators
from agir.errors import OperandValueError
from agir.ir.state.variables import Variable
from agir.ir.tensors import structure
from agir.ir.tracing.naming import NameScope, name_scope

Method = TypeVar("Method", bound=Callable[..., Any])


class Module:
    """A base class for what has variables: layers, models, optimisers.

    ::

        class Dense(ag.Module):
            def __init__(self, inputs, outputs, name=None):
                super().__init__(name)
                self.w = ag.Variable(ag.zeros((inputs, outputs)), name="w")
                self.b = ag.Variable(ag.zeros(outputs), name="b")

            @ag.function
            def __call__(self, x):
                return x @ self.w + self.b

    `variables`, `trainable_variables` and `submodules` are found in the attributes, and in the lists,
    tuples, dicts and dataclasses among them: those of the object itself in the order of the
    attributes' names, then those of the modules in it.  Each is listed once.

    ``name`` is an identifier; the class's name in snake case if it is not given.

    >>> class Scale(ag.Module):
    ...     def __init__(self):
    ...         super().__init__()
    ...         self.factor = ag.Variable(2.0)
    >>> [each.shape for each in Scale().variables]
    [()]
    """

    def __init__(self, name: str | None = None) -> None:
        if name is None:
            name = _snake_case(type(self).__name__)
        if not name.isidentifier():
            raise OperandValueError(
                f"{name!r} is no name for a module: it has to be a Python identifier"
            )
        self._name = name

    @property
    def name(self) -> str:
        """The name of the module."""
        found: str = vars(self).get("_name") or _snake_case(type(self).__name__)
        return found

    @property
    def name_scope(self) -> NameScope:
        """A context in which variables and operations are named after the module."""
        return name_scope(self.name)

    @property
    def variables(self) -> tuple[Variable, ...]:
        """The variables of the module and of its submodules."""
        return tuple(each for each in _walk(self) if isinstance(each, Variable))

    @property
    def trainable_variables(self) -> tuple[Variable, ...]:
        """Those that are trainable."""
        return tuple(each for each in self.variables if each.trainable)

    @property
    def non_trainable_variables(self) -> tuple[Variable, ...]:
        """Those that are not trainable."""
        return tuple(each for each in self.variables if not each.trainable)

    @property
    def submodules(self) -> tuple[Module, ...]:
        """The modules in the attributes, and those in theirs."""
        return tuple(each for each in _walk(self) if isinstance(each, Module))

    @classmethod
    def with_name_scope(cls, method: Method) -> Method:
        """A decorator for methods: they run in the module's `name_scope`."""

        @functools.wraps(method)
        def scoped(self: Module, *args: Any, **kwargs: Any) -> Any:
            with self.name_scope:
                return operators.call(method, (self, *args), kwargs)

        return scoped  # type: ignore[return-value]


def _snake_case(name: str) -> str:
    words = re.sub(r"(?<=[a-z0-9])([A-Z])|(?<=[A-Z])([A-Z])(?=[a-z])", r"_\1\2", name)
    return words.lower()


def _walk(module: Module) -> Iterator[Any]:
    """The variables and modules in a module, each once: its own, then those of the modules in it."""
    seen: dict[int, Any] = {id(module): module}
    yield from _inside(module, seen)


def _inside(module: Module, seen: dict[int, Any]) -> Iterator[Any]:
    modules: list[Module] = []
    for _, value in sorted(vars(module).items()):
        for leaf in _leaves(value, {}):
            if id(leaf) not in seen:
                seen[id(leaf)] = leaf
                yield leaf
                if isinstance(leaf, Module):
                    modules.append(leaf)
    for each in modules:
        yield from _inside(each, seen)


def _leaves(value: Any, around: dict[int, Any]) -> Iterator[Any]:
    """The variables and modules in a value that may be a container of containers."""
    if isinstance(value, (Variable, Module)):
        yield value
        return
    items = _items(value)
    if items is None or id(value) in around:
        return
    around[id(value)] = value
    for item in items:
        yield from _leaves(item, around)
    del around[id(value)]


def _items(value: Any) -> list[Any] | None:
    if isinstance(value, Mapping):
        try:
            return [value[key] for key in sorted(value)]
        except TypeError:  # keys that have no order
            return list(value.values())
    if isinstance(value, (list, tuple)):
        return list(value)
    found = structure.children(value)
    return None if found is None else found[1]
