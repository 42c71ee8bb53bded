"""What lives longer than a call: variables, generators, TensorArrays, modules."""
