"""What passes are written with, besides MLIR's own bindings."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

from agir.ir.building import bindings


def mlir() -> Any:
    """MLIR's Python bindings (their module ``ir``), wherever they are installed.

    >>> mlir = ag.plugins.mlir()
    >>> mlir.__name__.rpartition(".")[2]
    'ir'
    """
    return bindings.ir


@contextmanager
def before(operation: Any) -> Iterator[None]:
    """Operations that are made meanwhile stand before another one, and have its place in the source.

    >>> def negated(module):
    ...     for each in [each for each in ag.plugins.walk(module) if each.name == "func.return"]:
    ...         with ag.plugins.before(each):
    ...             value = each.operands[0]
    ...             each.operands[0] = ag.plugins.op("arith.negf", value.type, value)
    >>> ag.jit(lambda x: x + 1.0, passes=[negated])(2.0)
    -3.0
    """
    with bindings.ir.InsertionPoint(operation), operation.location:
        yield


@contextmanager
def after(operation: Any) -> Iterator[None]:
    """The same behind an operation, which is not the last one of its block.

    >>> def one_more(module):
    ...     for each in ag.plugins.Graph(module).find("arith.addf"):
    ...         with ag.plugins.after(each):
    ...             total = each.results[0]
    ...             more = ag.plugins.op("arith.addf", total.type, total, each.operands[1])
    ...         total.replace_all_uses_except(more, more.owner.operation)
    >>> ag.jit(lambda x: x + 1.0, passes=[one_more])(2.0)
    4.0
    """
    with bindings.ir.InsertionPoint.after(operation), operation.location:
        yield


def replace(operation: Any, *values: Any) -> None:
    """Use other values in the place of an operation's results, and erase it.

    >>> def without_negations(module):
    ...     for each in ag.plugins.Graph(module).find("arith.negf"):
    ...         ag.plugins.replace(each, each.operands[0])
    >>> ag.jit(lambda x: -x, passes=[without_negations])(2.0)
    2.0
    """
    for old, new in zip(operation.results, values, strict=True):
        old.replace_all_uses_with(new)
    operation.erase()
