"""What several passes ask: ranges, aliases, sizes of buffers, and what a loop carries."""
