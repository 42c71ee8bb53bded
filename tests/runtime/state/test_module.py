"""``ag.Module``: finding variables, names, and methods that are compiled."""

from __future__ import annotations

import dataclasses
from typing import Any

import numpy as np
import pytest

import agir as ag


class Dense(ag.Module):
    def __init__(self, inputs: int, outputs: int, name: str | None = None) -> None:
        super().__init__(name)
        with self.name_scope:
            self.w = ag.Variable(np.ones((inputs, outputs), np.float32), name="w")
            self.b = ag.Variable(np.zeros(outputs, np.float32), name="b", trainable=False)

    @ag.function
    def __call__(self, x: Any) -> Any:
        return ag.matmul(x, self.w) + self.b


@dataclasses.dataclass
class Pair:
    left: Any
    right: Any


class Net(ag.Module):
    def __init__(self) -> None:
        super().__init__()
        self.z = ag.Variable(0, name="z")
        self.layers = [Dense(2, 3, "first"), (Dense(3, 1), None)]
        self.table = {"b": ag.Variable(1, name="tb"), "a": ag.Variable(2, name="ta")}
        self.pair = Pair(self.z, ag.Variable(3, name="right"))
        self.me = self
        self.ring: list[Any] = [self.layers]
        self.ring.append(self.ring)

    @ag.function
    def __call__(self, x: Any) -> Any:
        self.z.assign_add(1)
        for layer in (self.layers[0], self.layers[1][0]):
            x = layer(x)
        return x


def test_names() -> None:
    assert Dense(1, 1).name == "dense"
    assert Net().name == "net"
    assert Dense(1, 1, name="other").name == "other"
    assert Dense(1, 1).w.name == "dense/w:0"

    class HTTPServer2Layer(ag.Module):
        pass

    assert HTTPServer2Layer().name == "http_server2_layer"
    with pytest.raises(ValueError, match="identifier"):
        Dense(1, 1, name="two words")


def test_variables_are_found_once_and_in_order() -> None:
    net = Net()
    own = ["right:0", "ta:0", "tb:0", "z:0"]
    names = sorted(v.name for v in net.variables[:4])
    assert names == own
    assert [v.name for v in net.variables] == [
        "z:0",
        "right:0",
        "ta:0",
        "tb:0",
        "first/b:0",
        "first/w:0",
        "dense/b:0",
        "dense/w:0",
    ]
    assert [v.name for v in net.trainable_variables][-2:] == ["first/w:0", "dense/w:0"]
    assert [v.name for v in net.non_trainable_variables] == ["first/b:0", "dense/b:0"]
    assert [m.name for m in net.submodules] == ["first", "dense"]


def test_a_net_of_compiled_methods() -> None:
    net = Net()
    x = ag.ones((4, 2))
    np.testing.assert_array_equal(net(x), np.full((4, 1), 6.0))
    net.layers[0].b.assign([1.0, 1.0, 1.0])
    np.testing.assert_array_equal(net(x), np.full((4, 1), 9.0))
    assert int(net.z) == 2


def test_with_name_scope() -> None:
    class MyModule(ag.Module):
        @ag.Module.with_name_scope
        def __call__(self, x: Any) -> Any:
            if not hasattr(self, "w"):
                self.w = ag.Variable(np.ones((x.shape[1], 3), np.float32))
            return ag.matmul(x, self.w)

    eager, traced = MyModule(), MyModule()
    np.testing.assert_array_equal(eager(ag.ones((1, 2))), [[2, 2, 2]])
    np.testing.assert_array_equal(ag.function(traced)(ag.ones((1, 2))), [[2, 2, 2]])
    assert eager.w.name == traced.w.name == "my_module/Variable:0"


def test_a_name_scope_has_its_name_and_can_be_entered_again() -> None:
    scope = ag.Module("layer").name_scope
    assert scope.name == "layer"
    with ag.name_scope("outer"):
        for _ in range(2):
            with scope as whole:
                assert whole == "outer/layer"
                assert ag.Variable(1, name="v").name == "outer/layer/v:0"
    assert scope(lambda: ag.Variable(1, name="v").name)() == "layer/v:0"
    with pytest.raises(ValueError, match="the name of a name_scope is a text, not 3"):
        ag.name_scope(3)  # type: ignore[arg-type]
