"""What compiled code asks of the host: printed text, messages, Python functions."""
