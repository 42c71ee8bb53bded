"""Every exception and warning class of agir, in one file.

Where Python has a class for the same mistake, agir's class is also a subclass of it, so that
``except IndexError`` and ``except ag.errors.InvalidArgumentError`` both work.

The documentation of a class is its page: what it means, a program that is wrong, its message, and
one that is right.  The programs begin with ``import numpy as np`` and ``import agir as ag``.  Each
message ends with the address of the page, which ``help`` shows wherever agir is installed;
``make docs`` writes the same pages to ``docs/errors``.

This module imports nothing of agir, so that every part of it can raise its errors.
"""

from __future__ import annotations

import inspect
from typing import Any, Protocol, TypeVar

_Self = TypeVar("_Self", bound="AgirError")


class Position(Protocol):
    """A place in the user's source; the column counts from 1, 0 where it is unknown."""

    @property
    def file(self) -> str:
        """The name of the file."""

    @property
    def line(self) -> int:
        """The number of the line."""

    @property
    def column(self) -> int:
        """The number of the column."""

    @property
    def function(self) -> str:
        """The name of the function."""


def address(kind: type[BaseException]) -> str:
    """Where the page of a class is: the last line of its messages."""
    public = next(each for each in kind.__mro__ if each.__module__ == __name__)
    return f"see help('{__name__}.{public.__name__}')"


def message(error: BaseException) -> str:
    """What an error says, without the address of its page."""
    return error.message if isinstance(error, AgirError) else str(error)


class AgirError(Exception):
    """The base of every error that agir raises in its own words.

    ``message`` is what the error says; ``str`` adds the address of the page of its class.

    Wrong::

        ag.reshape(ag.ones([3]), [2, 2])

    Message::

        reshape(): 3 elements of shape [3] do not fit into [2, 2]
          see help('agir.errors.OperandValueError')

    Right::

        try:
            ag.reshape(ag.ones([3]), [2, 2])
        except ag.errors.AgirError as error:
            print(error.message)
    """

    needs_sizes = False
    """Whether it would not be if the sizes of the arguments were known."""
    is_refusal = False
    """Whether it is agir that cannot go on, where plain Python would."""
    place: Position | None = None
    """Where in the user's source it is, if that is known apart from the message."""

    def __new__(cls: type[_Self], *args: Any) -> _Self:
        """As `Exception` makes it: what copies errors asks the class for it, also of a MemoryError."""
        return Exception.__new__(cls, *args)

    @property
    def message(self) -> str:
        """What the error says, without the address of its page."""
        return BaseException.__str__(self)

    def __str__(self) -> str:
        return f"{self.message}\n  {address(type(self))}"


class InvalidArgumentError(AgirError):
    """A value met at run time breaks what an operation asks of it.

    ``place`` is where in the user's source, with ``file``, ``line`` and ``column``; None if unknown.
    The classes below it say more, and are those of Python for the same mistake.

    Wrong::

        @ag.function
        def roots(x):
            ag.debugging.assert_non_negative(x)
            return ag.sqrt(x)


        roots(ag.constant([1.0, -4.0]))

    Message::

        assert_non_negative(): x >= 0 does not hold for every element: x = [1 -4]
          at example.py:4, in roots: ag.debugging.assert_non_negative(x)
          see help('agir.errors.InvalidArgumentError')

    Right::

        @ag.function
        def roots(x):
            ag.debugging.assert_non_negative(x)
            return ag.sqrt(x)


        roots(ag.constant([1.0, 4.0]))
    """

    report: str = ""
    """What ``message`` gives where ``args`` are the program's own: with the user's line."""

    @property
    def message(self) -> str:
        """What the error says, without the address of its page."""
        return self.report or super().message


class CannotCompileError(InvalidArgumentError):
    """A function with ``jit_compile=True`` asks for what only Python can do; raised while tracing.

    Leave ``jit_compile`` out: the function is compiled all the same, and calls Python where it has to.

    Wrong::

        @ag.function(jit_compile=True)
        def f(x):
            return ag.numpy_function(np.cbrt, [x], ag.float32)


        f(ag.constant(8.0))

    Message::

        jit_compile=True, and 'numpy_function' is a call of Python, which cannot be compiled; leave
            it out, or leave jit_compile at None
          at example.py:4: return ag.numpy_function(np.cbrt, [x], ag.float32)
          see help('agir.errors.CannotCompileError')

    Right::

        @ag.function
        def f(x):
            return ag.numpy_function(np.cbrt, [x], ag.float32)


        f(ag.constant(8.0))
    """

    is_refusal = True


