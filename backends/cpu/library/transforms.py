"""Discrete Fourier transforms of as many numbers as a power of two, in MLIR.

Stockham's way: each stage writes where the next one reads in order, so nothing is reordered.  Real
and imaginary parts are arrays of their own, of which LLVM makes vectors.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from string import Template
from typing import Any

import numpy as np

MOST = 2048
"""Numbers up to which this is faster than NumPy with a call of Python around it."""

_FEW = 4
"""Groups of so few neighbours are done side by side, longer ones one after the other."""

_REAL = {"f32": np.float32, "f64": np.float64}


def writer(
    operation: str, element: str, shapes: list[tuple[int, ...]], options: Mapping[str, Any]
) -> Callable[[str], str] | None:
    """What writes the function of a symbol; None where there is none for such an operand."""
    whole = options.get("axis", 0) in (0, -1) and options.get("n") is None
    if operation not in ("fourier_fft", "fourier_ifft", "fourier_rfft") or len(shapes[0]) != 1:
        return None
    (count,) = shapes[0]
    fits = 1 < count <= MOST and count & (count - 1) == 0
    if not fits or not whole or options.get("norm", "backward") != "backward":
        return None
    real = element.removeprefix("complex<").removesuffix(">")
    if real not in _REAL or (operation == "fourier_rfft" and real != element):
        return None
    return lambda symbol: _text(symbol, operation, element, real, count)


def _text(symbol: str, operation: str, element: str, real: str, count: int) -> str:
    inverse = operation == "fourier_ifft"
    kept = count // 2 + 1 if operation == "fourier_rfft" else count
    known = {
        "symbol": symbol,
        "count": str(count),
        "kept": str(kept),
        "half": str(count // 2),
        "T": element,
        "R": real,
        "V": f"tensor<{count}x{real}>",
        "H": f"tensor<{count // 2}x{real}>",
        "K": f"tensor<{kept}xcomplex<{real}>>",
        "scale": repr(1.0 / count if inverse else 1.0),
        **_roots(count, inverse, _REAL[real]),
    }
    parts = [_BEGIN, _READ_REAL if element == real else _READ]
    here, there = ("%x#0", "%x#1"), ("%e0", "%e1")
    near = 1
    while near < count:
        stage = _SIDE_BY_SIDE if near <= _FEW else _ONE_BY_ONE
        names = {"s": str(near), "far": str(count // (2 * near))}
        names |= {"re": here[0], "im": here[1], "re_to": there[0], "im_to": there[1]}
        parts.append(Template(stage).safe_substitute(names))
        here, there = (f"%s{near}#0", f"%s{near}#1"), here
        near *= 2
    parts.append(Template(_END).safe_substitute(re=here[0], im=here[1]))
    return Template("".join(parts)).substitute(known)


def _roots(count: int, inverse: bool, dtype: Any) -> dict[str, str]:
    """The powers of the root of one, from angles up to an eighth of the circle: exact at a quarter."""
    steps, turn = np.arange(count // 2), 2 * np.pi / count
    near, upright = 8 * steps <= count, 8 * steps <= 3 * count
    first, middle, last = (angle * turn for angle in (steps, count / 4 - steps, count / 2 - steps))
    cosines = np.select([near, upright], [np.cos(first), np.sin(middle)], -np.cos(last))
    sines = np.select([near, upright], [np.sin(first), np.cos(middle)], np.sin(last))
    return {
        "cosines": _blob(cosines, dtype),
        "sines": _blob(sines if inverse else -sines, dtype),
    }


def _blob(values: Any, dtype: Any) -> str:
    return f'"0x{np.asarray(values, np.dtype(dtype).newbyteorder("<")).tobytes().hex()}"'


_BEGIN = """
func.func private @$symbol(%given: tensor<${count}x$T>) -> ($K, i1) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %count = arith.constant $count : index
  %zero = arith.constant 0.0 : $R
  %true = arith.constant true
  %cosines = arith.constant dense<$cosines> : $H
  %sines = arith.constant dense<$sines> : $H
  %f0 = tensor.empty() : $V
  %f1 = tensor.empty() : $V
  %e0 = tensor.empty() : $V
  %e1 = tensor.empty() : $V
