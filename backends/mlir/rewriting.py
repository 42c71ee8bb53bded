"""What passes may be besides functions and texts: patterns, and schedules of the transform dialect."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from agir.ir.building import bindings
from agir.records import dataclass


@dataclass(frozen=True)
class Patterns:
    """Rewriting of operations by their names, until nothing changes any more.

    A function gets an operation and a rewriter, of which ``rewriter.replace_op`` and
    ``rewriter.erase_op`` change the module.  What it makes stands before the operation.  It gives True
    where it has left the operation alone.

    >>> def plus_itself(product, rewriter):
    ...     x, factor = product.operands
    ...     rewriter.replace_op(product, [ag.plugins.op("arith.addf", x.type, x, x)])
    >>> patterns = ag.plugins.Patterns({"arith.mulf": plus_itself})
    >>> ag.jit(lambda x: x * 3.0, passes=[patterns])(4.0)
    8.0
    """

    functions: dict[str, Callable[[Any, Any], Any]]

    def __call__(self, module: Any) -> None:
        """Rewrite a module."""
        made = bindings.rewrite.RewritePatternSet()
        raised: list[BaseException] = []
        for name, function in self.functions.items():
            made.add(name, _noting(function, raised))
        bindings.rewrite.apply_patterns_and_fold_greedily(module, made.freeze())
        if raised:
            raise raised[0]


def _noting(function: Callable[[Any, Any], Any], raised: list[BaseException]) -> Any:
    """The function as MLIR calls it, through which no exception may go."""

    def matched(operation: Any, rewriter: Any) -> bool:
        if raised:
            return True
        try:
            with rewriter.ip, operation.location:
                return bool(function(operation.operation, rewriter))
        except BaseException as error:
            raised.append(error)
            return True

    return matched


@dataclass(frozen=True)
class Schedule:
    """A schedule of the transform dialect, of which ``@__transform_main`` is applied to the module.

    >>> ag.plugins.Schedule('''
    ...     module attributes {transform.with_named_sequence} {
    ...       transform.named_sequence @__transform_main(%module: !transform.any_op) {
    ...         transform.yield
    ...       }
    ...     }''').text.count("transform.yield")
    1
    """

    text: str

    def __call__(self, module: Any) -> None:
        """Transform a module."""
        ir = bindings.ir
        schedule = ir.Module.parse(self.text)
        for each in schedule.body.operations:
            if each.operation.attributes["sym_name"].value == "__transform_main":
                bindings.transform.apply_named_sequence(
                    module.operation, each.operation, schedule.operation
                )
                return
        raise ValueError("there is no transform.named_sequence @__transform_main")
