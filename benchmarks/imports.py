"""How long ``import`` takes, in processes of their own."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Callable
from importlib.util import find_spec

from .harness import FIRST_CALL, Contender, Row, byte_code, measure

LIBRARIES = {"agir": "agir", "NumPy": "numpy", "Numba": "numba", "JAX": "jax"}


def benchmark(rounds: int) -> list[Row]:
    with byte_code() as environment:

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
