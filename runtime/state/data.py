"""What is known of the data that are passed as tables (`passed_objects`), before any is."""

from __future__ import annotations

from typing import Any, NamedTuple

Place = tuple[Any, ...]
"""Where values stand: a class and the name of an attribute, and then which item of which container."""


class UndescribedError(Exception):
    """There is something among data that tables cannot hold."""


class VariedError(Exception):
    """Tuples at a place are not of one length."""

    def __init__(self, place: Place) -> None:
        super().__init__()
        self.place = place


class Data(NamedTuple):
    """What of the arguments is passed as tables."""

    classes: frozenset[type] = frozenset()
    """Objects of these classes, with all that they refer to."""
    names: frozenset[str] = frozenset()
    """Lists, dicts and sets of other things than numbers, in these arguments."""
    numbered: bool = False
    """Whether all containers are known by numbers: the function puts one where there may be another."""
    tuples: frozenset[str] = frozenset()
    """The arguments that are tuples of several lengths."""


class PassedObjects(NamedTuple):
    """The tables of a call, and which argument they stand for: the first one with data in it."""

    layout: Any
    columns: tuple[Any, ...]
    root: str
    """Its place among the roots, as text: a number would be an argument of the run time."""


class PassedRoot(NamedTuple):
    """An argument, or a part of one, that is in the tables."""

    root: str


class Memory:
    """What has been met at places by all calls of a function: one form is for all of them."""

    def __init__(self) -> None:
        self.kinds: dict[Place, dict[Any, Any]] = {}
        """What values have been of; of tuples with their structure."""
        self.absent: set[Place] = set()
        """The attributes that some objects did not have."""
        self.names: dict[type, dict[str, None]] = {}
        self.containers: dict[Place, None] = {}
        """The places where lists, dicts and sets of a kind were met."""
        self.varied: set[Place] = set()
        """The places of tuples that are not of one length: these are containers like lists."""
        self.parents: dict[Place, Place] = {}
        """Places of containers that are of the kind of another place: one was met at both."""

    def kind(self, place: Place) -> Place:
        """The place that stands for all places whose containers are of one kind."""
        while place in self.parents:
            place = self.parents[place]
        return place


class PassedRecords(NamedTuple):
    """A structured array, or a record, among the arguments of a call."""

    layout: Any
    kind: str
    columns: Any


class PassedTimes(NamedTuple):
    """Dates or differences among the arguments of a call."""

    layout: Any
    ticks: Any


class PassedSparse(NamedTuple):
    """A sparse matrix among the arguments of a call."""

    layout: Any
    data: Any
    indices: Any
    indptr: Any


OF_ARRAYS = frozenset((PassedRecords, PassedTimes, PassedSparse))
"""What is passed for objects that are made of arrays."""
