"""A loop in C, compiled by gcc: ``AGIR_BACKEND=gcc`` does the same for any program."""

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
def horner(x):
    total = 0.0
    for k in range(9):
        total = total * x + 1.0 / (k + 1)
    return total


by_agir = collatz(27), horner(0.5)
with ag.config.scope(backend="gcc"):
    by_gcc = [ag.jit(f.python_function)(x) for f, x in ((collatz, 27), (horner, 0.5))]
print(horner.experimental_get_compiler_ir(0.5)("c"))
assert by_gcc == [*by_agir], (by_gcc, by_agir)
assert by_gcc[0] == 111
print("gcc agrees:", *by_gcc)
with ag.config.scope(backend="gcc"):
    assert ag.jit(lambda x: x + 1.0)(np.ones(2))[1] == 2.0, "arrays are left to the CPU back end"
