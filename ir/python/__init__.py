"""Python's builtins and containers where they meet run-time values."""
