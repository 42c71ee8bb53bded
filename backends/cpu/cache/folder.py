"""The folder of the cache: found, checked, read, written to and kept small.

Whoever can write into the folder can have this process run code.  So it belongs to the user and
nobody else may write to it, and the same holds of each file: that is checked of what was opened,
not of what its path leads to.
"""

from __future__ import annotations

import os
import stat
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import NamedTuple

from agir.config import config

SUFFIX = ".code"
_UNFINISHED = ".tmp"
_ABANDONED = 3600.0
"""Seconds after which an unfinished file has no writer any more."""
_OTHERS = stat.S_IWGRP | stat.S_IWOTH


class UnsafeError(Exception):
    """The folder, or a file in it, could have been written by someone else."""


class File(NamedTuple):
    """A file of the cache."""

    name: str
    size: int
    used: float


def path() -> Path:
    """Where the cache is, or would be."""
    chosen = config.cache_dir
    if chosen is not None:
        return chosen
    return _of_the_user() / "agir"


def _of_the_user() -> Path:
    """The folder for caches, as the platform has it."""
    home = Path(os.path.expanduser("~"))  # as it stands, where there is no home
    if sys.platform == "darwin":
        return home / "Library" / "Caches"
    if sys.platform == "win32":
        return Path(os.environ.get("LOCALAPPDATA") or home / "AppData" / "Local")
    given = os.environ.get("XDG_CACHE_HOME", "")
    return Path(given) if os.path.isabs(given) else home / ".cache"


@contextmanager
def opened(*, make: bool = False) -> Iterator[int]:
    """The folder's descriptor, once it is known to be safe; `OSError` or `UnsafeError` otherwise."""
    where = path()
    if where.parts[:1] == ("~",):
        raise FileNotFoundError("there is no home folder")
    if make and not where.is_dir():
        where.parent.mkdir(parents=True, exist_ok=True)
        where.mkdir(mode=0o700, exist_ok=True)
    descriptor = os.open(where, os.O_RDONLY | os.O_DIRECTORY | os.O_CLOEXEC)
    try:
        _check(str(where), os.fstat(descriptor))
        yield descriptor
    finally:
        os.close(descriptor)


def _check(name: str, status: os.stat_result) -> None:
    if status.st_uid != os.geteuid():
        raise UnsafeError(f"{name} belongs to another user (number {status.st_uid})")
    if status.st_mode & _OTHERS:
        mode = stat.S_IMODE(status.st_mode)
        raise UnsafeError(f"other users may write to {name} (its mode is {mode:04o})")


def has(folder: int, name: str) -> bool:
    """Whether there is a file of this name."""
    try:
        os.stat(name, dir_fd=folder, follow_symlinks=False)
    except FileNotFoundError:
        return False
    return True


def read(folder: int, name: str) -> bytes:
    """The content of a file, which counts as used now."""
    descriptor = os.open(name, os.O_RDONLY | os.O_NOFOLLOW | os.O_CLOEXEC, dir_fd=folder)
    with open(descriptor, "rb") as file:
        status = os.fstat(descriptor)
        if not stat.S_ISREG(status.st_mode):
            raise UnsafeError(f"{name} is no file")
        _check(name, status)
        with suppress(OSError):  # a folder that can only be read
            os.utime(descriptor)
        return file.read()


def write(folder: int, name: str, data: bytes) -> None:
    """Write a file, which is there as a whole or not at all."""
    unfinished = f"{name}.{os.getpid()}.{os.urandom(4).hex()}{_UNFINISHED}"
    flags = os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_NOFOLLOW | os.O_CLOEXEC
    descriptor = os.open(unfinished, flags, 0o600, dir_fd=folder)
    try:
        with open(descriptor, "wb") as file:
            file.write(data)
        os.replace(unfinished, name, src_dir_fd=folder, dst_dir_fd=folder)
    except BaseException:
        with suppress(OSError):
            os.unlink(unfinished, dir_fd=folder)
        raise


def files(folder: int) -> list[File]:
    """The files of the cache, the least recently used first."""
    found = []
    with os.scandir(folder) as entries:
        for entry in entries:
            if entry.name.endswith(SUFFIX):
                with suppress(FileNotFoundError):  # another process was faster
                    status = entry.stat(follow_symlinks=False)
                    found.append(File(entry.name, status.st_size, status.st_mtime))
    return sorted(found, key=lambda file: file.used)


def shrink(folder: int, limit: int) -> None:
    """Remove the least recently used files until what is left has at most so many bytes."""
    present = files(folder)
    size = sum(file.size for file in present)
    for file in present:
        if size <= limit:
            break
        remove(folder, file.name)
        size -= file.size
    _remove_unfinished(folder, time.time() - _ABANDONED)


def clear(folder: int) -> None:
    """Remove all files of the cache, and those that were never finished."""
    shrink(folder, -1)
    _remove_unfinished(folder, float("inf"))


def remove(folder: int, name: str) -> None:
    """Remove a file, if it is still there."""
    with suppress(FileNotFoundError):
        os.unlink(name, dir_fd=folder)


def _remove_unfinished(folder: int, before: float) -> None:
    with os.scandir(folder) as entries:
        for entry in entries:
            if entry.name.endswith(_UNFINISHED) and f"{SUFFIX}." in entry.name:
                with suppress(FileNotFoundError):
                    if entry.stat(follow_symlinks=False).st_mtime < before:
                        remove(folder, entry.name)
