"""Making a program that fails smaller, as long as it fails in the same way."""
