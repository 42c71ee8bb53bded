"""docs/tour.md, followed word by word as a new user would: in a fresh checkout, in a file."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from .test_documents import ROOT, Block, blocks, command_environment, commands, normal, pattern

TOUR = ROOT / "docs" / "tour.md"
LEFT = (".*", "build", "dist", "tests", "*.egg-info")
"""What a clone has not, and the tests."""

LAST = "=== what the last line prints"


@pytest.fixture
def clone(tmp_path: Path) -> Path:
    """A copy of the checkout, with the environment that `make .venv/ready` made for this one."""
    if not Path(sys.prefix, "ready").exists():
        pytest.skip("`make` has not set this environment up")
    tree = tmp_path / "clone"
    shutil.copytree(ROOT, tree, ignore=shutil.ignore_patterns(*LEFT))
    (tree / ".venv").symlink_to(sys.prefix)
    return tree


def test_the_tour_is_followed(clone: Path) -> None:
    shell, program, printed = "set -e\n", "", ""
    shown = list(blocks(TOUR.read_text().splitlines()))
    for block in shown:
        if block.language == "python":
            program += block.text
        elif block.remark == "output":
            printed += block.text
        elif block.language == "sh":
            shell += block.text
    (clone / "tour.py").write_text(program)
    where = 'python -c "import agir; print(agir.__file__)"\n'
    assert follow(shell + where, clone) == f"{clone}/agir/__init__.py\n"
    assert normal(follow(shell + "python tour.py\n", clone)) == normal(printed)
    for block in shown:
        if block.language == "console":
            try_commands(block, shell, clone)


def try_commands(block: Block, shell: str, clone: Path) -> None:
    """Run the commands of a block, and compare what they print."""
    for command, shown in commands(block.text):
        found = normal(follow(f"{shell}{command}\n", clone))
        assert re.fullmatch(pattern(shown), found), (
            f"$ {command}\nprints\n{found}\nand not\n{shown}"
        )


def follow(script: str, folder: Path) -> str:
    """What the last line of a script prints, which a shell runs in a folder."""
    environment = {**command_environment(), "PATH": os.environ.get("PATH", os.defpath)}
    *before, last = script.splitlines(keepends=True)
    done = subprocess.run(
        ["bash", "-c", "".join([*before, f"echo {LAST}\n", last])],
        cwd=folder,
        env=environment,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        timeout=120,
    )
    assert done.returncode == 0, done.stdout
    return done.stdout.partition(f"{LAST}\n")[2]
