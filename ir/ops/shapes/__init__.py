"""Arrays made, reshaped, joined, repeated and rearranged."""
