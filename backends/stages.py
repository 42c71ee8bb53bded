"""The stages between a Python function and machine code, as one table.

Each stage is made from another one; compiling is a fold over the table, so every stage can be
looked at, written to a file, edited, and resumed from::

    compilation = Compilation.from_text(text, "hlo")
    print(compilation.text("bufferized"))
    print(compilation.text("asm"))
"""

from __future__ import annotations

import logging
import time
from collections.abc import Callable
from dataclasses import dataclass, field
from io import BytesIO
from typing import Any, NamedTuple

from agir.backends.cpu.code.assembly import disassemble
from agir.backends.cpu.debug_lines import add_lines
from agir.backends.cpu.library import shared
from agir.backends.cpu.machine_code import object_code
from agir.backends.mlir import legality
from agir.backends.mlir.added import Pass
from agir.backends.mlir.diagnostics import diagnostics
from agir.backends.mlir.lock import compiling
from agir.backends.mlir.modules import clone_module, print_module
from agir.backends.mlir.passes import PassObserver, run
from agir.errors import AgirError, PluginError, StageError
from agir.ir.building import bindings
from agir.ir.registry import Registry

_log = logging.getLogger("agir.passes")
LOWEST = "llvm"
"""The last stage that has MLIR's locations; after it the user's lines are LLVM's."""
Make = Callable[[Any, "Compilation"], Any]
"""From the stage before to this one, for a program."""
DIALECTS: Registry[Any] = Registry("dialect", {})
"""Those that plugins have added, which may be in every stage but the last one of MLIR's."""


@dataclass(frozen=True)
class Stage:
    """One row of the table: a form that a program takes, and how it is made.

    ``make`` gets the stage ``source`` and the program, and gives a module (``extension`` is ``.mlir``),
    text or bytes.

    >>> ag.plugins.Stage("names", ".txt", "the functions of hlo", "hlo", lambda module, _: "f").source
    'hlo'
    """

    name: str
    extension: str
    summary: str
    source: str | None = None
    make: Make | None = None

    @property
    def is_module(self) -> bool:
        """Whether this stage is an MLIR module, from which compiling can be resumed."""
        return self.extension == ".mlir"


def _lowering(name: str) -> Make:
    def make(source: Any, program: Compilation) -> Any:
        from agir.backends.cpu.added_passes import pipeline  # not where the code is found on disk

        passes, dialects = pipeline(name, program.passes)
        module = clone_module(source)
        run(module, name, passes, program.observer)
        legality.verify(module, name)
        legality.check(module, name, (*dialects, *(() if name == "llvm" else DIALECTS)))
        return module

    return make


def _bytecode(module: Any, _: Compilation) -> bytes:
    buffer = BytesIO()
    module.operation.write_bytecode(buffer)
    return buffer.getvalue()


def _llvm_ir(module: Any, _: Compilation) -> str:
    text: str = bindings.llvm.translate_module_to_llvmir(shared.complete(module).operation)
    return text


def _object(module: Any, _: Compilation) -> bytes:
    return object_code(shared.complete(module))


def _dot(module: Any, _: Compilation) -> str:
    from agir.backends.mlir.dot import graph

    return graph(module)


def _control_flow(module: Any, _: Compilation) -> str:
    from agir.backends.mlir.dot import control_flow

    return control_flow(module)


def _stablehlo(module: Any, _: Compilation) -> Any:
    from agir.backends.stablehlo.translation import translate

    return translate(module)


def _c(module: Any, _: Compilation) -> str:
    from agir.backends.c.translation import translate

    return translate(module)


