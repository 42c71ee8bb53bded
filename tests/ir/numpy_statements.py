"""Random statements that write into arrays through NumPy's functions and through views."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
from numpy_arguments import DTYPES

if TYPE_CHECKING:
    from numpy_values import Values as Base
else:
    Base = object

STATEMENTS = {
    "out": 1.5, "edit": 1, "keyed": 1.5, "viewed": 1.5, "written_view": 1.5, "exchange": 0.5,
    "unpacked": 0.4, "without_dimensions": 0.5, "helped": 0.6, "wrong": 0.3, "bounded": 1, "reshaped": 0.3, "mixed": 0.8,  # noqa: E501
}  # fmt: skip
COMPOUND = {
    "attempt": 0.6,
    "elements": 0.7,
    "sweep": 0.6,
    "stopping": 0.5,
    "rebound": 0.6,
    "managed": 0.2,
}
HELPERS = """\
def step(u, v):
    v[1:-1] = u[:-2] + u[2:]
    return v, u


def ends(v, last=False):
    if last:
        return v[-1:]
    return v[:1]


def scaled(v, factor=2, out=None):
    if out is None:
        out = np.zeros_like(v)
    np.multiply(v, factor, out=out)
    return out


def first_above(v, limit):
    for i in range(len(v)):
        if v[i] > limit:
            return i
    return -1


