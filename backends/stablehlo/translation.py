"""From the module of `hlo` to one of StableHLO, operation by operation."""

from __future__ import annotations

from typing import Any

from agir.backends.cpu.passes.analysis.functions import is_public
from agir.backends.mlir import legality
from agir.backends.mlir.modules import symbols
from agir.backends.mlir.passes import apply
from agir.backends.stablehlo.building import load_dialect
from agir.backends.stablehlo.control import RULES as CONTROL
from agir.backends.stablehlo.elementwise import RULES as ELEMENTWISE
from agir.backends.stablehlo.shapes import RULES as SHAPES
from agir.backends.stablehlo.structured import RULES as STRUCTURED
from agir.backends.stablehlo.translator import Translator
from agir.ir.building import bindings

__all__ = ["translate"]

_RULES = {**SHAPES, **STRUCTURED, **CONTROL}
_CLEANED = "canonicalize,cse"
_ENTRY = "main"
"""What the function is called that a runtime of StableHLO calls."""


def translate(module: Any) -> Any:
    """A module with the same functions, in StableHLO."""
    load_dialect()
    ir = bindings.ir
    made = ir.Module.create(module.operation.location)
    functions = {name: each for name, each in symbols(module).items() if each.name == "func.func"}
    defined = {name: each for name, each in functions.items() if len(each.regions[0].blocks)}
    names = {name: name for name in defined}
    public = [name for name, each in defined.items() if is_public(each)]
    if len(public) == 1:
        names[public[0]] = _ENTRY
        made.operation.attributes["sym_name"] = ir.StringAttr.get(public[0])
    translator = Translator(names, ELEMENTWISE, _RULES)
    with ir.InsertionPoint(made.body):
        for name, each in defined.items():
            with each.location:
                translator.function(names[name], each)
    legality.verify(made, "stablehlo")
    apply(made, _CLEANED)
    return made
