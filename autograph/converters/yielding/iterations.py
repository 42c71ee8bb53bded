"""Loops that yield, over what can be gone on with later: a place in something, or the host's iterator.

::

    for x in items:             over = steps__.over(items)
        yield x                 at = steps__.start(over)
                                while steps__.has_next(over, at):
                                    x = steps__.item(over, at)
                                    at = steps__.following(over, at)
                                    yield x

What only Python can iterate over, such as another generator, is asked by whoever runs the function::

    if steps__.is_hosts(over):
        given = yield over                      # `asks` of this yield is "next"
    while steps__.is_there(over, at, given):
        x = steps__.item_of(over, at, given)
        ...
        if steps__.is_hosts(over):
            given = yield over
"""

from __future__ import annotations

import copy
import itertools
from collections.abc import Callable, Sequence
from typing import Any

import gast

from agir.autograph.converters.common.jumps import SCOPES, blocks_of
from agir.autograph.converters.leaving.continue_statements import lower_continue
from agir.autograph.converters.yielding.yields import has_yield
from agir.autograph.pyct.naming import Namer
from agir.autograph.pyct.templates import constant, expression, name, replace, statement

CALL, NEXT, DELEGATE = "call", "next", "delegate"
"""What a `yield` asks of whoever runs the function: to make an iterator, for an item, for all."""

_KNOWN: dict[Any, str] = {
    range: "span",
    itertools.count: "counting",
    reversed: "backwards",
}
_NUMPYS = {"ndindex": "indices", "ndenumerate": "enumerated"}
_JOINING: dict[Any, str] = {enumerate: "numbered", zip: "side_by_side"}
"""Those that take iterables themselves."""
_VIEWS = ("items", "keys", "values")

_SEQUENCE = """
at_ = h_.start(over_)
while h_.has_next(over_, at_):
    target_ = h_.item(over_, at_)
    at_ = h_.following(over_, at_)
    body_
"""
_ANY = """
at_ = h_.start(over_)
ask_
while h_.is_there(over_, at_, given_):
    target_ = h_.item_of(over_, at_, given_)
    at_ = h_.place_after(over_, at_)
    body_
    ask_again_
"""
_ASKED = """
if h_.is_hosts(over_):
    ask_
else:
    given_ = None
"""
_MADE = """
callee_ = function_
args_ = positional_
named_ = keywords_
if h_.is_made_by_host(callee_, args_):
    ask_
else:
    over_ = h_.over(callee_(*args_, **named_))
"""
_GIVEN = """
args_ = positional_
if h_.is_iterated_by_host(args_):
    callee_ = function_
    named_ = {}
    ask_
else:
    over_ = known_
"""
_JOINED = """
args_ = positional_
if h_.are_hosts(args_):
    named_ = keywords_
    callee_ = function_
    ask_
else:
    over_ = known_
"""


def lower_iterations(
    stmts: Sequence[Any], namer: Namer, helpers: str, known: Callable[[Any], Any]
) -> list[Any]:
    """A block in which no `for` loop yields, and nothing is yielded from.

    ``known`` tells which function of Python's an expression is.
    """
    return _Iterations(namer, helpers, known).block(stmts)


def asking(kind: str, value: Any, target: str | None, origin: Any) -> Any:
    """A `yield` that asks for something."""
    node = gast.copy_location(gast.Yield(value), origin)
    node.asks = kind
    if target is None:
        return gast.copy_location(gast.Expr(node), origin)
    return statement("target_ = node_", origin, target_=target, node_=node)


