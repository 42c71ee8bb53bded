"""The cache of machine code: looked into before a program is compiled, and filled afterwards.

Nothing that happens here is an error of the program's: where the folder cannot be used, programs
are compiled as if there were none, and one warning says why.
"""

from __future__ import annotations

import logging
import random
import threading
import warnings
from pathlib import Path
from typing import Protocol

from agir.backends.cpu.cache import files, folder, keys
from agir.backends.cpu.calling import threads
from agir.backends.cpu.code.loading import unavailable
from agir.config import config
from agir.errors import CacheWarning
from agir.records import dataclass

_log = logging.getLogger("agir.cache")
_MEGABYTE = 1 << 20
_OF_PARALLEL = ("scf.for", "tensor<", "memref<", "llvm.func")
"""What is in the text of every program that could run on several threads."""
_WRITES_PER_LOOK = 16
"""How many files are written, on average, before one looks whether they are too many."""
_chance = random.Random()
"""Its own: the numbers of the user's program are those that they would be without agir."""


class Identified(Protocol):
    """A program that can be filed."""

    def identity(self) -> str | None:
        """A text that says all that the machine code depends on; None to have it made anew."""


@dataclass(frozen=True)
class CacheInfo:
    """What the cache of machine code has done in this process, and what lies in its folder.

    >>> ag.cache.info().folder.name
    'agir'
    """

    folder: Path
    """Where the files are."""
    hits: int
    """How many programs of this process were found there."""
    misses: int
    """How many were not, and have been compiled."""
    entries: int
    """How many files there are, whoever wrote them."""
    bytes: int
    """Their size."""
    limit: int
    """The size that they are kept below: `config.cache_size`."""
    unused: str
    """Why the cache is not used here; empty if it is."""


class _Counts:
    """What has happened in this process."""

    def __init__(self) -> None:
        self.lock = threading.Lock()
        self.hits = self.misses = 0
        self.written = 0
        self.warned: set[tuple[str, Path]] = set()


_counts = _Counts()


@dataclass(frozen=True)
class Key:
    """What a program's code is filed under.

    Where there is to be one thread only, code is made for that, which is asked only of what could
    run on several.
    """

    name: str
    may_be_parallel: bool

    @classmethod
    def of(cls, identity: str) -> Key:
        """The key of a program."""
        return cls(keys.key_of(identity), any(word in identity for word in _OF_PARALLEL))

    def for_one_thread(self) -> str:
        """The name where it makes a difference."""
        return keys.key_of(f"{self.name} for one thread")


def key(program: Identified) -> Key | None:
    """What the program's code is filed under; None where the cache is not used."""
    if not config.cache or config.verify or unavailable():
        return None
    identity = program.identity()
    return None if identity is None else Key.of(identity)


def has(program: Identified) -> bool:
    """Whether there is code of a program, which is not read yet."""
    if (found := key(program)) is None:
        return False
    try:
        with folder.opened() as place:
            return folder.has(place, found.name + folder.SUFFIX)
    except (OSError, folder.UnsafeError):
        return False


def find(key: Key) -> files.Content | None:
    """The code that was filed under a key."""
    found = _found(key.name)
    starts_threads = found is not None and threads.RUN.encode() in found.code
    if (found is None or starts_threads) and key.may_be_parallel and not threads.are_wanted():
        found = _found(key.for_one_thread())
    with _counts.lock:
        _counts.hits += found is not None
        _counts.misses += found is None
    _log.info("%s %s", "found" if found else "not found", key.name)
    return found


def _found(key: str) -> files.Content | None:
    name = key + folder.SUFFIX
    try:
        with folder.opened() as place:
            data = folder.read(place, name)
        return files.unpacked(key, data)
    except FileNotFoundError:
        return None
    except files.DamagedError as error:
        _warn(
            "damaged", f"the file {name} in {folder.path()} is not used, and is replaced: {error}"
        )
    except (OSError, folder.UnsafeError) as error:
        _warn_of_folder(error)
    return None


def keep(key: Key, content: files.Content) -> None:
    """File code under a key."""
    is_for_all = not key.may_be_parallel or threads.are_wanted()
    name = key.name if is_for_all else key.for_one_thread()
    data = files.packed(name, content)
    try:
        with folder.opened(make=True) as place:
            folder.write(place, name + folder.SUFFIX, data)
            if _is_time_to_look(len(data)):
                folder.shrink(place, config.cache_size * _MEGABYTE)
    except (OSError, folder.UnsafeError) as error:
        _warn_of_folder(error)


def _is_time_to_look(size: int) -> bool:
    """Now and then, and whenever this process has written a good part of the limit."""
    with _counts.lock:
        _counts.written += size
        due = _counts.written * _WRITES_PER_LOOK > config.cache_size * _MEGABYTE
        if due or _chance.randrange(_WRITES_PER_LOOK) == 0:
            _counts.written = 0
            return True
    return False


def _warn_of_folder(error: Exception) -> None:
    _warn("folder", f"machine code is not kept on disk: {error}")


def _warn(kind: str, message: str) -> None:
    """Warn, once in a process for each kind and folder."""
    subject = (kind, folder.path().absolute())
    with _counts.lock:
        if subject in _counts.warned:
            return
        _counts.warned.add(subject)
    warnings.warn(
        CacheWarning(f"{message}; agir.cache.clear() empties the cache, AGIR_CACHE=0 turns it off"),
        stacklevel=2,
    )


def info() -> CacheInfo:
    """What the cache of machine code has done in this process, and what lies in its folder.

    >>> before = ag.cache.info()
    >>> _ = ag.jit(lambda x: x + 1)(2)
    >>> after = ag.cache.info()
    >>> after.hits + after.misses - before.hits - before.misses
    1
    """
    present: list[folder.File] = []
    unused = unavailable() or ("" if config.cache else "config.cache is False")
    try:
        if not unavailable():
            with folder.opened() as place:
                present = folder.files(place)
    except FileNotFoundError:
        pass
    except (OSError, folder.UnsafeError) as error:
        unused = unused or str(error)
    return CacheInfo(
        folder=folder.path(),
        hits=_counts.hits,
        misses=_counts.misses,
        entries=len(present),
        bytes=sum(file.size for file in present),
        limit=config.cache_size * _MEGABYTE,
        unused=unused,
    )


def clear() -> None:
    """Remove every file of the cache; programs that have been compiled go on as they are.

    >>> ag.cache.clear()
    >>> ag.cache.info().entries
    0

    Raises: OSError where the folder can only be read, ValueError where it is not the user's alone
    """
    if unavailable():
        return
    try:
        with folder.opened() as place:
            folder.clear(place)
    except FileNotFoundError:
        pass
    except folder.UnsafeError as error:
        raise ValueError(f"agir.cache.clear: {error}") from None
