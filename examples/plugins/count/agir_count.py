"""How many operations there are in each stage: a stage of text, and a pass that counts what is
executed.

The stage ``operation_counts`` is there wherever the package is installed.  `Counter` is a pass for
one function: it counts floating-point operations when the function runs, loop by loop, in memory of
its own.
"""

import ctypes
from collections import Counter as Counts

import agir as ag
from agir.plugins import Graph, Pass, Stage, before, constant, mlir, op, walk

STAGES = ("hlo", "optimized_hlo", "bufferized", "loops", "llvm")


def counted(_, program):
    """The table of the operations of all stages."""
    stages = [Counts(each.name for each in walk(program.get(name))) for name in STAGES]
    lines = [f"{'operation':36}" + "".join(f"{name:>14}" for name in STAGES)]
    for name in sorted(set().union(*stages)):
        lines.append(f"{name:36}" + "".join(f"{stage[name] or '':>14}" for stage in stages))
    return "\n".join(lines) + "\n"


ag.register(Stage("operation_counts", ".txt", "operations by stage", "llvm", counted))


class Counter:
    """Counts of floating-point operations that a function executes: ``counter.pass_`` goes to `jit`."""

    def __init__(self, names=("addf", "subf", "mulf", "divf")):
        self.names = [f"arith.{name}" for name in names]
        self._memory = (ctypes.c_int64 * len(self.names))()
        self.pass_ = Pass(self._insert, name="count-executed", stage="llvm", effects=True)

    def counts(self):
        """What was executed since the last look."""
        found = dict(zip(self.names, self._memory, strict=True))
        ctypes.memset(self._memory, 0, ctypes.sizeof(self._memory))
        return found

    def _insert(self, module):
        """Add to the counts at the end of each block: lanes of vectors count, too."""
        executed = Counts()
        for each in Graph(module).find(*self.names):
            executed[each.block, each.name] += lanes(each.results[0].type)
        word = mlir().IntegerType.get_signless(64)
        for (block, name), times in executed.items():
            with before(list(block.operations)[-1].operation):
                place = ctypes.addressof(self._memory) + 8 * self.names.index(name)
                pointer = op("llvm.inttoptr", mlir().Type.parse("!llvm.ptr"), constant(word, place))
                total = op(
                    "arith.addi", word, op("llvm.load", word, pointer), constant(word, times)
                )
                mlir().Operation.create("llvm.store", operands=[total, pointer])


def lanes(kind):
    """How many numbers a value has."""
    size = 1
    for each in getattr(kind, "shape", ()):
        size *= each
    return size
