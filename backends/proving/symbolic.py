"""Functions without loops, carried out on terms instead of numbers."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import z3

from agir.backends.mlir.modules import symbols
from agir.errors import UnsupportedOperation
from agir.ir.building import bindings

from .terms import Term, Terms, bit, constant, holds, open_function, sort

_RETURNS = ("func.return", "llvm.return", "scf.yield")
_NOTHING = ("llvm.intr.assume", "llvm.intr.lifetime.start", "llvm.intr.lifetime.end")
_UNKNOWN = ("llvm.mlir.undef", "llvm.mlir.poison", "ub.poison")
_DEEPEST = 20
_PARTS = ("llvm.insertvalue", "llvm.extractvalue")
Scope = dict[Any, Any]


class Execution:
    """A function of a module, from its arguments to its results."""

    def __init__(self, module: Any, terms: Terms) -> None:
        self._functions = symbols(module)
        self._terms = terms
        self._unknown = 0

    def run(
        self, name: str, arguments: Sequence[Term], path: Term | None = None, depth: int = 0
    ) -> list[Any]:
        """The results of a function, for these arguments."""
        function = self._functions.get(name)
        if function is None or depth > _DEEPEST:
            raise UnsupportedOperation(f"a call of {name!r}")
        path = z3.BoolVal(True) if path is None else path
        return self._flow(list(function.regions[0].blocks), arguments, path, depth)

    def _flow(
        self, blocks: list[Any], arguments: Sequence[Term], path: Term, depth: int
    ) -> list[Any]:
        """The results of blocks that branch forwards, of which the first one is the entry."""
        scope: Scope = {}
        arriving: dict[int, list[tuple[Term, Sequence[Any]]]] = {0: [(path, arguments)]}
        results: list[tuple[Term, list[Any]]] = []
        number = {block: at for at, block in enumerate(blocks)}
        for at in _forwards(blocks, number):
            ways = arriving.pop(at, [])
            if not ways:
                continue
            here = z3.Or(*(condition for condition, _ in ways))
            values = _merged(ways)
            scope.update(zip(blocks[at].arguments, values, strict=True))
            end = self._block(blocks[at], scope, here, depth)
            if end.name in _RETURNS:
                results.append((here, [scope[each] for each in end.operands]))
            for target, condition, given in _branches(end, scope):
                way = (here if condition is None else z3.And(here, condition), given)
                arriving.setdefault(number[target], []).append(way)
        found = _merged(results)
        return list(found[0]) if len(found) == 1 and isinstance(found[0], tuple) else found

    def _block(self, block: Any, scope: Scope, path: Term, depth: int) -> Any:
        """Carry out a block; gives its terminator."""
        *inside, end = [each.operation for each in block.operations]
        for operation in inside:
            operands = [scope[each] for each in operation.operands]
            results = self._results(operation, operands, scope, path, depth)
            scope.update(zip(operation.results, results, strict=True))
        return end

    def _results(
        self, raw: Any, operands: list[Any], scope: Scope, path: Term, depth: int
    ) -> Sequence[Any]:
        name = raw.name
        if name in ("arith.constant", "llvm.mlir.constant"):
            return [constant(raw.results[0].type, _number(raw))]
        if name == "llvm.mlir.zero":
            return [constant(raw.results[0].type, 0)]
        if name == "scf.if":
            return self._branched(raw, operands[0], scope, path, depth)
        if name in ("func.call", "llvm.call") and "callee" in raw.attributes:
            return self._called(raw, operands, path, depth)
        if name in _PARTS:
            return [_part(raw, operands)]
        if name in _NOTHING:
            return []
        if name in _UNKNOWN:
            return [self._fresh(str(raw.results[0].type), raw.results[0].type)]
        if name.endswith(".with.overflow"):
            return [_with_overflow(name, *operands)]
        if len(raw.results) != 1 or raw.regions:
            raise UnsupportedOperation(f"the operation {name}")
        return [self._terms.of(raw, operands, path)]

    def _branched(
        self, raw: Any, chosen: Term, scope: Scope, path: Term, depth: int
    ) -> Sequence[Any]:
        ways = []
        for region, condition in zip(
            raw.regions, (holds(chosen), z3.Not(holds(chosen))), strict=True
        ):
            if not region.blocks:
                return []
            end = self._block(region.blocks[0], scope, z3.And(path, condition), depth)
            ways.append((condition, [scope[each] for each in end.operands]))
        return _merged(ways)

    def _called(self, raw: Any, operands: list[Any], path: Term, depth: int) -> Sequence[Any]:
        name = raw.attributes["callee"].value
        function = self._functions.get(name)
        if function is not None and function.regions[0].blocks:
            found = self.run(name, operands, path, depth + 1)
            return [tuple(found)] if len(raw.results) == 1 and len(found) > 1 else found
        if len(raw.results) != 1 or function is None:
            raise UnsupportedOperation(f"a call of {name!r}")
        kind = raw.results[0].type
        self._terms.has_floats = True  # a function of the C library
        plain = name.removesuffix("f") if str(kind) == "f32" else name
        return [open_function(plain, operands, kind)]

    def _fresh(self, text: str, kind: Any) -> Any:
        """A value of which nothing is known; of a struct one for each part."""
        if text.startswith("!llvm.struct<("):
            inner = text.removeprefix("!llvm.struct<(").removesuffix(")>").split(", ")
            return tuple(self._fresh(each, bindings.ir.Type.parse(each)) for each in inner)
        self._unknown += 1
        return z3.Const(f"unknown {id(self)} {self._unknown}", sort(kind))


def _forwards(blocks: list[Any], number: dict[Any, int]) -> list[int]:
    """The blocks in an order in which each comes after those that lead to it."""
    order: list[int] = []
    state: dict[int, bool] = {}

    def visit(at: int) -> None:
        if state.get(at) is False:
            raise UnsupportedOperation("a loop")
        if at in state:
            return
        state[at] = False
        for block in list(blocks[at].operations)[-1].operation.successors:
            visit(number[block])
        state[at] = True
        order.append(at)

    visit(0)
    return order[::-1]


def _branches(end: Any, scope: Scope) -> list[tuple[Any, Term | None, list[Any]]]:
    """Where a terminator leads to, on which condition, with what."""
    given = [scope[each] for each in end.operands]
    if end.name in ("llvm.br", "cf.br"):
        return [(end.successors[0], None, given)]
    if end.name in ("llvm.cond_br", "cf.cond_br"):
        _, count, _ = end.attributes["operandSegmentSizes"]
        chosen = holds(given[0])
        one, other = given[1 : 1 + count], given[1 + count :]
        return [(end.successors[0], chosen, one), (end.successors[1], z3.Not(chosen), other)]
    if end.name not in _RETURNS and end.name != "llvm.unreachable":
        raise UnsupportedOperation(f"the operation {end.name}")
    return []


def _merged(ways: Sequence[tuple[Term, Sequence[Any]]]) -> list[Any]:
    """What is known where ways meet: the values of the one whose condition holds."""
    *others, (_, found) = ways
    for condition, values in reversed(others):
        found = [_either(condition, *pair) for pair in zip(values, found, strict=True)]
    return list(found)


def _either(condition: Term, one: Any, other: Any) -> Any:
    if isinstance(one, tuple):
        return tuple(_either(condition, *pair) for pair in zip(one, other, strict=True))
    return z3.If(condition, one, other)


def _number(raw: Any) -> Any:
    value = raw.attributes["value"]
    if not hasattr(value, "value"):
        raise UnsupportedOperation(f"the constant {value}")
    return value.value


def _part(raw: Any, operands: list[Any]) -> Any:
    (position,) = list(raw.attributes["position"])
    whole = operands[0]
    if raw.name == "llvm.extractvalue":
        return whole[position]
    return (*whole[:position], operands[1], *whole[position + 1 :])


_EXACTLY: dict[str, Callable[[Term, Term], Term]] = {
    "add": lambda a, b: a + b,
    "sub": lambda a, b: a - b,
    "mul": lambda a, b: a * b,
}


def _with_overflow(name: str, one: Term, other: Term) -> Any:
    """The result, and whether it is not the exact one: of ``llvm.intr.sadd.with.overflow``."""
    sign, kind = name.split(".")[2][0], name.split(".")[2][1:]
    extend, size = (z3.SignExt if sign == "s" else z3.ZeroExt), one.size()
    exact = _EXACTLY[kind](extend(size, one), extend(size, other))
    short = z3.Extract(size - 1, 0, exact)
    return short, bit(extend(size, short) != exact)
