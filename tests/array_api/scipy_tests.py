"""A plugin of pytest that gives ``agir.numpy`` to SciPy's own tests as their array namespace.

SciPy's tests of the functions that take arrays of any namespace get it from the fixture ``xp`` of
SciPy's ``conftest.py``, which knows some namespaces and no others.  This plugin gives the fixture other
parameters when that file is loaded; nothing of SciPy's is changed on disk.  ``AGIR_SCIPY`` says which::

    PYTHONPATH=tests/array_api SCIPY_ARRAY_API=1 AGIR_SCIPY=agir.numpy \\
        python -m pytest -p scipy_tests -m array_api_backends --pyargs scipy.special

``array_api_strict`` is for comparison.
"""

from __future__ import annotations

import importlib
import os
from types import ModuleType

import pytest

NAMESPACE = os.environ.get("AGIR_SCIPY", "agir.numpy")


@pytest.hookimpl(tryfirst=True)
def pytest_plugin_registered(plugin: object) -> None:
    """Before pytest looks for fixtures in SciPy's ``conftest.py``."""
    if not isinstance(plugin, ModuleType) or not hasattr(plugin, "xp_available_backends"):
        return
    plugin.xp_known_backends.add(NAMESPACE)
    fixture = plugin.xp.__wrapped__
    marked = pytest.mark.array_api_backends
    params = [pytest.param(_namespace(), id=NAMESPACE, marks=marked)]
    plugin.xp = pytest.fixture(params=params)(fixture)


def _namespace() -> ModuleType:
    return importlib.import_module(NAMESPACE)
