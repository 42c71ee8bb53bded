"""What a compiled generator function gives its caller."""

from __future__ import annotations

from collections.abc import Callable, Generator, Iterator, Sequence
from types import MethodType
from typing import Any, NoReturn

from agir.ir import recording
from agir.ir.tensors import structure
from agir.runtime.iterators.segments import Machine, Way
from agir.runtime.yielding.layouts import Layout
from agir.runtime.yielding.marks import END, Host, host
from agir.runtime.yielding.steps import iterated, plain


class CompiledGenerator(Generator[Any, Any, Any]):
    """A generator that runs compiled code from one `yield` to the next, when it is asked to.

    It is used as Python's own: ``next``, `send`, `throw`, `close`, and in loops.
    """

    __slots__ = (
        "__name__",
        "__qualname__",
        "__weakref__",
        "_hosts",
        "_inner",
        "_is_running",
        "_machine",
        "_start",
        "_state",
        "_way",
    )

    def __init__(self, machine: Machine, args: tuple[Any, ...], kwargs: dict[str, Any]) -> None:
        self.__name__ = machine.name
        self.__qualname__ = machine.qualname
        self._machine = machine
        self._hosts: list[Iterator[Any]] = []
        self._start: tuple[tuple[Any, ...], dict[str, Any]] | None = (
            tuple(map(self._taken, args)),
            {key: self._taken(value) for key, value in kwargs.items()},
        )
        """The arguments, as long as it has not been started."""
        self._way: Way | None = None
        """How it goes on; None before it has started and when it has ended."""
        self._state: tuple[Any, ...] = ()
        self._inner: Iterator[Any] | None = None
        """What it yields from."""
        self._is_running = False

    def _taken(self, value: Any) -> Any:
        """An argument: an iterator stays with the host."""
        is_iterator = isinstance(value, Iterator) and structure.children(value) is None
        return self._hosted(value) if is_iterator else value

    def _hosted(self, iterator: Iterator[Any]) -> Host:
        self._hosts.append(iterator)
        return host(len(self._hosts) - 1)

    # As a generator.

    def __next__(self) -> Any:
        """The next item."""
        way = self._way
        if way is None or not way.is_simple or self._is_running:
            return self.send(None)
        self._is_running = True
        try:
            results = way.run(*self._state)
        except BaseException as error:
            self._failed(error)
        finally:
            self._is_running = False
        if type(results) is not tuple:
            return self._come_to(results)
        number, self._state, value = results[0].read(results)
        return value if number == way.number else self._elsewhere(number, value)

    def send(self, value: Any) -> Any:
        """Go on, with a value for the `yield`."""
        if self._is_running:
            raise ValueError("generator already executing")
        self._is_running = True
        try:
            if self._way is None:
                return self._started(value)
            if self._inner is not None:
                return self._from_inner(lambda inner: _sent(inner, value))
            return self._gone_on(value)
        finally:
            self._is_running = False

    def throw(self, *error: Any) -> Any:
        """Raise an exception at the `yield`."""
        if self._is_running:
            raise ValueError("generator already executing")
        made = _exception(*error)
        if self._way is None:
            if self._start is None:
                raise made
            self._failed(made)
        self._is_running = True
        try:
            if self._inner is not None:
                return self._from_inner(lambda inner: _thrown(inner, made))
            return self._thrown(made)
        finally:
            self._is_running = False

    def close(self) -> None:
        """End it: what is in `finally` clauses runs."""
        if self._way is None:
            self._start = None
            return
        try:
            self.throw(GeneratorExit())
        except (GeneratorExit, StopIteration):
            return
        raise RuntimeError("generator ignored GeneratorExit")

    def __del__(self) -> None:
        way = getattr(self, "_way", None)
        if way is not None and way.is_guarded:
            self.close()

    def __reduce_ex__(self, protocol: Any) -> NoReturn:
        raise TypeError("cannot pickle 'generator' object")

    def __repr__(self) -> str:
        return f"<generator object {self.__qualname__} at {id(self):#x}>"

    # From one `yield` to the next.

    def _started(self, value: Any) -> Any:
        if self._start is None:
            raise StopIteration
        if value is not None:
            raise TypeError("can't send non-None value to a just-started generator")
        args, kwargs = self._start
        return self._ran(lambda: self._machine.first(*args, **kwargs))

    def _gone_on(self, value: Any) -> Any:
        way, state = self._way, self._state
        assert way is not None, "it has started"
        sent = (value,) if way.receives else ()
        return self._ran(lambda: way.run(*state, *sent))

    def _thrown(self, error: BaseException) -> Any:
        way = self._way
        assert way is not None, "it has started"
        if not way.is_guarded:
            self._failed(error)
        run = self._machine.throwing(way.number)
        try:
            return self._ran(lambda: run(*self._state, (type(error), error.args)))
        except BaseException as raised:
            if type(raised) is type(error) and raised.args == error.args:
                raise error from None
            raise

    def _ran(self, run: Callable[[], Any]) -> Any:
        try:
            results = run()
        except BaseException as error:
            self._failed(error)
        return self._come_to(results)

    def _failed(self, error: BaseException) -> NoReturn:
        if recording.current() is not None:
            raise error  # nothing has run: a function is traced
        self._end()
        if isinstance(error, StopIteration):
            raise RuntimeError("generator raised StopIteration") from error
        raise error

    def _end(self) -> None:
        self._start, self._way, self._state, self._inner = None, None, (), None
        self._hosts = []

    def _come_to(self, results: Any) -> Any:
        """The item at the `yield` that it has come to."""
        number, self._state, value = read(results)
        self._start = None
        return self._left_at(number, value)

    def _elsewhere(self, number: int | None, value: Any) -> Any:
        self._is_running = True
        try:
            return self._left_at(number, value)
        finally:
            self._is_running = False

    def _left_at(self, number: int | None, value: Any) -> Any:
        if number is None:
            self._end()
            raise StopIteration(value) if value is not None else StopIteration
        try:
            way = self._way = self._machine.way(number)
        except BaseException as error:
            self._failed(error)
        return value if way.asks is None else self._asked(way.asks, value)

    # What only the host can do.

    def _asked(self, what: str, value: Any) -> Any:
        if what == "delegate":
            self._inner = self._hosts[value.number]
            return self._from_inner(next)
        try:
            answer = self._next(value) if what == "next" else self._made(*value)
        except BaseException as error:
            return self._thrown(error)
        return self._gone_on(answer)

    def _next(self, mark: Host) -> Any:
        return next(self._hosts[mark.number], END)

    def _made(self, function: Any, args: Any, kwargs: Any) -> Host:
        """An iterator that a call gives."""
        args = [self._unmarked(each) for each in args]
        kwargs = {key: self._unmarked(each) for key, each in kwargs.items()}
        return self._hosted(iter(iterator(self._machine, function, args, kwargs)))

    def _unmarked(self, value: Any) -> Any:
        return self._hosts[value.number] if isinstance(value, Host) else plain(value)

    def _from_inner(self, ask: Callable[[Any], Any]) -> Any:
        """What the iterator gives that this one yields from; goes on where that has ended."""
        inner = self._inner
        try:
            return ask(inner)
        except StopIteration as end:
            self._inner = None
            return self._gone_on(end.value)
        except BaseException as error:
            self._inner = None
            return self._thrown(error)


