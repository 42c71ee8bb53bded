"""`match` over plain values means what Python means, and what it is lowered to."""

from __future__ import annotations

import collections
import dataclasses
import enum
import inspect
import linecache
import sys
from collections.abc import Callable
from typing import Any

import pytest

from agir.autograph import convert, to_code


class Color(enum.Enum):
    RED = 1
    BLUE = 2


class Number(enum.IntEnum):
    ONE = 1
    FIVE = 5


@dataclasses.dataclass
class Point:
    x: Any
    y: Any


@dataclasses.dataclass
class Point3(Point):
    z: Any = 0


class Text(str):
    pass


class Bytes(bytes):
    pass


class Whole(int):
    pass


class ByPosition:
    __match_args__ = ("first", "second")
    first = 1

    def __init__(self, second: Any = None) -> None:
        if second is not None:
            self.second = second


class BadArgs:
    __match_args__ = ["x"]


class BadNames:
    __match_args__ = (1,)


class Twice:
    __match_args__ = ("x", "x")
    x = 1


class Failing:
    @property
    def x(self) -> Any:
        raise ZeroDivisionError

    @property
    def y(self) -> Any:
        raise AttributeError


class Missing(dict):  # type: ignore[type-arg]
    def __missing__(self, key: Any) -> Any:
        return "made up"


not_a_class = 3

# fmt: off
SUBJECTS = [
    *(0, 1, 5, -1, 2.5, 1 + 2j, True, False, None, "", "ab", b"ab", Text("ab"), Bytes(b"ab")),
    *(Whole(1), Color.RED, Color.BLUE, Number.FIVE),
    *([], [1], [1, 2], [1, 2, 3], (1, 2), (0, [1, 2]), [[], [3]], range(3), bytearray(b"ab")),
    *(collections.deque([1, 2, 3]), {1, 2}, frozenset([1]), iter([1, 2])),
    *({}, {"a": 1}, {"a": 1, "b": [2, 3]}, Missing(a=1), collections.OrderedDict(a=1, c=2)),
    *(collections.defaultdict(list, b=[1, 2]), collections.ChainMap({"a": 1}), {1: 2, None: 3}),
    *(Point(1, 2), Point(0, [1, 2]), Point3(1, 2, 3), ByPosition(), ByPosition(4)),
    *(BadArgs(), BadNames(), Twice(), Failing(), int, object()),
]

PATTERNS = [
    *("0", "-1", "2.5", "1+2j", "'ab'", "b'ab'", "None", "True", "False", "0 | 1 | 5"),
    *("Color.RED", "Number.FIVE | Color.BLUE", "a", "(1 | 2) as a", "[] | () | {}"),
    *("[a]", "[a, b]", "[_, _]", "[*_]", "[*a]", "[a, *_]", "[*_, a]", "[a, *b, c]", "[_, *_, _]"),
    *("[1, *a] | [*a, 3]", "[[], [a]]", "(0, [a, _])", "[a, 2 as b]", "[1 | 2 as a, b]"),
    *("{}", "{'a': 1}", "{'a': a}", "{'a': 1, **b}", "{'b': [a, *_], **b}", "{None: a, 1: b}"),
    *("{**a}", "{'a': a} | {'b': a}", "{Number.ONE: a}", "{'zz': a}", "{'a': _, 'b': [*a]}"),
    *("int()", "int(a)", "str(a)", "bytes() as a", "float(a) | bool(a)", "list([a, b])", "dict(a)"),
    *("Point(1, a)", "Point(x=a, y=b)", "Point(0, y=[a, *_])", "Point3(z=3) as a", "Point(1, 2, 3)"),
    *("ByPosition(1)", "ByPosition(a, b)", "ByPosition(1, second=a)", "BadArgs(1)", "BadNames(1)"),
    *("Twice(1, a)", "Twice(1, x=a)", "Failing(x=1)", "Failing(y=1)", "Failing(y=1, x=2)"),
    *("int(1, 2)", "object(1)", "not_a_class()", "type(__name__='int')", "{'a': a, Text.a: b}"),
    *("int() | str() as a", "[int(a), int(b)] | Point(int(a), b)", "[Color.RED | 1, _] as a"),
]
# fmt: on


