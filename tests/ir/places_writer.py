"""Writes random programs whose lists and objects go by several names: of variables and places."""

from __future__ import annotations

import random

CLASS = """
class Node:
    def __init__(self, v):
        self.v = v
        self.items = [v]

    def put(self, x):
        self.items.append(x)
        self.v = self.v + x

    def swap(self, other):
        self.items, other.items = other.items, self.items
"""

_LISTS = {
    "rows[0]": "rows",
    "rows[1]": "rows",
    "pair[0]": "pair",
    "pair[1]": "pair",
    "entries['k']": "entries",
    "entries['l']": "entries",
    "a.items": "a",
    "b.items": "b",
    "p": "p",
    "q": "q",
}
"""What holds a list, and the variable that it begins with."""

_OBJECTS = {"a": "a", "b": "b", "c": "c", "nodes[0]": "nodes", "nodes[1]": "nodes"}

_FIRST = {
    "a": "Node(1)",
    "b": "Node(2)",
    "c": "Node(3)",
    "nodes": "[a, b]",
    "rows": "[[0], [1]]",
    "pair": "([4], [5])",
    "entries": "{'k': [6], 'l': [7]}",
}
"""What the variables are at first, in this order; those of lists follow."""

_RETURNED = {
    **{name: f"({name}.v, {name}.items)" for name in "abc"},
    "nodes": "[(each.v, each.items) for each in nodes]",
}

_CONDITIONS = ("n > 2", "n % 2 == 0", "n == 1")
_IN_LOOPS = ("i % 2 == 0", "i > 1", "i % 3 == n % 3")


class PlacesWriter:
    """Writes a function of a number ``n`` that writes to lists by one name and reads by another."""

    def __init__(self, seed: int) -> None:
        self.random = random.Random(seed)
        self.lists = self.random.sample(list(_LISTS), self.random.randint(2, 5))
        self.objects = self.random.sample(list(_OBJECTS), self.random.randint(0, 3))
        self.assigned = [each for each in self.lists if not each.startswith("pair")]
        self.roots = {_LISTS[each] for each in self.lists} | {_OBJECTS[o] for o in self.objects}
        if "nodes" in self.roots:
            self.roots |= {"a", "b"}
        self.objects += sorted({"a", "b"} & self.roots - set(self.objects))
        self.count = 10
        self.lines: list[str] = []

    def program(self) -> str:
        """The text of a module with the function ``f``."""
        self.lines = [CLASS, "", "def f(n):"]
        for name, value in _FIRST.items():
            if name in self.roots:
                self.add(1, f"{name} = {value}")
        for name in sorted({"p", "q"} & self.roots):
            others = [each for each in self.lists if each not in ("p", "q")]
            is_other = others and self.random.random() < 0.6
            self.add(1, f"{name} = {self.random.choice(others) if is_other else '[8]'}")
        self.block(1, looping=False)
        self.loop(1)
        self.add(1, f"{self.random.choice(self.lists)}.append(100)")
        names = [*_FIRST, "p", "q"]
        results = [_RETURNED.get(name, name) for name in names if name in self.roots]
        self.add(1, f"return ({', '.join(results)},)")
        return "\n".join(self.lines) + "\n"

    def add(self, depth: int, text: str) -> None:
        """A line."""
        self.lines.append("    " * depth + text)

    def number(self, looping: bool) -> str:
        """A number that no other statement has."""
        self.count += 1
        return f"{self.count} + i" if looping and self.random.random() < 0.4 else str(self.count)

    def block(self, depth: int, looping: bool) -> None:
        """One to three statements."""
        for _ in range(self.random.randint(1, 3)):
            self.statement(depth, looping)

    def statement(self, depth: int, looping: bool) -> None:
        """A statement: one in four is a branch, some are loops."""
        kind = self.random.random()
        if kind < 0.25 and depth < 4:
            conditions = _CONDITIONS + (_IN_LOOPS if looping else ())
            self.add(depth, f"if {self.random.choice(conditions)}:")
            self.block(depth + 1, looping)
            if self.random.random() < 0.6:
                self.add(depth, "else:")
                self.block(depth + 1, looping)
        elif kind < 0.35 and not looping:
            self.loop(depth)
        else:
            self.add(depth, self.random.choice(self.simple(looping)))

    def loop(self, depth: int) -> None:
        """A ``for`` or ``while`` loop, which a ``break`` may end."""
        if self.random.random() < 0.7:
            self.add(depth, "for i in range(n):")
        else:
            self.add(depth, "i = 0")
            self.add(depth, "while i < n:")
            self.add(depth + 1, "i += 1")
        self.block(depth + 1, looping=True)
        if self.random.random() < 0.2:
            self.add(depth + 1, f"if i > {self.random.randint(0, 2)}:")
            self.add(depth + 2, "break")

    def simple(self, looping: bool) -> list[str]:
        """Statements of one line."""
        number, some = self.number(looping), self.random.choice(self.lists)
        found = [f"{some}.append({number})", f"{some}[0] += {number}"]
        if self.assigned:
            place, other = self.random.choice(self.assigned), self.random.choice(self.assigned)
            found += [f"{place} = {some}"] * 2
            found += [f"{place} = [{number}]", f"{place}, {other} = {other}, {place}"]
        if "rows" in self.roots:
            found.append(f"rows.append({some})")
        if self.objects:
            one, two = self.random.choice(self.objects), self.random.choice(self.objects)
            found += [f"{one}.put({number})", f"{one}.v = {number}", f"{one}.swap({two})"]
            found.append(f"{one} = {two}")
        return found
