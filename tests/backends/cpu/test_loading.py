"""Object files in memory: linking, permissions, what unwinds their frames, and when they go."""

from __future__ import annotations

import ctypes
import gc
import re
import weakref
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import agir as ag
from agir.backends.cpu.code import elf, loading
from agir.backends.cpu.code.loading import CannotLoadError, Image
from agir.backends.cpu.engine import Executable
from agir.backends.stages import Compilation

pytestmark = pytest.mark.skipif(bool(loading.unavailable()), reason="no code is loaded here")

TEXT = """
func.func @f(%x: tensor<4xf64>, %y: f64) -> tensor<4xf64> {
  %c = arith.constant dense<[1.5, 2.5, 3.5, 4.5]> : tensor<4xf64>
  %z = arith.addf %x, %c : tensor<4xf64>
  %w = math.sin %z : tensor<4xf64>
  return %w : tensor<4xf64>
}
"""


def nowhere(symbol: str) -> None:
    """No symbol is known but those of the process."""


CONSTANT = [1.5, 2.5, 3.5, 4.5]


@pytest.fixture(scope="module")
def code() -> bytes:
    found: bytes = Compilation.from_text(TEXT, "hlo").get("object")
    return found


def mappings(address: int) -> tuple[str, str]:
    """The permissions of the mapping around an address."""
    for line in Path("/proc/self/maps").read_text().splitlines():
        first, last, permissions = re.match(r"(\w+)-(\w+) (\S+)", line).groups()  # type: ignore[union-attr]
        if int(first, 16) <= address < int(last, 16):
            return permissions
    return "gone"


def test_no_memory_is_both_written_to_and_run(code: bytes) -> None:
    image = Image(code, nowhere)
    assert mappings(image.address("_mlir_f")) == "r-xp"
    for section in image._sections:
        permissions = mappings(image._base + image._at[section.index])
        assert permissions == ("r-xp" if section.is_code else "r--p")


def test_the_memory_goes_with_the_image(code: bytes) -> None:
    image = Image(code, nowhere)
    address = image.address("_mlir_f")
    gone = weakref.ref(image)
    del image
    gc.collect()
    assert gone() is None
    assert mappings(address) != "r-xp"


def test_a_compiled_function_keeps_its_memory() -> None:
    executable = Executable(Compilation.from_text(TEXT, "hlo"), "f")
    call = executable.call
    del executable
    gc.collect()
    assert np.allclose(call([np.zeros(4), 0.0])[0], np.sin(CONSTANT))


@pytest.mark.parametrize("size", [0, 3, 20, 63, 64, 200, 1000])
def test_what_is_no_object_file(code: bytes, size: int) -> None:
    with pytest.raises(CannotLoadError):
        Image(code[:size], nowhere)


def test_code_of_another_machine(code: bytes) -> None:
    other = code[:18] + elf.AARCH64.to_bytes(2, "little") + code[20:]
    with pytest.raises(CannotLoadError, match="machine 183"):
        Image(other, nowhere)


def test_symbols_that_are_nowhere(code: bytes) -> None:
    with pytest.raises(CannotLoadError, match="no symbol nowhere"):
        Image(code.replace(b"\0malloc\0", b"\0nowhere\0"[:8]), nowhere).address("f")
    with pytest.raises(CannotLoadError, match="no symbol g"):
        Image(code, nowhere).address("g")


def test_relocations_that_are_not_known_are_left_to_the_engine(
    code: bytes, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(loading, "_RELOCATIONS", {})
    with pytest.raises(CannotLoadError, match="a relocation of kind 1"):
        Image(code, nowhere)
    executable = Executable(Compilation.from_text(TEXT, "hlo"), "f")
    assert np.allclose(executable([np.zeros(4), 0.0])[0], np.sin(CONSTANT))


def test_memory_that_cannot_be_run_is_left_to_the_engine(
    code: bytes, monkeypatch: pytest.MonkeyPatch
) -> None:
    def refuse(*_: Any) -> None:
        raise CannotLoadError("memory cannot be made executable")

    monkeypatch.setattr(loading, "_protect", refuse)
    executable = Executable(Compilation.from_text(TEXT, "hlo"), "f")
    assert np.allclose(executable([np.zeros(4), 0.0])[0], np.sin(CONSTANT))


def test_relative_relocations() -> None:
    """A symbol's distance, in four bytes: near is right, and far is refused."""
    section = elf.Section(1, ".text", 0x6, 16, 16, bytes(16))
    section.relocations.append(elf.Relocation(4, elf.Symbol("far", 0, 0, 0), -4, 2))
    file = elf.ObjectFile(elf.X86_64, [section], [section.relocations[0].symbol])
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(elf, "parse", lambda _: file)
        with pytest.raises(CannotLoadError, match="far is too far away"):
            Image(b"", {"far": 1}.get)
        near = elf.Symbol("near", 1, 12, 2)
        section.relocations[0] = elf.Relocation(4, near, -4, 2)
        file.symbols.append(near)
        image = Image(b"", {"far": 1}.get)
    assert int.from_bytes(image._memory[4:8], "little") == 12 - 4 - 4


def test_the_stack_can_be_unwound_through_compiled_code() -> None:
    """A callback sees the frames of those that have called the code which calls it."""
    library = ctypes.CDLL(None)
    if not hasattr(library, "backtrace"):
        pytest.skip("no backtrace in this C library")

    def depth() -> int:
        return int(library.backtrace((ctypes.c_void_p * 200)(), 200))

    def seen(x: Any) -> np.ndarray[Any, Any]:
        return np.array(float(depth()))

    f = ag.jit(lambda x: ag.numpy_function(seen, [x], ag.float64))
    here = depth()
    assert f(np.ones(3)) > here