_OWN = (
    Stage("autograph", ".py", "the converted source"),
    Stage("hlo", ".mlir", "what was traced: tensors, scalars and structured control flow"),
    Stage(
        "optimized_hlo",
        ".mlir",
        "tensor level after fusion and simplification",
        "hlo",
        _lowering("optimized_hlo"),
    ),
    Stage(
        "bufferized",
        ".mlir",
        "tensors are buffers in memory",
        "optimized_hlo",
        _lowering("bufferized"),
    ),
    Stage(
        "loops",
        ".mlir",
        "scalar loops over buffers",
        "bufferized",
        _lowering("loops"),
    ),
    Stage(
        "llvm",
        ".mlir",
        "the LLVM dialect",
        "loops",
        _lowering("llvm"),
    ),
    Stage("llvm_ir", ".ll", "LLVM IR, before LLVM's optimizer", "llvm", _llvm_ir),
    Stage("asm", ".s", "assembly", "object", lambda code, _: disassemble(code)),
    Stage("object", ".o", "machine code", "llvm", _object),
    Stage("hlo_serialized", ".mlirbc", "hlo as MLIR bytecode", "hlo", _bytecode),
    Stage(
        "optimized_hlo_serialized",
        ".mlirbc",
        "optimized_hlo as MLIR bytecode",
        "optimized_hlo",
        _bytecode,
    ),
    Stage(
        "optimized_hlo_dot",
        ".dot",
        "optimized_hlo as a graph, for Graphviz",
        "optimized_hlo",
        _dot,
    ),
    Stage("llvm_cfg", ".dot", "the control flow of llvm, for Graphviz", "llvm", _control_flow),
    Stage("stablehlo", ".mlir", "hlo as StableHLO, where that has all of it", "hlo", _stablehlo),
    Stage("c", ".c", "bufferized as C, where that has all of it", "bufferized", _c),
)


STAGES: Registry[Stage] = Registry("stage", {stage.name: stage for stage in _OWN})
"""Every stage by its name, in the order of the table; what plugins add is at the end."""


def find(name: str) -> Stage:
    """The row of the table with this name; ``ValueError`` lists the names if there is none."""
    try:
        return STAGES[name]
    except KeyError:
        raise ValueError(f"no stage {name!r}; the stages are {', '.join(STAGES)}") from None


def leads_to(origin: str, name: str) -> bool:
    """Whether a stage is the one to begin with, or made from it."""
    row = STAGES[name]
    return name == origin or (row.source is not None and leads_to(origin, row.source))


class _Origin(NamedTuple):
    """What a program was derived from, and how."""

    program: Compilation
    stage: str
    change: Callable[[Any], None]
    described: str


