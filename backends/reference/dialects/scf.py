"""Rules of the `scf` dialect."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from agir.backends.reference.core.integers import unsigned
from agir.backends.reference.core.operation import Frame, Operation, Rule
from agir.errors import UndefinedBehaviour

Run = Callable[..., Sequence[Any]]


def _if(operation: Operation) -> Run:
    then, otherwise = operation.body(0), operation.region(1)

    def run(frame: Frame, condition: Any) -> Sequence[Any]:
        if condition:
            return then.run(frame, ())
        return otherwise.run(frame, ()) if otherwise else ()

    return run


def _while(operation: Operation) -> Run:
    before, after = operation.body(0), operation.body(1)

    def run(frame: Frame, *carried: Any) -> Sequence[Any]:
        values: Sequence[Any] = carried
        while True:
            proceed, *values = before.run(frame, values)
            if not proceed:
                return values
            values = after.run(frame, values)

    return run


def _for(operation: Operation) -> Run:
    body = operation.body()
    dtype = operation.operands[0].dtype
    is_unsigned = operation.attribute("unsignedCmp")
    read, write = (unsigned, _wrap(dtype)) if is_unsigned else (_identity, dtype.type)

    def run(frame: Frame, lower: Any, upper: Any, step: Any, *carried: Any) -> Sequence[Any]:
        if step <= 0:
            raise UndefinedBehaviour(f"a step of {step}")
        values: Sequence[Any] = carried
        for index in range(int(read(lower)), int(read(upper)), int(step)):
            values = body.run(frame, (write(index), *values))
        return values

    return run


def _identity(value: Any) -> Any:
    return value


def _wrap(dtype: np.dtype[Any]) -> Callable[[int], Any]:
    return lambda index: np.uint64(index).astype(dtype)


def _execute_region(operation: Operation) -> Run:
    body = operation.body()
    return lambda frame: body.run(frame, ())


def _index_switch(operation: Operation) -> Run:
    cases = operation.attribute("cases")
    default, *blocks = [operation.body(index) for index in range(len(cases) + 1)]
    table = dict(zip(cases, blocks, strict=True))
    return lambda frame, selector: table.get(int(selector), default).run(frame, ())


REGION_OPERATIONS: dict[str, Rule] = {
    "scf.if": _if,
    "scf.while": _while,
    "scf.for": _for,
    "scf.execute_region": _execute_region,
    "scf.index_switch": _index_switch,
}
TERMINATORS = frozenset({"scf.yield", "scf.condition"})
