"""Numba's ``core.errors``."""

from agir.numba.errors import *  # noqa: F403 - the same names
