"""What is asked of the compiler, and how it is carried out, one event for each thing that is done.

An event is a dictionary that JSON can hold, so that a job may run in another process.
"""

from __future__ import annotations

import base64
import re
import time
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, Protocol

import numpy as np

from agir.backends.cpu.explaining.explain import READ
from agir.backends.cpu.explaining.explanation import Explanation
from agir.backends.mlir.passes import PassReport
from agir.backends.proving import Proof
from agir.backends.reporting.making import Maker, kernels
from agir.backends.reporting.model import Part, Pass, packed
from agir.backends.stages import STAGES, Compilation, find, leads_to
from agir.backends.validation import Validation
from agir.errors import UnsupportedOperation
from agir.tools import arguments
from agir.tools.diagnosis import UsageError

_SPLIT = re.compile(rb"^// -----.*\n", re.MULTILINE)
"""What stands between the modules of a file, as MLIR's tools have it."""
Event = dict[str, Any]
Emit = Callable[[Event], None]


@dataclass(frozen=True)
class Job:
    """What is asked for: stages to show, the passes on the way, a run.

    ``through`` are stages to be made and not shown; ``passes`` is whether the text after each pass
    is wanted: ``always``, if it ``changed`` anything, or (empty) not at all.  ``gradient`` is which
    half of the differentiated function is meant in the place of the function, if either.  ``alone`` are
    passes that are run, and nothing else is.  Of ``every`` stage, those are left out that the
    program does not have.
    """

    stages: tuple[str, ...] = ()
    every: bool = False
    through: tuple[str, ...] = ()
    passes: str = ""
    timing: bool = False
    locations: bool = False
    gradient: str = ""
    elide: int | None = None
    run: bool = False
    explain: bool = False
    html: bool = False
    validate: bool = False
    prove: bool = False
    function: str | None = None
    arguments: str = ""
    alone: tuple[str, ...] = ()
    split: bool = False
    """Whether the file holds several modules, of which each is run by itself."""


class Program(Protocol):
    """A program that can be compiled and called."""

    origin: str
    compilation: Compilation

    def differentiate(self, half: str, function: str | None) -> None:
        """Go on with the ``forward`` or ``backward`` half of the function."""

    def source(self) -> str:
        """The converted source."""

    def explain(self, job: Job) -> Explanation:
        """What became of the program."""

    def validate(self, job: Job) -> list[Validation]:
        """Whether each pass keeps what a call gives, of each function that is called."""

    def prove(self, job: Job) -> list[tuple[str, Proof]]:
        """For each stage whether it gives what the one before does, whatever the arguments are."""

    def call(self, job: Job) -> tuple[list[str], dict[str, str]]:
        """What a call gives, and the arguments that it changed, in words."""


def perform(job: Job, program: Program, emit: Emit) -> None:
    """Do what the job asks for, and report it event by event."""
    if job.gradient:
        program.differentiate(job.gradient, job.function)
    maker = _Maker(job, program, emit)
    if job.passes or job.timing:
        program.compilation.observer = maker.observe
    for stage in job.stages:
        try:
            maker.make(stage)
        except UnsupportedOperation:
            if not job.every:
                raise
            continue  # not every program has this stage
        content = maker.text(stage)
        if isinstance(content, bytes):
            emit({"event": "stage", "name": stage, "base64": base64.b64encode(content).decode()})
        else:
            emit({"event": "stage", "name": stage, "text": content})
    for stage in job.through:
        maker.make(stage)
    if job.explain:
        maker.make("llvm")
        emit({"event": "at", "doing": "explaining the compiled function"})
        explanation = program.explain(job)
        emit({"event": "explain", "text": str(explanation), "data": explanation.as_json()})
    if job.html:
        _report(job, program, emit)
    if job.validate:
        emit({"event": "at", "doing": "interpreting the function after each pass"})
        for each in program.validate(job):
            emit({"event": "validated", "text": str(each), **_validated(each)})
    if job.prove:
        emit({"event": "at", "doing": "proving the stages equal"})
        for stage, proof in program.prove(job):
            emit({"event": "proved", **_proved(stage, proof)})
    if job.run:
        maker.make("llvm")
        emit({"event": "at", "doing": "running the compiled function"})
        results, changed = program.call(job)
        emit({"event": "run", "results": results, "changed": changed})


