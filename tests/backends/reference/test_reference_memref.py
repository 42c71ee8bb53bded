"""Buffers: what is read, written, copied, looked at in parts, and freed."""

from __future__ import annotations

import numpy as np
import pytest

from agir.backends.reference import Interpreter, UndefinedBehaviour

from .interpret import Case, assert_same, parse, run

X = np.arange(6.0).reshape(2, 3)

CASES = (
    Case(
        """func.func @f(%n: index) -> (memref<?xf64>, f64, index) {
          %i = arith.constant 1 : index
          %z = arith.constant 0 : index
          %x = arith.constant 2.5 : f64
          %a = memref.alloc(%n) : memref<?xf64>
          linalg.fill ins(%x : f64) outs(%a : memref<?xf64>)
          %b = memref.alloca(%n) : memref<?xf64>
          memref.copy %a, %b : memref<?xf64> to memref<?xf64>
          %y = arith.addf %x, %x : f64
          memref.store %y, %b[%i] : memref<?xf64>
          %r = memref.load %b[%i] : memref<?xf64>
          %d = memref.dim %b, %z : memref<?xf64>
          return %a, %r, %d : memref<?xf64>, f64, index
        }""",
        (np.int64(3),),
        (np.full(3, 2.5), np.float64(5), np.int64(3)),
    ),
    Case(
        """func.func @f(%a: memref<2x3xf64>) -> (memref<3xf64>, memref<3x2xf64>, memref<6xf64>) {
          %row = memref.subview %a[1, 0][1, 3][1, 1]
            : memref<2x3xf64> to memref<3xf64, strided<[1], offset: 3>>
          %one = memref.alloc() : memref<3xf64>
          memref.copy %row, %one : memref<3xf64, strided<[1], offset: 3>> to memref<3xf64>
          %t = memref.transpose %a (i, j) -> (j, i)
            : memref<2x3xf64> to memref<3x2xf64, strided<[1, 3]>>
          %two = memref.alloc() : memref<3x2xf64>
          memref.copy %t, %two : memref<3x2xf64, strided<[1, 3]>> to memref<3x2xf64>
          %flat = memref.collapse_shape %a [[0, 1]] : memref<2x3xf64> into memref<6xf64>
          %three = bufferization.clone %flat : memref<6xf64> to memref<6xf64>
          return %one, %two, %three : memref<3xf64>, memref<3x2xf64>, memref<6xf64>
        }""",
        (X,),
        (X[1], X.T, X.ravel()),
    ),
    Case(
        """func.func @f(%a: memref<6xf64>, %n: index) -> (memref<2x3xf64>, f64, index, index) {
          %i = arith.constant 1 : index
          %e = memref.expand_shape %a [[0, 1]] output_shape [2, 3]
            : memref<6xf64> into memref<2x3xf64>
          %b, %o, %s:2, %t:2 = memref.extract_strided_metadata %e : memref<2x3xf64>
            -> memref<f64>, index, index, index, index, index
          %c = memref.reinterpret_cast %b to offset: [2], sizes: [2], strides: [3]
            : memref<f64> to memref<2xf64, strided<[3], offset: 2>>
          %r = memref.load %c[%i] : memref<2xf64, strided<[3], offset: 2>>
          %shape = memref.alloc() : memref<2xindex>
          %z = arith.constant 0 : index
          memref.store %t#0, %shape[%i] : memref<2xindex>
          memref.store %s#0, %shape[%z] : memref<2xindex>
          %m = memref.reshape %a(%shape) : (memref<6xf64>, memref<2xindex>) -> memref<?x?xf64>
          %k = memref.cast %m : memref<?x?xf64> to memref<2x3xf64>
          %p = memref.extract_aligned_pointer_as_index %a : memref<6xf64> -> index
          %q = memref.extract_aligned_pointer_as_index %k : memref<2x3xf64> -> index
          %same = arith.subi %p, %q : index
          return %k, %r, %same, %o : memref<2x3xf64>, f64, index, index
        }""",
        (X.ravel(), np.int64(0)),
        (X, np.float64(5), np.int64(0), np.int64(0)),
    ),
    Case(
        """memref.global "private" constant @table : memref<3xi32> = dense<[4, 5, 6]>
        func.func @f(%n: index) -> (memref<?xi32>, memref<3xi32>) {
          %g = memref.get_global @table : memref<3xi32>
          %a = memref.alloc(%n) : memref<?xi32>
          %c = memref.cast %g : memref<3xi32> to memref<?xi32>
          memref.copy %c, %a : memref<?xi32> to memref<?xi32>
          %s = memref.memory_space_cast %a : memref<?xi32> to memref<?xi32>
          %t = memref.assume_alignment %s, 8 : memref<?xi32>
          %r = memref.realloc %t(%n) : memref<?xi32> to memref<?xi32>
          %d = memref.alloca_scope -> (memref<3xi32>) {
            memref.alloca_scope.return %g : memref<3xi32>
          }
          return %r, %d : memref<?xi32>, memref<3xi32>
        }""",
        (np.int64(3),),
        (np.array([4, 5, 6], np.int32),) * 2,
    ),
    Case(
        """func.func @f(%own: i1) -> (i1, memref<2xf64>) {
          %a = memref.alloc() : memref<2xf64>
          %b = memref.alloc() : memref<2xf64>
          %x = arith.constant 1.0 : f64
          linalg.fill ins(%x : f64) outs(%b : memref<2xf64>)
          %t = arith.constant true
          %kept = bufferization.dealloc (%a, %b : memref<2xf64>, memref<2xf64>)
            if (%own, %t) retain (%b : memref<2xf64>)
          return %kept, %b : i1, memref<2xf64>
        }""",
        (np.True_,),
        (np.True_, np.ones(2)),
    ),
    Case(
        """func.func @f(%a: memref<3xf64>) -> (tensor<3xf64>, memref<3xf64>) {
          %t = bufferization.to_tensor %a restrict : memref<3xf64> to tensor<3xf64>
          %m = bufferization.alloc_tensor() copy(%t) : tensor<3xf64>
          %u = arith.addf %m, %t : tensor<3xf64>
          %e = bufferization.alloc_tensor() : tensor<3xf64>
          %w = bufferization.materialize_in_destination %u in %e
            : (tensor<3xf64>, tensor<3xf64>) -> tensor<3xf64>
          bufferization.materialize_in_destination %w in writable %a
            : (tensor<3xf64>, memref<3xf64>) -> ()
          %b = bufferization.to_buffer %w : tensor<3xf64> to memref<3xf64>
          bufferization.dealloc_tensor %e : tensor<3xf64>
          return %w, %b : tensor<3xf64>, memref<3xf64>
        }""",
        (np.arange(3.0),),
        (np.array([0.0, 2, 4]),) * 2,
    ),
    Case(
        """func.func @f(%a: memref<4xf64>, %b: memref<4xf64>) -> f64 {
          linalg.generic {indexing_maps = [affine_map<(i) -> (i)>, affine_map<(i) -> (i)>],
            iterator_types = ["parallel"]} ins(%a : memref<4xf64>) outs(%b : memref<4xf64>) {
          ^bb0(%x: f64, %y: f64):
            %z = arith.mulf %x, %x : f64
            linalg.yield %z : f64
          }
          %s = memref.alloc() : memref<f64>
          %c = arith.constant 0.0 : f64
          memref.store %c, %s[] : memref<f64>
          linalg.reduce ins(%b : memref<4xf64>) outs(%s : memref<f64>) dimensions = [0]
            (%x: f64, %y: f64) { %z = arith.addf %x, %y : f64 linalg.yield %z : f64 }
          %r = memref.load %s[] : memref<f64>
          memref.dealloc %s : memref<f64>
          return %r : f64
        }""",
        (np.arange(4.0), np.zeros(4)),
        (np.float64(14),),
    ),
)

