"""The modules of this folder that are no tests: ``traced`` and ``standard``."""

from __future__ import annotations

import importlib.util
from pathlib import Path
from types import ModuleType

import pytest

HERE = Path(__file__).resolve().parent


def load(name: str) -> ModuleType:
    spec = importlib.util.spec_from_file_location(f"array_api_{name}", HERE / f"{name}.py")
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


@pytest.fixture(scope="session")
def traced() -> ModuleType:
    """``agir.numpy`` with every call traced, compiled and run."""
    return load("traced")


@pytest.fixture(scope="session")
def standard() -> ModuleType:
    """The names and parameters of the standard."""
    return load("standard")
