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
import typing as _typing

from agir import autograph as autograph
from agir import bitwise as bitwise
from agir import control_flow as _control_flow
from agir import dtypes as dtypes
from agir import errors as errors
from agir import math as math
from agir import nest as nest
from agir import operations as _operations
from agir import types as types
from agir.config import config as config
from agir.control_flow import *  # noqa: F403 - the table of public names
from agir.ir import hooks as _hooks
from agir.ir import trace as _trace
from agir.ir.naming import name_scope as name_scope
from agir.ir.state.variables import Variable as Variable
from agir.ir.tensor import Tensor as Tensor
from agir.ir.types import DType as DType
from agir.ir.types import TensorSpec as TensorSpec
from agir.ir.types import as_dtype as as_dtype
from agir.ir.types import bfloat16 as bfloat16
from agir.ir.types import bool_ as bool_
from agir.ir.types import complex64 as complex64
from agir.ir.types import complex128 as complex128
from agir.ir.types import float16 as float16
from agir.ir.types import float32 as float32
from agir.ir.types import float64 as float64
from agir.ir.types import int8 as int8
from agir.ir.types import int16 as int16
from agir.ir.types import int32 as int32
from agir.ir.types import int64 as int64
from agir.ir.types import uint8 as uint8
from agir.ir.types import uint16 as uint16
from agir.ir.types import uint32 as uint32
from agir.ir.types import uint64 as uint64
from agir.operations import *  # noqa: F403 - the table of public operations
from agir.runtime.decorators import function as function
from agir.runtime.decorators import jit as jit
from agir.runtime.graph import Graph as Graph
from agir.runtime.state.module import Module as Module
from agir.runtime.state.tensor_array import TensorArray as TensorArray
from agir.runtime.tensor import constant as constant
from agir.runtime.tensor import convert_to_tensor as convert_to_tensor
from agir.shapes import TensorShape as TensorShape
from agir.version import __version__ as __version__

bool = bool_
half, double = float16, float64
newaxis = None

if _typing.TYPE_CHECKING:
    from agir import cache as cache
    from agir import debugging as debugging
    from agir import linalg as linalg
    from agir import nn as nn
    from agir import numpy as numpy
    from agir import random as random
    from agir.differentiation import *  # noqa: F403 - the table of public names
else:  # type checkers go by the imports, and know literal lists only
    _MODULES = ("cache", "debugging", "linalg", "nn", "numpy", "random")
    """Loaded when they are first asked for, as the gradients are: most programs need few of them."""

    _GRADIENTS = (
        "ForwardAccumulator",
        "GradientTape",
        "custom_gradient",
        "grad",
        "gradients",
        "hessian",
        "jacfwd",
        "jacrev",
        "jvp",
        "recompute_grad",
        "stop_gradient",
        "value_and_grad",
        "vjp",
    )
    """What `agir.differentiation` exports."""

    __all__ = [
        "DType",
        "Graph",
        "Module",
        "Tensor",
        "TensorArray",
        "TensorShape",
        "TensorSpec",
        "Variable",
        "as_dtype",
        "autograph",
        "bfloat16",
        "bitwise",
        "bool",
        "bool_",
        "cache",
        "complex128",
        "complex64",
        "config",
        "constant",
        "convert_to_tensor",
        "debugging",
        "double",
        "dtypes",
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
        "linalg",
        "math",
        "name_scope",
        "nest",
        "newaxis",
        "nn",
        "numpy",
        "random",
        "types",
        "uint16",
        "uint32",
        "uint64",
        "uint8",
        *_GRADIENTS,
        *_control_flow.__all__,
        *_operations.__all__,
    ]

    def _imported(name: str) -> object:
        with _trace.suspended():
            return _importlib.import_module(f"agir.{name}")

    def _gradients() -> object:
        return _imported("differentiation")

    _hooks.late.update(
        dict.fromkeys(_hooks.OF_GRADIENTS, _gradients), namespace=lambda: _imported("numpy")
    )

    def __getattr__(name: str) -> object:
        if name in _MODULES:
            return _imported(name)
        if name in _GRADIENTS:
            module = _gradients()
            globals().update({each: getattr(module, each) for each in _GRADIENTS})
            return globals()[name]
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")

    def __dir__() -> list[str]:
        return [*__all__, "__version__"]
