"""Random statements about several views at once, views in containers, and what functions write."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from numpy_values import Values as Base
else:
    Base = object

STATEMENTS = {"contained": 0.8, "of_views": 1, "placed": 0.8, "turned": 0.8, "nested_call": 0.5}
COMPOUND = {"over_views": 0.7, "row_by_row": 0.7, "shrinking": 0.4, "moving": 0.5}
HELPERS = """\
def exchanged(v, i, j):
    v[i], v[j] = v[j], v[i]
    return v


def filled(v, *rest):
    for each in rest:
        each[...] = 1
    v += 1


def running(v, out):
    for i in range(1, len(v)):
        out[i] = out[i - 1] + v[i]
    return out


"""


class Views(Base):
    """Writes the statements of ``STATEMENTS`` and ``COMPOUND``."""

    def part(self, name: str) -> str:
        """A view of an array."""
        return str(self.pick(
            f"{name}[1:]", f"{name}[::-1]", f"{name}[:1]", f"{name}.T", f"{name}[::2]", name,
            f"{name}[...]", f"{name}[None]", f"{name}[0:2]", f"{name}[-2:]", f"{name}.reshape(-1)",
            f"{name}.swapaxes(0, -1)[1:]", f"{name}[..., ::-1]", f"{name}[1:][::-1]",
            f"{name}[::-1][1:]", f"{name}.T[::-1]", f"{name}[:, None]", f"{name}.ravel()[1:]",
        ))  # fmt: skip

    def contained(self) -> list[str]:
        """Views in lists, tuples and dicts."""
        name, other = self.array(), self.array()
        held = self.fresh("h")
        left, right = self.part(name), self.part(other)
        number = self.number()
        return list(self.pick(
            [f"{held} = [{left}, {right}]", f"{held}[0][...] = {number}"],
            [f"{held} = [{left}, {right}]", f"{held}[-1] += {number}"],
            [f"{held} = ({left}, {right})", f"{held}[1][0] = {number}"],
            [f"{held} = {{'a': {left}, 'b': {right}}}", f"{held}['a'][:1] = {number}"],
            [f"{held} = [{left}]", f"{held}.append({right})", f"{held}[1] *= 2"],
            [f"{held} = [{left}, {right}]", f"{held}[0], {held}[1] = {held}[1], {held}[0]",
             f"{held}[0][0] = {number}"],
            [f"{held} = list({name})", f"{held}[0] = {number}"],
            # an array of an empty list has another dtype than one of some elements
            [f"{held} = [v * 1 for v in {name}]",
             f"{self.fresh()} = np.array({held}, {name}.dtype)" if self.names[name].ndim == 1
             else f"{held}.reverse()"],
            [f"{held} = [{left}, {right}]", f"for each in {held}:", f"    each += {number}"],
            [f"{held} = [{left} for _ in range(2)]", f"{held}[0] += 1", f"{held}[1] += 1"],
            [f"{self.fresh()} = sum([{left}, {left}])"],
            [f"{held} = dict(x={left})", f"{held}['x'] = {held}['x'] + 1"],
        ))  # fmt: skip

    def of_views(self) -> str:
        """Views of views on both sides."""
        name, other = self.array(), self.array()
        left, right = self.part(name), self.part(other)
        number = self.number()
        if left == name:
            left = f"{name}[...]"
        return str(self.pick(
            f"{left}[...] = {right}", f"{left}[0] = {number}", f"{left}[...] += {number}",
            f"{left}[...] = {name}[::-1]", f"{left}[:1] = {right}[:1]", f"{left}[-1:] *= 2",
            f"({name} if s > 0 else {other})[0] = {number}",
            f"({left} if n > 2 else {name})[...] = {number}",
            f"{left}[{left} > 0] = {number}", f"{left}.fill({number})", f"{left}.sort(kind='stable')",
            f"{left}[[0, -1]] = {number}", f"{left}[[0, -1], ...] += {number}",
            f"{left}.flat[0] = {number}", f"{left}.flat[1:] = {number}",
        ))  # fmt: skip

    def placed(self) -> str:
        """NumPy's functions that choose or put."""
        name, other = self.array(), self.array()
        value = self.names[name]
        number, fitting = self.number(), self.fitting(value)
        left = self.part(name)
        return str(self.pick(
            f"{self.fresh()} = np.select([{name} > 1, {name} < 0], [{fitting}, {name}], {number})",
            f"{self.fresh()} = np.choose({name} > 0, [{name}, {number}])",
            f"{self.fresh()} = np.take({left}, [0, -1], mode='wrap')",
            f"np.put({left}, [0, 1, 0], [{number}, 2])", f"np.putmask({left}, {left} > 0, {left})",
            f"np.putmask({name}, {name} > 1, [1, 2, 3])", f"np.copyto({left}, {number})",
            f"np.copyto({left}, {right})" if (right := self.part(other)) else "",
            f"np.copyto({name}, {fitting}, where={name} > 1)",
            f"np.place({left}, {left} != 0, [1, {number}])",
            f"i, = np.where({name}.ravel() > 0); {name}.ravel()[i] = {number}",
            f"{name}[np.where({name} > 1)] = {number}",
            f"{name}[np.nonzero({name})] += 1",
            f"{name}[np.unravel_index(np.argmax({name}), {name}.shape)] = {number}",
            f"np.put_along_axis({name}, {name}.argmin(0, keepdims=True), {number}, axis=0)",
            f"{self.fresh()} = np.extract({name} > 0, {name})",
            f"np.add.at({left}, [0, 0, -1], 1)",
            f"{self.fresh()} = np.argwhere({left})",
            f"{self.fresh()} = np.compress([False, True], {left}, axis=0)",
        ))  # fmt: skip

    def turned(self) -> str:
        """``out=`` that lies otherwise, or overlaps."""
        name, other = self.array(), self.array()
        value = self.names[name]
        function = self.pick("add", "subtract", "multiply", "maximum", "minimum", "fmax")
        one = self.pick("positive", "square", "absolute", "conjugate", "sign")
        whole = value.dtype.kind == "b"  # of which NumPy adds up ints
        scan = (
            "np.logical_or.accumulate"
            if whole
            else self.pick("np.cumsum", f"np.{function}.accumulate")
        )
        return str(self.pick(
            f"np.{function}({name}.T, {self.pick('1', '2', name + '.T')}, out={name}.T)",
            f"np.{function}({name}, {name}[::-1], out={name})",
            f"np.{function}({name}[1:], {name}[:-1], out={name}[1:])",
            f"np.{function}({name}[1:], {name}[:-1], out={name}[:-1])",
            f"np.{function}({name}, {name}[::-1], out={name}[::-1])",
            f"np.{function}({name}[::-1], 1, {name})",
            f"np.{one}({name}[::-1], out={name})", f"np.{one}({name}.T, out={name}.T)",
            f"np.{one}({name}, {name}[...])",
            f"{scan}({name}[::-1], axis=0, out={name}[::-1])",
            f"{name}.T[...] += {other}.T", f"{name}.T[...] = {name}[::-1].T",
            f"{name}[::-1][...] -= {name}", f"np.clip({name}.T, 0, 2, out={name}.T)",
            f"np.clip({name}[::-1], -1, 1, out={name})",
            f"{name}[...] = np.where({name} > 0, {name}[::-1], {name})",
        ))  # fmt: skip

    def nested_call(self) -> str:
        """Functions that write into what they get."""
        name, other = self.array(), self.array()
        left, right = self.part(name), self.part(other)
        return str(self.pick(
            f"{self.fresh()} = exchanged({left}, 0, -1)", f"exchanged({left}, n % 2, -1)",
            f"filled({left}, {right})", f"filled({name}, {left}, {right})", f"filled({left})",
            f"{self.fresh()} = running({left}, {left})", f"running({left}, {right})",
            f"{self.fresh()} = running({name}, np.zeros_like({name}))",
        ))  # fmt: skip

    def over_views(self) -> list[str]:
        """A loop over several views."""
        state = self.state()
        name, other, v = self.array(), self.array(), self.fresh("e")
        left, right = self.part(name), self.part(other)
        number = self.number()
        head = self.pick(
            f"for {v} in ({left}, {right}):", f"for {v} in [{left}, {name}]:", f"for {v} in {left}:"
        )
        body = self.pick(
            f"{v} += {number}", f"{v}[...] = {number}", f"{v} *= 2", f"{v}[:1] = {v}[-1:]",
            f"{v} = {v} + 1", f"{name}[0] = {number}", f"{v} -= {name}[0]", f"{v}[0] += {v}[-1]",
        )  # fmt: skip
        return self.attempted([head, f"    {body}"], state)

    def row_by_row(self) -> list[str]:
        """A loop whose iterations hold views of rows."""
        state = self.state()
        name, i, r = self.array(2 if self.chance(0.7) else 1), self.fresh("i"), self.fresh("r")
        body = self.pick(
            [f"{r} = {name}[{i}:]", f"{r} += {i}"], [f"{r} = {name}[{i}:{i} + 1]", f"{r} *= 2"],
            [f"{r} = {name}[::-1][{i}:]", f"{r}[0] = {i}"],
            [f"{r} = {name}[{i}:]", f"{r}[...] = {r}[::-1]"],
            [f"{name}[{i}], {name}[-{i} - 1] = {name}[-{i} - 1], {name}[{i}]"],
            [f"{r} = {name}[{i}] * 1", f"{name}[{i}] = {name}[-1]", f"{name}[-1] = {r}"],
            [f"{r} = {name}[:{i}]", f"{r}[...] = {i}", f"{name}[{i}:] += 1"],
            [f"{r} = {name}.T", f"{r}[0] += {i}"], [f"{r} = {name}[{i}, ...]", f"{r} += 1"],
            [f"{r} = {name}[{i}:]", f"{r} = {r}[::-1]", f"{r}[0] = 2"],
            [f"if {name}[{i}].sum() > 1:", f"    {name}[{i}] = 0", "else:", f"    {name}[{i}:] += 1"],
            [f"{name}[{i}:] = {name}[{i}:][::-1]"], [f"np.add({name}[{i}:], 1, out={name}[{i}:])"],
            [f"{name}[{i}] = np.sort({name}[{i}] + 0, axis=None)[0]"],
        )  # fmt: skip
        head = self.pick(
            f"for {i} in range(len({name})):", f"for {i} in range(min(n, len({name}))):"
        )
        return self.attempted([head, *(f"    {line}" for line in body)], state)

    def shrinking(self) -> list[str]:
        """A view that a loop makes smaller."""
        state = self.state()
        name, v = self.array(), self.fresh("v")
        step = self.pick(f"{v} = {v}[1:]", f"{v} = {v}[:-1]", f"{v} = {v}[::2]")
        write = self.pick(
            f"{v}[0] += 1", f"{v} += 1", f"{v}[...] = {self.number()}", f"{v}[-1] = 2"
        )
        start = f"{v} = {name}{self.pick('', '[::-1]', '[...]')}"
        test = f"while len({v}) > {self.pick('1', '2', 'n')}:"
        lines = [start, test, f"    {write}", f"    {step}"]
        return self.attempted(lines, state)

    def moving(self) -> list[str]:
        """Two places that a while loop moves."""
        state = self.state()
        name, i, j = self.array(), self.fresh("i"), self.fresh("j")
        body = self.pick(
            f"{name}[{i}], {name}[{j}] = {name}[{j}], {name}[{i}]",
            f"{name}[{i}] += {name}[{j}]", f"{name}[{i}:{j}] += 1", f"{name}[{i}:{j}] = {name}[{i}]",
            f"{name}[[{i}, {j}]] = {name}[[{j}, {i}]]",
        )  # fmt: skip
        lines = [f"{i}, {j} = 0, len({name}) - 1", f"while {i} < {j}:", f"    {body}",
                 f"    {i} += 1", f"    {j} -= 1"]  # fmt: skip
        return self.attempted(lines, state)
