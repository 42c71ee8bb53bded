"""Which loops have independent iterations, read from the text of loops over buffers."""

from __future__ import annotations

import pytest

from agir.backends.cpu.dependence.independence import independence
from agir.backends.cpu.dependence.linear import Linear, linear
from agir.backends.mlir.modules import find
from agir.backends.stages import Compilation

FUNCTION = """
func.func @f(%a: memref<100x100xf64>, %b: memref<100x100xf64>, %v: memref<100xf64>, %n: index,
             %k: memref<100xindex>) {{
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %c4 = arith.constant 4 : index
  %c9 = arith.constant 9 : index
  %c100 = arith.constant 100 : index
  %x = arith.constant 1.0 : f64
  %t = memref.alloca() : memref<100xf64>
  scf.for %i = %c0 to %n step %c1 {{
{body}
  }}
  return
}}
"""

ROW = "memref<8xf64, strided<[1], offset: ?>>"
ROWS = "memref<2x8xf64, strided<[100, 1], offset: ?>>"

OVER_J = """
    scf.for %j = %c0 to %c100 step %c1 {{
{}
    }}"""

INDEPENDENT = {
    "an element each": "memref.store %x, %v[%i] : memref<100xf64>",
    "read and written at the same place": """
    %y = memref.load %v[%i] : memref<100xf64>
    %z = arith.addf %y, %x : f64
    memref.store %z, %v[%i] : memref<100xf64>""",
    "a row each": OVER_J.format("memref.store %x, %a[%i, %j] : memref<100x100xf64>"),
    "a column each": OVER_J.format("memref.store %x, %a[%j, %i] : memref<100x100xf64>"),
    "neighbours of another array": """
    %h = arith.addi %i, %c1 : index
    %y = memref.load %b[%h, %c0] : memref<100x100xf64>
    memref.store %y, %a[%i, %c0] : memref<100x100xf64>""",
    "shifted alike": """
    %h = arith.addi %i, %c1 : index
    %y = memref.load %v[%h] : memref<100xf64>
    memref.store %y, %v[%h] : memref<100xf64>""",
    "two at a time": """
    %m = arith.muli %i, %c2 : index
    %h = arith.addi %m, %c1 : index
    memref.store %x, %v[%m] : memref<100xf64>
    memref.store %x, %v[%h] : memref<100xf64>""",
    "a row of a view": """
    %s = memref.subview %a[%i, 2] [1, 8] [1, 1] : memref<100x100xf64> to {ROW}
    memref.store %x, %s[%c4] : {ROW}""",
    "a block of rows each": """
    %m = arith.muli %i, %c4 : index
    scf.for %j = %c0 to %c4 step %c1 {
      %h = arith.addi %m, %j : index
      memref.store %x, %v[%h] : memref<100xf64>
    }""",
    "a row of scratch, filled first": """
    scf.for %j = %c0 to %c100 step %c1 {
      %y = memref.load %b[%i, %j] : memref<100x100xf64>
      memref.store %y, %t[%j] : memref<100xf64>
    }
    scf.for %j = %c0 to %c100 step %c1 {
      %y = memref.load %t[%j] : memref<100xf64>
      memref.store %y, %a[%i, %j] : memref<100x100xf64>
    }""",
    "memory of its own": """
    %s = memref.alloca() : memref<1xf64>
    memref.store %x, %s[%c0] : memref<1xf64>
    %y = memref.load %s[%c0] : memref<1xf64>
    memref.store %y, %v[%i] : memref<100xf64>""",
    "a vector of lanes": """
    %w = arith.constant dense<1.0> : vector<4xf64>
    %m = arith.muli %i, %c4 : index
    vector.transfer_write %w, %v[%m] {in_bounds = [true]} : vector<4xf64>, memref<100xf64>""",
}

DEPENDENT = {
    "one place": "memref.store %x, %v[%c0] : memref<100xf64>",
    "a sum": """
    %y = memref.load %v[%c0] : memref<100xf64>
    %z = arith.addf %y, %x : f64
    memref.store %z, %v[%c0] : memref<100xf64>""",
    "the neighbour's": """
    %h = arith.addi %i, %c1 : index
    %y = memref.load %v[%h] : memref<100xf64>
    memref.store %y, %v[%i] : memref<100xf64>""",
    "a row and a column": """
    memref.store %x, %a[%i, %c1] : memref<100x100xf64>
    memref.store %x, %a[%c1, %i] : memref<100x100xf64>""",
    "where an array says": """
    %h = memref.load %k[%i] : memref<100xindex>
    memref.store %x, %v[%h] : memref<100xf64>""",
    "blocks that overlap": """
    %m = arith.muli %i, %c2 : index
    scf.for %j = %c0 to %c4 step %c1 {
      %h = arith.addi %m, %j : index
      memref.store %x, %v[%h] : memref<100xf64>
    }""",
    "lanes that overlap": """
    %w = arith.constant dense<1.0> : vector<4xf64>
    %m = arith.muli %i, %c2 : index
    vector.transfer_write %w, %v[%m] {in_bounds = [true]} : vector<4xf64>, memref<100xf64>""",
    "rows of views that overlap": """
    %s = memref.subview %a[%i, 2] [2, 8] [1, 1] : memref<100x100xf64> to {ROWS}
    memref.store %x, %s[%c1, %c4] : {ROWS}
    memref.store %x, %s[%c0, %c4] : {ROWS}""",
    "scratch that is read before": """
    %y = memref.load %t[%c0] : memref<100xf64>
    memref.store %y, %v[%i] : memref<100xf64>
    memref.store %x, %t[%c0] : memref<100xf64>""",
    "scratch that is filled in part": """
    scf.for %j = %c0 to %c9 step %c1 {
      memref.store %x, %t[%j] : memref<100xf64>
    }
    %y = memref.load %t[%c9] : memref<100xf64>
    memref.store %y, %v[%i] : memref<100xf64>""",
    "the same for each two": """
    %h = arith.divui %i, %c2 : index
    memref.store %x, %v[%h] : memref<100xf64>""",
    "a call": "func.call @g(%i) : (index) -> ()",
}


MODULES = []
"""What keeps the loops alive."""


def loop_of(body: str):
    body = body.replace("{ROW}", ROW).replace("{ROWS}", ROWS)
    text = FUNCTION.format(body=body)
    if "@g" in body:
        text += "func.func private @g(index)\n"
    module = Compilation.from_text(text, "loops").get("loops")
    MODULES.append(module)
    return find(module, "scf.for")[0]


@pytest.mark.parametrize("name", INDEPENDENT)
def test_independent(name: str) -> None:
    result = independence(loop_of(INDEPENDENT[name]))
    assert result is not None
    assert len(result.private) == ("scratch" in name)


@pytest.mark.parametrize("name", DEPENDENT)
def test_dependent(name: str) -> None:
    assert independence(loop_of(DEPENDENT[name])) is None


def test_arguments_of_private_functions_may_share_memory() -> None:
    text = FUNCTION.format(body=INDEPENDENT["neighbours of another array"])
    text = text.replace("func.func @f", "func.func private @f")
    module = Compilation.from_text(text, "loops").get("loops")
    assert independence(find(module, "scf.for")[0]) is None


def test_linear_forms() -> None:
    loop = loop_of(INDEPENDENT["two at a time"])
    counter = loop.regions[0].blocks[0].arguments[0]
    places = [linear(store.operands[2]) for store in find(loop, "memref.store")]
    assert places == [Linear.of(0, {counter: 2}), Linear.of(1, {counter: 2})]
    assert (places[0] + places[1] * -1).terms == frozenset()
