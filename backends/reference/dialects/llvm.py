"""Rules of the `llvm` dialect: most are those of `arith` and `math` under other names."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import Any

import numpy as np

from agir.backends.reference.core.layouts import layout, offset
from agir.backends.reference.core.operation import Operation, Rule, always
from agir.errors import UndefinedBehaviour, UnsupportedOperation

from . import arith, math, vector

Function = Callable[..., Any]

_DYNAMIC = -(1 << 31)

_ARITH = {
    "add": "addi", "sub": "subi", "mul": "muli", "sdiv": "divsi", "udiv": "divui",
    "srem": "remsi", "urem": "remui", "and": "andi", "or": "ori", "xor": "xori", "shl": "shli",
    "ashr": "shrsi", "lshr": "shrui", "fadd": "addf", "fsub": "subf", "fmul": "mulf",
    "fdiv": "divf", "frem": "remf", "fneg": "negf", "icmp": "cmpi", "fcmp": "cmpf",
    "select": "select", "sext": "extsi", "zext": "extui", "trunc": "trunci", "fpext": "extf",
    "fptrunc": "truncf", "sitofp": "sitofp", "uitofp": "uitofp", "fptosi": "fptosi",
    "fptoui": "fptoui", "bitcast": "bitcast", "intr.smax": "maxsi", "intr.smin": "minsi",
    "intr.umax": "maxui", "intr.umin": "minui", "intr.maxnum": "maxnumf",
    "intr.minnum": "minnumf", "intr.maximum": "maximumf", "intr.minimum": "minimumf",
}  # fmt: skip
_MATH = {
    "fabs": "absf", "sqrt": "sqrt", "copysign": "copysign", "fma": "fma", "fmuladd": "fma",
    "ctpop": "ctpop", "floor": "floor", "ceil": "ceil", "trunc": "trunc", "round": "round",
    "roundeven": "roundeven", "rint": "roundeven", "nearbyint": "roundeven", "exp": "exp",
    "exp2": "exp2", "log": "log", "log2": "log2", "log10": "log10", "sin": "sin", "cos": "cos",
    "tan": "tan", "pow": "powf", "powi": "fpowi",
}  # fmt: skip
_REDUCTIONS = {
    "add": "add", "mul": "mul", "and": "and", "or": "or", "xor": "xor", "smin": "minsi",
    "smax": "maxsi", "fmin": "minnumf", "fmax": "maxnumf", "fminimum": "minimumf",
    "fmaximum": "maximumf",
}  # fmt: skip
_EXACTLY = {"add": int.__add__, "sub": int.__sub__, "mul": int.__mul__}
_NOTHING = "intr.lifetime.start intr.lifetime.end intr.assume"


def _constant(operation: Operation) -> Function:
    type_, value = operation.results[0], operation.attribute("value")
    if isinstance(value, tuple):
        kinds = _kind(operation).fields
        made = tuple(kind.dtype.type(each) for kind, each in zip(kinds, value, strict=True))
        return lambda: made
    if type_.dtype == object and isinstance(value, int):
        return lambda: value
    if type_.dtype == object:
        kind = _kind(operation)
        flat = np.broadcast_to(np.asarray(value), kind.count)
        items = tuple(kind.element.dtype.type(each) for each in flat)
        return lambda: items
    if type_.is_tensor:
        whole = np.broadcast_to(np.asarray(value, type_.dtype), type_.fill(()))
        return lambda: whole
    number = type_.dtype.type(value)
    return lambda: number


def _zero(operation: Operation) -> Function:
    value = _kind(operation).zero()
    return lambda: value


def _kind(operation: Operation) -> Any:
    return layout(str(operation.raw.results[0].type))


def _extract_value(operation: Operation) -> Function:
    position = operation.attribute("position")

    def run(whole: Any) -> Any:
        for index in position:
            whole = whole[index]
        return whole

    return run


def _insert_value(operation: Operation) -> Function:
    position = operation.attribute("position")
    return lambda whole, value: _with(whole, position, value)


def _with(whole: Any, position: Sequence[int], value: Any) -> Any:
    if not position:
        return value
    first, *rest = position
    return (*whole[:first], _with(whole[first], rest, value), *whole[first + 1 :])


def _lane(index: Any, values: Any) -> int:
    if not 0 <= index < len(values):
        raise UndefinedBehaviour(f"lane {index} of {len(values)}")
    return int(index)


def _insert_element(values: Any, value: Any, index: Any) -> Any:
    made = values.copy()
    made[_lane(index, values)] = value
    return made


def _get_element_pointer(operation: Operation) -> Function:
    kind = layout(str(operation.raw.attributes["elem_type"].value))
    indices = operation.attribute("rawConstantIndices")
    added = offset(kind, [None if each == _DYNAMIC else each for each in indices])
    return lambda pointer, *dynamic: np.int64(int(pointer) + added(dynamic))


def _alloca(operation: Operation) -> Function:
    kind = layout(str(operation.raw.attributes["elem_type"].value))
    align, memory = operation.attribute("alignment", 0), operation.scope.memory
    return lambda count: np.int64(memory.allocate(int(count) * kind.size, align))


def _load(operation: Operation) -> Function:
    kind, memory = _kind(operation), operation.scope.memory
    return lambda pointer: kind.read(memory.at(int(pointer), kind.size))


def _store(operation: Operation) -> Function:
    kind, memory = layout(str(operation.raw.operands[0].type)), operation.scope.memory

    def run(value: Any, pointer: Any) -> tuple[()]:
        kind.write(memory.at(int(pointer), kind.size), value)
        return ()

    return run


def _move(operation: Operation) -> Function:
    memory, overlaps = operation.scope.memory, operation.name.endswith("memmove")

    def run(target: Any, source: Any, count: Any) -> tuple[()]:
        size, distance = int(count), abs(int(target) - int(source))
        if size and not overlaps and 0 < distance < size:
            raise UndefinedBehaviour("memory is copied to where it overlaps itself")
        if size:
            memory.at(int(target), size)[...] = memory.at(int(source), size).copy()
        return ()

    return run


def _fill(operation: Operation) -> Function:
    memory = operation.scope.memory

    def run(target: Any, value: Any, count: Any) -> tuple[()]:
        if count:
            memory.at(int(target), int(count))[...] = np.int8(value).view(np.uint8)
        return ()

    return run


def _address(operation: Operation) -> Function:
    find, name = operation.scope.address, operation.attribute("global_name")
    return lambda: np.int64(find(name))


def _call(operation: Operation) -> Function:
    count = len(operation.results)
    if "callee" in operation.raw.attributes:
        callee = operation.function(operation.attribute("callee"))
        called: Callable[[Sequence[Any]], list[Any]] = callee.run
    else:
        pointed = operation.scope.pointed

        def called(operands: Sequence[Any]) -> list[Any]:
            return pointed(int(operands[0])).run(operands[1:])

    if count == 1:
        return lambda *operands: called(operands)[0]
    return lambda *operands: called(operands)


def _masked_load(operation: Operation) -> Function:
    (size,), memory = operation.results[0].fill(()), operation.scope.memory
    kind = layout(str(operation.raw.results[0].type)).element

    def run(pointer: Any, mask: Any, rest: Any) -> Any:
        found = rest.copy()
        for lane in range(size):
            if mask[lane]:
                found[lane] = kind.read(memory.at(int(pointer) + lane * kind.size, kind.size))
        return found

    return run


def _masked_store(operation: Operation) -> Function:
    memory = operation.scope.memory
    kind = layout(str(operation.raw.operands[0].type)).element

    def run(value: Any, pointer: Any, mask: Any) -> tuple[()]:
        for lane, item in enumerate(value):
            if mask[lane]:
                kind.write(memory.at(int(pointer) + lane * kind.size, kind.size), item)
        return ()

    return run


def _gather(operation: Operation) -> Function:
    memory, kind = operation.scope.memory, layout(str(operation.raw.results[0].type)).element

    def run(pointers: Any, mask: Any, rest: Any) -> Any:
        found = rest.copy()
        for lane, pointer in enumerate(pointers):
            if mask[lane]:
                found[lane] = kind.read(memory.at(int(pointer), kind.size))
        return found

    return run


def _intrinsic(operation: Operation) -> Function:
    """One that is called by its name: another spelling of an operation, or an instruction."""
    name = operation.attribute("intrin").removeprefix("llvm.")
    if name.startswith(_AVX_512):
        known = _INSTRUCTIONS.get(name.removeprefix(_AVX_512).partition(".")[0])
        if known is not None:
            return known
    other = f"llvm.intr.{re.sub(r'(.[vpif]+[0-9]+[a-z0-9]*)+$', '', name)}"
    if other not in OPERATIONS:
        raise UnsupportedOperation(f"there is no rule for the intrinsic {name!r}")
    return OPERATIONS[other](replace(operation, name=other))


_AVX_512 = "x86.avx512.mask."


def _mantissa(x: Any, choice: Any, *_: Any) -> Any:
    """The fraction of a float: from 1 to 2, or by the choice's low bits from 3/4 to 3/2."""
    fraction, _ = np.frexp(x)
    low = np.where(np.abs(fraction) < 0.75, 2 * fraction, fraction)
    found = low if choice & 3 == 3 else 2 * fraction
    special = np.where(np.isinf(x) | (x == 0), 1.0, found)
    if choice & 0b1000:
        special = np.where(x < 0, np.nan, special)
    elif choice & 0b0100:
        special = np.abs(special)
    return special.astype(x.dtype)


