"""``agir.numba.jit``: programs that are written for Numba mean what they mean there."""

from __future__ import annotations

import ast
import math
import subprocess
import sys
import textwrap
import warnings
from typing import Any

import numpy as np
import pytest

import agir as ag
import agir.numba as numba
from agir.numba import float32, float64, int32, int64, njit, prange, types, uint64


def same(found: Any, expected: Any) -> None:
    assert type(found) is type(expected)
    np.testing.assert_array_equal(found, expected)


@njit
def total(x):
    s = 0.0
    for i in prange(len(x)):
        s += x[i]
    return s


@pytest.mark.parametrize(
    "options",
    [
        {}, {"nopython": True}, {"cache": True, "fastmath": True}, {"parallel": True, "nogil": True},
        {"boundscheck": False, "error_model": "python", "inline": "always", "locals": {}},
    ],
)  # fmt: skip
def test_options(options: dict[str, Any]) -> None:
    made = numba.jit(**options)(lambda x: x + 1)
    assert made(2) == 3
    assert made.targetoptions == options


def test_unknown_options() -> None:
    with pytest.raises(TypeError, match="no option 'nopyton'"):
        numba.jit(nopyton=True)(lambda x: x)


def test_what_is_not_compiled() -> None:
    def plain(x: int) -> int:
        return x

    assert numba.jit(forceobj=True)(plain) is plain
    assert numba.jit(total) is total


def test_attributes_of_dispatchers() -> None:
    @njit
    def added(x, y):
        return x + y

    assert added.signatures == []
    assert added(1, 2) == 3
    added(np.arange(3.0), 1.5)
    assert added.py_func(1, 2) == 3
    assert (types.int64, types.int64) in added.signatures
    assert added.nopython_signatures[0].return_type == types.int64
    assert "define" in added.inspect_llvm((types.int64, types.int64))
    assert set(added.inspect_asm()) == set(added.signatures)
    added.recompile()
    assert added.signatures == []


def test_inspection_prints(capsys: pytest.CaptureFixture[str]) -> None:
    total(np.arange(3.0))
    total.inspect_types()
    assert "func.func" in capsys.readouterr().out
    total.parallel_diagnostics(level=4)
    assert "total" in capsys.readouterr().out


def test_compiling_for_a_signature() -> None:
    made = njit(lambda x: x.sum())
    made.compile((float64[:],))
    assert made.signatures == [(types.Array(float64, 1, "A"),)]
    assert made(np.arange(4.0)) == 6.0
    assert len(made.signatures) == 1


def test_shapes_are_no_part_of_a_type() -> None:
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        made = njit(lambda x: x * 2)
        for n in range(1, 20):
            same(made(np.arange(n)), np.arange(n) * 2)
    assert made.experimental_get_tracing_count() <= 2


@pytest.mark.parametrize("dtype", ["i1", "u1", "i2", "u2", "i4", "u4"])
def test_narrow_integers_widen(dtype: str) -> None:
    @njit
    def computed(x):
        s = 0
        for each in x:
            s += each * each
        return s, x[0] + x[1], x[0] - 1, x + x

    x = np.array([100, 120, 90], dtype)
    found = computed(x)
    squares = sum(int(each) ** 2 for each in x)
    assert (int(found[0]), int(found[1]), int(found[2])) == (squares, 220, 99)
    same(found[3], x + x)


def test_numbers_come_back_as_python_has_them() -> None:
    @njit
    def items(x, y, z, b):
        return x[0], y[0], z[0], b[0]

    found = items(np.array([1]), np.array([1.5]), np.array([2j]), np.array([True]))
    assert [type(each) for each in found] == [int, float, complex, bool]


def test_functions_of_math_do_not_raise() -> None:
    @njit
    def computed(x):
        return math.log(x), math.sqrt(-x - 1.0), math.exp(1000.0 * x), (-x - 1.0) ** 0.5

    log, root, large, power = computed(1.0)
    assert (log, large) == (0.0, math.inf)
    assert math.isnan(root)
    assert math.isnan(power)
    assert njit(lambda x: math.log(x))(-1.0) != 0
    with pytest.raises(ValueError, match="domain"):
        ag.jit(lambda x: math.log(x))(-1.0)


