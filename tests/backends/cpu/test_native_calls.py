"""The machine code that makes calls: what it is written with, and what it assumes."""

from __future__ import annotations

import ctypes

import numpy as np
import pytest

import agir as ag
from agir.backends.cpu import fixed_programs, native_code
from agir.backends.cpu.native import compiled, machine, objects, program, work
from agir.backends.cpu.native.recipes import Builder, Place, UnfitError
from agir.backends.cpu.native.tables import LEAVES, NODES, Recipe, Shape, State
from agir.backends.cpu.native.words import Code
from agir.ir.building import bindings
from agir.runtime.state.buffers import Buffer
from agir.runtime.tensor import EagerTensor

X = np.linspace(0.0, 1.0, 8)


def test_the_code_is_a_valid_module():
    with bindings.context():
        module = bindings.ir.Module.parse(program.text())
    assert module.operation.verify()
    assert all(f"@{name}(" in str(module) for name in program.BY_PYTHON)


def test_words():
    """Loops, conditions and memory: the sum of the numbers in an array that are not three."""
    code = Code("total", ("numbers", "count"))
    numbers, count = code.arguments
    total = code.variable(0)
    with code.repeat(count) as n:
        number = code.load(numbers + n * 8)
        with code.when(number.is_not(3)):
            total.add(number)
    code.give(total.get())
    with bindings.context():
        module = bindings.ir.Module.parse(code.text())
        engine = bindings.execution_engine.ExecutionEngine(module)
        values, given = np.array([1, 2, 3, 4], np.int64), np.zeros(3, np.int64)
        given[:2] = values.ctypes.data, 4
        pointers = given.ctypes.data + 8 * np.arange(3, dtype=np.int64)
        call = ctypes.CFUNCTYPE(None, ctypes.c_void_p)(engine.raw_lookup("total"))
        call(pointers.ctypes.data)
    assert given[2] == 1 + 2 + 4


def test_slots():
    assert objects.word(id(Buffer("", X)) + objects.slot(Buffer, "array")) != id(X)  # a copy
    tensor = ag.constant(X)
    assert objects.word(id(tensor) + objects.slot(EagerTensor, "array")) == id(tensor.array)
    assert EagerTensor.__dictoffset__ == 0  # else the machine code could not make one
    with pytest.raises(AttributeError):
        objects.slot(EagerTensor, "no such slot")


@pytest.mark.skipif(not objects.are_as_expected(), reason="another interpreter")
@pytest.mark.parametrize("name", ["DATA", "RANK", "EXTENTS", "STRIDES", "DTYPE", "FLAGS", "BASE"])
def test_objects_that_lie_otherwise_are_noticed(monkeypatch, name):
    monkeypatch.setattr(objects, name, getattr(objects, name) + 8)
    assert not objects.are_as_expected()


def concrete(function, *args):
    made = ag.jit(function).get_concrete_function(*args)
    made(*args)
    return made


def loop(n):
    s = 0.0
    while s < n:
        s += 1.0
    return s


@pytest.mark.parametrize(
    ("function", "args", "expected"),
    [
        (lambda x: x * 2 + 1, (X,), True),
        (lambda x: x * 2 + 1, (np.zeros((100, 100)),), True),
        (lambda x: x * 2 + 1, (np.zeros((200, 200)),), False),
        (np.exp, (np.zeros(500),), True),
        (np.exp, (np.zeros(5000),), False),
        (np.dot, (np.zeros((10, 10)), np.zeros((10, 10))), True),
        (np.dot, (np.zeros((60, 60)), np.zeros((60, 60))), False),
        (lambda x: x.sum(), (np.zeros(1000),), True),
        (lambda x: x.sum(), (np.zeros(30_000),), False),
        (lambda x: np.zeros(100_000) + x, (1.0,), False),
        (loop, (3,), False),
        (lambda x: x + 1, (ag.TensorSpec([None], ag.float64),), False),
    ],
)
def test_how_much_there_is_to_do(function, args, expected):
    made = ag.jit(lambda *a: function(*a)).get_concrete_function(*args)
    assert work.is_little(made.compilation) == expected


def test_what_can_be_called_by_its_address():
    made = concrete(lambda x: x * 2, X)
    found = compiled.of(made._executable)
    assert found is not None
    assert found.address
    assert [str(value) for value in found.signature.arguments] == ["float64[8]"]

    def printing(x):
        print(x)
        return x

    def down(n):
        return 0 if n < 1 else down(n - 1) + 1

    assert compiled.of(concrete(printing, X)._executable) is None  # callbacks run in Python
    assert compiled.of(concrete(down, 3)._executable) is None  # it may need a larger stack
    assert compiled.of(None) is None


def test_recipes_have_limits():
    found = compiled.of(concrete(lambda x: x * 2, X)._executable)
    assert found is not None
    builder = Builder(found, [X])
    builder.array(Place.item(0, 0), 0, X)
    assert builder.finished(1, (), Shape.SINGLE)[0].shape == (len(Recipe),)
    for _ in range(LEAVES + 1):
        builder.same(None)
    with pytest.raises(UnfitError):
        builder.finished(1, (), Shape.TUPLE)
    builder = Builder(found, [X])
    for _ in range(NODES + 1):
        builder.constant(Place.item(0, 0), None)
    with pytest.raises(UnfitError):
        builder.finished(1, (), Shape.SINGLE)
    for other in (X.astype(np.float32), X[:4], X[None]):
        with pytest.raises(UnfitError):
            Builder(found, [other]).finished(1, (), Shape.SINGLE)
    for other in (X[::-1], X.astype(np.float32), X[None]):
        with pytest.raises(UnfitError):
            Builder(found, [X]).array(Place.item(0, 0), 0, other)
    with pytest.raises(UnfitError):
        Builder(found, [X]).number(Place.item(0, 0), 0, 2.5)


@pytest.mark.skipif(not machine.is_possible(), reason="Python makes all calls here")
def test_the_code_is_found_on_disk(tmp_path, monkeypatch):
    with ag.config.scope(cache_dir=tmp_path / "code", cache=True):
        native_code.load()
        with monkeypatch.context() as changed:
            changed.setattr(fixed_programs, "new_engine", lambda *_, **__: pytest.fail("compiled"))
            address, _ = native_code.load()
    state, addresses = np.zeros(len(State), np.uint64), np.zeros(len(program.BY_PYTHON), np.uint64)
    pointers = np.array([each.ctypes.data for each in (state, addresses)], np.uint64)
    places = np.array([pointers.ctypes.data, pointers.ctypes.data + 8], np.uint64)
    ctypes.CFUNCTYPE(None, ctypes.c_void_p)(address)(places.ctypes.data)
    assert np.all(addresses > 0)
    assert len(set(addresses)) == len(addresses)
