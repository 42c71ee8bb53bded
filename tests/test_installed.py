"""`import agir` in every way of installing it, from every folder that could be in the way."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
import sysconfig
import zipfile
from pathlib import Path

import pytest

from .import_graph import LAYERS

PROGRAM = """
import agir as ag
import numpy as np


@ag.jit
def halved(x, n):
    while n > 0:
        x[0] /= 2
        n -= 1
    return x.sum()


print(halved(np.array([8.0, 1.0]), 3))
print(ag.__file__)
print(ag.jit.__code__.co_filename)
"""
BUILD = """
import sys
from setuptools import build_meta

print(getattr(build_meta, sys.argv[1])(sys.argv[2]))
"""
BESIDE = ("README.md", "LICENSE", "pyproject.toml", "__init__.py")


@pytest.fixture(scope="module")
def checkout(root: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A checkout that is called as the package is."""
    copy = tmp_path_factory.mktemp("holds") / "agir"
    copy.mkdir()
    for folder in ("agir", *LAYERS):
        shutil.copytree(root / folder, copy / folder)
    for file in BESIDE:
        shutil.copy2(root / file, copy)
    (copy / "tests").mkdir()
    shutil.copy2(root / "tests" / "test_tiny.py", copy / "tests")
    return copy


def environment(checkout: Path, folder: Path, build: str) -> Path:
    """The interpreter of an environment that has agir, built in one way, and what it needs."""
    pytest.importorskip("setuptools", minversion="77", reason="needs the setuptools of the build")
    command = [sys.executable, "-c", BUILD, build, str(folder)]
    built = subprocess.run(command, cwd=checkout, capture_output=True, text=True, timeout=120)
    assert built.returncode == 0, built.stderr
    subprocess.run(
        [sys.executable, "-m", "venv", "--without-pip", str(folder / "env")],
        check=True,
        timeout=120,
    )
    names = {"base": str(folder / "env"), "platbase": str(folder / "env")}
    site = Path(sysconfig.get_path("purelib", "venv", names))
    with zipfile.ZipFile(folder / built.stdout.splitlines()[-1]) as wheel:
        wheel.extractall(site)
    # What agir needs is that of this process; a folder named here is no place for installations, so
    # their hooks do not run.
    needed = {sysconfig.get_path("purelib"), sysconfig.get_path("platlib")}
    (site / "needed.pth").write_text("\n".join(sorted(needed)))
    return Path(sysconfig.get_path("scripts", "venv", names)) / "python"


@pytest.fixture(scope="module")
def installed(checkout: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """An interpreter for which agir is installed."""
    return environment(checkout, tmp_path_factory.mktemp("installed"), "build_wheel")


@pytest.fixture(scope="module")
def editable(checkout: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """An interpreter for which agir is installed as an editable checkout."""
    return environment(checkout, tmp_path_factory.mktemp("editable"), "build_editable")


def output(python: Path, *arguments: str, folder: Path) -> list[str]:
    variables = {n: v for n, v in os.environ.items() if not n.startswith(("PYTHONPATH", "PYTEST_"))}
    done = subprocess.run(
        [str(python), *arguments],
        cwd=folder,
        env=variables,
        capture_output=True,
        text=True,
        timeout=120,
    )
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout.splitlines()


def check(found: list[str], tree: Path) -> None:
    """That the program ran, and that its agir and what that imports are of one tree."""
    result, front, layer = found
    assert result == "2.0"
    assert Path(front) == tree / "agir" / "__init__.py"
    inside = Path("runtime", "decorators.py")
    assert Path(layer) in (tree / inside, tree / "agir" / inside)


@pytest.mark.parametrize("how", ["installed", "editable"])
@pytest.mark.parametrize("where", ["elsewhere", "beside the checkout", "in the checkout"])
@pytest.mark.parametrize("as_file", [True, False])
def test_a_program(
    how: str,
    where: str,
    as_file: bool,
    checkout: Path,
    tmp_path: Path,
    request: pytest.FixtureRequest,
) -> None:
    python = request.getfixturevalue(how)
    folders = {"beside the checkout": checkout.parent, "in the checkout": checkout}
    folder = folders.get(where, tmp_path)
    (folder / "program.py").write_text(PROGRAM)
    found = output(python, *(["program.py"] if as_file else ["-c", PROGRAM]), folder=folder)
    site = next((python.parents[1]).rglob("site-packages"))
    check(found, site if how == "installed" and where == "elsewhere" else checkout)


@pytest.mark.parametrize("how", ["installed", "editable"])
def test_the_tests_by_the_module_pytest(
    how: str, checkout: Path, request: pytest.FixtureRequest
) -> None:
    python = request.getfixturevalue(how)
    arguments = ("-m", "pytest", "-p", "no:cacheprovider", "tests/test_tiny.py")
    assert " passed" in output(python, *arguments, folder=checkout)[-1]


def test_a_checkout_under_another_name_is_not_the_package(checkout: Path, tmp_path: Path) -> None:
    (tmp_path / "other").mkdir()
    shutil.copy2(checkout / "__init__.py", tmp_path / "other")
    program = "import other, sys; print(sorted(vars(other).keys() & {'jit', 'function'}))"
    assert output(Path(sys.executable), "-c", program, folder=tmp_path) == ["[]"]


def test_a_checkout_has_the_names_of_an_installation(
    installed: Path, checkout: Path, tmp_path: Path
) -> None:
    program = "import agir; print(*sorted(name for name in vars(agir) if name[0] != '_'))"
    expected = output(installed, "-c", program, folder=tmp_path)
    for folder in (checkout, checkout.parent):
        assert output(installed, "-c", program, folder=folder) == expected
