"""Generator functions as functions from one `yield` to the next."""
