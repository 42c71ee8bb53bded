"""What a loop calls once it has counted down: signals are handled some ten times a second.

The function is given the address of two numbers: after how many iterations it is called, and when it
last looked.  Iterations that take long are counted in fewer, those that take little in more.  Python
is asked only then, for that takes the interpreter's lock; what a handler raises is taken from it.
"""

from __future__ import annotations

NAME = "agir_iterations"

_EFFECTS = (
    "memory_effects = #llvm.memory_effects<other = none, argMem = readwrite, "
    "inaccessibleMem = readwrite, errnoMem = none, targetMem0 = none, targetMem1 = none>"
)
"""Loops keep in registers what they read over and over: nothing of theirs is changed."""

_CODE = f"""
llvm.func @malloc(i64) -> !llvm.ptr
llvm.func @clock_gettime(i32, !llvm.ptr) -> i32
llvm.func @PyGILState_Ensure() -> i32
llvm.func @PyGILState_Release(i32)
llvm.func @PyErr_CheckSignals() -> i32
llvm.func @PyErr_Fetch(!llvm.ptr, !llvm.ptr, !llvm.ptr)
// From the iterations after which the clock was looked at, and when last: how many there are to be now.
// A negative number is the address of an exception.
llvm.func internal @{NAME}(%state: !llvm.ptr) -> i64 attributes {{no_inline, no_unwind, {_EFFECTS}}} {{
  %zero = llvm.mlir.constant(0 : i64) : i64
  %one = llvm.mlir.constant(1 : i64) : i64
  %two = llvm.mlir.constant(2 : i64) : i64
  %none = llvm.mlir.constant(0 : i32) : i32
  %clock = llvm.mlir.constant(6 : i32) : i32
  %second = llvm.mlir.constant(1000000000 : i64) : i64
  %least = llvm.mlir.constant(100000000 : i64) : i64
  %short = llvm.mlir.constant(5000000 : i64) : i64
  %eight = llvm.mlir.constant(8 : i64) : i64
  %most = llvm.mlir.constant(1073741824 : i64) : i64
  %size = llvm.mlir.constant(24 : i64) : i64
  %time = llvm.alloca %two x i64 : (i64) -> !llvm.ptr
  %ignored = llvm.call @clock_gettime(%clock, %time) : (i32, !llvm.ptr) -> i32
  %seconds = llvm.load %time : !llvm.ptr -> i64
  %rest_at = llvm.getelementptr %time[1] : (!llvm.ptr) -> !llvm.ptr, i64
  %rest = llvm.load %rest_at : !llvm.ptr -> i64
  %whole = llvm.mul %seconds, %second : i64
  %now = llvm.add %whole, %rest : i64
  %iterations = llvm.load %state : !llvm.ptr -> i64
  %last_at = llvm.getelementptr %state[1] : (!llvm.ptr) -> !llvm.ptr, i64
  %last = llvm.load %last_at : !llvm.ptr -> i64
  %begins = llvm.icmp "eq" %last, %zero : i64
  llvm.cond_br %begins, ^begin, ^later
^begin:
  llvm.store %now, %last_at : i64, !llvm.ptr
  llvm.return %iterations : i64
^later:
  %gap = llvm.sub %now, %last : i64
  %soon = llvm.icmp "slt" %gap, %least : i64
  llvm.cond_br %soon, ^more, ^ask
^more:
  %early = llvm.icmp "slt" %gap, %short : i64
  %times = llvm.select %early, %eight, %two : i1, i64
  %larger = llvm.mul %iterations, %times : i64
  %limited = llvm.intr.smin(%larger, %most) : (i64, i64) -> i64
  llvm.store %limited, %state : i64, !llvm.ptr
  llvm.return %limited : i64
^ask:
  %half = llvm.sdiv %iterations, %two : i64
  %fewer = llvm.intr.smax(%half, %one) : (i64, i64) -> i64
  llvm.store %fewer, %state : i64, !llvm.ptr
  llvm.store %now, %last_at : i64, !llvm.ptr
  %lock = llvm.call @PyGILState_Ensure() : () -> i32
  %raised = llvm.call @PyErr_CheckSignals() : () -> i32
  %fine = llvm.icmp "eq" %raised, %none : i32
  llvm.cond_br %fine, ^on, ^leave
^on:
  llvm.call @PyGILState_Release(%lock) : (i32) -> ()
  llvm.return %fewer : i64
^leave:
  %kind = llvm.call @malloc(%size) : (i64) -> !llvm.ptr
  %value = llvm.getelementptr %kind[1] : (!llvm.ptr) -> !llvm.ptr, i64
  %trace = llvm.getelementptr %kind[2] : (!llvm.ptr) -> !llvm.ptr, i64
  llvm.call @PyErr_Fetch(%kind, %value, %trace) : (!llvm.ptr, !llvm.ptr, !llvm.ptr) -> ()
  llvm.call @PyGILState_Release(%lock) : (i32) -> ()
  %address = llvm.ptrtoint %kind : !llvm.ptr to i64
  %negative = llvm.sub %zero, %address : i64
  llvm.return %negative : i64
}}
"""


def declaration() -> str:
    """The function without its body."""
    return f"llvm.func @{NAME}(!llvm.ptr) -> i64 attributes {{no_unwind, {_EFFECTS}}}"


def text() -> str:
    """The function, in the LLVM dialect."""
    return _CODE