class RuntimeIndexError(InvalidArgumentError, IndexError):
    """A subscript lies outside the array or list.

    Compiled code checks every subscript that is not known to be inside.

    Wrong::

        @ag.jit
        def last(x, n):
            return x[n]


        last(np.arange(3.0), 3)

    Message::

        index 3 is out of bounds for axis 0 with size 3
          at example.py:4, in last: return x[n]
          see help('agir.errors.RuntimeIndexError')

    Right::

        @ag.jit
        def last(x, n):
            return x[n - 1]


        last(np.arange(3.0), 3)
    """


class RuntimeZeroDivisionError(InvalidArgumentError, ZeroDivisionError):
    """A number was divided by zero.

    That is an error for Python's numbers: an int, or a float that is no array's element.  Floats of
    arrays, NumPy's own, and all tensors follow IEEE 754: they give infinity or NaN, and no error.

    Wrong::

        @ag.jit
        def mean(total, count):
            return total // count


        mean(10, 0)

    Message::

        integer division or modulo by zero
          at example.py:4, in mean: return total // count
          see help('agir.errors.RuntimeZeroDivisionError')

    Right::

        @ag.jit
        def mean(total, count):
            return total // count if count > 0 else 0


        mean(10, 0)
    """


class RuntimeOverflowError(InvalidArgumentError, OverflowError):
    """An int does not fit 64 bits, or the integers of an array that it is put into or computed with.

    Python's ints have any size; those of compiled functions have 64 bits, and a sum or product that
    needs more is this error, at its line.  Compute with floats there, or with NumPy's integers, which
    wrap around.  NumPy refuses Python's ints that do not fit an array's integers, and converts elements
    of arrays and NumPy's own integers.

    Wrong::

        @ag.jit
        def brighter(pixels, by):
            return pixels + by


        brighter(np.zeros(3, np.uint8), 300)

    Message::

        Python integer 300 out of bounds for uint8
          at example.py:4, in brighter: return pixels + by
          see help('agir.errors.RuntimeOverflowError')

    Right::

        @ag.jit
        def brighter(pixels, by):
            return pixels.astype(np.int64) + by


        brighter(np.zeros(3, np.uint8), 300)
    """


class RuntimeShapeError(InvalidArgumentError, ValueError):
    """Dimensions that are known only at run time do not fit each other.

    What is known while tracing is an OperandValueError, which comes sooner.

    Wrong::

        @ag.function(input_signature=[ag.TensorSpec([None]), ag.TensorSpec([None])])
        def add(x, y):
            return x + y


        add(ag.ones([3]), ag.ones([4]))

    Message::

        dimensions 3 and 4 do not broadcast: they differ and neither is 1
          at example.py:4, in add: return x + y
          see help('agir.errors.RuntimeShapeError')

    Right::

        @ag.function(input_signature=[ag.TensorSpec([None]), ag.TensorSpec([None])])
        def add(x, y):
            n = ag.minimum(ag.size(x), ag.size(y))
            return x[:n] + y[:n]


        add(ag.ones([3]), ag.ones([4]))
    """


class RuntimeTypeError(InvalidArgumentError, TypeError):
    """A value that is None on the path taken is used.

    Wrong::

        @ag.jit
        def first_above(x, limit):
            found = None
            for v in x:
                if v > limit:
                    found = v
            return found + 1


        first_above(np.arange(3.0), 10.0)

    Message::

        'found' is None here
          at example.py:8, in first_above: return found + 1
          see help('agir.errors.RuntimeTypeError')

    Right::

        @ag.jit
        def first_above(x, limit):
            found = None
            for v in x:
                if v > limit:
                    found = v
            return 0.0 if found is None else found + 1


        first_above(np.arange(3.0), 10.0)
    """


class RuntimeKeyError(InvalidArgumentError, KeyError):
    """A dict has no such key.

    Wrong::

        @ag.jit
        def price(n):
            table = {1: 10, 2: 18}
            return table[n]


        price(3)

    Message::

        the dict has no such key
          at example.py:5, in price: return table[n]
          see help('agir.errors.RuntimeKeyError')

    Right::

        @ag.jit
        def price(n):
            table = {1: 10, 2: 18, 3: 25}
            return table[n]


        price(3)
    """


class RuntimeAttributeError(InvalidArgumentError, AttributeError):
    """An attribute that the path taken has not set.

    Wrong::

        class Best:
            pass


        @ag.jit
        def search(x):
            best = Best()
            for v in x:
                if v > 10.0:
                    best.value = v
            return best.value


        search(np.arange(3.0))

    Message::

        'Best' object has no attribute 'value'
          at example.py:6, in search: @ag.jit
          see help('agir.errors.RuntimeAttributeError')

    Right::

        class Best:
            pass


        @ag.jit
        def search(x):
            best = Best()
            best.value = 0.0
            for v in x:
                if v > 10.0:
                    best.value = v
            return best.value


        search(np.arange(3.0))
    """


