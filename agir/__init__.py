"""agir: Python with data-dependent control flow, compiled to native code through MLIR.

``@agir.function`` compiles under TensorFlow's conventions, ``@agir.jit`` under NumPy's::

    import agir as ag

    @ag.jit
    def collatz(n):
        steps = 0
        while n != 1:
            n = n // 2 if n % 2 == 0 else 3 * n + 1
            steps += 1
        return steps

    collatz(27)  # 111, from native code
"""

import importlib as _importlib
import os.path as _files
import typing as _typing

if not _files.isdir(_files.join(__path__[0], "ir")):
    # In a checkout the other layers lie beside this folder.  Whoever finds it there, as programs and
    # `python -m` in the checkout do, gets them from the same place, installed or not.
    __path__.append(_files.dirname(__path__[0]))

from agir import autograph as autograph
from agir import errors as errors
from agir.config import config as config
from agir.ir import hooks as _hooks
from agir.ir.building.types import DType as DType
from agir.ir.building.types import TensorSpec as TensorSpec
from agir.ir.building.types import as_dtype as as_dtype
from agir.ir.building.types import bfloat16 as bfloat16
from agir.ir.building.types import bool_ as bool_
from agir.ir.building.types import complex64 as complex64
from agir.ir.building.types import complex128 as complex128
from agir.ir.building.types import float16 as float16
from agir.ir.building.types import float32 as float32
from agir.ir.building.types import float64 as float64
from agir.ir.building.types import int8 as int8
from agir.ir.building.types import int16 as int16
from agir.ir.building.types import int32 as int32
from agir.ir.building.types import int64 as int64
from agir.ir.building.types import uint8 as uint8
from agir.ir.building.types import uint16 as uint16
from agir.ir.building.types import uint32 as uint32
from agir.ir.building.types import uint64 as uint64
from agir.ir.tensors.tensor import Tensor as Tensor
from agir.runtime.decorators import function as function
from agir.runtime.decorators import jit as jit
from agir.runtime.tensor import constant as constant
from agir.runtime.tensor import convert_to_tensor as convert_to_tensor
from agir.version import __version__ as __version__

bool = bool_
half, double = float16, float64
newaxis = None

if _typing.TYPE_CHECKING:
    from agir import bitwise as bitwise
    from agir import cache as cache
    from agir import debugging as debugging
    from agir import dtypes as dtypes
    from agir import linalg as linalg
    from agir import math as math
    from agir import nest as nest
    from agir import nn as nn
    from agir import numpy as numpy
    from agir import plugins as plugins
    from agir import random as random
    from agir import types as types
    from agir.c_functions import *  # noqa: F403
    from agir.classes import *  # noqa: F403 - a table of public names, as are those below
    from agir.control_flow import *  # noqa: F403
    from agir.differentiation import *  # noqa: F403
    from agir.operations import *  # noqa: F403
    from agir.plugins import register as register
    from agir.ufuncs import *  # noqa: F403
else:  # type checkers go by the imports, and know literal lists only
    _HERE = (
        "DType",
        "Tensor",
        "TensorSpec",
        "as_dtype",
        "autograph",
        "bfloat16",
        "bool",
        "bool_",
        "complex128",
        "complex64",
        "config",
        "constant",
        "convert_to_tensor",
        "double",
        "errors",
        "float16",
        "float32",
        "float64",
        "function",
        "half",
        "int16",
        "int32",
        "int64",
        "int8",
        "jit",
        "newaxis",
        "uint16",
        "uint32",
        "uint64",
        "uint8",
    )
    """What a module of functions needs to be imported; all else is imported when it is asked for."""

    _MODULES = (
        "bitwise",
        "cache",
        "debugging",
        "dtypes",
        "linalg",
        "math",
        "nest",
        "nn",
        "numpy",
        "plugins",
        "random",
        "types",
    )

    _LATE = {"register": "plugins"}
    """Names that are taken from a module when they are asked for."""

    _RECORDER = ("runtime.provided", "runtime.unranked", "classes", "control_flow", "operations")
    """What a trace needs, whatever it records: all operations, and what stages control flow."""

    _TABLES = ("classes", "control_flow", "operations", "differentiation", "ufuncs", "c_functions")
    """Where the other public names are: what these modules export."""

    def _imported(name: str) -> object:
        from agir.ir import recording

        with recording.suspended():
            return _importlib.import_module(f"agir.{name}")

    def _recorder() -> None:
        for name in _RECORDER:
            _imported(name)

    _hooks.late.update(
        gradients=lambda: _imported("differentiation"),
        namespace=lambda: _imported("numpy"),
        recorder=_recorder,
    )

    config.have_plugins_loaded(lambda named: _imported("discovery").load(named))

    def _taken(table: str) -> list[str]:
        """Take over the names of a table; which they are."""
        module = _imported(table)
        globals().update({name: getattr(module, name) for name in module.__all__})
        return module.__all__

    def __getattr__(name: str) -> object:
        if name in _MODULES:
            return _imported(name)
        if name in _LATE:
            return getattr(_imported(_LATE[name]), name)
        if name == "__all__":
            return [
                *_HERE,
                *_MODULES,
                *_LATE,
                *(each for table in _TABLES for each in _taken(table)),
            ]
        if not name.startswith("__"):
            _recorder()
            for table in _TABLES:
                if name in _taken(table):
                    return globals()[name]
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")

    def __dir__() -> list[str]:
        return [*__getattr__("__all__"), "__version__"]
