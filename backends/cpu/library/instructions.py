"""Instructions of AVX-512 for floating-point numbers that neither MLIR nor LLVM has an operation for.

`vgetexp` and `vgetmant` take a number apart as its logarithm needs it, with subnormal numbers, zeros,
infinities and NaN; `vscalef` multiplies by a power of two of any size.  Each is a function of one
number that is not inlined, and that LLVM's loop vectoriser finds forms for vectors of by their
names: for whole registers the target's intrinsic itself, which is one instruction in the loop; for
shorter ones a function.
"""

from __future__ import annotations

from functools import cache

from agir.backends.cpu.code.host import AVX_512, vectors
from agir.records import dataclass

from .builder import PURE, Builder, Kind, Value

_AS_USUAL = 4  # the rounding mode that is set
_ATTRIBUTES = f"llvm.linkage = #llvm.linkage<linkonce_odr>, llvm.no_inline, {PURE}"
_FROM_THREE_QUARTERS = 0b1011  # to 3/2, and a NaN for a negative number

_FROM_ONE = 0b0100  # to 2, of the size


@dataclass(frozen=True)
class _Instruction:
    """How many numbers it takes, and what it is told beside them."""

    intrinsic: str
    numbers: int
    choice: int | None = None


_INSTRUCTIONS = {
    "exponent": _Instruction("getexp", 1),
    "mantissa": _Instruction("getmant", 1, _FROM_THREE_QUARTERS),
    "significand": _Instruction("getmant", 1, _FROM_ONE),
    "times_power": _Instruction("scalef", 2),
}


def available() -> bool:
    """Whether the processor has them."""
    return vectors() == AVX_512


def exponent(b: Builder, x: Value) -> Value:
    """The binary logarithm of the size, rounded down; of 0 it is minus infinity."""
    return _call(b, "exponent", x)


def mantissa(b: Builder, x: Value) -> Value:
    """``x`` times a power of two, from 3/4 up to 3/2; 1 for 0 and infinity, NaN below."""
    return _call(b, "mantissa", x)


def significand(b: Builder, x: Value) -> Value:
    """The size of ``x`` times a power of two, from 1 up to 2."""
    return _call(b, "significand", x)


def times_power(b: Builder, x: Value, n: Value) -> Value:
    """``x`` times 2 to a whole number, of any size, rounded once."""
    return _call(b, "times_power", x, n)


def _call(b: Builder, name: str, *numbers: Value) -> Value:
    kind, choice = b.kind, _INSTRUCTIONS[name].choice
    symbol = _symbol(name, kind)
    b.needs[symbol] = _text(name, kind)
    told = () if choice is None else (b.constant(choice, "i32"),)
    mask, mode = b.constant(-1, f"i{_whole(kind)}"), b.constant(_AS_USUAL, "i32")
    arguments = (*numbers, *told, numbers[0], mask, mode)
    names = ", ".join(each.name for each in arguments)
    types = ", ".join(each.type for each in arguments)
    return b.line(f"func.call @{symbol}({names}) : ({types}) -> {kind.name}", kind.name)


def _symbol(name: str, kind: Kind) -> str:
    return f"agir.{name}_{kind.name}"


def _whole(kind: Kind) -> int:
    """The numbers that a register holds."""
    return AVX_512.lanes(kind.bits)


def _widths(kind: Kind) -> tuple[int, int, int]:
    whole = _whole(kind)
    return whole // 4, whole // 2, whole


@cache
def _text(name: str, kind: Kind) -> str:
    """The function of one number, and those of vectors that are shorter than a register."""
    *shorter, _ = _widths(kind)
    return "\n".join([*(_shorter(name, kind, width) for width in shorter), _one(name, kind)])


