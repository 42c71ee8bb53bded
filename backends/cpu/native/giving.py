"""The half of the machine code after the call: what the compiled code has left becomes objects.

Arrays that it has allocated are freed in one place (`release`), which is gone through whatever
happens; one that an object takes over is no longer among them.
"""

from __future__ import annotations

from agir.backends.cpu.native import objects
from agir.backends.cpu.native.tables import Copy, Field, Leaf, Made, Recipe, Room, Shape, State
from agir.backends.cpu.native.words import Code, Label, Word

SMALL = 2048
"""Arrays of at most so many bytes are copied, which is cheaper than an owner."""

KEPT = 1 << 16
"""Memory of at most so many bytes is kept for the next call."""

RELEASE, FREE_CAPSULE = "agir_release", "agir_free_capsule"


def release() -> Code:
    """The function that frees what a call has left; two results may lie in one piece of memory."""
    code = Code(RELEASE, ("state", "recipe"), result=False)
    state, recipe = code.arguments
    count = code.load(recipe, Recipe.BUFFER_COUNT.offset)
    buffers = code.load(recipe, Recipe.BUFFERS.offset)
    with code.repeat(count) as n:
        memory = code.load(code.load(buffers + n * 8))
        with code.when(memory.is_not(0)):
            with code.repeat(count, n) as later:
                fields = code.load(buffers + later * 8)
                with code.when(code.load(fields).is_(memory)):
                    code.store(0, fields)
            code.run(code.load(state, State.FREE.offset), memory)
    rooms = code.load(recipe, Recipe.ROOMS.offset)
    with code.repeat(code.load(recipe, Recipe.ROOM_COUNT.offset)) as n:
        room = rooms + n * (8 * len(Room))
        with code.when(code.load(room, Room.SIZE.offset) > KEPT):
            memory = code.load(room, Room.ADDRESS.offset)
            code.store(0, room, Room.SIZE.offset)
            code.store(0, room, Room.ADDRESS.offset)
            code.run(code.load(state, State.FREE.offset), memory)
    code.give()
    return code


def free_capsule() -> Code:
    """The function that frees the memory of a large result, when its capsule goes."""
    code = Code(FREE_CAPSULE, ("capsule",), result=False)
    state = code.static("agir_state")
    memory = code.call(code.load(state, State.CAPSULE_POINTER.offset), code.arguments[0], 0)
    code.run(code.load(state, State.FREE.offset), memory)
    code.give()
    return code


