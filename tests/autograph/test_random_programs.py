"""Random programs mean the same converted, with plain values and with staged ones."""

from __future__ import annotations

import linecache
import random
from collections.abc import Callable
from typing import Any

import hypothesis
import hypothesis.strategies as st

from agir.autograph import convert, to_code

NAMES = ("a", "b", "c", "d", "e")


class Stop(Exception):
    """The program has run for long enough."""


class Writer:
    """Writes one program; every choice comes from one random number generator."""

    def __init__(self, seed: int) -> None:
        self.random = random.Random(seed)
        self.lines: list[str] = []
        self.indent = 0
        self.loops = 0
        self.functions = 0
        self.guarding = 0
        """Clauses of `finally` that a `return` would leave."""

    def program(self) -> str:
        self.line("def f(a, b):")
        self.block(4, depth=0)
        if self.random.random() < 0.7:
            self.line(f"    return ({', '.join(self.random.sample(NAMES, 2))})")
        return "\n".join(self.lines) + "\n"

    def line(self, text: str) -> None:
        self.lines.append("    " * self.indent + text)

    def block(self, size: int, depth: int) -> None:
        self.indent += 1
        for _ in range(self.random.randint(1, size)):
            self.statement(depth)
        self.indent -= 1

    def statement(self, depth: int) -> None:
        simple = [self.assign] * 4 + [self.augment, self.unpack, self.note, self.delete]
        simple += [self.walrus, self.jump, self.jump, self.throw, self.check]
        deep = [self.branch, self.branch, self.over, self.over, self.during, self.attempt]
        deep += [self.managed, self.function, self.match]
        self.random.choice(simple + deep if depth < 4 else simple)(depth)

    # Expressions.

    def name(self) -> str:
        return self.random.choice(NAMES)

    def expression(self, depth: int = 0) -> str:
        kind = self.random.randint(0, 11 if depth < 2 else 2)
        inner = lambda: self.expression(depth + 1)  # noqa: E731
        if kind <= 1:
            return self.name()
        if kind == 2:
            return str(self.random.randint(-1, 5))
        if kind == 3:
            return f"({inner()} {self.random.choice(['and', 'or'])} {inner()})"
        if kind == 4:
            return f"(not {inner()})"
        if kind == 5:
            return f"({inner()} if {self.test(depth + 1)} else {inner()})"
        if kind == 6:
            return f"note({inner()})"
        if kind == 7:
            return self.test(depth + 1)
        if kind == 8 and depth == 0:
            return f"total(note({self.name()}) + v for v in (1, 2))"
        if kind == 9:
            return f"(lambda v: v + {self.name()})({inner()})"
        operator = self.random.choice(["+", "-", "*", "//"])
        return f"({inner()} {operator} {inner()})"

    def test(self, depth: int = 0) -> str:
        a, b, c = (self.expression(depth + 1) for _ in range(3))
        operator = self.random.choice(["<", "<=", "!=", "=="])
        if self.random.random() < 0.2:
            return f"({a} <= note({b}) {operator} {c})"
        if self.random.random() < 0.15:
            return f"({a} and ({self.name()} := {b}) {operator} {c})"
        return f"({a} {operator} {b})"

    # Statements.

    def assign(self, depth: int) -> None:
        self.line(f"{self.name()} = {self.expression()}")

    def augment(self, depth: int) -> None:
        self.line(f"{self.name()} {self.random.choice(['+', '-'])}= {self.expression()}")

    def unpack(self, depth: int) -> None:
        x, y = self.random.sample(NAMES, 2)
        self.line(f"{x}, {y} = {self.expression()}, {self.expression()}")

    def note(self, depth: int) -> None:
        self.line(f"note({self.expression()})")

    def delete(self, depth: int) -> None:
        self.line(f"del {self.name()}" if self.random.random() < 0.4 else "note(0)")

    def walrus(self, depth: int) -> None:
        self.line(f"note(({self.name()} := {self.expression()}))")

    def check(self, depth: int) -> None:
        self.line(f"assert {self.test()}, note(7)")

    def throw(self, depth: int) -> None:
        if self.random.random() < 0.4:
            self.line(f"raise ValueError({self.random.randint(0, 9)})")
        else:
            self.assign(depth)

    def jump(self, depth: int) -> None:
        if self.guarding and self.random.random() < 0.7:
            return self.note(depth)
        kinds = ["return", f"return {self.expression()}"]
        if self.loops:
            kinds += ["break", "continue"] * 3
        self.line(self.random.choice(kinds or ["pass"]))

    def branch(self, depth: int) -> None:
        self.line(f"if {self.test()}:")
        self.block(3, depth + 1)
        while self.random.random() < 0.25:
            self.line(f"elif {self.test()}:")
            self.block(2, depth + 1)
        if self.random.random() < 0.5:
            self.line("else:")
            self.block(2, depth + 1)

    def over(self, depth: int) -> None:
        iterated = self.random.choice(["range(3)", "items()", "items()"])
        if self.random.random() < 0.2:
            self.line(f"for {self.name()}, {self.name()} in pairs():")
        else:
            self.line(f"for {self.name()} in {iterated}:")
        self.loop(depth)

    def during(self, depth: int) -> None:
        test = self.random.choice(["True", self.test(), self.test()])
        self.line(f"while {test}:")
        self.loop(depth)

    def loop(self, depth: int) -> None:
        self.loops += 1
        self.indent += 1
        self.line("tick()")
        self.indent -= 1
        self.block(3, depth + 1)
        self.loops -= 1
        if self.random.random() < 0.25:
            self.line("else:")
            self.block(2, depth + 1)

    def attempt(self, depth: int) -> None:
        self.line("try:")
        self.block(3, depth + 1)
        caught = self.random.random() < 0.75
        if caught:
            kinds = ["ValueError", "(NameError, TypeError)", "Exception"]
            name = self.random.choice(["", " as x", f" as {self.name()}"])
            self.line(f"except {self.random.choice(kinds)}{name}:")
            self.block(2, depth + 1)
            if self.random.random() < 0.3:
                self.line("else:")
                self.block(2, depth + 1)
        if not caught or self.random.random() < 0.3:
            self.line("finally:")
            self.guarding += 1
            self.block(2, depth + 1)
            self.guarding -= 1

    def managed(self, depth: int) -> None:
        bound = f" as {self.name()}" if self.random.random() < 0.3 else ""
        self.line(f"with manager(){bound}:")
        self.block(3, depth + 1)

    def match(self, depth: int) -> None:
        self.line(f"match {self.expression()}:")
        self.indent += 1
        self.line("case None:")
        self.block(2, depth + 1)
        self.line(f"case {self.random.choice(['_', self.name()])}:")
        self.block(2, depth + 1)
        self.indent -= 1

    def function(self, depth: int) -> None:
        self.functions += 1
        name = f"g{self.functions}"
        around = (self.loops, self.guarding)
        self.loops = self.guarding = 0
        self.line(f"def {name}({self.random.choice(['', 'a', 'b, c=1'])}):")
        if self.random.random() < 0.3 and "(a" not in self.lines[-1]:
            self.line("    nonlocal a")
        self.block(2, depth + 2)
        self.loops, self.guarding = around
        self.line(f"note({name})")
        argument = {"": "", "a": "1", "b, c=1": "2"}
        signature = next(
            line for line in reversed(self.lines) if line.strip().startswith(f"def {name}(")
        )
        given = argument[signature.partition("(")[2].partition(")")[0]]
        self.line(f"{self.name()} = {name}({given})")


