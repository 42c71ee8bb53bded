"""Operations made by passes: what MLIR prints of them, and what is made out of it again."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest

from agir.backends.mlir.graph import Graph
from agir.backends.mlir.making import (
    INTEGERS,
    REALS,
    cast,
    clone,
    compare,
    constant,
    copied_tensor,
    empty_like,
    index_constant,
    op,
    predicate,
    unknown_sizes,
)
from agir.backends.mlir.modules import walk
from agir.ir.building import bindings

TEXT = """
func.func @f(%n: i64, %x: f32, %t: tensor<?x3x?xf32>, %m: memref<4x?xf32, strided<[?, 1]>>) {
  %two = arith.constant 2 : i64
  %sum = arith.addi %n, %two : i64
  %real = arith.constant 2.0 : f32
  %yes = arith.constant true
  return
}
"""


@pytest.fixture
def body() -> Iterator[Any]:
    """The body of a function, at whose end what a test makes is put."""
    ir = bindings.ir
    with bindings.context(), ir.Location.unknown():
        module = ir.Module.parse(TEXT)
        block = next(iter(module.body)).regions[0].blocks[0]
        with ir.InsertionPoint.at_block_terminator(block):
            yield block
        module.operation.verify()


@pytest.mark.parametrize("name", sorted(INTEGERS))
def test_relations_of_integers(body: Any, name: str) -> None:
    number = body.arguments[0]
    made = compare(number, name, constant(number.type, 7)).owner
    assert f"arith.cmpi {name}," in str(made)
    assert predicate(made) == name


@pytest.mark.parametrize("name", sorted(REALS))
def test_relations_of_reals(body: Any, name: str) -> None:
    number = body.arguments[1]
    made = compare(number, name, number).owner
    assert f"arith.cmpf {name}," in str(made)
    assert predicate(made) == name


def test_casts_are_made_where_types_differ(body: Any) -> None:
    number = body.arguments[0]
    assert cast(number, number.type) == number
    wide = cast(number, bindings.ir.IndexType.get())
    assert "arith.index_cast" in str(wide.owner)


def test_sizes_that_types_do_not_say(body: Any) -> None:
    _, _, tensor, buffer = body.arguments
    assert [str(each.owner.name) for each in unknown_sizes(tensor)] == ["tensor.dim"] * 2
    assert [str(each.owner.name) for each in unknown_sizes(buffer)] == ["memref.dim"]
    for each in (empty_like(tensor), copied_tensor(tensor)):
        assert each.type == tensor.type


def test_copies_use_other_values_and_tell_their_own(body: Any) -> None:
    added = next(each for each in walk(body.owner) if each.name == "arith.addi")
    other = constant(added.results[0].type, 5)
    names = {body.arguments[0]: other}
    copy = clone(added, names)
    assert list(copy.operands) == [other, added.operands[1]]
    assert names[added.results[0]] == copy.results[0]
    assert added.operands[0] == body.arguments[0]


def test_numbers_that_values_are(body: Any) -> None:
    flag = constant(bindings.ir.IntegerType.get_signless(1), True)
    real = next(
        each.results[0]
        for each in walk(body.owner)
        if each.name == "arith.constant" and "2.0" in str(each)
    )
    number = body.arguments[0]
    made = [index_constant(-3), flag, real, op("arith.addi", number.type, number, number)]
    graph = Graph(body.owner)
    assert [graph.number(each) for each in made] == [-3, 1, None, None]
    assert graph.number(number) is None
