"""Freeing buffers: one by a branch, several by a call of a function.

Deallocation says of each block which buffers are freed at its end, if they are owned and nothing that
is handed on lies in them.  Where several buffers are freed, upstream puts their addresses into arrays,
which a function compares, and makes a branch and a release for each: in programs with many lists,
dicts and sets that is most of the code.  Here the operation stays what it is until machine code is
made, and the function frees as well.  It gets one array, with the address of each buffer (0 if it is
not owned) and of each that is handed on, and tells in it which of these had an owner.
"""

from __future__ import annotations

from functools import partial, reduce
from typing import Any

from agir.backends.cpu.passes.analysis.functions import functions
from agir.backends.mlir.graph import Producers
from agir.backends.mlir.making import (
    called,
    cast,
    compare,
    constant,
    i1,
    i64,
    index_constant,
    op,
    unknown_sizes,
    use_instead,
)
from agir.backends.mlir.modules import add_functions, find, walk
from agir.ir.building import bindings

RELEASE = "bufferization.dealloc"
"""What says which buffers are freed at the end of a block; it stays until machine code is made."""

CLONE = "bufferization.clone"
NAMES = ("memref.cast", "memref.extract_strided_metadata")
"""What gives another name to a buffer."""
_NAME = "free_unless_kept"

_CODE = """
llvm.func @free(!llvm.ptr)

// Of the addresses in the array, the first %count are freed, but none twice, and none that is among
// the %kept others.  Behind these stands afterwards for each of them whether it had an owner, 1 or 0.
func.func private @free_unless_kept(%addresses: memref<?xi64>, %count: index, %kept: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %none = arith.constant 0 : i64
  %owned = arith.constant 1 : i64
  %no = arith.constant false
  %end = arith.addi %count, %kept : index
  scf.for %k = %count to %end step %c1 {
    %flag = arith.addi %k, %kept : index
    memref.store %none, %addresses[%flag] : memref<?xi64>
  }
  scf.for %i = %c0 to %count step %c1 {
    %address = memref.load %addresses[%i] : memref<?xi64>
    %is = arith.cmpi ne, %address, %none : i64
    scf.if %is {
      %lies = scf.for %k = %count to %end step %c1 iter_args(%before = %no) -> (i1) {
        %other = memref.load %addresses[%k] : memref<?xi64>
        %same = arith.cmpi eq, %other, %address : i64
        scf.if %same {
          %flag = arith.addi %k, %kept : index
          memref.store %owned, %addresses[%flag] : memref<?xi64>
        }
        %found = arith.ori %before, %same : i1
        scf.yield %found : i1
      }
      %gone = scf.for %k = %c0 to %i step %c1 iter_args(%before = %lies) -> (i1) {
        %other = memref.load %addresses[%k] : memref<?xi64>
        %same = arith.cmpi eq, %other, %address : i64
        %found = arith.ori %before, %same : i1
        scf.yield %found : i1
      }
      scf.if %gone {
      } else {
        %pointer = llvm.inttoptr %address : i64 to !llvm.ptr
        llvm.call @free(%pointer) : (!llvm.ptr) -> ()
      }
    }
  }
  return
}
"""


def lower_single_deallocations(module: Any) -> None:
    """Free a buffer, where it is only one, by a branch."""
    for release in find(module, RELEASE):
        if len(parts(release)[0]) < 2:
            _free_one(release)


def _free_one(release: Any) -> None:
    ir = bindings.ir
    buffers, owned, retained = parts(release)
    with ir.InsertionPoint(release), release.location:
        owners = [constant(i1(), 0)] * len(retained)
        for buffer, condition in zip(buffers, owned, strict=True):
            is_gone = condition
            if retained:
                address = aligned_address(buffer)
                same = [compare(address, "eq", aligned_address(each)) for each in retained]
                lies = reduce(partial(op, "arith.ori", i1()), same)
                is_free = op("arith.xori", i1(), lies, constant(i1(), 1))
                is_gone = op("arith.andi", i1(), condition, is_free)
                owners = [op("arith.andi", i1(), condition, each) for each in same]
            free_if(is_gone, buffer)
    use_instead(release, owners)
    release.erase()


def free_if(condition: Any, buffer: Any) -> None:
    """A branch that frees a buffer."""
    ir = bindings.ir
    branch = ir.Operation.create("scf.if", [], [condition], regions=2)
    with ir.InsertionPoint(branch.regions[0].blocks.append()):
        ir.Operation.create("memref.dealloc", [], [buffer])
        ir.Operation.create("scf.yield", [], [])


