"""What the functions use that run a generator from one `yield` to the next, and what they give."""
