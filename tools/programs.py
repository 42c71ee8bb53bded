"""The two kinds of program: a Python function, and the text of a stage."""

from __future__ import annotations

import inspect
from collections.abc import Sequence
from typing import Any

import numpy as np

from agir import autograph
from agir.backends import validation
from agir.backends.cpu.calling.layout import Value
from agir.backends.cpu.engine import Executable
from agir.backends.cpu.explaining.explain import explain
from agir.backends.cpu.explaining.explanation import Explanation
from agir.backends.cpu.passes.analysis.functions import is_public
from agir.backends.entry import Entry
from agir.backends.mlir.added import registered
from agir.backends.mlir.modules import symbols
from agir.backends.proving import Proof, stages_proven
from agir.backends.stages import Compilation, find
from agir.backends.validation import Validation
from agir.errors import StageError
from agir.ir.building.attributes import SIGNATURE
from agir.ir.gradients.core.expressions import is_differentiable
from agir.ir.gradients.halves import halve
from agir.ir.tensors import structure
from agir.tools import arguments
from agir.tools.arguments import Arguments
from agir.tools.diagnosis import UsageError
from agir.tools.jobs import Job, changed_arrays, copies, in_words
from agir.tools.judging_modules import made_up


class Traced:
    """A function of the user's, traced for the arguments."""

    origin = "hlo"

    def __init__(self, function: Any, given: Arguments) -> None:
        self._function = function
        self._given = given
        _check_call(function, given)
        self._concrete = function.get_concrete_function(*given.args, **given.kwargs)
        self.compilation: Compilation = self._concrete.compilation
        self.name: str = self._concrete.name
        self.types = [arguments.describe(each) for each in given.leaves]

    def described(self) -> dict[str, Any]:
        """What has been traced, and how long that took."""
        seconds = self._concrete.tracing_took
        return {"name": self.name, "types": self.types, "seconds": seconds}

    def differentiate(self, half: str, function: str | None) -> None:
        """Go on with a half of the function."""
        results = len(self._concrete.result_dtypes)
        self.compilation = _half(self.compilation, half, self.name, results)

    def source(self) -> str:
        """The converted source."""
        function = getattr(self._function, "__func__", self._function)
        return autograph.to_code(function.python_function)

    def explain(self, job: Job) -> Explanation:
        """What became of the function, measured where the arguments are values."""
        if job.gradient:
            raise UsageError("--explain is about the function itself: leave --gradient out")
        explanation: Explanation = self._function.explain(*self._given.args, **self._given.kwargs)
        return explanation

    def validate(self, job: Job) -> list[Validation]:
        """Whether each pass keeps what a call gives, of each function that is called."""
        with validation.collecting() as found:
            self.call(job)
        return found

    def prove(self, job: Job) -> list[tuple[str, Proof]]:
        """For each stage whether it gives what the one before does, whatever the arguments are."""
        return list(stages_proven(self.compilation, self.name, self.origin))

    def call(self, job: Job) -> tuple[list[str], dict[str, str]]:
        """Call the function as its users do."""
        if job.gradient:
            raise UsageError("--run calls the function itself: leave --gradient out")
        given = self._given.with_values()
        before = copies(given)
        result = self._function(*given.args, **given.kwargs)
        leaves, key = structure.flatten(result)
        whole = [in_words(result)] if key is None or len(leaves) == 0 else _by_path(result)
        return whole, changed_arrays(before, given)


def completed(function: Any, given: Arguments) -> Arguments:
    """The arguments; where there are none, the types of the function's input signature."""
    signature = getattr(function, "input_signature", None)
    return given if given.leaves or signature is None else Arguments(tuple(signature))


def _check_call(function: Any, given: Arguments) -> None:
    """Refuse arguments that do not fit the function's parameters."""
    signature = inspect.signature(function)
    try:
        signature.bind(*given.args, **given.kwargs)
    except TypeError as error:
        raise UsageError(f"--args does not fit {function.__name__}{signature}: {error}") from None


