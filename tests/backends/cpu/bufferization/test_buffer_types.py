"""Bufferization of many branches in a row, which would take exponentially long."""

import numpy as np

import agir as ag
from agir.ir.building import bindings


def many_branches(x, n):
    for i in range(n):
        if x[0] > i:
            x[1] += 1
        if x[1] > i:
            x[2] += 2
        if x[2] > i:
            x[3] += x[0]
        if x[3] > i:
            x[0] -= 1
        while x[1] > 5:
            if x[2] > 3:
                x[1] -= 3
            if x[1] > 7:
                x[2] += 1
            if x[0] > 7:
                x[3] += 1
            if x[0] > 8:
                x[4] += 1
            x[1] -= 1
        if x[3] > 7:
            x[4] += 1
        if x[4] > 7:
            x[5] += 1
        if x[5] > 7:
            x[4] -= 2
        while x[4] > 3:
            if x[5] > 3:
                x[5] -= 3
            if x[3] > 3:
                x[3] -= 3
            x[4] -= 1
            if x[2] > 3:
                x[5] -= 3
            if x[1] > 3:
                x[3] -= 3
        if x[5] > 7:
            x[3] -= 2
        if x[3] > 7:
            x[2] -= 2
    return x.sum()


def test_branches_in_a_row_compile_and_are_right():
    expected, found = np.arange(8), np.arange(8)
    compiled = ag.jit(many_branches)
    total = compiled(found, 20)
    assert total == many_branches(expected, 20)
    np.testing.assert_array_equal(found, expected)
    buffers = compiled.experimental_get_compiler_ir(found, 20)(stage="bufferized")
    assert "same_buffer" not in buffers
    assert buffers.count("memref.copy") <= 1  # the array is written in place


def test_the_function_that_ends_a_search_is_taken_out_again():
    from agir.backends.cpu.passes.bufferization import buffer_types
    from agir.backends.mlir.modules import find

    text = """
    func.func @f(%x: tensor<?xi64>, %c: i1) -> tensor<?xi64> {
    """
    for number in range(20):
        text += f"""
        %r{number} = scf.if %c -> tensor<?xi64> {{
          scf.yield %{"x" if number == 0 else f"r{number - 1}"} : tensor<?xi64>
        }} else {{
          scf.yield %{"x" if number == 0 else f"r{number - 1}"} : tensor<?xi64>
        }}
        """
    text += "return %r19 : tensor<?xi64> }"
    with bindings.context():
        module = bindings.ir.Module.parse(text)
        before = str(module)
        buffer_types.shorten_type_queries(module)
        assert len(find(module, "func.call")) == 2  # behind 9 and behind 18 branches
        module.operation.verify()
        buffer_types.forget_same_buffers(module)
        assert str(module) == before


def test_what_is_only_read_is_no_path():
    """A stencil read itself thrice a line, and was copied where the paths were cut for that."""
    from agir.backends.cpu.passes.bufferization import buffer_types

    text = """
    func.func @f(%x: tensor<8xf64>, %n: index) -> tensor<8xf64> {
    %one = arith.constant 1 : index
    %all = scf.for %i = %one to %n step %one iter_args(%r0 = %x) -> tensor<8xf64> {
    """
    for number in range(20):
        text += f"""
        %a{number} = tensor.extract_slice %r{number}[0] [4] [1] : tensor<8xf64> to tensor<4xf64>
        %b{number} = tensor.extract_slice %r{number}[4] [4] [1] : tensor<8xf64> to tensor<4xf64>
        %e{number} = tensor.empty() : tensor<4xf64>
        %s{number} = linalg.add ins(%a{number}, %b{number} : tensor<4xf64>, tensor<4xf64>)
          outs(%e{number} : tensor<4xf64>) -> tensor<4xf64>
        %r{number + 1} = tensor.insert_slice %s{number} into %r{number}[2] [4] [1]
          : tensor<4xf64> into tensor<8xf64>
        """
    text += "scf.yield %r20 : tensor<8xf64> } return %all : tensor<8xf64> }"
    with bindings.context():
        module = bindings.ir.Module.parse(text)
        before = str(module)
        buffer_types.shorten_type_queries(module)
        assert str(module) == before


def test_one_of_a_copy_and_a_constant_with_many_writes_and_a_slice():
    def written(c, n):
        v, u = c.copy(), np.zeros_like(c)
        for k in range(3):
            if v[0] > n + k:
                v = u
            v[-1] = k
        for k in range(12):
            v[k % 3] += k
        v[0:2] = v[0]
        return v, u

    for start in (0.0, 9.0):
        for found, wanted in zip(
            ag.jit(written)(np.full(3, start), 1), written(np.full(3, start), 1), strict=True
        ):
            np.testing.assert_array_equal(found, wanted)


def rewritten_in_nested_loops(x, y, n):
    """In each loop and branch `z` is another array, or written into."""
    a, c, z = 1.5, x[0], x.copy()
    for i in range(n):
        for j in range(n):
            if c > a:
                z = np.tanh(y)
            else:
                a = 0.25 * (a - j)
            if a < 1.0:
                c = 1.0 / (1.0 + z[0] * z[0])
                z[::2] = a - c
            else:
                z = np.where(x > a, z, np.where(y > c, y + x, y))
                z = y * (a * a)
            k = 0
            while k < 4:
                k += 1
                z[1:3] = c
                c = 1.0 / (1.0 + z[0] * z[0])
            for m in range(n):
                a = c
                z = y
                if z[2] > 0.5 * m:
                    break
        if c != a:
            continue
        for m in range(3):
            z = x + m
            k = 0
            while k < n:
                k += 1
                z[0] = a - c * k
                for p in range(n):
                    z = y - p if c > a else z
                    c = 0.5 * z[2]
    return a, c, z


def test_loops_in_loops_that_each_choose_an_array():
    """Its compilation had no end: the types of buffers were asked for along all paths."""
    x, y = np.linspace(-1, 1, 5), np.arange(5.0) * 0.3
    for n in (0, 1, 3):
        expected = rewritten_in_nested_loops(x.copy(), y.copy(), n)
        found = ag.jit(rewritten_in_nested_loops)(x.copy(), y.copy(), n)
        for one, other in zip(found, expected, strict=True):
            np.testing.assert_allclose(one, other)
