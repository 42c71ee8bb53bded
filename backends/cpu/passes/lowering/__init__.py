"""Passes on the way to the LLVM dialect and in it."""
