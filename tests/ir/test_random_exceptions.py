"""Random programs that raise and catch: plain Python, the interpreter and machine code agree."""

import contextlib
import linecache
import random

import numpy as np
import pytest

import agir as ag

SEEDS = range(30)
ERRORS = ["ValueError", "KeyError", "Custom"]
CAUGHT = [
    "ValueError",
    "KeyError",
    "Custom",
    "ZeroDivisionError",
    "IndexError",
    "AssertionError",
    "(ValueError, ZeroDivisionError)",
    "LookupError",
    "Exception",
]


class Custom(Exception):
    """An exception with a field of its own."""

    def __init__(self, code):
        super().__init__(f"code {code}")
        self.code = code


OWN = (ValueError, KeyError, Custom)


class Counted:
    """A context manager that counts, and suppresses one kind of exception."""

    def __init__(self, log, kind):
        self.log, self.kind = log, kind

    def __enter__(self):
        self.log[0] += 1
        return self

    def __exit__(self, kind, error, traceback):
        self.log[1] += 1 if kind is None else 10
        return kind is not None and issubclass(kind, self.kind)


class Writer:
    """Writes one program over ints and an int array; every loop in it ends."""

    def __init__(self, seed):
        self.random = random.Random(seed)
        self.lines = []
        self.counters = 0
        self.loops = 0
        self.finals = self.last = 0
        """Clauses of `finally` that a `break` would leave, and those that a `return` would."""
        self.handling = 0

    def program(self):
        self.emit(0, "def helper(a, b, x):")
        self.emit(1, "c = 2")
        self.loops = self.handling = 0
        self.block(1, 2, 2)
        self.emit(1, "return a + c")
        self.emit(0, "def f(a, b, x):")
        self.emit(1, "c = 1")
        self.helped = True
        self.block(1, 4, 0)
        self.emit(1, "return a, b, c, x[0]")
        return "\n".join(self.lines) + "\n"

    helped = False

    def emit(self, depth, text):
        self.lines.append("    " * depth + text)

    def pick(self, *choices):
        return self.random.choice(choices)

    def name(self):
        return self.pick("a", "b", "c")

    def value(self, depth=0):
        kind = self.random.randrange(8 if depth < 2 else 3)
        if kind <= 1:
            return self.name()
        if kind == 2:
            return str(self.random.randint(-3, 9))
        left, right = self.value(depth + 1), self.value(depth + 1)
        if kind == 3:
            return f"({left} {self.pick('+', '-', '*')} {right}) % 1009"
        if kind == 4:
            return f"({left} {self.pick('//', '%')} {right})"
        if kind == 5:
            return f"({left} if {self.test(depth + 1)} else {right})"
        if kind == 6:
            return f"int(x[{left}])"  # whose division fails as that of Python numbers
        return f"helper({left}, {right}, x)" if self.helped and depth < 2 else left

    def test(self, depth=0):
        left, right = self.value(depth + 1), self.value(depth + 1)
        simple = f"{left} {self.pick('<', '<=', '==', '!=', '>')} {right}"
        if depth < 1 and self.random.random() < 0.2:
            return f"({simple}) {self.pick('and', 'or')} ({self.test(depth + 1)})"
        return simple

    def block(self, depth, size, level):
        for _ in range(self.random.randint(1, size)):
            self.statement(depth, level)

    def statement(self, depth, level):
        makers = [self.assign] * 2 + [self.augment, self.store, self.store, self.throw, self.check]
        if level < 3:
            makers += [self.branch, self.count, self.repeat, self.attempt, self.attempt]
            makers += [self.attempt, self.managed]
        if self.loops and not self.finals:
            makers += [self.jump]
        if self.random.random() < 0.06 and not self.last:
            makers = [self.leave]
        self.pick(*makers)(depth, level)

    def assign(self, depth, level):
        if self.random.random() < 0.2:
            self.emit(depth, f"a, b = {self.value()}, {self.value()}")
        else:
            self.emit(depth, f"{self.name()} = {self.value()} % 10007")

    def augment(self, depth, level):
        name = self.name()
        self.emit(depth, f"{name} {self.pick('+=', '-=', '//=')} {self.value()}")
        self.emit(depth, f"{name} %= 100003")

    def store(self, depth, level):
        value = f"{self.value()} % 1009"
        self.emit(depth, f"x[{self.value()}] {self.pick('=', '+=')} {value}")

    def throw(self, depth, level):
        if self.handling and self.random.random() < 0.4:
            self.emit(depth, "raise" if self.random.random() < 0.5 else f"raise e{self.handling}")
            return
        if self.random.random() < 0.7:
            self.emit(depth, f"if {self.test()}:")
            depth += 1
        self.emit(depth, f"raise {self.pick(*ERRORS)}({self.random.randint(0, 9)})")

    def check(self, depth, level):
        self.emit(depth, f"assert {self.test()}, 'check {self.random.randint(0, 9)}'")

    def branch(self, depth, level):
        self.emit(depth, f"if {self.test()}:")
        self.block(depth + 1, 2, level + 1)
        if self.random.random() < 0.5:
            self.emit(depth, "else:")
            self.block(depth + 1, 2, level + 1)

    def count(self, depth, level):
        stop = self.pick("a % 6", "b % 4 + 1", str(self.random.randint(0, 4)))
        self.emit(depth, f"for {self.fresh()} in range({stop}):")
        self.loop(depth, level)

    def repeat(self, depth, level):
        name = self.fresh()
        self.emit(depth, f"{name} = 0")
        self.emit(depth, f"while {name} < {self.random.randint(0, 5)} and {self.test(1)}:")
        self.emit(depth + 1, f"{name} += 1")
        self.loop(depth, level)

    def loop(self, depth, level):
        finals, self.finals = self.finals, 0
        self.loops += 1
        self.block(depth + 1, 2, level + 1)
        self.loops -= 1
        self.finals = finals
        if self.random.random() < 0.2:
            self.emit(depth, "else:")
            self.block(depth + 1, 2, level + 1)

    def attempt(self, depth, level):
        self.emit(depth, "try:")
        self.block(depth + 1, 2, level + 1)
        caught = self.random.random() < 0.85
        for _ in range(self.random.randint(1, 2) if caught else 0):
            self.handling += 1
            self.emit(depth, f"except {self.pick(*CAUGHT)} as e{self.handling}:")
            self.block(depth + 1, 2, level + 1)
            self.handling -= 1
        if caught and self.random.random() < 0.3:
            self.emit(depth, "else:")
            self.block(depth + 1, 2, level + 1)
        if not caught or self.random.random() < 0.3:
            self.emit(depth, "finally:")
            handling, self.handling = self.handling, 0
            self.finals += 1
            self.last += 1
            self.block(depth + 1, 2, level + 1)
            self.finals -= 1
            self.last -= 1
            self.handling = handling

    def managed(self, depth, level):
        kind = self.pick("ValueError", "LookupError", "ArithmeticError")
        manager = self.pick(f"suppress({kind})", f"Counted(x, {kind})")
        self.emit(depth, f"with {manager}:")
        self.block(depth + 1, 2, level + 1)

    def jump(self, depth, level):
        self.emit(depth, f"if {self.test()}:")
        self.emit(depth + 1, self.pick("break", "continue"))

    def leave(self, depth, level):
        self.emit(depth, f"if {self.test()}:")
        self.emit(depth + 1, "return a, b, c, 7" if self.helped else "return 5")

    def fresh(self):
        self.counters += 1
        return f"k{self.counters}"


