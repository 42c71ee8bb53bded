"""What became of a program: its kernels and loops, buffers, checks, and how fast they are."""