def made(source: str) -> Callable[..., Any]:
    """A function from its text, with lines that can be looked up."""
    filename = f"<match {hash(source)}>"
    linecache.cache[filename] = (len(source), None, source.splitlines(True), filename)
    namespace: dict[str, Any] = dict(globals())
    exec(compile(source, filename, "exec"), namespace)
    function: Callable[..., Any] = namespace["f"]
    return function


def outcome(f: Callable[..., Any], *args: Any) -> Any:
    try:
        return f(*args)
    except Exception as error:
        return type(error), str(error)


def source(*patterns: str, guard: str = "") -> str:
    lines = ["def f(subject, log):", "    match subject:"]
    for index, pattern in enumerate(patterns):
        lines.append(f"        case {pattern}{guard}:")
        lines.append(f"            found = {index}")
    if "_" not in patterns:
        lines += ["        case _:", "            found = None"]
    return "\n".join([*lines, "    names = found, [", *READS, "    ]", "    return names"]) + "\n"


READS = [f"        (lambda: {name})," for name in "abc"]


def names(result: Any) -> Any:
    """The case that was taken, and the values of the names, bound or not."""
    if not isinstance(result, tuple) or not isinstance(result[1], list):
        return result
    values = []
    for read in result[1]:
        try:
            values.append(read())
        except NameError as error:
            values.append(str(error))
    return result[0], values


@pytest.mark.parametrize("pattern", PATTERNS)
def test_a_pattern_means_the_same(pattern: str) -> None:
    bound = [name for name in "abc" if f" {name}" in f" {pattern}".replace("(", " ")]
    guard = f" if log.append(({', '.join(bound)},)) or log" if bound else ""
    for text in {source(pattern, guard=guard), source(pattern, guard=guard and " if True")}:
        f = made(text)
        g = convert(f)
        for subject in SUBJECTS:
            logs: tuple[list[Any], list[Any]] = ([], [])
            expected, got = (
                names(outcome(each, subject, log)) for each, log in zip((f, g), logs, strict=True)
            )
            assert repr(got) == repr(expected), subject
            assert repr(logs[0]) == repr(logs[1]), subject


def test_cases_are_tried_in_order() -> None:
    f = made(
        source("[0, a]", "[a, 0] | [a, _, 0]", "{'k': a}", "int(a)", "[*a, b]", guard=" if a != 7")
    )
    g = convert(f)
    for subject in ([0, 7], [7, 0], [1, 2, 0], [5, 6], {"k": 7}, 7, 8, [7], [], "x"):
        assert names(outcome(f, subject, [])) == names(outcome(g, subject, []))


class Observed:
    """Notes what is done to it."""

    __match_args__ = ("a", "b")

    def __init__(self, log: list[str], **values: Any) -> None:
        self.log, self.values = log, values

    def __getattr__(self, name: str) -> Any:
        self.log.append(name)
        if name in self.values:
            return self.values[name]
        raise AttributeError(name)

    def __eq__(self, other: object) -> Any:
        self.log.append(f"== {other!r}")
        return Truth(self.log, other == self.values.get("is"))


class Truth:
    def __init__(self, log: list[str], value: bool) -> None:
        self.log, self.value = log, value

    def __bool__(self) -> bool:
        self.log.append("truth")
        return self.value


