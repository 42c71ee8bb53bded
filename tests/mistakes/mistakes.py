"""Mistakes that users make; `messages.txt` holds what agir says of each.

python tests/mistakes/mistakes.py         prints the messages
python tests/mistakes/mistakes.py write   writes them to messages.txt
"""

from __future__ import annotations

import math
import pathlib
import pickle
import sys
import warnings
from collections.abc import Callable
from typing import Any

import numpy as np

import agir as ag

MISTAKES: dict[str, Callable[[], Any]] = {}
"""What the user does, by its name; the docstring says what the mistake is."""

GOLDEN = pathlib.Path(__file__).with_name("messages.txt")


def mistake(make: Callable[[], Any]) -> Callable[[], Any]:
    """Add a mistake to the table."""
    MISTAKES[make.__name__] = make
    return make


def x32() -> Any:
    """A small tensor."""
    return ag.constant([1.0, 2.0, 3.0])


@mistake
def branches_of_different_dtypes() -> Any:
    """A variable gets an int in one branch and a float in the other."""

    @ag.function
    def f(x):
        if x[0] > 0:
            y = ag.cast(x, ag.int32)
        else:
            y = x
        return y

    return f(x32())


@mistake
def branches_of_different_ranks() -> Any:
    """A variable is a vector in one branch and a scalar in the other."""

    @ag.function
    def f(x):
        if x[0] > 0:
            y = x
        else:
            y = x[0]
        return y

    return f(x32())


@mistake
def loop_without_end_of_types() -> Any:
    """A tuple is nested deeper at each iteration of a staged loop."""

    @ag.function
    def f(n):
        t = ()
        while n > 0:
            t = (t, n)
            n -= 1
        return t

    return f(ag.constant(3))


@mistake
def condition_is_an_array() -> Any:
    """`if` on a whole array."""

    @ag.function
    def f(x):
        if x > 0:
            return x
        return -x

    return f(x32())


@mistake
def unbound_on_the_path_taken() -> Any:
    """A name is bound in one branch only, and read after the other."""

    @ag.function
    def f(x):
        if x > 0:
            y = x
        return y + 1

    return f(ag.constant(-1.0))


@mistake
def unbound_after_no_iteration() -> Any:
    """A name is bound in a loop that does not run."""

    @ag.function
    def f(n):
        for i in ag.range(n):
            last = i
        return last

    return f(ag.constant(0))


@mistake
def none_is_used() -> Any:
    """None is used as a number on the path taken."""

    @ag.function
    def f(x):
        best = None
        for v in x:
            if v > 10:
                best = v
        return best + 1

    return f(x32())


@mistake
def index_out_of_bounds() -> Any:
    """A subscript is too large at run time."""

    @ag.function
    def f(x, i):
        return x[i]

    return f(x32(), ag.constant(3))


@mistake
def index_out_of_bounds_while_tracing() -> Any:
    """A subscript is too large, as is known while tracing."""

    @ag.function
    def f(x):
        return x[5]

    return f(x32())


@mistake
def division_by_zero() -> Any:
    """An integer is divided by zero."""

    @ag.function
    def f(a, b):
        return a // b

    return f(ag.constant(1), ag.constant(0))


@mistake
def assertion_fails() -> Any:
    """An assertion with a message that holds the value."""

    @ag.function
    def f(x):
        assert x > 0, f"x must be positive, not {x}"
        return x

    return f(ag.constant(-2))


@mistake
def shapes_do_not_broadcast() -> Any:
    """Shapes that do not fit, known while tracing."""

    @ag.function
    def f(x, y):
        return x + y

    return f(ag.ones([3]), ag.ones([4]))


@mistake
def shapes_do_not_multiply() -> Any:
    """A matrix product of matrices that do not fit."""

    @ag.function
    def f(x, y):
        return x @ y

    return f(ag.ones([3, 2]), ag.ones([3, 2]))


@mistake
def shapes_do_not_fit_at_run_time() -> Any:
    """Dimensions that are known only at run time differ."""

    @ag.function(input_signature=[ag.TensorSpec([None]), ag.TensorSpec([None])])
    def f(x, y):
        return x + y

    return f(ag.ones([3]), ag.ones([4]))


@mistake
def wrong_type_for_the_signature() -> Any:
    """A matrix for a signature that says vector."""

    @ag.function(input_signature=[ag.TensorSpec([None], ag.float32)])
    def f(x):
        return x

    return f(ag.ones([2, 2]))


@mistake
def wrong_number_of_arguments() -> Any:
    """An argument too many."""

    @ag.function
    def f(x):
        return x

    return f(x32(), x32())


@mistake
def python_int_of_a_tensor() -> Any:
    """A run-time value where Python needs an int."""

    @ag.function
    def f(n):
        return "-" * n

    return f(ag.constant(3))


@mistake
def numpy_asks_for_a_value() -> Any:
    """A function that agir does not know asks for the value."""

    @ag.function
    def f(x):
        return np.matrix(x)

    return f(x32())


@mistake
def value_of_a_symbol() -> Any:
    """`.numpy()` while tracing."""

    @ag.function
    def f(x):
        return x.numpy()

    return f(x32())


@mistake
def symbol_leaves_the_trace() -> Any:
    """A symbol is kept, and used in another function."""
    kept = []

    @ag.function
    def leak(x):
        kept.append(x)
        return x

    @ag.function
    def use(x):
        return x + kept[0]

    leak(x32())
    return use(x32())


