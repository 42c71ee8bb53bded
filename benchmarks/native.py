"""The same loops in C, compiled when the benchmark runs with ``gcc -O2``."""

from __future__ import annotations

import ctypes
import os
import shutil
import subprocess
import sys
import tempfile


def compiled(source: str) -> ctypes.CDLL | None:
    """The functions of a C source, or None (and a message) where there is no gcc."""
    if shutil.which("gcc") is None:
        print("(there is no gcc: C is left out)", file=sys.stderr)
        return None
    with tempfile.TemporaryDirectory(prefix="agir-benchmarks-") as folder:
        library = os.path.join(folder, "loops.so")
        subprocess.run(
            ["gcc", "-O2", "-shared", "-fPIC", "-xc", "-", "-o", library],
            input=source,
            text=True,
            check=True,
        )
        return ctypes.CDLL(library)
