"""Branches and loops, as they are recorded."""

import numpy as np

import agir as ag

F = np.zeros(8)


def test_a_branch_gives_what_it_binds(check):
    @ag.jit
    def sign(x):
        """
        CHECK: func.func @sign(%x: f64) -> i64
        CHECK: %[[C:.*]] = arith.cmpf ogt, %x
        CHECK: %[[R:.*]] = scf.if %[[C]] -> (i64) {
        CHECK-NEXT: %[[ONE:.*]] = arith.constant 1 : i64
        CHECK-NEXT: scf.yield %[[ONE]] : i64
        CHECK-NEXT: } else {
        CHECK: }
        CHECK-NEXT: return %[[R]] : i64
        """
        if x > 0:
            r = 1
        else:
            r = -1
        return r

    check(sign, 1.0)


def test_a_return_in_a_branch_makes_the_rest_the_other_one(check):
    @ag.jit
    def clipped(x, low):
        """
        CHECK: %[[R:.*]] = scf.if
        CHECK-NEXT: scf.yield %low : f64
        CHECK-NEXT: } else {
        CHECK: %[[V:.*]] = arith.mulf %x
        CHECK-NEXT: scf.yield %[[V]] : f64
        CHECK: return %[[R]] : f64
        """
        if x < low:
            return low
        return x * 2

    check(clipped, 1.0, 1.0)


def test_a_break_is_a_condition_of_the_loop(check):
    @ag.jit
    def search(x, wanted):
        """
        CHECK: scf.while (%position = %{{.*}}, %found = %{{.*}}, %break_ = %false
        CHECK: %[[ON:.*]] = arith.xori %break_
        CHECK: %[[GO:.*]] = arith.andi %{{.*}}, %[[ON]] : i1
        CHECK-NEXT: scf.condition(%[[GO]]) %position, %found, %break_
        CHECK: tensor.extract %x[
        CHECK: scf.if %{{.*}} -> (i64, i1)
        """
        found = -1
        for i in range(len(x)):
            if x[i] == wanted:
                found = i
                break
        return found

    check(search, F, 1.0)


def test_what_cannot_fail_is_evaluated_at_once(check):
    @ag.jit
    def both(a, b):
        """
        CHECK-NOT: scf.if
        CHECK: %[[L:.*]] = arith.cmpf ogt, %a
        CHECK: %[[R:.*]] = arith.cmpf ogt
        CHECK: %[[B:.*]] = arith.andi %[[L]], %[[R]] : i1
        CHECK-NEXT: return %[[B]] : i1
        """
        return a > 0 and b * a > 2.0

    check(both, 1.0, 2.0)


def test_a_short_range_is_unrolled(check):
    @ag.jit
    def power(x):
        """
        CHECK-NOT: scf
        CHECK-COUNT-3: arith.mulf
        CHECK-NOT: arith.mulf
        CHECK: return
        """
        y = x
        for _ in range(3):
            y = y * x
        return y

    check(power, 2.0)


def test_a_list_that_grows_is_an_array_and_a_length(check):
    @ag.jit
    def multiples(n):
        """
        CHECK: scf.for %i = {{.*}} iter_args(%[[N:the_list.*]] = %{{.*}}, %[[L:the_list.*]] = %{{.*}})
        CHECK: scf.if
        CHECK: %[[MORE:.*]] = arith.addi %[[N]]
        CHECK: %[[DIM:.*]] = tensor.dim %[[L]]
        CHECK: arith.addi %[[DIM]], %[[DIM]] : index
        CHECK: %[[NEW:.*]] = tensor.insert %{{.*}} into
        CHECK: scf.yield %[[MORE]], %[[NEW]] : i64, tensor<?xi64>
        """
        found = []
        for i in range(n):
            if i % 3 == 0:
                found.append(i - 2)
        return np.array(found)

    check(multiples, 9)


def test_scalars_are_mlir_scalars_and_while_is_functional(check):
    @ag.jit
    def halve(n):
        """
        CHECK: func.func @halve(%n: i64) -> i64 {
        CHECK: %[[R:[0-9]+]]:2 = scf.while (%{{n_?.*}} = %n, %steps = %{{.*}}) : (i64, i64)
        CHECK: arith.cmpi sgt
        CHECK: scf.condition
        CHECK: arith.floordivsi
        CHECK: %[[S:steps.*]] = arith.addi %steps
        CHECK: scf.yield {{.*}}, %[[S]] : i64, i64
        CHECK: return %[[R]]#1 : i64
        """
        steps = 0
        while n > 1:
            n = n // 2
            steps += 1
        return steps

    check(halve, 8)


def test_a_counted_loop_is_scf_for_without_checks_of_its_subscripts(check):
    @ag.jit
    def running(x):
        """
        CHECK-NOT: fail_unless
        CHECK: %[[R:.*]] = scf.for %i = {{.*}} iter_args(%[[X:.*]] = %x)
        CHECK: tensor.extract %[[X]][%i]
        CHECK: tensor.insert {{.*}} into %[[X]][
        CHECK: scf.yield
        CHECK-NOT: fail_unless
        """
        for i in range(7):
            x[i + 1] = x[i] + 1

    check(running, F)
