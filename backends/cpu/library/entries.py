"""What the library holds: for each operation and type, a function that is written when asked for."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from string import Template

from agir.records import dataclass


@dataclass(frozen=True)
class Entry:
    """A function in MLIR for an operation with this type of first operand and of result.

    One that is to be inlined becomes a part of the loops that call it, which LLVM vectorises then.
    """

    operation: str
    operand: str
    result: str
    symbol: str
    write: Callable[[], str]
    inline: bool = False


def entry(operation: str, operand: str, result: str, text: str, **words: str) -> Entry:
    """An entry whose text has its placeholders filled in: ``$T`` operand, ``$R`` result, …."""
    letters = "".join(c if c.isalnum() else "_" for c in f"{operation}_{operand}_{result}")
    symbol = words.pop("symbol", f"agir.{letters}")
    words = {"T": operand, "R": result, "operation": operation, "symbol": symbol, **words}
    words["internal"] = "llvm.linkage = #llvm.linkage<internal>"
    write = partial(Template(text).substitute, words)
    return Entry(operation, operand, result, symbol, write)
