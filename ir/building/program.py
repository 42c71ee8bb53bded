"""The program of a trace: plain objects, of which MLIR is made once, when the trace is finished.

Recording appends an :class:`Operation` to a list; taking back cuts the list off again.  Types,
attributes and locations are MLIR's, which live as long as its context, so nothing here can refer to
what is gone.  ``ir/building/making.py`` makes MLIR of a program, and reads one from MLIR.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from typing import Any

Resolve = Callable[["Value"], "Value"]


def _itself(value: Value) -> Value:
    return value


class Value:
    """An SSA value: a result of an operation, or an argument of a block."""

    __slots__ = ("number", "owner", "type")

    def __init__(self, owner: Operation | Block, number: int, type_: Any) -> None:
        self.owner = owner
        self.number = number
        """Which of the owner's results or arguments it is."""
        self.type = type_

    @property
    def maker(self) -> Operation | None:
        """The operation whose result it is; None for an argument of a block."""
        owner = self.owner
        return owner if type(owner) is Operation else None

    @property
    def block(self) -> Block | None:
        """The block in which it is defined."""
        owner = self.owner
        return owner if isinstance(owner, Block) else owner.block

    @property
    def location(self) -> Any:
        """Where in the user's source it comes from."""
        owner = self.owner
        return owner.locations[self.number] if isinstance(owner, Block) else owner.location


class Operation:
    """An operation: its name, operands, results, attributes, and one block for each region."""

    __slots__ = (
        "attributes", "block", "blocks", "location", "name", "operands", "results", "trailing",
    )  # fmt: skip

    def __init__(
        self,
        name: str,
        types: Iterable[Any],
        operands: Iterable[Value],
        attributes: dict[str, Any] | None,
        blocks: Sequence[Block],
        location: Any,
    ) -> None:
        self.name = name
        if type(types) is tuple and len(types) == 1:  # as most have it
            self.results = [Value(self, 0, types[0])]
        else:
            self.results = [Value(self, number, each) for number, each in enumerate(types)]
        self.operands = list(operands)
        self.attributes: dict[str, Any] = {} if attributes is None else attributes
        self.location = location
        self.block: Block | None = None
        """The block that it stands in."""
        self.trailing: list[Operation] | None = None
        """What was found out about its results later, and stands right behind it."""
        self.blocks = blocks
        for each in blocks:
            each.owner = self

    @property
    def result(self) -> Value:
        """The only result."""
        (result,) = self.results
        return result

    def give(self, *blocks: Block) -> None:
        """Give it blocks, which were not known when it was made."""
        self.blocks = blocks
        for each in blocks:
            each.owner = self

    def inside(self) -> list[Operation]:
        """The operations in its blocks, at any depth, each before those in it."""
        found: list[Operation] = []
        for block in self.blocks:
            _gather(block, found)
        return found

    def walk(self) -> list[Operation]:
        """The operation itself, and those in its blocks."""
        return [self, *self.inside()] if self.blocks else [self]

    def follow(
        self, name: str, type_: Any, operands: Sequence[Value], location: Any, **attributes: Any
    ) -> Value:
        """The result of an operation that is put right behind this one."""
        made = Operation(name, (type_,), operands, attributes, (), location)
        made.block = self.block
        self.trailing = self.trailing or []
        self.trailing.append(made)
        return made.results[0]

    def clone(self, mapping: dict[Value, Value], resolve: Resolve = _itself) -> Operation:
        """A copy with values replaced as the mapping says, which learns the values that it makes.

        ``resolve`` gives what other values are in the copy.
        """
        operands = [mapping[v] if v in mapping else resolve(v) for v in self.operands]
        blocks = [block.clone(mapping, resolve) for block in self.blocks]
        types = [result.type for result in self.results]
        made = Operation(self.name, types, operands, dict(self.attributes), blocks, self.location)
        mapping.update(zip(self.results, made.results, strict=True))
        return made