UNDEFINED = {
    "is used that has been freed": "memref.dealloc %a : memref<2xf64>\n"
    "memref.store %x, %a[%i] : memref<2xf64>",
    "that has been freed before": "memref.dealloc %a : memref<2xf64>\n"
    "memref.dealloc %a : memref<2xf64>",
    "index 2 out of bounds": "memref.store %x, %a[%n] : memref<2xf64>",
    "of a buffer that has 2": "%p = memref.subview %a[%i][%n][1] : memref<2xf64>"
    " to memref<?xf64, strided<[1], offset: ?>>\n"
    "memref.store %x, %p[%i] : memref<?xf64, strided<[1], offset: ?>>",
}


@pytest.mark.parametrize("case", CASES)
def test_programs(case: Case) -> None:
    found = run(case.text, *case.arguments)
    for one, other in zip(found, case.expected, strict=True):
        assert_same(one, other)


@pytest.mark.parametrize("message", UNDEFINED)
def test_what_is_undefined(message: str) -> None:
    text = f"""func.func @f() {{
      %i = arith.constant 1 : index
      %n = arith.constant 2 : index
      %x = arith.constant 2.5 : f64
      %a = memref.alloc() : memref<2xf64>
      {UNDEFINED[message]}
      return
    }}"""
    with pytest.raises(UndefinedBehaviour, match=message):
        run(text)


def test_what_is_written_into_arguments_is_seen_where_that_is_asked_for() -> None:
    interpreter = Interpreter(parse(CASES[-1].text))
    target = np.zeros(4)
    interpreter.call("f", np.arange(4.0), target)
    assert not target.any()
    interpreter.call("f", np.arange(4.0), target, writes=True)
    assert target.tolist() == [0, 1, 4, 9]
