"""What a call of a compiled function does: places, recipes, failures."""
