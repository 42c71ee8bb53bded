"""Generator functions get a second body, for a staged loop that consumes what they yield.

::

    def f(x):                       def f(x):
        for v in x:                     def generate(x):
            yield v * v                     for v in x:
                                                yield v * v
                                        def produce(x, emit):
                                            for v in x:
                                                if emit(v * v):
                                                    return
                                        return ag__.generator(lambda: generate(x),
                                                              lambda emit: produce(x, emit))

The statements of the second body are converted.  Of the first, which Python runs, only the calls
are.  A generator that is sent values, or that yields where an exception of the consumer would be
caught, has only the first.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import gast

from agir.autograph.converters.common.context import Context, frame_functions
from agir.autograph.converters.common.jumps import TRIES, blocks_of, contains, own_statements
from agir.autograph.pyct.activity import FUNCTIONS, is_generator, scope_of, walk_own
from agir.autograph.pyct.templates import constant, name, names, replace, statement
from agir.records import dataclass

GENERATOR = """
def generate_():
    body_
def produce_():
    items_
return ag_.generator(lambda: generate_(), lambda emit_: produce_())
"""
YIELDS = (gast.Yield, gast.YieldFrom)


def can_produce(function: Any, nodes: Sequence[Any]) -> bool:
    """Whether a function is a generator whose body a staged loop can run; of all nodes of its own."""
    if not is_generator(function, nodes):
        return False
    statements = list(own_statements(function.body))
    plain = {each.value for each in statements if _is_yield(each)}
    if any(isinstance(each, (*YIELDS, gast.Await)) and each not in plain for each in nodes):
        return False
    guarded = [each for each in statements if isinstance(each, (gast.With, *TRIES))]
    if any(_yields(each) for each in guarded):
        return False
    return not any(map(frame_functions, nodes))


def _is_yield(stmt: Any) -> bool:
    return isinstance(stmt, gast.Expr) and isinstance(stmt.value, YIELDS)


def _yields(stmt: Any) -> bool:
    return any(_is_yield(each) for each in own_statements([stmt]))


@dataclass
class Bodies:
    """The two functions in a generator function."""

    generate: Any
    produce: Any


def with_producer(function: Any, context: Context) -> Bodies:
    """Give a generator function, in place, its two bodies."""
    documented, body = _split_docstring(function.body)
    wanted = {"generate_": "generate", "produce_": "produce", "emit_": "emit"}
    fresh = {key: context.namer.fresh(wish) for key, wish in wanted.items()}
    context.bodies.update((fresh["generate_"], fresh["produce_"]))
    context.emitters.add(fresh["emit_"])
    copied = [context.again(each) for each in body]
    filled = replace(
        GENERATOR,
        function,
        ag_=context.operators,
        body_=copied or [gast.Pass()],
        items_=_Emitting(fresh["emit_"], context).block(body),
        **fresh,
    )
    generate, produce, leave = filled
    parameters = list(scope_of(function).params)
    _declare(generate, parameters)
    _declare(produce, [*parameters, fresh["emit_"]])
    produce.shares_undefined = getattr(function, "shares_undefined", False)
    made, emitted = leave.value.args
    made.body.args = names(parameters, function).elts
    emitted.body.args = names([*parameters, fresh["emit_"]], function).elts
    context.generated.update(fresh.values())
    function.body = [*documented, *filled]
    return Bodies(generate, produce)


def _declare(function: Any, parameters: Sequence[str]) -> None:
    function.args.args = [name(each, function, gast.Param()) for each in parameters]


def _split_docstring(stmts: list[Any]) -> tuple[list[Any], list[Any]]:
    first = stmts[0]
    text = getattr(getattr(first, "value", None), "value", None)
    documented = isinstance(first, gast.Expr) and isinstance(text, str)
    return (stmts[:1], stmts[1:]) if documented else ([], stmts)


class _Emitting:
    """Puts calls of ``emit`` in the place of ``yield``."""

    def __init__(self, emit: str, context: Context) -> None:
        self.emit = emit
        self.context = context

    def block(self, stmts: Sequence[Any]) -> list[Any]:
        """A block without ``yield``, and without values that it returns."""
        return [new for stmt in stmts for new in self.statement(stmt)]

    def statement(self, stmt: Any) -> list[Any]:
        """What takes the place of a statement."""
        if isinstance(stmt, gast.Return):
            return [*_evaluated(stmt), statement("return", stmt)]
        if _is_yield(stmt):
            return self.yielded(stmt.value)
        if isinstance(stmt, gast.For) and _yields(stmt):
            self.note_exits(stmt)
        for block in blocks_of(stmt):
            block[:] = self.block(block)
        return [stmt]

    def yielded(self, node: Any) -> list[Any]:
        if isinstance(node, gast.Yield):
            return self.emitted(node.value or constant(None, node), node)
        item = self.context.namer.fresh("item")
        code = "for item_ in values_:\n    body_"
        body = self.emitted(name(item, node), node)
        loop = statement(code, node, item_=item, values_=node.value, body_=body)
        loop.stopped_by = self.emit
        return [loop]

    def emitted(self, value: Any, origin: Any) -> list[Any]:
        return replace("if emit_(value_):\n    return", origin, emit_=self.emit, value_=value)

    def note_exits(self, loop: Any) -> None:
        """Note that a loop ends early only where the consumer stops, if that is so."""
        exits = (gast.Break, gast.Return)
        if not any(contains(each, kind) for each in loop.body for kind in exits):
            loop.stopped_by = self.emit


def _evaluated(stmt: Any) -> list[Any]:
    """What is left of the value of a ``return``, which nothing receives."""
    if stmt.value is None or isinstance(stmt.value, gast.Constant):
        return []
    return [gast.copy_location(gast.Expr(stmt.value), stmt)]


def emitter(stmt: Any, context: Context) -> str | None:
    """The function that a statement emits items with, if it does."""
    if not context.emitters or isinstance(stmt, FUNCTIONS):
        return None
    for node in walk_own(stmt):
        if isinstance(node, gast.Call) and isinstance(node.func, gast.Name):
            found: str = node.func.id
            if found in context.emitters:
                return found
    return None
