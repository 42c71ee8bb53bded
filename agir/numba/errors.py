"""Numba's names for errors and warnings: the errors are agir's."""

from agir import errors as _errors

NumbaError = _errors.AgirError
TypingError = CompilerError = UnsupportedError = LoweringError = _errors.StagingError
ForbiddenConstruct = UnsupportedBytecodeError = ConstantInferenceError = _errors.StagingError
LiteralTypingError = RequireLiteralValue = ForceLiteralArg = _errors.StagingError
NumbaTypeError = _errors.OperandTypeError
NumbaValueError = _errors.OperandValueError
NumbaIndexError = _errors.RuntimeIndexError
InternalError = _errors.InternalError


class NumbaWarning(Warning):
    """What programs filter; agir gives none of these."""


class NumbaPerformanceWarning(NumbaWarning):
    """See `NumbaWarning`."""


class NumbaDeprecationWarning(NumbaWarning, DeprecationWarning):
    """See `NumbaWarning`."""


class NumbaPendingDeprecationWarning(NumbaWarning, PendingDeprecationWarning):
    """See `NumbaWarning`."""


class NumbaExperimentalFeatureWarning(NumbaWarning):
    """See `NumbaWarning`."""


class NumbaTypeSafetyWarning(NumbaWarning):
    """See `NumbaWarning`."""


class NumbaParallelSafetyWarning(NumbaWarning):
    """See `NumbaWarning`."""
