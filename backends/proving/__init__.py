"""Proofs by a solver that two forms of a function give the same, whatever they get."""

from __future__ import annotations

from collections.abc import Iterator

from agir.backends.mlir.lock import compiling
from agir.backends.stages import STAGES, Compilation, leads_to
from agir.errors import UsageError
from agir.ir.building import bindings

from .proof import Proof

__all__ = ["Proof", "stages_proven"]
_LAST = "llvm"


def stages_proven(program: Compilation, name: str, origin: str) -> Iterator[tuple[str, Proof]]:
    """For each stage down to the LLVM dialect, whether a function gives what it did before."""
    try:
        from agir.backends.proving.equality import prove
    except ModuleNotFoundError as missing:
        if missing.name != "z3":
            raise
        raise UsageError("proofs need a solver: pip install z3-solver") from None
    rows = [row for row in STAGES.values() if row.is_module and leads_to(origin, row.name)]
    for row in rows:
        if row.source is not None and row.name != origin and leads_to(row.name, _LAST):
            before, after = program.get(row.source), program.get(row.name)
            with compiling, bindings.context(), bindings.ir.Location.unknown():
                proof = prove(before, after, name)
            yield row.name, proof
