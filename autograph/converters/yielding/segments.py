"""A generator function as functions that run from one `yield` to the next.

::

    def count(n):                   def count(n, steps__):          # until the first one
        i = 0                           i = 0
        while i < n:                    if i < n:
            yield i                         return steps__.suspended(0, i, (n, i))
            i += 1                      return steps__.ended(None)

                                    def count(n, i, steps__):       # from there on
                                        i += 1
                                        if i < n:
                                            return steps__.suspended(0, i, (n, i))
                                        return steps__.ended(None)

What follows a `yield` is the rest of its block, then the rest of the block around that, and so on: of
a loop that is the loop again.  The parameters are the variables that are alive there.
"""

from __future__ import annotations

import copy
from collections.abc import Callable, Iterable, Sequence
from typing import Any

import gast

from agir.autograph.converters.common.jumps import (
    LOOPS,
    SCOPES,
    TRIES,
    always_leaves,
    blocks_of,
    own_statements,
)
from agir.autograph.converters.leaving.break_statements import lower_break
from agir.autograph.converters.leaving.continue_statements import lower_continue
from agir.autograph.converters.leaving.finally_clauses import may_drop
from agir.autograph.converters.yielding.iterations import lower_iterations
from agir.autograph.converters.yielding.managers import lower_managers
from agir.autograph.converters.yielding.yields import YIELDS, has_yield, lower_yields
from agir.autograph.pyct.activity import scope_of
from agir.autograph.pyct.analysis import Analysis
from agir.autograph.pyct.naming import Namer
from agir.autograph.pyct.templates import constant, name, names, replace, statement
from agir.errors import UnsupportedError
from agir.records import dataclass

_SUSPENDED = """
value_ = item_
return h_.suspended(number_, value_, state_)
"""


@dataclass(frozen=True)
class Site:
    """A `yield`: what it asks for, what lives across it, and whether anything can catch there."""

    number: int
    asks: str | None
    state: tuple[str, ...]
    receives: bool
    """Whether what is sent is used."""
    is_guarded: bool
    """Whether what is thrown there has an effect in the function."""
    line: int


@dataclass(frozen=True)
class Segment:
    """A function of the state: from a `yield`, or from the beginning, to the next one."""

    tree: Any
    parameters: tuple[str, ...]