def lower_clones(module: Any) -> None:
    """Let each copy that deallocation asks for, for an owner of its own, be a buffer and a copy."""
    ir = bindings.ir
    for clone in find(module, CLONE):
        (source,), kind = clone.operands, clone.results[0].type
        with ir.InsertionPoint(clone), clone.location:
            sizes = unknown_sizes(source)
            made = op(
                "memref.alloc",
                ir.MemRefType.get(source.type.shape, source.type.element_type),
                *sizes,
                operandSegmentSizes=ir.DenseI32ArrayAttr.get([len(sizes), 0]),
            )
            ir.Operation.create("memref.copy", operands=[source, made])
            result = cast(made, kind, "memref.cast")
        use_instead(clone, [result])
        clone.erase()


def free_in_one_call(module: Any) -> None:
    """Let one function free the buffers of each operation that frees several."""
    if not find(module, RELEASE):
        return
    for function in functions(module):
        releases = [each for each in walk(function) if each.name == RELEASE]
        if releases:
            addresses = _array(function, max(map(_size, releases)))
            for each in releases:
                _call(each, addresses)
    add_functions(module, _CODE)


def parts(release: Any) -> tuple[list[Any], list[Any], list[Any]]:
    """The buffers that an operation frees, whether each is owned, and what is handed on."""
    count = release.attributes["operandSegmentSizes"][0]
    operands = list(release.operands)
    return operands[:count], operands[count : 2 * count], operands[2 * count :]


def named(value: Any, graph: Producers) -> Any:
    """The buffer that another name is one for."""
    while (maker := graph.producer(value)) is not None and maker.name in NAMES:
        value = maker.operands[0]
    return value


def _size(release: Any) -> int:
    """How long the array is."""
    buffers, _, retained = parts(release)
    return len(buffers) + 2 * len(retained)


def _array(function: Any, size: int) -> Any:
    """An array for the addresses of one operation after the other, on the stack of a function."""
    ir = bindings.ir
    beginning = ir.InsertionPoint.at_block_begin(function.regions[0].blocks[0])
    with beginning, function.location:
        made = op(
            "memref.alloca",
            ir.MemRefType.get([size], i64()),
            operandSegmentSizes=ir.DenseI32ArrayAttr.get([0, 0]),
        )
        return op("memref.cast", ir.MemRefType.get([ir.ShapedType.get_dynamic_size()], i64()), made)


def _call(release: Any, addresses: Any) -> None:
    ir = bindings.ir
    buffers, owned, retained = parts(release)
    count, kept = len(buffers), len(retained)
    with ir.InsertionPoint(release), release.location:
        none = constant(i64(), 0)
        places = [index_constant(number) for number in range(_size(release))]
        freed = (
            op("arith.select", i64(), condition, _address(buffer), none)
            for buffer, condition in zip(buffers, owned, strict=True)
        )
        for value, place in zip([*freed, *map(_address, retained)], places, strict=False):
            ir.Operation.create("memref.store", operands=[value, addresses, place])
        called(_NAME, [], [addresses, index_constant(count), index_constant(kept)])
        flags = [op("memref.load", i64(), addresses, place) for place in places[count + kept :]]
        owners = [cast(flag, i1(), "arith.trunci") for flag in flags]
    use_instead(release, owners)
    release.erase()


def aligned_address(buffer: Any) -> Any:
    """The address of a buffer's first element, of which others that it lies in have the same."""
    return op("memref.extract_aligned_pointer_as_index", bindings.ir.IndexType.get(), buffer)


def _address(buffer: Any) -> Any:
    """The address of the memory that was taken for a buffer, which is what is freed."""
    ir = bindings.ir
    rank = ir.MemRefType(buffer.type).rank
    sizes = f", array<{rank} x i64>, array<{rank} x i64>" if rank else ""
    form = ir.Type.parse(f"!llvm.struct<(ptr, ptr, i64{sizes})>")
    pointer = ir.Type.parse("!llvm.ptr")
    memory = op("builtin.unrealized_conversion_cast", form, buffer)
    first = op("llvm.extractvalue", pointer, memory, position=ir.DenseI64ArrayAttr.get([0]))
    return op("llvm.ptrtoint", i64(), first)
