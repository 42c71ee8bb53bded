"""What is installed is what is in the tree, and nothing of the machine is in either."""

from __future__ import annotations

import os
import re
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

MADE_BY_TOOLS = {"__pycache__", "build", "dist", "out"}


def files(root: Path) -> Iterator[Path]:
    """Every file that is, or could be, committed."""
    for folder, subfolders, names in os.walk(root):
        subfolders[:] = sorted(
            name
            for name in subfolders
            if name not in MADE_BY_TOOLS
            and not name.endswith(".egg-info")
            and (not name.startswith(".") or name in (".ci", ".github"))
        )
        yield from (Path(folder) / name for name in sorted(names) if name != ".git")


def test_every_package_of_the_tree_is_listed(
    root: Path, pyproject: dict[str, Any], package_folders: dict[str, Path]
) -> None:
    layers = [path.parent for path in root.glob("*/__init__.py")]
    found = set()
    for layer in layers:
        for path in files(layer):
            if path.suffix == ".py":
                parts = path.parent.relative_to(root).parts
                found.add(".".join(parts if parts[0] == "agir" else ("agir", *parts)))
    listed = pyproject["tool"]["setuptools"]["packages"]
    assert sorted(found) == listed, "[tool.setuptools] packages differs from the tree"
    assert listed == list(package_folders), "packages and package-dir of pyproject.toml differ"


def test_every_package_lies_where_the_mapping_says(
    root: Path, package_folders: dict[str, Path]
) -> None:
    for name, folder in package_folders.items():
        assert (folder / "__init__.py").is_file(), name
        parts = name.split(".")
        inside = (root / "agir").joinpath(*parts[1:])  # a package of the front door itself
        assert folder in (inside, root.joinpath(*parts[1:]))


SHIPPED = (".py", ".css", ".html", ".js")


def test_a_wheel_holds_every_module(root: Path, tmp_path: Path) -> None:
    pytest.importorskip("setuptools", minversion="77", reason="needs the setuptools of the build")
    arguments = ["egg_info", "-e", str(tmp_path), "build_py", "-d", str(tmp_path / "lib")]
    program = f"from setuptools import setup; setup(script_args=['-q', *{arguments!r}])"
    subprocess.run([sys.executable, "-c", program], cwd=root, check=True, timeout=120)
    built = {path.relative_to(tmp_path / "lib") for path in (tmp_path / "lib").rglob("*.*")}
    expected = {Path("agir/py.typed")}
    for layer in (path.parent for path in root.glob("*/__init__.py")):
        inside = Path("agir", "" if layer.name == "agir" else layer.name)
        expected |= {inside / p.relative_to(layer) for p in files(layer) if p.suffix in SHIPPED}
    assert built == expected


def test_only_agir_can_be_imported(root: Path, tmp_path: Path) -> None:
    """An editable installation must not put this folder on the path, with its `ir`, `tools`..."""
    program = "import sys; print(*(p for p in sys.path if p), sep='\\n')"
    done = subprocess.run(
        [sys.executable, "-I", "-c", program], cwd=tmp_path, capture_output=True, text=True
    )
    assert root not in [Path(line).resolve() for line in done.stdout.splitlines()]


# Paths that exist on one machine only, and the package indexes it is given.
LOCAL = re.compile(
    r"(?<![\w.~>})-])/(?:work|root|Users|opt/wheels|home/\w+)/"
    r"|(?:extra-)?index-url|find-links|trusted-host"
    r"|https?://(?:localhost|127\.|10\.|192\.168\.)"
)
TEMPORARY = re.compile(r"(?<![\w.~>})-])/(?:var/)?tmp/")


@pytest.mark.parametrize(
    ("text", "local"),
    [
        ("see /work/" + "main/x.py", True),
        ('"/home/' + 'somebody/agir"', True),
        ("pip install --index-" + "url https://x/simple agir", True),
        ("the framework/library, ~/work/agir and https://a.org/work/x", False),
    ],
)
def test_what_counts_as_a_path_of_a_machine(text: str, local: bool) -> None:
    assert bool(LOCAL.search(text)) is local


def test_no_file_holds_a_path_of_a_machine(root: Path) -> None:
    found = []
    for path in files(root):
        if path.suffix in (".png", ".pyc", ".mlirbc") or path == Path(__file__).resolve():
            continue
        patterns = [LOCAL, TEMPORARY] if path.suffix == ".md" else [LOCAL]
        for number, line in enumerate(path.read_text(errors="replace").splitlines(), 1):
            if any(pattern.search(line) for pattern in patterns):
                found.append(f"{path.relative_to(root)}:{number}: {line.strip()}")
    assert not found, "\n".join(found)