class Segments:
    """The functions that a generator function falls apart into, each made when it is asked for."""

    def __init__(
        self, function: Any, namer: Namer, helpers: str, known: Callable[[Any], Any]
    ) -> None:
        self.function = function
        self.namer = namer
        self.helpers = helpers
        self.left = namer.fresh("left_")
        self.sent = namer.fresh("sent_")
        self.thrown = namer.fresh("thrown_")
        self.declared: list[Any] = []
        self._lower(known)
        self._sites: list[Site] = []
        self._numbers: dict[int, int] = {}
        self._marked(function.body, is_guarded=False)
        self._analyse()
        for site in self._sites:
            self._resumed(function.body, site.number, False)  # refuses what cannot be gone on with

    @property
    def sites(self) -> Sequence[Site]:
        """The places where it yields, in the order of the source."""
        return self._sites

    # The body, in statements that a state can be kept between.

    def _lower(self, known: Callable[[Any], Any]) -> None:
        function, namer = self.function, self.namer
        function.decorator_list = []
        stmts = self._without_declarations(function.body)
        if not stmts:
            stmts = [gast.copy_location(gast.Pass(), function)]
        self._refuse(stmts)
        stmts = lower_yields(stmts, namer)
        stmts = lower_iterations(stmts, namer, self.helpers, known)
        stmts = lower_managers(stmts, namer)
        function.body = [*self.declared, *self._jumps(stmts)]

    def _without_declarations(self, stmts: list[Any]) -> list[Any]:
        out: list[Any] = []
        for stmt in stmts:
            if isinstance(stmt, gast.Global | gast.Nonlocal):
                self.declared.append(stmt)
                continue
            for block in blocks_of(stmt):
                block[:] = self._without_declarations(block) or [
                    gast.copy_location(gast.Pass(), stmt)
                ]
            out.append(stmt)
        return out

    def _refuse(self, stmts: list[Any]) -> None:
        for stmt in own_statements(stmts):
            if isinstance(stmt, TRIES) and has_yield(stmt):
                if any(map(has_yield, stmt.finalbody)):
                    raise UnsupportedError(_at(stmt, "a finally clause that yields"))
                if may_drop(stmt):
                    raise UnsupportedError(
                        _at(stmt, "a jump out of a finally clause, around yield,")
                    )
                if not isinstance(stmt, gast.Try):
                    raise UnsupportedError(_at(stmt, "yield in try ... except*"))

    def _jumps(self, stmts: list[Any]) -> list[Any]:
        """A block in which no loop that yields is left by `break` or `continue`."""
        out: list[Any] = []
        for stmt in stmts:
            if isinstance(stmt, SCOPES) or not has_yield(stmt):
                out.append(stmt)
                continue
            for block in blocks_of(stmt):
                block[:] = self._jumps(block)
            if isinstance(stmt, LOOPS):
                lower_continue(stmt, self.namer)
                out += lower_break(stmt, self.namer)
            else:
                out.append(stmt)
        return out

    # Its yields, and what lives across each.

    def _marked(self, stmts: Iterable[Any], is_guarded: bool) -> None:
        for stmt in stmts:
            if isinstance(stmt, SCOPES):
                continue
            node = _yielding(stmt)
            if node is not None:
                self._number(stmt, node, is_guarded)
            for block in blocks_of(stmt):
                inner = isinstance(stmt, gast.Try) and _catches(stmt, block)
                self._marked(block, is_guarded or inner)

    def _number(self, stmt: Any, node: Any, is_guarded: bool) -> None:
        number = len(self._sites)
        stmt.site = number
        asks = getattr(node, "asks", None)
        receives = isinstance(stmt, gast.Assign)
        self._sites.append(Site(number, asks, (), receives, is_guarded, stmt.lineno))

    def _analyse(self) -> None:
        analysis = Analysis(self.function)
        self._remade = _remade(self.function, analysis)
        hidden = set(self._remade) | analysis.scope.outer
        doubtful: set[str] = set()
        for stmt in own_statements(self.function.body):
            if (number := getattr(stmt, "site", None)) is None:
                continue
            node = analysis.graph.steps[stmt]
            live = analysis.liveness.after[node.index]
            if node.raises is not None:
                live |= analysis.liveness.before[node.raises.index]
            if isinstance(stmt, gast.Assign):
                live &= ~analysis.bits.of([stmt.targets[0].id])
            found = [each for each in analysis.ordered(live) if each not in hidden]
            site = self._sites[number]
            values = vars(site) | {"state": tuple(found)}
            self._sites[number] = Site(**values)
            before = analysis.reaching.before[node.index]
            doubtful |= set(analysis.ordered(before.unbound | before.undefined)) & set(found)
        self._doubtful = doubtful
        self._carried = {
            stmt: self._carried_by(analysis, stmt, hidden)
            for stmt in own_statements(self.function.body)
            if isinstance(stmt, gast.While) and has_yield(stmt)
        }

    def _carried_by(self, analysis: Analysis, loop: Any, hidden: set[str]) -> tuple[str, ...]:
        """The variables that a loop reads and changes, which have values before it."""
        before = analysis.reaching.before[analysis.graph.places[loop].enter.index]
        absent = {*hidden, *analysis.ordered(before.unbound | before.undefined)}
        return tuple(each for each in analysis.state(loop) if each not in absent)

    # The functions.

    def first(self) -> Segment:
        """From the beginning."""
        parameters = tuple(scope_of(self.function).params)
        body = self._block(self.function.body)
        made = copy.deepcopy(self.function)
        made.body = self._whole(body, made, [])
        return Segment(made, parameters)

    def after(self, number: int, *, throws: bool = False) -> Segment:
        """From a `yield` on, where something is sent, or thrown."""
        site = self._sites[number]
        resumed = self._resumed(self.function.body, number, throws)
        assert resumed is not None, "there is such a yield"
        extra = [self.thrown] if throws else [self.sent] if site.receives else []
        parameters = (*site.state, *extra)
        made = copy.deepcopy(self.function)
        doubtful = [each for each in site.state if each in self._doubtful]
        taken = self._taken(site.state, made)
        made.body = [*copy.deepcopy(self.declared), *taken, *self._whole(resumed, made, doubtful)]
        made.args = gast.arguments(
            [name(each, made, gast.Param()) for each in parameters], [], None, [], [], None, []
        )
        made.returns = None
        return Segment(made, parameters)

    def _whole(self, body: list[Any], origin: Any, doubtful: list[str]) -> list[Any]:
        before: list[Any] = []
        if any(self.left in _names(stmt) for stmt in body):
            before += replace("left_ = False", origin, left_=self.left)
        code = "if h_.is_missing(name_):\n    del name_"
        before += [statement(code, origin, h_=self.helpers, name_=each) for each in doubtful]
        before += [copy.deepcopy(each) for each in self._remade.values()]
        if not always_leaves(body):
            end = constant(None, body[-1] if body else origin)
            body = [*body, self._ended(end)]
        return [*before, *body]

    def _taken(self, state: tuple[str, ...], origin: Any) -> list[Any]:
        """The state as the function has it, which may be kept otherwise in between."""
        return self._passed("taken", state, origin)

    def _passed(self, helper: str, variables: tuple[str, ...], origin: Any) -> list[Any]:
        """Variables, as a helper gives them."""
        if not variables:
            return []
        made = statement(f"x_ = h_.{helper}()", origin, x_=variables, h_=self.helpers)
        made.value.args = names(variables, origin).elts
        return [made]

    def _ended(self, value: Any) -> Any:
        return statement("return h_.ended(value_)", value, h_=self.helpers, value_=value)

    # What runs until the next `yield`.

    def _block(self, stmts: Sequence[Any]) -> list[Any]:
        out: list[Any] = []
        for stmt in stmts:
            out += self._statement(stmt)
            if always_leaves(out[-1:]):
                break
        return out

    def _statement(self, stmt: Any) -> list[Any]:
        if getattr(stmt, "site", None) is not None:
            return self._suspension(stmt)
        if isinstance(stmt, gast.Return):
            value = copy.deepcopy(stmt.value) or constant(None, stmt)
            return [*self._leaving(stmt, self._ended(value))]
        if isinstance(stmt, SCOPES):
            return [copy.deepcopy(stmt)]
        made = self._shallow(stmt)
        yields = has_yield(stmt)
        if isinstance(made, gast.Try) and made.finalbody and yields:
            made.finalbody = [self._unless_left(made.finalbody)]
        if not (isinstance(made, gast.While) and yields):
            return [made]
        iteration = self._once(made) if always_leaves(made.body) else [made]
        return [*self._entering(stmt), *iteration]

    def _again(self, loop: Any) -> list[Any]:
        """A loop that is gone on with."""
        entering = len(self._entering(loop))
        return self._statement(loop)[entering:]

    def _entering(self, loop: Any) -> list[Any]:
        """What a loop carries, before it: run-time numbers, as in its later iterations."""
        return self._passed("carried", self._carried[loop], loop)

    def _shallow(self, stmt: Any) -> Any:
        """A copy of a statement, whose blocks are those of the segment."""
        blocks = blocks_of(stmt)
        own: dict[int, Any] = {id(each): self._block(each) or [_pass(stmt)] for each in blocks}
        return copy.deepcopy(stmt, own)

    def _once(self, loop: Any) -> list[Any]:
        """A loop that is left in its first iteration."""
        if isinstance(loop.test, gast.Constant) and loop.test.value:
            return list(loop.body)
        return [gast.copy_location(gast.If(loop.test, loop.body, []), loop)]

    def _suspension(self, stmt: Any) -> list[Any]:
        node = _yielding(stmt)
        site = self._sites[stmt.site]
        value = copy.deepcopy(node.value) if node.value is not None else constant(None, node)
        state = names(site.state, stmt)
        for each in state.elts:
            each.may_be_unbound = each.id in self._doubtful
        kept = self.namer.fresh("value")
        made = replace(
            _SUSPENDED,
            stmt,
            h_=self.helpers,
            value_=kept,
            item_=value,
            number_=constant(site.number, stmt),
            state_=state,
        )
        return [made[0], *self._leaving(stmt, made[1])]

    def _leaving(self, stmt: Any, leave: Any) -> list[Any]:
        if getattr(stmt, "site", None) is None or not self._sites[stmt.site].is_guarded:
            return [leave]
        return [statement("left_ = True", stmt, left_=self.left), leave]

    def _unless_left(self, stmts: list[Any]) -> Any:
        code = "if not left_:\n    stmts_"
        return statement(code, stmts[0], left_=self.left, stmts_=stmts)

    # What follows a `yield`.

    def _resumed(self, stmts: Sequence[Any], number: int, throws: bool) -> list[Any] | None:
        for index, stmt in enumerate(stmts):
            inner = self._inside(stmt, number, throws)
            if inner is not None:
                rest = [] if always_leaves(inner) else self._block(stmts[index + 1 :])
                return [*inner, *rest]
        return None

    def _inside(self, stmt: Any, number: int, throws: bool) -> list[Any] | None:
        if isinstance(stmt, SCOPES):
            return None
        if getattr(stmt, "site", None) == number:
            return self._received(stmt, throws)
        for block in blocks_of(stmt):
            inner = self._resumed(block, number, throws)
            if inner is not None:
                return self._around(stmt, block, inner)
        return None

    def _received(self, stmt: Any, throws: bool) -> list[Any]:
        if throws:
            code = "raise h_.as_thrown(thrown_)"
            return replace(code, stmt, h_=self.helpers, thrown_=self.thrown)
        if isinstance(stmt, gast.Assign):
            return replace("name_ = sent_", stmt, name_=stmt.targets[0].id, sent_=self.sent)
        return []

    def _around(self, stmt: Any, block: list[Any], inner: list[Any]) -> list[Any]:
        """The rest of a statement, whose block has been resumed."""
        if isinstance(stmt, LOOPS):
            return inner if always_leaves(inner) else [*inner, *self._again(stmt)]
        if not isinstance(stmt, gast.Try):
            return inner
        made = self._shallow(stmt)
        made.finalbody = [self._unless_left(made.finalbody)] if made.finalbody else []
        made.body = inner or [_pass(stmt)]
        if block is not stmt.body:
            made.handlers, made.orelse = [], []
            for handler in stmt.handlers:
                if block is handler.body:
                    _refuse_in_handler(handler, inner)
            if not made.finalbody:
                return inner
        return [made]


