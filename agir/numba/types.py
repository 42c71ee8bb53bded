"""Numba's ``types``."""

from __future__ import annotations

from typing import Any

from agir.numba.addresses import function_of
from agir.runtime.declared.types import *  # noqa: F403 - they are these

__ag_convert__ = True


class WrapperAddressProtocol:
    """A function at an address: ``__wrapper_address__`` gives that, ``signature`` its types."""

    def __wrapper_address__(self) -> int:
        raise NotImplementedError("a wrapper of an address gives it")

    def signature(self) -> Any:
        """The types of the arguments and of the result."""
        raise NotImplementedError("a wrapper of an address tells its signature")

    def __call__(self, *args: Any) -> Any:
        """Call the function."""
        return function_of(self)(*args)