def build(seed):
    source = Writer(seed).program()
    name = f"<program {seed}>"
    linecache.cache[name] = (len(source), None, source.splitlines(keepends=True), name)
    namespace = {"Custom": Custom, "Counted": Counted, "suppress": contextlib.suppress}
    exec(compile(source, name, "exec"), namespace)
    return namespace["f"], source


def observe(function, a, b, x):
    """What a call returns, or the exception that it raises."""
    before = x.copy()
    try:
        return [int(v) for v in function(a, b, x)]
    except (ValueError, KeyError, Custom, ZeroDivisionError, IndexError, AssertionError) as error:
        x[:] = before  # agir leaves the arguments of a call that fails alone
        kind = next(k for k in type(error).__mro__ if not k.__module__.startswith("agir"))
        return kind.__name__, error.args if kind in OWN else ()


@pytest.mark.parametrize("seed", SEEDS)
def test_programs_agree(seed):
    check(seed)


def check(seed):
    function, source = build(seed)
    traced = [ag.jit(function), ag.jit(function, jit_compile=False)]
    for a, b in [(0, 0), (3, 1), (-7, 12), (100, -5), (4, 4)]:
        x = np.array([4, -1, 7, 0, 2])
        try:
            expected = observe(function, a, b, x)
        except OverflowError:
            continue
        for f in traced:
            y = np.array([4, -1, 7, 0, 2])
            got = observe(f, a, b, y)
            assert got == expected, (got, expected, a, b, source)
            assert y.tolist() == x.tolist(), (y, x, a, b, source)
