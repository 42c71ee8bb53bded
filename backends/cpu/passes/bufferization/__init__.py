"""Passes around bufferization: destinations, copies, and when buffers are freed."""
