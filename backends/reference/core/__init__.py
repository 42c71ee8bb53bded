"""What interpreting is made of: values, blocks, attributes, memory."""