def test_models_of_errors() -> None:
    def quotients(x, y, m, n):
        return x / y, m // n, m % n

    assert njit(quotients)(3.0, 2.0, 7, 2) == (1.5, 3, 1)
    with pytest.raises(ZeroDivisionError):
        njit(quotients)(1.0, 0.0, 7, 2)
    with pytest.raises(ZeroDivisionError):
        njit(error_model="python")(quotients)(1.0, 2.0, 7, 0)
    assert njit(error_model="numpy")(quotients)(1.0, 0.0, 7, 0) == (math.inf, 0, 0)


# Signatures.


def test_arguments_become_of_the_types_declared() -> None:
    @njit("float64(float64)")
    def halved(x):
        return x // 2

    same(halved(3), 1.0)
    same(halved(np.float32(7)), 3.0)
    same(njit(lambda x: halved(x))(3), 1.0)
    assert halved.signatures


def test_several_signatures() -> None:
    @numba.jit([int64(int64, int64), float64(float64, float64), "f8[:](f8[:], f8)"])
    def added(x, y):
        return x + y

    same(added(1, 2), 3)
    same(added(1, 2.5), 3.5)
    same(added(np.arange(2.0), 1), np.array([1.0, 2.0]))
    for wrong in (1j, "a", None, np.zeros((2, 2))):
        with pytest.raises(TypeError, match="no signature takes"):
            added(wrong, 2)


def test_the_result_is_converted() -> None:
    same(njit(int64(float64))(lambda x: x * 2)(1.75), 3)
    same(njit("float32(float64)")(lambda x: x)(0.1), np.float32(0.1))
    assert njit("uint64(int64)")(lambda x: x)(5) == 5


def test_optional_arguments() -> None:
    @njit(float64(float64, numba.optional(int64)))
    def shifted(x, by):
        return x if by is None else x + by

    assert shifted(1.0, None) == 1.0
    assert shifted(1.0, 2) == 3.0


@pytest.mark.parametrize("wrong", ["f8(f8", "nothing(f8)", "import os"])
def test_wrong_signatures(wrong: str) -> None:
    with pytest.raises(TypeError, match="not understood"):
        njit(wrong)(lambda x: x)


# What else programs use.


def test_containers() -> None:
    @njit
    def made(n):
        items = numba.typed.List()
        table = numba.typed.Dict.empty(key_type=types.int64, value_type=types.float64)
        empty = numba.typed.List.empty_list(types.int64)
        for i in range(n):
            items.append(i)
            table[i] = i / 2
        return items, table, empty

    assert made(3) == ([0, 1, 2], {0: 0.0, 1: 0.5, 2: 1.0}, [])
    assert numba.typed.List([1, 2]) == [1, 2]


def test_converting_numbers() -> None:
    @njit
    def converted(x):
        return float64(x), int64(x), float32(x), uint64(x)

    found = converted(3)
    assert [type(each) for each in found[:3]] == [float, int, np.float32]
    assert found[3] == 3


def test_classes() -> None:
    @numba.experimental.jitclass([("x", float64), ("count", int32)])
    class Counter:
        def __init__(self, x):
            self.x = x
            self.count = 0

        def add(self, by):
            self.x += by
            self.count += 1
            return self.x

    @njit
    def used(counter, n):
        for i in range(n):
            counter.add(i)
        return counter.x

    counter = Counter(1.0)
    assert used(counter, 4) == 7.0
    assert (counter.x, counter.count) == (7.0, 4)


def stand_in(x: Any) -> Any:
    raise NotImplementedError


def test_overloads() -> None:
    @numba.extending.overload(stand_in)
    def _(x):
        if isinstance(x, types.Array):
            return lambda x: x.sum()
        if isinstance(x, types.Float):
            return lambda x: -x
        return None

    made = njit(lambda x: stand_in(x))
    assert made(np.arange(4.0)) == 6.0
    assert made(2.5) == -2.5
    with pytest.raises(NotImplementedError):
        made(3)


