"""From the module of `bufferized` to the text of a C file."""

from __future__ import annotations

from typing import Any

from agir.backends.c.buffers import STATEMENTS as BUFFERS
from agir.backends.c.buffers import static_array
from agir.backends.c.control import STATEMENTS as CONTROL
from agir.backends.c.elementwise import CONSTANTS, EXPRESSIONS, HELPERS
from agir.backends.c.types import declaration, joined, type_name
from agir.backends.c.writer import Writer, function_name
from agir.backends.cpu.passes.analysis.functions import is_public
from agir.backends.mlir.modules import clone_module, symbols
from agir.backends.mlir.passes import apply

__all__ = ["translate"]

_STATEMENTS = {**BUFFERS, **CONTROL}
_PREPARED = (
    "bufferization-lower-deallocations,func.func(convert-linalg-to-loops),expand-strided-metadata,"
    "lower-affine,canonicalize,cse"
)
_HEAD = """\
/* Made by agir.  An array is a descriptor; its element (i, j) is
   data[offset + i * stride[0] + j * stride[1]].  Results come back through the last
   parameters; an array whose base is none of the arguments' has been allocated, and
   free(base) releases it. */
"""
_INCLUDED = ("complex", "math", "stdbool", "stdint", "stdlib")


def translate(module: Any) -> str:
    """The text of a file with the functions of a module."""
    prepared = clone_module(module)
    apply(prepared, _PREPARED)
    found = symbols(prepared)
    defined = {
        name: each
        for name, each in found.items()
        if each.name == "func.func" and len(each.regions[0].blocks)
    }
    arrays = [static_array(each) for each in found.values() if each.name == "memref.global"]
    writers = {
        name: Writer(CONSTANTS, EXPRESSIONS, _STATEMENTS, frozenset(defined)) for name in defined
    }
    heads = {name: _function(writers[name], name, each) for name, each in defined.items()}
    types = dict.fromkeys(name for each in writers.values() for name in each.types)
    described = [declaration(name) for name in types if name.startswith("array_")]
    parts = [
        _HEAD + "\n".join(f"#include <{name}.h>" for name in _INCLUDED),
        HELPERS.rstrip(),
        "\n".join(described),
        "\n".join(arrays),
        "\n".join(f"{head};" for head in heads.values()),
        *("\n".join(writer.lines) for writer in writers.values()),
    ]
    return "\n\n".join(part for part in parts if part) + "\n"


def _function(writer: Writer, name: str, function: Any) -> str:
    """Write a function, and give its head."""
    block = function.regions[0].blocks[0]
    parameters = [f"{writer.type(each)} {writer.named(each)}" for each in block.arguments]
    results = []
    for number, kind in enumerate(function.attributes["function_type"].value.results):
        text = type_name(kind, function)
        writer.types[text] = None
        results.append(f"result{number}")
        parameters.append(f"{text} *{results[-1]}")
    static = "" if is_public(function) else "static "
    head = f"{static}void {function_name(name)}({joined(parameters) or 'void'})"
    taken = joined([str(each.type) for each in block.arguments])
    given = joined([str(each) for each in function.attributes["function_type"].value.results])
    writer.line(f"/* {name}: ({taken}) -> ({given}) */")
    writer.open(head)
    _, values = writer.body(block)
    for result, value in zip(results, values, strict=True):
        writer.line(f"*{result} = {value};")
    writer.close()
    return head
