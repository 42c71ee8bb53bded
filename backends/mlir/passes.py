"""Running the passes of a stage over a module, watched or not.

A pass is either a fragment of MLIR's textual pipelines or a Python function that changes a module.
Unwatched, adjacent fragments run in one pass manager, which is parsed once and kept; with an
observer every pass runs by itself, between two verifications.
"""

from __future__ import annotations

import re
import time
from collections.abc import Callable, Iterator, Sequence
from collections.abc import Set as AbstractSet
from contextlib import contextmanager
from contextvars import ContextVar
from functools import cache, lru_cache, partial
from typing import Any

from agir.backends.mlir.diagnostics import diagnostics
from agir.backends.mlir.modules import print_module, walk
from agir.config import config
from agir.errors import LoweringError
from agir.ir.building import bindings
from agir.records import dataclass

Step = str | Callable[[Any], None]


@dataclass(frozen=True)
class Only:
    """A pass that runs only if there are such operations, dialects or element types in the stage.

    One of those that are named; of an `Only` inside as well.  Dialects and types count that are there
    when the stage begins, and so do operations, and those that there are when it is the pass's turn.
    """

    names: tuple[str, ...]
    what: Step | Only
    otherwise: Step | None = None
    """What runs where none of them is."""

    @property
    def step(self) -> Step:
        """The pass by itself."""
        return self.what.step if isinstance(self.what, Only) else self.what

    def chosen(self, present: AbstractSet[str]) -> Step | None:
        """What runs where these are."""
        if present.isdisjoint(self.names):
            return self.otherwise
        return self.what.chosen(present) if isinstance(self.what, Only) else self.what

    def awaits_operations(self, present: AbstractSet[str]) -> bool:
        """Whether it would do something else if some operations were there, too."""
        if present.isdisjoint(self.names):
            return any("." in name for name in self.names)
        return isinstance(self.what, Only) and self.what.awaits_operations(present)


Pass = Step | Only


@dataclass(frozen=True)
class PassReport:
    """What there is to say of one pass; `text` prints the module as it is now."""

    stage: str
    name: str
    seconds: float
    """Of the processor's time: others may use the machine, too."""
    operations: tuple[int, int]
    """How many there were before and are after."""
    changed: bool
    text: Callable[..., str]
    """``text(locations=False, elide=None)``; to be called before the next pass."""


PassObserver = Callable[[PassReport], None]
"""Called after each pass."""

Listener = Callable[[str, str], None]
"""Gets a stage and a pass that begins; an empty name where there is none any more."""
_listeners: ContextVar[tuple[Listener, ...]] = ContextVar("agir.passes.listeners", default=())


@contextmanager
def announced(listener: Listener) -> Iterator[None]:
    """Tell a listener of each pass that begins in the block: it may be one that does not end."""
    token = _listeners.set((*_listeners.get(), listener))
    try:
        yield
    finally:
        _listeners.reset(token)


def step_of(item: Pass) -> Step:
    """A pass by itself, wherever it runs."""
    return item.step if isinstance(item, Only) else item


def pass_name(item: Pass) -> str:
    """What a pass is called: its pipeline fragment, or the Python function's name with dashes."""
    what = step_of(item)
    return what if isinstance(what, str) else what.__name__.replace("_", "-")


def run(module: Any, stage: str, passes: Sequence[Pass], observer: PassObserver | None) -> None:
    """Run the passes over the module, in place."""
    running = _Running(module, stage, observer)
    for item in passes:
        running.take(item)
    running.finish()
    _announce(stage, "")


def _announce(stage: str, name: str) -> None:
    for listener in _listeners.get():
        listener(stage, name)


