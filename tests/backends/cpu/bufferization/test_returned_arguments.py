"""What a function that calls itself gets and gives back is not copied at each call."""

from __future__ import annotations

import pytest

import agir as ag
from agir.backends.cpu.passes.bufferization.returned_arguments import return_arguments
from agir.backends.mlir.modules import find
from agir.ir.building import bindings


def text(body, results="memref<?xi64>"):
    return f"""
    func.func private @f(%n: i64, %a: memref<?xi64>, %b: memref<?xi64>) -> ({results}) {{
      %zero = arith.constant 0 : i64
      %one = arith.constant 1 : i64
      %low = arith.constant 0 : index
      %some = arith.cmpi sgt, %n, %zero : i64
      %less = arith.subi %n, %one : i64
      {body}
    }}
    """


BY_IF = """
      %r = scf.if %some -> memref<?xi64> {
        %c = func.call @f(%less, %a, %b) : (i64, memref<?xi64>, memref<?xi64>) -> memref<?xi64>
        %d = func.call @f(%less, %c, %b) : (i64, memref<?xi64>, memref<?xi64>) -> memref<?xi64>
        scf.yield %d : memref<?xi64>
      } else {
        scf.yield %a : memref<?xi64>
      }
      return %r : memref<?xi64>
"""
BY_LOOP = """
      %count = arith.index_cast %n : i64 to index
      %step = arith.index_cast %one : i64 to index
      %r = scf.for %i = %low to %count step %step iter_args(%x = %a) -> memref<?xi64> {
        %c = func.call @f(%less, %x, %b) : (i64, memref<?xi64>, memref<?xi64>) -> memref<?xi64>
        scf.yield %c : memref<?xi64>
      }
      return %r : memref<?xi64>
"""
EXCHANGED = BY_IF.replace("@f(%less, %a, %b)", "@f(%less, %b, %a)")
MADE_ANEW = BY_IF.replace(
    "        scf.yield %a",
    "        %m = memref.dim %a, %low : memref<?xi64>\n"
    "        %new = memref.alloc(%m) : memref<?xi64>\n"
    "        scf.yield %new",
)
NEVER = """
      %c = func.call @f(%less, %a, %b) : (i64, memref<?xi64>, memref<?xi64>) -> memref<?xi64>
      return %c : memref<?xi64>
"""


@pytest.mark.parametrize(
    ("body", "is_argument"),
    [(BY_IF, True), (BY_LOOP, True), (EXCHANGED, False), (MADE_ANEW, False), (NEVER, False)],
)
def test_whether_an_argument_is_returned(body, is_argument):
    with bindings.context():
        module = bindings.ir.Module.parse(text(body))
        return_arguments(module)
        module.operation.verify()
        function = find(module, "func.func")[0]
        (returned,) = find(module, "func.return")[0].operands
        assert (returned == function.regions[0].blocks[0].arguments[1]) is is_argument


def quicksort(numbers, low, high):
    if low < high:
        pivot = numbers[(low + high) // 2]
        i, j = low, high
        while i <= j:
            while numbers[i] < pivot:
                i += 1
            while numbers[j] > pivot:
                j -= 1
            if i <= j:
                numbers[i], numbers[j] = numbers[j], numbers[i]
                i += 1
                j -= 1
        quicksort(numbers, low, j)
        quicksort(numbers, i, high)


def test_sorting_in_place_copies_nothing():
    numbers = [7 * n % 211 for n in range(200)]
    compiled = ag.jit(quicksort)
    concrete = compiled.get_concrete_function(numbers, 0, 199)
    private = concrete.compilation.text("bufferized").split("func.func private")[1]
    assert "memref.copy" not in private
    compiled(numbers, 0, 199)
    assert numbers == sorted(7 * n % 211 for n in range(200))
