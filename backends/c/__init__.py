"""The stage `c`: the program as C that any C11 compiler takes, arrays as MLIR's descriptors."""
