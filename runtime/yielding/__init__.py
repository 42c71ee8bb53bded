"""Generators for callers of `jit`: what runs a generator function from one `yield` to the next."""
