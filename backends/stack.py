"""Stack for programs that call themselves.

How deep a recursion may go is a number in the program; that much stack has to be there, or the
process dies.  Most threads have more than enough, and the call is made where it is; otherwise it is
made on a thread of its own, which has.
"""

from __future__ import annotations

import ctypes
import sys
import threading
from collections.abc import Callable
from functools import cache
from typing import Any, TypeVar

from agir.backends.mlir.lock import compiling
from agir.ir.building import bindings

_RESERVE = 256 * 1024
"""For what the deepest call calls, and for what calls the first one."""

T = TypeVar("T")

_starting = threading.Lock()


_work = threading.local()


def waiting_thread() -> int:
    """The thread whose work is done here: this one, or the one that waits for its large stack."""
    return getattr(_work, "thread", None) or threading.get_ident()


class WithRoom:
    """A function that is called where that many bytes of stack are free."""

    __slots__ = ("function", "needed")

    def __init__(self, function: Callable[[int], None], needed: int) -> None:
        self.function = function
        self.needed = needed + _RESERVE

    def __call__(self, argument: int) -> None:
        """Call it here, or on a thread of its own."""
        if _thread.room() >= self.needed:
            self.function(argument)
        else:
            on_large_stack(lambda: self.function(argument), self.needed)


def extent() -> tuple[int, int] | None:
    """Where the stack of this thread ends and where it begins, if that is the main thread's.

    That stack is there as long as the process is; where another one lay may be one that is smaller.
    """
    if threading.current_thread() is not threading.main_thread() or _thread.lowest < 0:
        return None
    return _thread.lowest, _thread.highest


def on_large_stack(function: Callable[[], T], size: int) -> T:
    """The result of the function, run on a thread with a stack of so many bytes."""
    outcome: list[Any] = []
    waiting = waiting_thread()

    def run() -> None:
        _work.thread = waiting
        try:
            outcome.append((True, function()))
        except BaseException as error:
            outcome.append((False, error))

    thread = threading.Thread(target=run, name="agir-recursion")
    with _starting:
        before = threading.stack_size(_whole_pages(size + _RESERVE))
        try:
            thread.start()
        finally:
            threading.stack_size(before)
    thread.join()
    succeeded, value = outcome[0]
    if not succeeded:
        raise value
    return value  # type: ignore[no-any-return]


def _whole_pages(size: int) -> int:
    page = 64 * 1024
    return (size + page - 1) // page * page


class _Thread(threading.local):
    """What is known of a thread's stack: its end, and where to ask for its present top."""

    def __init__(self) -> None:
        self.lowest, self.highest = _addresses()
        self._top = ctypes.c_int64()
        self._results = (ctypes.c_void_p * 1)(ctypes.addressof(self._top))
        self._arguments = ctypes.addressof(self._results)

    def room(self) -> int:
        """How many bytes of stack are left; 0 where that cannot be known."""
        if self.lowest < 0:
            return 0
        _frame_address()(self._arguments)
        return self._top.value - self.lowest


_FRAME_ADDRESS = """
llvm.func @stack_pointer() -> i64 {
  %level = llvm.mlir.constant(0 : i32) : i32
  %frame = llvm.call_intrinsic "llvm.frameaddress.p0"(%level) : (i32) -> !llvm.ptr
  %address = llvm.ptrtoint %frame : !llvm.ptr to i64
  llvm.return %address : i64
}
"""


_STACK_POINTER = bytes.fromhex("48 8b 07  48 89 20  c3")
"""mov rax, [rdi]; mov [rax], rsp; ret: the same in machine code for x86-64."""


@cache
def _frame_address() -> Any:
    """What writes the address of the stack's top where the first pointer of an array points to."""
    from agir.backends.cpu.code.loading import CannotLoadError, placed, unavailable

    prototype = ctypes.CFUNCTYPE(None, ctypes.c_void_p)
    try:
        if unavailable():
            return _compiled_frame_address(prototype)
        address, memory = placed(_STACK_POINTER)
    except CannotLoadError:
        return _compiled_frame_address(prototype)
    function: Any = prototype(address)
    function.memory = memory
    return function


def _compiled_frame_address(prototype: Any) -> Any:
    with compiling, bindings.context(), bindings.ir.Location.unknown():
        module = bindings.ir.Module.parse(_FRAME_ADDRESS)
        engine = bindings.execution_engine.ExecutionEngine(module, opt_level=2)
        function: Any = prototype(engine.raw_lookup("stack_pointer"))
    function.engine = engine  # whoever can call the code keeps it in memory
    return function


_UNKNOWN = -1, -1


def _addresses() -> tuple[int, int]:
    """Where this thread's stack ends and where it begins; -1 where the system does not tell."""
    for system, find in _SYSTEMS.items():
        if sys.platform.startswith(system):
            return find()
    return _UNKNOWN


def _on_linux() -> tuple[int, int]:
    library = ctypes.CDLL(None)
    if not hasattr(library, "pthread_getattr_np"):
        return _UNKNOWN
    attributes = ctypes.create_string_buffer(256)
    library.pthread_self.restype = ctypes.c_ulong
    if library.pthread_getattr_np(ctypes.c_ulong(library.pthread_self()), attributes):
        return _UNKNOWN
    lowest, size = ctypes.c_void_p(), ctypes.c_size_t()
    library.pthread_attr_getstack(attributes, ctypes.byref(lowest), ctypes.byref(size))
    library.pthread_attr_destroy(attributes)
    return (lowest.value, lowest.value + size.value) if lowest.value else _UNKNOWN


def _on_macos() -> tuple[int, int]:
    library = ctypes.CDLL(None)
    library.pthread_self.restype = ctypes.c_void_p
    library.pthread_get_stackaddr_np.restype = ctypes.c_void_p
    library.pthread_get_stacksize_np.restype = ctypes.c_size_t
    thread = ctypes.c_void_p(library.pthread_self())
    highest = int(library.pthread_get_stackaddr_np(thread))
    return highest - int(library.pthread_get_stacksize_np(thread)), highest


def _on_windows() -> tuple[int, int]:
    low, high = ctypes.c_void_p(), ctypes.c_void_p()
    kernel: Any = ctypes.CDLL("kernel32")
    kernel.GetCurrentThreadStackLimits(ctypes.byref(low), ctypes.byref(high))
    return (low.value, high.value) if low.value and high.value else _UNKNOWN


_SYSTEMS: dict[str, Callable[[], tuple[int, int]]] = {
    "linux": _on_linux,
    "darwin": _on_macos,
    "win": _on_windows,
}

_thread = _Thread()
