"""Lists and objects that are known by their numbers, and lie side by side in tables."""
