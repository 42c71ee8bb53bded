"""Statements that leave others, and those that see to what is left: plainer Python of Python."""
