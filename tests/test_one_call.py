"""The walk through one call in docs/architecture.md is the way that a call takes."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from itertools import pairwise
from pathlib import Path

from . import one_call

PROGRAM = """
import json
import os
import sys

sys.path.insert(0, {tests!r})
import one_call
import example


space = "import numpy as np, example\\nrun = lambda: example.total(np.arange(4.0))"
print(json.dumps(one_call.entered(space)))
"""


def test_the_links_lead_to_the_functions() -> None:
    walk = one_call.parts()[1]
    assert len(one_call.steps()) > 30
    assert one_call.linked(walk) == walk, "run `make docs`"


def test_a_call_goes_that_way(tmp_path: Path) -> None:
    """In a process of its own, where nothing has been compiled or remembered before."""
    example = one_call.parts()[1].partition("```python\n")[2].partition("```")[0]
    (tmp_path / "example.py").write_text(example)
    program = PROGRAM.format(tests=str(Path(__file__).parent))
    env = os.environ | {"AGIR_CACHE_DIR": str(tmp_path / "cache")}
    done = subprocess.run(
        [sys.executable, "-c", program],
        cwd=tmp_path,
        capture_output=True,
        text=True,
        timeout=300,
        env=env,
    )
    assert done.returncode == 0, done.stderr
    entered = [tuple(step) for step in json.loads(done.stdout)]
    told = [tuple(step) for step in one_call.steps()]
    missing = [step for step in told if step not in entered]
    assert not missing
    order = [entered.index(step) for step in told]
    assert order == sorted(order), [
        (one, two) for one, two in pairwise(told) if entered.index(one) > entered.index(two)
    ]
