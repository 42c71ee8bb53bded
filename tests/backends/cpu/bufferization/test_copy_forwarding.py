"""A list that grows is copied once."""

from __future__ import annotations

import pytest

import agir as ag
from agir.backends.cpu.passes.bufferization.copy_forwarding import forward_copies
from agir.backends.mlir.modules import find
from agir.ir.building import bindings

TEXT = """
func.func @f(%a: memref<?xi64>, %n: index, %m: index, %x: i64, %which: i1) -> memref<?xi64> {{
  %zero = arith.constant 0 : index
  {before}
  %new = memref.alloc(%m) : memref<?xi64>
  {after}
  %part = memref.subview {source}[0] [%n] [1] : memref<?xi64> to memref<?xi64, strided<[1]>>
  %between = memref.alloc(%n) : memref<?xi64>
  memref.copy %part, %between : memref<?xi64, strided<[1]>> to memref<?xi64>
  {inside}
  %place = memref.subview %new[0] [%n] [1] : memref<?xi64> to memref<?xi64, strided<[1]>>
  memref.copy %between, %place : memref<?xi64> to memref<?xi64, strided<[1]>>
  {last}
  return %new : memref<?xi64>
}}
"""
CHOSEN = "%c = arith.select %which, %new, %a : memref<?xi64>"
CASES = [
    ({}, 1),
    ({"before": "%b = memref.alloc(%n) : memref<?xi64>", "source": "%b"}, 1),
    ({"inside": "memref.store %x, %a[%zero] : memref<?xi64>"}, 2),
    ({"last": "memref.store %x, %between[%zero] : memref<?xi64>"}, 2),
    ({"after": CHOSEN, "source": "%c"}, 2),
    ({"source": "%new"}, 2),
]


@pytest.mark.parametrize(("parts", "copies"), CASES)
def test_copies_of_new_buffers(parts, copies):
    parts = {"before": "", "after": "", "inside": "", "last": "", "source": "%a", **parts}
    with bindings.context():
        module = bindings.ir.Module.parse(TEXT.format(**parts))
        forward_copies(module)
        module.operation.verify()
        assert len(find(module, "memref.copy")) == copies


@pytest.mark.parametrize("kind", [int, float, bool])
def test_lists_that_grow(kind):
    @ag.jit
    def f(n, x):
        one, other = [x], []
        for i in range(n):
            one.append(one[i // 2])
            if i % 3 == 0:
                other.append(x)
                one, other = other, one
        return one, other

    for n in (0, 1, 2, 7, 100, 1000):
        assert f(n, kind(3)) == f.python_function(n, kind(3))