CompiledGenerator.__name__ = "generator"  # to what asks for the name of its class


def iterator(machine: Machine, function: Any, args: Sequence[Any], kwargs: dict[str, Any]) -> Any:
    """The iterator that a call gives, which runs compiled code where it can."""
    if function is iterated:
        function = MethodType(type(args[0]).__iter__, args[0])
        args = ()
    inner = machine.inner(function)
    if inner is None:
        return function(*args, **kwargs)
    receiver = (function.__self__,) if isinstance(function, MethodType) else ()
    return CompiledGenerator(inner, (*receiver, *args), kwargs)


def read(results: Any) -> tuple[Any, tuple[Any, ...], Any]:
    """How a function was left: the number of the `yield` or what else, the state and the item."""
    if type(results) is tuple and type(results[0]) is Layout:
        return results[0].read(results)
    return results.number, *results  # plain Python has run it


def _sent(inner: Any, value: Any) -> Any:
    return next(inner) if value is None else inner.send(value)


def _thrown(inner: Any, error: BaseException) -> Any:
    if isinstance(error, GeneratorExit):
        if hasattr(inner, "close"):
            inner.close()
        raise error
    if not hasattr(inner, "throw"):
        raise error
    return inner.throw(error)


def _exception(kind: Any, value: Any = None, traceback: Any = None) -> BaseException:
    """The exception that the arguments of `throw` mean."""
    if isinstance(kind, type) and issubclass(kind, BaseException):
        if isinstance(value, kind):
            made: BaseException = value
        else:
            given = () if value is None else value if isinstance(value, tuple) else (value,)
            made = kind(*given)
    elif isinstance(kind, BaseException):
        if value is not None:
            raise TypeError("instance exception may not have a separate value")
        made = kind
    else:
        raise TypeError(
            "exceptions must be classes or instances deriving from BaseException, not "
            f"{type(kind).__name__}"
        )
    return made if traceback is None else made.with_traceback(traceback)
