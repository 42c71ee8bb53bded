"""Comprehensions become functions that fill what they make in loops.

::

    y = [f(v) for v in x if v]      def listcomp(iterable):
                                        result = []
                                        for v in iterable:
                                            if v:
                                                result.append(f(v))
                                        return result
                                    y = listcomp(x)

The function is defined before the statement, and its statements are converted like those of any
other.  This happens after the analysis of the function around it, for which a comprehension is an
expression, and nothing that another function captures.

Where nothing can be defined, in a lambda, the loops are calls with functions as operands ::

    ag__.collect([], lambda add: ag__.each(x, lambda v: ag__.when(v, lambda: add(f(v)), add), add))
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import gast

from agir.autograph.converters.common.context import Context
from agir.autograph.pyct.analysis import INLINES
from agir.autograph.pyct.templates import call, constant, expression, name, replace, statement

FUNCTIONS = {
    gast.ListComp: "listcomp",
    gast.SetComp: "setcomp",
    gast.DictComp: "dictcomp",
    gast.GeneratorExp: "genexpr",
}
"""What the functions are called; Python has the same names in angle brackets."""

EMPTY = {gast.ListComp: "[]", gast.SetComp: "{*()}", gast.DictComp: "{}"}
FEW = 8


def stays(node: Any) -> bool:
    """Whether a comprehension runs over a few values that stand there, so a loop adds nothing."""
    displays = (gast.Tuple, gast.List, gast.Set)
    return not isinstance(node, gast.GeneratorExp) and all(
        isinstance(each.iter, displays)
        and len(each.iter.elts) <= FEW
        and not any(isinstance(item, gast.Starred) for item in each.iter.elts)
        and not each.ifs
        for each in node.generators
    )


def comprehension_function(
    node: Any, context: Context, outer_globals: set[str]
) -> tuple[Any, str, Any]:
    """The function, its name, and the iterable that it is to be called with."""
    function = context.namer.fresh(FUNCTIONS[type(node)])
    context.generated.add(function)
    if isinstance(node, gast.GeneratorExp) or not INLINES:
        context.shown[function] = f"<{FUNCTIONS[type(node)]}>"
    iterable = context.namer.fresh("iterable")
    first = node.generators[0].iter
    assigned = dict.fromkeys(_assigned(node))
    definition = statement(
        "def function_(iterable_):\n    global globals_\n    nonlocal shared_\n    body_",
        node,
        function_=function,
        iterable_=iterable,
        globals_=tuple(each for each in assigned if each in outer_globals),
        shared_=tuple(each for each in assigned if each not in outer_globals),
        body_=_body(node, iterable, context),
    )
    definition.shares_undefined = True
    return definition, function, first


def _assigned(node: Any) -> list[str]:
    """The variables of the function around it that ``:=`` assigns to."""
    return [each.target.id for each in gast.walk(node) if isinstance(each, gast.NamedExpr)]


def _body(node: Any, iterable: str, context: Context) -> list[Any]:
    if isinstance(node, gast.GeneratorExp):
        made = replace("yield element_", node.elt, element_=node.elt)
        return _loops(node.generators, name(iterable, node), made, collects=False)
    result = context.namer.fresh("result")
    return [
        statement(f"result_ = {EMPTY[type(node)]}", node, result_=result),
        *_loops(node.generators, name(iterable, node), _add(node, result, context), collects=True),
        statement("return result_", node, result_=result),
    ]


def _add(node: Any, result: str, context: Context) -> list[Any]:
    if isinstance(node, gast.ListComp):
        return replace("result_.append(element_)", node.elt, result_=result, element_=node.elt)
    if isinstance(node, gast.SetComp):
        return replace("result_.add(element_)", node.elt, result_=result, element_=node.elt)
    # The key is evaluated first, which it is not in an assignment.
    key, before = node.key, []
    if not isinstance(key, gast.Constant):
        kept = context.namer.fresh("key")
        before = replace("kept_ = key_", key, kept_=kept, key_=key)
        key = name(kept, key)
    code = "result_[key_] = value_"
    return [*before, *replace(code, node.value, result_=result, key_=key, value_=node.value)]


def _loops(generators: Sequence[Any], iterable: Any, body: list[Any], collects: bool) -> list[Any]:
    """``for`` and ``if`` statements around the body; `iterable` stands for the first one."""
    for index in reversed(range(len(generators))):
        generator = generators[index]
        for test in reversed(generator.ifs):
            body = replace("if test_:\n    body_", test, test_=test, body_=body)
        loop = statement(
            "for target_ in iterable_:\n    body_",
            generator.target,
            target_=generator.target,
            iterable_=generator.iter if index else iterable,
            body_=body,
        )
        loop.collects = collects
        body = [loop]
    return body


def can_be_nested(node: Any) -> bool:
    """Whether operands of lambdas can take the place of a comprehension's loops.

    Every item gets variables of its own there, so nothing may keep them; and nothing is assigned.
    What the first loop runs over knows none of them.
    """
    kept = (gast.Lambda, gast.GeneratorExp, gast.NamedExpr)
    outer = set(gast.walk(node.generators[0].iter))
    inner = (each for each in gast.walk(node) if each is not node and each not in outer)
    own = [each for each in inner if isinstance(each, kept)]
    return not own and all(_parameters(each.target) is not None for each in node.generators)


def _parameters(target: Any) -> list[str] | None:
    """The names of a target that arguments of a lambda can take the place of."""
    parts = target.elts if isinstance(target, gast.Tuple | gast.List) else [target]
    found = [part.id for part in parts if isinstance(part, gast.Name)]
    return found if len(found) == len(parts) == len(set(found)) else None


def collected(node: Any, context: Context, converted: Callable[[Any], Any]) -> Any:
    """The comprehension as an expression; `converted` visits what stands in lambdas."""
    iterable = converted(node.generators[0].iter)
    fill = _filling(node, iterable, context, converted)
    operator = f"{context.operators}.collect"
    return call(operator, node, expression(EMPTY[type(node)], node), fill)


def generator_at_once(
    node: Any, context: Context, converted: Callable[[Any], Any], visited: Callable[[Any], Any]
) -> Any:
    """The same for a generator expression, which stays as one of the two forms."""
    iterable = context.namer.fresh("iterable")
    first = call(f"{context.operators}.iterated", node, converted(node.generators[0].iter))
    plain = context.again(node)
    plain.generators[0].iter = node.generators[0].iter = name(iterable, node)
    produce = _filling(node, name(iterable, node), context, converted)
    function = expression("lambda iterable_: None", node, iterable_=iterable)
    function.body = call(f"{context.operators}.generator", node, thunk(visited(plain)), produce)
    return gast.copy_location(gast.Call(function, [first], []), node)


def _filling(node: Any, iterable: Any, context: Context, converted: Callable[[Any], Any]) -> Any:
    """``lambda add: ag__.each(…)``, which adds all elements."""
    operators, add = context.operators, context.namer.fresh("add")
    parts = [node.key, node.value] if isinstance(node, gast.DictComp) else [node.elt]
    body = gast.Call(name(add, node), [converted(part) for part in parts], [])
    body = gast.copy_location(body, node)
    for index in reversed(range(len(node.generators))):
        generator = node.generators[index]
        for test in reversed(generator.ifs):
            step = thunk(body)
            body = call(f"{operators}.when", test, converted(test), step, name(add, test))
        source = converted(generator.iter) if index else iterable
        item = _item(generator.target, body, context)
        body = call(f"{operators}.each", generator.iter, source, item, name(add, node))
    fill = expression("lambda add_: None", node, add_=add)
    fill.body = body
    return fill


def thunk(body: Any) -> Any:
    """A function that evaluates an expression."""
    function = expression("lambda: None", body)
    function.body = body
    return function


def _item(target: Any, body: Any, context: Context) -> Any:
    """The function of an item: of what is unpacked from it where the target is a tuple."""
    names = _parameters(target)
    assert names is not None, "can_be_nested was asked"
    function = expression(f"lambda {', '.join(names)}: None", target)
    function.body = body
    if isinstance(target, gast.Name):
        return function
    item = context.namer.fresh("item")
    count = constant(len(names), target)
    unpacked = call(f"{context.operators}.unpacked", target, name(item, target), count)
    starred = gast.copy_location(gast.Starred(unpacked, gast.Load()), target)
    outer = expression("lambda item_: None", target, item_=item)
    outer.body = gast.copy_location(gast.Call(function, [starred], []), target)
    return outer
