"""Numba's ``core``, as far as programs name it."""

import sys as _sys

from agir.numba import decorators as _decorators
from agir.numba import dispatchers as _dispatchers
from agir.numba import errors as errors
from agir.numba import extending as extending
from agir.numba import types as types
from agir.numba.configuration import config as config
from agir.numba.decorators import typeof as _typeof
from agir.numba.modules import module as _module

_sys.modules.update(
    {
        f"{__name__}.{_each.__name__.rpartition('.')[2]}": _each
        for _each in (config, errors, extending, types)
    }
)
decorators = _module("core.decorators", **{
    _name: getattr(_decorators, _name) for _name in ("cfunc", "jit", "jit_module", "njit")
})  # fmt: skip
dispatcher = _module("core.dispatcher", Dispatcher=_dispatchers.Dispatcher)
registry = _module("core.registry", CPUDispatcher=_dispatchers.Dispatcher)
typing = _module(
    "core.typing",
    Signature=types.Signature,
    signature=lambda return_type, *args: types.Signature(return_type, args),
    typeof=_module("core.typing.typeof", typeof=_typeof),
)
