"""How long ``import`` takes, in processes of their own."""

from __future__ import annotations

import os
import subprocess
import sys
import tempfile
from collections.abc import Callable
from importlib.util import find_spec

from .harness import Contender, Row, measure

LIBRARIES = {"agir": "agir", "NumPy": "numpy", "Numba": "numba", "JAX": "jax"}
FIRST_CALL = "import agir, numpy; agir.jit(lambda x: x + 1)(numpy.ones(3))"


def benchmark(rounds: int) -> list[Row]:
    with tempfile.TemporaryDirectory(prefix="agir-benchmarks-") as folder:
        # Byte code is written here, and is there from the second round on, as after installing.
        environment = {**os.environ, "PYTHONPYCACHEPREFIX": folder, "AGIR_CACHE": "0"}
        environment.pop("PYTHONDONTWRITEBYTECODE", None)

        def running(program: str) -> Callable[[], object]:
            command = [sys.executable, "-c", program]
            return lambda: subprocess.run(command, env=environment, check=True)

        contenders = [
            Contender(name, running(f"import {module}"))
            for name, module in LIBRARIES.items()
            if find_spec(module) is not None
        ]
        contenders.insert(1, Contender("agir, to the result of a first call", running(FIRST_CALL)))
        contenders.append(Contender("nothing: starting Python", running("pass")))
        return measure("import", contenders, rounds, aim=0.2)
