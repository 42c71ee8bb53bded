"""Writing functions of machine words in the LLVM dialect, with Python's operators and `with`.

Everything is a 64-bit word: numbers and addresses.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import contextmanager

_POINTER = "!llvm.ptr"


class Word:
    """A value of 64 bits; Python's integers that meet it become constants."""

    __slots__ = ("code", "name")

    def __init__(self, code: Code, name: str) -> None:
        self.code = code
        self.name = name

    def __add__(self, other: Operand) -> Word:
        return self.code.op("add", self, other)

    def __sub__(self, other: Operand) -> Word:
        return self.code.op("sub", self, other)

    def __mul__(self, other: Operand) -> Word:
        return self.code.op("mul", self, other)

    def __and__(self, other: Operand) -> Word:
        return self.code.op("and", self, other)

    def is_(self, other: Operand) -> Condition:
        """Whether both are the same word."""
        return self.code.compare("eq", self, other)

    def is_not(self, other: Operand) -> Condition:
        """Whether they differ."""
        return self.code.compare("ne", self, other)

    def __lt__(self, other: Operand) -> Condition:
        return self.code.compare("slt", self, other)

    def __gt__(self, other: Operand) -> Condition:
        return self.code.compare("sgt", self, other)


Operand = Word | int


class Condition:
    """What a jump asks."""

    __slots__ = ("name",)

    def __init__(self, name: str) -> None:
        self.name = name


class Variable:
    """A word that changes."""

    def __init__(self, code: Code, name: str) -> None:
        self._code = code
        self.place = name

    def get(self) -> Word:
        """What it is now."""
        return self._code.result(f"llvm.load {self.place} : {_POINTER} -> i64")

    def set(self, value: Operand) -> None:
        """Change it."""
        self._code.line(f"llvm.store {self._code.name(value)}, {self.place} : i64, {_POINTER}")

    def add(self, amount: Operand) -> None:
        """Count up."""
        self.set(self.get() + amount)


class Label:
    """A place to jump to; it has to be put somewhere."""

    def __init__(self, name: str) -> None:
        self.name = name


