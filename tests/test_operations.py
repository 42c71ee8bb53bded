"""The public operations, and the page that lists them (``make docs`` writes it)."""

from __future__ import annotations

import inspect
import runpy
from pathlib import Path
from typing import Any

import pytest

import agir as ag
from agir import operations
from agir.ir.table import TABLE
from agir.ir.tensors.staged import Staged

PAGE = Path(__file__).resolve().parent.parent / "docs" / "operations.md"
# The module next to this one; this file is a program as well, which has no package.
Name = runpy.run_path(str(Path(__file__).with_name("public_names.py")))["Name"]
CLASSES = ("TensorArray",)
NAMESPACES = ("linalg", "nn", "random")
HEAD = """# Operations

Every operation works on eager tensors (NumPy computes it at once), is recorded while a function is
traced, and follows NumPy in dtypes and values.  NumPy's own functions record the same operations when
they meet a traced array: `np.sqrt(x)`, `np.sum(x, axis=0)`, `x @ y`, `x.reshape(2, -1)`.

| `agir.` | shapes | dtypes | what |
|---|---|---|---|
"""


def row(name: str) -> str:
    operation: Any = getattr(operations, name)
    parameters = ", ".join(_parameter(p) for p in inspect.signature(operation).parameters.values())
    what = (
        " ".join(inspect.getdoc(operation).split("\n\n")[0].split())
        .replace("``", "`")
        .replace("|", "\\|")
    )
    return f"| `{name}({parameters})` | {_facts(operation)} | {what} |\n"


def _facts(function: Any) -> str:
    """What the documentation says of shapes and dtypes, as two cells of a table."""
    facts = Name("", function).facts()
    shapes = facts.get("Shapes", "")
    formal, _, prose = shapes.partition("; ")
    if formal:
        formal = f"`{formal}`" if "[" in formal else formal
    cells = (formal + (f"; {prose}" if prose else ""), facts.get("Dtypes", ""))
    return " | ".join(cell.replace("|", "\\|") for cell in cells)


def _parameter(parameter: inspect.Parameter) -> str:
    star = "*" if parameter.kind is parameter.VAR_POSITIONAL else ""
    default = "" if parameter.default is parameter.empty else f"={parameter.default!r}"
    return f"{star}{parameter.name}{default}"


def namespace(name: str) -> str:
    module = getattr(ag, name)
    found = [(each, getattr(module, each)) for each in sorted(module.__all__)]
    rows = "".join(member(each, function, skipped=0, facts=True) for each, function in found)
    head = "| | shapes | dtypes | what |\n|---|---|---|---|\n"
    return f"\n## `agir.{name}`\n\n{inspect.getdoc(module)}\n\n{head}{rows}".replace("``", "`")


def section(name: str) -> str:
    kind = getattr(ag, name)
    text = inspect.getdoc(kind).replace("``", "`").replace("::\n", ":\n")
    own = {n: v for n, v in vars(kind).items() if n[0] != "_" and not hasattr(Staged, n)}
    rows = "".join(member(found, each) for found, each in own.items())
    return f"\n## `agir.{name}`\n\n{text}\n\n| | what |\n|---|---|\n{rows}"


def member(name: str, function: Any, skipped: int = 1, facts: bool = False) -> str:
    what = " ".join(inspect.getdoc(function).split("\n\n")[0].split()).replace("``", "`")
    cells = f" {_facts(function)} |" if facts else ""
    if isinstance(function, (property, type)):
        return f"| `{name}` |{cells} {what} |\n"
    parameters = list(inspect.signature(function).parameters.values())[skipped:]
    return f"| `{name}({', '.join(map(_parameter, parameters))})` |{cells} {what} |\n"


def page() -> str:
    rows = "".join(row(name) for name in sorted(operations.__all__))
    spaces = "".join(map(namespace, NAMESPACES))
    return HEAD + rows + spaces + "".join(map(section, CLASSES))


def test_the_page_lists_the_operations_as_they_are():
    assert PAGE.read_text() == page(), "run `make docs`"


@pytest.mark.parametrize("name", sorted(operations.__all__))
def test_an_operation_says_what_it_does(name):
    operation = getattr(ag, name)
    assert callable(operation)
    assert len(inspect.getdoc(operation)) > 8
    assert inspect.signature(operation)


@pytest.mark.parametrize(
    ("space", "name"), [(s, n) for s in NAMESPACES for n in getattr(ag, s).__all__]
)
def test_a_function_of_a_namespace_says_what_it_does(space, name):
    function = getattr(getattr(ag, space), name)
    assert callable(function)
    assert len(inspect.getdoc(function)) > 8
    assert list(getattr(ag, space).__all__) == sorted(getattr(ag, space).__all__)


INSIDE = {
    # what the functions of the namespaces, and NumPy's, are composed of
    "convolve", "pool_windows", "cummax", "cummin",
    "svdvals", "cofactors", "expm_derivative", "pseudo_inverse",
    "fill_like", "getitem", "same_bits", "scatter",
    "binned_totals", "max_or_least", "min_or_greatest",  # histograms
    *(name for name in TABLE if name.startswith("fourier_")),
    "array",  # agir.numpy.asarray
    "take_reached",  # of np.take, np.compress
    "random_bits", "random_exponential", "random_gumbel", "random_normal", "random_permutation",
    "random_state", "random_truncated_normal", "random_uniform",
}  # fmt: skip


def test_every_operation_of_the_table_can_be_reached():
    found = [getattr(operations, name) for name in operations.__all__]
    public = {id(getattr(each, "origin", each)) for each in found}
    hidden = {name for name, operation in TABLE.items() if id(operation) not in public}
    methods = {name for name in hidden if hasattr(ag.Tensor, name)}
    numpy = {name for name in hidden if TABLE[name].numpy}
    wrapped = hidden & set(operations.__all__)
    spaces = {name for space in NAMESPACES for name in getattr(ag, space).__all__}
    of_libraries = {name for name in hidden if name.startswith("scipy.")}  # made when called
    left = hidden - methods - numpy - wrapped - spaces - of_libraries - INSIDE
    assert not left, (
        f"give {left} a line in agir/operations.py or a namespace of agir, numpy=(np.f,) in the row, "
        "or add it to INSIDE where only others are composed of it"
    )


if __name__ == "__main__":
    PAGE.write_text(page())
