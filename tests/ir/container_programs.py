"""Random programs with dicts, sets, text, lists of them, several names for one, and objects.

python tests/ir/exact_programs.py --kind containers --first 1 --seeds 500 --jobs 2
"""

from __future__ import annotations

from typing import ClassVar

import exact_programs

HEADER = """class Point:
    def __init__(self, x, y):
        self.x = x
        self.y = y

"""


class Writer(exact_programs.Writer):
    """Writes one program: ``f(a, b, n)`` of three small ints."""

    inputs = ((3, 5, 2), (-4, 12, 5), (0, 0, 0), (7, -1, 9))
    header = HEADER
    begin: ClassVar[dict[str, tuple[str, str]]]
    end: ClassVar[dict[str, str]]
    values: ClassVar[dict[str, tuple[str, ...]]]
    statements: ClassVar[dict[str, tuple[str, ...]]]

    def __init__(self, seed: int) -> None:
        super().__init__(seed)
        self.has_rows = False
        self.kinds = self.random.sample(list(self.begin), self.random.randint(2, 3))

    def program(self) -> str:
        """The text."""
        self.lines.append("from collections import Counter\n")
        self.lines.append(self.header)
        self.line("def f(a, b, n):")
        self.depth = 1
        self.line(f"c = {self.constant()}")
        self.line("s = 0")
        for kind in self.kinds:
            self.line(self.begin[kind][self.random.randrange(2)])
        for _ in range(self.random.randint(4, 8)):
            self.statement()
        ends = "".join(f", {self.end[kind]}" for kind in self.kinds)
        self.line(f"return a, b, c, s{ends}")
        return "\n".join(self.lines) + "\n"

    def constant(self) -> str:
        return self.pick("0", "1", "2", "3", "5", "-1")

    def key(self) -> str:
        return self.pick(f"{self.variable()} % 5", f"({self.value(1)}) % 7", self.constant())

    def value(self, depth: int = 2) -> str:
        if depth and self.random.random() < 0.4:
            kind = self.random.choice(self.kinds)
            return self.pick(*self.values[kind]).replace("KEY", f"({self.key()})")
        if depth == 0 or self.random.random() < 0.5:
            return self.variable() if self.random.random() < 0.7 else self.constant()
        x, y = self.value(depth - 1), self.value(depth - 1)
        return self.pick(f"({x} + {y})", f"({x} - {y})", f"({x} % 11)", f"max({x}, {y})")

    def statement(self) -> None:
        if self.random.random() < 0.55:
            kind = self.random.choice(self.kinds)
            text = self.pick(*self.statements[kind])
            for word in ("KEY", "VALUE"):
                while word in text:
                    found = self.key() if word == "KEY" else self.value(1)
                    text = text.replace(word, f"({found})", 1)
            first, *rest = text.split("\n")
            self.line(first)
            for each in rest:
                self.line(each)
            return
        super().statement()


