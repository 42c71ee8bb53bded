"""Functions of numbers as C, by MLIR's dialect ``emitc``: two stages, and a back end with gcc."""

import ctypes
import subprocess
import tempfile
from pathlib import Path

import numpy as np

import agir as ag
from agir.backends.cpu import engine
from agir.backends.mlir.passes import apply
from agir.plugins import Backend, Stage, walk

TYPES = {"f64": "double", "f32": "float", "i1": "bool", "index": "size_t"}
TYPES |= {f"{u}i{n}": f"{u}int{n}_t" for n in (8, 16, 32, 64) for u in ("", "u")}
TYPES |= {f"!emitc.{name}": name for name in ("size_t", "ptrdiff_t")}
BINARY = {"add": "+", "sub": "-", "mul": "*", "div": "/", "rem": "%", "logical_and": "&&"}
BINARY |= {"bitwise_and": "&", "bitwise_or": "|", "bitwise_xor": "^", "logical_or": "||"}
BINARY |= {"bitwise_left_shift": "<<", "bitwise_right_shift": ">>"}
VALUES = {name: "{0} " + sign + " {1}" for name, sign in BINARY.items()}
VALUES |= {"variable": "", "load": "{0}", "unary_minus": "-{0}", "bitwise_not": "~{0}"}
VALUES |= {"logical_not": "!{0}", "cast": "({type}){0}", "cmp": "{0} {predicate} {1}"}
VALUES |= {"conditional": "{0} ? {1} : {2}"}
PREDICATES = ("==", "!=", "<", "<=", ">", ">=")
LOWERED = "convert-scf-to-emitc,convert-math-to-emitc,convert-arith-to-emitc,canonicalize"
HEAD = "\n".join(f"#include <{each}.h>" for each in ("math", "stdbool", "stddef", "stdint"))


def to_emitc(module, _):
    if any("memref" in str(value.type) for each in walk(module) for value in each.operands):
        raise ag.errors.UnsupportedOperation("only functions of numbers become C")
    apply(module, LOWERED)
    return module


class Writer:
    """The text of a function in C."""

    def __init__(self, function):
        self.lines, self.names = [], {}
        kind = function.attributes["function_type"].value
        block = function.regions[0].blocks[0]
        given = [f"{TYPES[str(each.type)]} {self.name(each)}" for each in block.arguments]
        given += [f"{TYPES[str(each)]} *result{n}" for n, each in enumerate(kind.results)]
        self.body(f"void {function.attributes['sym_name'].value}({', '.join(given)})", block)

    def name(self, value):
        return self.names.setdefault(value, f"v{len(self.names)}")

    def body(self, head, *blocks):
        self.lines.append(f"{head} {{")
        for each in blocks:
            for view in each.operations:
                self.operation(view.operation, *map(self.name, view.operation.operands))
        self.lines.append("}")

    def operation(self, each, *given):
        kind = each.name.rpartition(".")[2]
        blocks = [block for region in each.regions for block in region.blocks]
        if kind == "for":
            i = self.name(blocks[0].arguments[0])
            head = f"size_t {i} = {given[0]}; {i} < {given[1]}; {i} += {given[2]}"
            self.body(f"for ({head})", *blocks)
        elif kind == "if":
            for head, block in zip((f"if ({given[0]})", "else"), blocks, strict=False):
                self.body(head, block)
        elif kind == "do":
            self.body("for (;;)", *blocks)
        elif kind == "expression":
            self.names.update(zip(blocks[0].arguments, given, strict=True))
            for one in blocks[0].operations:
                self.operation(one.operation, *map(self.name, one.operation.operands))
            self.names[each.results[0]] = self.name(one.operation.operands[0])
        elif kind == "yield" and each.parent.name == "emitc.do":
            self.lines += [f"if (!{value}) break;" for value in given]
        elif kind == "return":
            self.lines += [f"*result{n} = {value};" for n, value in enumerate(given)]
        elif kind == "assign":
            self.lines.append(f"{given[0]} = {given[1]};")
        elif kind != "yield":
            value = each.results[0]
            name = TYPES[str(value.type).replace("!emitc.lvalue<", "").removesuffix(">")]
            text = self.computed(each, kind, name, given)
            self.lines.append(f"{name} {self.name(value)}{text and f' = {text}'};")

    def computed(self, each, kind, name, given):
        if kind == "constant":
            return literal(each.attributes["value"])
        if kind == "call_opaque":
            return f"{each.attributes['callee'].value}({', '.join(given)})"
        if kind not in VALUES:
            raise ag.errors.UnsupportedOperation(f"{each.name} has no text in C")
        sign = PREDICATES[each.attributes["predicate"].value] if kind == "cmp" else ""
        return VALUES[kind].format(*given, type=name, predicate=sign)


def literal(attribute):
    number = getattr(attribute, "value", None)
    if isinstance(number, float):
        special = {"inf": "INFINITY", "-inf": "-INFINITY", "nan": "NAN"}
        return special.get(str(number), number.hex())
    least = number == -(2**63)  # the least number has no text of its own
    return f"({number + 1} - 1)" if least else str(attribute).partition(" :")[0]


def to_c(module, _):
    functions = [each for each in walk(module) if each.name == "func.func"]
    return "\n".join([HEAD, *(line for each in functions for line in Writer(each).lines), ""])


def load(program, entry):
    """The back end: gcc's code of the function, or the CPU back end's where it is not of numbers."""
    try:
        text = program.get("c")
    except ag.errors.UnsupportedOperation:
        return engine.load(program, entry)
    folder = Path(tempfile.mkdtemp(prefix="agir-gcc-"))
    (folder / "program.c").write_text(text)
    options = ["-O2", "-fwrapv", "-shared", "-fPIC", "-lm", "-o"]
    subprocess.run(["gcc", folder / "program.c", *options, folder / "program.so"], check=True)
    function = getattr(ctypes.CDLL(str(folder / "program.so")), entry.name)

    def run(arguments):
        results = [np.zeros((), kind) for kind in entry.dtypes]
        given = [np.ctypeslib.as_ctypes_type(np.asarray(a).dtype)(a) for a in arguments]
        function(*given, *(ctypes.c_void_p(each.ctypes.data) for each in results))
        return [each[()] for each in results]

    return run


ag.register(Stage("emitc", ".mlir", "the dialect of C", "loops", to_emitc))
ag.register(Stage("c", ".c", "C, of functions of numbers", "emitc", to_c))
ag.register(Backend("gcc", "C compiled by gcc", load, in_place=True))
