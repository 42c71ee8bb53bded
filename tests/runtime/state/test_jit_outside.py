"""What lies outside of a function under NumPy's conventions: it is read, and written, at each call."""

from __future__ import annotations

import math
from types import ModuleType
from typing import Any

import numpy as np
import pytest

import agir as ag

WEIGHTS = np.array([1.0, 2.0])
RATE = 0.5
LAYERS = {"w": np.ones(2), "parts": [np.zeros(2), np.ones(2)], "rate": 0.5}
SIZES = [2, 3]
TOTAL = 0
LAST = np.zeros(2)
SCALE = np.array(2.0)


@pytest.fixture(autouse=True)
def fresh(monkeypatch: Any) -> None:
    for name, value in {
        "WEIGHTS": np.array([1.0, 2.0]),
        "RATE": 0.5,
        "LAYERS": {"w": np.ones(2), "parts": [np.zeros(2), np.ones(2)], "rate": 0.5},
        "SIZES": [2, 3],
        "TOTAL": 0,
        "LAST": np.zeros(2),
        "SCALE": np.array(2.0),
    }.items():
        monkeypatch.setitem(globals(), name, value)


X = np.array([3.0, 4.0])
both = pytest.mark.parametrize("compiled", [None, False])


@both
def test_arrays_in_names_of_the_module(compiled: Any) -> None:
    global WEIGHTS

    def f(x: Any) -> Any:
        return x * WEIGHTS

    g = ag.jit(f, jit_compile=compiled)
    np.testing.assert_array_equal(g(X), f(X))
    WEIGHTS[0] = 10.0
    np.testing.assert_array_equal(g(X), f(X))
    WEIGHTS = np.array([5.0, 6.0])
    np.testing.assert_array_equal(g(X), f(X))
    assert g.experimental_get_tracing_count() == 1
    WEIGHTS = np.array([[5], [6]])
    np.testing.assert_array_equal(g(X), f(X))
    assert g(X).shape == (2, 2)


def test_numbers_in_names_are_constants_until_they_change() -> None:
    global RATE

    @ag.jit
    def f(x: Any) -> Any:
        return x * RATE

    assert f(2.0) == 1.0
    RATE = 3.0
    assert f(2.0) == 6.0
    RATE = 3
    assert type(f(2)) is int


@both
def test_an_array_of_the_module_is_written_into(compiled: Any) -> None:
    @ag.jit(jit_compile=compiled)
    def f(i: Any) -> None:
        WEIGHTS[i] += 1

    f(0)
    f(0)
    f(1)
    assert WEIGHTS.tolist() == [3.0, 3.0]


def test_variables_of_an_enclosing_function() -> None:
    weights, rate = np.ones(2), 1.0

    @ag.jit
    def f(x: Any) -> Any:
        return x * weights + rate

    assert f(X).tolist() == [4.0, 5.0]
    weights = np.zeros(2)
    rate = 2.0
    assert f(X).tolist() == [2.0, 2.0]


@both
def test_containers_of_arrays(compiled: Any) -> None:
    def f(x: Any) -> Any:
        total = x * LAYERS["w"] * LAYERS["rate"]
        for part in LAYERS["parts"]:
            total = total + part
        return total

    g = ag.jit(f, jit_compile=compiled)
    np.testing.assert_array_equal(g(X), f(X))
    LAYERS["parts"][0][1] = 7.0
    np.testing.assert_array_equal(g(X), f(X))
    LAYERS["w"] = np.array([2.0, 3.0])
    np.testing.assert_array_equal(g(X), f(X))
    assert g.experimental_get_tracing_count() == 1
    LAYERS["parts"].append(np.ones(2))
    LAYERS["rate"] = 0.25
    np.testing.assert_array_equal(g(X), f(X))


def test_arrays_in_containers_are_assigned_to_and_written_into() -> None:
    @ag.jit
    def f(x: Any) -> None:
        LAYERS["w"] = LAYERS["w"] - x
        LAYERS["parts"][0] += x
        LAYERS["parts"][1] = x * 2

    f(X)
    f(X)
    assert LAYERS["w"].tolist() == [-5.0, -7.0]
    assert [part.tolist() for part in LAYERS["parts"]] == [[6.0, 8.0], [6.0, 8.0]]


def test_a_container_that_grows_is_refused() -> None:
    @ag.jit
    def f(x: Any) -> None:
        LAYERS["parts"].append(x * 2)

    with pytest.raises(ag.errors.StagingError, match="gains or loses items"):
        f(X)


def test_lists_of_numbers() -> None:
    @ag.jit
    def f() -> Any:
        return np.zeros(SIZES) + SCALE

    assert f().shape == (2, 3)
    SIZES[0] = 1
    SCALE[...] = 5.0
    assert f().tolist() == [[5.0, 5.0, 5.0]]


