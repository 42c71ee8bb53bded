"""Passes by themselves: found by their names, and run over the text of a module, whatever its stage.

In the middle of a stage a module is often of no stage, so nothing is asked of it but that it can be
read.
"""

from __future__ import annotations

import difflib
from collections.abc import Sequence
from functools import cache
from typing import Any

from agir.backends.cpu.pipelines import PIPELINES
from agir.backends.mlir.added import registered
from agir.backends.mlir.diagnostics import diagnostics
from agir.backends.mlir.lock import compiling
from agir.backends.mlir.modules import print_module
from agir.backends.mlir.passes import Step, pass_name, run, step_of
from agir.errors import LoweringError, StageError
from agir.ir.building import bindings


def named(name: str) -> Step:
    """The pass of that name: one of agir's or of a plugin, or a piece of MLIR's textual pipelines.

    Raises ``ValueError``, with names that are close, where neither has it.
    """
    own = {**own_passes(), **{each.name: each for each in registered()}}
    if name in own:
        return own[name]
    with bindings.context():
        try:
            bindings.passmanager.PassManager.parse(f"builtin.module({name})")
        except ValueError:
            close = difflib.get_close_matches(name, own, n=2)
            advice = f"; did you mean {' or '.join(map(repr, close))}?" if close else ""
            raise ValueError(f"there is no pass {name!r}{advice}") from None
    return name


@cache
def own_passes() -> dict[str, Step]:
    """The passes of agir's own, by their names, in the order in which they run first."""
    steps = [step_of(item) for pipeline, _ in PIPELINES.values() for item in pipeline]
    return {pass_name(step): step for step in steps if not isinstance(step, str)}


def transform(content: str | bytes, steps: Sequence[Step]) -> str:
    """The text of a module after the passes; it is verified when it is read, and after each of them.

    Raises `StageError` where it cannot be read, `LoweringError` where a pass fails.
    """
    with compiling, bindings.context(), bindings.ir.Location.unknown():
        try:
            module = bindings.ir.Module.parse(content)
        except bindings.ir.MLIRError as error:
            raise StageError(f"the text of the module: {diagnostics(error)}") from None
        for step in steps:
            run(module, pass_name(step), [step], None)
            _verify(module, f"after the pass {pass_name(step)!r}")
        return print_module(module)


def _verify(module: Any, when: str) -> None:
    try:
        module.operation.verify()
    except bindings.ir.MLIRError as error:
        raise LoweringError(f"{when}: {diagnostics(error)}") from None