class RuntimeValueError(InvalidArgumentError, ValueError):
    """A value that is not there to be found, or that an operation does not take.

    Wrong::

        @ag.jit
        def place(x, wanted):
            items = []
            for v in x:
                items.append(v)
            return items.index(wanted)


        place(np.arange(3.0), 5.0)

    Message::

        the value is not in the list
          at example.py:7, in place: return items.index(wanted)
          see help('agir.errors.RuntimeValueError')

    Right::

        @ag.jit
        def place(x, wanted):
            items = []
            for v in x:
                items.append(v)
            return items.index(wanted) if wanted in items else -1


        place(np.arange(3.0), 5.0)
    """


class RuntimeAssertionError(InvalidArgumentError, AssertionError):
    """An ``assert`` on a run-time value failed.

    ``args`` holds what the program gave as the message.

    Wrong::

        @ag.jit
        def root(x):
            assert x >= 0, f"x must not be negative, and is {x}"
            return np.sqrt(x)


        root(-1.0)

    Message::

        x must not be negative, and is -1.0
          at example.py:4, in root: assert x >= 0, f"x must not be negative, and is {x}"
          see help('agir.errors.RuntimeAssertionError')

    Right::

        @ag.jit
        def root(x):
            assert x >= 0, f"x must not be negative, and is {x}"
            return np.sqrt(x)


        root(4.0)
    """


class RuntimeUnboundLocalError(InvalidArgumentError, UnboundLocalError):
    """The path taken at run time leaves a name unbound that is then read.

    Wrong::

        @ag.jit
        def last_even(x):
            for v in x:
                if v % 2 == 0:
                    found = v
            return found


        last_even(np.array([1, 3]))

    Message::

        cannot access local variable 'found' where it is not associated with a value
          at example.py:7, in last_even: return found
          see help('agir.errors.RuntimeUnboundLocalError')

    Right::

        @ag.jit
        def last_even(x):
            found = -1
            for v in x:
                if v % 2 == 0:
                    found = v
            return found


        last_even(np.array([1, 3]))
    """


class RuntimeRecursionError(InvalidArgumentError, RecursionError):
    """A function calls itself deeper than Python's recursion limit.

    ``sys.setrecursionlimit`` raises the limit, as in Python.

    Wrong::

        @ag.jit
        def total(n):
            if n <= 0:
                return 0
            return n + total(n - 1)


        total(1_000_000)

    Message::

        maximum recursion depth exceeded
          at example.py:6, in total: return n + total(n - 1)
          see help('agir.errors.RuntimeRecursionError')

    Right::

        @ag.jit
        def total(n):
            found = 0
            while n > 0:
                found += n
                n -= 1
            return found


        total(1_000_000)
    """


class RuntimeMemoryError(InvalidArgumentError, MemoryError):
    """An array, or what the gradient of a loop keeps, takes more memory than there is.

    For gradients nothing is taken before it is known to be there.  ``checkpoint=`` of
    ``ag.autograph.set_loop_options``, ``ag.while_loop`` or ``ag.scan`` lets a loop keep less.
    For other arrays the system is asked as NumPy asks it; buffers of a function that ends for
    want of memory are lost to the process.

    Wrong::

        def settle(x, iterations):
            for _ in ag.range(iterations):
                x = ag.sin(x) + 0.3
            return x


        ag.grad(settle)(0.5, np.int64(10**15))

    Message::

        the gradient of this loop needs 4000000.0 GB for what it keeps of its iterations, which is
        more \
than there is; with checkpoint= it keeps less
          at example.py:3: for _ in ag.range(iterations):
          see help('agir.errors.RuntimeMemoryError')

    Right::

        def settle(x, iterations):
            for _ in ag.range(iterations):
                ag.autograph.set_loop_options(checkpoint="log")
                x = ag.sin(x) + 0.3
            return x


        ag.grad(settle)(0.5, np.int64(1000))
    """


class UsageError(AgirError):
    """A function, a tensor or an operation of agir is used in a way that it cannot be.

    The classes below it are also TypeErrors or ValueErrors, as Python and NumPy have for such mistakes.

    Wrong::

        ag.argmax(ag.ones([3]), axis=2)

    Message::

        argmax(): axis 2 is out of bounds for 1 dimensions
          see help('agir.errors.AxisError')

    Right::

        try:
            ag.argmax(ag.ones([3]), axis=2)
        except ag.errors.UsageError as error:
            print(error.message)
    """


