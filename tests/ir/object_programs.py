"""Random programs with objects that refer to each other, and variables that may be None.

python tests/ir/exact_programs.py --kind objects --first 1 --seeds 500 --jobs 2
"""

from __future__ import annotations

import container_programs


class Writer(container_programs.Writer):
    """Writes one program: ``f(a, b, n)`` of three small ints."""

    header = """class Node:
    def __init__(self, v, next=None):
        self.v = v
        self.next = next


class Tree:
    def __init__(self, v):
        self.v = v
        self.left = self.right = None


class Box:
    def __init__(self):
        self.items = []
        self.table = {}
        self.best = None
        self.name = ""

    def add(self, x):
        if self.best is None or x > self.best:
            self.best = x
        self.items.append(x)
        return self


def walk(x):
    found = []
    for _ in range(8):
        if x is None:
            break
        found.append(x.v)
        x = x.next
    return found


def insert(r, v):
    if r is None:
        return Tree(v)
    if v < r.v:
        r.left = insert(r.left, v)
    elif v > r.v:
        r.right = insert(r.right, v)
    return r


def in_order(r, found):
    if r is not None:
        in_order(r.left, found)
        found.append(r.v)
        in_order(r.right, found)
    return found


"""
    begin = {
        "maybe": ("z = None", "z = None if a > 3 else [a]"),
        "number": ("y = None", "y = a if b > 3 else None"),
        "chain": ("h = u = None", "h = u = Node(a)"),
        "nodes": ("o = [Node(k) for k in range(3)]", "o = []"),
        "boxes": ("p = Box(); q = p", "p, q = Box(), Box()"),
        "tree": ("r = None", "r = Tree(a)"),
        "nested": ("g = {}", "g = {a % 3: {b % 3: 1}}"),
        "sets": ("e = [set() for _ in range(3)]", "e = []"),
        "seen": ("l = [Node(k) for k in range(3)]; m = set()", "l = [Node(a)] * 3; m = {}"),
    }
    end = {
        "maybe": "z",
        "number": "y",
        "chain": "walk(h), walk(u), h is u",
        "nodes": "[x.v for x in o], [x.next.v for x in o if x.next is not None]",
        "boxes": "p.items, q.table, p.best, q.name, p is q",
        "tree": "in_order(r, [])",
        "nested": "g",
        "sets": "[sorted(x) for x in e]",
        "seen": "len(m), sorted(x.v for x in m)",
    }
    values = {
        "maybe": ("(z[0] if z else 0)", "(z is None)", "len(z or [])"),
        "number": ("(0 if y is None else y)", "(y is None)", "(y or 2)"),
        "chain": ("(h.v if h is not None else 0)", "(h is u)", "(h is None)"),
        "nodes": ("len(o)", "sum(x.v for x in o)", "(o[-1].v if o else 0)"),
        "boxes": (
            "len(p.items)",
            "p.table.get(KEY, 0)",
            "(p.best or 0)",
            "(p is q)",
            "len(q.name)",
        ),
        "tree": ("(r.v if r else 0)", "(r is None)", "len(in_order(r, []))"),
        "nested": ("len(g)", "len(g.get(KEY, {}))", "(KEY in g)"),
        "sets": ("len(e)", "sum(len(x) for x in e)", "(len(e[0]) if e else 0)"),
        "seen": ("len(m)", "(l[KEY % 3] in m)", "l[KEY % 3].v"),
    }
    statements = {
        "maybe": (
            "if z is None:\n    z = [VALUE]\nelse:\n    z[0] += KEY",
            "if z is None:\n    z = [VALUE]\nelse:\n    z.append(KEY)",
            "if z is not None and z[0] > 2:\n    z = None",
            "x = z\nif x is not None:\n    x[0] = VALUE",
            "z = [VALUE, KEY] if KEY > 2 else None",
            "if z:\n    s += z[-1]",
            "z = z or [VALUE]",
        ),
        "number": (
            "y = VALUE if y is None else y + 1",
            "if y is None or y > KEY:\n    y = KEY",
            "y = None",
            "if y is not None:\n    s += y",
            "y = max(y or 0, VALUE)",
        ),
        "chain": (
            "if h is None:\n    h = Node(VALUE)\nelse:\n    h.v += KEY",
            "h = Node(VALUE, h)",
            "if h is not None:\n    h = h.next",
            "u = h",
            "if u is not None:\n    u.v = VALUE",
            "if u is not None and h is not None:\n    u.next = h",
            "x = h\nfor _ in range(4):\n    if x is None:\n        break\n    s += x.v\n    x = x.next",
            "if h is not None and h.next is not None:\n    h.next.v += KEY",
            "if h is not None and h.next is not None:\n    h.next = h.next.next",
            "x = Node(KEY)\nx.next = h\nh = x",
            "x = h\nfor _ in range(5):\n    if x is not None and x.next is not None:\n"
            "        x = x.next\nif x is not None:\n    x.next = Node(VALUE)",
            "h, u = u, h",
        ),
        "nodes": (
            "o.append(Node(VALUE))",
            "if o:\n    o[KEY % len(o)].v += 1",
            "if o:\n    o[0].next = o[KEY % len(o)]",
            "for x in o:\n    x.v += KEY",
            "if len(o) > 1:\n    o[0], o[-1] = o[-1], o[0]",
            "x = o[-1] if o else None\nif x is not None:\n    x.v = VALUE",
            "if o and o[0].next is not None:\n    o[0].next.v -= 1",
            "o = [x for x in o if x.v % 2]",
            "o = o[::-1]",
            "o.sort(key=lambda x: x.v)",
            "if o:\n    x = o.pop()\n    s += x.v",
        ),
        "boxes": (
            "p.items.append(VALUE)",
            "p.table[KEY] = VALUE",
            "p.best = VALUE if p.best is None else max(p.best, VALUE)",
            "p, q = q, p",
            "q = p",
            "p = Box()",
            "p.name += 'x'",
            "q.items = p.items",
            "if p is q:\n    s += 1",
            "for x in q.items:\n    s += x",
            "p.add(KEY)",
            "q.add(KEY).add(VALUE)",
            "q.table = {KEY: 1}",
        ),
        "tree": (
            "r = insert(r, KEY)",
            "r = insert(r, VALUE)",
            "x = r\nwhile x is not None:\n    s += x.v\n    x = x.left if KEY > 2 else x.right",
            "if r is not None and r.left is not None:\n    x = r.left\n"
            "    r.left, x.right, r = x.right, r, x",
            "if r is not None:\n    r = r.left if KEY > 3 else r.right",
            "s += len(in_order(r, []))",
        ),
        "nested": (
            "g.setdefault(KEY, {})[VALUE] = s % 5",
            "if KEY in g:\n    g[KEY][KEY] = 1",
            "x = g.get(KEY)\nif x is not None:\n    x[VALUE] = 2",
            "g[KEY] = {VALUE: 1}",
            "for x in g.values():\n    s += len(x)",
            "g[KEY] = g.setdefault(0, {})",
            "s += len(g.pop(KEY, {}))",
            "for x, y in g.items():\n    y[x] = s % 3",
        ),
        "sets": (
            "e.append({VALUE})",
            "if e:\n    e[KEY % len(e)].add(VALUE)",
            "if e:\n    x = e[0]\n    x.add(KEY)",
            "for x in e:\n    s += len(x)",
            "if len(e) > 1:\n    e[0], e[1] = e[1], e[0]",
            "e.append(set(range(KEY)))",
            "if e:\n    e[-1] |= {KEY, 1}",
        ),
        "seen": (
            "m = {l[KEY % 3]: 1}",
            "if l[KEY % 3] in m:\n    s += 1",
            "l[0], l[1] = l[1], l[0]",
            "l[KEY % 3] = Node(VALUE)",
            "m = {x for x in l if x.v > KEY}",
            "l[KEY % 3].v += 1",
        ),
    }
