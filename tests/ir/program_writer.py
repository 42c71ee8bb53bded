"""Writes random programs of the whole language.

A method is a construct; the tables say how often each is chosen, and `OPTIONAL` names those that
are asked for by name.  Every program ends: a loop counts, over a range or with a counter of its own.
Ints stay small and floats are sums of halves, so that arithmetic is exact in every precision.
"""

from __future__ import annotations

import random
from collections.abc import Callable, Iterable
from contextlib import contextmanager
from typing import Any

PRELUDE = """\
class Thing:
    def __init__(self, n):
        self.n = n
        self.m = 0

    def bump(self, k):
        self.n = (self.n + k) % 1009
        return self.n


class Manager:
    def __init__(self, name):
        self.name = name

    def __enter__(self):
        print("enter", self.name)
        return 3

    def __exit__(self, *args):
        print("exit", self.name)


def helper(p, q=2):
    while p > 20:
        p -= 7 + q
        if p % 5 == 3:
            return p
    return p + q


"""

STATEMENTS = {
    "assign": 6, "augment": 3, "store": 3, "store_slice": 1, "unpack": 2, "unpack_star": 1,
    "assign_float": 2, "augment_float": 1, "assign_maybe": 3, "delete": 0.2, "walrus": 1,
    "append": 2, "pop": 1, "set_item": 1, "entry": 2, "attribute": 2, "method": 1, "pair": 1,
    "none": 1, "closure": 1.2, "function": 1, "say": 1, "global_": 0.5,
}  # fmt: skip
COMPOUND = {
    "branch": 5, "count": 3, "during": 2, "forever": 1, "over_array": 1.5, "over_list": 0.7,
    "over_tuple": 0.5, "over_dict": 0.5,
}  # fmt: skip
JUMPS = {"jump": 2.5, "leave": 0.4}
OPTIONAL = {
    "assert": {"check": 1},
    "raise": {"throw": 0.7},
    "try": {"attempt": 2},
    "with": {"managed": 1},
    "comprehension": {"comprehension": 2},
    "generator": {"generator": 1},
    "match": {"match": 1.5},
}
"""By name, what is written only if the name is asked for."""
NESTED = {"attempt", "managed", "match"}

VALUES = {
    "variable": 6, "constant": 3, "arithmetic": 4, "division": 2, "choice": 1.5, "element": 2,
    "logic": 1, "item": 1, "field": 1.5, "length": 0.7, "maybe": 0.15, "best": 0.6, "call": 1.2,
    "rounding": 0.4, "extremum": 0.6, "flag": 0.4, "risky": 0.25, "inner_walrus": 0.3,
}  # fmt: skip
LEAVES = {"variable": 6, "constant": 3}
TESTS = {
    "compare": 8, "chain": 1, "negation": 1, "both": 2, "member": 0.7, "absent": 0.7,
    "compare_float": 1.5, "truth": 1,
}  # fmt: skip


