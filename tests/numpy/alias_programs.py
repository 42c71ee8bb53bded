"""Random programs of names for arrays: bound, exchanged, put into containers, taken out, written into.

A program is a tree of statements, so that one that goes wrong can be made smaller.  Every name is
written into at the end: what is one array and what is two shows in the values.

    python tests/numpy/alias_programs.py FIRST COUNT
"""

from __future__ import annotations

import itertools
import linecache
import random
import sys
import warnings
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field, replace
from typing import Any

import numpy as np

import agir as ag

SIZE = 4
ARGUMENTS = ("a", "b", "c")
LOCALS = ("u", "v", "w")
NAMES = (*ARGUMENTS, *LOCALS)
_numbers = itertools.count()


HELPERS = """\
class Box:
    pass


def add_to(x, y):
    x[0] += y[1]
    return y


def choose(v, u, n):
    if n > 1:
        v = u
    v[3] += 2
    return v


""".splitlines()


@dataclass(frozen=True)
class Thing:
    """What else holds arrays, where a program mentions it."""

    name: str
    start: str
    probes: tuple[str, ...]


THINGS = [
    Thing("pair", "pair = [u, v]", ("pair[0][1] += 7", "pair[1][2] += 11")),
    Thing("table", "table = {'x': u, 'y': v}", ("table['x'][3] += 13", "table['y'][0] += 17")),
    Thing("both", "both = (a, w)", ("both[0][1] += 19", "both[1][2] += 23")),
    Thing("box", "box = Box(); box.held = w", ("box.held[1] += 29",)),
    Thing("part", "part = u[1:3]", ("part[0] += 31",)),
    Thing("rows", "rows = []", ("for row in rows: a[0] += row[1]",)),
    Thing("perhaps", "perhaps = None", ("if perhaps is not None: perhaps[2] += 37",)),
    Thing("renew", "def renew():\n        nonlocal u, v\n        u = v\n", ()),
]


@dataclass
class Block:
    """A statement, with the blocks under its headers; a plain one has none."""

    heads: list[str]
    bodies: list[list[Block]] = field(default_factory=list)
    before: str = ""
    """A line before the statement."""
    lead: str = ""
    """What begins every body."""

    def lines(self, indent: str) -> Iterator[str]:
        """The statement's source."""
        if not self.bodies:
            yield from (indent + line for line in self.heads)
            return
        if self.before:
            yield indent + self.before
        for head, body in zip(self.heads, self.bodies, strict=True):
            yield indent + head
            if self.lead:
                yield f"{indent}    {self.lead}"
            for each in body or [Block(["pass"])]:
                yield from each.lines(indent + "    ")


@dataclass
class Program:
    """The statements, and whether the caller gives one array twice, and a view of it."""

    body: list[Block]
    start: str = "u, v, w = a + 1, b + 2, c + 3"
    same_argument: bool = False

    @property
    def source(self) -> str:
        """The text of a function."""
        body = [line for each in self.body for line in each.lines("    ")]
        text = "\n".join(body)
        things = [each for each in THINGS if each.name in text]
        lines = [
            *HELPERS,
            "def program(a, b, c, m, n, k):",
            f"    {self.start}",
            *(f"    {each.start}" for each in things),
            *body,
            *(f"    {name}[{at % SIZE}] += {10**at}" for at, name in enumerate(NAMES)),
            *(f"    {line}" for each in things for line in each.probes),
            f"    return {', '.join(f'{n} * 1' for n in NAMES)}",
        ]
        return "\n".join(lines) + "\n"

    def function(self) -> Callable[..., Any]:
        """The function, whose source can be looked up."""
        file = f"<aliases {next(_numbers)}>"
        linecache.cache[file] = (len(self.source), None, self.source.splitlines(True), file)
        names: dict[str, Any] = {"np": np}
        exec(compile(self.source, file, "exec"), names)
        return names["program"]

    def smaller(self) -> Iterator[Program]:
        """Programs with a statement less, or with a body in the place of its statement."""
        for body in _smaller(self.body):
            yield Program(body, self.start, self.same_argument)
        if self.same_argument:
            yield Program(self.body, self.start)


