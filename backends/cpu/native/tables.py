"""The tables that the machine code of a call reads: their fields, in words of eight bytes.

The *state* is one for the process: functions of CPython's and NumPy's C interface, classes, and
where objects have what.  A *recipe* describes the calls of one compiled function in one form.  It
has a *node* for each thing that has to be looked at and a *leaf* for each part of what is returned.
"""

from __future__ import annotations

from enum import IntEnum, auto

NODES, CONTAINERS, ENTRIES, LEAVES = 64, 16, 64, 32
"""How many nodes, containers among them, entries of dicts and leaves a recipe has at most."""


class Field(IntEnum):
    """A field of a table; its value is the number of the word."""

    @staticmethod
    def _generate_next_value_(name: str, start: int, count: int, last: list[int]) -> int:
        return count

    @property
    def offset(self) -> int:
        """Bytes from the beginning of the table."""
        return 8 * self


class State(Field):
    """What the code needs of the process."""

    BYPASS = auto()  # the address of the number of reasons for all calls to take Python's way
    GENERIC, CONCRETE, BOUND, GET = auto(), auto(), auto(), auto()  # Python's ways: its functions
    GENERIC_RECIPES, CONCRETE_RECIPES = auto(), auto()  # slots, in bytes from an object's beginning
    FUNCTION, METHODS = (
        auto(),
        auto(),
    )  # decorated functions: the class, and the slot of their methods
    METHOD, METHOD_OWN, METHOD_FUNCTION, METHOD_SELF = auto(), auto(), auto(), auto()  # bound ones
    NEW = auto()  # ``object.__new__``
    TENSOR, TENSOR_ARRAY, TENSOR_TYPE = auto(), auto(), auto()  # the class and its slots
    BUFFER_ARRAY, BUFFER_TAKEN, BUFFER_LOCK, LOCK_OWNER = auto(), auto(), auto(), auto()
    AGAIN = auto()  # what a function gives that is to raise, where Python is to make the call
    TUPLE, LIST, DICT, FLOAT, INT, BOOL, COMPLEX, ARRAY = (auto() for _ in range(8))
    TRUE, FALSE, NONE, ZERO = auto(), auto(), auto(), auto()
    INCREF, DECREF, VECTORCALL, NEW_METHOD = auto(), auto(), auto(), auto()
    NEW_TUPLE, NEW_LIST, NEW_INT, NEW_BOOL, NEW_OBJECT = (auto() for _ in range(5))
    AS_INT, DICT_NEXT, DICT_ITEM, DICT_OF = auto(), auto(), auto(), auto()
    SET_NEXT, AS_CODES, TEXT_SIZE = auto(), auto(), auto()  # the first is 0 where CPython has none
    INT_POSITIVE, INT_NEGATIVE, INT_ZERO = (
        auto(),
        auto(),
        auto(),
    )  # what says so of ints of one digit
    TAKE_LIST, TAKE_ENTRIES, TAKE_TEXT = auto(), auto(), auto()  # functions of `columns`
    COUNT_ROWS, TAKE_ROWS, TAKE_COLUMN, ARE_APART = auto(), auto(), auto(), auto()
    REFILL_LIST = auto()
    SAVE_THREAD, RESTORE_THREAD = auto(), auto()
    NEW_CAPSULE, CAPSULE_POINTER, ALLOCATE, FREE = auto(), auto(), auto(), auto()
    CLEAR_ERROR = auto()
    NEW_ARRAY, NEW_SCALAR, SET_BASE = auto(), auto(), auto()


