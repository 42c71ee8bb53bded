"""Numba's ``config``: what programs read of it, and ``DISABLE_JIT``, which is heeded."""

from __future__ import annotations

import os
from types import ModuleType

from agir.config import config as _config


class _Configuration(ModuleType):
    """The settings, under Numba's names: a module, as Numba has it."""

    THREADING_LAYER = "default"
    THREADING_LAYER_PRIORITY = ("tbb", "omp", "workqueue")
    BOUNDSCHECK = 1
    CACHE_DIR = ""
    DEBUG = 0

    def __init__(self) -> None:
        super().__init__("agir.numba.core.config")
        self.DISABLE_JIT = int(os.environ.get("NUMBA_DISABLE_JIT", "0") or 0)
        """Whether ``jit`` leaves functions as they are."""

    @property
    def NUMBA_NUM_THREADS(self) -> int:  # noqa: N802 - Numba's name
        """How many threads there are at most."""
        return _config.num_threads

    NUMBA_DEFAULT_NUM_THREADS = NUMBA_NUM_THREADS


config = _Configuration()
