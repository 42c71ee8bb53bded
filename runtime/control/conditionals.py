"""``cond``, ``case`` and ``switch_case``: which of several functions is called.

A condition that has a value decides at once; one that exists at run time is recorded, as an ``if``
statement of a converted function is.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any

import numpy as np

from agir.autograph import operators
from agir.errors import InvalidArgumentError
from agir.ir import control_flow
from agir.ir.building.types import is_python_number
from agir.ir.tensors import dispatch
from agir.ir.tensors.tensor import Tensor
from agir.ir.tracing import trace
from agir.runtime.control.agreement import apply, check_callable, check_results, explained, settled

Branch = tuple[str, Any, Callable[[], Any]]
"""What an error message calls a branch, when it is taken, and what it calls."""


def cond(pred: Any, true_fn: Any = None, false_fn: Any = None, name: str | None = None) -> Any:
    """``true_fn()`` where ``pred`` is true, else ``false_fn()``: only one of the two runs.

    Both give results of one structure, with tensors of the same dtypes.  A Python bool or a tensor
    that has its value chooses at once.

    >>> ag.cond(ag.constant(True), lambda: ag.constant(1), lambda: ag.constant(2)).numpy()
    np.int32(1)

    Shapes: pred [] -> as the functions give
    Dtypes: bool, int, uint, float, complex -> int32
    Raises: OperandTypeError or OperandValueError where the results differ in structure, dtype
        or rank
    """
    check_callable("cond", true_fn=true_fn, false_fn=false_fn)
    pred = _predicate("cond", "pred", pred)
    return _choose("cond()", [("true_fn", pred, true_fn), ("false_fn", True, false_fn)])


def case(
    pred_fn_pairs: Any,
    default: Any = None,
    exclusive: bool = False,
    strict: bool = False,
    name: str | None = None,
) -> Any:
    """The function of the first pair whose condition is true, or ``default``.

    Where none is true and there is no default, and with ``exclusive`` where several are, that is an
    ``InvalidArgumentError``.

    >>> ag.case([(ag.constant(False), lambda: ag.constant(1))], default=lambda: ag.constant(2)).numpy()
    np.int32(2)

    Shapes: conditions [] -> as the functions give
    Raises: InvalidArgumentError where no condition is true and there is no default
    """
    branches = _pairs(pred_fn_pairs, may_be_empty=default is not None)
    if default is not None:
        check_callable("case", default=default)
    if exclusive and branches:
        _check_exclusive([pred for _, pred, _ in branches])
    last = default or _failing("case(): none of the conditions is true, and there is no default")
    return _choose("case()", [*branches, ("default", True, last)])


def switch_case(
    branch_index: Any, branch_fns: Any, default: Any = None, name: str | None = None
) -> Any:
    """The function number ``branch_index``, an integer scalar.

    ``branch_fns`` are functions, or pairs of a number and a function, or a dict of those.  For any
    other index it is ``default``; where that is None, the function of the greatest number.

    >>> ag.switch_case(ag.constant(1), [lambda: ag.constant(10), lambda: ag.constant(20)]).numpy()
    np.int32(20)

    Shapes: branch_index [] -> as the functions give
    Dtypes: int, uint -> int32
    Raises: OperandTypeError or OperandValueError where the results differ in structure, dtype
        or rank; OperandTypeError for other dtypes
    """
    numbered = _numbered(branch_fns)
    if default is None:
        default = numbered.pop(max(numbered))
    check_callable("switch_case", default=default)
    index = _index(branch_index)
    branches = [(f"branch {n}", _is(index, n), fn) for n, fn in sorted(numbered.items())]
    return _choose("switch_case()", [*branches, ("the default", True, default)])


# What they share.


def _choose(what: str, branches: Sequence[Branch]) -> Any:
    """The result of the first branch whose condition is true; the last one's always is."""
    current = trace.current()
    if current is None:
        return next(fn for _, pred, fn in branches if pred)()
    agreed = _Agreement(what)

    def at(position: int) -> Any:
        name, pred, function = branches[position]
        if operators.find(pred) is None:
            return agreed.result(name, function) if pred else at(position + 1)
        return control_flow.if_exp(
            current, pred, lambda: agreed.result(name, function), lambda: at(position + 1)
        )

    return settled(current, at(0))


