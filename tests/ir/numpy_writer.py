"""Writes random functions of NumPy statements, which are run as they are written.

A statement that NumPy refuses is dropped, except now and then the last one: its error must be agir's.
"""

from __future__ import annotations

import itertools
from typing import Any

import numpy as np
import numpy_functions
import numpy_routines
import numpy_statements
import numpy_views
from numpy_arguments import arguments
from numpy_values import EXPRESSIONS, Rejected, Values, defined, exact

PRELUDE = (
    """\
import numpy as np


def clear(v, k):
    v[k] = 0
    return v.sum()


def doubled(v):
    v *= 2
    return v


def halves(v):
    w = v[: len(v) // 2]
    w[...] = 1
    return w, v[len(v) // 2 :]


"""
    + numpy_statements.HELPERS
    + numpy_views.HELPERS
    + numpy_routines.HELPERS
)
STATEMENTS = {
    "assign": 6, "view": 3, "store": 5, "overlap": 2.5, "store_mask": 2, "store_fancy": 1.5,
    "augment": 3, "augment_part": 2.5, "augment_overlap": 1, "augment_mask": 1,
    "augment_fancy": 0.8,
    "into": 1.5, "chained": 0.7, "method": 1.2, "scalar": 1.5, "call": 1, "imaginary": 0.3,
    "swap": 0.5, "rounded_result": 1.2, "at": 0.4, "put": 0.5, "row": 0.8, "alias": 0.6,
    **numpy_statements.STATEMENTS,
    **numpy_views.STATEMENTS,
    **numpy_routines.STATEMENTS,
}  # fmt: skip
COMPOUND = {
    "branch": 2,
    "count": 2,
    "rows": 1,
    "during": 0.6,
    **numpy_statements.COMPOUND,
    **numpy_views.COMPOUND,
    **numpy_routines.COMPOUND,
}
MOST_DIMENSIONS = 8
"""With more than twice as many ``ufunc.at`` of NumPy 2.4 ends the process."""
OPERATORS = ("+=", "-=", "*=", "+=", "-=", "//=", "/=", "%=", "&=", "|=", "**=")


