"""What converters share: the context, and passes that others begin with."""
