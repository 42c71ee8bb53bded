"""The table of derivative rules: one for each operation of the `hlo` stage."""

# ruff: noqa: F401 (importing them fills the table)

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
