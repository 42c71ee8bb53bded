"""Numba's ``core.types``."""

from agir.numba.types import *  # noqa: F403 - the same names
from agir.numba.types import Type as Type