def test_names_that_are_assigned_to() -> None:
    @ag.jit
    def f(x: Any) -> Any:
        global TOTAL, LAST
        TOTAL += 1
        LAST = LAST + x
        return x + TOTAL

    for k in range(1, 4):
        assert f(X).tolist() == [3.0 + k, 4.0 + k]
        assert k == TOTAL
        assert type(TOTAL) is int
        assert LAST.tolist() == [3.0 * k, 4.0 * k]
    assert f.experimental_get_tracing_count() == 1


def test_a_trace_that_fails_leaves_names_alone() -> None:
    @ag.jit
    def f(x: Any) -> Any:
        global LAST
        LAST = x * 2
        return x @ np.ones((5, 5))

    with pytest.raises(ValueError, match="matmul"):
        f(X)
    assert LAST.tolist() == [0.0, 0.0]


def test_enclosing_variables_that_are_assigned_to() -> None:
    count, last = 0, np.zeros(2)

    @ag.jit
    def f(x: Any) -> Any:
        nonlocal count, last
        count += 1
        last = x * count
        return last.sum()

    assert [f(X), f(X)] == [7.0, 14.0]
    assert count == 2
    assert last.tolist() == [6.0, 8.0]


class Settings:
    rate = 0.5
    weights = np.ones(2)


class Model:
    best = 0.0

    def __init__(self) -> None:
        self.layers = [np.ones(2), np.full(2, 2.0)]

    @ag.jit
    def forward(self, x: Any) -> Any:
        for layer in self.layers:
            x = x * layer + Settings.rate
        self.layers[0] += Settings.weights
        if x[0] > 20:
            self.best = x[0]
        return x


def test_arrays_in_lists_of_objects_and_in_classes(monkeypatch: Any) -> None:
    model = Model()
    assert model.forward(X).tolist() == [7.5, 9.5]
    assert model.best == 0.0
    monkeypatch.setattr(Settings, "rate", 1.0)
    assert model.forward(X).tolist() == [15.0, 19.0]
    monkeypatch.setattr(Settings, "weights", np.array([10.0, 20.0]))
    assert model.forward(X).tolist() == [21.0, 27.0]
    assert model.best == 21.0
    assert model.layers[0].tolist() == [13.0, 23.0]


def test_an_object_in_a_name_is_the_one_that_it_holds() -> None:
    model = Model()

    @ag.jit
    def first(x: Any) -> Any:
        return x * model.layers[0]

    assert first(X).tolist() == [3.0, 4.0]
    model = Model()
    model.layers[0] = np.array([2.0, 2.0])
    assert first(X).tolist() == [6.0, 8.0]


def test_they_are_constants_under_the_other_convention() -> None:
    global RATE

    @ag.function
    def f(x: Any) -> Any:
        return x * WEIGHTS * RATE

    assert f(X).numpy().tolist() == [1.5, 4.0]
    WEIGHTS[0] = 100.0
    RATE = 7.0
    assert f(X).numpy().tolist() == [1.5, 4.0]


def test_what_tracing_changes_is_no_constant() -> None:
    traces: list[int] = []

    @ag.jit
    def f(x: Any) -> Any:
        traces.append(1)
        return x + 1

    for _ in range(5):
        f(X)
    count = f.experimental_get_tracing_count()
    for _ in range(5):
        f(X)
    assert traces == [1] * 10
    assert f.experimental_get_tracing_count() == count


def test_what_is_put_into_containers_of_outside_is_there_after_each_call() -> None:
    log: list[Any] = []
    seen: set[Any] = set()
    table: dict[str, Any] = {}
    nested: dict[str, list[list[int]]] = {"rows": []}

    @ag.jit
    def f(x: Any) -> Any:
        log.append("in")
        log.append(0.5)
        seen.add("a" if len(seen) else "b")
        seen.add((1, "z"))
        table["last"] = "f"
        table.setdefault("first", 1)
        nested["rows"].append([1, len(log)])
        if x > 1:
            log.pop()
        return x + 1

    def state() -> Any:
        return list(log), set(seen), dict(table), [list(row) for row in nested["rows"]]

    compiled = [(f(x), state())[1] for x in range(4)]
    for each in (log, seen, table, nested["rows"]):
        each.clear()  # type: ignore[attr-defined]
    assert compiled == [(f.python_function(x), state())[1] for x in range(4)]


def test_what_is_put_in_while_tracing_alone_is_told() -> None:
    types: list[type] = []

    @ag.jit
    def f(x: Any) -> Any:
        types.append(type(x))
        return x + 1

    with pytest.warns(
        ag.errors.SideEffectWarning, match="changes once, while the function is traced"
    ):
        f(1)