def _report(job: Job, program: Program, emit: Emit) -> None:
    """Emit the parts of a report one by one, so that there is something if the next one fails."""

    def take(part: Part) -> None:
        emit({"event": "report", **packed(part)})
        if isinstance(part, Pass):
            emit({"event": "at", "doing": f"making {part.stage!r}, after the pass {part.name!r}"})

    maker = Maker(program.compilation, take, program.origin)
    for stage in maker.stages:
        emit({"event": "at", "doing": f"making {stage!r}"})
        maker.make(stage)
    if not job.gradient and leads_to(program.origin, READ):
        emit({"event": "at", "doing": "explaining the compiled function"})
        take(kernels(program.explain(job)))


def transform(job: Job, content: bytes, stage: str, emit: Emit) -> None:
    """Run the passes that the job names over a module."""
    from agir.backends.cpu.single_passes import named, transform

    try:
        steps = [named(name) for name in job.alone]
    except ValueError as error:
        raise UsageError(f"--pass: {error}") from None
    emit({"event": "at", "doing": f"running {', '.join(job.alone)}"})
    parts = _SPLIT.split(content) if job.split else [content]
    emit(
        {
            "event": "stage",
            "name": stage,
            "text": "// -----\n".join(transform(part, steps) for part in parts),
        }
    )


class _Maker:
    """Makes the stages one by one, so that what is being done is known when it goes wrong."""

    def __init__(self, job: Job, program: Program, emit: Emit) -> None:
        self._job = job
        self._program = program
        self._emit = emit
        self._made = {program.origin}

    def make(self, stage: str) -> None:
        """Make a stage and, before it, those that it is made from."""
        source = find(stage).source
        if stage in self._made or stage == "autograph":
            return
        if source is not None:
            self.make(source)
        self._emit({"event": "at", "doing": f"making {stage!r}"})
        start = time.perf_counter()
        self._program.compilation.get(stage)
        self._made.add(stage)
        if self._job.timing and not STAGES[stage].is_module:
            self._emit(_passed(stage, "", time.perf_counter() - start))

    def text(self, stage: str) -> str | bytes:
        """A stage as the job wants to see it."""
        if stage == "autograph":
            return self._program.source()
        job = self._job
        self._emit({"event": "at", "doing": f"printing {stage!r}"})
        return self._program.compilation.text(stage, locations=job.locations, elide=job.elide)

    def observe(self, report: PassReport) -> None:
        """Report a pass."""
        job = self._job
        wanted = job.passes == "always" or (job.passes == "changed" and report.changed)
        shown = report.text(locations=job.locations, elide=job.elide) if wanted else None
        self._emit(
            _passed(report.stage, report.name, report.seconds)
            | {
                "operations_before": report.operations[0],
                "operations_after": report.operations[1],
                "changed": report.changed,
                "text": shown,
            }
        )
        doing = f"making {report.stage!r}, after the pass {report.name!r}"
        self._emit({"event": "at", "doing": doing})


def _validated(validation: Validation) -> Event:
    """What was found, as JSON has it."""
    finding = validation.finding
    return {
        "checked": [list(each) for each in validation.checked],
        "left": dict(validation.left),
        "finding": finding
        and {
            "stage": finding.stage,
            "pass": finding.name,
            "difference": finding.difference,
            "before": finding.before,
            "after": finding.after,
        },
    }


def _proved(stage: str, proof: Proof) -> Event:
    return {
        "stage": stage,
        "text": f"{stage}: {proof}",
        "proven": proof.is_proven,
        "counterexample": None if proof.arguments is None else list(map(str, proof.arguments)),
        "reason": proof.reason,
    }


def _passed(stage: str, name: str, seconds: float) -> Event:
    """The event of a pass; one without a name is the making of a stage that has none."""
    return {
        "event": "pass",
        "stage": stage,
        "name": name,
        "seconds": seconds,
        "operations_before": None,
        "operations_after": None,
        "changed": True,
        "text": None,
    }


def in_words(value: Any) -> str:
    """A result for reading."""
    return np.array2string(value, separator=", ") if type(value) is np.ndarray else repr(value)


def changed_arrays(before: list[Any], given: arguments.Arguments) -> dict[str, str]:
    """The arrays among the arguments that are not what they were, by their place in the call."""
    return {
        f"argument {position}": in_words(leaf)
        for position, (old, leaf) in enumerate(zip(before, given.leaves, strict=True))
        if isinstance(leaf, np.ndarray) and leaf.tobytes() != old.tobytes()
    }


def copies(given: arguments.Arguments) -> list[Any]:
    """What the arguments hold before a call."""
    return [leaf.copy() if isinstance(leaf, np.ndarray) else leaf for leaf in given.leaves]