class _Iterations:
    def __init__(self, namer: Namer, helpers: str, known: Callable[[Any], Any]) -> None:
        self.namer = namer
        self.helpers = helpers
        self.known = known

    def block(self, stmts: Sequence[Any]) -> list[Any]:
        return [new for stmt in stmts for new in self.statement(stmt)]

    def statement(self, stmt: Any) -> list[Any]:
        """What takes the place of a statement."""
        if isinstance(stmt, SCOPES) or not has_yield(stmt):
            return [stmt]
        if isinstance(stmt, gast.For):
            return self.loop(stmt)
        for block in blocks_of(stmt):
            block[:] = self.block(block)
        value = getattr(stmt, "value", None)
        return self.yield_from(stmt) if isinstance(value, gast.YieldFrom) else [stmt]

    # Loops.

    def loop(self, stmt: Any) -> list[Any]:
        if isinstance(stmt.iter, gast.GeneratorExp) and len(stmt.iter.generators) == 1:
            return self.loop(self.unfolded(stmt))
        over = self.namer.fresh("over")
        before, is_sequence = self.source(stmt.iter, over)
        body = self.block(stmt.body)
        orelse = self.block(stmt.orelse)
        make = self.sequence if is_sequence else self.anything
        made = make(stmt, over, stmt.target, body)
        made[-1].orelse = orelse
        return [*before, *made]

    def sequence(self, origin: Any, over: str, target: Any, body: list[Any]) -> list[Any]:
        return self.filled(_SEQUENCE, origin, over_=over, target_=target, body_=body)

    def anything(self, origin: Any, over: str, target: Any, body: list[Any]) -> list[Any]:
        given = self.namer.fresh("given")

        def ask() -> list[Any]:
            asked = [asking(NEXT, name(over, origin), given, origin)]
            return replace(_ASKED, origin, h_=self.helpers, over_=over, given_=given, ask_=asked)

        goes_on = gast.While(gast.Constant(True, None), body, [])
        lower_continue(goes_on, self.namer)  # which asks for the next item, too
        return self.filled(
            _ANY,
            origin,
            over_=over,
            given_=given,
            ask_=ask(),
            target_=target,
            body_=goes_on.body,
            ask_again_=ask(),
        )

    def filled(self, template: str, origin: Any, **parts: Any) -> list[Any]:
        at = self.namer.fresh("at")
        target = parts["target_"]
        parts["target_"] = self.namer.fresh("item")
        made = replace(template, gast.copy_location(gast.Pass(), origin), h_=self.helpers, at_=at,
                       **parts)  # fmt: skip
        _bind(made, parts["target_"], target)
        return made

    def unfolded(self, stmt: Any) -> Any:
        """A loop over a generator expression as one over what that is made of."""
        made = _renamed(stmt.iter, self.namer)
        (generator,) = made.generators
        bind = gast.copy_location(gast.Assign([stmt.target], made.elt, None), made.elt)
        body = [bind, *stmt.body]
        for test in generator.ifs:
            skip = statement("if not test_:\n    continue", test, test_=test)
            body.insert(generator.ifs.index(test), skip)
        new = gast.For(generator.target, generator.iter, body, stmt.orelse, None)
        return gast.copy_location(new, stmt)

    def yield_from(self, stmt: Any) -> list[Any]:
        """``value = yield from x``."""
        source = stmt.value.value
        target = stmt.targets[0].id if isinstance(stmt, gast.Assign) else None
        over = self.namer.fresh("over")
        item = self.namer.fresh("item")
        body = [gast.copy_location(gast.Expr(gast.Yield(name(item, stmt))), stmt)]
        gast.copy_location(body[0].value, stmt)
        if isinstance(source, gast.GeneratorExp):
            each = gast.For(name(item, stmt, gast.Store()), source, body, [], None)
            loops = self.loop(gast.copy_location(each, stmt)) if len(source.generators) == 1 else []
            if loops:
                return [*loops, *self.without_value(target, stmt)]
        before, is_sequence = self.source(source, over)
        made = self.sequence(stmt, over, name(item, stmt, gast.Store()), body)
        made += self.without_value(target, stmt)
        if is_sequence:
            return [*before, *made]
        ask = asking(DELEGATE, name(over, stmt), target, stmt)
        code = "if h_.is_hosts(over_):\n    ask_\nelse:\n    made_"
        both = statement(code, stmt, h_=self.helpers, over_=over, ask_=[ask], made_=made)
        return [*before, both]

    def without_value(self, target: str | None, origin: Any) -> list[Any]:
        return [] if target is None else replace("target_ = None", origin, target_=target)

    # What is iterated over.

    def source(self, node: Any, over: str) -> tuple[list[Any], bool]:
        """The statements that bind what a loop goes over; whether it is certainly no iterator."""
        if isinstance(node, gast.Call):
            return self.called(node, over)
        if _is_part(node):
            bounds = [each or constant(None, node) for each in (node.slice.lower, node.slice.upper)]
            call = gast.Call(self.helper("sliced", node), [node.value, *bounds], [])
            call = gast.copy_location(call, node)
            return replace("over_ = node_", node, over_=over, node_=call), True
        if isinstance(node, gast.Attribute) and node.attr == "flat":
            call = expression("h_.flat(x_)", node, h_=self.helpers, x_=node.value)
            return replace("over_ = call_", node, over_=over, call_=call), True
        if isinstance(node, gast.List | gast.Tuple | gast.Constant):
            return replace("over_ = h_.over(x_)", node, h_=self.helpers, over_=over, x_=node), True
        given = gast.Call(self.helper("iterated", node), [node], [])
        kept = self.namer.fresh("given")
        before = replace("kept_ = x_", node, kept_=kept, x_=node)
        given.args = [name(kept, node)]
        known = expression("h_.over(kept_)", node, h_=self.helpers, kept_=kept)
        asked = self.asked(_GIVEN, gast.copy_location(given, node), over, known_=known)
        return [*before, *asked], False

    def called(self, node: Any, over: str) -> tuple[list[Any], bool]:
        """The same for a call."""
        function = self.known(node.func)
        if function is zip:
            node.keywords = [each for each in node.keywords if not _is_lenient(each)]
        found = _found(_KNOWN, function)
        if getattr(function, "__module__", None) == "numpy":
            found = _NUMPYS.get(function.__name__)
        if found is not None:
            node.func = self.helper(found, node)
            return replace("over_ = node_", node, over_=over, node_=node), True
        found = _found(_JOINING, function)
        if found is not None and not _is_special(node):
            return self.joined(node, found, over)
        method = getattr(node.func, "attr", None)
        if method in _VIEWS and not (node.args or node.keywords):
            text = gast.copy_location(gast.Constant(method, None), node)
            kept = self.namer.fresh("given")
            before = replace("kept_ = x_", node, kept_=kept, x_=node.func.value)
            code = "h_.entries(kept_, text_)"
            known = expression(code, node, h_=self.helpers, kept_=kept, text_=text)
            node.func, node.args = self.helper("viewed", node), [name(kept, node), text]
            return [*before, *self.asked(_GIVEN, node, over, known_=known)], False
        return self.made(node, over), False

    def helper(self, function: str, origin: Any) -> Any:
        return expression(f"h_.{function}", origin, h_=self.helpers)

    def joined(self, node: Any, found: str, over: str) -> tuple[list[Any], bool]:
        """``enumerate(x)`` and ``zip(x, y)``."""
        before: list[Any] = []
        sure = True
        count = 1 if found == "numbered" else len(node.args)
        for index, each in enumerate(node.args[:count]):
            inner = self.namer.fresh("over")
            more, is_sequence = self.source(each, inner)
            before += more
            sure = sure and is_sequence
            node.args[index] = name(inner, each)
        known = gast.Call(self.helper(found, node), copy.deepcopy(node.args), node.keywords)
        gast.copy_location(known, node)
        if sure:
            return [*before, *replace("over_ = known_", node, over_=over, known_=known)], True
        return [*before, *self.asked(_JOINED, node, over, known_=known)], False

    def made(self, node: Any, over: str) -> list[Any]:
        """What a call gives."""
        before: list[Any] = []
        function = self.known(node.func)
        if (
            function in (map, filter, zip, enumerate)
            or getattr(function, "__module__", None) == "itertools"
        ):
            for index, each in enumerate(node.args):
                if isinstance(each, gast.Call):
                    inner = self.namer.fresh("over")
                    before += self.source(each, inner)[0]
                    node.args[index] = name(inner, each)
        return [*before, *self.asked(_MADE, node, over)]

    def asked(self, template: str, node: Any, over: str, **more: Any) -> list[Any]:
        parts = {key: self.namer.fresh(key) for key in ("callee_", "args_", "named_")}
        ask = expression("callee_, args_, named_", node, **parts)
        keywords = gast.Dict(
            [each.arg and gast.copy_location(gast.Constant(each.arg, None), node)
             for each in node.keywords],
            [copy.deepcopy(each.value) for each in node.keywords],
        )  # fmt: skip
        return replace(
            template,
            node,
            h_=self.helpers,
            over_=over,
            function_=node.func,
            positional_=gast.copy_location(gast.Tuple(node.args, gast.Load()), node),
            keywords_=gast.copy_location(keywords, node),
            ask_=[asking(CALL, ask, over, node)],
            **parts,
            **more,
        )


