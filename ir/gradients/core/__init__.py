"""The reverse sweep itself, and what its rules are made of."""
