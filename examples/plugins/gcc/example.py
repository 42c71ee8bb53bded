"""A loop and a sum in C, compiled by gcc: ``AGIR_BACKEND=gcc`` does the same for any program."""

import numpy as np

import agir as ag


@ag.jit
def collatz(n):
    steps = 0
    while n != 1:
        n = n // 2 if n % 2 == 0 else 3 * n + 1
        steps += 1
    return steps


@ag.jit
def norms(x):
    x -= x.mean()
    return np.sqrt((x * x).sum(axis=1))


x = np.arange(12.0).reshape(3, 4)
by_agir = collatz(27), norms(x.copy())
with ag.config.scope(backend="gcc"):
    by_gcc = [ag.jit(f.python_function)(v) for f, v in ((collatz, 27), (norms, x))]
print(norms.experimental_get_compiler_ir(x)("c"))
assert "emitc.do" in collatz.experimental_get_compiler_ir(27)("emitc")
np.testing.assert_allclose(by_gcc[1], by_agir[1])
assert by_gcc[0] == by_agir[0] == 111
assert abs(x.sum()) < 1e-12, "an argument is changed in place"
print("gcc agrees:", *by_gcc)