def _by_path(result: Any, path: str = "") -> list[str]:
    """The leaves of a structure, each with its place in it: ``[0]['x']: …``."""
    found = structure.children(result)
    if found is None:
        return [f"{path}: {in_words(result)}"]
    (kind, names), items = found
    keys = range(len(items)) if isinstance(names, int) else names
    attribute = not isinstance(names, int) and not issubclass(kind, dict)
    lines = []
    for key, item in zip(keys, items, strict=True):
        lines += _by_path(item, f"{path}.{key}" if attribute else f"{path}[{key!r}]")
    return lines


class Parsed:
    """The text or bytecode of a stage."""

    def __init__(self, content: bytes, stage: str) -> None:
        row = find(stage)
        self.origin = row.name if row.is_module or row.source is None else row.source
        self.compilation = Compilation.from_text(content, stage, passes=registered())

    def differentiate(self, half: str, function: str | None) -> None:
        """Go on with a half of a function of the module."""
        if self.origin != "hlo":
            raise UsageError(f"--gradient takes the stage 'hlo', and this is {self.origin!r}")
        self.compilation = _half(self.compilation, half, function or self._only_function())

    def source(self) -> str:
        """There is none."""
        raise StageError("'autograph' is made from a Python function, not from the text of a stage")

    def explain(self, job: Job) -> Explanation:
        """What became of a function of the module."""
        entry = Entry(job.function or self._only_function(), [])
        return explain(self.compilation, entry, note="not measured: it is not a Python function")

    def validate(self, job: Job) -> list[Validation]:
        """Whether each pass keeps what a call gives."""
        name = job.function or self._only_function()
        values = made_up(self.compilation.get(self.origin), name, job.arguments)
        return [validation.validate(self.compilation, name, values, origin=self.origin)]

    def prove(self, job: Job) -> list[tuple[str, Proof]]:
        """For each stage whether it gives what the one before does, whatever the arguments are."""
        name = job.function or self._only_function()
        return list(stages_proven(self.compilation, name, self.origin))

    def call(self, job: Job) -> tuple[list[str], dict[str, str]]:
        """Call a function of the module with positional arguments."""
        backward = job.gradient == "backward"
        name = f"{job.function}_backward" if job.function and backward else job.function
        name = name or self._only_function()
        given = arguments.parse(job.arguments).with_values()
        if given.kwargs:
            raise UsageError("a function of an MLIR file takes positional arguments")
        executable = Executable(self.compilation, name)
        values = _as_declared(given.args, executable.signature.arguments)
        before = copies(Arguments(tuple(values)))
        results = executable(values)
        changed = changed_arrays(before, Arguments(tuple(values)))
        return [_as_mlir_has_it(value) for value in results], changed

    def _only_function(self) -> str:
        names = [
            name
            for name, operation in symbols(self.compilation.get(self.origin)).items()
            if SIGNATURE in operation.attributes
            or (operation.name == "func.func" and is_public(operation))
        ]
        if len(names) == 1:
            return names[0]
        found = f"it has {', '.join(names)}" if names else "it has none"
        raise UsageError(f"--function NAME says which public function to run; {found}")


def _half(
    compilation: Compilation, half: str, name: str, results: int | None = None
) -> Compilation:
    """The forward or backward half of a function, differentiated by all that it can be."""
    module = compilation.get("hlo")
    function = symbols(module)[name]
    kind = function.attributes["function_type"].value
    sources = [n for n, each in enumerate(kind.inputs) if is_differentiable(each)]
    if not sources:
        raise UsageError(f"--gradient: {name} takes no floating-point or complex values")
    count = len(kind.results) if results is None else results
    made = halve(module, name, count, sources)
    chosen = made.forward if half == "forward" else made.backward
    return Compilation.from_module(chosen, passes=compilation.passes)


def _as_declared(values: Sequence[Any], declared: Sequence[Value]) -> list[Any]:
    """Lists and numbers as arrays of the type that the function takes."""
    pairs = zip(values, declared, strict=False)
    made = [
        value
        if isinstance(value, np.ndarray) or kind.shape is None
        else np.asarray(value, kind.dtype)
        for value, kind in pairs
    ]
    return made + list(values[len(made) :])


def _as_mlir_has_it(value: Any) -> str:
    """A result of a function of MLIR's, whose numbers are of no class of Python's or NumPy's."""
    return str(value) if isinstance(value, np.generic) else in_words(value)
