"""What the converters of one function, and of the functions in it, have in common."""

from __future__ import annotations

import copy
from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any

import gast

from agir.autograph.pyct.naming import Namer

# The functions that see the variables of their caller, given less than so many arguments.
FRAME = {"locals": 1, "vars": 1, "dir": 1, "eval": 2, "exec": 2}


@dataclass
class Context:
    """The names in use, and what the names around the function stand for."""

    namer: Namer
    operators: str
    """The name of the operators package in the converted code."""
    namespace: Mapping[str, Any]
    """Globals and closure variables, to recognise decorators and modules."""
    names: str = ""
    """The name under which converted code has the names around the function."""
    stepwise: bool = False
    """Whether nothing may take effect after a failure: the function is called in a `try`."""
    overloads: bool = False
    """Whether operators are converted, too: they meet objects whose class has some of the user's."""
    resumed: frozenset[int] = frozenset()
    """The lines of the generator functions whose generators are left and gone on with."""
    class_name: str | None = None
    """The class whose private names the code at hand uses."""
    generated: set[Any] = field(default_factory=set)
    """Functions that the converters have made."""
    bodies: set[str] = field(default_factory=set)
    """Those of them that hold statements of the user."""
    emitters: set[str] = field(default_factory=set)
    """Functions that take the items of generators."""
    shown: dict[str, str] = field(default_factory=dict)
    """What those that Python has, too, are called there."""
    temporaries: set[str] = field(default_factory=set)
    """Variables that they have made."""
    loads: dict[Any, str] = field(default_factory=dict)
    """The reads that may find no value, with the operator that checks it."""

    conditions: set[Any] = field(default_factory=set)
    """Expressions with ``and`` and ``or`` of which only the truth counts."""

    bound: set[str] = field(default_factory=set)
    """Names that are variables of some function in the tree, and so no modules."""

    @cached_property
    def new_values(self) -> str:
        """The parameter of the functions that set variables."""
        return self.namer.fresh("values")

    def function(self, wish: str) -> str:
        """The name of a function that a converter makes."""
        new = self.namer.fresh(wish)
        self.generated.add(new)
        return new

    def again(self, node: Any) -> Any:
        """A copy of a node, of whose reads the same is known."""
        copied = copy.deepcopy(node)
        for old, new in zip(gast.walk(node), gast.walk(copied), strict=True):
            if old in self.loads:
                self.loads[new] = self.loads[old]
        return copied

    def mangled(self, attribute: str) -> str:
        """The name of an attribute as Python stores it."""
        private = attribute.startswith("__") and not attribute.endswith("__")
        if not private or self.class_name is None or "." in attribute:
            return attribute
        stripped = self.class_name.lstrip("_")
        return f"_{stripped}{attribute}" if stripped else attribute


def frame_functions(node: Any) -> bool:
    """Whether a call looks at the variables of the function it stands in."""
    if not (isinstance(node, gast.Call) and isinstance(node.func, gast.Name)):
        return False
    return len(node.args) + len(node.keywords) < FRAME.get(node.func.id, 0)
