"""How many digits of a result are significant: stochastic arithmetic, after Monte Carlo arithmetic.

A pass has each sum, difference, product and quotient changed at random in its last place.  Where
results of the same call differ, these digits say nothing.  What is random is a hash of the result,
of the number of the operation and of a seed, which lies in memory: one compilation serves all
samples.
"""

import ctypes

import numpy as np

import agir as ag
from agir.plugins import Graph, Pass, after, mlir, op

NAMES = ("arith.addf", "arith.subf", "arith.mulf", "arith.divf")
LAST_PLACE = {"f64": (2.0**-52, 64), "f32": (2.0**-23, 32)}
MIXED = (0x2545F4914F6CDD1D, 0x1E3779B97F4A7C15)


class Stochastic:
    """Stochastic arithmetic for a function: ``stochastic.pass_`` goes to `jit`."""

    def __init__(self):
        self.seed = ctypes.c_int64(0)
        # what it makes knows the address of the seed, so code is for this process only
        self.pass_ = Pass(self._perturb, name="stochastic", stage="llvm", effects=True)

    def _perturb(self, module):
        for number, each in enumerate(Graph(module).find(*NAMES)):
            kind = each.results[0].type
            if str(getattr(kind, "element_type", kind)) in LAST_PLACE:
                with after(each):
                    changed, users = self._changed(each.results[0], number)
                each.results[0].replace_all_uses_except(changed, users)

    def _changed(self, value, number):
        """A value and up to one last place, and the operations that use the value itself."""
        kind = value.type
        place, bits = LAST_PLACE[str(getattr(kind, "element_type", kind))]
        word = mlir().IntegerType.get_signless(64)
        pointer = op("llvm.inttoptr", mlir().Type.parse("!llvm.ptr"), number_of(word, self.address))
        seed = op("arith.xori", word, op("llvm.load", word, pointer), number_of(word, number * 977))
        words = like(kind, word)
        if words != word:
            seed = op("vector.broadcast", words, seed)
        pattern = op("arith.bitcast", like(kind, mlir().IntegerType.get_signless(bits)), value)
        first = pattern
        if bits < 64:
            pattern = op("arith.extui", words, pattern)
        hashed = op("arith.xori", words, pattern, seed)
        for factor in MIXED:
            hashed = op("arith.muli", words, hashed, number_of(words, factor))
            high = op("arith.shrui", words, hashed, number_of(words, 32))
            hashed = op("arith.xori", words, hashed, high)
        noise = op("arith.sitofp", kind, hashed)
        noise = op("arith.mulf", kind, noise, number_of(kind, place * 2.0**-63))
        change = op("arith.mulf", kind, noise, value)
        changed = op("arith.addf", kind, value, change)
        return changed, [each.owner.operation for each in (first, change, changed)]

    @property
    def address(self):
        return ctypes.addressof(self.seed)


def like(kind, element):
    """The type of as many of another element."""
    shape = getattr(kind, "shape", None)
    return element if shape is None else mlir().VectorType.get(shape, element)


def number_of(kind, number):
    """A constant, or a vector of it."""
    element = getattr(kind, "element_type", kind)
    get = mlir().IntegerAttr.get if isinstance(number, int) else mlir().FloatAttr.get
    attribute = get(element, number)
    if kind != element:
        attribute = mlir().DenseElementsAttr.get_splat(kind, attribute)
    return op("arith.constant", kind, value=attribute)


def significant_digits(function, *args, samples=30):
    """The decimal digits of each result that samples of stochastic arithmetic have in common."""
    stochastic = Stochastic()
    sampled = ag.jit(function, passes=[stochastic.pass_])
    found = []
    for seed in range(samples):
        stochastic.seed.value = seed * 0x1F3D5B79
        found.append(sampled(*args))
    results = np.asarray(found, float)
    mean, spread = np.abs(results.mean(axis=0)), results.std(axis=0)
    with np.errstate(divide="ignore", invalid="ignore"):
        digits = -np.log10(spread / mean)
    return np.clip(np.where(spread == 0, 17.0, digits), 0.0, 15.95)
