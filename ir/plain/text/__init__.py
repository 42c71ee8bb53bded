"""Text and bytes as lists of numbers."""
