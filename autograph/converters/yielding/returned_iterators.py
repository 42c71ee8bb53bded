"""A function that returns a generator gives what that is made of, and its caller makes it.

::

    def f(a, k):                        def f(a, k):
        return (x * k for x in a)           return steps__.returned(0, (steps__.over(a), k))

                                        def genexpr(iterable, k):
                                            for x in iterable:
                                                yield x * k

The second function stands by itself: what it uses of the first one's variables are its parameters.
"""

from __future__ import annotations

import builtins
import copy
from collections.abc import Callable, Sequence
from typing import Any

import gast

from agir.autograph.converters.common.jumps import SCOPES, blocks_of
from agir.autograph.pyct.activity import is_generator, scope_of
from agir.autograph.pyct.naming import Namer
from agir.autograph.pyct.templates import constant, expression, name, names, replace, statement

_CALL = """
callee_ = function_
args_ = positional_
named_ = keywords_
if h_.is_made_by_host(callee_, args_):
    return h_.made(callee_, args_, named_)
return h_.ended(callee_(*args_, **named_))
"""
_EVALUATED_LATER = (range, zip, enumerate, reversed, len)
"""Functions that it does not matter for when they are called, if their arguments are known."""
_QUIET = (gast.Name, gast.Constant, gast.Call, gast.BinOp, gast.UnaryOp, gast.operator, gast.unaryop,
          gast.keyword,
          gast.expr_context)  # fmt: skip


class ReturnedIterators:
    """A function that gives what iterators are made of, and the generator functions among that."""

    def __init__(
        self, function: Any, namer: Namer, helpers: str, known: Callable[[Any], Any]
    ) -> None:
        self.namer = namer
        self.helpers = helpers
        self.known = known
        self.generators: list[Any] = []
        """The trees of the generator functions."""
        self.may_return = False
        """Whether a `return` has something that may be an iterator."""
        self._locals = scope_of(function).locals
        self._own = {
            each.name: each
            for each in function.body
            if isinstance(each, gast.FunctionDef) and is_generator(each)
        }
        function.decorator_list = []
        function.body = self._block(function.body)
        function.body += [self._ended(constant(None, function.body[-1]))]
        self.function = function

    def _block(self, stmts: Sequence[Any]) -> list[Any]:
        return [new for stmt in stmts for new in self._statement(stmt)]

    def _statement(self, stmt: Any) -> list[Any]:
        if isinstance(stmt, gast.Return):
            return self._returned(stmt)
        if not isinstance(stmt, SCOPES):
            for block in blocks_of(stmt):
                block[:] = self._block(block)
        return [stmt]

    def _returned(self, stmt: Any) -> list[Any]:
        value = stmt.value or constant(None, stmt)
        self.may_return |= isinstance(value, gast.GeneratorExp | gast.Call)
        if isinstance(value, gast.GeneratorExp):
            return [self._expression(value)]
        if not isinstance(value, gast.Call):
            return [self._ended(value)]
        own = self._own.get(getattr(value.func, "id", ""))
        if own is not None and _binds_simply(own, value):
            return [self._called(own, value)]
        return self._perhaps(value)

    def _ended(self, value: Any) -> Any:
        return statement("return h_.ended(value_)", value, h_=self.helpers, value_=value)

    def _expression(self, node: Any) -> Any:
        """``return (x for y in z)``."""
        iterable = self.namer.fresh("iterable")
        first = node.generators[0]
        given: list[Any] = []
        if not self._may_wait(first.iter):
            code = "h_.over(x_)"
            given = [expression(code, first.iter, h_=self.helpers, x_=first.iter)]
            first.iter = name(iterable, first.iter)
        body: Any = gast.Expr(gast.copy_location(gast.Yield(node.elt), node.elt))
        body = gast.copy_location(body, node.elt)
        for each in reversed(node.generators):
            for test in reversed(each.ifs):
                body = gast.copy_location(gast.If(test, [body], []), test)
            body = gast.For(each.target, each.iter, [body], [], None)
            body = gast.copy_location(body, each.target)
        function = statement("def genexpr():\n    body_", node, body_=[body])
        return self._made(node, function, [iterable] if given else [], given)

    def _may_wait(self, node: Any) -> bool:
        """Whether what is gone through can be evaluated when the first item is asked for."""
        if not isinstance(node, gast.Call):
            return False
        nodes = list(gast.walk(node))
        calls = [each.func for each in nodes if isinstance(each, gast.Call)]
        return all(isinstance(each, _QUIET) for each in nodes) and all(
            any(self.known(each) is one for one in _EVALUATED_LATER) for each in calls
        )

    def _called(self, own: Any, node: Any) -> Any:
        """``return f(x)``, of a generator function that stands in this one."""
        function = copy.deepcopy(own)
        own_names = [each.id for each in function.args.args]
        return self._made(node, function, own_names, list(node.args))

    def _made(self, node: Any, function: Any, parameters: list[str], given: list[Any]) -> Any:
        free = sorted(scope_of(function).free & set(self._locals))
        every = [*parameters, *free]
        params = [name(each, node, gast.Param()) for each in every]
        function.args = gast.arguments(params, [], None, [], [], None, [])
        self.generators.append(function)
        values = names((), node)
        values.elts = [*given, *(name(each, node) for each in free)]
        return statement(
            "return h_.returned(number_, values_)",
            node,
            h_=self.helpers,
            number_=constant(len(self.generators) - 1, node),
            values_=values,
        )

    def _perhaps(self, node: Any) -> list[Any]:
        """``return f(x)``, of what may make an iterator."""
        if getattr(node.func, "id", None) in ("super", *_frame_names()):
            return [self._ended(node)]
        parts = {key: self.namer.fresh(key) for key in ("callee_", "args_", "named_")}
        keywords = gast.Dict(
            [each.arg and constant(each.arg, node) for each in node.keywords],
            [each.value for each in node.keywords],
        )
        return replace(
            _CALL,
            node,
            h_=self.helpers,
            function_=node.func,
            positional_=gast.copy_location(gast.Tuple(node.args, gast.Load()), node),
            keywords_=gast.copy_location(keywords, node),
            **parts,
        )


def _frame_names() -> tuple[str, ...]:
    return tuple(
        each for each in ("locals", "vars", "dir", "eval", "exec") if each in vars(builtins)
    )


def _binds_simply(function: Any, node: Any) -> bool:
    """Whether a call gives each parameter its argument, and the function shares no variables."""
    args = function.args
    others = (args.posonlyargs, args.vararg, args.kwonlyargs, args.kwarg, args.defaults)
    if any(others) or node.keywords or function.decorator_list:
        return False
    plain = not any(isinstance(each, gast.Starred) for each in node.args)
    return plain and len(node.args) == len(args.args) and not scope_of(function).nonlocals
