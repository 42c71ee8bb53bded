"""Numba's ``core``, as far as programs name it: ``core.types`` and ``core.errors``."""

import sys as _sys

from agir.numba import errors as errors
from agir.numba import types as types
from agir.numba.configuration import config as config

_sys.modules.update({f"{__name__}.errors": errors, f"{__name__}.types": types})