class _Agreement:
    """The first result of several functions, which those of the others must be like."""

    def __init__(self, what: str) -> None:
        self._what = what
        self._first: tuple[str, Any] | None = None

    def result(self, name: str, function: Callable[[], Any]) -> Any:
        """What the function gives; an error says how it differs from the first."""
        found = apply(function)
        if self._first is None:
            self._first = (name, found)
        else:
            known, first = self._first
            check_results(self._what, (known, name), first, found)
        return found


def _predicate(function: str, name: str, pred: Any) -> Any:
    """A condition: staged, or as a Python bool."""
    if operators.find(pred) is not None:
        return pred
    if isinstance(pred, (Tensor, np.ndarray)) and np.size(np.asarray(pred)) != 1:
        raise explained(
            ValueError,
            f"{function}(): {name} must be a scalar, not of shape {list(pred.shape)}; use "
            "agir.reduce_any or agir.reduce_all",
        )
    if isinstance(pred, (Tensor, np.ndarray, np.generic)) or is_python_number(pred):
        return bool(pred)
    raise explained(TypeError, f"{function}(): {name} must be a bool scalar, not {pred!r}")


def _pairs(pairs: Any, may_be_empty: bool) -> list[Branch]:
    if isinstance(pairs, Mapping):
        pairs = list(pairs.items())
    if not isinstance(pairs, (list, tuple)) or not (pairs or may_be_empty):
        raise explained(
            TypeError, f"case(): pred_fn_pairs must be a list of pairs, and not empty: {pairs!r}"
        )
    branches: list[Branch] = []
    for position, pair in enumerate(pairs):
        if not isinstance(pair, (list, tuple)) or len(pair) != 2:
            raise explained(
                TypeError, f"case(): item {position} must be a pair (condition, function): {pair!r}"
            )
        check_callable("case", **{f"the function of pair {position}": pair[1]})
        pred = _predicate("case", f"the condition of pair {position}", pair[0])
        branches.append((f"function {position}", pred, pair[1]))
    return branches


def _check_exclusive(preds: Sequence[Any]) -> None:
    """Fail where more than one condition is true."""
    message = "case(): more than one condition is true, with exclusive=True"
    counts = [dispatch.call("cast", dispatch.call("not_equal", p, 0), "int32") for p in preds]
    several = dispatch.call("greater", dispatch.call("sum", dispatch.call("stack", counts)), 1)
    cond(several, _failing(message), lambda: None)


def _failing(message: str) -> Callable[[], Any]:
    """A function that fails: at run time, in a branch of a traced function."""

    def fail() -> Any:
        raise explained(InvalidArgumentError, message)

    return fail


def _numbered(branch_fns: Any) -> dict[int, Any]:
    pairs = list(branch_fns.items()) if isinstance(branch_fns, Mapping) else branch_fns
    if not isinstance(pairs, (list, tuple)) or not pairs:
        raise explained(
            TypeError, f"switch_case(): branch_fns must be functions, and not empty: {pairs!r}"
        )
    if all(map(callable, pairs)):
        pairs = list(enumerate(pairs))
    found: dict[int, Any] = {}
    for pair in pairs:
        is_pair = isinstance(pair, (list, tuple)) and len(pair) == 2 and type(pair[0]) is int
        if not is_pair or not callable(pair[1]):
            raise explained(
                TypeError,
                f"switch_case(): {pair!r} must be a function, or a pair (int, function)",
            )
        if pair[0] in found:
            raise explained(ValueError, f"switch_case(): the number {pair[0]} is there twice")
        found[pair[0]] = pair[1]
    return found


def _index(index: Any) -> Any:
    kind = getattr(index, "dtype", None)
    shape = getattr(index, "shape", ())
    integer = type(index) is int or (kind is not None and np.dtype(str(kind)).kind in "iu")
    if not integer or len(shape):
        raise explained(
            TypeError, f"switch_case(): branch_index must be an integer scalar, not {index!r}"
        )
    return index if operators.find(index) is not None else int(index)


def _is(index: Any, number: int) -> Any:
    return index == number
