"""`match` becomes `if` statements, and what is more than a comparison an object that describes it.

::

    match f():                      subject = f()
        case 0 | 1:                 if subject == 0 or subject == 1:
            a()                         a()
        case [x, K.NAME] if b:      else:
            c(x)                        match = ag__.match(subject, ag__.matching.Sequence(…), ('x',))
        case _:                         chosen = False
            d()                         if match.test:
                                            (x,) = match.values
                                            if b:
                                                chosen = True
                                        if chosen:
                                            c(x)
                                        else:
                                            d()

This is done before any other rewriting, so that the statements in the cases are converted as those
of branches are.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import gast

from agir.autograph.converters.common.context import Context
from agir.autograph.converters.common.jumps import blocks_of
from agir.autograph.pyct.delayed import delayed
from agir.autograph.pyct.templates import (
    call,
    constant,
    expression,
    name,
    names,
    replace,
    statement,
)

GUARDED = """
chosen_ = False
if test_:
    bind_
    if guard_:
        chosen_ = True
if chosen_:
    body_
else:
    rest_
"""
BRANCH = """
if test_:
    body_
else:
    rest_
"""


def lower_matches(stmts: Sequence[Any], context: Context) -> list[Any]:
    """A block without `match` statements."""
    out: list[Any] = []
    for stmt in stmts:
        for block in blocks_of(stmt):
            block[:] = lower_matches(block, context)
        out += _Match(context).lower(stmt) if isinstance(stmt, gast.Match) else [stmt]
    return out


class _Match:
    """One `match` statement."""

    def __init__(self, context: Context) -> None:
        self.context = context
        self.patterns = _Patterns(context.operators)
        self.subject = context.namer.fresh("subject")

    def lower(self, stmt: Any) -> list[Any]:
        """What takes the place of the statement."""
        cases = [_Case(case, self.context) for case in stmt.cases]
        rest: list[Any] = []
        for case in reversed(cases):
            rest = self.case(case, rest)
        before = statement("subject_ = value_", stmt, subject_=self.subject, value_=stmt.subject)
        return [before, *rest]

    def case(self, case: _Case, rest: list[Any]) -> list[Any]:
        """One case, and what is tried after it."""
        if case.matches_anything:
            return self.anything(case, rest)
        if case.match is not None:
            return self.capturing(case, case.match, rest)
        return self.chosen(case, self.test(case), [], rest)

    def anything(self, case: _Case, rest: list[Any]) -> list[Any]:
        """``case name`` and ``case _``, which match whatever comes."""
        bind: list[Any] = []
        for each in case.captured:
            code = "name_ = subject_"
            bind = replace(code, case.pattern, name_=each, subject_=self.subject)
        if case.guard is None:
            return [*bind, *case.body]
        return [*bind, *_branch(case.pattern, case.guard, case.body, rest)]

    def capturing(self, case: _Case, match: str, rest: list[Any]) -> list[Any]:
        """A case that binds names, once its pattern has matched and before its guard is tried."""
        pattern = case.pattern
        value = call(
            f"{self.context.operators}.match",
            pattern,
            name(self.subject, pattern),
            self.patterns.object(pattern),
            constant(case.captured, pattern),
        )
        before = statement("match_ = value_", pattern, match_=match, value_=value)
        values = expression("match_.values", pattern, match_=match)
        bind = replace("names_ = values_", pattern, names_=case.captured, values_=values)
        test = expression("match_.test", pattern, match_=match)
        return [before, *self.chosen(case, test, bind, rest)]

    def chosen(self, case: _Case, test: Any, bind: list[Any], rest: list[Any]) -> list[Any]:
        """The statements that follow a pattern's test, with the guard if there is one."""
        if case.guard is None:
            return _branch(case.pattern, test, [*bind, *case.body], rest)
        if case.chosen is None:
            both = gast.BoolOp(gast.And(), [test, case.guard])
            return _branch(case.pattern, gast.copy_location(both, case.guard), case.body, rest)
        return replace(
            GUARDED,
            case.pattern,
            chosen_=case.chosen,
            test_=test,
            bind_=bind,
            guard_=case.guard,
            body_=case.body,
            rest_=rest,
        )

    def test(self, case: _Case) -> Any:
        """Whether a pattern that binds nothing matches."""
        pattern = case.pattern
        if _is_comparison(pattern):
            return self.comparison(pattern)
        operator = f"{self.context.operators}.matches"
        subject = name(self.subject, pattern)
        return call(operator, pattern, subject, self.patterns.object(pattern))

    def comparison(self, pattern: Any) -> Any:
        """The pattern as an expression."""
        if isinstance(pattern, gast.MatchOr):
            tests = [self.comparison(each) for each in pattern.patterns]
            return gast.copy_location(gast.BoolOp(gast.Or(), tests), pattern)
        none = isinstance(pattern, gast.MatchSingleton)
        value = constant(None, pattern) if none else pattern.value
        operator = gast.Is() if none else gast.Eq()
        subject = name(self.subject, pattern)
        return gast.copy_location(gast.Compare(subject, [operator], [value]), pattern)


