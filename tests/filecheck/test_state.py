"""Cells, views and variables, as they are recorded."""

import numpy as np

import agir as ag

F = np.zeros(8)


def test_an_alias_sees_what_is_written(check):
    @ag.jit
    def f(x):
        """
        CHECK: @f(%x: tensor<8xf64> {agir.writable}) -> (f64, tensor<8xf64> {agir.destination
        CHECK: %[[W:.*]] = tensor.insert %{{.*}} into %x
        CHECK: %[[R:.*]] = tensor.extract %[[W]]
        CHECK: return %[[R]], %[[W]]
        """
        y = x
        y[0] = 1.0
        return x[0]

    check(f, F)


def test_an_array_of_tensorflows_is_a_value(check):
    @ag.function
    def f(x):
        """
        CHECK: @f(%x: tensor<8xf64>) -> tensor<8xf64> {
        CHECK-NOT: tensor.insert
        CHECK: arith.addf %x, %x
        """
        return x + x

    check(f, F)


def test_a_view_writes_through(check):
    @ag.jit
    def f(x):
        """
        CHECK: tensor.insert_slice %{{.*}} into %x[1, 0] [1, 4] [1, 1]
        CHECK: %[[ROW:.*]] = tensor.insert
        CHECK: %[[X:.*]] = tensor.insert_slice %[[ROW]]
        CHECK-NEXT: return %[[X]] : tensor<3x4xf64>
        """
        row = x[1]
        row[:] = 0.0
        row[2] = 5.0

    check(f, np.zeros((3, 4)))


def test_a_variable_is_an_argument_and_a_result(check):
    counter = ag.Variable(0, dtype=ag.int64)

    @ag.function
    def count(n):
        """
        CHECK: func.func @count(%n: i32, %Variable: i64) -> (i64, i64)
        CHECK: %[[R:.*]] = scf.for %{{.*}} iter_args(%[[V:.*]] = %Variable) -> (i64)
        CHECK: %[[NEW:.*]] = arith.addi %[[V]]
        CHECK-NEXT: scf.yield %[[NEW]] : i64
        CHECK: return %[[R]], %[[R]]
        """
        for _ in ag.range(n):
            counter.assign_add(2)
        return counter.read_value()

    check(count, ag.constant(3))


def test_what_a_loop_only_reads_is_not_carried(check):
    @ag.jit
    def f(x, table, n):
        """
        CHECK: scf.for %{{.*}} iter_args(%[[X:.*]] = %x) -> (tensor<8xf64>)
        CHECK: arith.addf %[[X]], %table
        """
        for _ in range(n):
            x = x + table
        return x

    check(f, F, F, 3)


def test_a_changed_attribute_is_carried_by_the_loop(check):
    class Tally:
        def __init__(self):
            self.total = 0

    @ag.jit
    def f(n):
        """
        CHECK: %[[R:.*]] = scf.for %i = {{.*}} iter_args(%[[T:.*]] = %{{.*}}) -> (i64)
        CHECK: %[[NEW:.*]] = arith.addi %[[T]]
        CHECK: scf.yield %[[NEW]] : i64
        CHECK: return %[[R]] : i64
        """
        tally = Tally()
        for i in range(n):
            tally.total += i % 3
        return tally.total

    check(f, 9)


def test_a_slice_assignment_is_insert_slice(check):
    @ag.jit
    def f(x):
        """
        CHECK-DAG: %[[A:.*]] = tensor.extract_slice %x[0] [6] [1]
        CHECK-DAG: %[[B:.*]] = tensor.extract_slice %x[2] [6] [1]
        CHECK: %[[S:.*]] = arith.addf %[[A]], %[[B]] : tensor<6xf64>
        CHECK: tensor.insert_slice %[[S]] into %x[1] [6] [1]
        """
        x[1:-1] = x[:-2] + x[2:]

    check(f, F)
