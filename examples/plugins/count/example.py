"""What a loop becomes, stage by stage, and what it executes."""

import numpy as np
from agir_count import Counter

import agir as ag

counter = Counter()


@ag.jit(passes=[counter.pass_])
def polynomial(coefficients, x):
    total = 0.0
    for each in coefficients:
        total = total * x + each
    return total


coefficients = np.arange(1000.0)
assert np.isclose(polynomial(coefficients, 0.5), np.polyval(coefficients, 0.5))
counts = counter.counts()
assert counts["arith.mulf"] == counts["arith.addf"] == 1000, counts
table = polynomial.experimental_get_compiler_ir(coefficients, 0.5)("operation_counts")
assert "arith.mulf" in table
print(table)
print("executed:", {name: count for name, count in counts.items() if count})
