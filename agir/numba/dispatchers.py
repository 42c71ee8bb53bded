"""What Numba's ``jit`` gives: decorated functions with the attributes of Numba's dispatchers."""

from __future__ import annotations

import sys
from typing import Any, TextIO

from agir.ir.building.types import TensorSpec, as_dtype
from agir.numba import types
from agir.runtime.declared.reading import arguments_of
from agir.runtime.declared.types import Signature, Type
from agir.runtime.function import GenericFunction


class Dispatcher(GenericFunction[Any, Any]):
    """A function compiled for each signature that it is called with."""

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self._history.be_silent()
        self.targetoptions: dict[str, Any] = {}
        """What ``jit`` was told."""

    def compile(self, sig: Any) -> Any:
        """Compile for a signature, before any call: what a call would then find."""
        return self.get_concrete_function(*map(spec_of, arguments_of(sig)))

    @property
    def py_func(self) -> Any:
        """The function as it was written."""
        return self.python_function

    @property
    def signatures(self) -> list[tuple[Any, ...]]:
        """The types of the arguments that it is compiled for."""
        return [signature.args for signature in self.overloads]

    nopython_signatures = property(lambda self: list(self.overloads))

    @property
    def overloads(self) -> dict[Signature, Any]:
        """The concrete functions, by their signatures."""
        return {_signature(each): each for each in self._concrete.values()}

    def inspect_llvm(self, signature: Any = None) -> Any:
        """The LLVM IR: of a signature, or a dict of all."""
        return self._inspected("llvm_ir", signature)

    def inspect_asm(self, signature: Any = None) -> Any:
        """The assembly: of a signature, or a dict of all."""
        return self._inspected("asm", signature)

    def inspect_types(
        self, file: TextIO | None = None, signature: Any = None, pretty: bool = False, **_: Any
    ) -> None:
        """Print what was recorded, with its types."""
        found = self._inspected("hlo", signature)
        texts = found.values() if isinstance(found, dict) else [found]
        print("\n".join(texts), file=file or sys.stdout)

    def parallel_diagnostics(self, signature: Any = None, level: int = 1) -> None:
        """Print what became of the program: kernels, SIMD, threads, checks and memory."""
        for known, concrete in self.overloads.items():
            if signature is None or known.args == tuple(signature):
                print(concrete.explain(), file=sys.stdout)

    def _inspected(self, stage: str, signature: Any) -> Any:
        found = {
            known.args: concrete.compilation.text(stage)
            for known, concrete in self.overloads.items()
        }
        return found if signature is None else found[tuple(signature)]

    def recompile(self) -> None:
        """Forget what is compiled: globals are read anew."""
        self.clear_cache()

    def disable_compile(self, val: bool = True) -> None:
        """Accepted: calls of other types are compiled all the same."""

    def enable_caching(self) -> None:
        """Accepted: compiled code is kept on disk for every function."""

    @property
    def stats(self) -> Any:
        """How many traces were made; the cache of machine code is counted in ``ag.cache``."""
        return self.experimental_get_tracing_count()


def spec_of(kind: Any) -> Any:
    """What stands for an argument of a type."""
    if isinstance(kind, types.Array):
        return TensorSpec((None,) * kind.ndim, as_dtype(kind.dtype.dtype))
    if isinstance(kind, types.Number):
        python = types.OF_PYTHON.get(kind.dtype.name)
        return TensorSpec((), as_dtype(kind.dtype)) if python is None else python()
    raise TypeError(f"there is no signature for {kind}: it is compiled when the function is called")


def _signature(concrete: Any) -> Signature:
    given, named = concrete.structured_input_signature
    return Signature(
        _type_of(concrete.structured_outputs),
        [_type_of(each) for each in (*given, *named.values())],
    )


def _type_of(described: Any) -> Any:
    if isinstance(described, Type):
        return described
    if isinstance(described, TensorSpec) or hasattr(described, "shape"):
        item = types.of_dtype(as_dtype(described.dtype).numpy)
        rank = None if described.shape is None else len(described.shape)
        return item if rank == 0 else types.Array(item, rank or 0, "A")
    if isinstance(described, tuple):
        return types.Tuple(*map(_type_of, described))
    return types.of_value(described)
