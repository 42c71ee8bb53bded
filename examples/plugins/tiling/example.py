"""An array and another one, transposed: without tiles each element of the latter is another cache
line."""

import numpy as np
from agir_tiling import tiling, trials

import agir as ag


def with_transposed(a, b):
    return 2.0 * a + b.T


a, b = np.random.default_rng(0).random((2, 1024, 1024))
found = trials(with_transposed, a, b, repeat=3)
for trial in found:
    print(f"{trial.sizes!s:9} {1e3 * trial.seconds:6.2f} ms")
tiled = ag.jit(with_transposed, passes=[tiling(16, 16)])
stages = tiled.experimental_get_compiler_ir(a, b)
assert stages("loops").count("scf.for") > stages("bufferized").count("scf.for") + 2
np.testing.assert_array_equal(found[0].function(a, b), 2.0 * a + b.T)
print("the fastest:", found[0].sizes)
