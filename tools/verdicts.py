"""The words for what is wrong with a program or a module: the same for the same mistake."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from agir.backends.validation import Finding

Tell = Callable[[str], None]
"""Is told what is being done."""
DIFFERS = "agir gives something else than Python"
FINE = "nothing"
"""The verdict on a program that does what Python does."""


def in_pass(stage: str, name: str) -> str:
    """A pass, in the words of a verdict; nothing for none."""
    return f"the pass {name!r}, of the stage {stage!r}" if name else ""


def told(finding: Finding) -> str:
    """The verdict on a pass."""
    done = "changes what it gives"
    if finding.error is not None:
        done = f"raises {type(finding.error).__name__}"
    return f"{in_pass(finding.stage, finding.name)}, {done}"