class OperandTypeError(UsageError, TypeError):
    """An operation is given an operand of a type or dtype that it does not take.

    The dtypes that an operation takes stand in its documentation; ``ag.cast`` converts.

    Wrong::

        ag.bitwise.left_shift(ag.constant([1.0, 2.0]), 1)

    Message::

        bitwise_left_shift() is not defined for float32
          see help('agir.errors.OperandTypeError')

    Right::

        ag.bitwise.left_shift(ag.constant([1, 2]), 1)
    """


class OperandValueError(UsageError, ValueError):
    """An operation is given operands whose shapes or values do not fit.

    An array where Python asks for one truth value is another mistake of this kind.

    Wrong::

        @ag.function
        def f(x, y):
            return x + y


        f(ag.ones([3]), ag.ones([4]))

    Message::

        shapes [3] and [4] do not broadcast: dimensions [3, 4] differ
          at example.py:4: return x + y
          see help('agir.errors.OperandValueError')

    Right::

        @ag.function
        def f(x, y):
            return x[:, None] + y


        f(ag.ones([3]), ag.ones([4]))
    """


class AxisError(OperandValueError, IndexError):
    """An operation is given an axis that the tensor does not have.

    Axes are counted from 0, or from -1 backwards.  As NumPy's error of this name it is a ValueError,
    and an IndexError.

    Wrong::

        ag.reduce_sum(ag.ones([3, 4]), axis=2)

    Message::

        sum(): axis 2 is out of bounds for 2 dimensions
          see help('agir.errors.AxisError')

    Right::

        ag.reduce_sum(ag.ones([3, 4]), axis=-1)
    """


class OverlappingArgumentsError(UsageError, ValueError):
    """A function writes into an argument that shares memory with another in an unusual way.

    Arguments that are basic slices or transposes of one array see each other's writes, as NumPy's do.
    An array and its bits in another dtype do not.

    Wrong::

        @ag.jit
        def add(x, y):
            x += y


        a = np.ones((2, 2))
        add(a, a.view(np.int64))

    Message::

        add writes into 'x', which shares memory with 'y': pass a copy of one of them
          at example.py:8, in <module>: add(a, a.view(np.int64))
          see help('agir.errors.OverlappingArgumentsError')

    Right::

        @ag.jit
        def add(x, y):
            x += y


        a = np.ones((2, 2))
        add(a, a.view(np.int64).copy())
    """

    is_refusal = True


class ImmutableTensorError(UsageError, TypeError):
    """An element of an eager tensor is assigned to that has to stay what it is.

    A constant, the value of a variable, and what a trace or a gradient tape has read are values.  An
    ``ag.Variable`` holds one that changes, and what ``agir.numpy`` makes can be assigned into.

    Wrong::

        x = ag.constant([1.0, 2.0])
        x[0] = 5.0

    Message::

        this eager tensor is immutable; assign into x.numpy().copy(), or inside a function that agir
            compiles
          see help('agir.errors.ImmutableTensorError')

    Right::

        x = ag.constant([1.0, 2.0]).numpy().copy()
        x[0] = 5.0
        ag.constant(x)
    """


class StagingError(AgirError, TypeError):
    """A construct cannot be recorded; raised while tracing, at the user's line.

    The message says which value makes it so, and what to write instead.

    Wrong::

        @ag.function
        def f(x):
            if x[0] > 0:
                y = ag.cast(x, ag.int32)
            else:
                y = x
            return y


        f(ag.ones([3]))

    Message::

        'y' has dtype int32 on one path and float32 on the other; convert one of them with agir.cast
            (at example.py:5 and at example.py:2)
          at example.py:4: if x[0] > 0:
          see help('agir.errors.StagingError')

    Right::

        @ag.function
        def f(x):
            if x[0] > 0:
                y = ag.floor(x)
            else:
                y = x
            return y


        f(ag.ones([3]))
    """

    is_refusal = True


class SubscriptError(StagingError, IndexError):
    """A subscript of a traced array is nothing that can be one, such as a float.

    Wrong::

        @ag.jit
        def middle(x, n):
            return x[n / 2]


        middle(np.arange(5.0), 5)

    Message::

        a subscript must be an integer, not float64; convert it with agir.cast
          at example.py:4: return x[n / 2]
          see help('agir.errors.SubscriptError')

    Right::

        @ag.jit
        def middle(x, n):
            return x[n // 2]


        middle(np.arange(5.0), 5)
    """