"""


def _counted(value: np.ndarray) -> str:
    """Three numbers to add: of ints and uint64 NumPy makes floats, and C of large ones anything."""
    return "np.array([1, 2, 3], np.uint64)" if value.dtype == np.uint64 else "[1, 2, 3]"


class Statements(Base):
    """Writes the statements of ``STATEMENTS`` and ``COMPOUND``."""

    def out(self) -> str:
        """A function with ``out=``."""
        name = self.array()
        value = self.names[name]
        text = self.expression(1)
        axis = self.axis(value)
        where = self.pick("", "", f", where={name} != 0", f", where={name} > 1")
        casting = self.pick("", "", "", ", casting='unsafe'", ", casting='same_kind'")
        ufunc = self.pick(
            "add",
            "subtract",
            "multiply",
            "true_divide",
            "floor_divide",
            "maximum",
            "power",
            "less",
            "equal",
            "fmin",
            "bitwise_and",
            "logical_or",
            "remainder",
            "copysign",
        )
        one = self.pick(  # not "negative": NumPy's is wrong where elements lie 16 bytes apart
            "positive",
            "square",
            "sign",
            "absolute",
            "logical_not",
            "sqrt",
            "invert",
            "rint",
            "conjugate",
            "isnan",
        )
        if ufunc in ("less", "equal", "logical_or"):
            where = ""  # what is computed in bools NumPy writes where the mask is false, too
        rest = self.array()
        part = self.pick(
            name, name, f"{name}[...]", f"{name}[::-1]", f"{name}[{self.key(value.shape)}]"
        )
        # What where= leaves out is converted to the result's dtype and back where memory is shared.
        masked = self.apart(part, name) if where and part != name else part
        return str(self.pick(
            f"np.{ufunc}({name}, {self.fitting(value)}, out={masked}{where}{casting})",
            f"np.{ufunc}({text}, {rest}, {part}{casting})",
            f"np.{one}({text}, out={masked}{where}{casting})",
            f"np.{one}({part}, {part})", f"np.sum({rest}, axis={axis}, out={self.held(part, rest)})",
            f"{rest}.max(axis={axis}, out={self.held(part, rest)})",
            f"np.add.reduce({rest}, axis={axis}, out={self.held(part, rest)})",
            f"np.cumsum({rest}, axis={axis}, out={self.exactly(part, rest)})",
            f"np.matmul({rest}, {rest}, out={part})", f"np.dot({rest}, {rest}.T, out={part})",
            f"np.take({rest}, [0, 0, 0], out={self.apart(part, rest)})",
            f"np.add.accumulate({name}, axis={axis}, out={self.exactly(part, name)})",
            f"np.clip({rest}, 0, 2, out={part})", f"np.round({rest}, out={part})",
            f"np.concatenate([{rest}[:1], {rest}[1:]], out={self.apart(part, rest)})",
            f"np.maximum.reduce({rest}, axis={axis}, out={self.held(part, rest)})",
            f"np.mean({rest}, axis={axis}, out={part})" if self.final else f"np.any({rest}, axis={axis}, out={part})",  # noqa: E501
            f"{self.fresh()} = np.{ufunc}({name}, {self.fitting(value)}, out={part})",
            f"np.copyto({part}, {text}{casting}{where})",
            f"np.einsum('i->i', {rest}, out={part})", f"np.argmax({rest}, axis={axis}, out={part})",
            f"np.stack([{rest}[0]], out={self.apart(part, rest)})",
            f"np.divmod({rest}, 2, out=({part}, {part} * 1))",
            f"{rest}.cumprod(axis={axis}, out={self.exactly(part, rest)})",
        ))  # fmt: skip

    def held(self, part: str, name: str) -> str:
        """An array for ``out`` of a reduction, which converts without a warning: see ``summed_in``.

        Nor are negative numbers unsigned: NumPy puts the first one into ``out``, and goes on with it.
        """
        into, source = np.asarray(self.value_of(part)).dtype.kind, self.names[name].dtype.kind
        lost = (source in "fc" and into in "iu") or (source == "i" and into == "u")
        return name if lost else part

    def exactly(self, part: str, name: str) -> str:
        """An array for ``out`` of an accumulation: that part, or else one of the right shape.

        NumPy does not look at the shape of others closely: what it writes is not defined, and one
        without dimensions ends the process.
        """
        shape = np.shape(self.names[name])
        part = self.held(part, name)
        same = np.shape(self.value_of(part)) == shape
        changes = any(
            letter.isalpha() for letter in part.partition("[")[2]
        )  # from iteration to iteration
        return part if same and not changes else name

    def apart(self, part: str, name: str) -> str:
        """An array for ``out`` that shares no memory with what is read.

        These functions of NumPy's read while they write, in an order that is not defined.
        """
        shares = np.shares_memory(self.value_of(part), self.names[name])
        return f"{part}.copy()" if shares else part

    def edit(self) -> str:
        """A function or method that changes an array."""
        name = self.array()
        value = self.names[name]
        axis = self.axis(value)
        number = self.number()
        return str(self.pick(
            f"np.put({name}, [1, -1], [{number}, 2], mode='{self.pick('wrap', 'clip', 'raise')}')",
            f"{name}.put(0, {number})",
            f"np.put_along_axis({name}, np.argmax({name}, axis={axis}, keepdims=True), {number}, axis={axis})",  # noqa: E501
            f"np.place({name}, {name} > 0, [{number}, 1, 2])",
            f"np.putmask({name}, {name} < 1, {name} * 2)",
            f"np.fill_diagonal({name}, [1, 2])", f"np.fill_diagonal({name}, {number}, wrap=True)",
            f"{name}.sort(axis={axis}, kind='stable')",
            f"{name}[::-1].sort(stable=True)", f"{name}.T.sort(axis=0, kind='m')",
            f"{name}[1:].fill({number})",
            f"{name}.flat[::2] = {number}",
            f"{name}.flat[[0, -1]] = [1, 2]", f"{name}.ravel()[1:] = {number}",
            f"{name}.reshape(-1)[::2] += 1", f"{name}.T[0] = {number}",
            f"np.copyto({name}, {number})", f"np.copyto({name}[1:], {name}[:-1])",
            f"{name}.itemset(0)" if self.chance(0.1) else f"{name}.fill(1)",
            # with an int it is computed in float64 for uint64, and what is negative is C's
            f"np.subtract.at({name}, [0, 0], {name}.dtype.type({self.pick(1, 2)}))",
            f"np.add.at({name}, [0, -1, 0], {_counted(value)})", f"np.logical_or.at({name}, [0], 1)",
            f"np.negative.at({name}, [0, -1])", f"np.minimum.at({name}, ([0, 0],), 1)",
            f"np.bitwise_or.at({name}, [0, 0], 3)",
            f"np.swapaxes({name}, 0, -1)[0] = {number}", f"{name}.real[...] = {number}",
            f"{name}.imag = {number}", f"np.nan_to_num({name}, copy=False)",
        ))  # fmt: skip

    def keyed(self) -> str:
        """A key of several kinds on the left side."""
        name = self.array()
        value = self.names[name]
        size = len(value)
        keys = [
            f"{name} > 0", "[0, -1]", "[]", "[[0, 0], [-1, -1]]", "None, 0", "..., 0",
            "..., None, 0", f"{name} != {name}", "np.array([0, 1])",
            f"np.arange({size}) % 2 == 0",
            "[True] + [False] * " + str(max(size - 1, 0)), f"({name} > 0).nonzero()",
            "np.newaxis, ...", "-1, ...",
            f"np.flatnonzero({name} > 0)", "slice(None)", "(slice(0, 2),)", "np.int64(0)",
            "np.array(-1)", "n % 2", "n - 2", "-n:", "::n", f":{size} - n",
            f"np.argsort({name}, kind='stable')", f"np.array([0, {max(size - 1, 0)}], np.uint8)",
            "True", "n > 2", "np.bool_(False)", "::-1", "n:0:-1",
        ]  # fmt: skip
        if value.ndim == 2:
            columns = value.shape[1]
            keys += [
                "[0, -1], [-1, 0]", "np.ix_([0, -1], [0])", f"{name}[:, 0] > 0",
                f":, {name}[0] > 0", "np.arange(2), np.arange(2)", "[0], :", ":, [0, -1]",
                f"{name}[:, 0] > 0, 0", f"0, {name}[0] > 0", "[[0], [-1]], [0, -1]",
                "np.diag_indices(2)", "::-1, [0]", "1:, [-1, 0]", "..., [0]",
                f"np.tril_indices({min(size, columns)})", f"({name} > 0).any(axis=1)",
                f"np.arange({size}), {name}.argmax(axis=1)", "[0], None, [0]",
                "np.array([0, 1]), ::2", ":, None, 0", "[0, -1], None", ":1, ..., :1", "n % 2, :",
                ":, n % 2", "-1, ::-1", f"{name} > {name}.mean()",
            ]  # fmt: skip
        key = self.pick(*keys)
        part = self.value_of(f"{name}[{key}]")
        where = np.arange(value.size).reshape(value.shape)[eval(key, {**self.space, **self.names})]  # type: ignore[attr-defined]
        alike = len(np.unique(where)) != where.size
        if self.chance(0.4) or alike:
            return f"{name}[{key}] {self.pick('=', '=', '+=', '*=', '-=')} {self.number()}"
        if self.chance(0.3):
            return f"{name}[{key}] = {name}[{key}] {self.pick('+', '*', '-')} {self.number()}"
        return f"{name}[{key}] {self.pick('=', '=', '+=', '*=')} {self.fitting(part) if np.ndim(part) else self.number()}"  # noqa: E501

    def viewed(self) -> str:
        """A view, or what NumPy copies."""
        name = self.array()
        value = self.names[name]
        axis = self.axis(value)
        size = max(value.size, 1)
        divisor = self.pick(*[k for k in range(1, size + 1) if size % k == 0])
        return f"{self.fresh()} = " + str(self.pick(
            f"{name}[{self.key(value.shape)}][{self.pick('::-1', '1:', '::2', '...', 'None', '0', ':-1')}]",  # noqa: E501
            f"np.split({name}, [1], axis={axis})[1]",
            f"np.array_split({name}, 2)[0]", f"np.moveaxis({name}, 0, {axis})",
            f"np.atleast_2d({name})", f"np.atleast_3d({name})", f"np.flip({name}, {axis})",
            f"np.expand_dims({name}, {axis})", f"np.rot90({name})", f"np.squeeze({name})",
            f"{name}.T[::-1]", f"{name}.T.reshape(-1)", f"{name}[::2].reshape(-1)",
            f"{name}.reshape({divisor}, -1)", f"{name}.reshape({divisor}, -1).T",
            f"{name}[::-1].reshape(-1)", f"{name}.ravel('F')", f"{name}.reshape(-1, order='F')",
            f"np.diagonal({name})", f"np.broadcast_to({name}, {value.shape})", f"{name}.T.ravel()",
            f"{name}.T.T", f"{name}.imag", f"np.real({name})", f"{name}.T.copy()",
            f"np.asarray({name}, dtype={name}.dtype)", f"np.array({name}, copy=None)",
            f"{name}.astype({name}.dtype, copy=False)", f"{name}.flatten()", f"+{name}",
            f"{name}.view(np.int64)" if value.dtype.itemsize == 8 and value.dtype.kind in "iu" else f"{name}.view()",  # noqa: E501
            f"np.lib.stride_tricks.as_strided({name})" if 0 else f"{name}[()]",
            f"np.swapaxes({name}, 0, {axis})[1:]", f"np.hsplit({name}, [1])[0]",
            f"{name}[..., ::-1]", f"np.positive({name})", f"{name}.conj()", f"np.ravel({name}[1:])",
            f"np.ascontiguousarray({name})", f"np.asfortranarray({name})",
            f"np.where({name} > 0, {name}, 0)", f"np.concatenate([{name}])", f"{name}[[0, -1]]",
            f"{name}.take([0])",
            f"{name}.flat[:]", f"np.require({name})" if 0 else f"np.copy({name})", f"{name}.real",
            f"np.transpose({name})[..., 0]", f"{name}[:, 0]", f"{name}[1:-1, 1:-1]",
        ))  # fmt: skip

    def written_view(self) -> list[str]:
        """A view that is written into at once, or the array behind it."""
        lines = [self.viewed()]
        fresh = lines[0].partition(" =")[0]
        number = self.number()
        behind = self.array()
        lines += self.pick(
            [f"{fresh}[...] = {number}"], [f"{fresh} += {number}"], [f"{fresh}[0] = {number}"],
            [f"{fresh}[:1] *= {number}"], [f"{fresh}[-1] -= {fresh}[0]"],
            [f"{behind}[0] = {number}"], [f"{behind} *= 2", f"{fresh}[0] = {behind}[0]"],
            [f"{fresh}.sort(kind='stable')"], [f"{fresh}[{fresh} > 0] = {number}"],
            [f"{fresh}.fill({number})", f"{behind}[-1:] += 1"], [f"{fresh} *= {fresh}"],
        )  # fmt: skip
        return lines

    def exchange(self) -> str:
        """Names and elements that change places."""
        left, right = self.array(), self.array()
        return str(self.pick(
            f"{left}, {right} = {right}, {left}", f"{left}[0], {right}[0] = {right}[0], {left}[0]",
            f"{left}[:], {right}[:] = {right}.copy(), {left}.copy()",
            f"{left}[:1], {left}[1:2] = {left}[1:2], {left}[:1]",
            f"{left}[[0, -1]] = {left}[[-1, 0]]", f"{left}, {right} = {left} + 1, {left}",
            f"{left} = {left}[::-1]",
            f"{left} = {right} = {left} + {right}", f"{left}[::2], {left}[1::2] = 1, 2",
            f"{left} = {left}[1:] - {left}[:-1]", f"{left}, {right} = step({left}, {right})",
        ))  # fmt: skip

    def unpacked(self) -> str:
        """Rows as variables."""
        name = self.array()
        size = len(self.names[name])
        first, rest = self.fresh(), self.fresh()
        if size == 2 or size == 3:
            return ", ".join([first, rest, self.fresh()][:size]) + f" = {name}"
        return str(self.pick(f"{first}, *_ = {name}", f"{first}, {rest} = {name}[:2]",
            f"{first}, {rest} = {name}.shape[0], {name}.T",
                             f"{first}, {rest} = np.divmod({name}, 2)",
                             f"{first}, {rest} = np.modf({name})",
                             f"{first}, {rest} = np.unique({name}, return_counts=True)",
                             f"*_, {first} = {name}"))  # fmt: skip

    def without_dimensions(self) -> list[str]:
        """Arrays without dimensions."""
        name, fresh = self.array(), self.fresh()
        value = self.names[name]
        zero = ", ".join(["0"] * value.ndim)
        made = self.pick(
            f"np.zeros((), {name}.dtype)",
            f"np.array({self.number()})",
            f"{name}[{zero}, ...]",
            f"np.asarray({name}.sum())",
            f"{name}[:1].squeeze()",
            f"{name}.reshape(-1)[0:1].reshape(())",
            f"np.full((), {self.number()})",
            f"np.zeros_like({name}[{zero}])",
        )
        then = self.pick(
            f"{fresh}[()] = {self.number()}",
            f"{fresh} += {self.number()}",
            f"{fresh}[...] = {name}[{zero}]",
            f"{name}[{zero}] = {self.number()}",
            f"{name}[...] = {fresh}",
            f"{name} += {fresh}",
            f"{fresh}.fill({self.number()})",
            f"np.add({fresh}, 1, out={fresh})",
            f"{name}[:1] = {fresh}",
            f"{fresh} = {fresh} + 1",
            f"{fresh}[...] *= 2",
        )
        return [f"{fresh} = {made}", then]

    def helped(self) -> str:
        """A call of one of the functions above the program."""
        name, other = self.array(), self.array()
        number = self.number()
        return f"{self.fresh()} = " + str(self.pick(
            f"ends({name}, {self.pick('n > 2', 'True', 's > 0')})", f"scaled({name})",
            f"scaled({name}, {number}, out={other})", f"scaled({name}, out={name}[::-1])",
            f"first_above({name}.ravel(), {number})", f"step({name}, {other})[0]",
            f"doubled({name}.T)", f"doubled({name}[::2])", f"halves({name})[0]",
            f"clear({name}, ...)",
            f"scaled({name}, factor={other})",
        ))  # fmt: skip

    def wrong(self) -> str:
        """What NumPy mostly refuses."""
        name, other = self.array(), self.array()
        value = self.names[name]
        size = len(value)
        text = self.pick(
            f"{name}[{size}] = 1", f"{name}[{-size - 1}] = 1", f"{name}[[0, {size}]] = 1",
            f"{name}[{'0, ' * (value.ndim + 1)}] = 1", f"{name}[...] = np.ones({size + 1})",
            f"{name}.sum(axis={value.ndim})", f"np.add({name}, {other}, out={other}, casting='no')",
            f"{name} += 1j", f"{name} += 0.5", f"{name}[1.5] = 1", f"{name}[s] = 1",
            f"{name}.reshape({value.size + 1})", f"{name}[[True, False]] = 1",
            f"{name} @ np.ones({value.shape[-1] + 1})", f"np.concatenate([{name}, {name}[None]])",
            f"{name}[n + 9] = 1",
            f"{name}[n + 9:] = [1, 2]", f"{name}[{name}.astype(float)] = 1",
            f"np.split({name}, {size + 1})", f"{name}.reshape(n, 7)",
            f"{name}[np.array([n + 9])] = 1", f"{name} + np.ones(n + 9)",
            f"{name}[0] = [1, 2, 3, 4, 5, 6, 7, 8]", f"np.broadcast_to({name}, (7, 7))[0] = 1",
            "np.zeros(-1)", "np.zeros(-n)", f"{name}.astype(np.int8, casting='no')",
            f"np.take({name}, n + 90)",
            f"{name}[:0].max()", f"{name}[n + 9:].argmin()", f"{name}[:, n + 9] = 1",
            "np.arange(3)[n + 5]", "1 // (n - n)", f"{name}.transpose(5)",
            f"np.stack([{name}, {name}[1:]])", f"int({name})",
            f"bool({name})", f"float({name})", "len(n)", f"{name}.foo",
            f"np.swapaxes({name}, 0, 9)", f"np.einsum('ij->j', {name})", f"{name} << 1.5",
            f"~({name} * 1.5)", f"np.dot({name}, {other}[1:])",
            f"{name}[0, 0, 0, 0]", f"if {name} > 0: pass", f"{name}[None:'a']",
            f"{name}[{name} > 0] = np.arange(50)", f"{name}[[0, -1]] = [1, 2, 3]",
            f"np.putmask({name}, {name} > 0, 1j)",
            "raise ValueError('no')", "assert n > 5", f"{name}[0] = None", f"{name}.fill(None)",
            f"np.cumsum({name}, axis=3)", f"{name}[-1] = 300", f"{name}[0] = -1", f"{name} + 300",
            f"{name} - 70000",
        )  # fmt: skip
        return (
            text
            if "=" in text or text.startswith(("raise", "assert", "if"))
            else f"{self.fresh()} = {text}"
        )

    def bounded(self) -> str:
        """A part between bounds that the run time knows."""
        name = self.array()
        low, high = self.integer(), self.integer()
        number = self.number()
        return str(self.pick(
            f"{name}[{low}:{high}] = {number}", f"{name}[{low}:][:{high}] += {number}",
            f"{name}[-{low}:] = {number}", f"{name}[{low}:n] *= {number}",
            f"{name}[:{high}] = {name}[:{high}][::-1]",
            f"{name}[::n] = {number}", f"{name}[n::-1] = {number}",
            f"{name}[{low}:{low} + 2] = {name}[{low}:{low} + 2] * 2",
            f"{name}[{low}:] = {name}[:len({name}) - {low}]", f"{name}[..., :n] = {number}",
            f"{self.fresh()} = {name}[{low}:{high}]", f"{self.fresh()} = {name}[{low}:].sum()",
            f"{self.fresh()} = np.zeros({high} % 4 + 1)",
            f"{self.fresh()} = np.roll({name}[:n], 1)",
            f"{self.fresh()} = np.arange({low}, {high} + 3)",
            f"{self.fresh()} = {name}[:n] @ {name}[:n]",
            f"{self.fresh()} = np.concatenate([{name}[:n], {name}[n:]])",
            f"{name}[{low} % len({name})] = {number}",
            f"{self.fresh()} = {name}[:n].max()", f"{self.fresh()} = np.cumsum({name}[:n])",
            f"{self.fresh()} = np.full((n, 2), {number})", f"{self.fresh()} = np.tile({name}, n)",
            f"{self.fresh()} = np.sort({name}[n - 2:] + 0)",
            f"{self.fresh()} = np.eye(n)[:, 0]", f"{self.fresh()} = np.linspace(0, n, 5)",
            f"{self.fresh()} = np.ones((n, n)) * {number}",
            f"{self.fresh()} = {name}[{name} > s][:2]", f"{self.fresh()} = np.repeat({name}, n)",
        ))  # fmt: skip

    def reshaped(self) -> str:
        """An array that gets another shape where it is."""
        name = self.array()
        return str(self.pick(f"{name} = {name}.reshape(-1)", f"{name} = {name}[None]",
                             f"{name} = {name}.T", f"{name} = np.ravel({name})", f"del {name}",
                             f"{name} = {name}[..., None]"))  # fmt: skip

    def mixed(self) -> str:
        """An in-place operator between arrays of two dtypes."""
        name = self.array()
        operators = ("+=", "-=", "*=", "/=", "//=", "%=", "**=", "&=", "|=", "^=", "<<=", ">>=")
        operator = self.operator(name, operators)
        value = self.names[name]
        dtype = f"np.{self.weighted(DTYPES)}"
        other = self.pick(
            f"{self.fitting(value)}",
            f"{dtype}({self.pick(0, 1, 2, 3)})",
            f"{name}.astype({dtype})",
            f"np.ones({value.shape[-1:]}, {dtype})",
            f"({name} > 0)",
            self.number(),
        )
        target = self.pick(name, f"{name}[...]", f"{name}[::-1]", f"{name}[0]", f"{name}[1:]")
        return f"{target} {operator} {other}" + (
            "" if target in (name, f"{name}[...]", f"{name}[::-1]") or "(" not in other else "[0]"
        )

    # Compound statements.

    def attempt(self) -> list[str]:
        """A handler."""
        state = self.state()
        name = self.array()
        size = len(self.names[name])
        fails = self.pick(
            f"{name}[n + {size}] = 1",
            f"{name}[{size} - n] = 2",
            f"v = {name}[n]",
            f"{name}[[0, n]] = 3",
            "raise ValueError",
            f"{name}[:n].reshape(2, 1)",
        )
        kind = self.pick("IndexError", "(IndexError, ValueError)", "Exception")
        self.handled += 1
        try:
            lines = self.block("try:", {})
        finally:
            self.handled -= 1
        if self.chance(0.7):
            lines.insert(
                self.random.randint(1, len(lines)) if len(lines) == 2 else 1, f"    {fails}"
            )
        self.restore(state)
        lines += self.block(f"except {kind}:", {})
        if self.chance(0.2):
            lines += ["finally:", f"    {name}[...] = {name} * 1"]
        return self.attempted(lines, state)

    def elements(self) -> list[str]:
        """Loops over all elements."""
        state = self.state()
        name, other = self.array(2 if self.chance(0.6) else 1), self.array()
        i, j = self.fresh("i"), self.fresh("j")
        value = self.names[name]
        if value.ndim == 1:
            body = self.pick(
                f"{name}[{i}] += {i}",
                f"{name}[{i}] = {name}[{i} - 1] + 1",
                f"{name}[{i}] = {name}[-{i} - 1]",
                f"{name}[{i}:] += {name}[{i}]",
                f"{name}[:{i}] = {i}",
                f"{name}[{i}] = {other}[{i} % len({other})]",
                f"{name}[{i}:{i} + 2] *= 2",
                f"{name}[{i}] = {name}[:{i} + 1].sum()",
                f"{name}[{i}] = max({name}[{i}], 1)",
                f"{name}[{i}] = {i} if {name}[{i}] > 1 else -{name}[{i}]",
                f"if {name}[{i}] > 1: {name}[{i}] = 0",
            )
            return self.attempted(
                [
                    f"for {i} in range({self.pick(f'len({name})', f'1, len({name})', f'{name}.size - 1, -1, -1', 'n')}):",  # noqa: E501
                    f"    {body}",
                ],
                state,
            )
        body = self.pick(
            f"{name}[{i}, {j}] += {i} * {j}",
            f"{name}[{i}, {j}] = {name}[{i}, 0] + {j}",
            f"{name}[{i}, {j}], {name}[0, {j}] = {name}[0, {j}], {name}[{i}, {j}]",
            f"{name}[{i}][{j}] = {name}[{i}, -{j} - 1]",
            f"if {name}[{i}, {j}] > 1: {name}[{i}, {j}] = 1",
            f"{name}[{i}, :{j}] += 1",
            f"{name}[{i}:, {j}] -= {name}[{i}, {j}]",
            f"{name}[{i}, {j}] *= {name}[{i}, :].sum()",
        )
        return self.attempted(
            [
                f"for {i} in range({name}.shape[0]):",
                f"    for {j} in range({self.pick(f'{name}.shape[1]', i, f'{i}, {name}.shape[1]')}):",
                f"        {body}",
            ],
            state,
        )

    def sweep(self) -> list[str]:
        """A loop that updates parts of an array, or changes two arrays about."""
        state = self.state()
        name, k = self.array(), self.fresh("k")
        value = self.names[name]
        alike = [
            n
            for n in self.arrays()
            if self.names[n].shape == value.shape
            and self.names[n].dtype == value.dtype
            and n != name
        ]
        bodies = [
            [f"{name}[1:-1] = {name}[:-2] + {name}[2:]"],
            [f"{name}[1:] += {name}[:-1]"],
            [f"{name} = {name} + {k}"],
            [f"{name} = {name}[::-1]"],
            [f"{name} += {name}[::-1]"],
            [f"w = {name}[{k}:]", f"w += {k}"],
            [f"{name}[{k} % len({name})] = {k}"],
            [f"{name} = {name}.copy()", f"{name}[0] = {k}"],
            [f"{name} = np.roll({name}, 1)"],
            [f"w = {name}.copy()", f"w[0] = {k}", f"{name}[...] = w"],
            [f"{name} = {name}.T"],
            [f"w = np.zeros_like({name})", f"w[1:] = {name}[:-1]", f"{name} = w"],
            [f"np.add({name}, {k}, out={name})"],
            [f"{name}[{name} > {k}] -= 1"],
            [f"{name}[[0, -1]] = {name}[[-1, 0]]"],
        ]
        if alike:
            other = self.pick(*alike)
            bodies += 4 * [
                [f"{name}, {other} = {other}, {name}"],
                [
                    f"{name}[1:-1] = {other}[:-2] + {other}[2:]",
                    f"{name}, {other} = {other}, {name}",
                ],
                [f"{other}[...] = {name} + {k}", f"{name}, {other} = {other}, {name}"],
                [f"t = {name}", f"{name} = {other}", f"{other} = t", f"{name}[0] = {k}"],
                [f"{name} = {other} + {name}", f"{other}[0] = {k}"],
            ]
        body = self.pick(*bodies)
        return self.attempted(
            [f"for {k} in range({self.pick('n', '3', '2')}):", *(f"    {line}" for line in body)],
            state,
        )

    def stopping(self) -> list[str]:
        """``break``, ``continue`` and ``else``."""
        state = self.state()
        name, i = self.array(), self.fresh("i")
        word = self.pick("break", "continue")
        test = self.pick(
            f"{name}[{i}].sum() > 1" if self.names[name].ndim > 1 else f"{name}[{i}] > 1",
            f"{i} == n - 1",
            f"{name}.sum() > 3",
            f"{i} > 0 and s > 0",
        )
        lines = [
            f"for {i} in range(len({name})):",
            f"    if {test}:",
            f"        {word}",
            f"    {name}[{i}] = {self.pick('1', i, '2')}",
        ]
        if self.chance(0.3):
            lines += ["else:", f"    {name}[0] = 3"]
        return self.attempted(lines, state)

    def rebound(self) -> list[str]:
        """A name that a branch binds to one of several arrays, and what is written into it."""
        state = self.state()
        left, right, fresh = self.array(), self.array(), self.fresh()
        if self.names[left].dtype != self.names[right].dtype:
            right = left  # see Writer.block
        test = self.test()
        lines = self.pick(
            [f"if {test}:", f"    {fresh} = {left}", "else:", f"    {fresh} = {right}"],
            [f"{fresh} = {left}", f"if {test}:", f"    {fresh} = {right}"],
            [f"{fresh} = {left} if {test} else {right}"], [f"if {test}:",
            f"    {fresh} = {left}[1:]", "else:", f"    {fresh} = {left}[:-1]"],
            [f"{fresh} = {left}", f"if {test}:", f"    {fresh} = {left}.copy()"], [f"if {test}:",
            f"    {fresh} = {left}.T", "else:", f"    {fresh} = {left}.copy()"],
        )  # fmt: skip
        lines = [
            *lines,
            self.pick(
                f"{fresh}[0] = {self.number()}",
                f"{fresh} += {self.number()}",
                f"{fresh} = {fresh} + 1",
                f"{fresh}[...] = 0",
                f"{left}[0] = 1",
            ),
        ]
        self.restore(state)
        self.final = False
        self.run(lines)
        return list(lines)

    def managed(self) -> list[str]:
        """A ``with`` statement of NumPy's."""
        state = self.state()
        lines = self.block(
            f"with np.errstate({self.pick('all', 'divide', 'invalid')}='ignore'):", {}
        )
        return self.attempted(lines, state)
