"""Numba's names for errors and warnings: the errors are agir's."""

from agir import errors as _errors

NumbaError = _errors.AgirError
ByteCodeSupportError = CompilerError = ConstantInferenceError = _errors.StagingError
ForbiddenConstruct = ForceLiteralArg = LiteralTypingError = _errors.StagingError
NotDefinedError = RedefinedError = RequireLiteralValue = TypingError = _errors.StagingError
UnsupportedBytecodeError = UnsupportedError = UnsupportedParforsError = _errors.StagingError
UnsupportedRewriteError = UntypedAttributeError = NumbaAttributeError = _errors.StagingError
NumbaNotImplementedError = _errors.StagingError
IRError = LoweringError = VerificationError = _errors.LoweringError
InternalError = NumbaAssertionError = InternalTargetMismatchError = _errors.InternalError
DeprecationError = NonexistentTargetError = _errors.UsageError
NumbaTypeError = _errors.OperandTypeError
NumbaValueError = _errors.OperandValueError
NumbaIndexError = _errors.RuntimeIndexError
NumbaKeyError = _errors.RuntimeKeyError
NumbaRuntimeError = _errors.InvalidArgumentError


class NumbaWarning(Warning):
    """What programs filter; agir gives none of these."""


class NumbaDeprecationWarning(NumbaWarning, DeprecationWarning):
    """See `NumbaWarning`."""


class NumbaPendingDeprecationWarning(NumbaWarning, PendingDeprecationWarning):
    """See `NumbaWarning`."""


class NumbaPerformanceWarning(NumbaWarning):
    """See `NumbaWarning`."""


class NumbaExperimentalFeatureWarning(NumbaWarning):
    """See `NumbaWarning`."""


class NumbaTypeSafetyWarning(NumbaWarning):
    """See `NumbaWarning`."""


class NumbaParallelSafetyWarning(NumbaWarning):
    """See `NumbaWarning`."""


class NumbaDebugInfoWarning(NumbaWarning):
    """See `NumbaWarning`."""


class NumbaIRAssumptionWarning(NumbaWarning):
    """See `NumbaWarning`."""


class NumbaInvalidConfigWarning(NumbaWarning):
    """See `NumbaWarning`."""


class NumbaPedanticWarning(NumbaWarning):
    """See `NumbaWarning`."""


class NumbaSystemWarning(NumbaWarning):
    """See `NumbaWarning`."""
