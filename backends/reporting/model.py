"""What a report holds: the stages with their links to the program, the passes, the kernels."""

from __future__ import annotations

import os
from dataclasses import asdict, field
from pathlib import Path
from typing import Any

from agir.records import dataclass
from agir.version import __version__

Place = tuple[str, int, int]
"""A file, a line and a column of the user's program; both count from 1."""


@dataclass
class Stage:
    """A stage as text.  `links` has for each of its lines the places it comes from, in `places`."""

    name: str
    extension: str
    summary: str
    text: str
    places: list[Place] = field(default_factory=list)
    links: list[list[int]] = field(default_factory=list)
    size: int | None = None
    """How many operations or instructions; None of text that has none."""
    seconds: float | None = None
    """What making it took apart from its passes."""


@dataclass
class Pass:
    """A pass, and what it changed: a unified diff, empty where it changed nothing."""

    stage: str
    name: str
    seconds: float
    before: int
    after: int
    changed: bool
    diff: str = ""
    left_out: int = 0
    """Lines of the diff that are not kept."""


@dataclass
class Kernels:
    """An explanation (``f.explain``): its rows as cells, and what it lists below them."""

    title: str
    headings: list[str]
    rows: list[dict[str, Any]]
    sections: list[dict[str, Any]]


@dataclass
class Source:
    """A part of one of the user's files."""

    file: str
    first: int
    text: str


Part = Stage | Pass | Kernels
_PARTS: dict[str, type[Stage | Pass | Kernels]] = {
    each.__name__: each for each in (Stage, Pass, Kernels)
}


@dataclass
class Report:
    """One program on its way from the source to machine code; `page` shows it.

    Of a program that cannot be compiled it holds what there was until then, and the error.
    """

    name: str
    arguments: list[str] = field(default_factory=list)
    stages: list[Stage] = field(default_factory=list)
    passes: list[Pass] = field(default_factory=list)
    kernels: Kernels | None = None
    sources: list[Source] = field(default_factory=list)
    tracing: float | None = None
    """Seconds that tracing took."""
    traces: list[str] = field(default_factory=list)
    """The traces that there were, each with what made it necessary."""
    error: str = ""
    version: str = __version__

    def take(self, part: Part) -> None:
        """Add a part."""
        if isinstance(part, Stage):
            self.stages.append(part)
        elif isinstance(part, Pass):
            self.passes.append(part)
        else:
            self.kernels = part

    @property
    def seconds(self) -> float:
        """What all of it took."""
        stages = (stage.seconds or 0.0 for stage in self.stages)
        return (self.tracing or 0.0) + sum(stages) + sum(each.seconds for each in self.passes)

    def as_json(self) -> dict[str, Any]:
        """The same as data that JSON can hold."""
        return {**asdict(self), "seconds": self.seconds}

    def html(self) -> str:
        """The page: one file that needs nothing else."""
        from agir.backends.reporting import page

        return page.html(self.name, self.as_json())

    def save(self, path: str | os.PathLike[str]) -> None:
        """Write the page to a file."""
        Path(path).write_text(self.html(), encoding="utf-8")

    def _repr_html_(self) -> str:
        """The page inside of a notebook."""
        from agir.backends.reporting import page

        return page.framed(self.html())


def packed(part: Part) -> dict[str, Any]:
    """A part as data that JSON can hold."""
    return {"kind": type(part).__name__, "part": asdict(part)}


def unpacked(data: dict[str, Any]) -> Part:
    """What `packed` gave."""
    return _PARTS[data["kind"]](**data["part"])