class Recipe(Field):
    """The calls of one compiled function that have one form."""

    BUSY = auto()  # whether a call uses the memory
    CALLS = auto()  # how many there have been
    POSITIONAL, KEYWORDS, NAMES = auto(), auto(), auto()  # how many arguments; names' addresses
    NODE_COUNT, NODES = auto(), auto()
    CHECKS_OVERLAP = auto()  # whether an array is written to
    IS_APART = auto()  # whether each container has to be another one
    FUNCTION, POINTERS = auto(), auto()  # the compiled code, and what it takes
    STACK_LOW, STACK_HIGH = auto(), auto()  # where the stack has room for it, or 0 if all have
    RELEASES = auto()  # whether other threads may run meanwhile
    FAILURE, RAISE = auto(), auto()  # where the error record is, or 0; what raises the exception
    LEFT, LEAVING = auto(), auto()  # the same of what says that it has ended early
    BUFFER_COUNT, BUFFERS = auto(), auto()  # where the results are that are arrays
    ROOM_COUNT, ROOMS = auto(), auto()  # the memory for what is taken out of containers
    COPY_COUNT, COPIES = auto(), auto()
    LEAF_COUNT, LEAVES = auto(), auto()
    SHAPE, FINISH = auto(), auto()  # what is made of the leaves; what Python makes of the list


class Node(Field):
    """One thing to look at: where it is found, what it has to be, where it goes."""

    KIND = auto()
    SOURCE, OWNER, INDEX = auto(), auto(), auto()
    TYPE = auto()  # its class; the object itself for a constant
    SIZE = auto()  # entries of a container, or how many it has at least; bytes of a scalar
    ROWS = auto()  # how many lists a list of such has at least
    WIDTH, PART = auto(), auto()  # how many items its tuples have, and which of them are meant
    OF = auto()  # of what class its numbers are
    ROOM = auto()  # the memory for these
    IS_APART = auto()  # whether it is a container that is the same as no other such one
    KEYS = auto()  # where a dict's keys are
    CONTAINER = auto()  # the number of a container
    DTYPE, ITEM_SIZE, RANK, AXES, FLAGS = auto(), auto(), auto(), auto(), auto()
    CELL = auto()  # where the address or the number goes
    WRITTEN = auto()


class Kind(Field):
    """What a node can be."""

    ARRAY, TENSOR, VARIABLE, FLOAT, INT, BOOL, COMPLEX, SCALAR = (auto() for _ in range(8))
    CONSTANT, TUPLE, LIST, DICT = auto(), auto(), auto(), auto()
    NUMBERS, KEYS, VALUES, ITEMS, TEXT = (auto() for _ in range(5))  # arrays are made of these
    ROWS, STARTS, LENGTHS, ORDER = auto(), auto(), auto(), auto()  # four, of a list of lists
    LENGTH, COLUMN = auto(), auto()  # of a list of tuples, whose items in one place are a column


class Source(Field):
    """Where a node's object is found."""

    ITEM = auto()  # the entry INDEX of the container OWNER
    OBJECT = auto()  # it is OWNER
    ATTRIBUTE = auto()  # what OWNER has under the name INDEX


class Axis(Field):
    """An axis of an array: its size, -1 if that is open, and where size and stride go, or 0."""

    EXTENT, EXTENT_CELL, STRIDE_CELL = auto(), auto(), auto()


class Leaf(Field):
    """A part of what is returned."""

    KIND = auto()
    OBJECT = auto()  # the constant, or the number of the node that is returned
    DTYPE, ITEM_SIZE, RANK, EXTENTS = auto(), auto(), auto(), auto()
    FIELDS = auto()  # where the compiled code has left it
    IS_TENSOR = auto()


class Made(Field):
    """What a leaf can be."""

    ARRAY, SCALAR = auto(), auto()  # NumPy's
    FLOAT, COMPLEX, INT, BOOL = auto(), auto(), auto(), auto()  # Python's
    GIVEN, CONSTANT = auto(), auto()


class Shape(Field):
    """What the leaves make."""

    SINGLE, TUPLE, LIST, FINISHED = auto(), auto(), auto(), auto()


class Room(Field):
    """Memory that is kept from call to call: its address, and how many bytes it has."""

    ADDRESS, SIZE = auto(), auto()


class Copy(Field):
    """A result that is the new contents of an array which the call was given."""

    NODE, FIELDS, SIZE, IS_ARRAY = auto(), auto(), auto(), auto()
