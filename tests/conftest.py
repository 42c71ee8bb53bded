"""What every test shares: hypothesis profiles, a cache folder, and where the packages lie."""

from __future__ import annotations

import gc
import os
import shutil
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import hypothesis
import pytest

from . import sampling

if sys.version_info >= (3, 11):
    import tomllib
else:
    import tomli as tomllib

ROOT = Path(__file__).resolve().parents[1]
RECORDING = (
    "ir/control_flow",
    "ir/gradients",
    "ir/python",
    "ir/tracing",
    "ir/values",
    "language",
    "numpy",
    "runtime",
)
"""Rooms of what programs mean, whatever machine code they become."""

# "ci" finds the same examples on every run and every machine; HYPOTHESIS_PROFILE=explore looks
# for new ones, and for longer.
hypothesis.settings.register_profile(
    "ci", derandomize=True, database=None, deadline=None, print_blob=True
)
hypothesis.settings.register_profile("explore", max_examples=2000, deadline=None, print_blob=True)
hypothesis.settings.load_profile(os.environ.get("HYPOTHESIS_PROFILE", "ci"))


def pytest_addoption(parser: pytest.Parser) -> None:
    """``--all-cases``: what `make test-all` gives."""
    parser.addoption(
        "--all-cases", action="store_true", help="every case of the tests that take long, too"
    )


@pytest.hookimpl(trylast=True)
def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    """The smoke test runs first; of tests with many cases that take long there is a sample."""
    if not config.getoption("all_cases"):
        several = [item for item in items if item.get_closest_marker("every_case") is None]
        left_out = set(sampling.left_out([item.nodeid for item in several]))
        config.hook.pytest_deselected(items=[i for i in items if i.nodeid in left_out])
        items[:] = [item for item in items if item.nodeid not in left_out]
    items.sort(key=lambda item: item.path.name != "test_tiny.py")


@pytest.fixture(scope="session", autouse=True)
def _own_cache_folder(tmp_path_factory: pytest.TempPathFactory) -> Iterator[None]:
    """Keep the tests out of the user's caches, which may also be read-only."""
    with pytest.MonkeyPatch.context() as patch:
        folder = tmp_path_factory.mktemp("cache")
        patch.setenv("XDG_CACHE_HOME", str(folder))
        patch.delenv("AGIR_CACHE_DIR", raising=False)
        if os.environ.get("PYTHONDONTWRITEBYTECODE"):
            # the processes that tests start need not each compile the whole package for that
            patch.delenv("PYTHONDONTWRITEBYTECODE")
            patch.setenv("PYTHONPYCACHEPREFIX", str(folder / "bytecode"))
        yield
        shutil.rmtree(folder)


@pytest.fixture(scope="session", autouse=True)
def _mistakes_are_told() -> Iterator[None]:
    """Tracing again conceals no mistake of agir's own."""
    from agir.ir.tensors import mistakes

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(mistakes, "are_told", True)
        yield


@pytest.fixture(scope="module", autouse=True)
def _own_garbage() -> Iterator[None]:
    """Have garbage collected among what the tests of a file made, not in all there was before.

    What lives on by then, such as compiled functions of other files, is looked through no more.
    """
    gc.freeze()
    yield
    gc.collect()


@pytest.fixture(scope="module", autouse=True)
def _quickly_compiled(request: pytest.FixtureRequest) -> Iterator[None]:
    """What is recorded is compiled without LLVM's optimizer, which is not what these rooms test.

    It takes a sixth of the time of such tests; with ``--all-cases`` it is there.
    """
    from agir.config import config

    folder = request.path.relative_to(ROOT / "tests")
    is_quick = any(folder.is_relative_to(room) for room in RECORDING)
    if is_quick and not request.config.getoption("all_cases"):
        with config.scope(opt_level=0):
            yield
    else:
        yield


@pytest.fixture(scope="session")
def root() -> Path:
    """The folder that pyproject.toml lies in."""
    return ROOT


@pytest.fixture(scope="session")
def pyproject(root: Path) -> dict[str, Any]:
    content: dict[str, Any] = tomllib.loads((root / "pyproject.toml").read_text())
    return content


@pytest.fixture(scope="session")
def package_folders(root: Path, pyproject: dict[str, Any]) -> dict[str, Path]:
    """Folder of every package that is installed, by its dotted name."""
    mapping = pyproject["tool"]["setuptools"]["package-dir"]
    return {name: root / folder for name, folder in mapping.items()}
