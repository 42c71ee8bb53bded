"""The table of derivative rules: one for each operation of the `hlo` stage."""

from agir.ir.gradients.rules import (
    arith,
    complex,
    forward,
    forward_host,
    forward_lapack,
    fourier,
    func,
    host,
    lapack,
    linalg,
    math,
    scf,
    special,
    tensor,
)

__all__ = [
    "arith",
    "complex",
    "forward",
    "forward_host",
    "forward_lapack",
    "fourier",
    "func",
    "host",
    "lapack",
    "linalg",
    "math",
    "scf",
    "special",
    "tensor",
]