class OperatorNotAllowedInGraphError(StagingError):
    """Python asked a traced tensor for its value (``bool``, ``int``, iteration, ...).

    While a function is traced its tensors have no values; they come when the compiled function runs.

    Wrong::

        @ag.function
        def line(n):
            return "-" * n


        line(ag.constant(3))

    Message::

        using a tensor as a Python integer needs the value of a tensor that has none yet: it is
            being traced, and its value exists only when the compiled function runs. A Python list,
            range or shape needs an int that is known while tracing; make it a static argument, or
            index a tensor instead.
          at example.py:4: return "-" * n
          see help('agir.errors.OperatorNotAllowedInGraphError')

    Right::

        @ag.function
        def line(n):
            return "-" * n


        line(3)
    """


class InaccessibleTensorError(StagingError):
    """A tensor of a branch, a loop body or another trace is used where it does not exist.

    Return the tensor, or bind a name before the branch or loop that the body assigns.

    Wrong::

        kept = []


        @ag.function
        def keep(x):
            kept.append(x)
            return x


        @ag.function
        def use(y):
            return y + kept[0]


        keep(ag.constant(1.0))
        use(ag.constant(2.0))

    Message::

        a tensor of another traced function (or of an earlier trace of this one) is used here; pass
            it as an argument, or return it from the function
          at example.py:13: return y + kept[0]
          see help('agir.errors.InaccessibleTensorError')

    Right::

        @ag.function
        def use(y, kept):
            return y + kept


        use(ag.constant(2.0), ag.constant(1.0))
    """


class NotDifferentiableError(AgirError, LookupError):
    """A gradient is asked for through an operation that has none, such as a call of Python.

    Wrong::

        @ag.function
        def f(x):
            return ag.numpy_function(np.cbrt, [x], ag.float32)


        ag.grad(f)(ag.constant(8.0))

    Message::

        a call of the host has no derivative: it is Python code, which agir cannot see into; use
            agir's operations, or custom_gradient
          at example.py:4: return ag.numpy_function(np.cbrt, [x], ag.float32)
          see help('agir.errors.NotDifferentiableError')

    Right::

        @ag.function
        def f(x):
            return ag.cbrt(x)


        ag.grad(f)(ag.constant(8.0))
    """


class AssignmentError(AgirError, TypeError, ValueError):
    """A value does not fit the Variable that it is assigned to: its dtype or its shape.

    Wrong::

        v = ag.Variable([1.0, 2.0])
        v.assign([1.0, 2.0, 3.0])

    Message::

        assign() of a value of shape [3] to the Variable 'Variable:0' of shape [2]: the shapes have
            to be the same; reshape or broadcast the value
          see help('agir.errors.AssignmentError')

    Right::

        v = ag.Variable([1.0, 2.0], shape=[None])
        v.assign([1.0, 2.0, 3.0])
    """


class FailedPreconditionError(AgirError):
    """A Variable that a compiled function uses is gone, or has no value yet.

    A variable that a function creates has its value after the first call.  Compiled functions do not
    keep variables alive: hold them elsewhere.

    Wrong::

        class Scale(ag.Module):
            v = None

            @ag.function
            def __call__(self, x):
                if self.v is None:
                    self.v = ag.Variable(x + 1.0)
                return self.v * x


        scale = Scale()
        scale.__call__.get_concrete_function(ag.TensorSpec([], ag.float32))
        scale.v.numpy()

    Message::

        the Variable 'Variable:0' has no value yet: the call of the function that computes its
            initial value has not succeeded
          at example.py:14, in <module>: scale.v.numpy()
          see help('agir.errors.FailedPreconditionError')

    Right::

        class Scale(ag.Module):
            v = None

            @ag.function
            def __call__(self, x):
                if self.v is None:
                    self.v = ag.Variable(x + 1.0)
                return self.v * x


        scale = Scale()
        scale(ag.constant(2.0))
        scale.v.numpy()
    """


class AutoGraphError(AgirError):
    """The base of the errors of ``agir.autograph``, in which control flow is rewritten.

    Wrong::

        ag.autograph.to_graph(len)

    Message::

        <built-in function len> is not a Python function
          see help('agir.errors.UnsupportedError')

    Right::

        try:
            ag.autograph.to_graph(len)
        except ag.errors.AutoGraphError as error:
            print(error.message)
    """

    is_refusal = True


class ConversionError(AutoGraphError):
    """A function could not be converted; the message names it and says why.

    Inside of decorated functions what cannot be converted is called as it is, which
    ``AGIR_LOG=autograph`` tells.

    Wrong::

        ag.autograph.to_code(len)

    Message::

        <built-in function len> is not a Python function
          see help('agir.errors.UnsupportedError')

    Right::

        def size(x):
            return len(x) if x else 0


        ag.autograph.to_code(size)
    """