def _found(table: dict[Any, str], function: Any) -> str | None:
    return next((each for key, each in table.items() if key is function), None)


def _is_part(node: Any) -> bool:
    """Whether it is ``x[a:b]``."""
    part = getattr(node, "slice", None)
    return isinstance(node, gast.Subscript) and isinstance(part, gast.Slice) and part.step is None


def _is_lenient(keyword: Any) -> bool:
    """Whether it is ``strict=False``, which is what `zip` does anyway."""
    return keyword.arg == "strict" and getattr(keyword.value, "value", None) is False


def _is_special(node: Any) -> bool:
    """Whether a call has arguments that only the function itself understands."""
    if any(isinstance(each, gast.Starred) for each in node.args):
        return True
    return any(each.arg != "start" for each in node.keywords)


def _bind(stmts: list[Any], placeholder: str, target: Any) -> None:
    """Put a target in the place of a name that is assigned to."""
    for stmt in stmts:
        if isinstance(stmt, gast.Assign) and getattr(stmt.targets[0], "id", "") == placeholder:
            stmt.targets = [copy.deepcopy(target)]
        for block in blocks_of(stmt):
            _bind(block, placeholder, target)


def _renamed(node: Any, namer: Namer) -> Any:
    """A generator expression whose variables are called otherwise, as they are its own."""
    made = copy.deepcopy(node)
    first = copy.deepcopy(made.generators[0].iter)
    own = {
        each.id: namer.fresh(each.id)
        for generator in made.generators
        for each in gast.walk(generator.target)
        if isinstance(each, gast.Name)
    }
    for each in gast.walk(made):
        if isinstance(each, gast.Name) and each.id in own:
            each.id = own[each.id]
    made.generators[0].iter = first
    return made
