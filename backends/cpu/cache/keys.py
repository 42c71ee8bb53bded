"""What machine code is filed under: a hash of all that it depends on.

That is the program, the options, the compiler (the modules of the back ends, those of ``ir`` that they
stand on, and MLIR's library, by the size and the time of their files, so that a change of any needs no
new version number) and the processor.  NumPy is not among it: machine code knows memory, not NumPy's
objects.
"""

from __future__ import annotations

import hashlib
import os
import sys
from collections.abc import Iterator
from functools import cache
from pathlib import Path

from agir.config import config
from agir.ir.building import bindings
from agir.version import __version__

_OF_THE_PROGRAM_ONLY = {
    "autograph_verbosity", "backend", "cache", "cache_dir", "cache_size", "debug_info",
    "disable_jit", "dump_dir", "fallback",
    "log", "max_traces", "plugins", "pool_bytes", "retrace_warning", "unroll_limit", "validate",
    "verify",
}  # fmt: skip
"""Options that do not change what machine code is made of a recorded program.

Any other one does, as far as is known here.
"""

_CPU_FACTS = ("vendor_id", "cpu family", "model", "model name", "stepping", "flags")
_LAYERS = Path(__file__).resolve().parents[3]
_OF_THE_RECORDER = ("building", "emission", "functions", "host", "tensors", "tracing")
_COMPILER = {"backends": True, "ir": False} | {f"ir/{room}": False for room in _OF_THE_RECORDER}
"""The folders of the compiler, and whether those in them count, too.

What else is in ``ir`` writes the program, which is in the key; its 250 files would take longer.
"""
_NOT_OURS = "__pycache__"


def key_of(program: str) -> str:
    """The key of a program's code, for this compiler and this processor."""
    digest = hashlib.sha256()
    for part in (compiler(), processor(), _options(), program):
        data = part.encode()
        digest.update(len(data).to_bytes(8, "little"))
        digest.update(data)
    return digest.hexdigest()


def _options() -> str:
    return repr(
        [
            (option.name, getattr(config, option.name))
            for option in config.options()
            if option.name not in _OF_THE_PROGRAM_ONLY
        ]
    )


@cache
def compiler() -> str:
    """What tells this compiler from others, and from what it was before a change."""
    library = Path(bindings.ir.__file__).parent / "_mlir_libs"
    return repr([__version__, *_modules(), *_facts(library, ".so")])


def _modules() -> Iterator[tuple[str, int, int]]:
    for folder, deep in _COMPILER.items():
        yield from _facts(_LAYERS / folder, ".py", f"{folder}/", deep=deep)


def _facts(
    folder: Path, suffix: str, inside: str = "", *, deep: bool = True
) -> Iterator[tuple[str, int, int]]:
    """The files in a folder, and below it, each with its size and the time of its last change."""
    with os.scandir(folder) as found:
        entries = sorted(found, key=lambda entry: entry.name)
    for entry in entries:
        if entry.is_dir():
            if deep and entry.name != _NOT_OURS:
                yield from _facts(Path(entry.path), suffix, f"{inside}{entry.name}/")
        elif entry.name.endswith(suffix):
            status = entry.stat()
            yield f"{inside}{entry.name}", status.st_size, status.st_mtime_ns


@cache
def processor() -> str:
    """The model and the features of the processor, for which LLVM writes its code."""
    facts = [f"{sys.platform} {os.uname().machine if hasattr(os, 'uname') else ''}"]
    try:
        with open("/proc/cpuinfo", encoding="utf-8") as file:
            for line in file:
                name, _, value = line.partition(":")
                if name.strip() in _CPU_FACTS:
                    facts.append(f"{name.strip()}={value.strip()}")
                elif not name.strip():
                    break  # the first one of several alike
    except OSError:
        pass
    return "\n".join(facts)
