"""Numba's ``core``, as far as programs name it."""

from agir.config import config as config
from agir.numba import errors as errors
from agir.numba import types as types
