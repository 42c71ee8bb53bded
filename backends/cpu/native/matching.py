"""The half of the machine code before the call: are the arguments those of a recipe?

Looking at them and writing down what the compiled code is to get is one; a recipe that turns out to
be the wrong one has written into memory that nobody reads.
"""

from __future__ import annotations

from agir.backends.cpu.native import objects
from agir.backends.cpu.native.tables import (
    CONTAINERS,
    ENTRIES,
    NODES,
    Axis,
    Kind,
    Node,
    Recipe,
    Room,
    Source,
    State,
)
from agir.backends.cpu.native.words import Code, Label, Variable, Word
from agir.records import dataclass


@dataclass
class Found:
    """What has been found of a call's nodes."""

    objects: Word
    """The objects, by the numbers of the nodes."""
    arrays: Word
    """The arrays that they are or hold, or 0."""
    sizes: Word
    """Bytes of these arrays."""
    containers: Word
    """The addresses of the containers' items."""
    entries: Word
    """Room for the entries of dicts."""


def memory(code: Code) -> Found:
    """Memory for what is found."""
    return Found(*map(code.array, (NODES, NODES, NODES, CONTAINERS, ENTRIES)))


class Matching:
    """Writes the code that compares a call with a recipe; it jumps to ``other`` if it is none."""

    def __init__(self, code: Code, state: Word, recipe: Word, found: Found, other: Label) -> None:
        self.code = code
        self.state = state
        self.recipe = recipe
        self.found = found
        self.other = other

    def field(self, name: State) -> Word:
        """A field of the state."""
        return self.code.load(self.state, name.offset)

    def form(self, count: Word, names: Word) -> None:
        """As many arguments, and the same names."""
        code, recipe = self.code, self.recipe
        self.require_same(code.load(recipe, Recipe.POSITIONAL.offset), count)
        given = code.variable(0)
        with code.when(names.is_not(0)):
            given.set(code.load(names, objects.SIZE))
        wanted = code.load(recipe, Recipe.KEYWORDS.offset)
        self.require_same(given.get(), wanted)
        known = code.load(recipe, Recipe.NAMES.offset)
        with code.repeat(wanted) as n:
            name = code.load(names + n * 8, objects.TUPLE_ITEMS)
            self.require_same(name, code.load(known + n * 8))

    def stack(self) -> None:
        """There is room on the stack for what needs much of it."""
        code, here = self.code, self.found.objects
        lowest, highest = (
            code.load(self.recipe, field.offset) for field in (Recipe.STACK_LOW, Recipe.STACK_HIGH)
        )
        with code.when(lowest.is_not(0)):
            code.jump_if(code.compare("ult", here, lowest), self.other)
            code.jump_if(code.compare("ugt", here, highest), self.other)

    def nodes(self, arguments: Word) -> None:
        """Every node, in order; a container is found before its items."""
        code, found = self.code, self.found
        code.store(arguments, found.containers)
        room = code.variable(found.entries)
        first = code.load(self.recipe, Recipe.NODES.offset)
        with code.repeat(code.load(self.recipe, Recipe.NODE_COUNT.offset)) as n:
            node = first + n * (8 * len(Node))
            item = self._object(node)
            code.store(item, found.objects + n * 8)
            code.store(0, found.arrays + n * 8)
            self._one(node, item, n, room)

    def _object(self, node: Word) -> Word:
        code = self.code
        source, owner, index = (
            code.load(node, f.offset) for f in (Node.SOURCE, Node.OWNER, Node.INDEX)
        )
        item = code.variable(owner)
        done = code.label()
        with code.when(source.is_(Source.ITEM)):
            items = code.load(self.found.containers + owner * 8)
            item.set(code.load(items + index * 8))
            code.jump(done)
        with code.when(source.is_(Source.ATTRIBUTE)):
            attributes = code.call(self.field(State.DICT_OF), owner, 0)
            with code.when(attributes.is_(0)):
                code.run(self.field(State.CLEAR_ERROR))
                code.jump(self.other)
            item.set(code.call(self.field(State.DICT_ITEM), attributes, index))
            code.run(self.field(State.DECREF), attributes)
            code.jump_if(item.get().is_(0), self.other)
        code.put(done)
        return item.get()

    def _one(self, node: Word, item: Word, n: Word, room: Variable) -> None:
        code = self.code
        kind = code.load(node, Node.KIND.offset)
        end = code.label()
        wanted = code.load(node, Node.TYPE.offset)
        with code.when(kind.is_(Kind.CONSTANT)):
            self.require_same(item, wanted)
            code.jump(end)
        self.require_same(code.load(item, objects.TYPE), wanted)
        cell = code.load(node, Node.CELL.offset)
        array = code.variable(item)
        arrays, scalar = code.label(), code.label()
        code.jump_if(kind.is_(Kind.ARRAY), arrays)
        with code.when(kind.is_(Kind.TENSOR)):
            array.set(self._slot(item, State.TENSOR_ARRAY))
            code.jump(arrays)
        with code.when(kind.is_(Kind.FLOAT)):
            code.store(code.load(item, objects.NUMBER), cell)
            code.jump(end)
        with code.when(kind.is_(Kind.INT)):
            self._integer(item, cell)
            code.jump(end)
        with code.when(kind.is_(Kind.VARIABLE)):
            array.set(self._variable(item))
            code.jump(arrays)
        with code.when(kind.is_(Kind.BOOL)):
            code.store(0, cell, bits=8)
            with code.when(item.is_(self.field(State.TRUE))):
                code.store(1, cell, bits=8)
            code.jump(end)
        with code.when(kind.is_(Kind.COMPLEX)):
            code.store(code.load(item, objects.NUMBER), cell)
            code.store(code.load(item, objects.NUMBER + 8), cell, 8)
            code.jump(end)
        with code.when(kind.is_(Kind.SCALAR)):
            code.copy(cell, item + objects.NUMBER, code.load(node, Node.SIZE.offset))
            code.jump(end)
        with code.when(kind > Kind.DICT):
            self._taken(node, item, kind, cell)
            code.jump(end)
        self._container(node, item, kind, room)
        code.jump(end)
        code.put(arrays)
        self._array(node, array.get(), cell, n)
        with code.when(kind.is_(Kind.VARIABLE)):
            self._alone(node, array.get())
        size = code.load(node, Node.SIZE.offset)
        code.jump_if(size.is_not(0), scalar)
        code.store(code.load(array.get(), objects.DATA), cell)
        code.jump(end)
        code.put(scalar)  # an array of one element that the compiled code takes as a number
        code.copy(cell, code.load(array.get(), objects.DATA), size)
        code.put(end)

    def _integer(self, item: Word, cell: Word) -> None:
        code = self.code
        overflow = code.array(1)
        code.store(code.call(self.field(State.AS_INT), item, overflow), cell)
        code.jump_if(code.load(overflow, bits=32).is_not(0), self.other)

    def _container(self, node: Word, item: Word, kind: Word, room: Variable) -> None:
        code = self.code
        size = code.load(node, Node.SIZE.offset)
        place = self.found.containers + code.load(node, Node.CONTAINER.offset) * 8
        done = code.label()
        self.require_same(code.load(item, objects.SIZE), size)  # a dict has its size there, too
        with code.when(kind.is_(Kind.TUPLE)):
            code.store(item + objects.TUPLE_ITEMS, place)
            code.jump(done)
        with code.when(kind.is_(Kind.LIST)):
            code.store(code.load(item, objects.LIST_ITEMS), place)
            code.jump(done)
        code.store(room.get(), place)
        keys = code.load(node, Node.KEYS.offset)
        position, key = code.array(1), code.array(1)
        code.store(0, position)
        with code.repeat(size) as n:
            code.run(self.field(State.DICT_NEXT), item, position, key, room.get())
            self.require_same(code.load(key), code.load(keys + n * 8))
            room.add(8)
        code.put(done)

    def _taken(self, node: Word, item: Word, kind: Word, cell: Word) -> None:
        """An array that is made of the numbers in a container, or of a text."""
        code = self.code
        count = code.variable(code.load(item, objects.SIZE))
        with code.when(kind.is_(Kind.ITEMS)):
            count.set(code.load(item, objects.SET_SIZE))
        with code.when(kind.is_(Kind.TEXT)):
            count.set(code.call(self.field(State.TEXT_SIZE), item))
        with code.when(kind.is_(Kind.ROWS)):
            code.jump_if(count.get() < code.load(node, Node.ROWS.offset), self.other)
            count.set(code.call(self.field(State.COUNT_ROWS), self.state, item))
        with code.when(kind.is_not(Kind.TEXT)):
            code.jump_if(count.get() < code.load(node, Node.SIZE.offset), self.other)
        length = count.get()
        with code.when(kind.is_(Kind.LENGTH)):
            count.set(1)
        target = self._room(node, count.get())
        given, of = (self.state, item), code.load(node, Node.OF.offset)
        filled = code.variable(0)
        done = code.label()
        with code.when(kind.is_(Kind.TEXT)):
            filled.set(code.call(self.field(State.TAKE_TEXT), *given, count.get(), target))
            code.jump(done)
        with code.when(kind.is_(Kind.NUMBERS)):
            filled.set(code.call(self.field(State.TAKE_LIST), *given, count.get(), of, target))
            code.jump(done)
        with code.when(kind.is_(Kind.LENGTH)):
            code.store(length, target)
            filled.set(1)
            code.jump(done)
        with code.when(kind.is_(Kind.COLUMN)):
            place = [code.load(node, each.offset) for each in (Node.WIDTH, Node.PART)]
            filled.set(code.call(self.field(State.TAKE_COLUMN), *given, *place, of, target))
            code.jump(done)
        with code.when(kind > Kind.TEXT):
            filled.set(code.call(self.field(State.TAKE_ROWS), *given, kind, of, target))
            code.jump(done)
        filled.set(code.call(self.field(State.TAKE_ENTRIES), *given, kind, count.get(), of, target))
        code.put(done)
        with code.when(filled.get().is_(0)):
            code.run(self.field(State.CLEAR_ERROR))
            code.jump(self.other)
        code.store(target, cell)
        self._axis(code.load(node, Node.AXES.offset), count.get(), code.variable(1).get())

    def _room(self, node: Word, count: Word) -> Word:
        """Memory for so many numbers: what there is, or more."""
        code = self.code
        size = count * code.load(node, Node.ITEM_SIZE.offset)
        room = code.load(node, Node.ROOM.offset)
        with code.when(code.load(room, Room.SIZE.offset) < size + 1):
            code.run(self.field(State.FREE), code.load(room, Room.ADDRESS.offset))
            more = size + size + 64
            made = code.call(self.field(State.ALLOCATE), more)
            code.store(0, room, Room.SIZE.offset)
            code.store(made, room, Room.ADDRESS.offset)
            code.jump_if(made.is_(0), self.other)
            code.store(more, room, Room.SIZE.offset)
        return code.load(room, Room.ADDRESS.offset)

    def _array(self, node: Word, array: Word, cell: Word, n: Word) -> None:
        """An array's class, dtype, rank, flags and sizes."""
        code = self.code
        self.require_same(code.load(array, objects.TYPE), self.field(State.ARRAY))
        self.require_same(code.load(array, objects.DTYPE), code.load(node, Node.DTYPE.offset))
        rank = code.load(node, Node.RANK.offset)
        self.require_same(code.load(array, objects.RANK, bits=32), rank)
        flags = code.load(node, Node.FLAGS.offset)
        self.require_same(code.load(array, objects.FLAGS, bits=32) & flags, flags)
        code.store(array, self.found.arrays + n * 8)
        sizes = code.load(array, objects.EXTENTS)
        stride = code.variable(1)
        axis = code.variable(code.load(node, Node.AXES.offset))
        with code.repeat(rank) as behind:  # the last axis first
            dim_size = code.load(sizes + (rank - 1 - behind) * 8)
            self._axis(axis.get(), dim_size, stride.get())
            stride.set(stride.get() * dim_size)
            axis.add(8 * len(Axis))
        size = stride.get() * code.load(node, Node.ITEM_SIZE.offset)
        code.store(size, self.found.sizes + n * 8)

    def _axis(self, axis: Word, size: Word, stride: Word) -> None:
        code = self.code
        wanted, size_cell, stride_cell = (code.load(axis, each.offset) for each in Axis)
        with code.when(wanted.is_not(size)):
            code.jump_if(wanted.is_not(-1), self.other)
        with code.when(size_cell.is_not(0)):
            code.store(size, size_cell)
        with code.when(stride_cell.is_not(0)):
            code.store(stride, stride_cell)

    def _variable(self, buffer: Word) -> Word:
        """The array of a variable's buffer that no other call uses."""
        self.require_same(self._slot(buffer, State.BUFFER_TAKEN), self.field(State.FALSE))
        lock = self._slot(buffer, State.BUFFER_LOCK)
        self.require_same(self._slot(lock, State.LOCK_OWNER), self.field(State.ZERO))
        return self._slot(buffer, State.BUFFER_ARRAY)

    def _alone(self, node: Word, array: Word) -> None:
        """Nobody else has the array of a variable that is written to."""
        code = self.code
        with code.when(code.load(node, Node.WRITTEN.offset).is_not(0)):
            code.jump_if(code.load(array, objects.REFERENCES, bits=32).is_not(1), self.other)
            code.jump_if(code.load(array, objects.BASE).is_not(0), self.other)

    def _slot(self, item: Word, name: State) -> Word:
        """What an object holds in a slot that is set."""
        held = self.code.load(item, self.field(name))
        self.code.jump_if(held.is_(0), self.other)
        return held

    def require_same(self, one: Word, other: Word) -> None:
        """It is another call if they differ."""
        self.code.jump_if(one.is_not(other), self.other)