def _smaller(body: list[Block]) -> Iterator[list[Block]]:
    for at, each in enumerate(body):
        before, after = body[:at], body[at + 1 :]
        yield before + after
        for inner in each.bodies:
            yield before + inner + after
        for number, inner in enumerate(each.bodies):
            for fewer in _smaller(inner):
                bodies = [*each.bodies[:number], fewer, *each.bodies[number + 1 :]]
                yield [*before, replace(each, bodies=bodies), *after]


class Maker:
    """Makes programs of random numbers."""

    def __init__(self, seed: int) -> None:
        self.random = random.Random(seed)
        self.counters = 0

    def program(self) -> Program:
        """A program."""
        start = self.random.choice(
            ["u, v, w = a + 1, b + 2, c + 3", "u, v, w = a + 1, b, c", "u = v = a + 1; w = c"]
        )
        body = self.block(self.random.randint(2, 5), 0)
        return Program(body, start, self.random.random() < 0.15)

    def block(self, count: int, depth: int) -> list[Block]:
        """Statements."""
        return [self.statement(depth) for _ in range(count)]

    def statement(self, depth: int) -> Block:
        """A statement; those with blocks are not too deep."""
        kinds: list[Callable[[int], Block]] = [self.plain] * 6
        if depth < 3:
            kinds += [self.branch, self.count, self.loop, self.known]
        return self.random.choice(kinds)(depth)

    def name(self) -> str:
        """A name of an array."""
        return self.random.choice(NAMES)

    def plain(self, depth: int) -> Block:
        """An assignment, a write or a call."""
        x, y, z = (self.name() for _ in range(3))
        number, place = self.random.randint(1, 9), self.random.randrange(SIZE)
        key, other = self.random.choice("xy"), self.random.choice("xy")
        at = self.random.choice(["0", "1", "k"])
        return Block([self.random.choice([
            f"{x} = {y}",
            f"{x} = {y}",
            f"{x} = {y} + {z}",
            f"{x} = {y}.copy()",
            f"{x} = {y} = {z} + {number}",
            f"{x} = {y} = {z}",
            f"{x}, {y} = {y}, {x}",
            f"{x}, {y}, {z} = {y}, {z}, {x}",
            f"{x}[{place}] = {number}",
            f"{x}[{place}] += {number}",
            f"{x}[k] += {number}",
            f"{x}[:] = {y}",
            f"{x} += {y}",
            f"{x} = {y}[::-1]",
            f"{x}[1:][0] += {number}",
            f"{x} = m[{place % 3}]",
            f"{x} = m[k]",
            f"{x}, {y} = m[0], m[1]",
            f"m[k, {place}] += {number}",
            "m = m[::-1]",
            f"pair = [{x}, {y}]",
            f"pair[{at}] = {x}",
            f"{x} = pair[{at}]",
            f"pair[{at}][{place}] += {number}",
            "pair[0], pair[1] = pair[1], pair[0]",
            f"table['{key}'] = {x}",
            f"{x} = table['{key}']",
            f"table['{key}'][{place}] += {number}",
            f"table['{key}'], table['{other}'] = {x}, {y}",
            f"both = ({x}, {y})",
            f"{x}, {y} = both",
            f"both[{at}][{place}] += {number}",
            f"{x} = add_to({y}, {z})",
            f"{x} = add_to({y}, {y})",
            f"(lambda: add_to({x}, {y}))()",
            f"{x} = {y} if n > {number % 4} else {z}",
            *self.random.sample([
                f"box.held = {x}",
                f"{x} = box.held",
                f"box.held[{place}] += {number}",
                f"part = {x}[1:3]",
                f"part = {x}[::2]",
                f"part = {x}[k : k + 2]",
                "part = part[::-1]",
                f"part[{place % 2}] += {number}",
                f"part += {x}[:2]",
                f"rows.append({x})",
                f"rows.append({x} + 1)",
                f"rows.append({x}.copy())",
                "rows.append(m[k])",
                f"if len(rows) > k: rows[k][{place}] += {number}",
                f"if len(rows) > 0: {x} = rows.pop()",
                f"perhaps = {x}",
                "perhaps = None",
                f"if perhaps is not None: perhaps[{place}] += {number}",
                "renew()",
                f"{x} = choose({y}, {z}, n)",
                f"{x} = choose({y}, {z}, k)",
            ], 8),
        ])])  # fmt: skip

    def branch(self, depth: int) -> Block:
        """An ``if``."""
        heads = [f"if n > {self.random.randint(0, 3)}:"]
        if self.random.random() < 0.5:
            heads.append("else:")
        return Block(heads, [self.block(self.random.randint(1, 3), depth + 1) for _ in heads])

    def _body(self, depth: int) -> list[Block]:
        body = self.block(self.random.randint(1, 4), depth + 1)
        if self.random.random() < 0.2:
            name, place = self.name(), self.random.randrange(SIZE)
            word = self.random.choice(["break", "continue"])
            at = self.random.randrange(len(body) + 1)
            body.insert(at, Block([f"if {name}[{place}] % 5 == 2:"], [[Block([word])]]))
        return body

    def count(self, depth: int) -> Block:
        """A loop of run-time count."""
        return Block([f"for _ in range({self.random.choice(['n', 'k + 1', 'n'])}):"],
                     [self._body(depth)])  # fmt: skip

    def known(self, depth: int) -> Block:
        """A loop of known count."""
        return Block([f"for _ in range({self.random.choice([1, 2, 3])}):"], [self._body(depth)])

    def loop(self, depth: int) -> Block:
        """A ``while``."""
        self.counters += 1
        name = f"i{self.counters}"
        head = f"while {name} < n:"
        return Block([head], [self._body(depth)], f"{name} = 0", f"{name} += 1")


