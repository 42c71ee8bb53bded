"""`agir.records.dataclass` is Python's, later."""

from __future__ import annotations

import copy
import dataclasses
import pickle
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import pytest

from agir import records

makers = pytest.mark.parametrize("dataclass", [records.dataclass, dataclasses.dataclass])


@records.dataclass(frozen=True)
class Kept:
    """One that can be found by its name."""

    number: int
    names: tuple[str, ...] = ()


@makers
def test_a_plain_one(dataclass: Any) -> None:
    @dataclass
    class Point:
        x: int
        y: int = 2
        rest: list[int] = dataclasses.field(default_factory=list)

        @property
        def sum(self) -> int:
            return self.x + self.y

    one = Point(1)
    assert (one.x, one.y, one.rest, one.sum) == (1, 2, [], 3)
    assert one == Point(1, 2, []) != Point(2)
    assert one.rest is not Point(1).rest
    assert repr(one).endswith(".Point(x=1, y=2, rest=[])")
    one.x = 5
    assert dataclasses.asdict(one) == {"x": 5, "y": 2, "rest": []}
    assert dataclasses.replace(one, y=7) == Point(5, 7)
    match one:
        case Point(5, y):
            assert y == 2
    with pytest.raises(TypeError, match=r"Point\.__init__\(\) missing 1 required"):
        Point()
    with pytest.raises(TypeError, match="unhashable"):
        hash(one)


@makers
def test_a_frozen_one(dataclass: Any) -> None:
    @dataclass(frozen=True)
    class Key:
        name: str
        shown: str = dataclasses.field(default="", compare=False)

        def __post_init__(self) -> None:
            object.__setattr__(self, "shown", self.name.upper())

    assert Key("a").shown == "A"
    assert {Key("a"): 1}[Key("a", "other")] == 1
    with pytest.raises(dataclasses.FrozenInstanceError):
        Key("a").name = "b"
    with pytest.raises(dataclasses.FrozenInstanceError):
        del Key("a").name


@makers
def test_those_that_stand_on_others(dataclass: Any) -> None:
    @dataclass(frozen=True)
    class Base:
        x: int
        y: int = 1

        def describe(self) -> str:
            return f"{type(self).__name__} {self.x}"

    @dataclass(frozen=True)
    class Middle(Base):
        z: int = 2

    class Last(Middle):
        def __init__(self, x: int) -> None:
            super().__init__(x, z=9)

    assert Last(3).describe() == "Last 3"
    assert Last(3).z == 9
    assert Middle(1, 2, 3) == Middle(1, 2, 3) != Base(1, 2)
    assert [each.name for each in dataclasses.fields(Middle)] == ["x", "y", "z"]


@makers
def test_the_other_options(dataclass: Any) -> None:
    @dataclass(frozen=True, order=True)
    class Ordered:
        x: int

    @dataclass(eq=False)
    class Alone:
        x: int

    @dataclass
    class Own:
        x: int

        def __init__(self) -> None:
            self.x = 4

    assert sorted([Ordered(2), Ordered(1)]) == [Ordered(1), Ordered(2)]
    assert Alone(1) != Alone(1)
    assert len({Alone(1), Alone(1)}) == 2
    assert Own() == Own()
    assert Own().x == 4


def test_copies() -> None:
    one = Kept(1, ("a",))
    assert copy.deepcopy(one) == copy.copy(one) == pickle.loads(pickle.dumps(one)) == one


def test_threads_that_race_for_the_first_instance() -> None:
    for _ in range(20):

        @records.dataclass(frozen=True)
        class Fresh:
            x: int
            y: int = 1

        with ThreadPoolExecutor(8) as pool:
            made = list(pool.map(Fresh, range(64)))
        assert made == [Fresh(n) for n in range(64)]


def test_a_class_is_made_when_it_is_used() -> None:
    program = """
from agir.records import dataclass

@dataclass
class Late:
    x: int

assert not hasattr(Late, "__dataclass_fields__")
assert Late(3).x == 3 and hasattr(Late, "__dataclass_fields__")
"""
    subprocess.run([sys.executable, "-c", program], check=True, timeout=120)
