"""Passes that agir does not have: those of plugins, which run over every program, and of one function.

A pass is a record: what it does, where it goes, and where it is written.  It is called as the
passes of agir's own are, so whatever shows, times or writes passes shows it, too.  What it leaves
is verified, and what goes wrong in it is an error that names it.
"""

from __future__ import annotations

import os
import re
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager, suppress
from dataclasses import field
from typing import Any

from agir.backends.mlir.diagnostics import diagnostics
from agir.backends.mlir.modules import print_module
from agir.backends.mlir.passes import apply
from agir.config import config
from agir.errors import AgirError, OperandTypeError, OperandValueError, PluginError, message
from agir.ir.building import bindings
from agir.ir.registry import Origin, Registry, here
from agir.records import dataclass

BEGIN, END = "begin", "end"
_DEFAULT = "optimized_hlo"
"""The stage whose passes begin with what was traced."""


@dataclass(frozen=True)
class Pass:
    """A pass: what it does, and where in which stage.

    ``run`` is a function that changes the module that it is given, a text of MLIR's pass pipelines
    (``"canonicalize,cse"``), :class:`Patterns` or a :class:`Schedule`.  It runs ``before`` the first or
    ``after`` the last pass of a name, or ``at`` the ``"begin"`` or ``"end"`` of a ``stage``; where
    nothing is said, over what was traced, before all other passes.  ``needs`` are operations,
    dialects or element types of which one has to be in the module.  ``version`` tells it from what
    it was before a change; without, that is its code and what it refers to.  With ``effects`` it
    does more than change the module, and so runs in every process: programs that it runs over are
    not kept on disk.

    >>> ag.plugins.Pass("canonicalize", after="cse", stage="optimized_hlo").name
    'canonicalize'
    """

    run: str | Callable[[Any], Any]
    name: str = ""
    stage: str | None = None
    before: str | None = None
    after: str | None = None
    at: str | None = None
    needs: Sequence[str] = ()
    version: str | None = None
    effects: bool = False
    origin: Origin | None = field(default=None, compare=False, repr=False)
    """Where it is written; found out."""

    def __post_init__(self) -> None:
        if not (isinstance(self.run, str) or callable(self.run)):
            raise OperandTypeError(
                "a pass is a function of the module, a text of MLIR's passes, Patterns or a Schedule, "
                f"not {self.run!r}"
            )
        object.__setattr__(self, "name", (self.name or _name_of(self.run)).replace("_", "-"))
        object.__setattr__(self, "__name__", self.name)
        object.__setattr__(self, "origin", self.origin or here(self.run))
        if sum(each is not None for each in (self.before, self.after, self.at)) > 1:
            raise OperandValueError(f"the pass {self.name!r}: give one of before=, after= and at=")
        if self.at not in (None, BEGIN, END):
            raise OperandValueError(
                f"the pass {self.name!r}: at= is 'begin' or 'end', not {self.at!r}"
            )

    def where(self) -> tuple[str | None, str, str | None]:
        """The stage, if it is said, where in it, and the pass that this is beside."""
        beside = self.before or self.after
        if beside is not None:
            return self.stage, "before" if self.before else "after", beside
        return self.stage or _DEFAULT, self.at or BEGIN, None

    def described(self) -> str:
        """The pass in words: ``twice, after cse in optimized_hlo (model.py:12)``."""
        stage, place, beside = self.where()
        inside = f"{place} {beside}" if beside else f"at the {place}"
        return f"{self.name}, {inside}{f' in {stage}' if stage else ''} ({self.origin})"

    def identity(self) -> str | None:
        """A text that says what it does and where; None where that cannot be told."""
        from agir.backends.mlir.fingerprints import fingerprint  # few programs have such passes

        told = None if self.effects else self.version or fingerprint(self.run)
        return told and f"{self.name} {self.where()} {sorted(self.needs)} {told}"

    def __call__(self, module: Any) -> None:
        """Run it over a module, which is verified afterwards."""
        with _kept(module, self.name):
            try:
                if isinstance(self.run, str):
                    apply(module, self.run)
                else:
                    self.run(module)
            except Exception as error:
                raise self._failed(error) from error
            try:
                module.operation.verify()
            except bindings.ir.MLIRError as error:
                told = diagnostics(error)
                raise PluginError(
                    f"{self._named()} leaves a module that is not valid: {told}"
                ) from None

    def _named(self) -> str:
        return f"the pass {self.name!r} ({self.origin})"

    def _failed(self, error: Exception) -> PluginError:
        if isinstance(error, bindings.ir.MLIRError):
            return PluginError(f"{self._named()} fails: {diagnostics(error)}")
        if isinstance(self.run, str) and isinstance(error, ValueError):
            return PluginError(f"{self._named()} is no text of MLIR's passes: {error}")
        import traceback

        frames = traceback.extract_tb(error.__traceback__)
        own = [each for each in frames if self.origin and each.filename == self.origin.file]
        line = f" at line {own[-1].lineno}" if own else ""
        told = message(error) if isinstance(error, AgirError) else str(error)
        return PluginError(f"{self._named()} raises {type(error).__name__}{line}: {told}")


PASSES: Registry[Pass] = Registry("pass", {})
"""Those that plugins have added: each runs over every program that is traced from then on."""


def registered() -> tuple[Pass, ...]:
    """The passes of plugins, in the order in which they were added."""
    config.load_plugins()
    return tuple(PASSES.values())


def _name_of(run: Any) -> str:
    if isinstance(run, str):
        return run
    found: str = getattr(run, "__name__", "") or type(run).__name__.lower()
    return found


def as_pass(given: Any) -> Pass:
    """A pass that is given as its record, a function or a text."""
    return given if isinstance(given, Pass) else Pass(given)


@contextmanager
def _kept(module: Any, name: str) -> Iterator[None]:
    """Keep the module in a file while a pass runs: one that crashes takes the process with it."""
    import tempfile

    try:
        descriptor, path = tempfile.mkstemp(".mlir", f"agir-before-{_safe(name)}-")
    except OSError:  # there is no folder to write to: it runs all the same
        yield
        return
    try:
        with suppress(OSError), open(descriptor, "w", encoding="utf-8") as file:  # a full disk
            file.write(print_module(module))
        yield
    finally:
        with suppress(OSError):  # somebody has tidied up
            os.unlink(path)


def _safe(name: str) -> str:
    return re.sub(r"[^\w-]+", "_", name)[:40]
