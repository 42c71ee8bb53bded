"""Passes around bufferization:

where results are written, which copies are made, when buffers are freed.
"""
