"""The example packages: installed as users install them, and each one's example run with it."""

from __future__ import annotations

import importlib.util
import os
import shutil
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
PACKAGES = sorted(path.parent for path in (ROOT / "examples" / "plugins").glob("*/pyproject.toml"))
SAYS = {
    "count": "executed: {'arith.addf': 1000, 'arith.mulf': 1000}",
    "egglog": "10 operations become 6",
    "gcc": "gcc agrees: 111",
    "sanitizer": "FloatingPointError: a NaN or an infinity (math.sqrt), at",
    "stochastic": "significant digits, in two",
    "tiling": "the fastest:",
}

INSTALL = """\
import os, sys, zipfile
from setuptools import build_meta

target, *sources = sys.argv[1:]
sys.argv[1:] = []
for source in sources:  # what pip does with each, in one process
    os.chdir(source)
    wheel = build_meta.build_wheel(".")
    zipfile.ZipFile(wheel).extractall(target)
"""
RUN = """\
import runpy, sys
import agir as ag

for program in sys.argv[1:]:
    runpy.run_path(program, run_name="__main__")
print(ag.plugins.describe())
"""


def python(program: str, *arguments: Path, **variables: str) -> str:
    done = subprocess.run(
        [sys.executable, "-c", program, *map(str, arguments)],
        env={**os.environ, **variables},
        capture_output=True,
        text=True,
        timeout=300,
    )
    assert done.returncode == 0, done.stderr
    return done.stdout


def test_the_example_packages(tmp_path: Path) -> None:
    """All of them in one environment: none minds another one."""
    assert [path.name for path in PACKAGES] == sorted(SAYS)
    for folder in PACKAGES:
        texts = [folder / f"agir_{folder.name}.py", folder / "pyproject.toml"]
        assert sum(len(each.read_text().splitlines()) for each in texts) <= 150
    sources, target = tmp_path / "sources", tmp_path / "installed"
    shutil.copytree(ROOT / "examples" / "plugins", sources)
    there = [sources / each.name for each in PACKAGES if each.name != "egglog" or _has_egglog()]
    python(INSTALL, target, *there)
    programs = [each / "example.py" for each in there]
    out = python(RUN, *programs, PYTHONPATH=str(target), AGIR_CACHE="0")
    for folder in there:
        assert SAYS[folder.name] in out
        assert f"plugin    agir-{folder.name}\n" in out


def _has_egglog() -> bool:
    """There is none for Python 3.10."""
    return importlib.util.find_spec("egglog") is not None
