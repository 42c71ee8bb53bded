"""Which line makes a NaN or an infinity, or touches memory outside of an array.

`sanitized` decorates a function as `ag.jit` does.  A pass has the code note the number of the first
operation that gives a NaN or an infinity of numbers that are none, and of the first access of a
buffer out of its bounds, which is made at its first element instead.  After the call the user's
line is in the error.
"""

import ctypes
import functools

import agir as ag
from agir.ir.building.locations import describe
from agir.plugins import Graph, Pass, after, before, constant, mlir, op

ARITHMETIC = ("addf", "subf", "mulf", "divf", "remf")
FUNCTIONS = ("sqrt", "log", "log2", "log10", "log1p", "exp", "powf", "sin", "cos", "tan", "asin")
NUMBERS = [*(f"arith.{each}" for each in ARITHMETIC), *(f"math.{each}" for each in FUNCTIONS)]
ACCESSES = {"memref.load": 1, "memref.store": 2}
"""What accesses memory, and the operand at which the indices begin."""


class Sanitizer:
    """What has gone wrong in a function: ``sanitizer.pass_`` goes to `jit`."""

    def __init__(self):
        self._site = ctypes.c_int64(0)  # the number of a site, 0 for none: code knows its address
        self._sites = []
        self.pass_ = Pass(self._insert, name="sanitize", stage="llvm", effects=True)

    def check(self):
        """Raise what has been noted since the last look."""
        number, self._site.value = self._site.value, 0
        if number:
            kind, message = self._sites[number - 1]
            raise kind(message)

    def _insert(self, module):
        graph = Graph(module)
        for each in graph.find(*NUMBERS):
            with after(each):
                bad = is_special(each.results[0])
                for operand in each.operands:
                    bad = op("arith.andi", bad.type, bad, negated(is_special(operand)))
                self._note(bad, FloatingPointError, each, "a NaN or an infinity")
        for each in graph.find(*ACCESSES):
            first = ACCESSES[each.name]
            for axis, position in enumerate(range(first, len(each.operands))):
                with before(each):
                    index, zero = each.operands[position], constant(mlir().IndexType.get(), 0)
                    number = constant(index.type, axis)
                    size = op("memref.dim", index.type, each.operands[first - 1], number)
                    outside = compare("arith.cmpi", 9, index, size)  # unsigned: not below the size
                    what = f"an access outside of the array, along axis {axis}"
                    self._note(outside, IndexError, each, what)
                    each.operands[position] = op("arith.select", index.type, outside, zero, index)

    def _note(self, bad, kind, operation, what):
        """Write the number of a site to memory, if something is bad and there is none yet."""
        self._sites.append((kind, f"{what} ({operation.name}), at {describe(operation.location)}"))
        word = mlir().IntegerType.get_signless(64)
        place = constant(word, ctypes.addressof(self._site))
        pointer = op("llvm.inttoptr", mlir().Type.parse("!llvm.ptr"), place)
        if hasattr(bad.type, "shape"):  # of several lanes
            kind = mlir().Attribute.parse("#vector.kind<or>")
            bad = op("vector.reduction", bad.type.element_type, bad, kind=kind)
        old = op("llvm.load", word, pointer)
        is_first = op("arith.andi", bad.type, bad, compare("arith.cmpi", 0, old, constant(word, 0)))
        new = op("arith.select", word, is_first, constant(word, len(self._sites)), old)
        mlir().Operation.create("llvm.store", operands=[new, pointer])


def is_special(value):
    """Whether a number is a NaN or an infinity: less itself it is no zero."""
    difference = op("arith.subf", value.type, value, value)
    return compare("arith.cmpf", 14, difference, difference)  # uno


def compare(name, predicate, left, right):
    """A comparison, also lane by lane."""
    truth = mlir().IntegerType.get_signless(1)
    shape = getattr(left.type, "shape", None)
    kind = truth if shape is None else mlir().VectorType.get(shape, truth)
    word = mlir().IntegerType.get_signless(64)
    return op(name, kind, left, right, predicate=mlir().IntegerAttr.get(word, predicate))


def negated(truth):
    """The opposite of a truth value, also lane by lane."""
    one = mlir().IntegerAttr.get(mlir().IntegerType.get_signless(1), 1)
    if hasattr(truth.type, "shape"):
        one = mlir().DenseElementsAttr.get_splat(truth.type, one)
    return op("arith.xori", truth.type, truth, op("arith.constant", truth.type, value=one))


def sanitized(function=None, *, passes=(), **options):
    """``ag.jit``, with each call looked at: FloatingPointError and IndexError name the user's line."""
    if function is None:
        return functools.partial(sanitized, passes=passes, **options)
    sanitizer = Sanitizer()
    compiled = ag.jit(function, passes=[*passes, sanitizer.pass_], **options)

    @functools.wraps(function)
    def call(*args, **kwargs):
        try:
            return compiled(*args, **kwargs)
        finally:
            sanitizer.check()

    return call
