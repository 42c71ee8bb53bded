"""Parallel loops as calls of an OpenMP runtime library, by the entry points of GNU's.

``@agir.parallel.0.run(first, last, ...)`` puts its arguments into memory and has every thread call
``@agir.parallel.0.task``, which calls ``@agir.parallel.0`` with the thread's share of the iterations.
Where that may leave (`leaving`), what the first thread that does says is put there as well.
"""

from __future__ import annotations

from typing import Any

from agir.backends.cpu.calling import threads
from agir.backends.cpu.calling.leaving import COUNT
from agir.backends.cpu.passes.parallel_loops import PREFIX, RUN
from agir.backends.mlir.modules import symbols
from agir.ir import bindings


def call_openmp(module: Any) -> None:
    """Write the functions that start the threads of parallel loops."""
    known = symbols(module)
    for name, function in known.items():
        if name.startswith(PREFIX) and name.endswith(RUN):
            body = name.removesuffix(RUN)
            arguments = known[body].regions[0].blocks[0].arguments
            kinds = [str(argument.type) for argument in arguments]
            leaves = "!llvm.func<void" not in str(known[body].attributes["function_type"].value)
            text = _LIBRARY + _text(body, kinds, _step(known[body]), leaves)
            source = bindings.ir.Module.parse(text)
            function.erase()
            end = bindings.ir.InsertionPoint(module.body)
            present = symbols(module)
            for new, operation in symbols(source).items():
                if new not in present:
                    operation.clone(ip=end)
            known[body].attributes["no_inline"] = bindings.ir.UnitAttr.get()


def _step(function: Any) -> int:
    return int(function.attributes["agir.step"].value)


_LIBRARY = f"""
llvm.func @{threads.RUN}(!llvm.ptr, !llvm.ptr, i32, i32)
llvm.func @omp_get_max_threads() -> i32
llvm.func @omp_get_num_threads() -> i32
llvm.func @omp_get_thread_num() -> i32
"""


_WHY = f"!llvm.struct<({', '.join(['i64'] * COUNT)})>"
"""What a function gives that may leave."""


def _text(name: str, kinds: list[str], step: int, leaves: bool) -> str:
    names = [f"%a{i}" for i in range(len(kinds))]
    struct = f"!llvm.struct<({', '.join(kinds)}{f', {_WHY}' if leaves else ''})>"
    parameters = ", ".join(f"{n}: {k}" for n, k in zip(names, kinds, strict=True))
    arguments, types = ", ".join(names), ", ".join(kinds)
    places = [
        f"  %p{i} = llvm.getelementptr %data[0, {i}] : (!llvm.ptr) -> !llvm.ptr, {struct}"
        for i in range(len(kinds))
    ]
    stores = [f"  llvm.store %a{i}, %p{i} : {kind}, !llvm.ptr" for i, kind in enumerate(kinds)]
    loads = [f"  %a{i} = llvm.load %p{i} : !llvm.ptr -> {kind}" for i, kind in enumerate(kinds)]
    rest = ", ".join(["%low", "%high", *names[2:]])
    result, arrow, given = (_WHY, f" -> {_WHY}", "%why = ") if leaves else ("()", "", "")
    back = f"llvm.return %why : {_WHY}" if leaves else "llvm.return"
    why = f"""  %at = llvm.getelementptr %data[0, {len(kinds)}] : (!llvm.ptr) -> !llvm.ptr, {struct}"""
    return f"""
llvm.func @{name}({types}){arrow}
llvm.func internal @{name}{RUN}({parameters}){arrow} attributes {{no_inline}} {{
  %max = llvm.call @omp_get_max_threads() : () -> i32
  %one = llvm.mlir.constant(1 : i32) : i32
{_limited()}
  %alone = llvm.icmp "sle" %threads, %one : i32
  llvm.cond_br %alone, ^alone, ^many
^alone:
  {given}llvm.call @{name}({arguments}) : ({types}) -> {result}
  {back}
^many:
  %count = llvm.mlir.constant(1 : i64) : i64
  %data = llvm.alloca %count x {struct} : (i64) -> !llvm.ptr
{chr(10).join(places)}
{chr(10).join(stores)}
{_nothing_yet(why) if leaves else ""}
  %task = llvm.mlir.addressof @{name}.task : !llvm.ptr
  %flags = llvm.mlir.constant(0 : i32) : i32
  llvm.call @{threads.RUN}(%task, %data, %threads, %flags) : (!llvm.ptr, !llvm.ptr, i32, i32) -> ()
  {_told() if leaves else "llvm.return"}
}}
llvm.func internal @{name}.task(%data: !llvm.ptr) {{
{chr(10).join(places)}
{chr(10).join(loads)}
  %t = llvm.call @omp_get_thread_num() : () -> i32
  %n = llvm.call @omp_get_num_threads() : () -> i32
  %thread = llvm.sext %t : i32 to i64
  %threads = llvm.sext %n : i32 to i64
  %one = llvm.mlir.constant(1 : i64) : i64
  %step = llvm.mlir.constant({step} : i64) : i64
  %span = llvm.sub %a1, %a0 : i64
  %some = llvm.add %span, %step : i64
  %up = llvm.sub %some, %one : i64
  %turns = llvm.sdiv %up, %step : i64
  %next = llvm.add %thread, %one : i64
  %m0 = llvm.mul %turns, %thread : i64
  %d0 = llvm.sdiv %m0, %threads : i64
  %s0 = llvm.mul %d0, %step : i64
  %low = llvm.add %a0, %s0 : i64
  %m1 = llvm.mul %turns, %next : i64
  %d1 = llvm.sdiv %m1, %threads : i64
  %s1 = llvm.mul %d1, %step : i64
  %end = llvm.add %a0, %s1 : i64
  %high = llvm.intr.smin(%end, %a1) : (i64, i64) -> i64
  {given}llvm.call @{name}({rest}) : ({types}) -> {result}
  {_tell(why) if leaves else "llvm.return"}
}}
"""


def _nothing_yet(why: str) -> str:
    return f"""{why}
  %nothing = llvm.mlir.zero : {_WHY}
  llvm.store %nothing, %at : {_WHY}, !llvm.ptr"""


def _told() -> str:
    """The end of the function that starts the threads: what one of them has said."""
    return f"""%told = llvm.load %at : !llvm.ptr -> {_WHY}
  llvm.return %told : {_WHY}"""


def _tell(why: str) -> str:
    """The end of what a thread does: the first one that has left says so."""
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


def _limited() -> str:
    most = threads.limit()
    if not most:
        return "  %threads = llvm.intr.smax(%max, %one) : (i32, i32) -> i32"
    return f"""  %most = llvm.mlir.constant({most} : i32) : i32
  %threads = llvm.intr.smin(%max, %most) : (i32, i32) -> i32"""
