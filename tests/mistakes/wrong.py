"""Programs that are wrong, as a beginner writes them: each raises, in Python and decorated."""

import json
import math

import numpy as np


def f_attribute(x):
    return x.fooo


def f_attribute_of_a_number(x, n):
    return n.lenght


def f_attribute_of_a_result(x):
    return (x + 1).meen()


def f_attribute_of_an_element(x):
    return x[0].fooo


def f_attribute_in_a_loop(x, n):
    for _ in range(n):
        x = x.doubled()
    return x


def f_attribute_in_a_branch(x, n):
    if n > 1:
        x = x.nothing
    return x


def f_append(x):
    x.append(3.0)


def f_attribute_is_set(x):
    x.foo = 3
    return x


def f_called(x):
    return x(0)


def f_added_to_text(x):
    return "a" + x


def f_text_is_added(x):
    return x + "a"


def f_none_is_added(x):
    return x + None


def f_object_is_added(x):
    return x + object()


def f_dict_is_added(x):
    return x + {}


def f_function_is_added(x):
    return x + len


def f_text_as_an_index(x):
    return x["a"]


def f_float_as_an_index(x):
    return x[1.5]


def f_too_many_indices(x):
    return x[1, 2]


def f_index_outside(x):
    return x[10]


def f_shapes(x, n, m):
    return x + m


def f_matmul(x, n, m):
    return m @ x


def f_axis(x):
    return np.sum(x, axis=3)


def f_keyword(x):
    return np.sum(x, axs=0)


def f_no_such_function(x):
    return np.summ(x)


def f_unknown_name(x):
    return x + yy  # noqa: F821


def f_tuple_is_assigned_to(x):
    both = (x, x)
    both[0] = 3
    return both


def f_deleted(x):
    del x[0]


def f_context(x):
    with x:
        pass


def f_condition(x):
    if x:
        return 1
    return 0


def f_loop_condition(x):
    while x > 0:
        x -= 1
    return x


def f_both(x):
    return x > 0 and x < 3


def f_int(x):
    return int(x)


def f_range(x):
    return [i for i in range(x)]


def f_length_of_an_element(x):
    return len(x[0])


def f_items_of_an_element(x):
    return [v for v in x[0]]


def f_math(x):
    return math.sin(x)


def f_format(x):
    return "%d" % x


def f_join(x):
    return ",".join(x)


def f_json(x):
    return json.dumps(x)


def f_text_method(x):
    return x.upper()


def f_hash(x):
    return hash(x)


def f_written_outside(x):
    x[10] = 3
    return x


def f_written_in_another_shape(x):
    x[0:2] = np.zeros(3)


def f_reshape(x):
    return x.reshape(4, 4)


def f_concatenate(x):
    return np.concatenate(x, np.zeros(3))


def f_where(x):
    return np.where(x > 0, 1)


def f_dtype(x):
    return x.astype("floaty")


def f_dtype_of_zeros(x, n):
    return np.zeros(3, x)


def f_unpacked(x):
    a, b, c = x
    return a


def f_unpacked_rows(x, n, m):
    a, b, c = m
    return a


def f_unpacked_at_run_time(x, n):
    a, b, c = x[:n]
    return a


def f_method_of_a_method(x):
    return x.sum.mean


def f_item(x):
    return x.item()


def f_nested(x):
    def g(y):
        return y.foo

    return g(x)


def f_too_few_arguments(x):
    def g(y, z):
        return y

    return g(x)


def f_list_index(x):
    items = [1, 2, 3]
    return items["a"]


def f_list_attribute(x, n):
    rows = []
    for i in range(n):
        rows.append(x[i])
    return rows.push(3)


def f_list_is_added(x, n):
    rows = []
    for i in range(n):
        rows.append(x[i])
    return rows + 3


def f_text_of_the_run_time(x, n):
    name = f"{n}"
    return name + 3


def f_text_attribute(x, n):
    name = f"{n}"
    return name.uper()


def f_none_is_used(x, n):
    best = None
    if n > 5:
        best = x
    return best.sum()


def f_none_is_called(x, n):
    best = None
    return best(x)


def f_sorted_key(x):
    return sorted(x, key=3)


def f_enumerate(x, n):
    return enumerate(n)[0]


def f_zip(x, n):
    return [a for a, b in zip(x, n)]


def f_sum_of_a_number(x, n):
    return sum(n)


def f_linalg(x):
    return np.linalg.inv(x)


def f_einsum(x, n, m):
    return np.einsum("ij,jk", x, m)


def f_shift(x):
    return x << 1


def f_bits(x):
    return ~x


def f_isinstance(x):
    return isinstance(x, 3)


def f_raise(x, n):
    if n > 1:
        raise x
    return x
