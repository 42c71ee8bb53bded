"""``while_loop``: a loop whose variables go through functions."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from agir.autograph.operators import State
from agir.errors import message
from agir.ir import control_flow
from agir.ir.control_flow.checkpoint import keeping
from agir.ir.ops.shapes.refinement import as_shape, stated
from agir.ir.tracing import nest, trace
from agir.ir.tracing.trace import Trace
from agir.runtime.control.agreement import (
    apply,
    as_tensors,
    carried,
    check_callable,
    explained,
    settled,
    type_of,
)

_BODY = ("loop_vars", "the result of body")
_WHEN = ("before the loop", "after the body")


def while_loop(
    cond: Callable[..., Any],
    body: Callable[..., Any],
    loop_vars: Any,
    shape_invariants: Any = None,
    parallel_iterations: int = 10,
    back_prop: bool = True,
    swap_memory: bool = False,
    maximum_iterations: Any = None,
    name: str | None = None,
    *,
    checkpoint: bool | int | str | None = None,
) -> Any:
    """``loop_vars = body(*loop_vars)`` while ``cond(*loop_vars)``; gives the last of them.

    The body gives what it gets: the same structure, and tensors of the same dtypes.  Dimensions may
    change from one iteration to the next; ``shape_invariants`` says which may, and those that it
    gives are checked.  After ``maximum_iterations`` the loop ends.  ``checkpoint`` says how much a
    gradient of the recorded loop keeps, as in ``ag.autograph.set_loop_options``.  The other options
    are TensorFlow's and have no effect.

    >>> ag.while_loop(lambda i: i < 5, lambda i: (i + 2,), [ag.constant(0)])[0].numpy()
    np.int32(6)

    Shapes: loop_vars any -> the same; sizes may vary as shape_invariants says
    Raises: OperandTypeError or OperandValueError where the body changes structure, dtype or
        rank
    """
    check_callable("while_loop", cond=cond, body=body)
    if not nest.is_nested(loop_vars) or not nest.flatten(loop_vars):
        raise explained(
            ValueError, f"while_loop(): loop_vars must be a list or tuple of them: {loop_vars!r}"
        )
    loop = _Loop(cond, body, as_tensors(loop_vars), shape_invariants)
    current = trace.current()
    if current is None:
        return loop.run(None if maximum_iterations is None else int(maximum_iterations))
    with keeping(current, checkpoint):
        return loop.record(current, maximum_iterations)


class _Loop:
    """The variables of a loop, and its functions over them."""

    def __init__(self, cond: Any, body: Any, variables: Any, invariants: Any) -> None:
        self._cond = cond
        self._body = body
        self._like = variables
        self._leaves = nest.flatten(variables)
        self._paths = [path for path, _ in nest.paths(variables, "loop_vars")]
        self._shapes = self._invariants(invariants)

    def _invariants(self, given: Any) -> list[Any]:
        if given is None:
            return [None] * len(self._leaves)
        try:
            specs = nest.flatten_up_to(self._like, given, check_types=False)
        except (TypeError, ValueError) as error:
            raise explained(
                ValueError,
                f"while_loop(): shape_invariants is not like loop_vars: {message(error)}",
            ) from None
        shapes = [as_shape(spec) for spec in specs]
        for place, shape in enumerate(shapes):
            self._leaves[place] = self._conforming(place, shape, self._leaves[place])
        return shapes

    def run(self, limit: int | None) -> Any:
        """The loop in Python."""
        iterations = 0
        while (limit is None or iterations < limit) and self._goes_on():
            self._step()
            iterations += 1
        return nest.pack_sequence_as(self._like, self._leaves)

    def record(self, current: Trace, limit: Any) -> Any:
        """One recorded ``while``."""

        def put(values: tuple[Any, ...]) -> None:
            self._leaves = list(values)

        state = State(lambda: tuple(self._leaves), put, tuple(self._paths))
        control_flow.while_stmt(current, self._goes_on, self._step, state, limit)
        return settled(current, nest.pack_sequence_as(self._like, self._leaves))

    def _goes_on(self) -> Any:
        return apply(self._cond, *self._variables())

    def _variables(self) -> Any:
        found = nest.level(nest.pack_sequence_as(self._like, self._leaves))
        assert found is not None, "the variables are in a container"
        return found.items

    def _step(self) -> None:
        given = apply(self._body, *self._variables())
        if len(self._variables()) == 1 and not isinstance(given, (list, tuple)):
            given = [given]
        try:
            wanted, result = nest.level(self._like), nest.level(given)
            assert wanted is not None
            if result is not None and not issubclass(result.kind, Mapping):
                given = result.items  # the outermost may be a list for a tuple
            nest.check_same(wanted.items, given, True, _BODY, "loop_vars")
        except (TypeError, ValueError) as error:
            raise explained(type(error), f"while_loop(): {message(error)}") from None
        leaves = nest.flatten(given)
        self._leaves = [self._checked(place, leaf) for place, leaf in enumerate(leaves)]

    def _checked(self, place: int, value: Any) -> Any:
        """A variable after an iteration; an error says how it differs from the one before."""
        before = nest.flatten(self._like)[place]
        value = carried(f"while_loop(): {self._paths[place]}", _WHEN, before, value)
        return self._conforming(place, self._shapes[place], value)

    def _conforming(self, place: int, shape: Any, value: Any) -> Any:
        if shape is None or type_of(value) is None:
            return value
        what = f"while_loop(): {self._paths[place]}, whose shape_invariants say {list(shape)}"
        return stated(value, shape, what)
