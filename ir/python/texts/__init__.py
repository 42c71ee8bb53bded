"""Text of the run time, and what prints it."""
