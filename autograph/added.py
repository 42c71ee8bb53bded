"""Converters that agir does not have: they rewrite functions before its own, or after them."""

from __future__ import annotations

import ast
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from agir.errors import AgirError, PluginError

_OWN = __name__.partition(".")[0]
BEGIN, END = "begin", "end"


@dataclass(frozen=True)
class Converter:
    """A rewriting of syntax: ``transform`` takes the tree of a function, and gives another or the same.

    ``at`` the ``"begin"`` it gets the function as it is written, as a ``gast`` tree, and gives plain
    Python, which agir converts; at the ``"end"`` what is compiled, as an ``ast`` tree.  A subclass of
    ``ast.NodeTransformer`` (``gast.NodeTransformer``) is one, too.

    >>> ag.plugins.Converter(lambda tree: tree, name="nothing").at
    'begin'
    """

    transform: Callable[[Any], Any]
    name: str = ""
    at: str = BEGIN

    def __post_init__(self) -> None:
        if self.at not in (BEGIN, END):
            raise PluginError(f"a converter is at the 'begin' or 'end', not {self.at!r}")
        object.__setattr__(self, "name", self.name or self.transform.__name__)

    def __call__(self, tree: Any) -> Any:
        """The tree, rewritten."""
        transform = self.transform
        made = transform().visit(tree) if isinstance(transform, type) else transform(tree)
        if type(made) is not type(tree):
            raise TypeError(f"it gives {type(made).__name__}, and not the function's tree")
        return ast.fix_missing_locations(made)


CONVERTERS: dict[str, Converter] = {}
"""Those of plugins, in the order in which they were added."""


def rewritten(tree: Any, at: str, function: Any) -> Any:
    """A function's tree as the converters of one place leave it, if it is not one of agir's own."""
    if not CONVERTERS or str(function.__module__).partition(".")[0] == _OWN:
        return tree
    for each in [each for each in CONVERTERS.values() if each.at == at]:
        try:
            tree = each(tree)
        except AgirError:
            raise
        except Exception as error:
            code = getattr(each.transform, "__code__", None)
            place = f" ({code.co_filename}:{code.co_firstlineno})" if code else ""
            raise PluginError(
                f"the converter {each.name!r}{place} cannot convert {function.__qualname__}: "
                f"{type(error).__name__}: {error}"
            ) from error
    return tree
