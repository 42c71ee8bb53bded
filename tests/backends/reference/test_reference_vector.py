"""Vectors: their lanes, and how they get into memory and out of it."""

from __future__ import annotations

import numpy as np
import pytest

from agir.backends.reference import UndefinedBehaviour

from .interpret import Case, assert_same, run

A = np.arange(8.0)
MASK = "%m = arith.constant dense<[true, false, true, false]> : vector<4xi1>"
LANES = "%l = arith.constant dense<[7, 100, 0, 3]> : vector<4xindex>"

CASES = (
    Case(
        f"""func.func @f(%a: memref<8xf64>, %b: memref<8xf64>) -> (f64, memref<8xf64>) {{
          {MASK}
          {LANES}
          %i = arith.constant 2 : index
          %z = arith.constant 0 : index
          %x = arith.constant 1.5 : f64
          %s = vector.broadcast %x : f64 to vector<4xf64>
          %v = vector.load %a[%i] : memref<8xf64>, vector<4xf64>
          %w = vector.maskedload %a[%i], %m, %s
            : memref<8xf64>, vector<4xi1>, vector<4xf64> into vector<4xf64>
          %g = vector.gather %a[%z] [%l], %m, %s
            : memref<8xf64>, vector<4xindex>, vector<4xi1>, vector<4xf64> into vector<4xf64>
          %e = vector.expandload %a[%i], %m, %s
            : memref<8xf64>, vector<4xi1>, vector<4xf64> into vector<4xf64>
          %p = vector.fma %v, %w, %g : vector<4xf64>
          vector.store %p, %b[%z] : memref<8xf64>, vector<4xf64>
          vector.maskedstore %b[%i], %m, %e : memref<8xf64>, vector<4xi1>, vector<4xf64>
          vector.scatter %b[%z] [%l], %m, %v
            : memref<8xf64>, vector<4xindex>, vector<4xi1>, vector<4xf64>
          %six = arith.constant 6 : index
          vector.compressstore %b[%six], %m, %s : memref<8xf64>, vector<4xi1>, vector<4xf64>
          %r = vector.reduction <add>, %p : vector<4xf64> into f64
          return %r, %b : f64, memref<8xf64>
        }}""",
        (A, np.zeros(8)),
        (np.float64(42), np.array([4.0, 6, 2, 9, 3, 0, 1.5, 1.5])),
    ),
    Case(
        f"""func.func @f(%a: memref<8xf64>) -> (f64, f64, i32, vector<2x2xf64>, f64) {{
          {MASK}
          %i = arith.constant 5 : index
          %x = arith.constant -1.0 : f64
          %v = vector.transfer_read %a[%i], %x : memref<8xf64>, vector<4xf64>
          vector.transfer_write %v, %a[%i] : vector<4xf64>, memref<8xf64>
          %one = vector.extract %v[1] : f64 from vector<4xf64>
          %w = vector.insert %one, %v[0] : f64 into vector<4xf64>
          %q = vector.extract_strided_slice %w {{offsets = [1], sizes = [2], strides = [1]}}
            : vector<4xf64> to vector<2xf64>
          %o = vector.insert_strided_slice %q, %w {{offsets = [2], strides = [1]}}
            : vector<2xf64> into vector<4xf64>
          %h = vector.shuffle %o, %v [0, 7, 1, 6] : vector<4xf64>, vector<4xf64>
          %c = vector.shape_cast %h : vector<4xf64> to vector<2x2xf64>
          %t = vector.transpose %c, [1, 0] : vector<2x2xf64> to vector<2x2xf64>
          %z = arith.constant dense<0.0> : vector<2xf64>
          %n = vector.multi_reduction <add>, %t, %z [0] : vector<2x2xf64> to vector<2xf64>
          %last = vector.extract %n[1] : f64 from vector<2xf64>
          %s = vector.step : vector<4xindex>
          %d = arith.index_cast %s : vector<4xindex> to vector<4xi32>
          %y = vector.reduction <maxsi>, %d : vector<4xi32> into i32
          %k = vector.bitcast %v : vector<4xf64> to vector<4xi64>
          %b = vector.bitcast %k : vector<4xi64> to vector<4xf64>
          %m1 = vector.constant_mask [2] : vector<4xi1>
          %two = arith.constant 2 : index
          %m2 = vector.create_mask %two : vector<4xi1>
          %m3 = arith.andi %m1, %m2 : vector<4xi1>
          %zero = arith.constant dense<0.0> : vector<4xf64>
          %sel = arith.select %m3, %b, %zero : vector<4xi1>, vector<4xf64>
          %sum = vector.reduction <add>, %sel, %x : vector<4xf64> into f64
          %f = vector.from_elements %x, %sum : vector<2xf64>
          %g = vector.reduction <minimumf>, %f : vector<2xf64> into f64
          return %sum, %last, %y, %t, %g : f64, f64, i32, vector<2x2xf64>, f64
        }}""",
        (A,),
        (
            np.float64(10),
            np.float64(13),
            np.int32(3),
            np.array([[6.0, 6], [-1, 7]]),
            np.float64(-1),
        ),
    ),
)


@pytest.mark.parametrize("case", CASES)
def test_programs(case: Case) -> None:
    found = run(case.text, *case.arguments)
    for one, other in zip(found, case.expected, strict=True):
        assert_same(one, other)


def test_lanes_outside_of_memory_are_undefined() -> None:
    text = """func.func @f(%a: memref<8xf64>, %i: index) -> vector<4xf64> {
      %v = vector.load %a[%i] : memref<8xf64>, vector<4xf64>
      return %v : vector<4xf64>
    }"""
    assert run(text, A, np.int64(4))[0].tolist() == [4, 5, 6, 7]
    with pytest.raises(UndefinedBehaviour, match="a vector"):
        run(text, A, np.int64(5))
