"""Dataclasses that are made when they are first used: `from agir.records import dataclass`.

Python's decorator writes five functions for a class and compiles them, which takes as long as
importing a small module does; a first call imports 140 such classes, and makes instances of a third.
This one lets Python's loose on a class when its first instance is made.  It is for classes that
are only looked at through their instances; `make` makes one at once.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:  # to a type checker it is Python's
    from dataclasses import dataclass as dataclass

    def make(kind: type) -> None:
        """Have a class be a dataclass now, so that its signature can be seen."""

else:
    import dataclasses
    import functools
    import threading

    _waiting = {}
    """The options of the classes that are not made yet."""
    _making = threading.RLock()

    def dataclass(kind=None, /, **options):
        """As Python's, without ``slots``."""
        if kind is None:
            return functools.partial(dataclass, **options)
        if "__init__" in vars(kind):  # which stays
            return dataclasses.dataclass(kind, **options)

        def begin(self, *args, **kwargs):
            make(kind)
            kind.__init__(self, *args, **kwargs)

        _waiting[kind] = options
        kind.__init__ = begin
        return kind

    def make(kind):
        """Have a class be a dataclass now, so that its signature can be seen."""
        with _making:
            for each in reversed(kind.__mro__):  # a dataclass takes the fields of those above it
                if (options := _waiting.get(each)) is not None:
                    dataclasses.dataclass(each, **options, init=False)
                    each.__init__ = _init_of(each, options.get("frozen", False))
                    del _waiting[each]

    def _init_of(kind, frozen):
        """What sets the fields, made for a class below: other threads must find one all the time."""
        names = {"__module__": kind.__module__, "__qualname__": kind.__qualname__}
        below = type(kind.__name__, (kind,), names)
        return dataclasses.dataclass(below, frozen=frozen, eq=False, repr=False).__init__
