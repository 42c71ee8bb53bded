"""Large buffers of compiled code, kept for the next call.

The system gives memory page by page, when it is first written to, and takes it back when it is
freed: for a result of many megabytes that takes longer than to compute it.  So compiled code gets
large buffers from a pool, and what it frees, or an array that dies, goes there first.  The pool
holds at most sixteen buffers and `config.pool_bytes`; older ones make room for newer ones.  It is
compiled itself, for it is called from compiled code on any thread, and takes no lock: a slot is
emptied and filled by atomic exchanges.

All memory is that of ``malloc``, so it does not matter who frees what.
"""

from __future__ import annotations

import ctypes
from collections.abc import Callable
from typing import Any

from agir.backends.mlir.graph import Producers
from agir.backends.mlir.modules import find
from agir.backends.mlir.passes import run
from agir.config import config
from agir.ir.building import bindings

LARGE = 1 << 17
"""The least number of bytes that goes through the pool."""

_CODE = """
llvm.func @malloc(i64) -> !llvm.ptr
llvm.func @free(!llvm.ptr)
llvm.func @malloc_usable_size(!llvm.ptr) -> i64
llvm.func @madvise(!llvm.ptr, i64, i32) -> i32
llvm.mlir.global internal @slots(dense<0> : tensor<16xi64>) : !llvm.array<16 x i64>
llvm.mlir.global internal @held(0 : i64) : i64
llvm.mlir.global internal @oldest(0 : i64) : i64
llvm.mlir.global internal @limit(0 : i64) : i64

func.func private @slot(%number: i64) -> !llvm.ptr {
  %slots = llvm.mlir.addressof @slots : !llvm.ptr
  %slot = llvm.getelementptr %slots[%number] : (!llvm.ptr, i64) -> !llvm.ptr, i64
  return %slot : !llvm.ptr
}

// The bytes that the pool is about to hold more, or fewer.
func.func private @count(%bytes: i64) -> i64 {
  %held = llvm.mlir.addressof @held : !llvm.ptr
  %before = llvm.atomicrmw add %held, %bytes acq_rel : !llvm.ptr, i64
  %now = arith.addi %before, %bytes : i64
  return %now : i64
}

func.func private @drop(%number: i64) {
  %zero = arith.constant 0 : i64
  %slot = func.call @slot(%number) : (i64) -> !llvm.ptr
  %old = llvm.atomicrmw xchg %slot, %zero acq_rel : !llvm.ptr, i64
  %is = arith.cmpi ne, %old, %zero : i64
  scf.if %is {
    %address = llvm.inttoptr %old : i64 to !llvm.ptr
    %bytes = llvm.call @malloc_usable_size(%address) : (!llvm.ptr) -> i64
    %less = arith.subi %zero, %bytes : i64
    %now = func.call @count(%less) : (i64) -> i64
    llvm.call @free(%address) : (!llvm.ptr) -> ()
  }
  return
}

// The buffer in a slot, if it is large enough and not much larger; else 0.
func.func private @take(%number: i64, %size: i64) -> i64 {
  %zero = arith.constant 0 : i64
  %four = arith.constant 4 : i64
  %slot = func.call @slot(%number) : (i64) -> !llvm.ptr
  %old = llvm.atomicrmw xchg %slot, %zero acq_rel : !llvm.ptr, i64
  %is = arith.cmpi ne, %old, %zero : i64
  %got = scf.if %is -> i64 {
    %address = llvm.inttoptr %old : i64 to !llvm.ptr
    %bytes = llvm.call @malloc_usable_size(%address) : (!llvm.ptr) -> i64
    %spare = arith.divui %size, %four : i64
    %most = arith.addi %size, %spare : i64
    %enough = arith.cmpi uge, %bytes, %size : i64
    %close = arith.cmpi ule, %bytes, %most : i64
    %fits = arith.andi %enough, %close : i1
    %less = arith.subi %zero, %bytes : i64
    %taken = scf.if %fits -> i64 {
      %now = func.call @count(%less) : (i64) -> i64
      scf.yield %old : i64
    } else {
      %back = llvm.cmpxchg %slot, %zero, %old acq_rel monotonic : !llvm.ptr, i64
      %done = llvm.extractvalue %back[1] : !llvm.struct<(i64, i1)>
      scf.if %done {
      } else {
        %now = func.call @count(%less) : (i64) -> i64
        llvm.call @free(%address) : (!llvm.ptr) -> ()
      }
      scf.yield %zero : i64
    }
    scf.yield %taken : i64
  } else {
    scf.yield %zero : i64
  }
  return %got : i64
}

func.func private @fresh(%size: i64) -> i64 {
  %page = arith.constant 4095 : i64
  %zero = arith.constant 0 : i64
  %not_page = arith.constant -4096 : i64
  %huge = arith.constant 14 : i32
  %worth = arith.constant 4194304 : i64
  %made = llvm.call @malloc(%size) : (i64) -> !llvm.ptr
  %number = llvm.ptrtoint %made : !llvm.ptr to i64
  %is = arith.cmpi ne, %number, %zero : i64
  %much = arith.cmpi uge, %size, %worth : i64
  %advise = arith.andi %is, %much : i1
  scf.if %advise {
    %up = arith.addi %number, %page : i64
    %first = arith.andi %up, %not_page : i64
    %end = arith.addi %number, %size : i64
    %bytes = arith.subi %end, %first : i64
    %whole = arith.andi %bytes, %not_page : i64
    %start = llvm.inttoptr %first : i64 to !llvm.ptr
    %ignored = llvm.call @madvise(%start, %whole, %huge) : (!llvm.ptr, i64, i32) -> i32
  }
  return %number : i64
}

func.func private @large(%size: i64) -> i64 {
  %zero = arith.constant 0 : i64
  %one = arith.constant 1 : i64
  %all = arith.constant 16 : i64
  %found = scf.for %i = %zero to %all step %one iter_args(%got = %zero) -> i64 : i64 {
    %none = arith.cmpi eq, %got, %zero : i64
    %next = scf.if %none -> i64 {
      %taken = func.call @take(%i, %size) : (i64, i64) -> i64
      scf.yield %taken : i64
    } else {
      scf.yield %got : i64
    }
    scf.yield %next : i64
  }
  %none = arith.cmpi eq, %found, %zero : i64
  %result = scf.if %none -> i64 {
    %new = func.call @fresh(%size) : (i64) -> i64
    scf.yield %new : i64
  } else {
    scf.yield %found : i64
  }
  return %result : i64
}

// While the pool holds too much, empties slots from this one on.
func.func private @shrink(%begin: i64, %most: i64) {
  %zero = arith.constant 0 : i64
  %one = arith.constant 1 : i64
  %all = arith.constant 16 : i64
  scf.for %i = %zero to %all step %one : i64 {
    %now = func.call @count(%zero) : (i64) -> i64
    %over = arith.cmpi ugt, %now, %most : i64
    scf.if %over {
      %place = arith.addi %begin, %i : i64
      %number = arith.remui %place, %all : i64
      func.call @drop(%number) : (i64) -> ()
    }
  }
  return
}

// Puts a buffer into an empty slot, or in the place of the oldest one; older ones make room.
func.func private @keep(%address: i64, %bytes: i64, %most: i64) {
  %zero = arith.constant 0 : i64
  %one = arith.constant 1 : i64
  %all = arith.constant 16 : i64
  %oldest = llvm.mlir.addressof @oldest : !llvm.ptr
  %begin = llvm.atomicrmw add %oldest, %one acq_rel : !llvm.ptr, i64
  %more = func.call @count(%bytes) : (i64) -> i64
  func.call @shrink(%begin, %most) : (i64, i64) -> ()
  %left = scf.for %i = %zero to %all step %one iter_args(%now = %address) -> i64 : i64 {
    %still = arith.cmpi ne, %now, %zero : i64
    %next = scf.if %still -> i64 {
      %slot = func.call @slot(%i) : (i64) -> !llvm.ptr
      %put = llvm.cmpxchg %slot, %zero, %now acq_rel monotonic : !llvm.ptr, i64
      %done = llvm.extractvalue %put[1] : !llvm.struct<(i64, i1)>
      %rest = arith.select %done, %zero, %now : i64
      scf.yield %rest : i64
    } else {
      scf.yield %now : i64
    }
    scf.yield %next : i64
  }
  %full = arith.cmpi ne, %left, %zero : i64
  scf.if %full {
    %number = arith.remui %begin, %all : i64
    %slot = func.call @slot(%number) : (i64) -> !llvm.ptr
    %old = llvm.atomicrmw xchg %slot, %left acq_rel : !llvm.ptr, i64
    %is = arith.cmpi ne, %old, %zero : i64
    scf.if %is {
      %before = llvm.inttoptr %old : i64 to !llvm.ptr
      %size = llvm.call @malloc_usable_size(%before) : (!llvm.ptr) -> i64
      %less = arith.subi %zero, %size : i64
      %now = func.call @count(%less) : (i64) -> i64
      llvm.call @free(%before) : (!llvm.ptr) -> ()
    }
  }
  return
}

func.func @agir_allocate(%size: i64) -> !llvm.ptr {
  %least = arith.constant LARGE : i64
  %is = arith.cmpi uge, %size, %least : i64
  %result = scf.if %is -> !llvm.ptr {
    %number = func.call @large(%size) : (i64) -> i64
    %address = llvm.inttoptr %number : i64 to !llvm.ptr
    scf.yield %address : !llvm.ptr
  } else {
    %address = llvm.call @malloc(%size) : (i64) -> !llvm.ptr
    scf.yield %address : !llvm.ptr
  }
  return %result : !llvm.ptr
}

func.func @agir_free(%address: !llvm.ptr) {
  %zero = arith.constant 0 : i64
  %least = arith.constant LARGE : i64
  %limit = llvm.mlir.addressof @limit : !llvm.ptr
  %most = llvm.load %limit : !llvm.ptr -> i64
  %bytes = llvm.call @malloc_usable_size(%address) : (!llvm.ptr) -> i64
  %much = arith.cmpi uge, %bytes, %least : i64
  %room = arith.cmpi ule, %bytes, %most : i64
  %is = arith.andi %much, %room : i1
  scf.if %is {
    %number = llvm.ptrtoint %address : !llvm.ptr to i64
    func.call @keep(%number, %bytes, %most) : (i64, i64, i64) -> ()
  } else {
    scf.if %much {
      func.call @shrink(%zero, %most) : (i64, i64) -> ()
    }
    llvm.call @free(%address) : (!llvm.ptr) -> ()
  }
  return
}
"""