class Manager:
    def __init__(self, note: Callable[[Any], Any]) -> None:
        self.note = note

    def __enter__(self) -> int:
        self.note("enter")
        return 3

    def __exit__(self, *args: object) -> None:
        self.note("exit")


def observe(
    f: Callable[..., Any], log: list[Any], hide: Callable[[Any], Any], reveal: Callable[[Any], Any]
) -> Any:
    """Everything that can be seen of a call."""
    fuel = [40]
    log.clear()

    def tick() -> None:
        fuel[0] -= 1
        if not fuel[0]:
            raise Stop

    def note(value: Any) -> Any:
        seen = reveal(value)
        log.append("function" if callable(seen) else repr(seen))
        return value

    namespace = f.__globals__  # type: ignore[attr-defined]
    namespace.update(
        tick=tick,
        note=note,
        items=lambda: hide([2, 0, 1]),
        pairs=lambda: [(1, 2), (0, 4)],
        manager=lambda: Manager(note),
        total=lambda values: sum(values, hide(0)),
    )
    try:
        result = ("returned", repr(reveal(f(hide(2), hide(0)))))
    except Stop:
        result = ("stopped", "")
    except Exception as error:
        result = (type(error).__name__, str(error))
    return result, list(log)


def load(source: str, filename: str) -> Any:
    linecache.cache[filename] = (len(source), None, source.splitlines(True), filename)
    namespace: dict[str, Any] = {"__name__": "program"}
    exec(compile(source, filename, "exec"), namespace)
    return namespace["f"]


def check(seed: int, hide: Any, reveal: Any, log: list[Any]) -> None:
    source = Writer(seed).program()
    filename = f"<program {seed}>"
    try:
        f = load(source, filename)
    except SyntaxError:
        return
    try:
        expected = observe(f, log, lambda value: value, reveal)
        got = observe(convert(f), log, hide, reveal)
        if "<" in expected[0][1] or "Hidden" in got[0][1]:
            return
        assert got == expected, f"{got}\n{expected}\n{source}\n{to_code(f)}"
    finally:
        del linecache.cache[filename]


@hypothesis.given(st.integers(0, 10**9))
def test_plain(seed: int) -> None:
    check(seed, lambda value: value, lambda value: value, [])


@hypothesis.given(seed=st.integers(0, 10**9))
@hypothesis.settings(
    suppress_health_check=[hypothesis.HealthCheck.function_scoped_fixture],
)
def test_staged(seed: int, staging: Any, Hidden: Any, reveal: Any) -> None:
    check(seed, Hidden, reveal, staging.log)
