"""Contractions and convolutions become loops over tiles that registers hold.

`finding` says what is one kernel: sums of products, the fill that they begin with, and the
elementwise operation on them.  `forms` chooses loops and tiles, `across` and `along` write them.
What has no form (complex numbers, one sum of all elements) stays as it is.
"""

from __future__ import annotations

from typing import Any

from agir.backends.cpu.code import host
from agir.backends.cpu.contractions import across, along, bodies, finding, forms, streamed
from agir.backends.cpu.contractions.code import Code
from agir.backends.cpu.contractions.nests import Epilogue, Kernel, Loop, Nest
from agir.backends.cpu.contractions.reading import Reader
from agir.backends.mlir.graph import Graph
from agir.ir.building import bindings


def tile_contractions(module: Any) -> None:
    """Write each contraction on buffers as loops over register tiles."""
    graph = Graph(module)
    written = []
    for group in finding.groups(graph):
        # without its epilogue what cannot be written with it
        attempts = [[group], [finding.Group([each]) for each in group.contractions]]
        for attempt in attempts if group.epilogue else attempts[:1]:
            done = [each for each in attempt if _write(each)]
            written += done
            if done:
                break
    for group in written:
        _erase(group)
    if any(group.epilogue for group in written):
        _erase_unused_buffers(module)


def _write(group: finding.Group) -> bool:
    ir = bindings.ir
    vectors = host.vectors()
    with ir.InsertionPoint(group.last), group.last.location:
        code = Code.here()
        kernel = _kernel(group, Reader(code))
        form = forms.choose(kernel, vectors)
        if form is None:
            return False
        writer = along if form.along else streamed if form.streamed else across
        writer.write(code, kernel, form, vectors.masks)
    return True


def _kernel(group: finding.Group, reader: Reader) -> Kernel:
    """The loops and strides of a group."""
    shared: dict[int, Loop] = reader.loops(group.operands, {}) if group.epilogue else {}
    tables = []
    for contraction in group.contractions:
        kept = contraction.operands[-1].plain or []
        known = {number: shared[axis] for axis, number in enumerate(kept)} if shared else {}
        tables.append(reader.loops(contraction.operands, known))
    made = [
        _nest(contraction, loops, reader)
        for contraction, loops in zip(group.contractions, tables, strict=True)
    ]
    if group.epilogue is None:
        (contraction,), (loops,), (nest,) = group.contractions, tables, made
        kept = contraction.operands[-1].plain or []
        return Kernel([loops[number] for number in kept], made, nest.output)
    results = {c.output: nest for c, nest in zip(group.contractions, made, strict=True)}
    *inputs, output = group.operands
    given = [results.get(each.buffer) or reader.access(each, shared) for each in inputs]
    parallel = [shared[axis] for axis in sorted(shared)]
    return Kernel(parallel, made, reader.access(output, shared), Epilogue(group.epilogue, given))


def _nest(contraction: finding.Contraction, loops: dict[int, Loop], reader: Reader) -> Nest:
    kept = contraction.operands[-1].plain or []
    *operands, last = contraction.operands
    used = bodies.used_arguments(contraction.operation)
    inputs = [
        reader.access(each, loops) for each, read in zip(operands, used, strict=False) if read
    ]
    output = reader.access(last, loops)
    reductions = [loops[number] for number in sorted(loops) if number not in kept]
    start = contraction.fill.operands[0] if contraction.fill is not None else None
    return Nest(contraction.operation, inputs, used, output, reductions, start)


def _erase(group: finding.Group) -> None:
    for contraction in group.contractions:
        contraction.operation.erase()
        if contraction.fill is not None:
            contraction.fill.erase()
    if group.epilogue is not None:
        group.epilogue.erase()


def _erase_unused_buffers(module: Any) -> None:
    """Free no longer what is no longer written."""
    graph = Graph(module)
    for allocation in graph.find("memref.alloc", "memref.alloca"):
        users = [user for user, _ in graph.uses(allocation.results[0])]
        if all(user.name == "memref.dealloc" for user in users):
            for user in users:
                user.erase()
            allocation.erase()
