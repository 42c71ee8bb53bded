"""Numba's public names: `docs/from_numba.md` has each, and says the truth of it."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

import agir.numba as numba

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
    b1 bool_ boolean byte c16 c8 cfunc char complex128 complex64 deferred_type double
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


def test_unknown_names() -> None:
    with pytest.raises(AttributeError, match=r"^agir.numba has no 'nijt'$"):
        numba.nijt  # noqa: B018
