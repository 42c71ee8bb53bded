"""Functions of single elements, and of two that are broadcast."""
