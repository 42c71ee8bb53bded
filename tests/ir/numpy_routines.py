"""Random routines as users write them: swaps, masks in loops, closures, objects, early exits."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from numpy_values import Values as Base
else:
    Base = object

STATEMENTS = {
    "stepped": 1, "flattened": 0.8, "masked": 0.8, "wrapping": 0.8, "stretched": 0.5, "indexed": 0.8,
    "in_parts": 0.5,
}  # fmt: skip
COMPOUND = {
    "handed_round": 0.7, "ring": 0.4, "closed_over": 0.6, "leaving": 0.6, "masks_in_turns": 0.6,
    "boxed": 0.5, "windowed": 0.6, "searched": 0.5,
}  # fmt: skip
HELPERS = """\
class Box:
    def __init__(self, data):
        self.data = data

    def iteration(self):
        self.data = self.data[::-1]
        return self

    def put(self, i, value):
        self.data[i] = value


def first_row(x, least):
    for i in range(len(x)):
        if x[i].sum().real > least:
            return x[i:]
        x[i] = 2
    return x[:1]


def lowered(x, k):
    if k > 2:
        x[:1] -= k
        return x
    for each in x:
        each[...] = k
        if k == 1:
            break
    else:
        return x + 1
    return x[::-1]


"""


class Routines(Base):
    """Writes the statements of ``STATEMENTS`` and ``COMPOUND``."""

    def stepped(self) -> str:
        """Two parts of as many rows, which may overlap, with steps either way."""
        name = self.array()
        size = len(self.names[name])
        count = self.random.randint(1, max(size // 2, 1))
        left, right = (self._steps(size, count) for _ in range(2))
        operator = self.pick("=", "=", "=", "+=", "-=", "*=")
        rest = self.pick("", "", "", " + 1", "[::-1]")
        lengths = {abs(int(part.rpartition(":")[2])) for part in (left, right)}
        if self.names[name].ndim == 1 and len(lengths) > 1 and "+" not in rest:
            rest += ".copy()"  # NumPy writes over what it has yet to read
        return f"{name}[{left}] {operator} {name}[{right}]{rest}"

    def _steps(self, size: int, count: int) -> str:
        step = self.pick(1, 1, 2, 3, -1, -2, -3)
        if abs(step) * (count - 1) >= size:
            step = 1 if step > 0 else -1
        span = abs(step) * (count - 1)
        first = self.random.randint(0, max(size - 1 - span, 0)) + (span if step < 0 else 0)
        stop = first + step * count
        return f"{first}:{'' if stop < 0 else stop}:{step}"

    def flattened(self) -> list[str]:
        """A part between bounds of the run time in other dimensions, and what is written behind it."""
        name, v = self.array(), self.fresh()
        low, high, number = self.integer(), self.integer(), self.number()
        parts = [
            f"{name}[:{high}]",
            f"{name}[{low}:]",
            f"{name}[::-1][:{high}]",
            f"{name}[{low}::2]",
        ]
        if self.names[name].ndim > 1:
            parts += 2 * [
                f"{name}[:{high}, :{low}]", f"{name}[:, {low}:]", f"{name}[{low}:, 1:]",
                f"{name}.T[:{high}]", f"{name}[:1, :{high}]", f"{name}[:{high}, ::-1]",
            ]  # fmt: skip
        part = self.pick(*parts)
        made = self.pick(
            f"{part}.reshape(-1)", f"{part}.ravel()", f"np.ravel({part})", f"{part}.T.ravel()",
            f"{part}[None].reshape(-1)", f"{part}.reshape(1, -1)[0]",
            f"np.ascontiguousarray({part})",
            f"np.asfortranarray({part})", f"{part}.reshape(len({part}), -1)", f"{part}.flatten()",
            f"{part}.reshape(-1, 1)", f"{part}.reshape((*{part}.shape, 1))",
        )  # fmt: skip
        write = self.pick(
            f"{v}[...] = {number}", f"{name}[...] = {number}", f"{v} += 1", f"{v}[:1] = {number}",
            f"{name}[0] = {number}", f"{v}[::-1][:1] *= 2", f"{v} = {v}[1:]",
            f"{v}.sort(kind='stable')",
        )  # fmt: skip
        return [f"{v} = {made}", write, *([f"{v}[-1:] = 2"] if self.chance(0.3) else [])]

    def masked(self) -> str:
        """Masks of other views, and ``where=``."""
        name = self.array()
        value, number = self.names[name], self.number()
        fitting = self.fitting(value)
        mask = self.pick(
            f"{name} > 0", f"{name} != {number}", f"~({name} > 1)", f"{name} == {name}"
        )
        v, w = self.fresh(), self.fresh()
        return str(self.pick(
            f"np.add({name}, {fitting}, out={name}, where={mask})",
            f"np.divide(1, {name}, out=np.zeros({name}.shape), where={name} > 0)",
            f"{v} = np.multiply({name}, {fitting}, out={name}.copy(), where={mask})",
            f"{v} = np.sum({name}, where={mask})", f"{v} = np.max({name}, where={mask}, initial=0)",
            f"{v} = np.any({name}, axis=0, where={mask})", f"{v} = {name}.min(axis=-1, initial=3)",
            f"{name}[{mask}] = {name}[::-1][{mask}]", f"{name}[{mask}][...] = 5",
            f"{name}[1:][{name}[1:] > {name}[:-1]] = 0",
            f"{v}, {w} = {name}[{mask}], {name}[~({mask})]",
            f"{v} = np.where({mask}, {name}, -{name})", f"{name}[::-1][{mask}] = {number}",
            f"{name}[{mask}] = {name}.ravel()[:np.count_nonzero({mask})] * 1",
            f"{v} = {name}[{mask}].reshape(-1, 1) + {name}[{mask}]",
            f"{name}[np.logical_and({mask}, {name} < 3)] += 1", f"{v} = ({mask}).sum(axis=0)",
            f"{name}[({mask}).nonzero()] -= 1", f"{name}.T[({mask}).T] = {number}",
            f"{name}[np.array({mask})] = np.arange(np.count_nonzero({mask}))",
        ))  # fmt: skip

    def wrapping(self) -> str:
        """Integers that wrap around, and dtypes that meet."""
        name, v = self.array(), self.fresh()
        if self.names[name].dtype.kind not in "iub":
            name = f"({name}.real > 1).astype(np.{self.pick('int8', 'uint8', 'uint64', 'int16')})"
        lines = [
            f"{v} = {name} * {name} * {name}", f"{v} = -{name}", f"{v} = abs({name})",
            f"{v} = {name} ** 5", f"{v} = {name} - {name}.max()", f"{v} = ~{name}",
            f"{v} = {name}.sum(dtype=np.int8)", f"{v} = {name}.cumsum(dtype=np.uint8)",
            f"{v} = {name}.astype(np.uint8) - {name}.astype(np.int8)",
            f"{v} = {name}.astype(np.uint64) > -1", f"{v} = {name}.astype(np.int8) * np.int8(100)",
            f"{v} = {name}.astype(np.uint8) - 1", f"{v} = {name}.astype(np.int16) << 14",
            f"{v} = {name}.astype(np.uint64) + {name}.astype(np.int64)", f"{v} = {name} ^ -1",
            f"{v} = np.multiply({name}, {name}, dtype=np.int16, casting='unsafe')",
            f"{v} = {name}.astype(np.uint32) - {name}.astype(np.int32)", f"{v} = {name} // -1",
            f"{v} = np.prod({name}.astype(np.int8) + np.int8(5))", f"{v} = {name} > 300",
            f"{v} = {name}.astype(np.uint8) == -1", f"{v} = {name} % -3",
            f"{v} = {name}.astype(int) >> 70",
            f"{v} = np.abs({name}.astype(np.int8) - np.int8(128 - 1))", f"{v} = {name}.mean()",
        ]  # fmt: skip
        if name in self.names and self.names[name].dtype.kind in "iu":
            lines += [
                f"{name} *= {name}", f"{name} <<= 3", f"{name} += np.iinfo({name}.dtype).max",
                f"{v} = np.iinfo({name}.dtype).max - {name}",
                f"{name}[0] = np.iinfo({name}.dtype).min",
                f"np.positive({name}, out={name})", f"{name} ^= {name} >> 1", f"{name} -= 100",
            ]  # fmt: skip
        return str(self.pick(*lines))

    def stretched(self) -> str:
        """Arrays that repeat elements."""
        name, v = self.array(), self.fresh()
        return str(self.pick(
            f"{v} = np.broadcast_to({name}[0], {name}.shape) + {name}",
            f"{name} += np.broadcast_to({name}[:1], {name}.shape)",
            f"{v} = np.broadcast_to({name}, (2, *{name}.shape))",
            f"{v} = np.broadcast_to({name}[:1], {name}.shape)[::-1].copy()",
            f"{name}[...] = np.broadcast_to({name}[-1:], {name}.shape)",
            f"{v} = np.lib.stride_tricks.sliding_window_view({name}, 2, axis=0).sum(-1)",
            f"{v} = np.lib.stride_tricks.sliding_window_view({name}, 1, axis=-1)[..., 0]",
            f"{v} = np.add(*np.broadcast_arrays({name}, {name}[:1]))",
            f"{v} = {name}[:, None] - {name}[None, :]", f"{v} = {name}[..., None] * {name}",
            f"{v} = np.broadcast_to({self.number()}, {name}.shape) * {name}",
            f"{v} = np.ones(3)[:, None] + np.broadcast_to(n, (2,))",
        ))  # fmt: skip

    def indexed(self) -> str:
        """Elements that say where others lie."""
        name, other, v = self.array(), self.array(), self.fresh()
        number = self.number()
        places = (
            f"np.abs({other}.ravel()[:2].real).astype(np.{self.pick('uint64', 'int8', 'uint8')})"
        )
        one = f"int(abs({other}.ravel()[0].real)) % len({name})"
        return str(self.pick(
            f"{name}[{places} % len({name})] = {number}", f"{v} = {name}[{places} % len({name})]",
            f"{name}[{one}] += 1", f"{v} = {name}[{one}:]", f"{name}[{one}:][:1] = {number}",
            f"{v} = {name}[{other}.argmax() % len({name})]", f"{name}[np.uint64(1)] = {number}",
            f"{name}[np.array([1, 0], np.uint64)] = {name}[np.array([0, 1], np.uint8)]",
            f"{v} = {name}[np.argsort({name}[..., 0] if {name}.ndim > 1 else {name}, kind='stable')]",
            f"np.add.at({name}, {places} % len({name}), 1)", f"{v} = {name}[-{one} - 1]",
            # not of the places themselves: NumPy wraps by subtracting the size again and again
            f"{v} = np.take({name}, {places} % 100, axis=0, mode='wrap')",
            f"{name}[np.uint8(-1 % 256) % 2] = 1",
            f"{name}[np.array(1, np.uint64)] = {number}", f"{v} = {name}[np.array([[0], [1]])]",
            f"{v} = {name}[{name}.shape[0] - 1 - {one}]", f"{name}[[{one}, 0]] = {number}",
            f"{v} = np.bincount({places} % 4, minlength=n)",
            f"{name}[[True] * len({name})] = {number}",
        ))  # fmt: skip

    def in_parts(self) -> str:
        """Real and imaginary parts on both sides."""
        name, v = self.array(), self.fresh()
        if self.names[name].dtype.kind != "c":
            return str(self.pick(
                f"{v} = {name} * 1j", f"{v} = {name} + 2j * {name}[::-1]", f"{v} = {name}.real[1:]",
                f"{name}.real[:1] = 2", f"{v} = np.conj({name}) * (1 - 1j)", f"{name}.real *= 2",
            ))  # fmt: skip
        return str(self.pick(
            f"{name}.real[1:] = {name}.imag[:-1]", f"{name}.imag *= -1",
            f"{name}.real[...] = {name}.real[::-1]",
            f"{name}.real, {name}.imag = {name}.imag, {name}.real",
            f"np.conjugate({name}[::-1], out={name})", f"{name}[{name}.imag > 0] = 1j",
            f"{name}.T.imag[0] = 3", f"{name}[::2].real += 1", f"{v} = {name}.real.ravel()",
            f"{name}.imag[{name}.real > 0] = 2", f"{v} = {name}.imag.T", f"{name} *= 1j",
            f"np.add({name}.real, 1, out={name}.imag)", f"{v} = np.abs({name}.real + 1j)",
            f"{name}[0] = {name}[0].conjugate()", f"{name}.real[[0, -1]] = {name}.imag[[-1, 0]]",
        ))  # fmt: skip

    # Compound statements, whose new names stay.

    def _kept(self, lines: list[str], state: object) -> list[str]:
        self.restore(state)  # type: ignore[attr-defined]
        self.final = False
        self.run(lines)  # type: ignore[attr-defined]
        return lines

    def handed_round(self) -> list[str]:
        """Arrays that change their names in a loop."""
        state = self.state()  # type: ignore[attr-defined]
        name, t, u, k = self.array(), self.fresh(), self.fresh(), self.fresh("k")
        begin = self.pick(
            [f"{t} = {name}.copy()", f"{u} = np.zeros_like({name})"],
            [f"{t} = {name}.copy()", f"{u} = {name}"], [f"{t}, {u} = {name}[::-1], {name}.copy()"],
            [f"{t} = {u} = {name}.copy()"],
        )  # fmt: skip
        body = self.pick(
            [f"{t}, {u} = {u}, {t}", f"{t}[0] = {k}"],
            [f"{t}, {u}, {name} = {u}, {name}, {t}", f"{t}[-1] += {k}"],
            [f"{t}[1:] = {u}[:-1]", f"{t}, {u} = {u}, {t}"],
            [f"{t} = {u}[::-1]", f"{u} = {t}", f"{u}[0] = {k}"],
            [f"{u} = {t}", f"{t} = {t} + {name}", f"{u}[0] = {k}"],
            [f"if {k} % 2:", f"    {t}, {u} = {u}, {t}", f"{t} += {u}"],
            [f"if {t}[0].sum().real > {k}:", f"    {t} = {u}", f"{t}[-1] = {k}"],
            [f"{t}, {u} = {u}.copy(), {t}", f"{u}[:1] = {t}[-1:]"],
            [f"{name}, {t} = {t}, {name}", f"if {k} == 1:", "    continue", f"{name}[0] = {k}"],
            [f"{t}, {u} = {u}, {t}", f"if {k} == 1:", "    break", f"{u}[...] = {t} + {k}"],
        )  # fmt: skip
        loop = self.pick(f"for {k} in range(n):", f"for {k} in range(3):")
        after = self.pick([], [f"{t}[0] = {self.number()}"], [f"{name}[-1] = 3"])
        return self._kept([*begin, loop, *(f"    {line}" for line in body), *after], state)

    def ring(self) -> list[str]:
        """A list of arrays that a loop iterations."""
        state = self.state()  # type: ignore[attr-defined]
        name, h, i = self.array(), self.fresh("h"), self.fresh("i")
        three = self.pick(
            f"{name}, {name}.copy(), {name}[::-1]", f"{name} * 1, {name} * 1, {name} * 1",
            f"{name}, {name}.copy(), {name}",
        )  # fmt: skip
        body = self.pick(
            [f"{h}[{i} % 3][0] += {i}"], [f"{h}.append({h}.pop(0))", f"{h}[0][...] = {h}[1]"],
            [f"{h}[{i} % 3] = {h}[({i} + 1) % 3] + 1"], [f"{h}[0], {h}[2] = {h}[2], {h}[0]",
             f"{h}[0][:1] = {i}"],
            [f"{h} = {h}[1:] + {h}[:1]", f"{h}[1] += 1"], [f"for e in {h}:", "    e += 1"],
            [f"{h}[-1][...] = sum({h}[:2])"],
        )  # fmt: skip
        loop = self.pick(f"for {i} in range(n):", f"for {i} in range(3):")
        v = self.fresh()
        lines = [f"{h} = [{three}]", loop, *(f"    {line}" for line in body), f"{v} = {h}[0] * 1"]
        return self._kept(lines, state)

    def closed_over(self) -> list[str]:
        """Functions inside, which write into arrays around them or leave early."""
        state = self.state()  # type: ignore[attr-defined]
        name, g, v = self.array(), self.fresh("g"), self.fresh()
        number = self.number()
        left = self.part(name)  # type: ignore[attr-defined]
        return self._kept(list(self.pick(
            [f"def {g}(i):", f"    {name}[i] = {number}", f"    return {name}[i:].sum()",
             f"{v} = {g}(0) + {g}(-1)"],
            [f"{g} = lambda x: x + {name}[0]", f"{name}[...] = {g}({name})"],
            [f"def {g}(x, k=2):", "    for i in range(k):", f"        x[i % len(x)] = {name}[0]",
             "        if i > n:", "            return x[:1]", "    return x",
             f"{v} = {g}({left})"],
            [f"{v} = first_row({left}, {number})",
             f"{v}[0] = 1"], [f"{v} = first_row({name}, n) * 2"],
            [f"{v} = lowered({left}, n % 4)"],
            [f"{v} = lowered({name}, {self.pick(0, 1, 2, 3)})", f"{v}[:1] = 3"],
            [f"def {g}(*xs, scale=1):", "    for x in xs:", "        x *= scale",
             "    return xs[-1]",
             f"{v} = {g}({name}, {left}, scale={self.pick('2', 'n')})"],
            [f"def {g}(x):", "    def inner(y):", "        y[0] = x[-1]", "        return y",
             "    return inner(x[::-1])", f"{v} = {g}({left})"],
            [f"{v} = [f({name}) for f in (np.sum, np.max, len)][{self.pick(0, 1, 2)}]"],
            [f"{v} = list(map(lambda r: r * 2, {name}))[0]"],
            [f"{v} = max((r.sum().real for r in {name}), default={name}.sum().real)"],
        )), state)  # fmt: skip

    def leaving(self) -> list[str]:
        """Loops with several ways out."""
        state = self.state()  # type: ignore[attr-defined]
        name, i, j, w = self.array(), self.fresh("i"), self.fresh("j"), self.fresh("w")
        return self.attempted(list(self.pick(  # type: ignore[attr-defined]
            [f"{w} = 0", "while True:", f"    {w} += 1", f"    if {w} > 4:", "        break",
             f"    if {name}[{w} % len({name})].sum() > 1:", "        continue",
             f"    {name}[{w} % len({name})] = {w}"],
            [f"for {i} in range(len({name})):", f"    for {j} in range(3):",
             f"        if {j} == {i}:",
             "            break", f"        {name}[{i}] += {j}", "    else:", "        continue",
             f"    {name}[0] = {i}"],
            ["try:", f"    for {i} in range(9):", f"        {name}[{i}] = {i}",
            "except IndexError:",
             f"    {name}[0] = 7"],
            [f"for {i}, {j} in enumerate({name}):", f"    if {i} == n:", "        break",
             f"    {name}[-1] = {j}"],
            [f"for {i} in range(len({name}) - 1, -1, -1):", f"    if {name}[{i}].max() > 1:",
             f"        {name}[{i}] = 0", "        break", "else:", f"    {name}[0] = 2"],
            [f"{w} = {name}", f"for {i} in range(n):", f"    if len({w}) < 2:", "        break",
             f"    {w} = {w}[1:]", f"    {w}[0] = {i}"],
            [f"{w} = 5", f"while ({w} := {w} - 1) > 1:", f"    {name}[{w} % len({name})] += 1",
             f"    if {name}.sum().real > 9: break"],
        )), state)  # fmt: skip

    def masks_in_turns(self) -> list[str]:
        """Masks that a loop makes anew."""
        state = self.state()  # type: ignore[attr-defined]
        name, i, m, v = self.array(), self.fresh("i"), self.fresh("m"), self.fresh()
        return self.attempted(list(self.pick(  # type: ignore[attr-defined]
            [f"{m}, {i} = {name} > 0, 0", f"while {m}.any() and {i} < 4:", f"    {name}[{m}] -= 1",
             f"    {m} = {name} > {i}", f"    {i} += 1"],
            [f"for {i} in range(3):", f"    {m} = {name} > {i}", f"    {name}[{m}] += {i}",
             f"    {m}[0] = False", f"    {name}[{m}] = 2"],
            [f"{m} = np.zeros({name}.shape, bool)", f"for {i} in range(len({name})):",
             f"    {m}[{i}] = ~{m}[{i} - 1]", f"    {name}[{m}] = {i}"],
            [f"for {i} in range(n):", f"    {v} = {name}[{name} > {i}]",
             f"    if len({v}) == 0: break",
             f"    {name}[{name} > {i}] = {v}[::-1]"],
            [f"{v} = {name}.ravel()", f"while len({v}) > 1:", f"    {v} = {v}[{v} > {v}[0]]"],
            [f"{m} = np.ones(len({name}), bool)", f"for {i} in range(2, len({name})):",
             f"    {m}[{i}::{i}] = False", f"{name}[{m}] = 1"],
            [f"for {i} in np.flatnonzero({name}):", f"    {name}.flat[{i}] = {i}"],
            [f"for {i} in range(len({name})):", f"    {m} = {name}[{i}:] > {name}[{i}]",
             f"    {name}[{i}:][{m}] = {i}"],
        )), state)  # fmt: skip

    def boxed(self) -> list[str]:
        """Objects that hold views."""
        state = self.state()  # type: ignore[attr-defined]
        name, h, i, v = self.array(), self.fresh("h"), self.fresh("i"), self.fresh()
        left, number = self.part(name), self.number()  # type: ignore[attr-defined]
        return self._kept(list(self.pick(
            [f"{h} = Box({left})", f"{h}.put(0, {number})", f"{h}.iteration().put(0, 2)",
             f"{v} = {h}.data"],
            [f"{h} = Box({left})", f"{h}.data += 1", f"{v} = {h}.iteration().data * 1"],
            [f"{h} = Box({name})", f"for {i} in range(n):", f"    {h}.iteration()",
             f"    {h}.put(0, {i})",
             f"{v} = {h}.data + 1"],
            [f"{h} = Box({name})", "if n > 2:", f"    {h}.data = {left}",
             f"{h}.data[...] = {number}"],
            [f"{h} = Box({name})", f"while len({h}.data) > 1:", f"    {h}.data = {h}.data[1:]",
             f"    {h}.put(0, {number})"],
            [f"{h} = [Box({name}), Box({left})]", f"for {i} in {h}:",
             f"    {i}.iteration().put(-1, {number})"],
        )), state)  # fmt: skip

    def windowed(self) -> list[str]:
        """Loops over windows and over all places."""
        state = self.state()  # type: ignore[attr-defined]
        name, i, w, x = self.array(), self.fresh("i"), self.fresh("w"), self.fresh("x")
        return self.attempted(list(self.pick(  # type: ignore[attr-defined]
            [f"for {i} in range(1, len({name}) - 1):",
             f"    {name}[{i}] = {name}[{i} - 1:{i} + 2].max(axis=0)"],
            [f"for {i} in range(0, len({name}), 2):", f"    {w} = {name}[{i}:{i} + 2]",
             f"    {w} *= 2",
             f"    {w}[-1] = {w}[0]"],
            [f"for {i} in range(len({name})):",
             f"    {w} = {name}[max({i} - 1, 0):min({i} + 2, len({name}))]",
             f"    {w}[...] = {w}.max()"],
            [f"for {i}, {x} in np.ndenumerate({name}):", f"    {name}[{i}] = {x} * 2"],
            [f"for {i} in np.ndindex({name}.shape):", f"    {name}[{i}] += 1"],
            [f"for {i} in range(len({name})):",
             f"    {name}[{i}:] = np.roll({name}[{i}:], {i}, axis=0)"],
            [f"for {i} in range(len({name})):", f"    {w} = {name}[:{i} + 1].ravel()",
             f"    {name}[-1] = {w}[0]", f"    {w}[-1] = {i}"],
            [f"for {i} in reversed(range(len({name}))):", f"    {name}[{i}:] += {name}[{i}]"],
            [f"for {x}, {w} in zip({name}[:-1], {name}[1:]):", f"    {w} += {x}"],
            [f"for {i} in range(len({name})):",
             f"    {name}[{i}] = np.sort({name}[:{i} + 1] + 0, axis=0)[0]"],
        )), state)  # fmt: skip

    def searched(self) -> list[str]:
        """Sorting and searching by hand."""
        state = self.state()  # type: ignore[attr-defined]
        name, i, j, x = self.array(), self.fresh("i"), self.fresh("j"), self.fresh("x")
        if np.ndim(self.names[name]) > 1:
            name = f"{name}.ravel()"
        y = self.fresh("y")
        return self.attempted([f"{y} = {name}", *self.pick(  # type: ignore[attr-defined]
            [f"for {i} in range(1, len({y})):", f"    {x} = {y}[{i}]", f"    {j} = {i}",
             f"    while {j} > 0 and {y}[{j} - 1] > {x}:", f"        {y}[{j}] = {y}[{j} - 1]",
             f"        {j} -= 1", f"    {y}[{j}] = {x}"],
            [f"{i}, {j} = 0, len({y})", f"while {i} < {j}:", f"    {x} = ({i} + {j}) // 2",
             f"    if {y}[{x}] < 1:", f"        {i} = {x} + 1", "    else:", f"        {j} = {x}",
             f"{y}[:{i}] = 2"],
            [f"{i} = 0", f"for {j} in range(len({y})):", f"    if {y}[{j}] > 0:",
             f"        {y}[{i}], {y}[{j}] = {y}[{j}], {y}[{i}]", f"        {i} += 1"],
            [f"{x} = {y}[0]", f"for {i} in range(len({y})):", f"    if {y}[{i}] > {x}:",
             f"        {x} = {y}[{i}]", f"    {y}[{i}] = {x}"],
            [f"for {i} in range(len({y})):", f"    {j} = {i} + np.argmin({y}[{i}:])",
             f"    {y}[{i}], {y}[{j}] = {y}[{j}], {y}[{i}]"],
            [f"{x} = 0", f"for {i} in {y}:", f"    if {i} > 1:", f"        {x} += 1", "    else:",
             f"        {x} = 0", f"{y}[0] = {x}"],
        )], state)  # fmt: skip
