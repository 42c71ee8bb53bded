"""Systems of a few equations, inverses and determinants, as LAPACK computes them, in MLIR.

Rows are exchanged so that the greatest element of a column is divided by.  Each function also says
whether its result exists: where a column has nothing but zeros the host is asked, which raises.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from string import Template
from typing import Any

MOST = 32
"""Rows up to which this is faster than LAPACK with a call of Python around it."""

Shape = tuple[int, ...]

_ALL = ("f32", "f64", "complex<f32>", "complex<f64>")
_ELEMENTS = {"solve": _ALL, "inv": _ALL, "det": ("f32", "f64")}


def writer(
    operation: str, element: str, shapes: Sequence[Shape], options: Mapping[str, Any]
) -> Callable[[str], str] | None:
    """What writes the function of a symbol; None where there is none for such operands."""
    if element not in _ELEMENTS.get(operation, ()):
        return None
    most = MOST if element.startswith("f") else MOST // 2
    sizes = [size for shape in shapes for size in shape]
    if any(len(shape) != 2 for shape in shapes) or not all(0 < n <= most for n in sizes):
        return None
    a = shapes[0]
    b = {"solve": shapes[-1], "inv": a, "det": (a[0], 1)}[operation]
    return lambda symbol: _text(_BODIES[operation], symbol, element, a, b)


def _text(body: str, symbol: str, element: str, a: Shape, b: Shape) -> str:
    is_complex = element.startswith("complex")
    real = element.removeprefix("complex<").removesuffix(">")
    rows = a[0]
    ones = [f"[{', '.join(_number(element, i == j) for j in range(rows))}]" for i in range(rows)]
    known = {
        "symbol": symbol,
        "T": element,
        "R": real,
        "A": f"tensor<{a[0]}x{a[1]}x{element}>",
        "B": f"tensor<{b[0]}x{b[1]}x{element}>",
        "rows": str(rows),
        "columns": str(b[1]),
        "mul": "complex.mul" if is_complex else "arith.mulf",
        "sub": "complex.sub" if is_complex else "arith.subf",
        "div": "complex.div" if is_complex else "arith.divf",
        "nothing": f"complex.constant [0.0 : {real}, 0.0 : {real}] : {element}"
        if is_complex
        else f"arith.constant 0.0 : {element}",
        "identity": f"[{', '.join(ones)}]",
    }
    size = _SIZE_OF_COMPLEX if is_complex else _SIZE
    known["size_of_m"] = Template(size).substitute(known, x="m")
    known["size_of_x"] = Template(size).substitute(known, x="x")
    return Template(_ELIMINATE + body).substitute(known)


def _number(element: str, value: int) -> str:
    return f"({value:.1f}, 0.0)" if element.startswith("complex") else f"{value:.1f}"


_SIZE = """
%size_$x = math.absf %$x : $T"""

_SIZE_OF_COMPLEX = """
%re_$x = complex.re %$x : $T
%im_$x = complex.im %$x : $T
%length_$x = math.absf %re_$x : $R
%height_$x = math.absf %im_$x : $R
%size_$x = arith.addf %length_$x, %height_$x : $R"""

_ELIMINATE = """
func.func private @${symbol}_eliminate(%a: $A, %b: $B) -> ($A, $B, $R, i1) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %rows = arith.constant $rows : index
  %columns = arith.constant $columns : index
  %zero = arith.constant 0.0 : $R
  %one = arith.constant 1.0 : $R
  %nothing = $nothing
  %true = arith.constant true
  %done:4 = scf.for %p = %c0 to %rows step %c1
      iter_args(%a0 = %a, %b0 = %b, %sign = %one, %fine = %true) -> ($A, $B, $R, i1) {
    %next = arith.addi %p, %c1 : index
    %m = tensor.extract %a0[%p, %p] : $A
    $size_of_m
    %best:2 = scf.for %i = %next to %rows step %c1
        iter_args(%most = %size_m, %at = %p) -> ($R, index) {
      %x = tensor.extract %a0[%i, %p] : $A
      $size_of_x
      %greater = arith.cmpf ogt, %size_x, %most : $R
      %most_now = arith.select %greater, %size_x, %most : $R
      %at_now = arith.select %greater, %i, %at : index
      scf.yield %most_now, %at_now : $R, index
    }
    %exists = arith.cmpf une, %best#0, %zero : $R
    %fine_now = arith.andi %fine, %exists : i1
    %stays = arith.cmpi eq, %best#1, %p : index
    %turned = arith.negf %sign : $R
    %sign_now = arith.select %stays, %sign, %turned : $R
    %a1 = scf.for %j = %p to %rows step %c1 iter_args(%t = %a0) -> ($A) {
      %u = tensor.extract %t[%p, %j] : $A
      %v = tensor.extract %t[%best#1, %j] : $A
      %t1 = tensor.insert %v into %t[%p, %j] : $A
      %t2 = tensor.insert %u into %t1[%best#1, %j] : $A
      scf.yield %t2 : $A
    }
    %b1 = scf.for %j = %c0 to %columns step %c1 iter_args(%t = %b0) -> ($B) {
      %u = tensor.extract %t[%p, %j] : $B
      %v = tensor.extract %t[%best#1, %j] : $B
      %t1 = tensor.insert %v into %t[%p, %j] : $B
      %t2 = tensor.insert %u into %t1[%best#1, %j] : $B
      scf.yield %t2 : $B
    }
    %pivot = tensor.extract %a1[%p, %p] : $A
    %below:2 = scf.for %i = %next to %rows step %c1 iter_args(%s = %a1, %t = %b1) -> ($A, $B) {
      %x = tensor.extract %s[%i, %p] : $A
      %quotient = $div %x, %pivot : $T
      %factor = arith.select %exists, %quotient, %nothing : $T
      %s1 = scf.for %j = %next to %rows step %c1 iter_args(%w = %s) -> ($A) {
        %u = tensor.extract %w[%p, %j] : $A
        %v = tensor.extract %w[%i, %j] : $A
        %part = $mul %factor, %u : $T
        %rest = $sub %v, %part : $T
        %w1 = tensor.insert %rest into %w[%i, %j] : $A
        scf.yield %w1 : $A
      }
      %t1 = scf.for %j = %c0 to %columns step %c1 iter_args(%w = %t) -> ($B) {
        %u = tensor.extract %w[%p, %j] : $B
        %v = tensor.extract %w[%i, %j] : $B
        %part = $mul %factor, %u : $T
        %rest = $sub %v, %part : $T
        %w1 = tensor.insert %rest into %w[%i, %j] : $B
        scf.yield %w1 : $B
      }
      scf.yield %s1, %t1 : $A, $B
    }
    scf.yield %below#0, %below#1, %sign_now, %fine_now : $A, $B, $R, i1
  }
  return %done#0, %done#1, %done#2, %done#3 : $A, $B, $R, i1
}
"""

_BACKWARDS = """
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %rows = arith.constant $rows : index
  %last = arith.subi %rows, %c1 : index
  %columns = arith.constant $columns : index
  %x = scf.for %k = %c0 to %rows step %c1 iter_args(%s = %e#1) -> ($B) {
    %i = arith.subi %last, %k : index
    %d = tensor.extract %e#0[%i, %i] : $A
    %s1 = scf.for %j = %c0 to %columns step %c1 iter_args(%t = %s) -> ($B) {
      %u = tensor.extract %t[%i, %j] : $B
      %v = $div %u, %d : $T
      %t1 = tensor.insert %v into %t[%i, %j] : $B
      scf.yield %t1 : $B
    }
    %s2 = scf.for %r = %c0 to %i step %c1 iter_args(%t = %s1) -> ($B) {
      %factor = tensor.extract %e#0[%r, %i] : $A
      %t1 = scf.for %j = %c0 to %columns step %c1 iter_args(%w = %t) -> ($B) {
        %u = tensor.extract %w[%i, %j] : $B
        %v = tensor.extract %w[%r, %j] : $B
        %part = $mul %factor, %u : $T
        %rest = $sub %v, %part : $T
        %w1 = tensor.insert %rest into %w[%r, %j] : $B
        scf.yield %w1 : $B
      }
      scf.yield %t1 : $B
    }
    scf.yield %s2 : $B
  }
  return %x, %e#3 : $B, i1
}
"""

_SOLVE = (
    """
func.func private @$symbol(%a: $A, %b: $B) -> ($B, i1) {
  %e:4 = func.call @${symbol}_eliminate(%a, %b) : ($A, $B) -> ($A, $B, $R, i1)
"""
    + _BACKWARDS
)

_INVERT = (
    """
func.func private @$symbol(%a: $A) -> ($B, i1) {
  %b = arith.constant dense<$identity> : $B
  %e:4 = func.call @${symbol}_eliminate(%a, %b) : ($A, $B) -> ($A, $B, $R, i1)
"""
    + _BACKWARDS
)

_DETERMINANT = """
func.func private @$symbol(%a: $A) -> (tensor<1x$T>, i1) {
  %b = arith.constant dense<0.0> : $B
  %e:4 = func.call @${symbol}_eliminate(%a, %b) : ($A, $B) -> ($A, $B, $R, i1)
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %rows = arith.constant $rows : index
  %zero = arith.constant 0.0 : $T
  %true = arith.constant true
  %both:2 = scf.for %i = %c0 to %rows step %c1 iter_args(%sum = %zero, %sign = %e#2) -> ($T, $T) {
    %d = tensor.extract %e#0[%i, %i] : $A
    %size = math.absf %d : $T
    %part = math.log %size : $T
    %sum1 = arith.addf %sum, %part : $T
    %negative = arith.cmpf olt, %d, %zero : $T
    %turned = arith.negf %sign : $T
    %sign1 = arith.select %negative, %turned, %sign : $T
    scf.yield %sum1, %sign1 : $T, $T
  }
  %size = math.exp %both#0 : $T
  %signed = arith.mulf %both#1, %size : $T
  %value = arith.select %e#3, %signed, %zero : $T
  %result = tensor.from_elements %value : tensor<1x$T>
  return %result, %true : tensor<1x$T>, i1
}
"""

_BODIES = {"solve": _SOLVE, "inv": _INVERT, "det": _DETERMINANT}
"""By the operation; the determinant is NumPy's: the exponential of a sum of logarithms, with a sign."""
