"""SciPy's own tests of one module, with ``agir.numpy`` in the place of NumPy."""

from __future__ import annotations

import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

HERE = Path(__file__).resolve().parent


def test_logsumexp(tmp_path: Path) -> None:
    pytest.importorskip("scipy", minversion="1.17")
    module = "scipy.special.tests.test_logsumexp"
    environment = {**os.environ, "SCIPY_ARRAY_API": "1", "AGIR_SCIPY": "agir.numpy"}
    environment["PYTHONPATH"] = os.pathsep.join((str(HERE), *sys.path))
    options = ("-q", "-p", "scipy_tests", "-p", "no:cacheprovider", "-p", "no:warnings")
    found = subprocess.run(
        [sys.executable, "-m", "pytest", *options, "-m", "array_api_backends", "--pyargs", module],
        cwd=tmp_path,
        env=environment,
        capture_output=True,
        text=True,
        timeout=300,
    )
    summary = found.stdout.splitlines()[-1]
    assert found.returncode == 0, found.stdout[-2000:]
    passed = re.search(r"(\d+) passed", summary)
    assert passed is not None
    assert int(passed[1]) > 20
