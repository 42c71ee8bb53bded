"""Whether two forms of a function give the same for all arguments."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
import z3

from agir.backends.mlir.modules import symbols
from agir.backends.reference import Interpreter
from agir.backends.validation import told_difference
from agir.errors import UndefinedBehaviour, UnsupportedOperation, message
from agir.ir.building.attributes import SIGNATURE

from .proof import Proof
from .symbolic import Execution
from .terms import Terms, same, sort


def prove(before: Any, after: Any, name: str, seconds: float = 10.0) -> Proof:
    """Whether a function of one module, where it is defined, gives what it does in another one.

    First, nothing is taken for known of what floats are; then they are those of IEEE 754.
    """
    try:
        kinds = _inputs(before, name)
        arguments = [z3.Const(f"argument {n}", sort(kind)) for n, kind in enumerate(kinds)]
        for opaque in (True, False):
            terms = Terms(opaque)
            answer, model = _asked(before, after, name, arguments, terms, seconds)
            if answer == z3.unsat:
                return Proof(True)
            if model is not None:
                values = tuple(_value(model, *pair) for pair in zip(arguments, kinds, strict=True))
                if _differ(before, after, name, values):
                    return Proof(False, values)
            if not terms.has_floats:
                break
    except UnsupportedOperation as error:
        return Proof(False, reason=message(error).split(" at loc(")[0])
    if answer == z3.unknown:
        return Proof(False, reason=f"the solver gives up after {seconds:g} s")
    return Proof(
        False, reason="floats are computed otherwise, and no arguments are known that show it"
    )


def _asked(
    before: Any, after: Any, name: str, arguments: Sequence[Any], terms: Terms, seconds: float
) -> tuple[Any, Any]:
    """What the solver says to there being a difference, and where."""
    expected = Execution(before, terms).run(name, arguments)
    given, terms.defined = terms.defined, []
    found = Execution(after, terms).run(name, arguments)
    if len(found) != len(expected):
        raise UnsupportedOperation("another number of results")
    wrong = [z3.Not(same(*pair)) for pair in zip(found, expected, strict=True)]
    wrong += [z3.Not(each) for each in terms.defined]
    solver = z3.Solver()
    solver.set("timeout", int(1000 * seconds))
    solver.add(*given, z3.Or(*wrong))
    answer = solver.check()
    return answer, solver.model() if answer == z3.sat else None


def _inputs(module: Any, name: str) -> list[Any]:
    attributes = symbols(module)[name].attributes
    known = SIGNATURE if SIGNATURE in attributes else "function_type"
    return list(attributes[known].value.inputs)


def _value(model: Any, argument: Any, kind: Any) -> Any:
    """An argument of a model, as NumPy has it."""
    bits = argument if z3.is_bv(argument) else z3.fpToIEEEBV(argument)
    number = model.eval(bits, model_completion=True).as_long()
    size = bits.size()
    if size == 1:
        return np.bool_(number)
    made = np.array([number], f"u{size // 8}")
    if z3.is_bv(argument):
        return made.view(f"i{size // 8}")[0]
    names = {"f16": np.float16, "f32": np.float32, "f64": np.float64}
    if str(kind) not in names:
        raise UnsupportedOperation(f"arguments of type {kind}")
    return made.view(names[str(kind)])[0]


def _differ(before: Any, after: Any, name: str, arguments: Sequence[Any]) -> bool:
    """Whether the interpreter, too, gets something else for these arguments; floats as it compares."""
    try:
        expected = Interpreter(before).call(name, *arguments)
    except UndefinedBehaviour:
        return False
    try:
        found = Interpreter(after).call(name, *arguments)
    except UndefinedBehaviour:
        return True
    pairs = zip(found, expected, strict=True)
    return any(told_difference(n, *pair) for n, pair in enumerate(pairs))
