"""Numba's public names: `docs/from_numba.md` has each, and says the truth of it."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import pytest

import agir.numba as numba
from agir.errors import StagingError

DOCUMENT = Path(__file__).parents[2] / "docs" / "from_numba.md"
ROW = re.compile(r"^\| (`.*) \| (yes|accepted|no) \|", re.MULTILINE)
NAMES = {
    name: here
    for names, here in ROW.findall(DOCUMENT.read_text(encoding="utf-8"))
    if not names.endswith("(options)")
    for name in re.findall(r"`(\w+)`", names)
}
# What Numba 0.68 has in ``__all__``, and the modules that its reference names.
PUBLIC = """
    ByteCodeSupportError CompilerError ConstantInferenceError DeprecationError ForbiddenConstruct
    ForceLiteralArg IRError InternalError InternalTargetMismatchError LiteralTypingError
    LoweringError NonexistentTargetError NotDefinedError NumbaAssertionError NumbaAttributeError
    NumbaDebugInfoWarning NumbaDeprecationWarning NumbaError NumbaExperimentalFeatureWarning
    NumbaIRAssumptionWarning NumbaIndexError NumbaInvalidConfigWarning NumbaKeyError
    NumbaNotImplementedError NumbaParallelSafetyWarning NumbaPedanticWarning
    NumbaPendingDeprecationWarning NumbaPerformanceWarning NumbaRuntimeError NumbaSystemWarning
    NumbaTypeError NumbaTypeSafetyWarning NumbaValueError NumbaWarning RedefinedError
    RequireLiteralValue TypingError UnsupportedBytecodeError UnsupportedError
    UnsupportedParforsError UnsupportedRewriteError UntypedAttributeError VerificationError
    b1 bool bool_ boolean byte c16 c8 cfunc char complex128 complex64 deferred_type double
    experimental f4 f8 ffi ffi_forced_object float32 float64 from_dtype gdb gdb_breakpoint gdb_init
    get_num_threads get_parallel_chunksize guvectorize i1 i2 i4 i8 int16 int32 int64 int8 int_ intc
    intp jit jit_module literal_unroll long_ longlong njit none objmode optional parallel_chunksize
    prange set_num_threads set_parallel_chunksize short size_t ssize_t stencil typeof u1 u2 u4 u8
    uchar uint uint16 uint32 uint64 uint8 uintc uintp ulong ulonglong ushort vectorize void
    carray farray config core errors extending get_thread_id literally pndindex threading_layer
    typed types cuda
""".split()


def test_every_public_name_is_there() -> None:
    assert set(PUBLIC) - NAMES.keys() == set()


@pytest.mark.parametrize("name", sorted(NAMES))
def test_what_is_said_of_a_name(name: str) -> None:
    if NAMES[name] == "no":
        with pytest.raises(AttributeError, match=f"agir.numba has no '{name}': "):
            getattr(numba, name)
    else:
        assert hasattr(numba, name)


MODULES = """
from agir.numba.core import cgutils as no
from agir.numba.core.config import DISABLE_JIT
from agir.numba.core.decorators import njit
from agir.numba.core.dispatcher import Dispatcher
from agir.numba.core.errors import TypingError
from agir.numba.core.extending import overload
from agir.numba.core.registry import CPUDispatcher
from agir.numba.core.types import float64
from agir.numba.core.typing import signature
from agir.numba.core.typing.typeof import typeof
from agir.numba.np.numpy_support import as_dtype, from_dtype
from agir.numba.typed.typeddict import Dict
from agir.numba.typed.typedlist import List
from agir.numba import bool
import agir.numba.cuda
""".strip().splitlines()


@pytest.mark.parametrize("line", MODULES)
def test_modules_that_programs_import_from(line: str) -> None:
    names: dict[str, Any] = {}
    if line.endswith(" no"):
        with pytest.raises(ImportError):
            exec(line, names)
    else:
        exec(line, names)


def test_what_is_not_there_can_be_imported_and_says_why_it_cannot_be_used() -> None:
    cuda, extending = numba.cuda, numba.extending

    @extending.intrinsic(prefer_literal=True)
    def address(context, x):
        return None

    @cuda.jit
    def kernel(x):
        x[0] = 1

    assert not cuda.is_available()
    with pytest.raises(StagingError, match=r"no 'address': intrinsic: it writes LLVM IR"):
        numba.njit(lambda x: address(x))(1)
    with pytest.raises(StagingError, match=r"no 'kernel': cuda.jit: agir compiles for the CPU"):
        kernel[1, 32]([0])
    with pytest.raises(StagingError, match=r"'extending.typeof_impl': it is a part of Numba's own"):
        extending.typeof_impl.register(int)
    with pytest.raises(AttributeError, match="has no 'overlaod'"):
        extending.overlaod  # noqa: B018


def test_unknown_names() -> None:
    with pytest.raises(AttributeError, match=r"^agir.numba has no 'nijt'$"):
        numba.nijt  # noqa: B018
