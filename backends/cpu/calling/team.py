"""The threads that run the iterations of parallel loops: they look for work for a while, then sleep.

To wake a thread takes tens of microseconds, so whoever starts a loop waits for nobody: its
iterations lie in pieces that every thread takes for itself, and who comes late finds none left.
There is one loop at a time; a thread that would start another one meanwhile runs its iterations
itself.  The team is a program of its own, for it is called from compiled code on any thread.

Whether a loop runs on the team is decided here, from its work (picoseconds on one thread): with
threads that are looking for work from `WARM` on, else from `COLD` on, or once loops of less have
come so fast one after the other that waking the threads would have paid: `alone` sums up what
they miss, `is_due` asks whether that is enough.
"""

from __future__ import annotations

import ctypes
import os
import platform
import re
import signal
import time
from collections.abc import Callable
from typing import Any

from agir.backends.cpu.calling import threads
from agir.backends.cpu.calling.team_code import ANYWHERE, APART, CODE
from agir.backends.mlir.passes import run
from agir.ir.building import bindings

WARM = 5_000_000
"""Picoseconds of work from which on threads are worth it that are looking for some."""
COLD = 80_000_000
"""The same for threads that sleep."""
_WAKING = 60_000
"""Nanoseconds that short loops have to miss before threads are woken for them."""
_SHARE = 2_500_000
"""The least work of each thread."""
_PIECE = 1_250_000
"""The least work of a piece."""
_PIECES = 8
"""The most pieces of a thread."""
MOST = 256
"""Threads that a team can have besides the one that starts a loop."""
_PAUSE = {
    "x86_64": '"llvm.x86.sse2.pause"() : () -> ()',
    "aarch64": '"llvm.aarch64.hint"(%hint) : (i32) -> ()',
}
"""What tells a processor that a loop waits."""

_NAMED = {
    "WARM": WARM,
    "COLD": COLD,
    "WAKING": _WAKING,
    "SHARE": _SHARE,
    "PIECE": _PIECE,
    "PIECES": _PIECES,
    "MEMBERS": (MOST + 1) * 16,
    "SLEEPERS": MOST * 32,
    "CLOCK": getattr(time, "CLOCK_MONOTONIC", 1),
}

_ADDRESSES = ("gate", "busy", "workers", "sleepers", "cores", "agir_worker", threads.RUN)
NAME = "agir_team"
_LOWERING = ("convert-scf-to-cf", "convert-to-llvm", "reconcile-unrealized-casts")
_HANDLE, _MUTEX, _CONDITION, _SLEEPER = 16, 64, 128, 256
"""Where a worker's handle, mutex and condition are, and how far it is to the next worker's: bytes."""
_CORES = 128
"""Bytes with a bit for each core."""
_OWN_SIGNALS = ("SIGABRT", "SIGBUS", "SIGFPE", "SIGILL", "SIGSEGV", "SIGTRAP")
"""What tells a thread of its own mistakes."""
packed = ctypes.PYFUNCTYPE(None, ctypes.c_void_p)


def text() -> str:
    """The team's program, which its machine code follows from."""
    return _code() + _telling()


def module() -> Any:
    """The team in the LLVM dialect."""
    ir = bindings.ir
    made = ir.Module.parse(_code())
    run(made, "llvm", _LOWERING, None)
    return ir.Module.parse(str(made).rstrip().removesuffix("}") + _telling() + "}")


def _code() -> str:
    hint = _PAUSE.get(platform.machine())
    found = CODE.replace("PAUSE", f"llvm.call_intrinsic {hint}" if hint else "")
    found = found.replace("KEEP_APART", APART if hasattr(os, "sched_getaffinity") else ANYWHERE)
    for name, value in _NAMED.items():
        found = re.sub(rf"\b{name}(?=\b|x)", str(value), found)
    return found


def _telling() -> str:
    """A function that writes the addresses of what Python needs."""
    lines = [f"llvm.func @{NAME}(%results: !llvm.ptr) {{"]
    for i, name in enumerate(_ADDRESSES):
        lines += [
            f"  %a{i} = llvm.mlir.addressof @{name} : !llvm.ptr",
            f"  %p{i} = llvm.getelementptr %results[{i}] : (!llvm.ptr) -> !llvm.ptr, i64",
            f"  llvm.store %a{i}, %p{i} : !llvm.ptr, !llvm.ptr",
        ]
    return "\n".join([*lines, "  llvm.return", "}\n"])


class Team:
    """The compiled team, of which there is one."""

    def __init__(self, tell: Callable[[int], None], code: Any) -> None:
        """``tell`` is the packed function ``agir_team``, ``code`` what has it in memory."""
        found = (ctypes.c_void_p * len(_ADDRESSES))()
        table = ctypes.c_void_p(ctypes.addressof(found))
        arguments = (ctypes.c_void_p * 1)(ctypes.addressof(table))
        tell(ctypes.addressof(arguments))
        # its threads never end: the code is never taken down
        ctypes.pythonapi.Py_IncRef(ctypes.py_object(code))
        gate, busy, workers, self._sleepers, cores, self._worker, self.run = (
            each or 0 for each in found
        )
        self._cores = (ctypes.c_ubyte * _CORES).from_address(cores)
        words = ctypes.c_int64 * 4
        self._gate, self._busy = words.from_address(gate), words.from_address(busy)
        self._workers = words.from_address(workers)
        self._workers[2] = threads.patience()
        self._forked = False
        if hasattr(os, "register_at_fork"):
            os.register_at_fork(after_in_child=self._forget)

    @property
    def workers(self) -> int:
        """How many threads there are besides those that start loops."""
        return self._workers[0]

    def grow(self, usual: int, most: int) -> None:
        """Have threads for loops that are run by ``most`` of them, or else by ``usual`` ones."""
        if self._forked:
            return
        self._workers[3] = usual
        self._note_cores()
        process = ctypes.CDLL(None)
        while self.workers < min(max(usual, most) - 1, MOST):
            place = self._sleepers + self.workers * _SLEEPER
            process.pthread_mutex_init(ctypes.c_void_p(place + _MUTEX), None)
            process.pthread_cond_init(ctypes.c_void_p(place + _CONDITION), None)
            if not self._started(process):
                return
            self._workers[0] += 1

    def _note_cores(self) -> None:
        """Say on which cores threads may run, where the system says so."""
        has = getattr(os, "sched_getaffinity", None)
        for core in has(0) if has else ():
            if core < 8 * _CORES:
                self._cores[core // 8] |= 1 << core % 8

    def _started(self, process: Any) -> bool:
        """Start a thread, which leaves signals to the others."""
        index = ctypes.c_void_p(self.workers)
        thread = ctypes.c_void_p.from_address(self._sleepers + self.workers * _SLEEPER + _HANDLE)
        others = signal.valid_signals() - {getattr(signal, name) for name in _OWN_SIGNALS}
        before = signal.pthread_sigmask(signal.SIG_BLOCK, others)
        try:
            function = ctypes.c_void_p(self._worker)
            return not process.pthread_create(ctypes.byref(thread), None, function, index)
        finally:
            signal.pthread_sigmask(signal.SIG_SETMASK, before)

    def _forget(self) -> None:
        """In the child after a fork, which has none of the threads."""
        self._forked = True
        for words in (self._gate, self._busy):
            ctypes.memset(words, 0, ctypes.sizeof(words))
        self._workers[0] = self._workers[1] = 0
        self._workers[3] = 1