_ADDRESSES = """
llvm.func @agir_pool(%results: !llvm.ptr) {
  %limit = llvm.mlir.addressof @limit : !llvm.ptr
  llvm.store %limit, %results : !llvm.ptr, !llvm.ptr
  %second = llvm.getelementptr %results[1] : (!llvm.ptr) -> !llvm.ptr, i64
  %third = llvm.getelementptr %results[2] : (!llvm.ptr) -> !llvm.ptr, i64
  %fourth = llvm.getelementptr %results[3] : (!llvm.ptr) -> !llvm.ptr, i64
  %held = llvm.mlir.addressof @held : !llvm.ptr
  llvm.store %held, %second : !llvm.ptr, !llvm.ptr
  %make = llvm.mlir.addressof @agir_allocate : !llvm.ptr
  %free = llvm.mlir.addressof @agir_free : !llvm.ptr
  llvm.store %make, %third : !llvm.ptr, !llvm.ptr
  llvm.store %free, %fourth : !llvm.ptr, !llvm.ptr
  llvm.return
}
"""
"""The addresses of the limit, of what is held, and of what compiled code calls."""

_LOWERING = ("convert-scf-to-cf", "convert-to-llvm", "reconcile-unrealized-casts")
NAME = "agir_pool"
packed = ctypes.PYFUNCTYPE(None, ctypes.c_void_p)


