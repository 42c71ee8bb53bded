"""What a command line is about, and what that makes the compiler do."""

from __future__ import annotations

import re
import sys
from argparse import Namespace
from dataclasses import dataclass
from pathlib import Path
from types import ModuleType

from agir.backends.stages import LOWEST, STAGES, Stage, leads_to
from agir.backends.stages import find as find_stage
from agir.tools import loading
from agir.tools.diagnosis import UsageError
from agir.tools.jobs import Job
from agir.tools.options import stage_name
from agir.tools.outputs import DRAWINGS

_FUNCTION = re.compile(r"[^\W\d]\w*(?:\.[^\W\d]\w*)*")
_NUMBERED = re.compile(r"\d+\.(\w+)\.")
_FOUND_LIMIT = 40


@dataclass(frozen=True)
class Target:
    """A function in a file or module; or, where there is none, the file of a stage."""

    name: str
    function: str | None = None
    stage: str = "hlo"

    def load(self) -> ModuleType:
        """Import the file or module."""
        path = Path(self.name)
        return loading.load_file(path) if path.is_file() else loading.load_module(self.name)

    def read(self) -> bytes:
        """The text or bytecode of the stage."""
        if self.name == "-":
            return sys.stdin.buffer.read()
        return _read(Path(self.name))

    @property
    def origin(self) -> str:
        """The stage that making others begins with."""
        row = find_stage(self.stage)
        return row.name if row.is_module or row.source is None else row.source


def find(program: str, function: str | None, from_stage: str | None) -> Target:
    """The target that the command line names, or `UsageError` with advice."""
    name, colon, after = program.rpartition(":")
    if colon and _FUNCTION.fullmatch(after) and not Path(program).exists():
        return _python(name, after, from_stage)
    if program.endswith((".py", ".ipynb")) or _is_module(program):
        if function is not None:
            return _python(program, function, from_stage)
        raise UsageError(_advice(program))
    if from_stage is None and not program.endswith((".mlir", ".mlirbc")) and program != "-":
        _refuse(program)
    return Target(program, None, _stage_of(program, from_stage))


def _python(name: str, function: str, from_stage: str | None) -> Target:
    if from_stage is not None:
        raise UsageError("--from-stage is for MLIR files; a Python function begins with hlo")
    path = Path(name)
    if path.suffix in (".mlir", ".mlirbc"):
        raise UsageError(f"for an MLIR file write {name} --function {function}")
    if path.suffix == ".py" or "/" in name:
        _read(path)
    return Target(name, function)


def _is_module(name: str) -> bool:
    return bool(_FUNCTION.fullmatch(name)) and not Path(name).exists() and "." not in name[-6:]


def _refuse(program: str) -> None:
    path = Path(program)
    if path.exists() or path.suffix:
        _read(path)
        raise UsageError(f"{program}: --from-stage NAME says which stage it holds: {_known()}")
    raise UsageError(f"{program!r} is no file; write FILE.py:FUNCTION or FILE.mlir")


def _stage_of(program: str, from_stage: str | None) -> str:
    """The stage that a file holds: as given, or as a name like ``03.optimized_hlo.mlir`` has it."""
    if from_stage is not None:
        row = find_stage(stage_name(from_stage))
    else:
        named = _NUMBERED.match(Path(program).name)
        row = find_stage(named[1] if named and named[1] in STAGES else "hlo")
    if _goes_on(row) or row.extension == ".mlirbc":
        return row.name
    raise UsageError(f"compiling cannot go on from {row.name!r}, only from {_known()}")


def _goes_on(row: Stage) -> bool:
    """Whether a stage can be read back, and there is something to make of it."""
    used = any(each.source == row.name for each in STAGES.values())
    return row.is_module and (used or STAGES.origin(row.name) is not None)


def _known() -> str:
    return ", ".join(row.name for row in STAGES.values() if _goes_on(row))


def _read(path: Path) -> bytes:
    try:
        return path.read_bytes()
    except OSError as error:
        raise UsageError(f"cannot read {path}: {error.strerror}") from None


def _advice(program: str) -> str:
    """What to write instead of a Python file or module alone."""
    path = Path(program) if program.endswith(".py") else loading.source_of(program)
    if path is None:
        raise UsageError(f"there is no file and no module {program!r}")
    _read(path)
    try:
        functions = loading.listing(path)
    except (SyntaxError, ValueError) as error:
        raise UsageError(f"{program} is not Python: {error}") from None
    if not functions:
        return f"{program} defines no functions; name one as FILE.py:FUNCTION"
    lines = [f"  {program}:{each}" for each in functions[:_FOUND_LIMIT]]
    return "\n".join([f"which function of {program}? It has", *lines])


def plan(target: Target, options: Namespace) -> tuple[tuple[str, ...], Job]:
    """The stages to be shown, and everything that has to be made."""
    if options.alone:
        return _alone(target, options)
    if options.split_input_file:
        raise UsageError("--split-input-file goes with --pass; all else is about one module")
    shown = list(dict.fromkeys(map(stage_name, options.stage)))
    others = ("passes", "timing", "run", "dot", "cfg", "explain", "html", "validate", "prove")
    other = any(getattr(options, each) for each in others)
    every = options.all or bool(options.to and not shown and not options.passes)
    if every:
        shown = [name for name in STAGES if _reachable(target, name)]
    elif not shown and not other:
        shown = ["hlo" if target.function else target.stage]
    if options.histogram and not options.stage:
        shown = [
            name for name, row in STAGES.items() if row.is_module and _leads_down(target, name)
        ]
    drawn = [stage for option, stage in DRAWINGS.items() if getattr(options, option)]
    wanted = [*shown, *drawn]
    for name in wanted:
        if not _reachable(target, name):
            raise UsageError(f"{name!r} cannot be made from {target.stage!r}")
    through = () if shown else ("asm",) if options.timing else ("llvm",) if options.passes else ()
    job = Job(
        stages=tuple(dict.fromkeys(wanted)),
        every=every,
        through=through,
        passes=options.passes,
        timing=options.timing,
        locations=options.locations,
        gradient=options.gradient,
        elide=options.elide,
        run=options.run,
        explain=options.explain,
        html=bool(options.html),
        validate=options.validate,
        prove=options.prove,
        function=options.function,
        arguments=options.args,
    )
    return tuple(shown), job


def _alone(target: Target, options: Namespace) -> tuple[tuple[str, ...], Job]:
    """Passes by themselves."""
    if target.function is not None:
        raise UsageError("--pass takes an MLIR file; --passes shows each pass of a function")
    others = (
        *("stage", "all", "passes", "timing", "gradient"),
        *("explain", "validate", "prove", "run", "dot", "cfg", "html", "histogram"),
    )
    if given := [f"--{name}" for name in others if getattr(options, name)]:
        raise UsageError(
            f"--pass shows what the pass makes, and nothing else: leave {given[0]} out"
        )
    return (target.stage,), Job(alone=tuple(options.alone), split=options.split_input_file)


def _leads_down(target: Target, name: str) -> bool:
    """Whether a stage is between the first one and machine code."""
    return _reachable(target, name) and leads_to(name, LOWEST)


def is_module(name: str) -> bool:
    """Whether a stage is one in MLIR."""
    return find_stage(stage_name(name)).is_module


def _reachable(target: Target, name: str) -> bool:
    if name == "autograph":
        return target.function is not None
    return leads_to(target.origin, name)