class Writer:
    """Writes one program: ``f(a, b, u, x)`` of two ints, a float and an int array."""

    def __init__(self, seed: int, features: Iterable[str] = ()) -> None:
        self.random = random.Random(seed)
        self.features = frozenset(features)
        self.simple, self.compound = dict(STATEMENTS), dict(COMPOUND)
        for name in sorted(self.features):
            for kind, weight in OPTIONAL[name].items():
                (self.compound if kind in NESTED else self.simple)[kind] = weight
        self.lines: list[str] = []
        self.depth = 0
        self.names = 0
        self.ints = ["a", "b", "c"]
        """Ints that can be read, which surely have a value."""
        self.targets = ["a", "b", "c"]
        """Ints that can be assigned to."""
        self.callables = ["helper"]
        self.loops = 0
        self.finals = 0
        self.nested = False
        """Inside of a nested function."""
        self.iterating = False
        """Inside of a loop over the list, which must not grow."""

    def program(self) -> str:
        """The text of the program, without the prelude."""
        self.line("def f(a, b, u, x):")
        with self.indented():
            if self.chance(0.3):
                self.line("global G")
                self.targets.append("G")
            for text in (
                "c, G = 1, 0" if "G" in self.targets else "c = 1",
                "v = 0.5",
                "l = [a, 2, b]",
            ):
                self.line(text)
            self.line("m: int")  # local variables without a value
            self.line("w: int")
            for text in ('d = {"p": a, "q": 1}', "o = Thing(b)", "t = (a, 3)", "best = None"):
                self.line(text)
            if "G" in self.targets:
                self.ints.append("G")
            for _ in range(self.random.randint(3, 7)):
                self.statement()
            self.line(self.result())
        return "\n".join(self.lines) + "\n"

    def result(self) -> str:
        rest = "G" if "G" in self.ints else "3"
        parts = f'l, d["p"], d["q"], o.n, o.m, t, best, x[0], {rest}'
        return f"return {self.value()}, a, b, c, u, v, {parts}"

    # Means of writing.

    def line(self, text: str) -> None:
        self.lines.append("    " * self.depth + text)

    @contextmanager
    def indented(self) -> Any:
        self.depth += 1
        yield
        self.depth -= 1

    def block(self, size: int, *first: str) -> None:
        with self.indented():
            for text in first:
                self.line(text)
            for _ in range(self.random.randint(1, size)):
                self.statement()

    def pick(self, *choices: Any) -> Any:
        return self.random.choice(choices)

    def chance(self, share: float) -> bool:
        return self.random.random() < share

    def weighted(self, table: dict[str, float]) -> str:
        return self.random.choices(list(table), list(table.values()))[0]

    def fresh(self, stem: str) -> str:
        self.names += 1
        return f"{stem}{self.names}"

    def statement(self) -> None:
        table = dict(self.simple)
        if self.depth < 5:
            table.update(self.compound)
        if self.loops:
            table["jump"] = JUMPS["jump"]
        if not self.finals:
            table["leave"] = JUMPS["leave"]
        if self.nested:
            for kind in ("append", "pop", "function", "global_", "generator"):
                table.pop(kind, None)
        if self.iterating:
            for kind in ("append", "pop"):
                table.pop(kind, None)
        getattr(self, self.weighted(table))()

    # Values.

    def value(self, depth: int = 0) -> str:
        """An int."""
        kind = self.weighted(VALUES if depth < 2 else LEAVES)
        return str(getattr(self, f"value_{kind}")(depth + 1))

    def value_variable(self, depth: int) -> str:
        return str(self.pick(*self.ints))

    def value_constant(self, depth: int) -> str:
        return str(self.random.randint(-3, 9))

    def value_arithmetic(self, depth: int) -> str:
        operator = self.pick("+", "-", "*")
        return f"({self.value(depth)} {operator} {self.value(depth)}) % 1009"

    def value_division(self, depth: int) -> str:
        return f"({self.value(depth)} {self.pick('//', '%')} {self.random.choice([2, 3, 7, -4])})"

    def value_risky(self, depth: int) -> str:
        return str(
            self.pick(
                f"({self.value(depth)} {self.pick('//', '%')} ({self.value(depth)}))",
                f"x[({self.value(depth)}) % 9]",
                f"l[({self.value(depth)}) % 9]",
                f"t[({self.value(depth)}) % 3 - 1]",
            )
        )

    def value_choice(self, depth: int) -> str:
        return f"({self.value(depth)} if {self.test(depth)} else {self.value(depth)})"

    def value_element(self, depth: int) -> str:
        return f"x[({self.value(depth)}) % len(x)]"

    def value_logic(self, depth: int) -> str:
        return f"({self.value(depth)} {self.pick('and', 'or')} {self.value(depth)})"

    def value_item(self, depth: int) -> str:
        return str(self.pick(f"l[({self.value(depth)}) % len(l)]", "t[0]", "t[1]", "t[-1]"))

    def value_field(self, depth: int) -> str:
        return str(self.pick("o.n", "o.m", 'd["p"]', 'd["q"]'))

    def value_length(self, depth: int) -> str:
        return str(self.pick("len(l)", "len(x)", "len(t)", "len(d)"))

    def value_maybe(self, depth: int) -> str:
        return str(self.pick("m", "w"))

    def value_best(self, depth: int) -> str:
        return str(
            self.pick("(0 if best is None else best)", "(best or 0)")
            if self.chance(0.97)
            else "(best + 1)"
        )

    def value_call(self, depth: int) -> str:
        more = f", {self.value(depth)}" if self.chance(0.3) else ""
        return f"{self.pick(*self.callables)}({self.value(depth)}{more})"

    def value_rounding(self, depth: int) -> str:
        return f"int({self.number(depth)})"

    def value_extremum(self, depth: int) -> str:
        return str(
            self.pick(
                f"{self.pick('min', 'max')}({self.value(depth)}, {self.value(depth)})",
                f"abs({self.value(depth)})",
                "sum(x)",
            )
        )

    def value_flag(self, depth: int) -> str:
        return f"int({self.test(depth)})"

    def value_inner_walrus(self, depth: int) -> str:
        return f"({self.pick(*self.targets)} := {self.value(depth)})"

    def number(self, depth: int = 0) -> str:
        """A float."""
        if depth >= 2:
            return str(self.pick("u", "v", "1.5", "-0.25"))
        left, right = self.number(depth + 1), self.number(depth + 1)
        return str(
            self.pick(
                "u",
                "v",
                f"({left} {self.pick('+', '-')} {right}) % 64",
                f"({left} + {self.value(depth + 1)}) % 64",
                f"{left} * 0.5 % 8",
                f"({self.value(depth + 1)}) / 4",
                f"({left} if {self.test(depth + 1)} else {right})",
                f"min({left}, {right})",
            )
        )

    def test(self, depth: int = 0) -> str:
        """A truth value."""
        kind = self.weighted(TESTS if depth < 3 else {"compare": 1})
        return str(getattr(self, f"test_{kind}")(depth + 1))

    def relation(self) -> str:
        return str(self.pick("<", "<=", "==", "!=", ">", ">="))

    def test_compare(self, depth: int) -> str:
        return f"{self.value(depth)} {self.relation()} {self.value(depth)}"

    def test_chain(self, depth: int) -> str:
        low, middle, high = (self.value(depth) for _ in range(3))
        return f"({low} {self.relation()} {middle} {self.relation()} {high})"

    def test_negation(self, depth: int) -> str:
        return f"(not ({self.test(depth)}))"

    def test_both(self, depth: int) -> str:
        return f"(({self.test(depth)}) {self.pick('and', 'or')} ({self.test(depth)}))"

    def test_member(self, depth: int) -> str:
        where = self.pick("l", "t", "(1, 2, 5)", f"[{self.value(depth)}, 0]")
        return f"({self.value(depth)} {self.pick('in', 'not in')} {where})"

    def test_absent(self, depth: int) -> str:
        return f"(best {self.pick('is', 'is not')} None)"

    def test_compare_float(self, depth: int) -> str:
        return f"{self.number(depth)} {self.relation()} {self.number(depth)}"

    def test_truth(self, depth: int) -> str:
        return str(self.pick(*self.ints, "l", "best"))

    # Simple statements.

    def assign(self) -> None:
        self.line(f"{self.pick(*self.targets)} = {self.value()}")

    def augment(self) -> None:
        name = self.pick(*self.targets)
        self.line(f"{name} {self.pick('+', '-', '*', '//', '%')}= {self.random.randint(2, 9)}")
        self.line(f"{name} %= 100003")

    def assign_float(self) -> None:
        if self.nested:
            return self.assign()
        return self.line(f"{self.pick('u', 'v')} = {self.number()}")

    def augment_float(self) -> None:
        if self.nested:
            return self.augment()
        name = self.pick("u", "v")
        self.line(f"{name} {self.pick('+', '-')}= {self.number()}")
        return self.line(f"{name} %= 64")

    def assign_maybe(self) -> None:
        """A name that has no value before."""
        if self.nested:
            return self.assign()
        return self.line(f"{self.pick('m', 'w')} = {self.value()}")

    def delete(self) -> None:
        if self.nested:
            return self.assign()
        return self.line(f"del {self.pick('m', 'w')}")

    def unpack(self) -> None:
        first, second = self.pick(*self.targets), self.pick(*self.targets)
        self.line(f"{first}, {second} = {self.value()}, {self.value()}")

    def unpack_star(self) -> None:
        name, rest = self.pick(*self.targets), self.fresh("r")
        values = ", ".join(self.value() for _ in range(self.random.randint(1, 4)))
        self.line(f"{name}, *{rest} = [{values}]")
        self.line(f"{self.pick(*self.targets)} = len({rest})")

    def walrus(self) -> None:
        self.line(f"if ({self.pick(*self.targets)} := {self.value()}) > {self.value()}:")
        self.block(2)

    def store(self) -> None:
        key = f"({self.value()}) % len(x)"
        self.line(f"x[{key}] {self.pick('=', '+=', '-=')} {self.value()} % 1009")
        self.line("x[:] %= 100003")

    def store_slice(self) -> None:
        key = self.pick("1:", "::2", "::-1", ":-2", "1:4")
        value = self.pick(f"x[{key}][::-1]", self.value())
        self.line(f"x[{key}] {self.pick('=', '+=')} {value}")
        self.line("x[:] %= 100003")

    def append(self) -> None:
        self.line(f"l.append({self.value()})")

    def pop(self) -> None:
        guard = f"len(l) > {self.random.randint(0, 3)}" if self.chance(0.9) else self.test()
        self.line(f"if {guard}:")
        with self.indented():
            self.line(f"{self.pick(*self.targets)} = l.pop({self.pick('', '', '0', '-1')})")

    def set_item(self) -> None:
        self.line(f"l[({self.value()}) % {self.pick('len(l)', 'len(l)', '2')}] = {self.value()}")

    def entry(self) -> None:
        self.line(f"d[{self.pick(*KEYS)}] {self.pick('=', '=', '+=')} {self.value()} % 1009")

    def attribute(self) -> None:
        self.line(f"o.{self.pick('n', 'm')} {self.pick('=', '=', '+=')} {self.value()} % 1009")

    def method(self) -> None:
        self.line(f"{self.pick(*self.targets)} = o.bump({self.value()})")

    def pair(self) -> None:
        if self.nested:
            return self.assign()
        return self.line(f"t = ({self.value()}, {self.pick('t[0]', 't[1]', self.value())})")

    def none(self) -> None:
        if self.nested:
            return self.assign()
        name = self.pick(*self.ints)
        return self.line(
            self.pick(
                "best = None",
                f"best = {self.value()}",
                f"if best is None or best < {name}: best = {name}",
            )
        )

    def say(self) -> None:
        value = self.value()
        inner = [each.replace('"', "'") for each in (value, self.number())]
        self.line(
            self.pick(
                f"print({value}, {self.value()})",
                f'print(f"{{{inner[0]}}} and {{{inner[1]}:.2f}}")',
                f'print("at", {value}, sep=": ")',
            )
        )

    def global_(self) -> None:
        if "G" not in self.targets:
            return self.assign()
        return self.line(f"G = {self.value()}")

    def closure(self) -> None:
        name = self.fresh("h")
        default = f", q={self.value()}" if self.chance(0.5) else ", q=0"
        around, self.targets = self.targets, ["p"]
        with self.reading("p", "q"):
            body = self.value()
        self.targets = around
        self.line(f"{name} = lambda p{default}: {body}")
        self.defined(name)

    def defined(self, name: str) -> None:
        """Call it now, and later where it surely exists."""
        self.line(f"{self.pick(*self.targets)} = {name}({self.value()})")
        if self.depth == 1:
            self.callables.append(name)

    @contextmanager
    def reading(self, *names: str) -> Any:
        self.ints += names
        yield
        del self.ints[-len(names) :]

    def function(self) -> None:
        name = self.fresh("g")
        self.line(f"def {name}(p, q=3):")
        shared = self.random.sample(["a", "b", "c"], self.random.randint(0, 2))
        around = self.targets, self.loops, self.nested, self.finals, self.iterating
        self.targets = ["p", "q", *shared]
        self.loops, self.nested, self.finals, self.iterating = 0, True, 0, False
        with self.reading("p", "q"):
            self.block(3, *([f"nonlocal {', '.join(shared)}"] if shared else []))
            with self.indented():
                self.line(f"return {self.value()}")
        self.targets, self.loops, self.nested, self.finals, self.iterating = around
        self.defined(name)

    # Compound statements.

    def branch(self) -> None:
        self.line(f"if {self.test()}:")
        self.block(3)
        while self.chance(0.25):
            self.line(f"elif {self.test()}:")
            self.block(2)
        if self.chance(0.5):
            self.line("else:")
            self.block(3)

    def count(self) -> None:
        name = self.fresh("k")
        stop = self.pick(f"({self.value()}) % 5", "len(l) % 4", str(self.random.randint(0, 4)))
        bounds = self.pick(stop, f"1, {stop}, 2", f"{stop}, -2, -1", f"{stop}, 0, -2")
        if self.chance(0.05):
            bounds = "70"
        self.line(f"for {name} in range({bounds}):")
        self.loop(name)

    def during(self) -> None:
        name = self.fresh("k")
        self.line(f"{name} = 0")
        self.line(f"while {name} < {self.random.randint(0, 5)} and ({self.test(1)}):")
        self.loop(name, first=[f"{name} += 1"])

    def forever(self) -> None:
        name = self.fresh("k")
        self.line(f"{name} = 0")
        self.line("while True:")
        leave = f"if {name} > {self.random.randint(0, 5)}: {self.pick('break', 'break', 'break')}"
        self.loop(name, first=[f"{name} += 1", leave])

    def over_array(self) -> None:
        first, second = self.fresh("k"), self.fresh("k")
        for_one = [f"for {first} in {each}:" for each in ("x", "reversed(x)", "x[1:]")]
        for_two = [
            f"for {first}, {second} in {each}:"
            for each in ("enumerate(x)", "enumerate(x, 2)", "zip(x, x[::-1])")
        ]
        if self.chance(0.5):
            self.line(self.pick(*for_one))
            self.loop(first)
        else:
            self.line(self.pick(*for_two))
            self.loop(first, second)

    def over_list(self) -> None:
        name = self.fresh("k")
        self.line(f"for {name} in l:")
        around, self.iterating = self.iterating, True
        self.loop(name)
        self.iterating = around

    def over_tuple(self) -> None:
        name = self.fresh("k")
        self.line(f"for {name} in {self.pick('t', f'(1, {self.value()}, 4)')}:")
        self.loop(name)

    def over_dict(self) -> None:
        key, value = self.fresh("e"), self.fresh("k")
        self.line(f"for {key}, {value} in d.items():")
        self.loop(value, first=[f"d[{key}] = ({value} + {self.value()}) % 1009"])

    def loop(self, *names: str, first: Iterable[str] = ()) -> None:
        around = self.finals
        self.loops, self.finals = self.loops + 1, 0
        with self.reading(*names):
            self.block(3, *first)
        self.loops, self.finals = self.loops - 1, around
        if self.chance(0.2):
            self.line("else:")
            self.block(2)

    def jump(self) -> None:
        self.line(f"if {self.test()}:")
        self.block(1) if self.chance(0.3) else None
        with self.indented():
            self.line(self.pick("break", "continue"))

    def leave(self) -> None:
        self.line(f"if {self.test()}:")
        with self.indented():
            self.line(f"return {self.value()}" if self.nested else self.result())

    # What is written only if it is asked for.

    def check(self) -> None:
        self.line(f"assert {self.test()} or {self.test()}, {self.value()}")

    def throw(self) -> None:
        self.line(f"if {self.test()} and {self.test()}:")
        with self.indented():
            self.line(f"raise {self.pick(*ERRORS)}({self.value()})")

    def attempt(self) -> None:
        self.line("try:")
        self.block(3)
        caught = self.chance(0.8)
        if caught:
            self.line(
                f"except {self.pick(*ERRORS, '(IndexError, ValueError)')}{self.pick('', ' as e')}:"
            )
            self.block(2)
            if self.chance(0.3):
                self.line("else:")
                self.block(2)
        if not caught or self.chance(0.3):
            self.line("finally:")
            around, self.finals, self.loops = (self.finals, self.loops), 1, 0
            self.block(2)
            self.finals, self.loops = around

    def managed(self) -> None:
        self.line(f'with Manager("{self.fresh("w")}"){self.pick("", " as m")}:')
        self.block(3)

    def comprehension(self) -> None:
        target = self.pick(*self.targets)
        with self.reading("y"):
            element, test = self.value(1), self.test(1)
        over = self.pick("x", "l", "range(4)", f"range({self.pick(*self.ints)} % 5)")
        clause = f"for y in {over}" + (f" if {test}" if self.chance(0.4) else "")
        self.line(
            self.pick(
                f"{target} = len([{element} {clause}])",
                f"{target} = sum([{element} {clause}])",
                f"{target} = sum({element} {clause})",
                f"{target} = int({self.pick('any', 'all')}({test} for y in {over}))",
                f"{target} = [{element} for y in {over}][0]",
            )
        )

    def generator(self) -> None:
        name, item = self.fresh("y"), self.fresh("k")
        self.line(f"def {name}(p):")
        with self.indented():
            self.line("for q in range(4):")
            with self.reading("p", "q"):
                self.line(f"    if {self.test()}:")
                self.line(f"        yield {self.value()}")
        self.line(f"for {item} in {name}({self.value()}):")
        self.loop(item)

    def match(self) -> None:
        self.line(
            f"match {self.pick(self.value(), f'({self.value()}, {self.value()})', 't', 'best')}:"
        )
        with self.indented():
            for pattern in self.random.sample(PATTERNS, self.random.randint(1, 3)):
                guard = f" if {self.test()}" if self.chance(0.3) else ""
                self.line(f"case {pattern}{guard}:")
                self.block(2)
            if self.chance(0.6):
                self.line("case _:")
                self.block(2)


KEYS = ['"p"', '"q"']
ERRORS = ["ValueError", "IndexError", "ZeroDivisionError"]
PATTERNS = ["0", "1 | 2", "(1, m)", "(m, w)", "[m, *_]", "None", "-1"]
Make = Callable[[], None]
