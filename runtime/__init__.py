"""What a caller holds: tensors, decorated functions, and the machinery of their calls."""
