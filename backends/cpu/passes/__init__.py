"""The passes of the CPU pipeline that MLIR does not have: one file a pass."""