@both
def test_defaults_in_a_class_body(compiled: Any) -> None:
    class Best:
        value = -1.0
        place = 0

    def f(x: Any) -> Any:
        best = Best()
        for k in range(len(x)):
            if x[k] > 2 and x[k] > best.value:
                best.value = x[k]
                best.place = k
        return best.value, best.place

    g = ag.jit(f, jit_compile=compiled)
    for x in (np.array([1.0, 5.0, 3.0]), np.zeros(3)):
        assert g(x) == f(x)


@both
def test_arrays_without_dimensions_as_arguments(compiled: Any) -> None:
    def f(a: Any, x: Any) -> Any:
        a += 5
        a[...] = a + x.sum()
        a[()] -= 1
        return a, np.isscalar(a)

    one, other = np.array(3.0), np.array(3.0)
    wanted, found = f(one, X), ag.jit(f, jit_compile=compiled)(other, X)
    assert one == other == 14.0
    assert found[0] is other
    assert found[1] == wanted[1]


def test_an_array_without_dimensions_that_is_read_only() -> None:
    @ag.jit
    def f(a: Any) -> None:
        a += 1

    a = np.array(1)
    a.flags.writeable = False
    with pytest.raises(ValueError, match="read-only"):
        f(a)


@pytest.mark.parametrize("make", [
    lambda: np.arange(6.0).reshape(2, 3),
    lambda: np.asfortranarray(np.arange(6.0).reshape(2, 3)),
    lambda: np.arange(12.0).reshape(4, 3)[::2],
    lambda: np.arange(12.0).reshape(2, 6)[:, ::-2],
    lambda: np.arange(6.0).reshape(3, 2).T,
])  # fmt: skip
def test_writes_go_through_a_reshape_where_numpys_do(make: Any) -> None:
    def f(x: Any) -> Any:
        flat = x.ravel()
        flat[0] = 100.0
        turned = x.T.reshape(-1)
        turned[1] = 200.0
        return flat, turned

    one, other = make(), make()
    if not one.flags.c_contiguous:  # another trace than that for arrays row by row
        decorated.clear()
    g = decorated.setdefault("f", ag.jit(f))
    for _ in range(2):
        wanted, found = f(one), g(other)
        np.testing.assert_array_equal(other, one)
        for a, b in zip(found, wanted, strict=True):
            np.testing.assert_array_equal(a, b)


decorated: dict[str, Any] = {}


@ag.jit
def part(x: Any, step: Any) -> Any:
    return x[::step]


def test_a_step_of_zero() -> None:
    with pytest.raises(ValueError, match="slice step cannot be zero"):
        part(X, 0)


def test_bools_in_a_range() -> None:
    @ag.jit
    def f(n: Any) -> Any:
        return np.arange(n, dtype=bool)

    assert f(2).tolist() == [False, True]
    with pytest.raises(TypeError, match="at most two"):
        f(3)
    with pytest.raises(TypeError, match="at most two"):
        ag.jit(lambda x: np.arange(4, dtype=bool))(1.0)


def test_a_size_that_turns_out_to_be_one() -> None:
    @ag.jit
    def f(n: Any) -> Any:
        return np.ones((n, 1)).squeeze()

    assert f(3).shape == (3,)
    with pytest.raises(ValueError, match="give axis="):
        f(1)


def test_functions_that_are_not_recorded_say_what_to_do() -> None:
    with pytest.raises(ag.errors.StagingError, match="sliding_window_view"):
        ag.jit(lambda x: np.lib.stride_tricks.as_strided(x, (2,), (8,)))(X)


settings = ModuleType("settings_of_a_program")


def test_attributes_of_modules_are_those_of_the_call():
    settings.rate, settings.weights, settings.seen = 2.0, np.ones(2), 0
    settings.inner = ModuleType("settings_of_a_program.inner")
    settings.inner.shift = 1.0

    @ag.jit
    def f(x):
        settings.seen += 1
        settings.weights[0] = x
        return x * settings.rate + settings.inner.shift, settings.weights * 1

    for rate, shift in ((2.0, 1.0), (5.0, 1.0), (5.0, 3.0), (5.0, 3.0)):
        settings.rate, settings.inner.shift = rate, shift
        settings.weights = np.full(2, rate)
        found, weights = f(4.0)
        assert found == 4.0 * rate + shift
        np.testing.assert_array_equal(weights, [4.0, rate])
        assert settings.weights[0] == 4.0
    assert settings.seen == 4


def test_attributes_of_libraries_are_constants():
    @ag.jit
    def f(x):
        return x * np.pi + math.e

    assert f(1.0) == np.pi + math.e
    assert "3.14159" in f.experimental_get_compiler_ir(1.0)("hlo")
