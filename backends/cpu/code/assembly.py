"""Machine code as assembly: disassembled, with names for functions, jumps and what is referred to.

On x86-64 in Intel's syntax.
"""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Iterator

from agir.backends.cpu.code import elf
from agir.backends.cpu.code.elf import Section
from agir.backends.cpu.code.line_table import LineTable
from agir.errors import StageError
from agir.records import dataclass

Instruction = tuple[int, int, str, str]  # address, size, mnemonic, operands

PACKED = "_mlir_"
"""What MLIR puts before the name of a function's packed wrapper."""

_TARGET = re.compile(r"#?0x([0-9a-f]+)$")
_JUMPS = {
    elf.X86_64: re.compile(r"j\w+|call|loop\w*"),
    elf.AARCH64: re.compile(r"b|bl|b\.\w+|cbn?z|tbn?z"),
}


@dataclass(frozen=True)
class Line:
    """A line of assembly, and where its instruction is, if it is one."""

    text: str
    section: int = 0
    address: int | None = None


def disassemble(code: bytes) -> str:
    """The assembly of an object file; with its lines, where it has them."""
    file = elf.parse(code)
    table = LineTable(file)
    lines = _with_lines(file, table) if table.rows else (line.text for line in listing(file))
    return "".join(f"{line}\n" for line in lines)


def _with_lines(file: elf.ObjectFile, table: LineTable) -> Iterator[str]:
    """The assembly, and in it the lines that it comes from, as GNU's assembler has them."""
    files = {name: n for n, name in enumerate(dict.fromkeys(row.file for row in table.rows), 1)}
    yield from (f'.file {n} "{name}"' for name, n in files.items())
    last = ""
    for line in listing(file):
        row = None if line.address is None else table.find(line.section, line.address)
        place = f"        .loc {files[row.file]} {row.line} {row.column}" if row else last
        if place != last:
            yield place
        last = place
        yield line.text


def listing(file: elf.ObjectFile) -> Iterator[Line]:
    """The lines of the assembly of an object file."""
    if file.machine == elf.X86_64:
        yield Line(".intel_syntax noprefix")
    for section in file.sections:
        if section.is_code and section.data:
            yield Line(f".section {section.name}")
            yield from _section(file.machine, section)


def code_of(file: elf.ObjectFile) -> Iterator[list[tuple[str, str]]]:
    """The (mnemonic, operands) of each function of an object file."""
    for section in file.sections:
        if not section.is_code or not section.data:
            continue
        starts = {symbol.value for symbol in section.symbols if symbol.name}
        function: list[tuple[str, str]] = []
        for address, _, mnemonic, operands in _instructions(file.machine, section.data):
            if address in starts and function:
                yield function
                function = []
            function.append((mnemonic, operands))
        yield function


def _section(machine: int, section: Section) -> Iterator[Line]:
    instructions = list(_instructions(machine, section.data))
    names = _names(section)
    referred = _references(section, instructions)
    jumps = {
        instruction[0]: target
        for instruction in instructions
        if instruction[0] not in referred and (target := _target(machine, instruction)) is not None
    }
    targets = set(jumps.values())
    local = {
        address: f".L{i}"
        for i, address in enumerate(sorted(targets - names.keys()))
        if address < len(section.data)
    }
    labels = local | names
    for instruction in instructions:
        address, _, mnemonic, operands = instruction
        if address in names:
            yield Line("")
            yield Line(f"{names[address]}:")
        elif address in local:
            yield Line(f"{local[address]}:")
        target = jumps.get(address)
        if target in labels:
            operands = _TARGET.sub(labels[target], operands)
        text = _line(mnemonic, operands, referred.get(address, ""))
        yield Line(text, section.index, address)


def _names(section: Section) -> dict[int, str]:
    """The names of functions; one that is its own packed wrapper has its own."""
    names = {symbol.value: symbol.name for symbol in section.symbols if symbol.name}
    known = set(names.values())
    own = {address: name.removeprefix(PACKED) for address, name in names.items()}
    return {at: name if own[at] in known else own[at] for at, name in names.items()}


def _line(mnemonic: str, operands: str, references: str) -> str:
    line = f"        {mnemonic:<15} {operands}".rstrip()
    return f"{line:<63} # {references}" if references else line


def _instructions(machine: int, data: bytes) -> Iterator[Instruction]:
    import capstone

    modes = {
        elf.X86_64: (capstone.CS_ARCH_X86, capstone.CS_MODE_64),
        elf.AARCH64: (capstone.CS_ARCH_ARM64, capstone.CS_MODE_ARM),
    }
    if machine not in modes:
        raise StageError(f"code for ELF machine {machine} cannot be disassembled")
    disassembler = capstone.Cs(*modes[machine])
    # instructions newer than the disassembler come out as bytes
    disassembler.skipdata = True
    yield from disassembler.disasm_lite(data, 0)


def _target(machine: int, instruction: Instruction) -> int | None:
    """Where a jump inside the section goes."""
    _, _, mnemonic, operands = instruction
    found = _TARGET.search(operands)
    return int(found[1], 16) if found and _JUMPS[machine].fullmatch(mnemonic) else None


def _references(section: Section, instructions: list[Instruction]) -> dict[int, str]:
    """What the linker fills in, by the address of the instruction in which it stands."""
    starts = [address for address, *_ in instructions]
    found: dict[int, list[str]] = {}
    for relocation in section.relocations:
        offset = f"{relocation.addend:+#x}" if relocation.addend else ""
        at = starts[bisect_right(starts, relocation.offset) - 1]
        found.setdefault(at, []).append(relocation.symbol.name + offset)
    return {address: ", ".join(names) for address, names in found.items()}