class Writer(
    numpy_functions.Functions, numpy_statements.Statements, numpy_views.Views, numpy_routines.Routines,
    Values,
):  # fmt: skip
    """Writes one program: ``f(a, b, c, n, s)`` of three arrays, an int and a float."""

    def __init__(self, seed: int) -> None:
        super().__init__(seed)
        self.names = dict(zip("abcns", arguments(seed).values, strict=True))
        self.expressions = {**EXPRESSIONS, **numpy_functions.FAMILIES}
        exec(PRELUDE, self.space)
        self.rounded: set[str] = set()
        self.kept: list[str] = []
        self.count_of_names = 0
        self.depth = 0
        self.handled = 0
        """How many try statements are around."""
        self.ended = False

    def program(self) -> str:
        """The text, without the prelude."""
        lines: list[str] = []
        for _ in range(self.random.randint(3, 8)):
            if self.ended:
                break
            lines += self.statement()
        names = [n for n in self.names if n not in ("n", "s")] + sorted(self.rounded)
        body = [*lines, f"return {', '.join(dict.fromkeys([*names, 'n']))}"]
        return "def f(a, b, c, n, s):\n" + "".join(f"    {line}\n" for line in body)

    def statement(self) -> list[str]:
        """The lines of a statement, which has been run."""
        for _ in range(20):
            table = {**STATEMENTS, **COMPOUND} if self.depth < 2 else STATEMENTS
            kind = self.weighted(table)
            self.final = kind == "rounded_result"
            state = self.state()
            try:
                lines = getattr(self, kind)()
                lines = [lines] if isinstance(lines, str) else lines
            except Exception:  # what was looked at to write it is not there
                self.restore(state)
                continue
            try:
                if kind not in COMPOUND:
                    self.run(lines)
                if self.settled():
                    return list(lines)
            except Exception as error:
                share = 0.5 if kind == "wrong" else 0.1
                if self.depth == 0 and self.chance(share) and _is_numpys(error):
                    self.restore(state)
                    self.ended = True
                    return list(lines)
            self.restore(state)
        return []

    def state(self) -> tuple[Any, ...]:
        """What :meth:`restore` needs: the arrays themselves, which may be views, and their contents."""
        contents = [
            (v, v.copy())
            for v in self.names.values()
            if isinstance(v, np.ndarray) and v.flags.writeable
        ]
        return dict(self.names), set(self.rounded), contents, self.ended

    def restore(self, state: tuple[Any, ...]) -> None:
        self.names, self.rounded, self.ended = dict(state[0]), set(state[1]), state[3]
        for array, content in state[2]:
            array[...] = content

    def run(self, lines: list[str]) -> None:
        namespace = {**self.space, **self.names}
        fixed = any(isinstance(v, np.ndarray) and not v.flags.writeable for v in namespace.values())
        if fixed and any(".at(" in line for line in lines):
            raise Rejected  # NumPy's ufunc.at writes into arrays that are read-only
        defined(lambda: exec("\n".join(lines), namespace))
        self.names = {
            k: v for k, v in namespace.items()
            if k not in self.space and not k.startswith("__") and isinstance(v, (np.ndarray,
            np.generic, int, float))
        }  # fmt: skip

    def settled(self) -> bool:
        """Take what is rounded, and what shares memory with it, out of use; False to start anew."""
        if any(np.size(v) > 400 or np.ndim(v) > MOST_DIMENSIONS for v in self.names.values()):
            return False
        wrong = [n for n, v in self.names.items() if not exact(v)]
        if not self.final and (wrong or any(n in self.rounded for n in self.names)):
            return False
        if self.final and self.depth:
            return False
        for name in wrong:
            value = self.names.pop(name)
            self.rounded.add(name)
            for other, its in list(self.names.items()):
                if isinstance(its, np.ndarray) and np.shares_memory(its, value):
                    del self.names[other]
                    self.rounded.add(other)
        return not {"n", "s"} & self.rounded

    def fresh(self, stem: str = "v") -> str:
        self.count_of_names += 1
        return f"{stem}{self.count_of_names}"

    def target(self) -> str:
        """A name to bind: a new one, or one that is there."""
        old = [n for n in self.arrays(0) if not self.depth]
        return str(self.pick(*old)) if old and self.chance(0.3) else self.fresh()

    # Statements.

    def assign(self) -> str:
        return f"{self.target()} = {self.expression()}"

    def rounded_result(self) -> str:
        return f"{self.fresh()} = {self.expression()}"

    def view(self) -> str:
        name = self.array()
        value = self.names[name]
        text = self.pick(
            f"{name}[{self.key(value.shape)}]", f"{name}[::-1]", f"{name}.T", f"{name}.reshape(-1)",
            f"{name}[1:]", f"{name}[..., 0]", f"{name}[None]", f"{name}.ravel()", f"{name}[::2]",
            f"{name}.reshape(2, -1)", f"{name}.swapaxes(0, -1)", f"{name}.view()",
            f"np.asarray({name})",
            f"{name}.real", f"np.diagonal({name}).copy()", f"{name}.squeeze()", f"np.ravel({name})",
        )  # fmt: skip
        return f"{self.fresh()} = {text}"

    def alias(self) -> str:
        return f"{self.fresh()} = {self.array()}"

    def store(self) -> str:
        name = self.array()
        key = self.key(self.names[name].shape)
        part = self.value_of(f"{name}[{key}]")
        return f"{name}[{key}] = {self.stored(part)}"

    def stored(self, part: Any) -> str:
        if np.ndim(part) == 0 or self.chance(0.3):
            scalars = [n for n, v in self.names.items() if np.ndim(v) == 0]
            return str(self.pick(self.number(), *scalars))
        if self.chance(0.4):
            return self.fitting(part)
        text = self.expression(1)
        return text if self.chance(0.9) else f"({text}).tolist()"

    def overlap(self) -> str:
        name = self.array()
        value = self.names[name]
        rest = self.pick("", "", " + 1", " * 2")
        pairs = [("1:", ":-1"), (":-1", "1:"), (":", "::-1"), ("::-1", ":"), ("2:", ":-2"), ("::2",
        "1::2"),
                 ("-2:", ":2"), ("0", "-1"), ("1:", "-2::-1"), ("[0, -1]", "[-1, 0]")]  # fmt: skip
        if value.ndim == 2:
            pairs += [(":, 1:", ":, :-1"), ("1:, :", ":-1, :"), (":, ::-1", ":"), ("1:-1, 1:-1",
            "2:, 2:"),
                      ("0", ":, 0"), (":", "...")]  # fmt: skip
            if value.shape[0] == value.shape[1] and self.chance(0.3):
                return f"{name}[:] = {name}.T{rest}"
        left, right = self.pick(*pairs)
        return f"{name}[{left}] = {name}[{right}]{rest}"

    def store_mask(self) -> str:
        name = self.array()
        mask = self.mask_of(name, self.names[name])
        count = np.shape(self.value_of(f"{name}[{mask}]"))
        value = self.pick(
            self.number(), self.number(), f"{name}[{mask}] {self.pick('+', '*', '-')} 1"
        )
        if len(count) == 1 and self.chance(0.2):
            value = f"np.arange({count[0]})"
        return f"{name}[{mask}] = {value}"

    def store_fancy(self) -> str:
        name = self.array()
        key = self.fancy_key(self.names[name].shape)
        return f"{name}[{key}] = {self.stored(self.value_of(f'{name}[{key}]'))}"

    def augment(self) -> str:
        name = self.array()
        return f"{name} {self.operator(name)} {self.fitting(self.names[name])}"

    def augment_part(self) -> str:
        name = self.array()
        key = self.key(self.names[name].shape)
        part = np.asarray(self.value_of(f"{name}[{key}]"))
        return f"{name}[{key}] {self.operator(name)} {self.fitting(part)}"

    def operator(self, name: str, operators: tuple[str, ...] = OPERATORS) -> str:
        """One of the in-place operators for an array.

        No power of integers in the body of a try: where an exponent is negative, NumPy has written
        what is before it, and agir nothing.
        """
        chosen = str(self.pick(*operators))
        if chosen == "**=" and self.handled and self.names[name].dtype.kind in "iub":
            raise Rejected
        return chosen

    def augment_overlap(self) -> str:
        name = self.array()
        left, right = self.pick(
            ("1:", ":-1"), (":-1", "1:"), (":", "::-1"), ("...", "0"), ("0", "-1")
        )
        return f"{name}[{left}] {self.pick('+=', '-=', '*=')} {name}[{right}]"

    def augment_mask(self) -> str:
        name = self.array()
        mask = self.mask_of(name, self.names[name])
        return f"{name}[{mask}] {self.pick('+=', '*=', '-=', '//=')} {self.number()}"

    def augment_fancy(self) -> str:
        name = self.array()
        key = self.fancy_key(self.names[name].shape)
        return f"{name}[{key}] {self.pick('+=', '*=')} {self.number()}"

    def into(self) -> str:
        name = self.array()
        value = self.names[name]
        where = f", where={name} > 0" if self.chance(0.25) and value.dtype.kind != "c" else ""
        function = self.pick("add", "multiply", "subtract", "maximum", "divide", "floor_divide")
        target = name if self.chance(0.7) else f"{name}[:]"
        return str(self.pick(
            f"np.{function}({name}, {self.fitting(value)}, out={target}{where})",
            f"np.positive({name}, out={target}{where})",
            f"np.copyto({name}, {self.fitting(value)})",
            f"np.{function}({self.fitting(value)}, {name}, {target})",
            f"np.clip({name}, 0, 2, out={target})", f"np.cumsum({name}, out={target})",
            f"np.copyto({name}, {self.number()}, where={name} != 0)",
        ))  # fmt: skip

    def chained(self) -> list[str]:
        name = self.array()
        other = self.fresh()
        value = self.number()
        return [str(self.pick(f"{other} = {name}[:1] = {value}",
        f"{name}[0] = {name}[-1] = {value}",
                              f"{other} = {name}[::-1] = {name} * 1",
                              f"{name}[0], {other} = {value}, {name}"))]  # fmt: skip

    def method(self) -> str:
        name = self.array()
        return f"{name}." + str(
            self.pick(f"fill({self.number()})", "sort(kind='stable')", "sort(axis=0, stable=True)",
                      "put([0, -1], 1)", "sort(kind='stable')", "fill(0)")
        )  # fmt: skip

    def scalar(self) -> str:
        name = self.array()
        at = ", ".join(str(self.random.randrange(-k, k)) for k in self.names[name].shape)
        element = f"{name}[{at}]"
        return f"{self.fresh()} = " + str(self.pick(
            element, f"{element} + 1", f"int({element}.real) % 3", f"{name}.shape[0]",
            f"len({name})",
            f"{name}.sum()", f"{name}.size", f"{name}.ndim", f"int({name}.sum().real) % 4",
            f"{name}.max()", f"float({element}.real)", f"{name}.item(0)",
            f"np.count_nonzero({name})",
            f"{name}.itemsize", f"{name}.nbytes", f"bool({element})", f"abs({element})",
        ))  # fmt: skip

    def call(self) -> str:
        name = self.array()
        return f"{self.fresh()} = " + str(
            self.pick(f"clear({name}, {self.pick('0', '-1', 'slice(1, None)')})",
            f"doubled({name})",
                      f"doubled({name}[1:])", f"halves({name})[{self.pick(0, 1)}]")
        )  # fmt: skip

    def imaginary(self) -> str:
        name = self.array()
        return (
            f"{name}.{self.pick('real', 'imag')} {self.pick('=', '+=')} {self.pick('1', '2', 'n')}"
        )

    def swap(self) -> str:
        name = self.array()
        return str(self.pick(f"{name}[0], {name}[-1] = {name}[-1], {name}[0]",
                             f"{name}[[0, -1]] = {name}[[-1, 0]]",
                             f"{name}[0], {name}[-1] = {name}[-1] * 1, {name}[0] * 1"))  # fmt: skip

    def at(self) -> str:
        name = self.array()
        function = self.pick("add", "subtract", "multiply", "maximum")
        key = self.fancy_key(self.names[name].shape)
        number = self.pick("1", "2", "3")
        wide = self.names[name].dtype == np.uint64
        if function == "subtract" or wide:  # what leaves uint64 is C's, in float64
            number = f"{name}.dtype.type({number})"
        return f"np.{function}.at({name}, {key}, {number})"

    def put(self) -> str:
        name = self.array()
        mask = f"{name} != {self.number()}"
        return str(self.pick(f"np.put({name}, [0, -1], [1, 2])",
        f"np.putmask({name}, {mask}, {self.number()})",
                             f"np.place({name}, {mask}, [{self.number()}])", f"{name}.flat[1] = 2",
                             f"np.fill_diagonal({name}, 3)", f"{name}.flat = 1"))  # fmt: skip

    def row(self) -> str:
        name = self.array(2)
        i = f"{self.integer()} % {max(len(self.names[name]), 1)}"
        return str(self.pick(f"{name}[{i}, :] -= {name}[0, :]", f"{name}[{i}][0] = {self.number()}",
                             f"{name}[{i}] = {name}[0] * 2", f"{name}[:, 0] += {name}[:, -1]",
                             f"{name}[{i}][:] = {name}[0]", f"{name}[{i}, :1] = 1"))  # fmt: skip

    # Compound statements.

    def block(self, head: str, names: dict[str, Any], size: int = 3) -> list[str]:
        """A block that has been written against the state as it is.

        It leaves names in their dtypes.  A name to which paths of a program give different dtypes has
        one that holds them all for agir (docs/numpy.md), where NumPy's depends on the path.
        """
        around = set(self.names)
        kinds = {name: np.asarray(value).dtype for name, value in self.names.items()}
        self.names.update(names)
        self.depth += 1
        lines = [line for _ in range(self.random.randint(1, size)) for line in self.statement()]
        self.depth -= 1
        if not lines or any(np.asarray(v).dtype != kinds.get(k, np.asarray(v).dtype)
                            for k, v in self.names.items()):  # fmt: skip
            raise Rejected
        self.names = {k: v for k, v in self.names.items() if k in around}
        return [head, *(f"    {line}" for line in lines)]

    def attempted(self, lines: list[str], state: tuple[Any, ...]) -> list[str]:
        """Run the whole from the state before, and keep the names that were there."""
        around = set(state[0])
        self.restore(state)
        self.final = False
        self.run(lines)
        self.names = {k: v for k, v in self.names.items() if k in around}
        return lines

    def test(self) -> str:
        name = self.array()
        return str(self.pick("n > 2", f"{name}.sum().real > {self.number()}", "s > 0",
        f"({name} != 0).any()",
                             f"len({name}) > 2", f"{name}.shape[0] == 3", "n % 2 == 0",
                             f"np.all({name} == {name})", f"{name}.max() >= 1",
                             f"{name}.dtype == np.float64",
                             f"np.count_nonzero({name}) > n"))  # fmt: skip

    def branch(self) -> list[str]:
        state = self.state()
        test = self.test()
        lines = self.block(f"if {test}:", {})
        if self.chance(0.5):
            self.restore(state)
            lines += self.block("else:", {})
        return self.attempted(lines, state)

    def count(self) -> list[str]:
        state = self.state()
        i = self.fresh("i")
        array = self.array()
        stop = self.pick(
            "3", "n", f"len({array})", f"{array}.shape[0]", f"1, len({array})", "4, 0, -2"
        )
        first = next(itertools.chain(eval(f"range({stop})", {**self.space, **self.names}), [0]))
        lines = self.block(f"for {i} in range({stop}):", {i: first})
        return self.attempted(lines, state)

    def rows(self) -> list[str]:
        state = self.state()
        r, k = self.fresh("r"), self.fresh("k")
        array = self.array(2 if self.chance(0.7) else 1)
        value = self.names[array]
        if not len(value):
            raise Rejected
        head = self.pick((f"for {r} in {array}:", {r: value[0]}),
                         (f"for {k}, {r} in enumerate({array}):", {k: 0, r: value[0]}),
                         (f"for {r} in {array}[::-1]:", {r: value[-1]}),
                         (f"for {r}, {k} in zip({array}, {array}.copy()):", {r: value[0],
                         k: value[-1]}))  # fmt: skip
        return self.attempted(self.block(*head), state)

    def during(self) -> list[str]:
        state = self.state()
        k = self.fresh("w")
        array = self.array()
        test = self.pick("True", f"{array}.sum().real < 20", f"{k} < n")
        lines = self.block(f"while {k} < 3 and {test}:", {k: 0})
        return self.attempted([f"{k} = 0", *lines, f"    {k} += 1"], state)


def _is_numpys(error: Exception) -> bool:
    """Whether this is an error that a program may be about."""
    return isinstance(error, (TypeError, ValueError, IndexError, ZeroDivisionError, OverflowError))
