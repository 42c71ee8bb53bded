"""A polynomial as it is written, and as the e-graph has it."""

import numpy as np
from agir_egglog import optimize

import agir as ag


def polynomial(x):
    return x * x * x * x + 3.0 * x * x * x + 3.0 * x * x + 5.0 * x


def operations(function, *args):
    text = function.experimental_get_compiler_ir(*args)("optimized_hlo")
    return sum(text.count(name) for name in ("arith.addf", "arith.mulf", "arith.subf"))


plain, smaller = ag.jit(polynomial), ag.jit(polynomial, passes=[optimize])
before, after = operations(plain, 2.0), operations(smaller, 2.0)
print(f"{before} operations become {after}")
print(smaller.experimental_get_compiler_ir(2.0)("optimized_hlo"))
assert after < before
assert [smaller(float(n)) for n in range(9)] == [polynomial(float(n)) for n in range(9)]
x = np.linspace(-3, 3, 101)
np.testing.assert_allclose(smaller(x), polynomial(x), rtol=1e-12, atol=1e-12)


def shared(x):
    y = x * x + x
    return y, y * x + y


assert ag.jit(shared, passes=[optimize])(3.0) == shared(3.0)