@mistake
def dict_with_a_run_time_key() -> Any:
    """A dict gets a key that is known only at run time."""

    @ag.function
    def f(n):
        d = {}
        d[n] = 1
        return d

    return f(ag.constant(3))


@mistake
def list_of_different_things() -> Any:
    """A list that grows in a staged loop gets items of different kinds."""

    @ag.function
    def f(x):
        out = []
        for v in x:
            out.append(v)
            out.append("end")
        return ag.stack(out)

    return f(x32())


@mistake
def pop_from_an_empty_list() -> Any:
    """A list of run-time length is empty."""

    @ag.function
    def f(x):
        out = []
        for v in x:
            if v > 10:
                out.append(v)
        return out.pop()

    return f(x32())


@mistake
def eager_tensor_is_assigned_to() -> Any:
    """Item assignment to a tensor outside of a function."""
    x = x32()
    x[0] = 5.0
    return x


@mistake
def unknown_operand() -> Any:
    """A string where a tensor is expected."""

    @ag.function
    def f(x):
        return ag.sqrt("x") + x

    return f(x32())


@mistake
def wrong_dtype_for_an_operation() -> Any:
    """A float where an operation needs integers."""

    @ag.function
    def f(x):
        return x << 1

    return f(x32())


@mistake
def reshape_to_another_size() -> Any:
    """A shape that does not fit."""

    @ag.function
    def f(x):
        return ag.reshape(x, [2, 2])

    return f(x32())


@mistake
def unknown_stage() -> Any:
    """A stage that does not exist."""

    @ag.function
    def f(x):
        return x

    return f.experimental_get_compiler_ir(x32())("hello")


@mistake
def recursion_without_end() -> Any:
    """A function that always calls itself."""

    @ag.function
    def f(n):
        return f(n - 1)

    return f(ag.constant(3))


@mistake
def long_loop_that_needs_python_numbers() -> Any:
    """A loop that would be recorded a hundred thousand times."""

    @ag.function
    def f(x):
        for i in range(100_000):
            x += math.floor(ord(chr(i)))
        return x

    return f(ag.constant(0))


def array() -> Any:
    """A small array."""
    return np.arange(6.0)


def jitted(name: str, doc: str, function: Callable[..., Any], *given: Any) -> None:
    """Add a mistake in a function of arrays."""

    def make() -> Any:
        return ag.jit(function)(array(), *given)

    make.__name__, make.__doc__ = name, doc
    mistake(make)


def _misspelt(x):
    return x.shpae[0]


def _not_there(x):
    return x.fooo


def _like_a_list(x):
    x.append(3.0)
    return x


def _called(x):
    return x(0)


def _given_an_attribute(x):
    x.best = 3
    return x


def _deleted(x):
    del x[0]
    return x


def _as_a_condition(x):
    while x > 0:
        x -= 1
    return x


def _unpacked(x, n):
    first, second, *rest = x[:n]
    return first + second, rest


def _counted_wrong(x, n):
    a, b = x[:n]
    return a + b


def _parts(x, n):
    return np.split(x, n[0])[0]


def _dtype(x, n):
    return x.astype("float32" if n > 1 else "float64")


def _set(x, n):
    seen = set()
    for i in range(n):
        seen.add(x[i:])
    return len(seen)


def _row(x, n):
    rows = []
    for i in range(n):
        row = x * i
        rows.append(row)
        row[0] = 1.0
    return rows[0]


def _pickled(x):
    return pickle.dumps(x)


def _number(x, n):
    return n.lenght


jitted("attribute_misspelt", "A method or attribute that is written wrong.", _misspelt)
jitted("attribute_that_is_not_there", "An attribute that no array has.", _not_there)
jitted("array_like_a_list", "An array is appended to.", _like_a_list)
jitted("array_called", "Parentheses in the place of brackets.", _called)
jitted("attribute_of_an_array_is_set", "Something is to be noted at an array.", _given_an_attribute)
jitted("elements_deleted", "An element of an array is deleted.", _deleted)
jitted("array_as_a_condition", "A loop goes on while an array is true.", _as_a_condition)
jitted("too_few_beside_a_starred_name", "Two names and a starred one, and an item.", _unpacked, 1)
jitted("too_many_to_unpack", "Two names, and three items at run time.", _counted_wrong, 3)
jitted("run_time_number_of_parts", "As many results as an element says.", _parts, np.array([2]))
jitted("dtype_chosen_at_run_time", "A dtype that the path decides.", _dtype, 2)
jitted("set_of_run_time_values", "Elements of an array are put into a set.", _set, 2)
jitted("written_to_after_it_is_an_item", "An array that a list holds changes.", _row, 2)
jitted("array_pickled", "Python itself takes an array apart.", _pickled)
jitted("attribute_of_a_number", "A number has no length.", _number, 2)


def message(make: Callable[[], Any]) -> str:
    """What agir says: the class of the error and its text, with the names of files alone."""
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            make()
    except Exception as error:
        folder = str(GOLDEN.parent) + "/"
        kinds = [kind.__name__ for kind in type(error).__mro__[1:] if kind.__module__ == "builtins"]
        text = str(error).replace(folder, "")
        return f"{type(error).__name__} (a {kinds[0]}): {text}"
    return "no error"


def messages() -> str:
    """All messages, as they stand in the golden file."""
    return "\n".join(
        f"## {name}: {make.__doc__}\n{message(make)}\n" for name, make in MISTAKES.items()
    )


if __name__ == "__main__":
    if sys.argv[1:] == ["write"]:
        GOLDEN.write_text(messages(), encoding="utf-8")
    else:
        print(messages())