class Giving:
    """Writes the code that makes the result; it jumps to ``failed`` with an exception set."""

    def __init__(
        self, code: Code, state: Word, recipe: Word, items: Word, arrays: Word, failed: Label
    ) -> None:
        self.code = code
        self.state = state
        self.recipe = recipe
        self.items = items
        self.arrays = arrays
        self.failed = failed

    def field(self, name: State) -> Word:
        """A field of the state."""
        return self.code.load(self.state, name.offset)

    def _of(self, table: Word, name: Field) -> Word:
        return self.code.load(table, name.offset)

    def copies(self) -> None:
        """New contents of arrays that the call was given."""
        code = self.code
        copies = self._of(self.recipe, Recipe.COPIES)
        with code.repeat(self._of(self.recipe, Recipe.COPY_COUNT)) as n:
            each = copies + n * (8 * len(Copy))
            array = code.load(self.arrays + self._of(each, Copy.NODE) * 8)
            data = code.load(array, objects.DATA)
            size = self._of(each, Copy.SIZE)
            source = code.variable(self._of(each, Copy.FIELDS))
            with code.when(self._of(each, Copy.IS_ARRAY).is_not(0)):
                source.set(code.load(source.get(), 8))
            code.copy(data, source.get(), size)

    def leaves(self, made: Word) -> None:
        """The objects that are returned, each with a reference; those that are there come first."""
        code = self.code
        first = self._of(self.recipe, Recipe.LEAVES)
        count = self._of(self.recipe, Recipe.LEAF_COUNT)
        with code.repeat(count) as n:
            leaf = first + n * (8 * len(Leaf))
            code.store(0, made + n * 8)
            with code.when(self._of(leaf, Leaf.KIND) > Made.BOOL):
                item = code.variable(self._of(leaf, Leaf.OBJECT))
                with code.when(self._of(leaf, Leaf.KIND).is_(Made.GIVEN)):
                    item.set(code.load(self.items + item.get() * 8))
                code.run(self.field(State.INCREF), item.get())
                code.store(item.get(), made + n * 8)
        with code.repeat(count) as n:
            leaf = first + n * (8 * len(Leaf))
            with code.when(self._of(leaf, Leaf.KIND) < Made.GIVEN):
                code.store(self._leaf(leaf), made + n * 8)

    def _leaf(self, leaf: Word) -> Word:
        code = self.code
        result = code.variable(0)
        scalar, wrapped, done = code.label(), code.label(), code.label()
        with code.when(self._of(leaf, Leaf.KIND) > Made.SCALAR):
            result.set(self._number(leaf))
            code.jump(done)
        fields = self._of(leaf, Leaf.FIELDS)
        dtype = self._of(leaf, Leaf.DTYPE)
        is_tensor = self._of(leaf, Leaf.IS_TENSOR)
        code.jump_if(self._of(leaf, Leaf.KIND).is_(Made.SCALAR), scalar)
        result.set(self._array(leaf, fields, dtype))
        code.jump(wrapped)
        code.put(scalar)
        with code.when(is_tensor.is_(0)):
            result.set(self._present(code.call(self.field(State.NEW_SCALAR), fields, dtype, 0)))
            code.jump(done)
        array = self._new_array(dtype, 0, 0)
        code.copy(code.load(array, objects.DATA), fields, self._of(leaf, Leaf.ITEM_SIZE))
        result.set(array)
        code.put(wrapped)
        with code.when(is_tensor.is_not(0)):
            result.set(self._tensor(result.get()))
        code.put(done)
        return result.get()

    def _number(self, leaf: Word) -> Word:
        """A number of Python's."""
        code = self.code
        kind, fields = self._of(leaf, Leaf.KIND), self._of(leaf, Leaf.FIELDS)
        result = code.variable(0)
        done = code.label()
        with code.when(kind.is_(Made.INT)):
            result.set(self._present(code.call(self.field(State.NEW_INT), code.load(fields))))
            code.jump(done)
        with code.when(kind.is_(Made.BOOL)):
            truth = code.load(fields, bits=8)
            result.set(self._present(code.call(self.field(State.NEW_BOOL), truth)))
            code.jump(done)
        size = self._of(leaf, Leaf.ITEM_SIZE)
        own = code.variable(self.field(State.FLOAT))
        with code.when(kind.is_(Made.COMPLEX)):
            own.set(self.field(State.COMPLEX))
        number = self._present(code.call(self.field(State.NEW_OBJECT), own.get(), 0))
        code.copy(number + objects.NUMBER, fields, size)
        result.set(number)
        code.put(done)
        return result.get()

    def _array(self, leaf: Word, fields: Word, dtype: Word) -> Word:
        """An array of a buffer: a copy if it is small, or shares its memory with another result."""
        code = self.code
        rank, sizes = self._of(leaf, Leaf.RANK), self._of(leaf, Leaf.EXTENTS)
        size = code.variable(self._of(leaf, Leaf.ITEM_SIZE))
        with code.repeat(rank) as axis:
            size.set(size.get() * code.load(sizes + axis * 8))
        memory, data = code.load(fields), code.load(fields, 8)
        result = code.variable(0)
        copied, done = code.label(), code.label()
        code.jump_if(code.compare("sle", size.get(), SMALL), copied)
        buffers = self._of(self.recipe, Recipe.BUFFERS)
        with code.repeat(self._of(self.recipe, Recipe.BUFFER_COUNT)) as n:
            other = code.load(buffers + n * 8)
            with code.when(other.is_not(fields)):
                code.jump_if(code.load(other).is_(memory), copied)
        result.set(self._owner(dtype, rank, sizes, fields))
        code.jump(done)
        code.put(copied)
        array = self._new_array(dtype, rank, sizes)
        code.copy(code.load(array, objects.DATA), data, size.get())
        result.set(array)
        code.put(done)
        return result.get()

    def _owner(self, dtype: Word, rank: Word, sizes: Word, fields: Word) -> Word:
        """An array of memory that a capsule frees."""
        code = self.code
        memory, data = code.load(fields), code.load(fields, 8)
        free = code.address(FREE_CAPSULE)
        capsule = self._present(code.call(self.field(State.NEW_CAPSULE), memory, 0, free))
        code.store(0, fields)
        code.run(self.field(State.INCREF), dtype)
        kind = self.field(State.ARRAY)
        array = code.call(
            self.field(State.NEW_ARRAY), kind, dtype, rank, sizes, 0, data, objects.OWN_CARRAY, 0
        )
        with code.when(array.is_(0)):
            code.run(self.field(State.DECREF), capsule)
            code.jump(self.failed)
        code.call(self.field(State.SET_BASE), array, capsule)
        return array

    def _new_array(self, dtype: Word, rank: Word | int, sizes: Word | int) -> Word:
        self.code.run(self.field(State.INCREF), dtype)
        kind = self.field(State.ARRAY)
        return self._present(
            self.code.call(self.field(State.NEW_ARRAY), kind, dtype, rank, sizes, 0, 0, 0, 0)
        )

    def _tensor(self, array: Word) -> Word:
        """The tensor that holds an array, which nobody writes to from now on."""
        code = self.code
        flags = code.load(array, objects.FLAGS, bits=32)
        code.store(flags & ~objects.WRITEABLE, array, objects.FLAGS, bits=32)
        tensor = code.call(self.field(State.NEW_OBJECT), self.field(State.TENSOR), 0)
        with code.when(tensor.is_(0)):
            code.run(self.field(State.DECREF), array)
            code.jump(self.failed)
        none = self.field(State.NONE)
        code.run(self.field(State.INCREF), none)
        code.store(array, tensor, self.field(State.TENSOR_ARRAY))
        code.store(none, tensor, self.field(State.TENSOR_TYPE))
        return tensor

    def _present(self, item: Word) -> Word:
        self.code.jump_if(item.is_(0), self.failed)
        return item

    def structure(self, made: Word) -> Word:
        """What is returned, of the leaves, whose references it takes over."""
        code = self.code
        count = self._of(self.recipe, Recipe.LEAF_COUNT)
        shape = self._of(self.recipe, Recipe.SHAPE)
        result = code.variable(0)
        done = code.label()
        with code.when(shape.is_(Shape.SINGLE)):
            result.set(code.load(made))
            code.jump(done)
        with code.when(shape.is_(Shape.TUPLE)):
            result.set(self._present(code.call(self.field(State.NEW_TUPLE), count)))
            code.copy(result.get() + objects.TUPLE_ITEMS, made, count * 8)
            code.jump(done)
        result.set(self._present(code.call(self.field(State.NEW_LIST), count)))
        with code.when(count.is_not(0)):
            code.copy(code.load(result.get(), objects.LIST_ITEMS), made, count * 8)
        with code.when(shape.is_(Shape.FINISHED)):
            given = code.array(1)
            code.store(result.get(), given)
            finish = self._of(self.recipe, Recipe.FINISH)
            finished = code.call(self.field(State.VECTORCALL), finish, given, 1, 0)
            code.run(self.field(State.DECREF), result.get())
            result.set(finished)
        code.put(done)
        return result.get()