@dataclass
class Compilation:
    """One program on its way down; its stages are made on demand and remembered."""

    observer: PassObserver | None = None
    passes: tuple[Pass, ...] = ()
    """Those that agir does not have: of plugins, and the function's own."""
    _made: dict[str, Any] = field(default_factory=dict, repr=False)
    _first: str | None = None
    _origin: _Origin | None = field(default=None, repr=False)

    @classmethod
    def from_module(
        cls,
        module: Any,
        stage: str = "hlo",
        observer: PassObserver | None = None,
        passes: tuple[Pass, ...] = (),
    ) -> Compilation:
        """Begin with a module at the given stage; the module is not changed."""
        with compiling, bindings.context():
            legality.verify(module, stage)
        compilation = cls(observer, passes, _first=stage)
        compilation.put(stage, module)
        return compilation

    @classmethod
    def from_text(
        cls,
        text: str | bytes,
        stage: str,
        observer: PassObserver | None = None,
        passes: tuple[Pass, ...] = (),
    ) -> Compilation:
        """Begin with the text (or bytecode) of any stage that is an MLIR module."""
        row = find(stage)
        row = find(row.source) if row.extension == ".mlirbc" and row.source else row
        if not row.is_module:
            raise StageError(
                f"cannot resume from {stage!r}: only the stages written in MLIR can be read back"
            )
        with compiling, bindings.context(), bindings.ir.Location.unknown():
            try:
                module = bindings.ir.Module.parse(text)
            except bindings.ir.MLIRError as error:
                raise StageError(f"the text of {stage!r}: {diagnostics(error)}") from None
        return cls.from_module(module, row.name, observer, passes)

    def derived(
        self, stage: str, change: Callable[[Any], None], described: str | None = None
    ) -> Compilation:
        """The program that goes on from a stage with a change in it, made by `change`.

        A description tells the change from any other; with it, the change is made when it is needed.
        """
        if described is None:
            changed = self._changed(stage, change)
            return self.from_module(changed, stage, self.observer, self.passes)
        origin = _Origin(self, stage, change, described)
        return Compilation(self.observer, self.passes, _origin=origin)

    def _changed(self, stage: str, change: Callable[[Any], None]) -> Any:
        source = self.get(stage)
        with compiling, bindings.context(), bindings.ir.Location.unknown():
            module = clone_module(source)
            change(module)
        return module

    def identity(self) -> str | None:
        """A text that says all that the later stages depend on.

        None if they are being watched, or depend on passes of which that cannot be told.  Where the
        user's lines are is not in it.
        """
        if self.observer is not None:
            return None
        if self._origin is not None:
            program = self._origin.program.identity()
            return program and f"{program}\n// {self._origin.stage}: {self._origin.described}"
        told = [each.identity() for each in self.passes]
        if self._first is None or None in told:
            return None
        with compiling:
            return "\n// ".join(
                [f"// {self._first}\n{self._made[self._first]}", *filter(None, told)]
            )

    def put(self, stage: str, value: Any) -> None:
        """Give a stage that was made elsewhere, such as the converted source."""
        self._made[find(stage).name] = value

    def get(self, stage: str) -> Any:
        """A stage: a module, text or bytes.  It belongs to the compilation: do not change it."""
        for row in self._missing(stage):
            with compiling, bindings.context(), bindings.ir.Location.unknown():
                if row.make and row.source and row.name not in self._made:
                    start = time.perf_counter()
                    self._made[row.name] = self._make(row, row.make, self._made[row.source])
                    _log.info("%s made in %.1f ms", row.name, 1e3 * (time.perf_counter() - start))
        return self._made[stage]

    def _make(self, row: Stage, make: Make, source: Any) -> Any:
        origin = STAGES.origin(row.name)
        if origin is None:
            return make(source, self)
        try:
            return make(clone_module(source) if find(str(row.source)).is_module else source, self)
        except AgirError:
            raise
        except Exception as error:
            raise PluginError(
                f"the stage {row.name!r} ({origin}) cannot be made: {type(error).__name__}: {error}"
            ) from error

    def _missing(self, stage: str) -> list[Stage]:
        """The stages still to be made for this one, in their order."""
        rows: list[Stage] = []
        row = find(stage)
        self._begin()
        while row.name not in self._made:
            rows.append(row)
            if row.source is None:
                raise StageError(f"{stage!r} cannot be made from {', '.join(self._made)}")
            row = find(row.source)
        return rows[::-1]

    def _begin(self) -> None:
        """Make the stage that this program was derived from, if that has not been done."""
        origin = self._origin
        if origin is not None and origin.stage not in self._made:
            module = origin.program._changed(origin.stage, origin.change)
            with compiling, bindings.context():
                legality.verify(module, origin.stage)
            self._made[origin.stage] = module

    def text(self, stage: str, *, locations: bool = False, elide: int | None = None) -> str | bytes:
        """A stage for reading (bytes where it has no text).

        SSA values are named after the user's variables.  `locations` adds the user's lines, which LLVM
        IR and assembly have as debug information; `elide` leaves out constants of more elements than
        that, after which the text cannot be parsed again.
        """
        if not find(stage).is_module:
            below = locations and leads_to(LOWEST, stage)
            program = self.derived(LOWEST, add_lines) if below else self
            return program.get(stage)  # type: ignore[no-any-return]
        value = self.get(stage)
        with compiling:
            return print_module(value, locations, elide)
