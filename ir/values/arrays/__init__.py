"""Arrays that are one of several, parts of others, or rows of a TensorArray."""