class NoSourceError(ConversionError):
    r"""The source of a function cannot be found, or is no longer what was compiled.

    Functions defined in a file, a notebook or a string that is kept have one.

    Wrong::

        space = {}
        exec("".join(["def f(x):\n", "    return x if x > 0 else -x\n"]), space)
        ag.autograph.to_code(space["f"])

    Message::

        the source of f (<string>:1) is not available; define the function in a file, or keep the
            text it is made from in a variable
          see help('agir.errors.NoSourceError')

    Right::

        source = "def f(x):\n    return x if x > 0 else -x\n"
        space = {}
        exec(source, space)
        ag.autograph.to_code(space["f"])
    """


class UnsupportedError(ConversionError):
    """The function is of a kind that is not converted: a coroutine, or one without Python code.

    Wrong::

        async def later(x):
            return x if x > 0 else -x


        ag.autograph.to_graph(later)

    Message::

        later is a coroutine
          see help('agir.errors.UnsupportedError')

    Right::

        def now(x):
            return x if x > 0 else -x


        ag.autograph.to_graph(now)
    """


class LoweringError(AgirError, RuntimeError):
    """A pass failed, or left behind operations that the next stage does not know.

    The message holds MLIR's diagnostics, each with the line of the user's program that it is about.
    From a decorated function it is a mistake of agir's; from text it is one of the text's.

    Wrong::

        from agir.backends.cpu.engine import Executable
        from agir.backends.stages import Compilation

        text = (
            "func.func @f(%x: f64) -> f64 { "
            "  call @shout() : () -> () "
            "  return %x : f64 "
            "} "
            'func.func private @shout() attributes {agir.callback = "launch"}'
        )
        Executable(Compilation.from_text(text, "hlo"), "f")

    Message::

        the callback 'shout' cannot be called: there is no callback "launch"; agir has print,
            message, call, fetch, compute, number, match, forget, text, memory
          see help('agir.errors.LoweringError')

    Right::

        from agir.backends.cpu.engine import Executable
        from agir.backends.stages import Compilation

        text = "func.func @f(%x: f64) -> f64 {   %y = math.exp %x : f64   return %y : f64 }"
        Executable(Compilation.from_text(text, "hlo"), "f")
    """

    is_refusal = True


class PluginError(AgirError, RuntimeError):
    """Something that was added to agir does not work: a pass, a stage, a back end, a whole plugin.

    The message says what it is and where it is written.  A pass is one that raises, that leaves a
    module which is not valid, or that is put beside a pass that there is not.

    Wrong::

        @ag.jit(passes=[ag.plugins.Pass("canonicalize", before="csee")])
        def f(x):
            return x + 1.0


        f(2.0)

    Message::

        canonicalize, before csee (example.py:2): there is no pass 'csee'; did you mean cse?;
            agir-dump --timing lists the passes that have run
          see help('agir.errors.PluginError')

    Right::

        @ag.jit(passes=[ag.plugins.Pass("canonicalize", before="cse", stage="optimized_hlo")])
        def f(x):
            return x + 1.0


        f(2.0)
    """


class InternalError(AgirError, RuntimeError):
    """A mistake in agir itself, which shows while it records a function.

    What has gone wrong is the exception's ``__cause__``, with its traceback.  It is never taken for
    an exception of the program, whose ``except`` clauses do not catch it.

    Wrong::

        from unittest import mock

        from agir.ir.emission import emit


        @ag.jit
        def f(x):
            try:
                return x + 1.0
            except TypeError:
                return x


        with mock.patch.object(emit, "elementwise", emit.constant_like):  # stands for a mistake
            f(2.0)

    Message::

        agir has made a mistake: TypeError: constant_like() takes 4 positional arguments but 6
            were given (in agir.ir.ops.elementwise.elementwise); the program is not to blame. Please
            report it, with the program and the traceback above
          at example.py:10: return x + 1.0
          see help('agir.errors.InternalError')

    Right::

        @ag.jit
        def f(x):
            return x + 1.0


        f(2.0)
    """

    is_refusal = True


class StageError(AgirError, ValueError):
    """A stage does not exist, or cannot be made from what was given.

    Wrong::

        @ag.jit
        def f(x):
            return x + 1


        f.experimental_get_compiler_ir(np.ones(3))("hello")

    Message::

        there is no stage 'hello'; the stages are autograph, hlo, optimized_hlo, bufferized, loops,
            llvm, llvm_ir, asm, object, hlo_serialized, optimized_hlo_serialized, optimized_hlo_dot,
            llvm_cfg, stablehlo, c
          at example.py:7, in <module>: f.experimental_get_compiler_ir(np.ones(3))("hello")
          see help('agir.errors.StageError')

    Right::

        @ag.jit
        def f(x):
            return x + 1


        f.experimental_get_compiler_ir(np.ones(3))("loops")
    """


