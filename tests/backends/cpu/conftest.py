"""How the tests of the CPU back end run programs that they hold as text."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

from agir.backends.cpu.engine import Executable
from agir.backends.stages import Compilation
from agir.config import config

Run = Callable[..., list[Any]]


@pytest.fixture(scope="session")
def run() -> Run:
    """Compile the function ``f`` of an hlo text and call it once."""

    def run(text: str, *arguments: Any, results: Any = None) -> list[Any]:
        return compiled(text, results)(arguments)

    return run


@pytest.fixture(scope="session")
def build() -> Callable[..., Executable]:
    """Compile the function ``f`` of an hlo text."""
    return compiled


@pytest.fixture(scope="session")
def lower() -> Callable[[str, str], str]:
    """The text of a stage made from an hlo text, for one thread: its loops are where they were."""

    def lower(text: str, stage: str) -> str:
        with config.scope(num_threads=1):
            return str(Compilation.from_text(text, "hlo").text(stage))

    return lower


def compiled(text: str, results: Any = None) -> Executable:
    dtypes = None if results is None else [np.dtype(kind) for kind in results]
    return Executable(Compilation.from_text(text, "hlo"), "f", dtypes)