def _one(name: str, kind: Kind) -> str:
    """The function of one number.

    In a branch that is never taken it names all its forms: LLVM drops what is not named.  It may be
    replaced by another of its name (`linkonce_odr`), or LLVM would drop its constant arguments.
    """
    symbol, whole = _symbol(name, kind), _whole(kind)
    shape = "".join("v" if each.startswith("%x") else "u" for each in _names(name))
    targets = {n: f"{symbol}_{n}" for n in _widths(kind)} | {whole: _intrinsic(name, kind, whole)}
    forms = ",".join(f"_ZGV_LLVM_N{n}{shape}_{symbol}({form})" for n, form in targets.items())
    passed = f'["nosync", "nofree", ["vector-function-abi-variant", "{forms}"]]'
    usual, *others = (_in_first_lane(name, kind, n) for n in _widths(kind))
    quarter, half, _ = _widths(kind)
    return f"""
func.func private @{symbol}({_parameters(name, kind, kind.name)}) -> {kind.name}
    attributes {{{_ATTRIBUTES}, llvm.passthrough = {passed}}} {{
{_constants(name)}
  %zero = arith.constant 0 : i64
  %usual = arith.cmpi eq, %mode, %as_usual : i32
  %result = scf.if %usual -> {kind.name} {{
{usual}
    scf.yield %lane{quarter} : {kind.name}
  }} else {{
{chr(10).join(others)}
    %sum = arith.addf %lane{half}, %lane{whole} : {kind.name}
    scf.yield %sum : {kind.name}
  }}
  return %result : {kind.name}
}}"""


def _shorter(name: str, kind: Kind, width: int) -> str:
    vector = _vector(kind, width)
    numbers = [each for each in _names(name) if each[:2] == "%x" and each != "%x_else"]
    return f"""
func.func private @{_symbol(name, kind)}_{width}({_parameters(name, kind, vector)}) -> {vector}
    attributes {{{_ATTRIBUTES}, llvm.passthrough = ["no_caller_saved_registers"]}} {{
{_constants(name)}
{_called(name, kind, width, numbers)}
  return %value{width} : {vector}
}}"""


def _in_first_lane(name: str, kind: Kind, width: int) -> str:
    """The instruction for vectors, of one number."""
    vector, numbers = _vector(kind, width), _INSTRUCTIONS[name].numbers
    none = f"%none{width}"
    return "\n".join(
        [
            f"    {none} = llvm.mlir.poison : {vector}",
            *(
                f"    %v{n}_{width} = llvm.insertelement %x{n}, {none}[%zero : i64] : {vector}"
                for n in range(numbers)
            ),
            _called(name, kind, width, [f"%v{n}_{width}" for n in range(numbers)]),
            f"    %lane{width} = llvm.extractelement %value{width}[%zero : i64] : {vector}",
        ]
    )


def _called(name: str, kind: Kind, width: int, numbers: list[str]) -> str:
    vector, is_whole = _vector(kind, width), width == _whole(kind)
    operands = dict.fromkeys(numbers, vector)
    if _INSTRUCTIONS[name].choice is not None:
        operands["%choice"] = "i32"
    arguments = [*operands.items(), (numbers[0], vector)]
    arguments.append((f"%all{max(width, 8)}", f"i{max(width, 8)}"))
    if is_whole:
        arguments.append(("%as_usual", "i32"))
    names, types = (", ".join(each) for each in zip(*arguments, strict=True))
    return (
        f'    %value{width} = llvm.call_intrinsic "{_intrinsic(name, kind, width)}"({names})'
        f" : ({types}) -> {vector}"
    )


def _intrinsic(name: str, kind: Kind, width: int) -> str:
    suffix = {"f32": "ps", "f64": "pd"}[kind.name]
    return f"llvm.x86.avx512.mask.{_INSTRUCTIONS[name].intrinsic}.{suffix}.{width * kind.bits}"


def _vector(kind: Kind, width: int) -> str:
    return f"vector<{width}x{kind.name}>"


def _names(name: str) -> list[str]:
    """The parameters: vectors begin with ``%x``, and what is the same for all lanes does not."""
    function = _INSTRUCTIONS[name]
    told = [] if function.choice is None else ["%told"]
    return [*(f"%x{n}" for n in range(function.numbers)), *told, "%x_else", "%mask", "%mode"]


def _parameters(name: str, kind: Kind, number: str) -> str:
    types = {"%told": "i32", "%mask": f"i{_whole(kind)}", "%mode": "i32"}
    return ", ".join(f"{each}: {types.get(each, number)}" for each in _names(name))


def _constants(name: str) -> str:
    constants = [
        "  %all8 = arith.constant -1 : i8",
        "  %all16 = arith.constant -1 : i16",
        f"  %as_usual = arith.constant {_AS_USUAL} : i32",
    ]
    if (choice := _INSTRUCTIONS[name].choice) is not None:
        constants.append(f"  %choice = arith.constant {choice} : i32")
    return "\n".join(constants)
