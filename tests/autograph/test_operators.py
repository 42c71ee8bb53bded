"""What the operators do with staged values, and with a mixture of both kinds."""

from __future__ import annotations

from typing import Any

import pytest

from agir.autograph import convert, operators


def test_a_loop_that_becomes_staged(staging: Any, Hidden: Any, reveal: Any) -> None:
    """The first iterations are Python's; from the first staged test on, all are recorded."""

    def f(n: int, hidden: Any) -> Any:
        while n < 3 or hidden < 5:
            n += 1
            if n >= 2:
                hidden = hidden + 2
        return n, hidden

    assert reveal(convert(f)(0, Hidden(0))) == (4, 6)
    assert staging.calls.count("while") == 1
    assert set(staging.states[0].names) == {"n", "hidden"}


def test_what_the_test_did_is_rolled_back(staging: Any, Hidden: Any) -> None:
    def f(x: Any) -> Any:
        while (y := note(x)) < 3:
            x = x + 1
        return y

    def note(value: Any) -> Any:
        staging.log.append(value.value)
        return value

    assert convert(f)(Hidden(1)).value == 3
    assert staging.log == [1, 2, 3]


def test_a_plain_loop_with_a_staged_break(staging: Any, Hidden: Any, reveal: Any) -> None:
    def f(limit: Any) -> Any:
        total = 0
        for i in [1, 2, 3, 4]:
            if total > limit:
                break
            total = total + i
        else:
            total = -total
        return total

    assert reveal(convert(f)(Hidden(2))) == 3
    assert reveal(convert(f)(Hidden(100))) == -10


def test_an_iterator_is_not_asked_again_after_a_break() -> None:
    def f(items: Any) -> list[int]:
        seen = []
        for i in items:
            if i == 1:
                continue
            if i == 2:
                break
            seen.append(i)
        return seen

    items = iter(range(5))
    assert convert(f)(items) == [0]
    assert next(items) == 3


def test_long_ranges_are_offered(staging: Any, reveal: Any) -> None:
    def f(n: int) -> int:
        total = 0
        for i in range(n):
            if i == 3:
                break
            total += i
        return total

    staging.take_ranges = True
    assert reveal(convert(f)(10)) == 3
    assert staging.calls[0] == "for"
    assert staging.options[0].targets == ("i",)


def test_what_is_written_to_is_told(staging: Any) -> None:
    def f(out: list[Any], table: dict[str, Any], thing: Any) -> Any:
        out.append(1)
        table["n"] += 1
        thing.field = out[0]
        table["n"], out[0] = 7, 5
        del table["n"]
        setattr(thing, "field", 3)  # noqa: B010
        return bump(2)

    class Thing:
        field = 0

    count = 1

    def bump(by: int) -> int:
        nonlocal count
        count += by
        return count

    out: list[Any] = []
    assert convert(f)(out, {"n": 0}, Thing()) == 3
    assert [name for name, _ in staging.written] == [
        "the list",
        "['n']",
        "Thing.field",
        "['n']",
        "the list",
        "['n']",
        "Thing.field",
        "count",
    ]
    assert staging.written[0][1] == []
    assert staging.written[5][1] == 7
    assert staging.written[6][1] == 1
    assert staging.written[7][1] == 1
    assert out == [5]


def test_builtins_are_asked_for(staging: Any, Hidden: Any, reveal: Any) -> None:
    staging.builtins[len] = lambda value: Hidden(len(reveal(value)))
    staging.builtins[range] = lambda n: Hidden(list(range(reveal(n))))

    def f(x: Any) -> Any:
        total = 0
        for i in range(len(x)):
            total += i
        return total

    assert reveal(convert(f)(Hidden([1, 2, 3]))) == 3
    assert convert(f)([1, 2]).value == 1


def test_logic_and_assertions(staging: Any, Hidden: Any, reveal: Any) -> None:
    def f(a: Any, b: Any) -> Any:
        assert a < b, "order"
        return 0 < a < b or not (a and b), 1 if a == 1 else 2

    assert reveal(convert(f)(Hidden(1), 2)) == (True, 1)
    assert {"assert", "and", "or", "if_exp"} <= set(staging.calls)
    with pytest.raises(AssertionError, match="order"):
        convert(f)(Hidden(3), 2)


class Possibly(operators.PossiblyUndefined):
    def load(self) -> object:
        return "loaded"


def test_a_variable_that_a_staging_makes_doubtful(staging: Any, Hidden: Any) -> None:
    def f(x: Any) -> Any:
        if x:
            y = 1
        z = 0
        while x:
            z += 1
            x = False
        return y, z

    original = staging.if_stmt

    def if_stmt(cond: Any, body: Any, orelse: Any, state: Any) -> None:
        original(cond, body, orelse, state)
        state.set(tuple(Possibly() for _ in state.get()))

    staging.if_stmt = if_stmt
    assert convert(f)(Hidden(0)) == ("loaded", 0)


@pytest.mark.parametrize(
    "use",
    [
        lambda x: x.field, lambda x: x + 1, lambda x: 1 - x, lambda x: x(), bool, lambda x: x[0],
        lambda x: x == 1, len, iter, hash, str, abs, lambda x: 1 in x, int,
    ],
)  # fmt: skip
def test_any_use_of_an_undefined_variable(use: Any) -> None:
    with pytest.raises(UnboundLocalError, match="'name'"):
        use(operators.Undefined("name"))


def test_a_variable_without_value_is_no_value() -> None:
    def f(x: int) -> Any:
        if x:
            y = 1
        y += 1
        del x
        return x  # noqa: F821

    for argument in (0, 1):
        with pytest.raises(UnboundLocalError) as expected:
            f(argument)
        with pytest.raises(UnboundLocalError) as got:
            convert(f)(argument)
        assert str(got.value) == str(expected.value)


def test_falling_off_the_end() -> None:
    def f(xs: list[int]) -> Any:
        for x in xs:
            if x:
                return x

    assert convert(f)([0, 2]) == 2
    assert convert(f)([0]) is None


def test_registration(staging: Any) -> None:
    operators.register(staging)
    assert list(operators.active()).count(staging) == 1
    operators.unregister(staging)
    assert staging not in operators.active()
