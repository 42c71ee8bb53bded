"""Elementary functions, as MLIR that compiled programs call."""
