"""How many threads compiled loops run on.

Those of a team of agir's own (`calling/team.py`): it needs no library, and a loop never waits for a
thread that is still to wake up, as it does at the end of a parallel region of OpenMP's.  How many
there are is said as it is for OpenMP.  After a fork the child has none of them, and goes on with one.
"""

from __future__ import annotations

import ctypes
import math
import os
import signal
import sys
from functools import cache

from agir.config import config

RUN = "agir_run_iterations"
"""The function that compiled code calls to have a loop's iterations run."""
_PATIENCE = {"passive": 0, "active": 10**9}
"""How long threads look for work before they sleep, in nanoseconds, by ``OMP_WAIT_POLICY``."""
_PATIENCE_ELSE = 200_000
_QUOTA = "/sys/fs/cgroup/cpu.max"
"""Where Linux says how much time of processors a container has: of how many microseconds how many."""


def are_wanted() -> bool:
    """Whether loops are compiled for several threads."""
    return (limit() or usual()) > 1 and is_possible()


@cache
def is_possible() -> bool:
    """Whether the system has what the team is made of."""
    return hasattr(signal, "pthread_sigmask") and hasattr(ctypes.CDLL(None), "sched_yield")


def limit() -> int:
    """The most threads that compiled code may use; 0 for the usual number."""
    return config.num_threads


def usual() -> int:
    """What ``OMP_NUM_THREADS`` says, else one for each core that the process may use."""
    said = os.environ.get("OMP_NUM_THREADS", "").partition(",")[0].strip()
    return int(said) if said.isdecimal() and int(said) > 0 else _cores()


def patience() -> int:
    """How long threads look for work before they sleep, in nanoseconds."""
    return _PATIENCE.get(os.environ.get("OMP_WAIT_POLICY", "").strip().lower(), _PATIENCE_ELSE)


@cache
def _cores() -> int:
    has = getattr(os, "sched_getaffinity", None)
    present = len(has(0)) if has else os.cpu_count() or 1
    return min(present, _quota())


def _quota() -> int:
    """The processors whose time the process's container has."""
    try:
        with open(_QUOTA) as file:
            time, period = file.read().split()
        return math.ceil(int(time) / int(period))
    except (OSError, ValueError):  # there is none, or it is "max"
        return sys.maxsize
