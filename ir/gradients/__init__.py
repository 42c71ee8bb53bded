"""Derivatives: reverse mode from MLIR to MLIR, on the `hlo` stage."""
