"""``agir.cache``: machine code on disk, which later processes use instead of compiling again.

See ``docs/cache.md``.
"""

from agir.backends.cpu.cache.store import CacheInfo, clear, info
from agir.records import make

__all__ = ["CacheInfo", "clear", "info"]

make(CacheInfo)  # whoever asks for help sees its fields


def __dir__() -> list[str]:
    return __all__
