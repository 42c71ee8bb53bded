"""What a call is like: trace types, patterns of arguments, specs."""