def test_what_is_looked_at_and_when() -> None:
    class Names:
        def __init__(self, log: list[str]) -> None:
            self.log = log

        def __getattr__(self, name: str) -> Any:
            self.log.append(f"name {name}")
            return {"Kind": Observed, "ONE": 1}.get(name, name)

    def f(log, names, subject):  # type: ignore[no-untyped-def]
        match log.append("subject") or subject:
            case names.FIRST:
                return 1
            case names.Kind(names.ONE, c=names.ONE) if log.append("guard"):
                return 2
            case names.Kind(a=1, b=x) if log.append("guard 2") or x:
                return 3, x
            case [_, names.ONE, *_]:
                return 4
            case names.Kind(a=x, b=_) | names.Kind(c=x):
                return 5, x
            case names.LAST:
                return 6
        return 7

    g = convert(f)
    for values in ({}, {"a": 1}, {"a": 1, "b": 0}, {"a": 1, "b": 4}, {"a": 1, "b": 1, "c": 1}):
        for extra in ({}, {"is": "FIRST"}, {"is": "LAST"}):
            logs: tuple[list[str], list[str]] = ([], [])
            results = [
                each(log, Names(log), Observed(log, **values, **extra))
                for each, log in zip((f, g), logs, strict=True)
            ]
            assert results[0] == results[1]
            assert logs[0] == logs[1]


def test_jumps_out_of_cases() -> None:
    def f(items, log):  # type: ignore[no-untyped-def]
        for item in items:
            match item:
                case 0:
                    continue
                case "stop":
                    break
                case {"return": value}:
                    return value
                case [*inner]:
                    for each in inner:
                        match each:
                            case 1:
                                break
                            case n:
                                log.append(n)
                    else:
                        log.append("all")
                case int() | float() as n if n > 3:
                    log.append(n)
                    del n
                case _:
                    raise ValueError(item)
            log.append("after")
        return log

    g = convert(f)
    for items in (
        [0, 5, [2, 3], [2, 1, 3]],
        [4.5, "stop", {}],
        [[], {"return": 7}, 1],
        [9, {"return": 1, "more": 2}],
        [2],
    ):
        logs: tuple[list[Any], list[Any]] = ([], [])
        assert outcome(f, items, logs[0]) == outcome(g, items, logs[1])
        assert logs[0] == logs[1]


def test_many_cases() -> None:
    lines = [f"        case {i}: return {i * i}" for i in range(60)]
    text = "\n".join(["def f(subject):", "    match subject:", *lines, "    return -1"]) + "\n"
    f = made(text)
    g = convert(f)
    assert [g(i) for i in (0, 31, 59, 60)] == [f(i) for i in (0, 31, 59, 60)]


def test_names_of_cases_are_not_mangled_and_locals_are_classes_too() -> None:
    class Private:
        def __init__(self) -> None:
            self.__dict__["__value"] = 3

        def f(self, subject: Any) -> Any:
            kind = Private
            match subject:
                case kind(__value=v):
                    return v
            return None

    assert convert(Private().f)(Private()) == Private().f(Private()) == 3


def test_an_unbound_class() -> None:
    def f(bind):  # type: ignore[no-untyped-def]
        if bind:
            kind = int
        match 1:
            case kind():  # type: ignore[misc]
                return "int"

    g = convert(f)
    assert g(True) == "int"
    with pytest.raises(UnboundLocalError, match="'kind'"):
        g(False)


def test_errors_have_the_line_of_the_case() -> None:
    def f(subject):  # type: ignore[no-untyped-def]
        match subject:
            case "none":
                return 1
            case Failing(x=2):
                return 2

    with pytest.raises(ZeroDivisionError) as error:
        convert(f)(Failing())
    lines = [each.lineno for each in error.traceback if str(each.path) == __file__]
    assert lines[-2] + 1 == f.__code__.co_firstlineno + 4


