"""Parallel loops as calls of the team of threads.

``@agir.parallel.0.run(first, last, ..., work)`` puts its arguments into memory and has the team
call ``@agir.parallel.0.task`` for pieces of the iterations, which calls ``@agir.parallel.0`` with
what these are for the loop.  Where that may leave (`interrupts`), what the first one that does says is
put there as well.
"""

from __future__ import annotations

from typing import Any

from agir.backends.cpu.calling import threads
from agir.backends.cpu.calling.leaving import COUNT
from agir.backends.cpu.passes.analysis.functions import PREFIX, RUN
from agir.backends.mlir.modules import add_functions, symbols
from agir.ir.building import bindings


def call_team(module: Any) -> None:
    """Write the functions that start the threads of parallel loops."""
    known = symbols(module)
    for name, function in known.items():
        if name.startswith(PREFIX) and name.endswith(RUN):
            body = name.removesuffix(RUN)
            arguments = known[body].regions[0].blocks[0].arguments
            kinds = [str(argument.type) for argument in arguments]
            leaves = "!llvm.func<void" not in str(known[body].attributes["function_type"].value)
            function.erase()
            add_functions(module, _text(body, kinds, _step(known[body]), leaves))
            known[body].attributes["no_inline"] = bindings.ir.UnitAttr.get()


def _step(function: Any) -> int:
    return int(function.attributes["agir.step"].value)


_WHY = f"!llvm.struct<({', '.join(['i64'] * COUNT)})>"
"""What a function gives that may leave."""


def _text(name: str, kinds: list[str], step: int, leaves: bool) -> str:
    names = [f"%a{i}" for i in range(len(kinds))]
    struct = f"!llvm.struct<({', '.join(kinds)}{f', {_WHY}' if leaves else ''})>"
    parameters = ", ".join(f"{n}: {k}" for n, k in zip(names, kinds, strict=True))
    types = ", ".join(kinds)
    places = [
        f"  %p{i} = llvm.getelementptr %data[0, {i}] : (!llvm.ptr) -> !llvm.ptr, {struct}"
        for i in range(len(kinds))
    ]
    stores = [f"  llvm.store %a{i}, %p{i} : {kind}, !llvm.ptr" for i, kind in enumerate(kinds)]
    loads = [f"  %a{i} = llvm.load %p{i} : !llvm.ptr -> {kind}" for i, kind in enumerate(kinds)]
    rest = ", ".join(["%low", "%high", *names[2:]])
    result, arrow, given = (_WHY, f" -> {_WHY}", "%why = ") if leaves else ("()", "", "")
    why = f"  %at = llvm.getelementptr %data[0, {len(kinds)}] : (!llvm.ptr) -> !llvm.ptr, {struct}"
    return f"""
llvm.func @{threads.RUN}(!llvm.ptr, !llvm.ptr, i64, i64, i64)
llvm.func @{name}({types}){arrow}
llvm.func internal @{name}{RUN}({parameters}, %work: i64){arrow} attributes {{no_inline}} {{
  %one = llvm.mlir.constant(1 : i64) : i64
  %most = llvm.mlir.constant({threads.limit()} : i64) : i64
  %step = llvm.mlir.constant({step} : i64) : i64
  %span = llvm.sub %a1, %a0 : i64
  %some = llvm.add %span, %step : i64
  %up = llvm.sub %some, %one : i64
  %iterations = llvm.sdiv %up, %step : i64
  %data = llvm.alloca %one x {struct} : (i64) -> !llvm.ptr
{chr(10).join(places)}
{chr(10).join(stores)}
{_nothing_yet(why) if leaves else ""}
  %task = llvm.mlir.addressof @{name}.task : !llvm.ptr
  llvm.call @{threads.RUN}(%task, %data, %iterations, %work, %most)
    : (!llvm.ptr, !llvm.ptr, i64, i64, i64) -> ()
  {_told() if leaves else "llvm.return"}
}}
llvm.func internal @{name}.task(%data: !llvm.ptr, %begin: i64, %end: i64) {{
{chr(10).join(places)}
{chr(10).join(loads)}
  %step = llvm.mlir.constant({step} : i64) : i64
  %before = llvm.mul %begin, %step : i64
  %low = llvm.add %a0, %before : i64
  %whole = llvm.mul %end, %step : i64
  %after = llvm.add %a0, %whole : i64
  %high = llvm.intr.smin(%after, %a1) : (i64, i64) -> i64
  {given}llvm.call @{name}({rest}) : ({types}) -> {result}
  {_tell(why) if leaves else "llvm.return"}
}}
"""


def _nothing_yet(why: str) -> str:
    return f"""{why}
  %nothing = llvm.mlir.zero : {_WHY}
  llvm.store %nothing, %at : {_WHY}, !llvm.ptr"""


def _told() -> str:
    """The end of the function that has the iterations run: what one of the pieces has said."""
    return f"""%told = llvm.load %at : !llvm.ptr -> {_WHY}
  llvm.return %told : {_WHY}"""


def _tell(why: str) -> str:
    """The end of a piece: the first one that has left says so."""
    return f"""%reason = llvm.extractvalue %why[0] : {_WHY}
  %zero = llvm.mlir.constant(0 : i64) : i64
  %left = llvm.icmp "ne" %reason, %zero : i64
  llvm.cond_br %left, ^leave, ^end
^leave:
{why}
  %put = llvm.cmpxchg %at, %zero, %reason acq_rel monotonic : !llvm.ptr, i64
  %first = llvm.extractvalue %put[1] : !llvm.struct<(i64, i1)>
  llvm.cond_br %first, ^tell, ^end
^tell:
  llvm.store %why, %at : {_WHY}, !llvm.ptr
  llvm.br ^end
^end:
  llvm.return"""
