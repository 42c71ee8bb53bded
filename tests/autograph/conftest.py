"""A staging without a compiler: values whose truth Python may not ask for."""

from __future__ import annotations

import contextlib
import operator
from collections.abc import Callable, Iterator
from typing import Any

import pytest

from agir.autograph import operators


class Hidden:
    """A value that control flow cannot see; arithmetic on it is hidden as well."""

    def __init__(self, value: Any) -> None:
        self.value = value

    def __bool__(self) -> bool:
        raise TypeError("the truth of a hidden value was asked for")

    def __iter__(self) -> Any:
        raise TypeError("a hidden value was iterated over")

    def __index__(self) -> int:
        return operator.index(self.value)

    def __repr__(self) -> str:
        return f"Hidden({self.value!r})"

    __hash__ = None  # type: ignore[assignment]


def reveal(value: Any) -> Any:
    """The value without its disguise, containers included."""
    if isinstance(value, Hidden):
        return reveal(value.value)
    if isinstance(value, tuple | list):
        return type(value)(reveal(each) for each in value)
    return value


def _binary(function: Callable[[Any, Any], Any], swap: bool = False) -> Any:
    def method(self: Hidden, other: Any) -> Any:
        pair = (self.value, reveal(other))
        return Hidden(function(*(reversed(pair) if swap else pair)))

    return method


ARITHMETIC = ["add", "sub", "mul", "floordiv", "mod", "and_", "or_", "xor"]
COMPARISONS = ["eq", "ne", "lt", "le", "gt", "ge"]
for _name in ARITHMETIC + COMPARISONS:
    _function = getattr(operator, _name)
    setattr(Hidden, f"__{_name.strip('_')}__", _binary(_function))
    if _name in ARITHMETIC:
        setattr(Hidden, f"__r{_name.strip('_')}__", _binary(_function, swap=True))
Hidden.__neg__ = lambda self: Hidden(-self.value)  # type: ignore[attr-defined]


PYTHONS: dict[str, Callable[[Any, Any], bool]] = {
    "is": lambda left, right: left is right,
    "is not": lambda left, right: left is not right,
    "in": lambda left, right: left in right,
    "not in": lambda left, right: left not in right,
}


class FakeStaging:
    """Interprets staged statements at once, with the hidden values in plain sight."""

    def __init__(self) -> None:
        self.calls: list[str] = []
        self.log: list[Any] = []
        self.options: list[operators.LoopOptions] = []
        self.states: list[operators.State] = []
        self.take_ranges = False
        self.written: list[tuple[str, Any]] = []
        self.objects: list[Any] = []
        self.builtins: dict[Any, Callable[..., Any]] = {}

    def is_staged(self, value: object) -> bool:
        return isinstance(value, Hidden)

    @contextlib.contextmanager
    def attempt(self) -> Iterator[Callable[[], None]]:
        mark = len(self.log)

        def roll_back() -> None:
            del self.log[mark:]

        yield roll_back

    def writing(self, place: operators.Place) -> None:
        self.written.append((place.name, place.get()))

    def displayed(self, keys: Any, values: Any) -> Any:
        return None

    def updating(self, target: Any, value: Any) -> None:
        pass

    def has_operators(self) -> bool:
        return False

    def made(self, value: Any) -> Any:
        self.objects.append(value)
        return value

    def begun(self, kind: type) -> Any:
        return None

    def initialised(self, made: Any) -> None:
        pass

    def calling(self, function: Any) -> Any:
        return function

    def get_name(self, names: Any, name: str, value: Any) -> Any:
        return None

    def get_attr(self, obj: Any, name: str) -> Any:
        return None

    def set_attr(self, obj: Any, name: str, value: Any) -> Any:
        return None

    def get_item(self, obj: Any, key: Any) -> Any:
        return (lambda: Hidden(obj[reveal(key)])) if isinstance(key, Hidden) else None

    def set_item(self, obj: Any, key: Any, value: Any) -> Any:
        return (lambda: obj.__setitem__(reveal(key), value)) if isinstance(key, Hidden) else None

    def call_starred(self, function: Any, items: Any, named: Any) -> Any:
        return None

    def unpack(self, value: Any, count: int) -> Any:
        return None

    def compare(self, operator: str, left: Any, right: Any) -> Any:
        if not (isinstance(left, Hidden) or isinstance(right, Hidden)):
            return None
        return lambda: Hidden(PYTHONS[operator](reveal(left), reveal(right)))

    def _count(self, name: str, state: operators.State | None = None) -> None:
        self.calls.append(name)
        if state is not None:
            self.states.append(state)
            values = state.get()
            assert len(values) == len(state.names)
            state.set(values)

    def if_stmt(self, cond: Any, body: Any, orelse: Any, state: operators.State) -> None:
        self._count("if", state)
        (body if reveal(cond) else orelse)()

    def while_stmt(self, test: Any, body: Any, state: operators.State, options: Any) -> None:
        self._count("while", state)
        self._note(options)
        while reveal(test()):
            body()
            state.set(state.get())

    def for_stmt(self, iterated: Any, body: Any, extra: Any, state: Any, options: Any) -> None:
        self._count("for", state)
        self._note(options)
        for item in reveal(iterated):
            body(Hidden(item))
            state.set(state.get())
            if extra is not None and not reveal(extra()):
                break

    def _note(self, options: operators.LoopOptions) -> None:
        self.options.append(options)

    def offer(self, iterated: Any, body: Any, extra: Any, state: Any, options: Any) -> bool:
        if self.take_ranges and isinstance(iterated, range):
            self.for_stmt(list(iterated), body, extra, state, options)
        return self.take_ranges and isinstance(iterated, range)

    def offer_while(self, test: Any, body: Any, state: Any, options: Any) -> bool:
        return False

    def if_exp(self, cond: Any, body: Any, orelse: Any) -> Any:
        self._count("if_exp")
        return (body if reveal(cond) else orelse)()

    def condition(self, value: Any) -> Any:
        return value

    def and_(self, left: Any, right: Any) -> Any:
        self._count("and")
        return right() if reveal(left) else left

    def or_(self, left: Any, right: Any) -> Any:
        self._count("or")
        return left if reveal(left) else right()

    def not_(self, value: Any) -> Any:
        self._count("not")
        return Hidden(not reveal(value))

    def assert_stmt(self, test: Any, message: Any) -> None:
        self._count("assert")
        if not reveal(test):
            raise AssertionError(message())

    def resumable(self) -> None:
        return None

    def region(self) -> object:
        return self

    def refusal(self, message: str) -> Exception:
        return TypeError(message)

    def is_instance(self, value: Any, kind: type) -> bool:
        return isinstance(reveal(value), kind)

    def try_stmt(self, *clauses: Any) -> bool:
        return False

    def going_on(self) -> object:
        return True

    def in_try(self) -> bool:
        return False

    def managed(self, manager: Any) -> Any:
        return manager

    def result(self, function: Any, value: Any) -> Any:
        return value

    def builtin(self, function: Any, args: Any, kwargs: Any) -> Any:
        return self.builtins.get(function)


@pytest.fixture(name="Hidden")
def _hidden() -> type[Hidden]:
    return Hidden


@pytest.fixture(name="reveal")
def _reveal() -> Callable[[Any], Any]:
    return reveal


@pytest.fixture
def staging() -> Iterator[FakeStaging]:
    """The fake staging, registered for the time of the test."""
    fake = FakeStaging()
    operators.register(fake)
    yield fake
    operators.unregister(fake)