def _exponent(x: Any, *_: Any) -> Any:
    found = np.where(np.isinf(x), np.inf, np.frexp(x)[1] - 1.0)
    return np.where(x == 0, -np.inf, np.where(np.isnan(x), x, found)).astype(x.dtype)


def _times_power(x: Any, n: Any, *_: Any) -> Any:
    whole = np.clip(np.floor(np.nan_to_num(n)), -5000, 5000).astype(np.int32)
    return np.where(np.isnan(n), n, np.ldexp(x, whole)).astype(x.dtype)


_INSTRUCTIONS = {"getmant": _mantissa, "getexp": _exponent, "scalef": _times_power}
"""What the processor has for vectors, as agir's own functions of the library ask for it."""


def _class_test(operation: Operation) -> Function:
    bits = operation.attribute("bit")
    tests = (
        (0x003, np.isnan),
        (0x004, lambda x: x == -np.inf),
        (0x008, lambda x: _is_normal(x) & (x < 0)),
        (0x010, lambda x: _is_subnormal(x) & (x < 0)),
        (0x020, lambda x: (x == 0) & np.signbit(x)),
        (0x040, lambda x: (x == 0) & ~np.signbit(x)),
        (0x080, lambda x: _is_subnormal(x) & (x > 0)),
        (0x100, lambda x: _is_normal(x) & (x > 0)),
        (0x200, lambda x: x == np.inf),
    )
    chosen = [test for bit, test in tests if bits & bit]
    return lambda x: np.bool_(any(test(x) for test in chosen))


