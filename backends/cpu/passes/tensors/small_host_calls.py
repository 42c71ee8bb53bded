"""Small systems of equations, inverses, determinants and Fourier transforms without the host.

A call of NumPy costs as much as solving some twenty equations.  The host is still asked where there
is no solution: it raises.  The number that its call gives says whether there is one, so what makes
the solution stands before the call, and is what was fetched.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from agir.backends.cpu.library import matrices, transforms
from agir.backends.mlir.graph import Graph
from agir.backends.mlir.making import constant
from agir.backends.mlir.modules import add_functions, symbols
from agir.ir.building import bindings
from agir.ir.host import hosts

_FOUND = 1
"""The number of results that nothing fetches from the host."""


def expand_small_host_calls(module: Any) -> None:
    """Compute in the program what calls of the host compute of a few numbers."""
    known = symbols(module)
    graph = Graph(module)
    needless: list[Any] = []
    for call in graph.find("func.call"):
        host = known[call.attributes["callee"].value]
        if not hosts.is_callback(host) or not call.results:
            continue
        write = _writer(host)
        number = _result_of(call, graph)
        if write is None or any(graph.is_inside(v, number.owner) for v in call.operands):
            continue
        users = [use.user for use in graph.uses(number)]
        fetched = [user for user in users if _fetches(user, known)]
        if fetched and all(user.name in _COMPARING or user in fetched for user in users):
            _replace(call, number.owner, fetched, _function(module, host, write))
            needless += fetched
    for fetch in needless:
        fetch.erase()


_COMPARING = ("arith.cmpi", "arith.subi")
"""What looks at the number only."""


def _writer(host: Any) -> Callable[[str], str] | None:
    """What writes the function that computes what a callback does, if there is one."""
    if host.attributes[hosts.CALLBACK].value != "call" or hosts.OPERATION not in host.attributes:
        return None
    kinds = host.attributes["function_type"].value.inputs
    if not all(isinstance(kind, bindings.ir.RankedTensorType) for kind in kinds):
        return None
    elements = {str(kind.element_type) for kind in kinds}
    if len(elements) != 1:
        return None
    shapes = [tuple(kind.shape) for kind in kinds]
    options, name = hosts.options_of(host.attributes), str(host.attributes[hosts.OPERATION].value)
    known = (library.writer(name, *elements, shapes, options) for library in (matrices, transforms))
    return next((write for write in known if write is not None), None)


def _result_of(call: Any, graph: Graph) -> Any:
    """The number that a call gives, behind the branch that asks whether something has failed."""
    (number,) = call.results
    uses = graph.uses(number)
    if len(uses) == 1 and uses[0].user.name == "scf.yield" and call.parent.name == "scf.if":
        return call.parent.results[uses[0].position]
    return number


def _fetches(user: Any, known: dict[str, Any]) -> bool:
    if user.name != "func.call":
        return False
    kind = known[user.attributes["callee"].value].attributes.get(hosts.CALLBACK, None)
    return kind is not None and kind.value == "fetch"


def _function(module: Any, host: Any, write: Callable[[str], str]) -> str:
    """The symbol of what computes it, which is written where the module does not have it."""
    symbol = f"native_{host.attributes['sym_name'].value}"
    if symbol not in symbols(module):
        add_functions(module, write(symbol))
    return symbol


def _replace(call: Any, outer: Any, fetched: list[Any], symbol: str) -> None:
    ir = bindings.ir
    result = next(iter(fetched)).results[0].type
    truth, number = ir.IntegerType.get_signless(1), call.results[0].type
    with ir.InsertionPoint(outer), call.location:
        found = ir.Operation.create(
            "func.call",
            results=[result, truth],
            operands=list(call.operands),
            attributes={"callee": ir.FlatSymbolRefAttr.get(symbol)},
        )
    with ir.InsertionPoint(call), call.location:
        branch = ir.Operation.create(
            "scf.if", results=[number], operands=[found.results[1]], regions=2
        )
        there, raised = (region.blocks.append() for region in branch.regions)
        with ir.InsertionPoint(there):
            ir.Operation.create("scf.yield", operands=[constant(number, _FOUND)])
    call.results[0].replace_all_uses_with(branch.results[0])
    raised.append(call)
    with ir.InsertionPoint(raised), call.location:
        ir.Operation.create("scf.yield", operands=list(call.results))
    for fetch in fetched:
        fetch.results[0].replace_all_uses_with(found.results[0])