def _yielding(stmt: Any) -> Any:
    """The `yield` that a statement is."""
    value = getattr(stmt, "value", None)
    if isinstance(stmt, gast.Expr | gast.Assign) and isinstance(value, YIELDS):
        return value
    return None


def _catches(stmt: Any, block: list[Any]) -> bool:
    """Whether what is thrown in a block of a `try` has an effect."""
    return block is stmt.body or bool(stmt.finalbody)


def _pass(origin: Any) -> Any:
    return gast.copy_location(gast.Pass(), origin)


def _names(stmt: Any) -> set[str]:
    return {each.id for each in gast.walk(stmt) if isinstance(each, gast.Name)}


def _refuse_in_handler(handler: Any, inner: list[Any]) -> None:
    """What is caught is not known any more after a `yield`."""
    bare = any(isinstance(s, gast.Raise) and s.exc is None for s in own_statements(inner))
    named = handler.name is not None and any(handler.name.id in _names(stmt) for stmt in inner)
    if bare or named:
        raise UnsupportedError(
            _at(handler, "an except clause that uses what it has caught after a yield")
        )


def _at(stmt: Any, what: str) -> str:
    return f"line {stmt.lineno}: {what} is not recorded"


def _remade(function: Any, analysis: Analysis) -> dict[str, Any]:
    """The functions that each segment defines for itself, over its own variables."""
    bound: dict[str, int] = {}
    found: dict[str, Any] = {}
    for stmt in own_statements(function.body):
        node = analysis.graph.steps.get(stmt)
        for each in () if node is None else node.access.modifies:
            bound[each] = bound.get(each, 0) + 1
        plain = isinstance(stmt, gast.FunctionDef) and not stmt.decorator_list
        if plain and not (stmt.args.defaults or any(stmt.args.kw_defaults)):
            found[stmt.name] = stmt
        elif _is_lambda(stmt):
            found[stmt.targets[0].id] = stmt
    return {key: each for key, each in found.items() if bound.get(key) == 1}


def _is_lambda(stmt: Any) -> bool:
    if not isinstance(stmt, gast.Assign) or not isinstance(stmt.value, gast.Lambda):
        return False
    args = stmt.value.args
    target = stmt.targets[0]
    return len(stmt.targets) == 1 and isinstance(target, gast.Name) and not (
        args.defaults or any(args.kw_defaults)
    )  # fmt: skip
