"""Generator functions whose generators are left and gone on with where only the run time knows how far.

::

    def f(n):                       def f(n):
        while n > 0:                    generator = ag__.resumable()
            yield n                     def begin(n):
            n -= 1                          if n > 0:
                                                return generator.suspended(0, n, (n,))
                                            return generator.ended(None)
                                        def go_on(n):
                                            n -= 1
                                            ...
                                        return generator.begun(begin, (n,), {0: go_on})

The functions are those of a generator that is given to the caller (`yielding/segments.py`).
"""

from __future__ import annotations

import copy
from collections.abc import Callable, Sequence
from typing import Any

import gast

from agir.autograph.converters.common.context import Context
from agir.autograph.converters.yielding.segments import Segment, Segments
from agir.autograph.pyct.activity import is_generator, scope_of
from agir.autograph.pyct.qualified_names import resolve
from agir.autograph.pyct.templates import name, names, replace
from agir.errors import UnsupportedError

_FUNCTIONS = """
generator_ = ag_.resumable()
functions_
return generator_.begun(begin_, parameters_, further_)
"""


def can_resume(function: Any, nodes: Sequence[Any], context: Context) -> bool:
    """Whether a function, of these nodes, is a generator function that was found to need that."""
    is_found = function.lineno in context.resumed and isinstance(function, gast.FunctionDef)
    return is_found and is_generator(function, nodes)


def resumable(function: Any, context: Context) -> bool:
    """Make the functions of a generator function, in place; False for one that has none."""
    generator = context.namer.fresh("generator")
    hidden = set(scope_of(function).locals)
    try:
        segments = Segments(
            copy.deepcopy(function), context.namer, generator, _known(hidden, context)
        )
        begin = _renamed(segments.first(), context.function("begin"))
        numbers = [site.number for site in segments.sites if site.asks is None]
        further = [_renamed(segments.after(n), context.function("go_on")) for n in numbers]
    except UnsupportedError:
        return False
    context.bodies.update(each.name for each in (begin, *further))
    function.body = replace(
        _FUNCTIONS,
        function,
        generator_=generator,
        ag_=context.operators,
        functions_=[begin, *further],
        begin_=begin.name,
        parameters_=names(list(scope_of(function).params), function),
        further_=_table(numbers, further, function),
    )
    return True


def _known(hidden: set[str], context: Context) -> Callable[[Any], Any]:
    """What a name or attribute stands for outside of the function."""
    namespace = dict(context.namespace)
    return lambda node: (
        None if getattr(node, "id", None) in hidden | context.bound else resolve(node, namespace)
    )


def _renamed(segment: Segment, new: str) -> Any:
    made = segment.tree
    made.name, made.decorator_list, made.returns = new, [], None
    parameters = [name(each, made, gast.Param()) for each in segment.parameters]
    made.args = gast.arguments(parameters, [], None, [], [], None, [])
    return made


def _table(numbers: list[int], functions: list[Any], origin: Any) -> Any:
    keys = [gast.copy_location(gast.Constant(number, None), origin) for number in numbers]
    values = [name(each.name, origin) for each in functions]
    return gast.copy_location(gast.Dict(keys, values), origin)
