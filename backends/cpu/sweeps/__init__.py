"""Loops over arrays that are made around several operations at once (see ``fuse_sweeps``)."""