def text() -> str:
    """The pool's program, which its machine code follows from."""
    return _CODE.replace("LARGE", str(LARGE)) + _ADDRESSES


def module() -> Any:
    """The pool in the LLVM dialect."""
    ir = bindings.ir
    made = ir.Module.parse(_CODE.replace("LARGE", str(LARGE)))
    run(made, "llvm", _LOWERING, None)
    return ir.Module.parse(str(made).rstrip().removesuffix("}") + _ADDRESSES + "}")


class Pool:
    """The compiled pool, of which there is one."""

    def __init__(self, tell: Callable[[int], None], code: Any) -> None:
        """``tell`` is the packed function ``agir_pool``, ``code`` what has it in memory."""
        found = (ctypes.c_void_p * 4)()
        table = ctypes.c_void_p(ctypes.addressof(found))
        arguments = (ctypes.c_void_p * 1)(ctypes.addressof(table))
        tell(ctypes.addressof(arguments))
        # arrays may die after everything else: the code is never taken down
        ctypes.pythonapi.Py_IncRef(ctypes.py_object(code))
        limit, held, self.allocate, self._free = (address or 0 for address in found)
        self._limit = ctypes.c_int64.from_address(limit)
        self._held = ctypes.c_int64.from_address(held)
        self.release = packed(self._free)

    @property
    def held(self) -> int:
        """The bytes in the pool."""
        return self._held.value

    def follow_config(self) -> None:
        """Hold as much as `config.pool_bytes` says."""
        self._limit.value = config.pool_bytes

    def functions(self) -> dict[str, int]:
        """The addresses of what compiled code calls, by the names that it calls them by."""
        self.follow_config()
        return {"malloc": self.allocate, "free": self._free}

    def provide(self, engine: Any) -> None:
        """Let the code of an engine, in which nothing has been looked up, use the pool."""
        for name, address in self.functions().items():
            engine.raw_register_runtime(name, ctypes.c_void_p(address))