def test_converted_cases_run_on_their_lines() -> None:
    def f(subject: Any) -> Any:
        match subject:
            case 1:
                found = 1
            case [x, y] if x > y:
                found = 2
            case _:
                found = 3
        return found

    def lines(function: Callable[..., Any], subject: Any) -> list[int]:
        seen: list[int] = []

        def trace(frame: Any, event: str, _: object) -> Any:
            if frame.f_code.co_filename != __file__:
                return None
            if event == "line":
                seen.append(frame.f_lineno - f.__code__.co_firstlineno)
            return trace

        sys.settrace(trace)
        try:
            function(subject)
        finally:
            sys.settrace(None)
        return sorted(set(seen))

    for subject in (1, [2, 1], [1, 2], None):
        executed = lines(f, subject)
        # Python 3.10 and 3.11 differ in whether `case _` itself counts.
        assert set(lines(convert(f), subject)) - {6} == set(executed) - {6}


def check(f: Callable[..., Any], expected: str) -> None:
    assert [line for line in to_code(f).splitlines() if line.strip()] == [
        line for line in inspect.cleandoc(expected).splitlines() if line.strip()
    ]


def test_values_are_comparisons() -> None:
    def f(x):  # type: ignore[no-untyped-def]
        y = 0
        match x:
            case 0 | -1:
                y = 1
            case Color.RED if y < 3:
                y = 2
            case None:
                y = 3
        return y

    check(
        f,
        """
        def f(x):
            y = 0
            subject = x
            def if_body():
                nonlocal y
                y = 1
            def else_body():
                nonlocal y
                def if_body_1():
                    nonlocal y
                    y = 2
                def else_body_1():
                    nonlocal y
                    def if_body_2():
                        nonlocal y
                        y = 3
                    def get_state():
                        return (y,)
                    def set_state(values):
                        nonlocal y
                        (y,) = values
                    ag__.if_stmt(ag__.is_(subject, None), if_body_2, ag__.skip, ag__.State(get_state, set_state, ('y',)))
                def get_state_1():
                    return (y,)
                def set_state_1(values):
                    nonlocal y
                    (y,) = values
                ag__.if_stmt(ag__.and_(subject == ag__.get_attr(Color, 'RED'), lambda: y < 3), if_body_1, else_body_1, ag__.State(get_state_1, set_state_1, ('y',)))
            def get_state_2():
                return (y,)
            def set_state_2(values):
                nonlocal y
                (y,) = values
            ag__.if_stmt(ag__.or_(subject == 0, lambda: subject == -1), if_body, else_body, ag__.State(get_state_2, set_state_2, ('y',)))
            return y
        """,  # noqa: E501
    )


def test_names_are_bound_between_pattern_and_guard() -> None:
    def f(p):  # type: ignore[no-untyped-def]
        match p:
            case Point(0, y=[a, *_]) if a:
                p = a
            case other:
                p = other

    check(
        f,
        """
        def f(p):
            subject = p
            match = ag__.match(subject, ag__.matching.Class(lambda: Point, (ag__.matching.Literal(0),), ('y',), (ag__.matching.Sequence(ag__.matching.Capture('a'), ag__.matching.Star()),)), ('a',))
            chosen = False
            a = ag__.Undefined('a')
            def if_body():
                nonlocal chosen, a
                (a,) = ag__.unpack(match.values, 1)
                def if_body_1():
                    nonlocal chosen
                    chosen = True
                def get_state():
                    return (chosen,)
                def set_state(values):
                    nonlocal chosen
                    (chosen,) = values
                ag__.if_stmt(a, if_body_1, ag__.skip, ag__.State(get_state, set_state, ('chosen',)))
            def get_state_1():
                return (chosen, a)
            def set_state_1(values):
                nonlocal chosen, a
                (chosen, a) = values
            ag__.if_stmt(match.test, if_body, ag__.skip, ag__.State(get_state_1, set_state_1, ('chosen', 'a')))
            def if_body_2():
                p = ag__.ld(a)
            def else_body():
                other = subject
                p = other
            ag__.if_stmt(chosen, if_body_2, else_body, ag__.no_state)
        """,  # noqa: E501
    )