def test_register_jitable_and_is_jitted() -> None:
    @numba.extending.register_jitable
    def doubled(x):
        return 2 * x

    @numba.extending.register_jitable(inline="always")
    def tripled(x):
        return 3 * x

    assert njit(lambda x: doubled(x) + tripled(x))(2) == 10
    assert numba.extending.is_jitted(total)
    assert not numba.extending.is_jitted(doubled)


def test_threads_and_blocks() -> None:
    @njit(parallel=True)
    def summed(x):
        parts = np.zeros(numba.get_num_threads())
        for i in prange(len(x)):
            parts[numba.get_thread_id()] += x[i]
        with numba.objmode():
            pass
        return parts.sum()

    before = numba.get_num_threads()
    numba.set_num_threads(1)
    try:
        assert summed(np.arange(10.0)) == 45.0
        with numba.parallel_chunksize(4):
            assert summed(np.arange(10.0)) == 45.0
    finally:
        numba.set_num_threads(before)


def test_unrolled_tuples() -> None:
    @njit
    def lengths(items):
        n = 0
        for each in numba.literal_unroll(items):
            n += len(each)
        return numba.literally(n)

    assert lengths((np.zeros(2), [1, 2, 3], "ab")) == 7


def test_functions_at_addresses() -> None:
    special = pytest.importorskip("scipy.special")
    pytest.importorskip("scipy.special.cython_special")
    address = numba.extending.get_cython_function_address

    class Gamma(types.WrapperAddressProtocol):
        def __wrapper_address__(self):
            return address("scipy.special.cython_special", "gammaln")

        def signature(self):
            return float64(float64)

    gammaln = Gamma()
    made = njit(lambda x: np.array([gammaln(each) for each in x]))
    x = np.linspace(0.5, 5, 7)
    np.testing.assert_allclose(made(x), special.gammaln(x))


def test_jit_module(tmp_path: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "of_module.py").write_text(
        textwrap.dedent(
            """
            import agir.numba as numba

            def added(x, y):
                return twice(x) + y

            def twice(x):
                return 2 * x

            numba.jit_module(nopython=True)
            """
        )
    )
    monkeypatch.syspath_prepend(tmp_path)
    import of_module

    assert numba.extending.is_jitted(of_module.added)
    assert of_module.added(2, 3) == 7


def test_numba_can_be_installed_as_the_module_of_that_name(tmp_path: Any) -> None:
    program = """
        import agir.numba
        agir.numba.install()
        import numba
        from numba import njit
        from numba.core.errors import TypingError
        from numba.core.types import Type
        from numba.extending import overload
        from numba.np.ufunc.gufunc import GUFunc
        from numba.typed import List

        @njit
        def squares(n):
            return [i * i for i in range(n)]

        print(squares(4), numba.__name__)
    """
    path = tmp_path / "program.py"
    path.write_text(textwrap.dedent(program))
    done = subprocess.run([sys.executable, path], capture_output=True, text=True, check=False)
    assert done.stdout.split() == ["[0,", "1,", "4,", "9]", "agir.numba"], done.stderr


