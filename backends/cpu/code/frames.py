"""How much stack a recursive program needs: its depth limit times its largest frame.

The frames are read off the machine code.  Where nothing is known of a machine's code, or of the file
that it is in, a frame is taken for generously large.  Code that is read and takes as much stack as a
register says is refused: a stack that is too small ends the process.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from typing import Any

from agir.backends.cpu.code import elf
from agir.backends.cpu.code.assembly import code_of
from agir.backends.mlir.modules import symbols
from agir.errors import LoweringError, StageError
from agir.ir.functions.depth import DEPTH_LIMIT
from agir.records import dataclass

_UNKNOWN_FRAME = 16 * 1024
"""What a frame is taken for where the machine code cannot be read: no bound, but more than usual."""

_REGISTER = 8
_VECTOR = 256  # the longest scalable one
_CALL = 16  # the return address, and alignment


def depth_limit(module: Any) -> int:
    """How deep the functions of a module call themselves; 0 where none does."""
    limits = [
        function.attributes[DEPTH_LIMIT].value
        for function in symbols(module).values()
        if DEPTH_LIMIT in function.attributes
    ]
    return max(limits, default=0)


def largest_frame(code: bytes) -> int:
    """An upper bound of the bytes that one call of any function takes; a guess where it cannot be read.

    Raises ``LoweringError`` where the code is read, and has no bound.
    """
    try:
        file = elf.parse(code)
        return max(_frames(file), default=0) + _CALL
    except StageError:
        return _UNKNOWN_FRAME


def _frames(file: elf.ObjectFile) -> Iterator[int]:
    """For each function, all that its instructions take off the stack pointer, on whichever path."""
    stack = _STACKS.get(file.machine)
    if stack is None:
        raise StageError(f"how code for ELF machine {file.machine} takes stack is not known")
    for instructions in code_of(file):
        yield sum(stack.taken(f"{mnemonic} {operands}") for mnemonic, operands in instructions)


@dataclass(frozen=True)
class _Stack:
    """How the instructions of a machine change its stack pointer."""

    takes: tuple[tuple[re.Pattern[str], Callable[[re.Match[str]], int]], ...]
    """Those that take a known number of bytes, or not more, with that number."""
    gives: re.Pattern[str]
    """Those that give back what was taken."""
    changes: re.Pattern[str]
    """All that change it, but for those that push or pop."""

    def taken(self, instruction: str) -> int:
        """The bytes that an instruction takes at most."""
        for pattern, size in self.takes:
            if found := pattern.fullmatch(instruction):
                return size(found)
        if self.changes.fullmatch(instruction) and not self.gives.fullmatch(instruction):
            raise LoweringError(f"a call takes an amount of stack that is not known: {instruction}")
        return 0


def _register(found: re.Match[str]) -> int:
    return _REGISTER


def _number(found: re.Match[str]) -> int:
    return int(found[1], 0)


def _shifted(found: re.Match[str]) -> int:
    return int(found[1], 0) << int(found[2] or "0", 0)


def _vectors(found: re.Match[str]) -> int:
    return int(found[1], 0) * _VECTOR


def _alignment(found: re.Match[str]) -> int:
    """What a mask leaves out: the distance to an aligned address is less than that."""
    return -int(found[1], 0) & 0xFFFF_FFFF


_N = r"(0x[0-9a-f]+|\d+)"
_STACKS = {
    elf.X86_64: _Stack(
        takes=(
            (re.compile(r"push .*"), _register),
            (re.compile(rf"sub rsp, {_N}"), _number),
            (re.compile(rf"add rsp, -{_N}"), _number),
            (re.compile(rf"lea rsp, \[rsp - {_N}\]"), _number),
            (re.compile(r"and rsp, (-?(?:0x[0-9a-f]+|\d+))"), _alignment),
        ),
        gives=re.compile(rf"add rsp, {_N}|lea rsp, \[(?:rbp|rsp \+).*|mov rsp, rbp"),
        changes=re.compile(r"(?!cmp|test|push|pop)\w+ [re]?sp, .*"),
    ),
    elf.AARCH64: _Stack(
        takes=(
            # of another register: what is aligned next
            (re.compile(rf"sub (?:sp|x\d+), sp, #{_N}(?:, lsl #(\d+))?"), _shifted),
            (re.compile(rf"st[rp] .*\[sp, #-{_N}\]!"), _number),
            (re.compile(rf"addvl sp, sp, #-{_N}"), _vectors),
            (re.compile(r"and sp, \w+, #(-?(?:0x[0-9a-f]+|\d+))"), _alignment),
        ),
        gives=re.compile(
            rf"add sp, sp, #.*|addvl sp, sp, #{_N}|(?:sub|add) sp, x29, #.*|mov sp, x29"
        ),
        changes=re.compile(r"(?!cmp|cmn|tst|st|ld)\w+ sp, .*"),
    ),
}