def arguments(same: bool, n: int, k: int) -> tuple[Any, ...]:
    """What the programs are called with."""
    arrays = [np.arange(SIZE, dtype=np.int64) * 10**at for at in range(3)]
    if same:
        arrays[1] = arrays[0]
        arrays[2] = arrays[0][::-1]
    return (*arrays, np.arange(3 * SIZE, dtype=np.int64).reshape(3, SIZE) * 1000, n, k)


CALLS = [(0, 0), (1, 1), (2, 0), (3, 1), (4, 0)]


def outcome(program: Program, compiled: bool = False) -> str:
    """``right``, ``refused: …``, or what is wrong."""
    function = program.function()
    decorated = ag.jit(function, jit_compile=None if compiled else False)
    for n, k in CALLS:
        plain, mine = (arguments(program.same_argument, n, k) for _ in range(2))
        with warnings.catch_warnings(), np.errstate(all="ignore"):
            warnings.simplefilter("ignore")
            wanted, error = _called(function, plain)
            found, raised = _called(decorated, mine)
        if isinstance(raised, ag.errors.StagingError):
            return f"refused: {raised}"
        if not isinstance(raised, type(error)):
            return f"raised: {raised!r} instead of {error!r} at n={n}"
        if error is None and not _equal([*found, *mine[:4]], [*wanted, *plain[:4]]):
            return f"wrong: at n={n}, k={k}"
    return "right"


def _called(function: Callable[..., Any], given: Any) -> tuple[Any, BaseException | None]:
    try:
        return function(*given), None
    except Exception as error:
        return None, error


def _equal(found: list[Any], wanted: list[Any]) -> bool:
    return all(map(np.array_equal, found, wanted))


def smallest(program: Program) -> Program:
    """A program that goes wrong the same way, of which no statement can be left out."""
    kind = outcome(program)[:6]
    while True:
        for each in program.smaller():
            if _is_valid(each) and outcome(each)[:6] == kind:
                program = each
                break
        else:
            return program


def _is_valid(program: Program) -> bool:
    """Whether every ``break`` is still in a loop."""
    try:
        program.function()
    except SyntaxError:
        return False
    return True


def main(first: int, count: int, show: str = "") -> None:
    """Run programs and count what becomes of them; those that go wrong are printed, made small."""
    counts: dict[str, int] = {}
    for seed in range(first, first + count):
        program = Maker(seed).program()
        found = outcome(program)
        kind = found.split(":")[0]
        counts[kind] = counts.get(kind, 0) + 1
        if kind in ("wrong", "raised") or (show and kind == show):
            small = smallest(program)
            print(seed, outcome(small))
            print(*(line for each in small.body for line in each.lines("    ")), sep="\n")
            print(small.start, "same" if small.same_argument else "", flush=True)
    print(counts)


if __name__ == "__main__":
    main(int(sys.argv[1]), int(sys.argv[2]), *sys.argv[3:])
