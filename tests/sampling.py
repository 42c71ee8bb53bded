"""Which cases of a test with many cases run: as many as fit into a fifth of a second, evenly spread.

    pytest --all-cases --junitxml=report.xml; python tests/sampling.py report.xml

writes anew which tests take long (`durations.json`).  ``pytest --all-cases`` runs every case.
"""

from __future__ import annotations

import json
import sys
from collections import Counter, defaultdict
from collections.abc import Iterator, Sequence
from pathlib import Path
from xml.etree import ElementTree

TABLE = Path(__file__).with_name("durations.json")
"""The seconds that all cases of a test take, of those that take long."""
LONG = 0.2
"""Seconds for all cases of one test."""
FEWEST = 2
"""Cases that run at least, where there are so many and one alone is not very long."""
VERY_LONG = 1.5
"""Seconds of one case."""


def family(nodeid: str) -> str:
    """The test that a case belongs to."""
    return nodeid.partition("[")[0]


def left_out(cases: Sequence[str]) -> Iterator[str]:
    """The cases that are not in the sample."""
    seconds = json.loads(TABLE.read_text())
    of_family: dict[str, list[str]] = defaultdict(list)
    for case in cases:
        of_family[family(case)].append(case)
    for name, members in of_family.items():
        wanted = wanted_of(len(members), seconds.get(name, 0.0))
        first = len(members) // 2 if wanted == 1 else 0  # a lone one is not the simplest
        chosen = {first + number * len(members) // wanted for number in range(wanted)}
        yield from (case for number, case in enumerate(members) if number not in chosen)


def wanted_of(count: int, seconds: float) -> int:
    """How many of the cases run, if all take so long together."""
    if seconds <= LONG or count <= FEWEST:
        return count
    return max(FEWEST if seconds <= count * VERY_LONG else 1, int(count * LONG / seconds))


def durations(report: Path) -> dict[str, float]:
    """The seconds of the tests that take long, from a report in JUnit's format."""
    seconds: Counter[str] = Counter()
    counts: Counter[str] = Counter()
    for case in ElementTree.parse(report).iter("testcase"):
        name = family(f"{case.attrib['classname'].replace('.', '/')}.py::{case.attrib['name']}")
        seconds[name] += float(case.attrib["time"])
        counts[name] += 1
    return {
        name: round(taken, 1)
        for name, taken in sorted(seconds.items())
        if taken > LONG and counts[name] > FEWEST
    }


if __name__ == "__main__":
    TABLE.write_text(json.dumps(durations(Path(sys.argv[1])), indent=1) + "\n")
