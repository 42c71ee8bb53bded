"""Which iterations of a loop touch the same memory: subscripts, arrays, independence."""
