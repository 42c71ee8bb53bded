"""How much stack a call takes, read off the machine code of functions that LLVM compiles."""

from __future__ import annotations

import struct
from collections.abc import Iterator

import pytest

from agir.backends.cpu.code import elf, frames
from agir.backends.cpu.machine_code import let_go, looked_up, new_engine, object_of
from agir.backends.mlir.lock import compiling
from agir.errors import LoweringError
from agir.ir.building import bindings


@pytest.fixture(autouse=True)
def context() -> Iterator[None]:
    with compiling, bindings.context():
        yield


def code(size: str, alignment: int = 8) -> bytes:
    """Of a function that hands on the address of so many bytes of its stack."""
    text = f"""
    llvm.func @f(%n: i64, %use: !llvm.ptr) {{
      %size = {f"llvm.mlir.constant({size} : i64) : i64" if size != "%n" else "llvm.add %n, %n : i64"}
      %at = llvm.alloca %size x i8 {{alignment = {alignment} : i64}} : (i64) -> !llvm.ptr
      llvm.call %use(%at) : !llvm.ptr, (!llvm.ptr) -> ()
      llvm.return
    }}
    """
    module = bindings.ir.Module.parse(text)
    engine = new_engine(module, keep_object=True)
    looked_up(engine, module, "f")
    found = object_of(engine)
    let_go(engine)
    return found


@pytest.mark.parametrize("size", [128, 1000, 100_000])
@pytest.mark.parametrize("alignment", [8, 64, 4096])
def test_a_frame_is_all_that_can_be_taken(size, alignment):
    frame = frames.largest_frame(code(str(size), alignment))
    assert size + max(alignment - 16, 0) < frame < size + 3 * alignment + 300


def test_a_frame_as_large_as_an_argument_says_is_refused():
    with pytest.raises(LoweringError, match=r"an amount of stack that is not known: .*sp"):
        frames.largest_frame(code("%n"))


@pytest.mark.parametrize("changed", [b"", struct.pack("<H", 243)])
def test_what_cannot_be_read_is_taken_for_large(changed):
    """Another format, or the machine code of another machine (RISC-V)."""
    made = code("16")
    other = made[:18] + changed + made[20:] if changed else b"MZ" + made
    assert frames.largest_frame(other) == frames._UNKNOWN_FRAME


@pytest.mark.parametrize(
    ("machine", "instruction", "taken"),
    [
        (elf.X86_64, "push rbp", 8),
        (elf.X86_64, "push qword ptr [rdi]", 8),
        (elf.X86_64, "sub rsp, 0x28", 0x28),
        (elf.X86_64, "add rsp, -0x80", 0x80),
        (elf.X86_64, "add rsp, 0x80", 0),
        (elf.X86_64, "and rsp, 0xffffffffffffffc0", 64),
        (elf.X86_64, "and rsp, -0x40", 64),
        (elf.X86_64, "lea rsp, [rbp - 0x28]", 0),
        (elf.X86_64, "mov rsp, rbp", 0),
        (elf.X86_64, "mov rsp, rax", None),
        (elf.X86_64, "sub rsp, rax", None),
        (elf.X86_64, "cmp rsp, rax", 0),
        (elf.X86_64, "mov rax, rsp", 0),
        (elf.AARCH64, "sub sp, sp, #0x30", 0x30),
        (elf.AARCH64, "sub sp, sp, #2, lsl #12", 0x2000),
        (elf.AARCH64, "sub x9, sp, #0x1f0", 0x1F0),
        (elf.AARCH64, "and sp, x9, #0xffffffffffffffc0", 64),
        (elf.AARCH64, "stp x29, x30, [sp, #-0x60]!", 0x60),
        (elf.AARCH64, "ldp x29, x30, [sp], #0x60", 0),
        (elf.AARCH64, "addvl sp, sp, #-2", 512),
        (elf.AARCH64, "add sp, sp, #0x30", 0),
        (elf.AARCH64, "sub sp, x29, #0x10", 0),
        (elf.AARCH64, "mov sp, x29", 0),
        (elf.AARCH64, "mov sp, x8", None),
        (elf.AARCH64, "sub sp, sp, x9", None),
    ],
)
def test_what_an_instruction_takes(machine, instruction, taken):
    stack = frames._STACKS[machine]
    if taken is None:
        with pytest.raises(LoweringError):
            stack.taken(instruction)
    else:
        assert stack.taken(instruction) == taken