def is_possible() -> bool:
    """Whether the system can tell the size of a buffer."""
    process = ctypes.CDLL(None)
    return all(hasattr(process, name) for name in ("malloc_usable_size", "madvise"))


def use(pool: Pool) -> None:
    """Have this pool be the one that runs."""
    _running.append(pool)


def running() -> Pool | None:
    """The pool, if a program has needed it."""
    return _running[0] if _running else None


_running: list[Pool] = []


def wanted(module: Any) -> bool:
    """Whether a module in the LLVM dialect allocates buffers that are, or may be, large."""
    allocations = [
        call
        for call in find(module, "llvm.call")
        if "callee" in call.attributes and call.attributes["callee"].value == "malloc"
    ]
    if not allocations:
        return False
    graph = Producers(module)
    return any(most_bytes(call.operands[0], graph) >= LARGE for call in allocations)


def most_bytes(size: Any, graph: Producers, known: dict[Any, float] | None = None) -> float:
    """From the operand of ``malloc``: elements behind a null pointer, and what alignment takes."""
    known = {} if known is None else known
    if size not in known:
        # A size may be twice another one, which is twice another one: each is computed once.
        known[size] = _most_bytes(size, graph, known)
    return known[size]


def _most_bytes(size: Any, graph: Producers, known: dict[Any, float]) -> float:
    source = graph.producer(size)
    if source is None or source.name == "llvm.mlir.constant":
        return 0 if source is not None else float("inf")
    if source.name != "llvm.getelementptr":
        parts = [most_bytes(each, graph, known) for each in source.operands]
        return max(parts, default=float("inf"))
    if len(source.operands) > 1:
        return float("inf")
    # an element has at most 16 bytes
    return float(16 * max(source.attributes["rawConstantIndices"]))
