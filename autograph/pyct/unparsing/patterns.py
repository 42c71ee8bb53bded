"""`match` and its patterns."""

# ruff: noqa: N802 (methods are named after the classes of nodes)

from __future__ import annotations

from typing import Any

from agir.autograph.pyct.unparsing.levels import TEST, WALRUS
from agir.autograph.pyct.unparsing.writer import Writer


class Patterns(Writer):
    """One method a pattern."""

    def _Match(self, t: Any) -> None:
        self.fill("match ")
        self.at(TEST, t.subject)
        self.suite(t.cases)

    def _match_case(self, t: Any) -> None:
        self.fill("case ")
        self.dispatch(t.pattern)
        if t.guard:
            self.write(" if ")
            self.at(WALRUS, t.guard)
        self.suite(t.body)

    def _MatchValue(self, t: Any) -> None:
        self.dispatch(t.value)

    def _MatchSingleton(self, t: Any) -> None:
        self.write(repr(t.value))

    def _MatchSequence(self, t: Any) -> None:
        with self.enclosed("[]"):
            self.series(self.dispatch, t.patterns)

    def _MatchStar(self, t: Any) -> None:
        self.write(f"*{t.name or '_'}")

    def _MatchMapping(self, t: Any) -> None:
        with self.enclosed("{}"):
            self.series(self.pair, list(zip(t.keys, t.patterns, strict=True)))
            if t.rest:
                self.write(f", **{t.rest}" if t.keys else f"**{t.rest}")

    def pair(self, pair: tuple[Any, Any]) -> None:
        self.dispatch(pair[0])
        self.write(": ")
        self.dispatch(pair[1])

    def _MatchClass(self, t: Any) -> None:
        self.dispatch(t.cls)
        with self.enclosed("()"):
            named = zip(t.kwd_attrs, t.kwd_patterns, strict=True)
            self.series(self.sub_pattern, [*((None, each) for each in t.patterns), *named])

    def sub_pattern(self, part: tuple[str | None, Any]) -> None:
        if part[0] is not None:
            self.write(f"{part[0]}=")
        self.dispatch(part[1])

    def _MatchAs(self, t: Any) -> None:
        if t.pattern is None:
            self.write(t.name or "_")
            return
        with self.enclosed("()"):
            self.dispatch(t.pattern)
            self.write(f" as {t.name}")

    def _MatchOr(self, t: Any) -> None:
        with self.enclosed("()"):
            self.series(self.dispatch, t.patterns, " | ")