class _Case:
    """A case, and the variables that it needs."""

    def __init__(self, case: Any, context: Context) -> None:
        namer = context.namer
        self.pattern, self.guard, self.body = case.pattern, case.guard, case.body
        self.captured = tuple(dict.fromkeys(_captured(case.pattern)))
        self.matches_anything = (
            isinstance(self.pattern, gast.MatchAs) and self.pattern.pattern is None
        )
        self.match: str | None = None
        self.chosen: str | None = None
        if not self.matches_anything:
            self.match = namer.fresh("match") if self.captured else None
            context.temporaries.update([self.match] if self.match else [])
            if self.guard is not None and (self.captured or not _can_follow(self.guard)):
                self.chosen = namer.fresh("chosen")


def _can_follow(guard: Any) -> bool:
    """Whether a guard may be an operand: a truth value, which assigns nothing."""
    assigns = any(isinstance(each, gast.NamedExpr) for each in gast.walk(guard))
    return isinstance(guard, gast.Compare) and not assigns


def _branch(origin: Any, test: Any, body: list[Any], rest: list[Any]) -> list[Any]:
    return replace(BRANCH, origin, test_=test, body_=body, rest_=rest)


def _is_comparison(pattern: Any) -> bool:
    """Whether the pattern is one of values, and of None."""
    if isinstance(pattern, gast.MatchOr):
        return all(map(_is_comparison, pattern.patterns))
    if isinstance(pattern, gast.MatchSingleton):
        return pattern.value is None
    return isinstance(pattern, gast.MatchValue)


def _captured(pattern: Any) -> list[str]:
    """The names that a pattern binds, in the order of the source."""
    below = [each for part in gast.iter_child_nodes(pattern) for each in _captured(part)]
    own = getattr(pattern, "rest" if isinstance(pattern, gast.MatchMapping) else "name", None)
    return [*below, own] if own is not None else below


class _Patterns:
    """Makes the expressions whose values are the objects of `agir.autograph.operators.matching`."""

    def __init__(self, operators: str) -> None:
        self.module = f"{operators}.matching"

    def object(self, pattern: Any) -> Any:
        """The expression for a pattern."""
        method: Callable[[Any], Any] = getattr(self, f"of_{type(pattern).__name__}")
        return method(pattern)

    def make(self, kind: str, origin: Any, *args: Any) -> Any:
        return call(f"{self.module}.{kind}", origin, *args)

    def several(self, patterns: Sequence[Any], origin: Any) -> Any:
        node = names((), origin)
        node.elts = [self.object(each) for each in patterns]
        return node

    def of_MatchValue(self, pattern: Any) -> Any:  # noqa: N802
        if any(isinstance(each, gast.Name) for each in gast.walk(pattern.value)):
            return self.make("Value", pattern, delayed(pattern.value))
        return self.make("Literal", pattern, pattern.value)

    def of_MatchSingleton(self, pattern: Any) -> Any:  # noqa: N802
        return self.make("Singleton", pattern, constant(pattern.value, pattern))

    def of_MatchAs(self, pattern: Any) -> Any:  # noqa: N802
        if pattern.name is None:
            return self.make("Wildcard", pattern)
        capture = self.make("Capture", pattern, constant(pattern.name, pattern))
        if pattern.pattern is not None:
            capture.args.append(self.object(pattern.pattern))
        return capture

    def of_MatchOr(self, pattern: Any) -> Any:  # noqa: N802
        return self.make("Or", pattern, *map(self.object, pattern.patterns))

    def of_MatchStar(self, pattern: Any) -> Any:  # noqa: N802
        captured = [] if pattern.name is None else [constant(pattern.name, pattern)]
        return self.make("Star", pattern, *captured)

    def of_MatchSequence(self, pattern: Any) -> Any:  # noqa: N802
        return self.make("Sequence", pattern, *map(self.object, pattern.patterns))

    def of_MatchMapping(self, pattern: Any) -> Any:  # noqa: N802
        keys = names((), pattern)
        keys.elts = pattern.keys
        values = self.several(pattern.patterns, pattern)
        rest = [] if pattern.rest is None else [constant(pattern.rest, pattern)]
        return self.make("Mapping", pattern, delayed(keys), values, *rest)

    def of_MatchClass(self, pattern: Any) -> Any:  # noqa: N802
        made = self.make("Class", pattern, delayed(pattern.cls))
        if pattern.patterns or pattern.kwd_patterns:
            made.args.append(self.several(pattern.patterns, pattern))
        if pattern.kwd_patterns:
            made.args.append(constant(tuple(pattern.kwd_attrs), pattern))
            made.args.append(self.several(pattern.kwd_patterns, pattern))
        return made
