"""What makes iterators of others, and takes them apart."""