_BEGIN = {
    "dict": ("d = {}", "d = {1: a, 2: b}"),
    "set": ("e = set()", "e = {a, 3}"),
    "sets": ("u = [{1, 2}, {a}]", "u = [{x, 2, 5} for x in range(n % 4 + 1)]"),
    "text": ("t = ''", "t = str(a) + 'ab'"),
    "words": ("w = []", "w = ['x', str(b)]"),
    "counter": ("k = Counter()", "k = Counter([a, b, a])"),
    "groups": ("g = {}", "g = {0: [a], 1: []}"),
    "point": ("p, q = Point(a, 0), None", "p = q = Point(a, b)"),
    "pairs": ("m = {}", "m = {(a, 1): 'x'}"),
}
_END = {
    "dict": "d, list(d), len(d)",
    "set": "sorted(e), len(e)",
    "sets": "[sorted(x) for x in u], len(u)",
    "text": "t, len(t)",
    "words": "w, ' '.join(w)",
    "counter": "k, k.total(), k.most_common(2)",
    "groups": "g, sum(map(len, g.values()))",
    "point": "p.x, p.y, p is q",
    "pairs": "m, list(m.items())",
}
_VALUES = {
    "dict": ("len(d)", "d.get(KEY, -1)", "sum(d.values())", "max(d, default=0)", "(KEY in d)"),
    "set": ("len(e)", "(KEY in e)", "sum(e)", "max(e, default=0)", "len(e & {1, 2, KEY})"),
    "sets": ("len(u)", "len(u[0])", "sum(u[-1])", "(KEY in u[0])"),
    "text": ("len(t)", 't.count("1")', 't.find("b")', "(str(KEY) in t)", 'len(t.split("a"))'),
    "words": ("len(w)", "len(' '.join(w))", "(str(KEY) in w)", "w.count('x')"),
    "counter": ("len(k)", "k[KEY]", "k.total()", "max(k.values(), default=0)"),
    "groups": ("len(g)", "len(g.get(KEY, []))", "sum(g.get(KEY, []))", "(KEY in g)"),
    "point": ("p.x", "p.y", "(p.x + p.y)", "(p is q)"),
    "pairs": ("len(m)", "((KEY, 1) in m)", "len(m.get((KEY, 1), ''))"),
}
_STATEMENTS = {
    "dict": (
        "d[KEY] = VALUE",
        "d[KEY] = d.get(KEY, 0) + VALUE",
        "d.setdefault(KEY, VALUE)",
        "s += d.pop(KEY, 1)",
        "for x, y in d.items():\n    s += x * y",
        "for x in list(d):\n    if x > 2:\n        del d[x]",
        "d = {x: x * 2 for x in range(n)}",
        "d.update({KEY: 1, 9: VALUE})",
        "if KEY in d:\n    d[0] = VALUE",
        "r = d\nr[KEY] = VALUE",
        "s += sum(sorted(d))",
    ),
    "set": (
        "e.add(KEY)",
        "e.discard(KEY)",
        "e |= {KEY, 4}",
        "e = e - {KEY}",
        "e = {x % 4 for x in e}",
        "s += sum(x for x in e if x > 1)",
        "e.update(range(n % 4))",
        "r = e\nr.add(KEY)",
        "if KEY not in e:\n    e.add(6)",
        "e ^= {1, KEY}",
    ),
    "sets": (
        "u[-1].add(KEY)",
        "u[KEY % len(u)] -= {1, 2, KEY}",
        "u.append({KEY, VALUE})",
        "u[0].difference_update(range(n % 6))",
        "r = u[0]\nr.symmetric_difference_update({KEY, 2})",
        "u[-1] &= {1, 2, 5, KEY}",
        "u[0] |= u[-1]",
        "for x in u:\n    s += len(x)",
        "u[-1].clear()",
    ),
    "text": (
        "t += str(KEY)",
        "t += chr(97 + KEY)",
        "t = t[::-1]",
        "t = t.replace('1', 'b')",
        "t = t.upper()",
        "t = t[1:]",
        "for x in t:\n    s += ord(x) % 3",
        't = f"""{t}{KEY:02d}"""',  # KEY may have quotes of both kinds
        "if t.startswith('1'):\n    t += 'z'",
        "t = t.strip('b')",
        "t = t.zfill(4)",
    ),
    "words": (
        "w.append(str(KEY))",
        "w.append('ab'[KEY % 2:])",
        "w = sorted(w)",
        "w = ' '.join(w).split('1')",
        "w = [x + 'c' for x in w]",
        "for x in w:\n    s += len(x)",
        "if w:\n    w.pop()",
        "w = w[::-1]",
        "r = w\nr.append('y')",
    ),
    "counter": (
        "k[KEY] += 1",
        "k[KEY] -= VALUE",
        "k.update([KEY, KEY])",
        "k = k + Counter([KEY])",
        "for x in k:\n    s += k[x]",
        "k = Counter(x for x in range(n % 5))",
        "s += len(k.most_common(1))",
    ),
    "groups": (
        "g.setdefault(KEY, []).append(VALUE)",
        "g[KEY] = [VALUE, 1]",
        "if KEY in g:\n    g[KEY].append(2)",
        "for x in g:\n    s += len(g[x]) * x",
        "for x in g.values():\n    x.append(s % 3)",
        "s += len(g.pop(KEY, []))",
        "r = g.get(KEY)\nif r is not None:\n    r.append(VALUE)",
    ),
    "point": (
        "p.x = VALUE",
        "p.y += 1",
        "q = p",
        "p = Point(VALUE, p.x)",
        "p, q = (q, p) if q is not None else (p, p)",
        "if q is not None:\n    q.x = VALUE",
        "s += p.x",
    ),
    "pairs": (
        "m[KEY, 1] = 'y'",
        "m[KEY, KEY] = str(KEY)",
        "for (x, y), z in m.items():\n    s += x * y + len(z)",
        "m.pop((KEY, 1), None)",
        "if (KEY, 1) in m:\n    m[KEY, 2] = m.get((KEY, 1), '') + 'v'",
    ),
}

Writer.begin, Writer.end, Writer.values, Writer.statements = _BEGIN, _END, _VALUES, _STATEMENTS
