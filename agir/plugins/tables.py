"""The tables to which plugins add, and adding to them."""

from __future__ import annotations

from typing import Any, TypeVar

from agir.autograph import added as converters
from agir.autograph.added import Converter
from agir.backends.mlir.added import PASSES, Pass, as_pass
from agir.backends.stages import DIALECTS, STAGES, Stage
from agir.backends.table import BACKENDS, Backend
from agir.config import config
from agir.discovery import loaded
from agir.errors import OperandTypeError
from agir.ir.registry import Registry, here
from agir.ir.table import NUMPY, TABLE
from agir.ir.tensors.dispatch import Operation
from agir.plugins.dialects import Dialect
from agir.runtime.blame import at_caller

Added = TypeVar("Added")

CONVERTERS: Registry[Converter] = Registry("converter", {})
converters.CONVERTERS = CONVERTERS

_TABLES: dict[type, Registry[Any]] = {
    Pass: PASSES,
    Converter: CONVERTERS,
    Stage: STAGES,
    Backend: BACKENDS,
    Dialect: DIALECTS,
    Operation: TABLE,
}


def register(added: Added, *, replace: bool = False) -> Added:
    """Add a pass, converter, stage, back end or dialect to agir; gives it back.

    A function, or a text of MLIR's pass pipelines, is a pass.  A name that there is already is refused,
    or with ``replace`` gets another meaning, as when a cell of a notebook is run again.

    >>> _ = ag.register(ag.plugins.Pass("canonicalize", name="again", after="fuse-scatter-loops"))
    >>> ag.plugins.unregister("again")

    Raises: PluginError for a name that there is; OperandTypeError for what is no record
    """
    record, table = _sorted(added)
    written = record.transform if isinstance(record, Converter) else getattr(record, "load", None)
    origin = getattr(record, "origin", None) or here(written)
    if isinstance(record, Dialect) and record.name not in table:
        record.load()
    table.add(record.name, record, origin, replace=replace)
    return added


def unregister(added: Any) -> None:
    """Take out what was added, given itself or by its name.

    Functions that have been traced stay as they are, and a dialect stays in MLIR's context.

    >>> sweep = ag.register(ag.plugins.Pass("cse", name="sweep", stage="loops"))
    >>> ag.plugins.unregister(sweep)

    Raises: PluginError where nothing of the kind was added
    """
    if isinstance(added, str):
        having = [table for table in _TABLES.values() if added in table.added()]
        name, table = added, (having or [PASSES])[0]
    else:
        record, table = _sorted(added)
        name = record.name
    for function in [each for each, row in NUMPY.items() if row is table.get(name)]:
        del NUMPY[function]
    table.remove(name)


def _sorted(added: Any) -> tuple[Any, Registry[Any]]:
    """The record of what is added, and the table that it goes into."""
    for kind, table in _TABLES.items():
        if isinstance(added, kind):
            return added, table
    if isinstance(added, str) or (callable(added) and not isinstance(added, type)):
        return as_pass(added), PASSES
    kinds = ", ".join(kind.__name__ for kind in _TABLES if kind is not Operation)
    raise OperandTypeError(at_caller(f"register() takes {kinds} (agir.plugins), not {added!r}"))


def describe() -> str:
    """What plugins have added, a line for each: its kind, its name, and where it is written.

    >>> _ = ag.register(ag.plugins.Pass("cse", name="sweep", stage="loops"))
    >>> ag.plugins.describe().splitlines()[-1].split(" (")[0]
    'pass      sweep, at the begin in loops'
    >>> ag.plugins.unregister("sweep")
    """
    config.load_plugins()
    lines = [f"plugin    {name}" for name in loaded()]
    for kind, table in _TABLES.items():
        for name, origin in table.added().items():
            record = table[name]
            told = record.described() if isinstance(record, Pass) else f"{name} ({origin})"
            lines.append(f"{kind.__name__.lower():9} {told}")
    return "\n".join(lines)
