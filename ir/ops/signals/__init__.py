"""Convolutions, pooling, windows, transforms, polynomials, and what networks are made of."""
