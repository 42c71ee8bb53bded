"""What families of operations share: operands, checks, layouts in memory, masks."""
