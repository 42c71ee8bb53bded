"""Machine code on disk: what it is filed under, the files, and the folder that they lie in."""
