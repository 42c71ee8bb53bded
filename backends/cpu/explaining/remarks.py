"""What LLVM's optimizer says of each loop: vectorised, how wide, or why not.

LLVM prints its remarks to standard error, and once it has been told to it does so for the life of
the process: they are asked for in a child process.
"""

from __future__ import annotations

import os
import re
import subprocess
import sys
from typing import Any

from agir.backends.cpu.debug_lines import as_debug_information
from agir.backends.cpu.explaining.report import Loop
from agir.backends.mlir.llvm_options import avoid_crashes, set_options
from agir.backends.mlir.modules import symbols, walk
from agir.errors import LoweringError
from agir.ir.building import bindings

LOOP = "agir:loop"
"""The file name of the locations that number loops."""

_SECONDS = 300
_PASSES = "loop-vectorize|loop-unroll"
_OPTIONS = [f"-pass-remarks{kind}={_PASSES}" for kind in ("", "-analysis", "-missed")]
_REMARK = re.compile(rf"remark: .*?{LOOP}:(\d+):\d+: (.*)")
_VECTORISED = re.compile(r"vectorized loop \(vectorization width: (\d+), interleaved count: (\d+)")
_INTERLEAVED = re.compile(r"interleaved loop \(interleaved count: (\d+)")
_REASON = re.compile(r"loop not vectorized: (.*)")
_UNROLLED = re.compile(r"completely unrolled loop with (\d+) iterations")
_NO_PROFIT = "the cost-model indicates that vectorization is not beneficial"


def remarks(module: Any) -> dict[int, Loop]:
    """What became of the loops with numbers in the locations of a module in the LLVM dialect."""
    child = subprocess.run(
        [sys.executable, "-m", __name__],
        input=module.operation.get_asm(enable_debug_info=True).encode(),
        capture_output=True,
        timeout=_SECONDS,
        check=False,
        env={**os.environ, "PYTHONSAFEPATH": "1"},
    )
    said = child.stderr.decode(errors="replace")
    if child.returncode != 0:
        raise LoweringError(f"asking LLVM about loops failed: {said.strip()[-500:]}")
    found: dict[int, Loop] = {}
    for number, text in _REMARK.findall(said):
        _note(found.setdefault(int(number) - 1, Loop()), text)
    return found


def _note(loop: Loop, text: str) -> None:
    if vectorised := _VECTORISED.search(text):
        loop.width, loop.unrolled = int(vectorised[1]), int(vectorised[2])
        loop.reason = ""
    elif interleaved := _INTERLEAVED.search(text):
        loop.unrolled = int(interleaved[1])
    elif unrolled := _UNROLLED.search(text):
        loop.reason = loop.reason or f"unrolled, {unrolled[1]} iterations"
    elif loop.width == 1 and (reason := _REASON.search(text)):
        loop.reason = reason[1]
    elif loop.width == 1 and _NO_PROFIT in text:
        loop.reason = loop.reason or "it would not be faster"


def _child() -> None:
    """Compile the module on standard input, with remarks on standard error."""
    ir = bindings.ir
    avoid_crashes()
    set_options(*_OPTIONS)
    with bindings.context(), ir.Location.unknown():
        module = ir.Module.parse(sys.stdin.buffer.read())
        _locate_calls(module)
        as_debug_information(module)
        bindings.execution_engine.ExecutionEngine(module, opt_level=3)
    sys.stderr.flush()
    os._exit(0)


def _locate_calls(module: Any) -> None:
    """LLVM wants a line for each call that it may inline."""
    for function in symbols(module).values():
        for operation in walk(function):
            if operation.name == "llvm.call" and "unknown" in str(operation.location):
                operation.location = bindings.ir.Location.file("-", 1, 1)


if __name__ == "__main__":
    _child()