class _Running:
    """The passes of a stage, one after the other.

    What is in the module is looked at when the stage begins.  Where a pass would not run for want of
    operations, and others have run since, these may have made some: they are looked for again.
    """

    def __init__(self, module: Any, stage: str, observer: PassObserver | None) -> None:
        self._module = module
        self._stage = stage
        self._observer = observer
        self._present: set[str] = _vocabulary(module)
        self._is_current = True
        self._fragments: list[str] = []
        """Adjacent ones, for one pass manager."""

    def take(self, item: Pass) -> None:
        """Run a pass, unless it is for what is not there; a fragment runs before the next look."""
        step = self._chosen(item) if isinstance(item, Only) else item
        if step is None:
            return
        self._is_current = False
        if isinstance(step, str) and self._observer is None and not config.verify:
            self._fragments.append(step)
        else:
            self.finish()
            self._run(step)

    def finish(self) -> None:
        """Run the fragments that wait."""
        if self._fragments:
            pipeline = ",".join(self._fragments)
            self._fragments = []
            self._run(pipeline)

    def _chosen(self, item: Only) -> Step | None:
        if not self._is_current and item.awaits_operations(self._present):
            self.finish()
            self._present.update(operation.name for operation in walk(self._module))
            self._is_current = True
        return item.chosen(self._present)

    def _run(self, step: Step) -> None:
        _announce(self._stage, pass_name(step))
        if self._observer:
            _observed(self._module, self._stage, step, self._observer)
        else:
            _apply(self._module, self._stage, step, verify=config.verify)


WITHOUT_ELEMENTS = "without elements"
"""The word for arrays that are known to be empty."""
_FUNCTIONS = ("func.func",)
_ARRAYS = ("tensor", "memref")
_EMPTY = re.compile(r"[<x]0x")


def _vocabulary(module: Any) -> set[str]:
    """The names of the operations in a module, of their dialects and of their types and elements.

    Of a type that is ``tensor`` or ``memref``.
    """
    operations = walk(module)
    names = {operation.name for operation in operations}
    types = {value.type for operation in operations for value in operation.results}
    words = {word for kind in types for word in _words(kind)}
    functions = [
        str(each.attributes["function_type"]) for each in operations if each.name in _FUNCTIONS
    ]
    words.update(word for kind in functions for word in _array_words(kind))
    return names | {name.partition(".")[0] for name in names} | words


@lru_cache(maxsize=1024)
def _words(kind: Any) -> tuple[str, ...]:
    """A type's element, and whether there are arrays in it."""
    text = str(kind)
    element = str(kind.element_type) if hasattr(kind, "element_type") else text
    return element, *_array_words(text)


def _array_words(text: str) -> Iterator[str]:
    yield from (array for array in _ARRAYS if f"{array}<" in text)
    if _EMPTY.search(text):
        yield WITHOUT_ELEMENTS


def _apply(module: Any, stage: str, item: Step, *, verify: bool) -> None:
    ir = bindings.ir
    try:
        if isinstance(item, str):
            _pass_manager(item, verify).run(module.operation)
        else:
            with ir.Location.unknown():
                item(module)
    except ir.MLIRError as error:
        raise LoweringError(f"making {stage!r}: {diagnostics(error)}") from None


def apply(module: Any, pipeline: str) -> None:
    """Run a pipeline's text over the module, in the middle of a pass of ours."""
    _pass_manager(pipeline, config.verify).run(module.operation)


_STATEFUL = "convert-math-to-funcs"
"""A pass that remembers functions of the last module it ran on, which is gone by then."""


def _pass_manager(pipeline: str, verify: bool) -> Any:
    build = _build_manager if _STATEFUL in pipeline else _remembered_manager
    return build(pipeline, verify)


def _build_manager(pipeline: str, verify: bool) -> Any:
    manager = bindings.passmanager.PassManager.parse(f"builtin.module({pipeline})")
    manager.enable_verifier(verify)
    return manager


_remembered_manager = cache(_build_manager)


def _observed(module: Any, stage: str, item: Step, observer: PassObserver) -> None:
    before, size = str(module), len(walk(module))
    start = time.process_time()
    _apply(module, stage, item, verify=True)
    seconds = time.process_time() - start
    after = str(module)
    sizes = (size, len(walk(module)))
    text = partial(print_module, module)
    observer(PassReport(stage, pass_name(item), seconds, sizes, before != after, text))