class Code:
    """One function, line by line; ``parameters`` are the words that it is called with."""

    def __init__(
        self,
        symbol: str,
        parameters: Sequence[str],
        *,
        result: bool | str = True,
        kinds: Sequence[str] | None = None,
    ) -> None:
        """``kinds`` are the types of parameters that are no words, ``result`` may be one."""
        self._symbol = symbol
        self._result = (_POINTER if result else "") if isinstance(result, bool) else result
        self._parameters = tuple(parameters)
        self._kinds = tuple(kinds or [_POINTER] * len(parameters))
        self._entry: list[str] = []
        self._lines: list[str] = []
        self._count = 0
        self._known: dict[str, str] = {}
        """What this block has computed of values that do not change."""
        self.arguments = [
            self._from_pointer(f"%{name}") if kind == _POINTER else Word(self, f"%{name}")
            for name, kind in zip(parameters, self._kinds, strict=True)
        ]

    def text(self) -> str:
        """The function."""
        named = zip(self._parameters, self._kinds, strict=True)
        parameters = ", ".join(f"%{name}: {kind}" for name, kind in named)
        result = f" -> {self._result}" if self._result else ""
        if self._lines[-1].endswith(":"):  # a place that nothing jumps to
            self.line("llvm.unreachable")
        body = "\n".join(["  " + line for line in (*self._entry, *self._lines)])
        head = f"llvm.func @{self._symbol}({parameters}){result}"
        return f"{head} {{\n{body}\n}}\n"

    # Values.

    def line(self, text: str) -> None:
        """One operation without a result, or a block's name."""
        self._lines.append(text)

    def result(self, text: str) -> Word:
        """One operation, and its result."""
        name = self._fresh()
        self.line(f"{name} = {text}")
        return Word(self, name)

    def name(self, value: Operand) -> str:
        """The SSA name of an operand."""
        if isinstance(value, Word):
            return value.name
        return self._once(f"llvm.mlir.constant({value} : i64) : i64")

    def op(self, operation: str, left: Operand, right: Operand) -> Word:
        """An integer operation."""
        return self.result(f"llvm.{operation} {self.name(left)}, {self.name(right)} : i64")

    def compare(self, order: str, left: Operand, right: Operand) -> Condition:
        """A comparison."""
        found = self.result(f'llvm.icmp "{order}" {self.name(left)}, {self.name(right)} : i64')
        return Condition(found.name)

    def variable(self, initial: Operand = 0) -> Variable:
        """A variable of this function."""
        found = Variable(self, self._allocate(1))
        found.set(initial)
        return found

    def array(self, words: int) -> Word:
        """The address of so many words that the function has for itself."""
        return self._from_pointer(self._allocate(words))

    def address_of(self, variable: Variable) -> Word:
        """Where a variable is."""
        return self._from_pointer(variable.place)

    # Memory.

    def load(self, base: Word, offset: Operand = 0, bits: int = 64) -> Word:
        """What lies so many bytes behind an address; fewer bits are extended with zeros."""
        address = self._address(base, offset)
        found = self.result(f"llvm.load {address} : {_POINTER} -> i{bits}")
        if bits == 64:
            return found
        return self.result(f"llvm.zext {found.name} : i{bits} to i64")

    def store(self, value: Operand, base: Word, offset: Operand = 0, bits: int = 64) -> None:
        """Put a word, or its low bits, so many bytes behind an address."""
        name = self.name(value)
        if bits != 64:
            name = self.result(f"llvm.trunc {name} : i64 to i{bits}").name
        self.line(f"llvm.store {name}, {self._address(base, offset)} : i{bits}, {_POINTER}")

    def store_as(self, kind: str, value: Word, base: Word, offset: Operand = 0) -> None:
        """Put a value of another type there."""
        self.line(f"llvm.store {value.name}, {self._address(base, offset)} : {kind}, {_POINTER}")

    def copy(self, target: Word, source: Word, size: Operand) -> None:
        """Copy so many bytes."""
        names = [self._pointer(target), self._pointer(source), self.name(size)]
        self.line(
            f'"llvm.intr.memcpy"({", ".join(names)}) <{{isVolatile = false}}> : '
            f"({_POINTER}, {_POINTER}, i64) -> ()"
        )

    def static(self, symbol: str) -> Word:
        """What the module's variable of this name holds."""
        address = self.result(f"llvm.mlir.addressof @{symbol} : {_POINTER}")
        return self.result(f"llvm.load {address.name} : {_POINTER} -> i64")

    def address(self, symbol: str) -> Word:
        """Where a function of the module is."""
        return self._from_pointer(self.result(f"llvm.mlir.addressof @{symbol} : {_POINTER}").name)

    # Calls.

    def call(self, function: Word | str, *arguments: Operand) -> Word:
        """Call a function of the module, or one at an address; it takes words and gives one."""
        return self._from_pointer(self._call(function, arguments, f" -> {_POINTER}"))

    def run(self, function: Word | str, *arguments: Operand) -> None:
        """The same for a function that gives nothing."""
        self._call(function, arguments, " -> ()")

    def _call(self, function: Word | str, arguments: Sequence[Operand], result: str) -> str:
        names = [self._pointer(each) for each in arguments]
        if isinstance(function, Word):
            called, first = self._pointer(function), f"{_POINTER}, "
        else:
            called, first = f"@{function}", ""
        types = ", ".join([_POINTER] * len(names))
        text = f"llvm.call {called}({', '.join(names)}) : {first}({types}){result}"
        if result == " -> ()":
            self.line(text)
            return ""
        return self.result(text).name

    def give(self, value: Operand | None = None) -> None:
        """Return."""
        if value is None:
            self.line("llvm.return")
        else:
            self.line(f"llvm.return {self._pointer(value)} : {_POINTER}")
        self.put(self.label())  # what comes next is reached by jumps only

    def give_as(self, kind: str, base: Word | None) -> None:
        """Return what lies there as a value of another type, zero without a place."""
        if base is None:
            found = self.result(f"llvm.mlir.zero : {kind}")
        else:
            found = self.result(f"llvm.load {self._address(base, 0)} : {_POINTER} -> {kind}")
        self.line(f"llvm.return {found.name} : {kind}")
        self.put(self.label())

    # Control flow.

    def label(self) -> Label:
        """A place that is put later."""
        return Label("^" + self._fresh()[1:])

    def put(self, label: Label) -> None:
        """The place is here; what stands before goes on to it."""
        if not self._lines or not self._lines[-1].startswith(
            ("llvm.return", "llvm.br", "llvm.cond")
        ):
            self.line(f"llvm.br {label.name}")
        self.line(f"{label.name}:")
        self._known.clear()

    def jump(self, label: Label) -> None:
        """Go on there."""
        self.line(f"llvm.br {label.name}")
        self.put(self.label())

    def jump_if(self, condition: Condition, label: Label) -> None:
        """Go on there if the condition holds, else here."""
        here = self.label()
        self.line(f"llvm.cond_br {condition.name}, {label.name}, {here.name}")
        self.put(here)

    @contextmanager
    def when(self, condition: Condition) -> Iterator[None]:
        """What is done only if the condition holds."""
        inside, after = self.label(), self.label()
        self.line(f"llvm.cond_br {condition.name}, {inside.name}, {after.name}")
        self.put(inside)
        yield
        self.put(after)

    @contextmanager
    def repeat(self, count: Operand, first: Operand = 0) -> Iterator[Word]:
        """A loop over the numbers from ``first`` to ``count``."""
        number = self.variable(first)
        test, after = self.label(), self.label()
        self.put(test)
        now = number.get()
        self.jump_if(self.compare("sge", now, count), after)
        yield now
        number.set(now + 1)
        self.line(f"llvm.br {test.name}")
        self.put(after)

    # What this is made of.

    def _fresh(self) -> str:
        self._count += 1
        return f"%v{self._count}"

    def _allocate(self, words: int) -> str:
        size, name = self._fresh(), self._fresh()
        self._entry.append(f"{size} = llvm.mlir.constant({words} : i64) : i64")
        self._entry.append(f"{name} = llvm.alloca {size} x i64 : (i64) -> {_POINTER}")
        return name

    def _once(self, text: str) -> str:
        """The result of an operation that this block may have already."""
        if text not in self._known:
            self._known[text] = self.result(text).name
        return self._known[text]

    def _pointer(self, value: Operand) -> str:
        return self._once(f"llvm.inttoptr {self.name(value)} : i64 to {_POINTER}")

    def _from_pointer(self, name: str) -> Word:
        return self.result(f"llvm.ptrtoint {name} : {_POINTER} to i64")

    def _address(self, base: Word, offset: Operand) -> str:
        pointer = self._pointer(base)
        if isinstance(offset, Word):
            where, kind = offset.name, f"({_POINTER}, i64)"
        elif offset:
            where, kind = str(int(offset)), f"({_POINTER})"
        else:
            return pointer
        return self._once(f"llvm.getelementptr {pointer}[{where}] : {kind} -> {_POINTER}, i8")


def beginning(symbol: str, state: str, functions: Sequence[str]) -> str:
    """A variable for the address of a state, and a function that is given that and an array.

    It leaves the addresses of the module's functions in the array.
    """
    code = Code(symbol, ("state", "addresses"), result=False)
    code.line(f"%here = llvm.mlir.addressof @{state} : {_POINTER}")
    code.line(f"llvm.store {code.arguments[0].name}, %here : i64, {_POINTER}")
    for n, name in enumerate(functions):
        code.store(code.address(name), code.arguments[1], 8 * n)
    code.give()
    variable = f"llvm.mlir.global internal @{state}(0 : i64) {{addr_space = 0 : i32}} : i64\n"
    return variable + code.text()