class Block:
    """A list of operations, with arguments."""

    __slots__ = ("arguments", "body", "leading", "locations", "owner")

    def __init__(self, types: Iterable[Any] = (), locations: Iterable[Any] = ()) -> None:
        self.arguments = [Value(self, number, each) for number, each in enumerate(types)]
        self.locations = list(locations)
        self.leading: list[Operation] = []
        """What was asked for later, and stands before all others."""
        self.body: list[Operation] = []
        self.owner: Operation | None = None
        """The operation in which it is a region; None before that is made."""

    def add_argument(self, type_: Any, location: Any) -> Value:
        """A further argument."""
        made = Value(self, len(self.arguments), type_)
        self.arguments.append(made)
        self.locations.append(location)
        return made

    def erase_argument(self, number: int) -> None:
        """Take out an argument that nothing uses."""
        del self.arguments[number], self.locations[number]
        for position, each in enumerate(self.arguments):
            each.number = position

    def append(self, operation: Operation) -> None:
        """Append an operation."""
        operation.block = self
        self.body.append(operation)

    def begin(
        self, name: str, type_: Any, operands: Sequence[Value], location: Any, **attributes: Any
    ) -> Value:
        """The result of an operation that is put before all others."""
        made = Operation(name, (type_,), operands, attributes, (), location)
        made.block = self
        self.leading.append(made)
        return made.results[0]

    def repeat(self, value: Value) -> Value:
        """A constant of outside, made again at the beginning."""
        maker = value.maker
        assert maker is not None, "it is a constant"
        return self.begin(maker.name, value.type, (), maker.location, **maker.attributes)

    @property
    def operations(self) -> list[Operation]:
        """The operations in their order."""
        found: list[Operation] = []
        _add_in_order(self.leading, found)
        _add_in_order(self.body, found)
        return found

    @property
    def terminator(self) -> Operation:
        """The operation that ends it."""
        return self.body[-1]

    def walk(self) -> list[Operation]:
        """Its operations and those in their blocks, each before those in it."""
        found: list[Operation] = []
        _gather(self, found)
        return found

    def blocks(self) -> Iterator[Block]:
        """This block and all inside of it."""
        yield self
        for operation in self.walk():
            yield from operation.blocks

    def keep(self, is_kept: Callable[[Operation], bool]) -> None:
        """Take out the operations of which this is not true."""
        self.leading[:] = _kept(self.leading, is_kept)
        self.body[:] = _kept(self.body, is_kept)

    def remove(self, operations: Iterable[Operation]) -> None:
        """Take out operations that nothing uses."""
        gone = {id(each) for each in operations}
        self.keep(lambda operation: id(operation) not in gone)

    def replace(self, mapping: Mapping[Value, Value]) -> None:
        """Let operations use other values in the place of some."""
        for operation in self.walk():
            operands = operation.operands
            for position, value in enumerate(operands):
                if value in mapping:
                    operands[position] = mapping[value]

    def clone(self, mapping: dict[Value, Value], resolve: Resolve = _itself) -> Block:
        """A copy, as of an operation."""
        made = Block([each.type for each in self.arguments], self.locations)
        mapping.update(zip(self.arguments, made.arguments, strict=True))
        for operation in self.operations:
            made.append(operation.clone(mapping, resolve))
        return made

    def uses(self) -> Counter[Value]:
        """How often values are used by its operations, and those inside of them."""
        return _uses_by(self.walk())


class Before:
    """The place right before an operation, where others are inserted."""

    __slots__ = ("_list", "_place", "block", "body", "operation")

    def __init__(self, operation: Operation) -> None:
        assert operation.block is not None, "it stands in a block"
        self.block = operation.block
        self.operation = operation
        self.body: list[Operation] = []
        """What was inserted."""
        found = _list_of(self.block, operation)
        assert found is not None, "it stands in its block"
        self._list, self._place = found

    def append(self, operation: Operation) -> None:
        """Insert an operation behind those that were inserted."""
        operation.block = self.block
        if self._place >= len(self._list) or self._list[self._place] is not self.operation:
            self._place = _position(self._list, self.operation)
        self._list.insert(self._place, operation)
        self._place += 1
        self.body.append(operation)

    def roll_back(self) -> None:
        """Take out what was inserted."""
        self.block.remove(self.body)