class LocatedError(AgirError):
    """An error of the reference interpreter (``jit_compile=False``), which names its operation.

    ``operation`` is its name, ``location`` MLIR's location of it; both are None before it is known.

    Wrong::

        from agir.backends.reference import Interpreter
        from agir.backends.stages import Compilation

        text = "func.func @f(%x: i64, %y: i64) -> i64 { %r = arith.divsi %x, %y : i64 return %r : i64 }"
        Interpreter(Compilation.from_text(text, "hlo").get("hlo")).call("f", 1, 0)

    Message::

        arith.divsi: integer division by zero at loc("-":1:46)
          see help('agir.errors.UndefinedBehaviour')

    Right::

        from agir.backends.reference import Interpreter
        from agir.backends.stages import Compilation

        text = "func.func @f(%x: i64, %y: i64) -> i64 { %r = arith.divsi %x, %y : i64 return %r : i64 }"
        Interpreter(Compilation.from_text(text, "hlo").get("hlo")).call("f", 4, 2)
    """

    def __init__(self, message: str) -> None:
        super().__init__(message)
        self.operation: str | None = None
        self.location: str | None = None

    @property
    def message(self) -> str:
        """The operation, what is wrong with it, and where it is."""
        said = super().message
        return said if self.operation is None else f"{self.operation}: {said} at {self.location}"

    def locate(self, operation: str, location: str) -> None:
        """Attach the operation's name and location, unless an inner operation already has."""
        if self.operation is None:
            self.operation, self.location = operation, location


class UnsupportedOperation(LocatedError):  # noqa: N818 (a public name)
    """The module uses an operation, a type or an attribute that there is no rule for.

    For what agir records the interpreter has rules; there this is about MLIR text from elsewhere.
    The stages ``stablehlo`` and ``c`` are not there for every program.

    Wrong::

        from agir.backends.reference import Interpreter
        from agir.backends.stages import Compilation

        text = "func.func @f() -> i32 { %r = ub.poison : i32 return %r : i32 }"
        Interpreter(Compilation.from_text(text, "hlo").get("hlo")).call("f")

    Message::

        ub.poison: there is no rule for this operation at loc("-":1:30)
          see help('agir.errors.UnsupportedOperation')

    Right::

        from agir.backends.reference import Interpreter
        from agir.backends.stages import Compilation

        text = "func.func @f() -> i32 { %r = arith.constant 7 : i32 return %r : i32 }"
        Interpreter(Compilation.from_text(text, "hlo").get("hlo")).call("f")
    """


class UndefinedBehaviour(LocatedError):  # noqa: N818 (a public name)
    """The program did what MLIR leaves undefined; compiled code may crash or return anything.

    What agir records guards against it; this is about MLIR text from elsewhere.

    Wrong::

        from agir.backends.reference import Interpreter
        from agir.backends.stages import Compilation

        text = (
            "func.func @f(%x: tensor<3xf64>, %i: index) -> f64 { "
            "  %r = tensor.extract %x[%i] : tensor<3xf64> "
            "  return %r : f64 "
            "}"
        )
        Interpreter(Compilation.from_text(text, "hlo").get("hlo")).call("f", np.ones(3), 3)

    Message::

        tensor.extract: index 3 out of bounds for a dimension of size 3 at loc("-":1:60)
          see help('agir.errors.UndefinedBehaviour')

    Right::

        from agir.backends.reference import Interpreter
        from agir.backends.stages import Compilation

        text = (
            "func.func @f(%x: tensor<3xf64>, %i: index) -> f64 { "
            "  %r = tensor.extract %x[%i] : tensor<3xf64> "
            "  return %r : f64 "
            "}"
        )
        Interpreter(Compilation.from_text(text, "hlo").get("hlo")).call("f", np.ones(3), 2)
    """


class AgirWarning(UserWarning):
    """The base of the warnings that agir gives.

    ``warnings.filterwarnings`` takes the class, or one below it, as the category.

    Wrong::

        @ag.function
        def double(x):
            return 2 * x


        for n in range(20):
            double(n)

    Message::

        double has been traced 8 times, and each trace is compiled anew. Argument 'x' had another
            value each time: 0, 1, 2, 3, 4, 5, 6, 7. A Python value is a constant of its trace: pass
            a tensor, such as ag.constant(value), where it changes from call to call;
            explain_retracing() lists every trace with its reason
          see help('agir.errors.RetraceWarning')

    Right::

        import warnings


        @ag.function
        def double(x):
            return 2 * x


        with warnings.catch_warnings():
            warnings.simplefilter("ignore", ag.errors.AgirWarning)
            for n in range(20):
                double(n)
    """

    @property
    def message(self) -> str:
        """What the warning says, without the address of its page."""
        return super().__str__()

    def __str__(self) -> str:
        return f"{self.message}\n  {address(type(self))}"


