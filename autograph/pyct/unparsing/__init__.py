"""Source code from syntax trees, one file a part of the grammar."""
