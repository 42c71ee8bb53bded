"""Random calls of NumPy's functions on the arrays at hand, a family each."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
from numpy_arguments import DTYPES

if TYPE_CHECKING:
    from numpy_values import Values as Base
else:
    Base = object

FAMILIES = {
    "reduced": 1.4, "accumulated": 0.5, "converted": 0.7, "einsum": 0.3, "multiplied": 0.5,
    "split": 0.4, "stacked": 0.5, "selected": 0.7, "sorted": 0.4, "sets": 0.3, "padded": 0.3,
    "windows": 0.4, "numbers": 1.0, "indices": 0.4, "special": 0.3, "listed": 0.4, "analysis": 0.4,
    "nothing": 0.3, "chosen_value": 0.3, "casting": 0.4,
}  # fmt: skip
"""The kinds of expressions that are written here, and how often."""


class Functions(Base):
    """Writes the expressions of ``FAMILIES``."""

    def reduced(self, depth: int) -> str:
        """A reduction with NumPy's further arguments."""
        text, value = self.operand(depth)
        axes = range(-value.ndim, value.ndim)
        axis = self.pick(
            "None", "0", "-1", str(self.axis(value)), f"({self.pick(*axes)},)", "(0, -1)", "()"
        )
        where = self.pick("", "", f", where={text} != {self.number()}", ", where=True")
        initial = self.pick("", "", f", initial={self.number()}")
        keep = self.pick("", "", ", keepdims=True", ", keepdims=False")
        dtype = self.pick("", "", self.summed_in(value))
        name = self.pick("sum", "prod", "max", "min")
        logical = self.pick("any", "all")
        ufunc = self.pick(
            "add",
            "multiply",
            "maximum",
            "minimum",
            "logical_and",
            "logical_or",
            "bitwise_or",
            "bitwise_and",
            "bitwise_xor",
            "logical_xor",
            "fmax",
            "fmin",
            "subtract",
        )
        nan = self.pick(
            "nansum", "nanmax", "nanmin", "nanprod", "nanargmax", "nanargmin", "nanmean", "nanstd"
        )
        if nan in ("nanmean", "nanstd") and not self.final:
            nan = "nansum"
        return str(self.pick(
            f"np.{name}({text}, axis={axis}{keep}{where}{initial})",
            f"{text}.{name}(axis={axis}{keep}{where}{initial})",
            f"np.{logical}({text}, axis={axis}{keep}{where})",
            f"np.{ufunc}.reduce({text}, axis={axis}{keep})",
            f"np.{ufunc}.reduce({text}{initial}{where})",
            f"np.add.reduce({text}, axis={axis}{dtype}{keep}{initial})",
            f"np.sum({text}, {self.axis(value)}{dtype})", f"{text}.prod({self.axis(value)}{dtype})",
            f"np.{nan}({text})", f"np.{nan}({text}, axis={self.axis(value)})",
            f"np.{self.pick('amax', 'amin', 'argmax', 'argmin')}({text}, {self.axis(value)})",
            f"np.count_nonzero({text}, axis={axis}{keep})", f"{text}.argmax()", f"{text}.argmin()",
            f"np.average({text}, axis={self.axis(value)})" if self.final else f"np.max({text})",
            f"np.mean({text}, axis={axis}{keep}{where}{dtype})" if self.final else f"np.min({text})",
            f"np.var({text}, axis={self.axis(value)}, ddof=1)" if self.final else f"np.sum({text})",
            f"np.quantile({text}, 0.5, axis={self.axis(value)})" if self.final else f"np.any({text})",
        ))  # fmt: skip

    def summed_in(self, value: np.ndarray) -> str:
        """A ``dtype=`` for a reduction of these elements.

        Not integers for floats: what C makes of NaN and of negative numbers there is not defined, and
        NumPy does not warn of it in a reduction.
        """
        dtype = self.weighted(DTYPES)
        rounds = value.dtype.kind in "fc" and np.dtype(dtype).kind in "iu"
        return "" if rounds else f", dtype=np.{dtype}"

    def accumulated(self, depth: int) -> str:
        """Accumulations, ``reduceat`` and ``outer``."""
        text, value = self.operand(depth)
        axis = self.axis(value)
        name = self.pick(
            "add",
            "multiply",
            "maximum",
            "minimum",
            "logical_or",
            "subtract",
            "logical_and",
            "bitwise_or",
            "bitwise_xor",
        )
        size = max(value.shape[axis], 1)
        starts = sorted(self.random.randrange(size) for _ in range(self.pick(1, 2, 3)))
        if self.chance(0.2):
            starts = starts[::-1]
        dtype = self.pick("", self.summed_in(value))
        return str(self.pick(
            f"np.{name}.accumulate({text}, axis={axis})",
            f"np.{name}.accumulate({text}, {axis}{dtype})",
            f"np.{name}.reduceat({text}, {starts}, axis={axis})",
            f"np.{name}.reduceat({text}, {starts})",
            f"np.{name}.outer({text}, {self.number()})", f"np.{name}.outer({text}, [1, 2])",
            f"np.cumsum({text}, axis={axis}{dtype})", f"np.cumprod({text}, axis={axis})",
            f"np.cumsum({text})",
            f"{text}.cumsum(){self.pick('', '[::-1]')}", f"np.nancumsum({text})",
            f"np.diff({text}, n=2, axis={axis})",
            f"np.diff({text}, prepend=0, axis={axis})", f"np.ediff1d({text})",
        ))  # fmt: skip

    def converted(self, depth: int) -> str:
        """Conversions, with their further arguments."""
        text, _ = self.operand(depth)
        dtype = f"np.{self.weighted(DTYPES)}"
        casting = self.pick("unsafe", "same_kind", "safe")
        return str(self.pick(
            f"{text}.astype({dtype}, casting='{casting}')", f"{text}.astype({dtype}, copy=False)",
            f"np.array({text}, dtype={dtype})", f"np.asarray({text}, {dtype})",
            f"{text}.astype(float).astype(int)",
            f"{text}.astype(bool)", f"{text}.astype({self.array()}.dtype)",
            f"np.array({text}, ndmin=3)",
            f"np.asarray({text}, dtype={self.array()}.dtype)",
            f"np.ascontiguousarray({text}, dtype={dtype})",
            f"np.asfortranarray({text})", f"np.copy({text})", f"np.array({text}, copy=True)",
            f"np.float64({text})",
            f"np.zeros({text}.shape, np.result_type({text}, {dtype}))",
            f"{text}.astype('{np.dtype(dtype[3:]).char}')",
        ))  # fmt: skip

    def casting(self, depth: int) -> str:
        """A ufunc with ``dtype=`` or ``casting=``."""
        text, value = self.operand(depth)
        other = self.fitting(value)
        name = self.pick(
            "add",
            "multiply",
            "subtract",
            "maximum",
            "true_divide",
            "floor_divide",
            "less",
            "power",
            "logical_and",
            "bitwise_and",
            "remainder",
        )
        return (
            f"np.{name}({text}, {other}, dtype=np.{self.weighted(DTYPES)}"
            f"{self.pick('', '', ', casting=' + repr(self.pick('unsafe', 'same_kind', 'safe', 'no')))})"
        )

    def einsum(self, depth: int) -> str:
        """Einstein sums."""
        text, value = self.operand(2)
        one = ["i->i", "i->", "i,i->i", "i,j->ij", "i,j->ji", "...->...", "i,i", "i,j->j"]
        two = [
            "ij->ji",
            "ij->j",
            "ij->i",
            "ij->",
            "ij,ij->i",
            "ij,ij->ij",
            "ij,kj->ik",
            "...j->...",
            "ij,kl->ik",
            "ij",
        ]
        three = ["ijk->kji", "ijk->j", "ijk,ijk->", "ijk,ijl->il", "i...->...i"]
        if value.dtype.kind in "fc":  # its sums are taken first: an infinity never meets a zero
            one.remove("i,j->j")
            two.remove("ij,kl->ik")
            three.remove("ijk,ijl->il")
        spec = self.pick(*{1: one, 2: two, 3: three}.get(value.ndim, ["...->..."]))
        if value.ndim == 2 and value.shape[0] == value.shape[1] and self.chance(0.5):
            spec = self.pick("ii->i", "ii", "ij,jk->ik", "ij,ji->")
        return f"np.einsum('{spec}', {', '.join([text] * (spec.count(',') + 1))})"

    def multiplied(self, depth: int) -> str:
        """Products of matrices and vectors."""
        text, value = self.operand(2)
        other, its = self.operand(2)
        if not its.size or not value.size:
            other = text
        if value.dtype.kind == "c" or its.dtype.kind == "c":  # BLAS has infinities of its own
            text, other = (f"np.nan_to_num({each}, posinf=1, neginf=-1)" for each in (text, other))
        return str(self.pick(
            f"{text} @ {other}", f"{text}.T @ {other}", f"{text} @ {text}[0]",
            f"{text} @ {text}[..., 0, :]",
            f"np.matmul({text}[None], {text}.T)", f"np.dot({text}, {other})", f"np.dot({text}, 2)",
            f"np.kron({text}, [1, 2])", f"np.convolve({text}, [1, 2])",
            f"np.convolve({text}, {other}, 'same')",
            f"np.correlate({text}, {other}, 'full')", f"np.tensordot({text}, {other}, axes=1)",
            f"np.cross({text}, {other})",
            f"np.inner({text}, {other})", f"np.outer({text}, {other})", f"np.vdot({text}, {other})",
            f"np.multiply.outer({text}, {other})", f"{text} @ np.eye({text}.shape[-1])",
            f"np.vecdot({text}, {text})",
            f"np.matmul({text}, {other}, dtype=np.float64)", f"np.trace({text}, 1)",
            f"np.linalg.matrix_power({text}, 2)",
        ))  # fmt: skip

    def split(self, depth: int) -> str:
        """A part that a split gives."""
        text, value = self.operand(depth)
        axis = self.axis(value)
        at = self.pick("[1]", "[1, 2]", "2", "1", "3", "[0, 2]", "[-1]")
        which = self.pick("0", "-1")
        return str(self.pick(
            f"np.split({text}, {at}, axis={axis})[{which}]",
            f"np.array_split({text}, 3, axis={axis})[{which}]",
            f"np.hsplit({text}, {at})[{which}]", f"np.vsplit({text}, {at})[{which}]",
            f"np.array_split({text}, {at})[{which}]", f"np.unstack({text}, axis={axis})[{which}]",
            f"np.dsplit(np.atleast_3d({text}), 1)[0]", f"np.delete({text}, [0, -1])",
            f"np.trim_zeros({text})",
            f"np.delete({text}, slice(0, 1), axis={axis})",
            f"np.delete({text}, {self.integer()}, axis={axis})",
        ))  # fmt: skip

    def stacked(self, depth: int) -> str:
        """Arrays put together."""
        text, value = self.operand(depth)
        other = self.pick(text, *self.arrays())
        axis = self.axis(value)
        return str(self.pick(
            f"np.concatenate([{text}, {other}], axis={axis})",
            f"np.concatenate([{text}, {other}], axis=None)",
            f"np.stack([{text}, {text}, {text}], axis={axis})", f"np.dstack([{text}, {text}])",
            f"np.block([{text}, {text}])", f"np.block([[{text}], [{text}]])",
            f"np.r_[{text}, 0, {text}]",
            f"np.c_[{text}, {text}]", f"np.r_[{text}, {other}]",
            f"np.concatenate([{text}, [1, 2]])",
            f"np.concatenate(({text}, {text}[1:], {text}[:1]))",
            f"np.hstack(({text}, {text}, {other}))",
            f"np.append({text}, {self.number()})", f"np.append({text}, {text}, axis={axis})",
            f"np.tile({text}, (2, 1))",
            f"np.concatenate([{text}, {other}], axis={axis}, dtype=np.{self.weighted(DTYPES)})",
            f"np.repeat({text}, [1, 2])", f"np.repeat({text}, {self.integer()}, axis={axis})",
            f"np.resize({text}, (2, 3))",
            f"np.insert({text}, 1, {self.number()})", f"np.insert({text}, [0, -1], 2, axis={axis})",
            f"np.array([{text}, {text}])", f"np.vstack(({text}, {other}, {text}))",
        ))  # fmt: skip

    def selected(self, depth: int) -> str:
        """Selections by conditions and positions."""
        text, value = self.operand(depth)
        fit, other = self.fitting(value), self.fitting(value)
        axis = self.axis(value)
        mode = self.pick("wrap", "clip", "raise")
        return str(self.pick(
            f"np.select([{text} > 1, {text} < 0], [{fit}, {other}])",
            f"np.select([{text} != 0], [{text}], {self.number()})",
            f"np.choose({text} % 2, [{fit}, {other}])",
            f"np.choose([0, 1, 1], [{text}, {text} * 2], mode='{mode}')",
            f"np.where({text}, {fit}, {other})", f"np.where({text} > 0, {text}, np.nan)",
            f"np.extract({text} > 0, {text})",
            f"np.take_along_axis({text}, np.argsort({text}, axis={axis}, "
            f"kind='stable'), axis={axis})", f"np.take({text}, [5, -7, 1], mode='{mode}')",
            f"np.take({text}, [[0, 1], [1, 0]], axis={axis}, mode='{mode}')",
            f"{text}.take({self.integer()}, axis={axis})",
            f"{text}.compress([True, False, True], axis={axis})",
            f"np.compress({text} > 0, {text})",
            # not -t: a bool has none, which agir says also of a handler that does not run
            f"np.piecewise({text}, [{text} < 0, {text} > 1], [lambda t: 0 - t, 7])",
            f"{text}.clip({fit}, {other})", f"np.clip({text}, {self.number()}, {self.number()})",
            f"np.clip({text}, {fit}, None)", f"np.minimum({text}, {fit}).clip(max=1)",
            f"np.where({text} == {text}, {text}, 0)[{self.key(value.shape)}]",
        ))  # fmt: skip

    def sorted(self, depth: int) -> str:
        """Order."""
        text, value = self.operand(depth)
        axis = self.axis(value)
        return str(self.pick(
            f"np.sort({text}, axis={axis}, kind='stable')",
            f"np.argsort({text}, axis={axis}, kind='stable')",
            f"np.lexsort(({text}, {text}[::-1]))", f"np.unique({text}, return_counts=True)[1]",
            f"np.unique({text}, return_inverse=True)[1]",
            f"np.unique({text}, return_index=True)[1]",
            f"np.unique({text}, axis={axis})",
            f"np.searchsorted(np.sort({text}), {self.fitting(value)}, side='right')",
            f"np.searchsorted(np.sort({text}, axis=None), [0, 1, 2])",
            f"np.sort({text} + 0, axis={axis})[::-1]",
            f"{text}.argsort(kind='stable')[::-1]", f"np.digitize({text}, [2, 1, 0])",
            f"np.sort_complex({text})",
            f"np.partition({text}, 0, axis={axis}).min(axis={axis})",
            f"np.flip(np.sort({text} + 0, axis=None))",
        ))  # fmt: skip

    def sets(self, depth: int) -> str:
        """Sets and counts."""
        text, _ = self.operand(2)
        other = self.pick("[0, 1, 2]", *self.arrays())
        return str(self.pick(
            f"np.union1d({text}, {other})", f"np.intersect1d({text}, {other})",
            f"np.setdiff1d({text}, {other})",
            f"np.isin({text}, {other})", f"np.isin({text}, {other}, invert=True)",
            f"np.setxor1d({text}, {other})",
            f"np.bincount({text})", f"np.bincount({text}, minlength=7)",
            f"np.histogram({text}, [0, 1, 2, 4])[0]",
            f"np.bincount(abs({text}), weights={text})", f"np.unique_counts({text}).counts",
            f"np.histogram({text}, bins=3, range=(0, 3))[0]",
        ))  # fmt: skip

    def padded(self, depth: int) -> str:
        """Padding and rolling."""
        text, value = self.operand(depth)
        width = self.pick("1", "(1, 0)", "(0, 2)", "[(1, 1)]", "((1, 0), (0, 1))", "2")
        mode = self.pick("constant", "edge", "reflect", "wrap", "symmetric", "maximum", "minimum")
        axis = self.axis(value)
        return str(self.pick(
            f"np.pad({text}, {width}, mode='{mode}')", f"np.pad({text}, {width})",
            f"np.pad({text}, {width}, '{mode}')",
            f"np.pad({text}, {width}, constant_values=({self.number()}, {self.number()}))",
            f"np.roll({text}, (1, -1), axis=(0, {axis}))", f"np.roll({text}, -2)",
            f"np.roll({text}, {self.integer()})",
        ))  # fmt: skip

    def windows(self, depth: int) -> str:
        """Other shapes."""
        text, value = self.operand(depth)
        axis = self.axis(value)
        size = max(value.size, 1)
        divisor = self.pick(*[k for k in range(1, size + 1) if size % k == 0])
        order = self.pick("'C'", "'F'")
        return str(self.pick(
            f"np.lib.stride_tricks.sliding_window_view({text}, 2, axis={axis})",
            f"{text}.reshape({divisor}, -1)",
            f"{text}.reshape((-1, {divisor}), order={order})", f"np.ravel({text}, order={order})",
            f"{text}.flatten({order})", f"np.rot90({text}, {self.pick(0, 1, 2, 3, -1)})",
            f"np.rollaxis({text}, {axis})",
            f"np.flip({text}, axis=(0, {axis}))", f"np.expand_dims({text}, (0, {axis}))",
            f"np.transpose({text})",
            f"np.broadcast_to({text}, {value.shape})",
            f"np.broadcast_arrays({text}, {self.fitting(value)})[1]",
            f"np.atleast_3d({text})", f"np.atleast_1d({text})", f"np.squeeze({text}[None], axis=0)",
            f"{text}.reshape({text}.shape[::-1])", f"{text}.reshape(-1)[::2]",
            f"np.permute_dims({text}, "
            f"{tuple(self.random.sample(range(value.ndim), value.ndim))})", f"{text}.transpose("
            f"{', '.join(map(str, self.random.sample(range(value.ndim), value.ndim)))})",
            f"{text}.swapaxes(0, {axis})",
            f"np.matrix_transpose({text})", f"{text}.mT", f"np.diagonal({text})",
            f"np.diagflat({text})", f"{text}.diagonal(1)",
        ))  # fmt: skip

    def numbers(self, depth: int) -> str:
        """Arithmetic with names."""
        text, value = self.operand(depth)
        other = self.fitting(value)
        one = self.pick(
            "rint",
            "reciprocal",
            "positive",
            "invert",
            "fabs",
            "isinf",
            "isnan",
            "sign",
            "square",
            "spacing",
            "absolute",
            "conjugate",
            "nan_to_num",
            "real",
            "imag",
            "isreal",
            "iscomplex",
            "isposinf",
            "fix",
            "bitwise_count",
            "logical_not",
            "signbit",
            "exp2",
            "degrees",
        )
        two = self.pick(
            "power",
            "gcd",
            "lcm",
            "heaviside",
            "hypot",
            "float_power",
            "left_shift",
            "right_shift",
            "logical_xor",
            "bitwise_and",
            "bitwise_or",
            "bitwise_xor",
            "fmin",
            "not_equal",
            "less",
            "greater_equal",
            "true_divide",
            "mod",
            "nextafter",
            "copysign",
            "ldexp",
            "arctan2",
            "minimum",
            "fmod",
        )
        if (not self.final and two in ("hypot", "nextafter", "arctan2")) or one in (
            "exp2",
            "degrees",
            "spacing",
        ):
            one, two = "square", "minimum"
        return str(self.pick(
            f"np.{one}({text})", f"np.{two}({text}, {other})", f"np.{two}({other}, {text})",
            f"np.divmod({text}, {other})[0]",
            f"np.divmod({text}, {other})[1]", f"np.modf({text})[{self.pick(0, 1)}]",
            f"np.round({text}, 1)",
            f"{text}.round()", f"np.round({text}, -1)", f"divmod({text}, {other})[1]",
            f"np.frexp({text})[1]",
            f"{text} ** {self.pick('3', '0.5', '-1', other)}", f"+{text}", f"round({text}[0])",
            f"pow({text}, 2)",
            f"{other} % {text}", f"{other} // {text}", f"{text} << 1",
            f"({text} > 0) ^ ({text} < 2)", f"~({text} > 0)",
            f"-({text} != 0)", f"np.maximum({text}, np.nan)", f"np.fmax({text}, np.nan)",
            f"abs(-{text})",
        ))  # fmt: skip

    def indices(self, depth: int) -> str:
        """Positions as arrays."""
        text, value = self.operand(2)
        return str(self.pick(
            f"np.indices({text}.shape)[0]", f"np.meshgrid({text}, [1, 2])[{self.pick(0, 1)}]",
            "np.triu_indices(3)[1]",
            f"np.unravel_index(np.arange({value.size}), {text}.shape)[-1]",
            f"np.unravel_index({text}.argmax(), {text}.shape)[0]",
            f"np.ravel_multi_index(np.nonzero({text}), {text}.shape)",
            f"np.transpose(np.nonzero({text}))",
            f"{text}[np.ix_([0, -1], [0])]", f"{text}[np.diag_indices(2)]",
            f"{text}[np.nonzero({text} > 0)]",
            f"{text}[np.argsort({text}[:, 0], kind='stable')]",
            f"{text}[np.tril_indices_from({text})]",
            f"{text}[tuple(np.argwhere({text} > 0).T)]", f"{text}[np.arange(len({text})), 0]",
            f"{text}[{text}.argmax(axis=0), 0]",
            f"np.meshgrid({text}, {text}, indexing='ij')[1]", "np.mgrid[0:3, 0:2][1]",
            "np.ogrid[0:3, 0:2][0] * 1",
            f"{text}[[[0, -1], [-1, 0]]]", f"{text}[[]]", f"{text}[..., [0, -1]]",
            f"{text}[np.array([0, 1], np.uint8)]",
            f"{text}[[True] + [False] * (len({text}) - 1)]", f"{text}[None, {text} > 0]",
            f"{text}[True]", f"{text}[n > 5]",
            f"{text}[:, [0, -1]][[0]]", f"{text}[[0, -1], ..., [0, 0]]", f"{text}[np.bool_(True)]",
            f"{text}[..., {text}[0] > 0]",
            f"{text}[({text} > 0) | ({text} < -1)]", f"{text}[0, [0, -1]]", f"{text}[-1:, [0]]",
            f"{text}[{text}.nonzero()]",
        ))  # fmt: skip

    def special(self, depth: int) -> str:
        """NaN and infinities."""
        text, _ = self.operand(2)
        return str(self.pick(
            f"np.where({text} > 0, np.inf, {text})", f"np.where({text} > 0, np.nan, {text})",
            f"{text} / 0", f"{text} // 0",
            f"{text} % 0", "np.array([np.nan, 1.0, -np.inf])", f"({text} * np.inf)",
            f"({text} - np.inf)", f"{text} * -0.0",
            f"np.nan_to_num({text} / 0)", f"np.isfinite({text} / 0)", f"np.sign({text} * np.nan)",
            f"np.sort({text} * np.nan)",
            f"np.max({text} * np.nan)", f"np.fmax({text} * np.inf, 1)", f"{text} == np.nan",
            f"np.isnan({text} / {text})",
            f"np.sqrt(-np.abs({text}))", f"({text} * np.nan).argmax()", f"np.nanmax({text} / 0)",
            f"np.minimum({text} / 0, 1)",
        ))  # fmt: skip

    def listed(self, depth: int) -> str:
        """Python's builtins and comprehensions over arrays."""
        text, value = self.operand(2)
        name = self.pick("sum", "max", "min", "sorted", "list", "any", "all")
        if not value.size:  # Python's own 0 comes of nothing: another dtype than of some elements;
            # where a condition may choose none of them, the dtype is written
            return f"len({text})"
        return str(self.pick(
            f"np.array([v + 1 for v in {text}])", f"np.array([v.sum() for v in {text}])",
            f"sum({text})", f"max({text}.ravel())",
            f"np.array({name}({text}.ravel()))", "np.array([i * 2 for i in range(n)])",
            f"np.array({text}.tolist())",
            f"np.stack([v for v in {text}])",
            f"np.array([u * v for u, v in zip({text}, {text}[::-1])])", f"len({text})",
            f"np.array([{text}[i] for i in range(len({text}))])",
            f"np.sum([v for v in {text} if v.sum() > 0], dtype=np.float64)",
            f"np.concatenate([v[None] for v in {text}])", f"np.array(list(reversed({text})))",
            f"min({text}.ravel(), default=0)",
            f"np.array([i for i, v in enumerate({text}) if np.any(v > 0)], np.int64)",
            f"sum(v.sum() for v in {text})",
            f"np.array([{text}.sum(), {text}.max(), n])", f"any(v.any() for v in {text})",
            f"np.array([*{text}, *{text}])",
        ))  # fmt: skip

    def analysis(self, depth: int) -> str:
        """Calculus, which is rounded."""
        text, value = self.operand(2)
        if not self.final:
            return f"np.interp({text}, [0, 1, 2], [0, 4, 2])"
        return str(self.pick(
            f"np.interp({text}, [0, 1, 2], [0, 4, 2])", f"np.polyval([1, 2, 3], {text})",
            f"np.gradient({text})",
            f"np.trapezoid({text})", f"np.cov({text})", f"np.linalg.norm({text})",
            f"np.linalg.norm({text}, axis={self.axis(value)})",
            f"np.percentile({text}, [25, 50])", f"np.corrcoef({text})", f"np.std({text}, axis=0)",
            f"np.angle({text})",
            f"np.log({text} + 1)", f"np.power({text}, 1.5)", f"np.exp(-np.square({text}))",
            f"np.hypot({text}, 1)", f"np.sinc({text})",
            f"np.arctan2({text}, 2)", f"np.cosh({text})",
            f"np.median({text}, axis={self.axis(value)})", f"np.logaddexp({text}, 1)",
            f"np.arcsinh({text})", f"np.tan({text})", f"np.log2(np.abs({text}) + 1)",
            f"np.linalg.det({text} + np.eye(len({text})))",
            f"np.nanmean({text})", f"np.mean({text})", f"np.var({text})", f"{text}.std()",
            f"np.fft.fft({text})", f"np.deg2rad({text})",
            f"np.linalg.solve(np.eye(len({text})) * 2, {text})",
            f"np.average({text}, weights=np.abs({text}) + 1)",
        ))  # fmt: skip

    def nothing(self, depth: int) -> str:
        """Arrays without elements, or without dimensions."""
        text, value = self.operand(2)
        return str(self.pick(
            f"{text}[:0]", f"{text}[5:2]", f"{text}[:0].sum()", "np.zeros((0, 3))", "np.empty(0)",
            f"{text}[:0] + 1", "np.array([])",
            f"np.concatenate([{text}, {text}[:0]])", f"{text}[{text} > 90]", f"np.sort({text}[:0])",
            f"{text}[..., :0].prod(axis=-1)",
            f"{text}[:0].max(axis=-1)", f"np.array({self.number()})", "np.zeros(())",
            f"{text}[{', '.join(['0'] * value.ndim)}, ...]",
            f"{text}.sum(keepdims=True).squeeze()", f"np.asarray({text}.sum())",
            f"np.full((), {self.number()})", "np.array([[]])",
            f"{text}[:1].reshape(())", f"np.zeros((2, 0)).sum(axis={self.pick(0, 1)})",
            f"{text}[:0].mean()", f"np.max({text}[:0], initial=1)",
        ))  # fmt: skip

    def chosen_value(self, depth: int) -> str:
        """A value that a condition decides on, of one dtype: see ``Writer.block``."""
        text, value = self.operand(2)
        other = self.fitting(value)
        if np.asarray(self.value_of(other)).dtype != value.dtype:
            other = f"{text} * 1"
        test = self.pick("n > 2", "s > 0", f"{text}.sum().real > 1", f"len({text}) > 3")
        return str(self.pick(
            f"{text} if {test} else {other}",
            f"({text} + 1 if {test} else {text} - 1)", f"{text} * (2 if {test} else 3)",
            f"{text}[1:] if {test} else {text}[:-1]", f"({test} and n > 1) * {text}",
            f"{text}[0] if {test} else {text}[-1]",
            f"{text}[n:] if {test} else {text}[:n]", f"not n or {text}.any()",
            f"{text}.sum() if {test} else {text}.sum() * 0",
        ))  # fmt: skip