class UnrollWarning(AgirWarning):
    """A long Python loop is recorded iteration by iteration.

    Each iteration is traced and compiled apart, which takes long; ``ag.range`` makes one loop.  The
    same is said of thousands of numbers in a list that is an argument: an array of them is one.

    Wrong::

        @ag.function
        def f(x):
            for i in range(3000):
                x = x + ord(chr(i))
            return x


        f(ag.constant(0.0))

    Message::

        a loop of 3000 iterations is unrolled: its body needs the counter as a Python integer (using
            a tensor as a Python integer needs the value of a tensor that has none yet: it is being
            traced, and its value exists only when the compiled function runs. A Python list, range
            or shape needs an int that is known while tracing; make it a static argument, or index a
            tensor instead.); index arrays instead of Python lists with the counter, or decide with
            ag.autograph.set_loop_options(unroll=True)
          see help('agir.errors.UnrollWarning')

    Right::

        @ag.function
        def f(x):
            for i in ag.range(3000):
                x = x + ag.cast(i, ag.float32)
            return x


        f(ag.constant(0.0))
    """


class CacheWarning(AgirWarning):
    """Machine code on disk is not used, and programs are compiled as if there were none.

    The folder has to belong to the user, and nobody else may write to it, for what is in it is run.
    The warning comes once in a process for each folder.

    Wrong::

        import os

        os.mkdir("shared")
        os.chmod("shared", 0o777)
        ag.config.cache_dir = "shared"
        ag.jit(lambda x: x + 1)(2)

    Message::

        machine code is not kept on disk: other users may write to shared (its mode is 0777);
            agir.cache.clear() empties the cache, AGIR_CACHE=0 turns it off
          see help('agir.errors.CacheWarning')

    Right::

        ag.config.cache_dir = "mine"
        ag.jit(lambda x: x + 1)(2)
    """


class RetraceWarning(AgirWarning):
    """A function is traced again and again, for arguments that differ each time.

    Python values are constants of a trace; tensors are not.  `config.retrace_warning` is the number of
    traces before the warning.

    Wrong::

        @ag.function
        def double(x):
            return 2 * x


        for n in range(20):
            double(n)

    Message::

        double has been traced 8 times, and each trace is compiled anew. Argument 'x' had another
            value each time: 0, 1, 2, 3, 4, 5, 6, 7. A Python value is a constant of its trace: pass
            a tensor, such as ag.constant(value), where it changes from call to call;
            explain_retracing() lists every trace with its reason
          see help('agir.errors.RetraceWarning')

    Right::

        @ag.function
        def double(x):
            return 2 * x


        for n in range(20):
            double(ag.constant(n))
    """


class SideEffectWarning(AgirWarning):
    """A Python object is changed while tracing, and not when the compiled function runs.

    A print or an array that the function returns is a part of the compiled function.

    Wrong::

        import io

        log = io.StringIO()


        @ag.jit
        def f(n):
            for _ in range(n):
                log.write("once")
            return n


        f(3)

    Message::

        the StringIO changes once, while the function is traced, and not when it runs: it was not
            made in the traced function; make it there, or pass what it gives
          see help('agir.errors.SideEffectWarning')

    Right::

        @ag.jit
        def f(n):
            seen = []
            for i in range(n):
                seen.append(i)
            return np.array(seen)


        f(3)
    """


class FallbackWarning(AgirWarning):
    """Plain Python runs what agir cannot record, or compute in 64 bits, as `fallback=True` asks for.

    The result is that of plain Python, and so is the speed.  The warning comes once for each line and
    kind of reason of a function; `explain` lists the calls.

    Wrong::

        @ag.jit(fallback=True)
        def factorial(n):
            product = 1
            for i in range(2, n + 1):
                product *= i
            return product


        factorial(30)

    Message::

        factorial is run by plain Python for (n: int64[]): 2432902008176640000 * 21 needs more than the
            64 bits that ints have here: compute with floats, or with NumPy's integers if they are to
            wrap around
          see help('agir.errors.FallbackWarning')

    Right::

        @ag.jit(fallback=True)
        def factorial(n):
            product = 1.0
            for i in range(2, n + 1):
                product *= i
            return product


        factorial(30)
    """


CLASSES: dict[str, type[AgirError] | type[AgirWarning]] = {
    name: each
    for name, each in list(globals().items())
    if inspect.isclass(each) and issubclass(each, (AgirError, AgirWarning))
}
"""Every class by name, in the order of the index."""

__all__ = [*CLASSES]


def __dir__() -> list[str]:
    return __all__
