"""Values that are computed again where they are read, instead of being kept in memory."""
