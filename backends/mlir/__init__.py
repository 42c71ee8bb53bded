"""Working on MLIR modules: looking at them, running passes, checking, drawing."""