def _is_subnormal(x: Any) -> Any:
    return (x != 0) & (np.abs(x) < np.finfo(x.dtype).smallest_normal)


def _is_normal(x: Any) -> Any:
    return np.isfinite(x) & (np.abs(x) >= np.finfo(x.dtype).smallest_normal)


def _with_overflow(sign: str, compute: Callable[[int, int], int]) -> Rule:
    """A computation that also says whether its result has been too large."""

    def rule(operation: Operation) -> Function:
        dtype = operation.operands[0].dtype
        bits = np.dtype(f"u{dtype.itemsize}")
        read = dtype if sign == "s" else bits
        least, most = int(np.iinfo(read).min), int(np.iinfo(read).max)

        def run(a: Any, b: Any) -> Any:
            exact = compute(int(a.view(read)), int(b.view(read)))
            wrapped = np.array(exact % (1 << 8 * dtype.itemsize), bits).view(dtype)[()]
            return (wrapped, np.bool_(not least <= exact <= most))

        return run

    return rule


def _fold(kind: str) -> Rule:
    fold = vector.FOLDS[kind]

    def run(values: Any) -> Any:
        found, *rest = values
        for each in rest:
            found = fold(found, each)
        return found

    return always(run)


def _fold_from(kind: str) -> Rule:
    fold = vector.FOLDS[kind]

    def run(start: Any, values: Any) -> Any:
        for each in values:
            start = fold(start, each)
        return start

    return always(run)


