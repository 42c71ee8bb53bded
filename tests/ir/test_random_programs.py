"""Random numeric programs: plain Python, the interpreter and machine code agree."""

import linecache
import random

import numpy as np
import pytest

import agir as ag

SEEDS = range(40)


class Writer:
    """Writes one program over three ints and an int array; every loop in it ends."""

    def __init__(self, seed):
        self.random = random.Random(seed)
        self.lines = []
        self.counters = 0
        self.loops = []
        self.bound = ["a", "b", "c"]

    def program(self):
        self.emit(0, "def f(a, b, x):")
        self.emit(1, "c = 1")
        self.block(1, 4)
        self.emit(1, "return a, b, c, x[0]")
        return "\n".join(self.lines) + "\n"

    def emit(self, depth, text):
        self.lines.append("    " * depth + text)

    def pick(self, *choices):
        return self.random.choice(choices)

    def value(self, depth=0):
        kind = self.random.randrange(7 if depth < 2 else 3)
        if kind <= 1:
            return self.pick(*self.bound)
        if kind == 2:
            return str(self.random.randint(-3, 9))
        left, right = self.value(depth + 1), self.value(depth + 1)
        if kind == 3:
            return f"({left} {self.pick('+', '-', '*')} {right}) % 1009"
        if kind == 4:
            return f"({left} {self.pick('//', '%')} {self.random.randint(2, 7)})"
        if kind == 5:
            return f"({left} if {self.test(depth + 1)} else {right})"
        return f"x[({left}) % 5]"

    def test(self, depth=0):
        left, right = self.value(depth + 1), self.value(depth + 1)
        simple = f"{left} {self.pick('<', '<=', '==', '!=', '>')} {right}"
        if depth < 2 and self.random.random() < 0.3:
            return f"({simple}) {self.pick('and', 'or')} ({self.test(depth + 1)})"
        return f"not ({simple})" if self.random.random() < 0.15 else simple

    def block(self, depth, size):
        for _ in range(self.random.randint(1, size)):
            self.statement(depth)

    def statement(self, depth):
        makers = [self.assign, self.assign, self.augment, self.store, self.store_slice]
        if depth < 4:
            makers += [self.branch, self.branch, self.count, self.repeat]
        if self.loops:
            makers += [self.jump]
        if self.random.random() < 0.08:
            makers = [self.leave]
        self.pick(*makers)(depth)

    def assign(self, depth):
        if self.random.random() < 0.2:
            self.emit(depth, f"a, b = {self.value()}, {self.value()}")
        else:
            self.emit(depth, f"{self.pick('a', 'b', 'c')} = {self.value()}")

    def augment(self, depth):
        name = self.pick("a", "b", "c")
        self.emit(depth, f"{name} {self.pick('+=', '-=')} {self.value()}")
        self.emit(depth, f"{name} %= 100003")

    def store(self, depth):
        self.emit(depth, f"x[({self.value()}) % 5] {self.pick('=', '+=')} {self.value()} % 1009")

    def store_slice(self, depth):
        key = self.pick("1:", "::2", "::-1", ":-2", "1:4")
        value = self.pick(f"x[{key}][::-1]", self.value())
        self.emit(depth, f"x[{key}] {self.pick('=', '+=')} {value}")
        self.emit(depth, "x %= 100003")

    def branch(self, depth):
        self.emit(depth, f"if {self.test()}:")
        self.block(depth + 1, 3)
        if self.random.random() < 0.3:
            self.emit(depth, f"elif {self.test()}:")
            self.block(depth + 1, 2)
        if self.random.random() < 0.5:
            self.emit(depth, "else:")
            self.block(depth + 1, 3)

    def count(self, depth):
        name = self.fresh()
        stop = self.pick("a % 6", "b % 4 + 1", str(self.random.randint(0, 4)))
        bounds = self.pick(f"{stop}", f"1, {stop}, 2", f"{stop}, -2, -1")
        self.emit(depth, f"for {name} in range({bounds}):")
        self.loop(depth, name)

    def repeat(self, depth):
        name = self.fresh()
        self.emit(depth, f"{name} = 0")
        self.emit(depth, f"while {name} < {self.random.randint(0, 6)} and ({self.test(1)}):")
        self.emit(depth + 1, f"{name} += 1")
        self.loop(depth, name)

    def loop(self, depth, name):
        self.loops.append(name)
        self.bound.append(name)
        self.block(depth + 1, 4)
        self.loops.pop()
        self.bound.remove(name)
        if self.random.random() < 0.2:
            self.emit(depth, "else:")
            self.block(depth + 1, 2)

    def jump(self, depth):
        self.emit(depth, f"if {self.test()}:")
        self.emit(depth + 1, self.pick("break", "continue"))

    def leave(self, depth):
        self.emit(depth, f"if {self.test()}:")
        self.emit(depth + 1, f"return {self.value()}, b, c, x[1]")

    def fresh(self):
        self.counters += 1
        return f"k{self.counters}"


def build(seed):
    source = Writer(seed).program()
    name = f"<program {seed}>"
    linecache.cache[name] = (len(source), None, source.splitlines(keepends=True), name)
    namespace = {}
    exec(compile(source, name, "exec"), namespace)
    return namespace["f"], source


@pytest.mark.parametrize("seed", SEEDS)
def test_programs_agree(seed):
    function, source = build(seed)
    compiled, interpreted = ag.jit(function), ag.jit(function, jit_compile=False)
    for a, b in [(0, 0), (3, 1), (-7, 12), (100, -5)]:
        x = np.array([4, -1, 7, 0, 2])
        expected = [int(v) for v in function(a, b, x)]
        for traced in (compiled, interpreted):
            y = np.array([4, -1, 7, 0, 2])
            got = [int(v) for v in traced(a, b, y)]
            assert got == expected, source
            assert y.tolist() == x.tolist(), source
