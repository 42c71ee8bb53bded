"""Passes over tensors, before there are buffers: simplification, fusion, rematerialization."""
