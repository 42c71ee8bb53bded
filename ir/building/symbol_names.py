"""Names of the functions of a module."""

from __future__ import annotations

_OF_FLOATS = (
    "acos", "acosh", "acospi", "asin", "asinh", "asinpi", "atan", "atan2", "atan2pi", "atanh",
    "atanpi", "cbrt", "ceil", "copysign", "cos", "cosh", "cospi", "erf", "erfc", "exp", "exp10",
    "exp2", "expm1", "fabs", "fdim", "floor", "fma", "fmax", "fmaximum", "fmaximum_num", "fmin",
    "fminimum", "fminimum_num", "fmod", "frexp", "hypot", "ilogb", "ldexp", "lgamma", "llrint",
    "llround", "log", "log10", "log1p", "log2", "logb", "lrint", "lround", "modf", "nan",
    "nearbyint", "nextafter", "nexttoward", "pow", "remainder", "remquo", "rint", "round",
    "roundeven", "scalbln", "scalbn", "sin", "sincos", "sincospi", "sinh", "sinpi", "sqrt", "tan",
    "tanh", "tanpi", "tgamma", "trunc",
)  # fmt: skip
_OF_COMPLEX = (
    "cabs", "cacos", "cacosh", "carg", "casin", "casinh", "catan", "catanh", "ccos", "ccosh",
    "cexp", "cimag", "clog", "conj", "cpow", "cproj", "creal", "csin", "csinh", "csqrt", "ctan",
    "ctanh",
)  # fmt: skip
_OTHERS = (
    "abort", "abs", "aligned_alloc", "atexit", "atof", "atoi", "atol", "atoll", "bcmp", "bcopy",
    "bzero", "calloc", "exit", "ffs", "ffsl", "ffsll", "fls", "flsl", "flsll", "fprintf", "fputc",
    "fputs", "free", "fwrite", "getenv", "isascii", "isdigit", "labs", "llabs", "main", "malloc",
    "memalign", "memccpy", "memchr", "memcmp", "memcpy", "memmove", "mempcpy", "memrchr",
    "memset", "memset_pattern16", "posix_memalign", "printf", "putchar", "puts", "pvalloc",
    "qsort", "realloc", "reallocf", "snprintf", "sprintf", "stpcpy", "stpncpy", "strcasecmp",
    "strcat", "strchr", "strcmp", "strcoll", "strcpy", "strcspn", "strdup", "strlcat", "strlcpy",
    "strlen", "strncasecmp", "strncat", "strncmp", "strncpy", "strndup", "strnlen", "strpbrk",
    "strrchr", "strspn", "strstr", "strtod", "strtof", "strtok", "strtol", "strtoll", "strtoul",
    "strtoull", "strxfrm", "toascii", "valloc", "vec_calloc", "vec_free", "vec_malloc",
    "vec_realloc", "vfprintf", "vprintf", "vsprintf", "vsnprintf", "wcslen",
)  # fmt: skip
_OF_C = frozenset(
    [name + suffix for name in (*_OF_FLOATS, *_OF_COMPLEX) for suffix in ("", "f", "l")]
).union(_OTHERS)
"""Functions of C's library that MLIR declares by these names, or that LLVM knows and calls.

LLVM's are those of its `TargetLibraryInfo`: it would take a program's function for one of these.
"""


def symbol(name: str) -> str:
    """The name in a module of a function that has this name in Python."""
    if name == "<lambda>":
        return "lambda_"
    return f"{name}_" if name in _OF_C else name
