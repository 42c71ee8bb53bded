"""How much stack a recursive program needs: its depth limit times its largest frame."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any

from agir.backends.cpu.code import elf
from agir.backends.cpu.code.assembly import code_of
from agir.backends.mlir.modules import symbols
from agir.errors import StageError
from agir.ir.functions.depth import DEPTH_LIMIT

_UNKNOWN_FRAME = 16 * 1024
"""What a frame is taken for where the machine code cannot be read."""

_REGISTER = 8
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
    """An upper bound of the bytes that one call of any function takes."""
    try:
        file = elf.parse(code)
        return max(_frames(file), default=0) + _CALL
    except StageError:
        return _UNKNOWN_FRAME


def _frames(file: elf.ObjectFile) -> Iterator[int]:
    """For each function, all that its instructions take off the stack pointer."""
    grows = _GROWS[file.machine]
    for instructions in code_of(file):
        size = 0
        for mnemonic, operands in instructions:
            for pattern in grows:
                if found := pattern.fullmatch(f"{mnemonic} {operands}"):
                    size += int(found[1], 0) if found.groups() else _REGISTER
        yield size


_GROWS: dict[int, tuple[re.Pattern[str], ...]] = {
    elf.X86_64: (
        re.compile(r"push \w+"),
        re.compile(r"sub rsp, (0x[0-9a-f]+|\d+)"),
    ),
    elf.AARCH64: (
        re.compile(r"sub sp, sp, #(0x[0-9a-f]+|\d+)"),
        re.compile(r"st[rp] .*\[sp, #-(0x[0-9a-f]+|\d+)\]!"),
    ),
}
