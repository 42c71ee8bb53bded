"""The machine that code is generated for: this one, with everything its processor can do."""

from __future__ import annotations

import platform
import re
import sys
from dataclasses import dataclass
from functools import cache
from pathlib import Path


@dataclass(frozen=True)
class Target:
    """A processor and operating system; machine code is good for equal ones only."""

    machine: str
    system: str
    processor: str
    features: frozenset[str]


@cache
def host() -> Target:
    """This machine."""
    information = _processor_information()
    features = re.search(r"^(?:flags|Features)\s*:(.*)$", information, re.MULTILINE)
    model = re.search(r"^(?:model name|CPU part)\s*:(.*)$", information, re.MULTILINE)
    return Target(
        platform.machine(),
        sys.platform,
        model[1].strip() if model else platform.processor(),
        frozenset(features[1].split()) if features else frozenset(),
    )


def _processor_information() -> str:
    try:
        return Path("/proc/cpuinfo").read_text()
    except OSError:
        return ""