"""

_READ = """
  %x:2 = scf.for %i = %c0 to %count step %c1 iter_args(%s = %f0, %t = %f1) -> ($V, $V) {
    %v = tensor.extract %given[%i] : tensor<${count}x$T>
    %a = complex.re %v : $T
    %b = complex.im %v : $T
    %s1 = tensor.insert %a into %s[%i] : $V
    %t1 = tensor.insert %b into %t[%i] : $V
    scf.yield %s1, %t1 : $V, $V
  }
"""

_READ_REAL = """
  %x:2 = scf.for %i = %c0 to %count step %c1 iter_args(%s = %f0, %t = %f1) -> ($V, $V) {
    %a = tensor.extract %given[%i] : tensor<${count}x$T>
    %s1 = tensor.insert %a into %s[%i] : $V
    %t1 = tensor.insert %zero into %t[%i] : $V
    scf.yield %s1, %t1 : $V, $V
  }
"""

_BUTTERFLY = """
      %at = arith.muli %p, %near$s : index
      %c = tensor.extract %cosines[%at] : $H
      %d = tensor.extract %sines[%at] : $H
      %i = arith.addi %at, %q : index
      %j = arith.addi %i, %middle$s : index
      %a0 = tensor.extract $re[%i] : $V
      %a1 = tensor.extract $im[%i] : $V
      %b0 = tensor.extract $re[%j] : $V
      %b1 = tensor.extract $im[%j] : $V
      %k = arith.addi %i, %at : index
      %l = arith.addi %k, %near$s : index
      %u0 = arith.addf %a0, %b0 : $R
      %u1 = arith.addf %a1, %b1 : $R
      %v0 = arith.subf %a0, %b0 : $R
      %v1 = arith.subf %a1, %b1 : $R
      %w0 = arith.mulf %v0, %c : $R
      %w1 = arith.mulf %v1, %d : $R
      %w2 = arith.mulf %v0, %d : $R
      %w3 = arith.mulf %v1, %c : $R
      %y0 = arith.subf %w0, %w1 : $R
      %y1 = arith.addf %w2, %w3 : $R
      %m2 = tensor.insert %u0 into %m0[%k] : $V
      %n2 = tensor.insert %u1 into %n0[%k] : $V
      %m3 = tensor.insert %y0 into %m2[%l] : $V
      %n3 = tensor.insert %y1 into %n2[%l] : $V
      scf.yield %m3, %n3 : $V, $V
    }
    scf.yield %both#0, %both#1 : $V, $V
  }
"""


def _stage(outer: tuple[str, str], inner: tuple[str, str]) -> str:
    """A stage whose loops have these variables and bounds."""
    loops = """
  %near$s = arith.constant $s : index
  %far$s = arith.constant $far : index
  %middle$s = arith.constant $half : index
  %s$s:2 = scf.for OUTER step %c1 iter_args(%m = $re_to, %n = $im_to) -> ($V, $V) {
    %both:2 = scf.for INNER step %c1 iter_args(%m0 = %m, %n0 = %n) -> ($V, $V) {"""
    for word, (name, bound) in (("OUTER", outer), ("INNER", inner)):
        loops = loops.replace(word, f"%{name} = %c0 to %{bound}$s")
    return loops + _BUTTERFLY


_SIDE_BY_SIDE = _stage(("q", "near"), ("p", "far"))
_ONE_BY_ONE = _stage(("p", "far"), ("q", "near"))

_END = """
  %result = tensor.empty() : $K
  %kept = arith.constant $kept : index
  %scale = arith.constant $scale : $R
  %y = scf.for %i = %c0 to %kept step %c1 iter_args(%t = %result) -> ($K) {
    %a = tensor.extract $re[%i] : $V
    %b = tensor.extract $im[%i] : $V
    %u = arith.mulf %a, %scale : $R
    %v = arith.mulf %b, %scale : $R
    %z = complex.create %u, %v : complex<$R>
    %t1 = tensor.insert %z into %t[%i] : $K
    scf.yield %t1 : $K
  }
  return %y, %true : $K, i1
}
"""