SAME = {
    **{f"llvm.{name}": f"arith.{other}" for name, other in _ARITH.items()},
    **{f"llvm.intr.{name}": f"math.{other}" for name, other in _MATH.items()},
}
"""The operations that are another dialect's under another name."""


def _as(name: str) -> Rule:
    rule = arith.OPERATIONS.get(name) or math.OPERATIONS[name]
    return lambda operation: rule(replace(operation, name=name))


def _cast(operation: Operation) -> Function:
    """Between a type and the one that it becomes, while only some operations have become others.

    Of nothing, what a later pass knows, and nothing depends on until then.
    """
    if not operation.operands:
        zeros = tuple(each.dtype.type(0) for each in operation.results)
        return lambda: zeros[0] if len(zeros) == 1 else zeros
    if operation.operands != operation.results:
        raise UnsupportedOperation("a cast between a buffer and its parts")
    return _same


def _same(value: Any, *_: Any) -> Any:
    return value


def _unreachable(*_: Any) -> Any:
    raise UndefinedBehaviour("what is unreachable is reached")


OPERATIONS: dict[str, Rule] = {
    **{name: _as(other) for name, other in SAME.items()},
    **{f"llvm.intr.vector.reduce.{n}": _fold(kind) for n, kind in _REDUCTIONS.items()},
    **{f"llvm.intr.vector.reduce.f{n}": _fold_from(n) for n in ("add", "mul")},
    **{f"llvm.{name}": always(lambda *_: ()) for name in _NOTHING.split()},
    **{
        f"llvm.intr.{sign}{name}.with.overflow": _with_overflow(sign, compute)
        for sign in "su"
        for name, compute in _EXACTLY.items()
    },
    "llvm.mlir.constant": _constant,
    "llvm.mlir.zero": _zero,
    "llvm.mlir.poison": _zero,
    "llvm.mlir.undef": _zero,
    "llvm.mlir.addressof": _address,
    "llvm.ptrtoint": always(_same),
    "llvm.inttoptr": always(_same),
    "llvm.freeze": always(_same),
    "llvm.intr.expect": always(_same),
    "llvm.intr.abs": lambda operation: lambda x, *_: np.abs(x),
    "llvm.intr.is.fpclass": _class_test,
    "llvm.intr.stepvector": vector.OPERATIONS["vector.step"],
    "llvm.extractvalue": _extract_value,
    "llvm.insertvalue": _insert_value,
    "llvm.extractelement": always(lambda values, index: values[_lane(index, values)]),
    "llvm.insertelement": always(_insert_element),
    "llvm.shufflevector": vector.OPERATIONS["vector.shuffle"],
    "llvm.getelementptr": _get_element_pointer,
    "llvm.alloca": _alloca,
    "llvm.load": _load,
    "llvm.store": _store,
    "llvm.intr.memcpy": _move,
    "llvm.intr.memmove": _move,
    "llvm.intr.memset": _fill,
    "llvm.intr.masked.load": _masked_load,
    "llvm.intr.masked.store": _masked_store,
    "llvm.intr.masked.gather": _gather,
    "llvm.call_intrinsic": _intrinsic,
    "llvm.call": _call,
    "builtin.unrealized_conversion_cast": _cast,
    "llvm.unreachable": always(_unreachable),
}
TERMINATORS = frozenset({"llvm.return"})
