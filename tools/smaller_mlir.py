"""Smaller MLIR: operations, functions, results and attributes left out, blocks opened.

What is left out is replaced by a value of its type that is there before it, or by a constant.  A change
is made in a copy, which is verified; what is not valid is not tried.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from functools import partial
from typing import Any

from agir.backends.mlir.lock import compiling
from agir.backends.mlir.modules import print_module, walk
from agir.ir.building import bindings

Ways = Sequence[Callable[[], str | None]]
_FUNCTIONS = ("func.func", "llvm.func")
_OPTIONAL = ("alignment", "arg_attrs", "res_attrs", "branch_weights", "loop_annotation")
"""Attributes that an operation may lack, as it may those of other dialects, which have a dot."""
_PLAIN = {
    ("arith", "fastmath"): "#arith.fastmath<none>",
    ("math", "fastmath"): "#arith.fastmath<none>",
    ("arith", "overflowFlags"): "#arith.overflow<none>",
    ("llvm", "fastmathFlags"): "#llvm.fastmath<none>",
    ("llvm", "overflowFlags"): "#llvm.overflow<none>",
}
"""By dialect and name, what says nothing."""


class _ImpossibleError(Exception):
    """A change that cannot be made."""


def left_out(text: str) -> Ways:
    """Without some operations that follow each other: half of a block, a quarter, ..., one."""
    ways: list[Callable[[], str | None]] = []
    for number, size in enumerate(_read(text, lambda module: [len(b) for b in _bodies(module)])):
        count = size
        while count:
            starts = range(size - count, -1, -count)
            ways += [partial(_changed, text, _Without(number, at, count)) for at in starts]
            count //= 2
    return ways


def opened(text: str) -> Ways:
    """With the operations of a region in the place of the operation around it."""
    found = _read(text, lambda module: [len(each.regions) for each in _inner(module)])
    return [
        partial(_changed, text, partial(_open, number=number, region=region))
        for number, regions in enumerate(found)
        for region in range(regions)
    ]


def without_results(text: str) -> Ways:
    """Without a result of a function."""
    found = _read(text, lambda module: [len(_results(each)) for each in _functions(module)])
    return [
        partial(_changed, text, partial(_drop_result, number=number, at=at))
        for number, results in enumerate(found)
        for at in range(results)
    ]


def simplified(text: str) -> Ways:
    """With an operand, or a constant, in the place of a result."""
    counts = _read(text, lambda module: [len(each.results) for each in walk(module)])
    return [
        partial(_changed, text, partial(_replace, number=number, at=at, constant=constant))
        for number, results in enumerate(counts)
        for at in range(results)
        for constant in (False, True)
    ]


def without_attributes(text: str) -> Ways:
    """Without an attribute that an operation does not need, or with one that says nothing."""
    found = _read(text, lambda module: [_attributes(each) for each in walk(module)])
    return [
        partial(_changed, text, partial(_drop_attribute, number=number, name=name))
        for number, names in enumerate(found)
        for name in names
    ]


def normal(content: str | bytes) -> str:
    """A module as it is printed here; `MLIRError` where it is none."""
    return str(_read(content, print_module))


KINDS = (left_out, opened, without_results, simplified, without_attributes)


def _read(text: str | bytes, ask: Callable[[Any], Any]) -> Any:
    with compiling, bindings.context(), bindings.ir.Location.unknown():
        return ask(bindings.ir.Module.parse(text))


def _changed(text: str, change: Callable[[Any], None]) -> str | None:
    """The module after a change; None where that is not valid."""
    with compiling, bindings.context(), bindings.ir.Location.unknown():
        module = bindings.ir.Module.parse(text)
        try:
            change(module)
            module.operation.verify()
        except (_ImpossibleError, bindings.ir.MLIRError, ValueError):
            return None
        return str(print_module(module))


def _bodies(module: Any) -> list[list[Any]]:
    """The operations of each block, but for those that end one; the outermost blocks first."""
    found = [[each.operation for each in module.body.operations]]
    for operation in walk(module):
        for region in operation.regions:
            found += [[each.operation for each in block.operations][:-1] for block in region.blocks]
    return found


def _inner(module: Any) -> list[Any]:
    """The operations that are no functions, and have regions."""
    return [each for each in walk(module) if each.regions and each.name not in _FUNCTIONS]


def _functions(module: Any) -> list[Any]:
    return [each for each in walk(module) if each.name in _FUNCTIONS]


def _results(function: Any) -> list[Any]:
    kind = function.attributes["function_type"].value
    return list(kind.results) if function.name == "func.func" else []


class _Without:
    """Some operations of a block less."""

    def __init__(self, block: int, start: int, count: int) -> None:
        self._block, self._start, self._count = block, start, count

    def __call__(self, module: Any) -> None:
        chosen = _bodies(module)[self._block][self._start : self._start + self._count]
        for each in chosen:
            for result in each.results:
                if list(result.uses):
                    result.replace_all_uses_with(_instead(each, result.type))
        for each in reversed(chosen):
            each.erase()


def _open(module: Any, number: int, region: int) -> None:
    operation = _inner(module)[number]
    blocks = list(operation.regions[region].blocks)
    if len(blocks) != 1 or operation.parent is None:
        raise _ImpossibleError
    (block,) = blocks
    for argument in block.arguments:
        argument.replace_all_uses_with(_instead(operation, argument.type))
    *inside, end = [each.operation for each in block.operations]
    for result in operation.results:
        given = _of_type(end.operands, result.type) or _instead(operation, result.type)
        result.replace_all_uses_with(given)
    for each in inside:
        each.move_before(operation)
    operation.erase()


def _drop_result(module: Any, number: int, at: int) -> None:
    function = _functions(module)[number]
    kinds = _results(function)
    del kinds[at]
    for each in walk(function):
        if each.name == "func.return":
            operands = [*each.operands]
            del operands[at]
            with bindings.ir.InsertionPoint(each):
                bindings.ir.Operation.create("func.return", operands=operands)
            each.erase()
    made = bindings.ir.FunctionType.get(function.attributes["function_type"].value.inputs, kinds)
    function.attributes["function_type"] = bindings.ir.TypeAttr.get(made)
    if "res_attrs" in function.attributes:
        left = [*function.attributes["res_attrs"]]
        del left[at]
        function.attributes["res_attrs"] = bindings.ir.ArrayAttr.get(left)


def _replace(module: Any, number: int, at: int, constant: bool) -> None:
    operation = walk(module)[number]
    result = operation.results[at]
    if not list(result.uses):
        raise _ImpossibleError
    found = None if constant else _of_type(operation.operands, result.type)
    if found is None and not constant:
        raise _ImpossibleError
    result.replace_all_uses_with(found or _constant(operation, result.type))
    if not any(list(each.uses) for each in operation.results):
        operation.erase()


def _attributes(operation: Any) -> list[str]:
    """The names of attributes that can be left out, or be plain."""
    found = []
    for name in operation.attributes:
        plain = _PLAIN.get((operation.name.partition(".")[0], name))
        if "." in name or name in _OPTIONAL or plain not in (None, str(operation.attributes[name])):
            found.append(name)
    return found


def _drop_attribute(module: Any, number: int, name: str) -> None:
    operation = walk(module)[number]
    plain = _PLAIN.get((operation.name.partition(".")[0], name))
    if plain is None:
        del operation.attributes[name]
    else:
        operation.attributes[name] = bindings.ir.Attribute.parse(plain)


def _instead(operation: Any, kind: Any) -> Any:
    """What can stand for a result of this type: an operand, or a new constant before it."""
    return _of_type(operation.operands, kind) or _constant(operation, kind)


def _of_type(values: Iterable[Any], kind: Any) -> Any | None:
    return next((each for each in values if each.type == kind), None)


def _constant(operation: Any, kind: Any) -> Any:
    """A zero before an operation; of arrays an array, whatever is in it."""
    ir = bindings.ir
    with ir.InsertionPoint(operation):
        return _zero(kind)


def _zero(kind: Any) -> Any:
    ir = bindings.ir
    if isinstance(kind, ir.RankedTensorType | ir.VectorType) and kind.has_static_shape:
        element = _number(kind.element_type)
        return _made("arith.constant", kind, value=ir.DenseElementsAttr.get_splat(kind, element))
    if isinstance(kind, ir.RankedTensorType):
        index = ir.IndexType.get()
        open_ = [axis for axis in range(kind.rank) if kind.is_dynamic_dim(axis)]
        sizes = [_made("arith.constant", index, value=_number(index)) for _ in open_]
        return ir.Operation.create("tensor.empty", [kind], sizes).results[0]
    if str(kind).startswith("!llvm."):
        return _made("llvm.mlir.zero", kind)
    return _made("arith.constant", kind, value=_number(kind))


def _number(kind: Any) -> Any:
    ir = bindings.ir
    if isinstance(kind, ir.IntegerType | ir.IndexType):
        return ir.IntegerAttr.get(kind, 0)
    if isinstance(kind, ir.FloatType):
        return ir.FloatAttr.get(kind, 0.0)
    raise _ImpossibleError


def _made(name: str, kind: Any, **attributes: Any) -> Any:
    return bindings.ir.Operation.create(name, [kind], attributes=attributes).results[0]
