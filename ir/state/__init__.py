"""What outlives a statement or a call: variables and TensorArrays."""
