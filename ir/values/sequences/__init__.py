"""Lists, tuples and queues of run-time length, and what goes through them."""