def test_the_compiler_can_be_switched_off(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(numba.config, "DISABLE_JIT", 1)

    def plain(x: int) -> int:
        return x

    assert njit(plain) is plain


@pytest.mark.parametrize("dtype", ["f4", "i4", "u1", "i8"])
def test_numbers_of_python_have_dtypes(dtype: str) -> None:
    @njit
    def computed(x, n):
        return x + 1, x + n, x * 2.0, x / 2, x[0] * 2.0, x[0] + x[1]

    x = np.array([3, 4], dtype)
    found = computed(x, 3)
    whole = np.dtype("f4") if dtype == "f4" else np.dtype("i8")
    assert [each.dtype for each in found[:3]] == [whole, whole, np.dtype("f8")]
    assert found[3].dtype == np.dtype("f4" if dtype == "f4" else "f8")
    assert type(found[4]) is float
    assert float(found[5]) == 7.0


def test_numbers_of_several_dtypes_are_unified() -> None:
    @njit
    def larger(x, y):
        if x > y:
            found = x
        else:
            found = y
        return found

    same(larger(1, 2.5), 2.5)
    same(larger(3, 2.5), 3.0)
    same(larger(True, 2), 2)
    assert larger(np.float32(1.5), np.int32(7)) == 7.0
    assert larger(np.arange(3)[1], np.arange(3.0)[2]) == 2.0

    @njit
    def last(starts, n):
        m = starts[0]
        for j in range(starts[0] + 1, n):
            if j % 2 == 1:
                m = j
        return m

    for dtype in ("i4", "i8", "u2"):
        assert last(np.array([0, 3], dtype), 6) == 5
        assert last(np.array([4, 3], dtype), 3) == 4


def test_sums_of_single_precision_are_double() -> None:
    @njit
    def mean(x):
        s = 0.0
        for each in x:
            s += each
        return s / len(x)

    x = np.full(1000, 0.1, np.float32)
    assert (
        mean(x) == np.float64(np.float32(0.1)) * 1000 / 1000 or abs(mean(x) - float(x[0])) < 1e-12
    )


def test_floats_are_truncated_into_arrays_of_integers() -> None:
    @njit
    def filled(x, value):
        x[0] = value
        x[1:] = np.nan
        return x

    x = filled(np.zeros(3, np.int32), 2.75)
    assert x[0] == 2
    assert x[1] == x[2] == np.iinfo(np.int32).min


def test_overloaded_methods_and_attributes() -> None:
    @numba.extending.overload_method(types.Array, "spread_of_items")
    def _(array, factor=1):
        if array.ndim == 1:
            return lambda array, factor=1: (array.max() - array.min()) * factor

        def of_rows(array, factor=1):
            total = 0.0
            for row in array:
                total += row.spread_of_items(factor)
            return total

        return of_rows

    @numba.extending.overload_attribute(types.Array, "middle_item")
    def _(array):
        return lambda array: array[len(array) // 2]

    @numba.extending.overload_method(types.unicode_type, "shouted")
    def _(text):
        return lambda text: text + "!"

    @numba.extending.overload_method(types.Integer, "doubled")
    def _(n):
        return lambda n: 2 * n

    @njit
    def used(x, n):
        if n > 2:
            return x.spread_of_items(3) + n.doubled()
        return x.spread_of_items()

    x = np.array([1.0, 5.0, 3.0])
    assert [used(x, 1), used(x, 3), used(np.vstack([x, 2 * x]), 1)] == [4.0, 18.0, 12.0]
    assert njit(lambda x: x.middle_item)(np.arange(5)) == 2
    assert njit(lambda x: x.middle_item * x[0])(x) == 5.0
    assert njit(lambda text: text.shouted())("now") == "now!"
    with pytest.raises(AttributeError, match="doubled"):
        njit(lambda x: x.doubled())(1.5)


def test_literally() -> None:
    made = njit(lambda pair, i: pair[numba.literally(i)])
    assert [type(made((1, 2.5), i)) for i in (0, 1, 0)] == [int, float, int]
    assert njit(lambda x: x[numba.literally(x[1])])(np.arange(3)) == 1
    assert njit(lambda x: numba.literally(x))("text") == numba.literally("text")


def _of_text(operator: str) -> Any:
    names: dict[str, Any] = {}
    exec(
        f"def f(x, least):\n    t = 0\n    for a in x:\n        if a > least:\n"
        f"            t = t {operator} a\n    return t\n",
        names,
    )
    return names["f"]


def _of_tree(most: int) -> Any:
    text = "class Holder:\n    def f(x):\n        return [a for a in x if a < 1]\n"
    tree = ast.parse(text)
    for node in ast.walk(tree):
        if isinstance(node, ast.Constant):
            node.value = most
    names: dict[str, Any] = {}
    exec(compile(tree, "<made>", "exec"), names)
    return names["Holder"].f


def test_functions_of_text_and_trees_that_are_gone() -> None:
    x = np.array([3, 1, 4, 1, 5])
    assert [njit(_of_text(each))(x, 2) for each in "+-"] == [12, -12]
    assert [njit(_of_tree(most))(x) for most in (2, 4)] == [[1, 1], [3, 1, 1]]
