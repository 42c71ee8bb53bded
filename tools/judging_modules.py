"""What is wrong with a module: passes that change what it gives, that fail, or end the process.

A request has the ``source``, its ``stage`` or, where that is no stage any more, passes to run
``alone``, and the ``function`` and ``arguments`` of a call.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from agir.backends import validation
from agir.backends.cpu.passes.analysis.functions import is_public
from agir.backends.cpu.single_passes import named, transform
from agir.backends.mlir.added import registered
from agir.backends.mlir.lock import compiling
from agir.backends.mlir.modules import symbols
from agir.backends.mlir.passes import announced
from agir.backends.reference import Interpreter
from agir.backends.reference.core.types import ValueType
from agir.backends.stages import Compilation
from agir.errors import AgirError
from agir.ir.building import bindings
from agir.ir.building.attributes import SIGNATURE
from agir.tools import arguments
from agir.tools.diagnosis import UsageError
from agir.tools.verdicts import FINE, Tell, in_pass, told

_OPEN = 4
"""The size of what has none, in arguments that are made up."""


def verdict(request: dict[str, Any], tell: Tell = lambda doing: None) -> str:
    """What is wrong with the module of a request; ``tell`` gets the passes as they begin."""
    begun = [""]

    def begins(stage: str, name: str) -> None:
        begun.append(in_pass(stage, name) or begun[-1])
        tell(in_pass(stage, name))

    with announced(begins):
        try:
            found = _validated(request)
            if found is None or not (found.checked or found.finding):
                _compiled(request)
        except AgirError as error:
            where = begun[-1] or "the module itself"
            return f"{where}, raises {type(error).__name__}"
    return FINE if found is None or found.finding is None else told(found.finding)


def _compiled(request: dict[str, Any]) -> None:
    """Run the passes, for what cannot be interpreted."""
    if request["alone"]:
        transform(request["source"], [named(name) for name in request["alone"]])
    else:
        _program(request).get("llvm")


def _program(request: dict[str, Any]) -> Compilation:
    return Compilation.from_text(request["source"], request["stage"], passes=registered())


def _validated(request: dict[str, Any]) -> validation.Validation | None:
    """What validation says; None where there is no function to call."""
    if request["alone"]:
        return _steps_validated(request)
    program, stage = _program(request), request["stage"]
    name = _function(program.get(stage), request["function"])
    if name is None:
        return None
    values = made_up(program.get(stage), name, request["arguments"])
    return validation.validate(program, name, values, origin=stage)


def _steps_validated(request: dict[str, Any]) -> validation.Validation | None:
    with compiling, bindings.context(), bindings.ir.Location.unknown():
        module = bindings.ir.Module.parse(request["source"])
        name = _function(module, request["function"])
        if name is None:
            return None
        values = made_up(module, name, request["arguments"])
        steps = [named(each) for each in request["alone"]]
        return validation.validate_steps(module, steps, name, values)


def _function(module: Any, name: str | None) -> str | None:
    """The function that is called: the one of the name, or the only public one."""
    found = symbols(module)
    if name is not None:
        return name if name in found else None
    public = [
        each
        for each, operation in found.items()
        if SIGNATURE in operation.attributes
        or (operation.name == "func.func" and is_public(operation) and operation.regions[0].blocks)
    ]
    return public[0] if len(public) == 1 else None


def made_up(module: Any, name: str, text: str) -> list[Any]:
    """The arguments of a call: those that are given, and ones."""
    inputs = Interpreter(module).function(name).inputs
    given: Sequence[Any] = arguments.parse(text).with_values().args
    if given and len(given) != len(inputs):
        raise UsageError(f"--args: {name} takes {len(inputs)} arguments, and not {len(given)}")
    return [_value(kind, given[n] if given else 1) for n, kind in enumerate(inputs)]


def _value(kind: ValueType, value: Any) -> Any:
    made = np.asarray(value, kind.dtype)
    if not (kind.is_tensor or kind.is_memref):
        return made[()]
    return made if made.ndim else np.full(kind.fill((_OPEN,) * len(kind.shape or ())), made)
