"""The OpenMP runtime library whose threads compiled loops run on.

Any of them has the entry points of GNU's: its own ``libgomp``, LLVM's ``libomp``, Intel's
``libiomp5`` (``pip install agir[threads]``).  Two of them in one process would each have their own
threads, so one that is loaded already is preferred.  After a fork the child has none of the
threads, and goes on with one.
"""

from __future__ import annotations

import contextlib
import ctypes
import glob
import os
import sys
from collections.abc import Iterator
from functools import cache, partial

from agir.config import config

RUN = "GOMP_parallel"
_NAMES = ("libgomp.so.1", "libomp.so.5", "libomp.so", "libiomp5.so", "libomp.dylib")
_POLICIES = {"OMP_WAIT_POLICY": "passive", "GOMP_SPINCOUNT": "0", "KMP_BLOCKTIME": "0"}
_PACKAGE = "intel-openmp"


def are_wanted() -> bool:
    """Whether loops are compiled for several threads: there is a library, and more than one core."""
    found = library() if limit() != 1 else None
    return found is not None and found.omp_get_max_threads() > 1


def limit() -> int:
    """The most threads that compiled code may use; 0 for what the library says."""
    return config.num_threads


@cache
def library() -> ctypes.CDLL | None:
    """The runtime library, loaded so that compiled code finds it; None where there is none."""
    for path in _candidates():
        with contextlib.suppress(OSError), _waiting_asleep():
            found = ctypes.CDLL(path, mode=ctypes.RTLD_GLOBAL)
            if hasattr(found, RUN) and found.omp_get_max_threads() > 0:
                if limit():  # else the library has read OMP_NUM_THREADS
                    found.omp_set_num_threads(limit())
                if hasattr(os, "register_at_fork"):
                    os.register_at_fork(after_in_child=partial(found.omp_set_num_threads, 1))
                return found
    return None


@contextlib.contextmanager
def _waiting_asleep() -> Iterator[None]:
    """Have threads that wait sleep, unless the user says otherwise.

    Threads that spin are quicker to start, by some ten microseconds; where the cores are busy, or
    limited by a quota, they take from each other the time that they wait for.  The library reads
    this while it is loaded.
    """
    told = not _POLICIES.keys().isdisjoint(os.environ)
    if not told:
        os.environ.update(_POLICIES)
    try:
        yield
    finally:
        for name in () if told else _POLICIES:
            os.environ.pop(name, None)


def _candidates() -> Iterator[str]:
    yield from _loaded()
    yield from _NAMES
    from importlib import metadata

    with contextlib.suppress(metadata.PackageNotFoundError):
        for file in metadata.files(_PACKAGE) or ():
            if file.name.startswith("libiomp5"):
                yield str(file.locate())
    yield from glob.glob(os.path.join(sys.prefix, "lib", "libiomp5*"))


def _loaded() -> Iterator[str]:
    """OpenMP libraries that other packages have brought into the process."""
    try:
        with open("/proc/self/maps") as maps:
            paths = {line.split(maxsplit=5)[-1].strip() for line in maps if "omp" in line}
    except OSError:
        return
    for path in sorted(paths):
        if os.path.basename(path).startswith(("libgomp", "libomp", "libiomp5")):
            yield path