def _position(operations: Sequence[Operation], operation: Operation) -> int:
    """Where an operation stands in a list; -1 where it does not."""
    at = len(operations) - 1
    while at >= 0 and operations[at] is not operation:
        at -= 1
    return at


def _list_of(block: Block, operation: Operation) -> tuple[list[Operation], int] | None:
    """The list in which an operation stands, and where: the block's, or what was added later."""
    lists = [block.body, block.leading]
    for operations in lists:
        at = _position(operations, operation)
        if at >= 0:
            return operations, at
        lists += [each.trailing for each in operations if each.trailing is not None]
    return None


def _uses_by(operations: Sequence[Operation]) -> Counter[Value]:
    return Counter([value for operation in operations for value in operation.operands])


def _add_in_order(operations: Iterable[Operation], found: list[Operation]) -> None:
    """Add operations, each with those that stand right behind it."""
    for operation in operations:
        found.append(operation)
        if operation.trailing is not None:
            _add_in_order(operation.trailing, found)


def _gather(block: Block, found: list[Operation]) -> None:
    """Add the operations of a block and those in their blocks, each before those in it."""
    for operation in block.operations:
        found.append(operation)
        for inner in operation.blocks:
            _gather(inner, found)


def _kept(operations: Sequence[Operation], is_kept: Callable[[Operation], bool]) -> list[Operation]:
    found = []
    for operation in operations:
        trailing = operation.trailing
        if trailing is not None:
            trailing = operation.trailing = _kept(trailing, is_kept) or None
        if is_kept(operation):
            found.append(operation)
        elif trailing is not None:
            found += trailing
    return found


PURE = ("arith.", "complex.", "math.", "tensor.")
"""What operations are called that only compute."""


def sweep(block: Block) -> None:
    """Take out what nothing uses: counters nobody reads, sizes asked for by attempts given up."""
    operations = block.walk()
    uses = _uses_by(operations)
    gone: set[int] = set()
    for operation in reversed(operations):
        results = operation.results
        if not results or not operation.name.startswith(PURE) or any(map(uses.get, results)):
            continue
        gone.add(id(operation))
        for each in operation.walk():
            uses.subtract(each.operands)
    if gone:
        for inner in list(block.blocks()):
            inner.keep(lambda operation: id(operation) not in gone)


def likeness(functions: Sequence[Operation]) -> tuple[Any, ...]:
    """What functions have in common that do the same, whatever they and their values are called."""
    numbers: dict[Value, int] = {}
    symbols = {each.attributes["sym_name"].value: n for n, each in enumerate(functions)}

    def said(attributes: dict[str, Any]) -> dict[str, Any]:
        found = dict(attributes)
        if "callee" in found:
            found["callee"] = symbols.get(found["callee"].value, found["callee"])
        if "sym_name" in found:
            found["sym_name"] = symbols[found["sym_name"].value]
        return found

    def numbered(values: Iterable[Value]) -> tuple[Any, ...]:
        return tuple((numbers.setdefault(value, len(numbers)), value.type) for value in values)

    def told(operation: Operation) -> tuple[Any, ...]:
        operands = numbered(operation.operands)
        blocks = tuple(
            (numbered(block.arguments), tuple(map(told, block.operations)))
            for block in operation.blocks
        )
        attributes = tuple(sorted(said(operation.attributes).items(), key=lambda item: item[0]))
        return operation.name, operands, numbered(operation.results), attributes, blocks

    return tuple(map(told, functions))
