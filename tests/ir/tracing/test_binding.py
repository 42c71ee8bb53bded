"""Arguments by parameter: what Python's own binding gives."""

from __future__ import annotations

import inspect
from collections.abc import Callable
from typing import Any

import pytest

from agir.ir.binding import Parameters


def plain(x: Any, y: Any = 2, z: Any = 3) -> Any:
    return x, y, z


def needing_a_name(x: Any, *, y: Any) -> Any:
    return x, y


def with_names(x: Any, *, y: Any = 2) -> Any:
    return x, y


def by_position(x: Any, /, y: Any = 2) -> Any:
    return x, y


def any_number(x: Any, *args: Any, **kwargs: Any) -> Any:
    return x, args, kwargs


CALLS: list[tuple[tuple[Any, ...], dict[str, Any]]] = [
    ((), {}),
    ((1,), {}),
    ((1, 4), {}),
    ((1, 4, 5), {}),
    ((1, 4, 5, 6), {}),
    ((1,), {"y": 7}),
    ((), {"x": 7}),
    ((1,), {"q": 7}),
]


@pytest.mark.parametrize("function", [plain, needing_a_name, with_names, by_position, any_number])
@pytest.mark.parametrize(("args", "kwargs"), CALLS)
def test_like_inspect(function: Callable[..., Any], args: Any, kwargs: Any) -> None:
    signature = inspect.signature(function)
    parameters = Parameters(signature)
    try:
        wanted = signature.bind(*args, **kwargs)
    except TypeError as error:
        with pytest.raises(TypeError, match=str(error)):
            parameters.bound(args, kwargs)
        with pytest.raises(TypeError, match=str(error)):
            parameters.apply(function, args, kwargs, lambda given: None)
        return
    result = function(*args, **kwargs)
    assert parameters.apply(function, args, kwargs, lambda given: None) == result
    wanted.apply_defaults()
    found = parameters.bound(args, kwargs)
    assert list(found.items()) == list(wanted.arguments.items())


def test_a_change_is_made_before_the_call() -> None:
    def change(given: dict[str, Any]) -> None:
        given["x"] = -given["x"]

    parameters = Parameters(inspect.signature(plain))
    assert parameters.apply(plain, (1, 4), {}, change) == (-1, 4, 3)
    assert parameters.apply(plain, (), {"x": 1, "z": 4}, change) == (-1, 2, 4)
