"""MLIR's dialect ``emitc`` as a stage, and a back end that has gcc compile the stage ``c``."""

import ctypes
import subprocess
import tempfile
from pathlib import Path

import numpy as np
from torch_mlir.runtime import get_ranked_memref_descriptor, ranked_memref_to_numpy
from torch_mlir.runtime.np_to_memref import as_ctype, make_nd_memref_descriptor

import agir as ag
from agir.backends.cpu import engine
from agir.backends.mlir.modules import symbols
from agir.backends.mlir.passes import apply
from agir.plugins import Backend, Stage, walk

LOWERED = "convert-scf-to-emitc,convert-math-to-emitc,convert-arith-to-emitc,canonicalize"
OPTIONS = ["-O1", "-ffp-contract=off", "-w", "-shared", "-fPIC", "-lm", "-o"]


def to_emitc(module, _):
    if any("memref" in str(value.type) for each in walk(module) for value in each.operands):
        raise ag.errors.UnsupportedOperation("only functions of numbers become emitc")
    apply(module, LOWERED)
    return module


class Caller:
    """Calls a function of C's with NumPy's arrays as MLIR's descriptors."""

    def __init__(self, function, kinds, dtypes):
        self.function = function
        self.ranks = [kind.rank if hasattr(kind, "rank") else None for kind in kinds]
        self.dtypes = dtypes

    def __call__(self, arguments):
        arrays = [np.ascontiguousarray(each).reshape(np.shape(each)) for each in arguments]
        given = [
            get_ranked_memref_descriptor(array) if isinstance(each, np.ndarray) else number(array)
            for each, array in zip(arguments, arrays, strict=True)
        ]
        results = [self.room(*each) for each in zip(self.ranks, self.dtypes, strict=False)]
        results += [np.zeros((), np.int64) for _ in self.ranks[len(results) :]]  # of an error
        self.function(*given, *map(pointer, results))
        for each, array in zip(arguments, arrays, strict=True):
            if isinstance(each, np.ndarray) and each.flags.writeable:
                each[...] = array  # which may be a copy
        bases = {array.ctypes.data for array in arrays}
        return [self.taken(bases, *each) for each in zip(results, self.ranks, strict=True)]

    @staticmethod
    def room(rank, dtype):
        if rank is None:
            return np.zeros((), dtype)
        return make_nd_memref_descriptor(rank, as_ctype(dtype))()

    @staticmethod
    def taken(bases, made, rank):
        if rank is None:
            return made[()]
        found = ranked_memref_to_numpy([made]).copy()
        if made.allocated not in bases:
            ctypes.CDLL(None).free(ctypes.c_void_p(made.allocated))
        return found


def number(value):
    return np.ctypeslib.as_ctypes_type(value.dtype)(value[()])


def pointer(result):
    is_number = isinstance(result, np.ndarray)
    return ctypes.c_void_p(result.ctypes.data) if is_number else ctypes.byref(result)


def load(program, entry):
    """The back end: gcc's code of the function, or the CPU back end's where there is no C of it."""
    try:
        text = program.get("c")
    except ag.errors.UnsupportedOperation:
        return engine.load(program, entry)
    function = symbols(program.get("bufferized"))[entry.name].attributes["function_type"].value
    if any("complex" in str(kind) and "memref" not in str(kind) for kind in function.inputs):
        return engine.load(program, entry)  # ctypes has no complex numbers
    folder = Path(tempfile.mkdtemp(prefix="agir-gcc-"))
    (folder / "program.c").write_text(text)
    subprocess.run(["gcc", folder / "program.c", *OPTIONS, folder / "program.so"], check=True)
    compiled = getattr(ctypes.CDLL(str(folder / "program.so")), f"agir_{entry.name}")
    dtypes = [each for n, each in enumerate(entry.dtypes) if n not in entry.in_place]
    return Caller(compiled, function.results, dtypes)


ag.register(Stage("emitc", ".mlir", "the dialect of C", "loops", to_emitc))
ag.register(Backend("gcc", "C compiled by gcc", load, in_place=True))
