"""Python values known only at run time, and their abstract values."""
