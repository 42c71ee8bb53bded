"""Machine code, read: object files, assembly, the size of frames."""
