"""Counters, ordered dicts, views and frozensets whose keys only the run time knows."""

from __future__ import annotations

import copy
from collections import Counter, OrderedDict, defaultdict
from collections.abc import ItemsView, KeysView, Set, ValuesView

import pytest

import agir as ag
from agir.ir.plain.hashed import counters, mappings, orders, sets, views

pytestmark = pytest.mark.filterwarnings("error")


def sums_of_counters(a, b):
    x, y = Counter(a), Counter(b)
    return x + y, x - y, x | y, x & y, +x, -x


def order_of_counters(a, b):
    x, y = Counter(a), Counter(b)
    return x == y, x <= x | y, x > y, x != y, x < y, x >= x & y, x == {1: 2}


def counters_in_place(a, b):
    added, less, most, least = Counter(a), Counter(a), Counter(a), Counter(a)
    added += Counter(b)
    less -= Counter(b)
    most |= Counter(b)
    least &= Counter(b)
    del added[1]
    del added[77]
    return added, less, most, least


def counters_of_known_keys(a, b):
    x = Counter(a)
    x.subtract(b)
    x.update({3: 2})
    return x, x.total(), x.get(9), x[9], Counter({1: 2, 2: 0}) + x, Counter({1: 2}) | x


def listed_counters(a, b):
    x = Counter(a + b)
    return list(x.elements()), x.most_common(1), x.most_common(-1), x.most_common()


def moved(a, b):
    d = OrderedDict()
    for place, key in enumerate(a + b):
        d[key] = place
    d.move_to_end(a[0])
    d.move_to_end(5, last=False)
    first, last = d.popitem(last=False), d.popitem()
    return d, first, last, d == OrderedDict(d), d == dict(d), list(reversed(d))


def differently_ordered(a, b):
    x, y = OrderedDict(), OrderedDict()
    for key in a:
        x[key] = 1
    for key in reversed(list(x)):
        y[key] = 1
    return x == y, x == dict(y), x != y, len(b)


def least_recently_used(keys, bounds):
    cache, hits = OrderedDict(), 0
    for key in keys:
        if key in cache:
            hits += 1
            cache.move_to_end(key)
        else:
            cache[key] = key * key
            if len(cache) > bounds[0]:
                cache.popitem(last=False)
    return hits, cache


def moved_on_a_path(a, b):
    d = OrderedDict(a=1, b=2)
    if a[0] > 2:
        d.move_to_end("a")
    return next(iter(d.values()))


def moved_without_a_key(a, b):
    d = OrderedDict()
    d[a[0]] = 1
    d.move_to_end(99)


def nothing_left(a, b):
    d = OrderedDict()
    d[a[0]] = 1
    d.popitem()
    d.popitem()


def sets_of_views(a, b):
    x = {key: place for place, key in enumerate(a)}
    y = {key: place for place, key in enumerate(b)}
    return (
        (x.keys() & y.keys(), x.keys() | b, x.keys() - y.keys(), x.keys() ^ y.keys()),
        (x.items() & y.items(), x.items() - y.items(), {1, 9} & x.keys(), {1, 9} - x.keys()),
        (x.keys() == set(a), x.keys() <= {1, 2, 3, 9}, x.keys() != y.keys(), (3, 5) in x.items()),
        (x.keys().isdisjoint([8]), x.keys() < {1, 2, 3}, x.items() >= x.items(), {9: 1} | x),
    )


def reversed_views(a, b):
    x = {key: place for place, key in enumerate(a)}
    order = 0
    for key in reversed(x):
        order = order * 10 + key
    return order, list(reversed(x.values())), list(reversed(x.items())), list(reversed(x.keys()))


def kinds_of_views(a, b):
    x = dict.fromkeys(a, 1)
    of_keys = (type(x.keys()).__name__, isinstance(x.keys(), KeysView), isinstance(x.keys(), set))
    return of_keys, isinstance(x.items(), ItemsView | Set), isinstance(x.values(), ValuesView)


def frozensets(a, b):
    x, y = frozenset(a), set(b)
    return x | y, y | x, x ^ y, x - y, x.union([9]), x.symmetric_difference(b), x == y, x != a


def emptied(a, b):
    x = dict.fromkeys(a, 1)
    while x:
        x.popitem()
    x[3] = 1
    return x, set(a) == b


def a_set_with_a_list(a, b):
    return set(a) | b


def a_set_below_a_list(a, b):
    return set(a) < b


def a_counter_with_a_dict(a, b):
    return Counter(a) + {1: 2}


def a_frozenset_that_gains(a, b):
    found = frozenset(a)
    found.add(1)


def a_dict_that_counts(a, b):
    return dict.fromkeys(a, 1).most_common()


def made_by_operators(a, b):
    joined = {1: 2} | {3: 4}
    joined[a[0]] = b[0]
    both = Counter([1]) + Counter([2, 3])
    both[a[1]] += 1
    fewer = +(Counter([1, 1]) - Counter([1]))
    fewer[b[1]] += 1
    copied = Counter([5]).copy()
    copied[b[2]] += 1
    ordered = OrderedDict({1: 2}).copy()
    ordered[a[2]] = 7
    by_default = defaultdict(int, {1: 2}).copy()
    by_default[b[0]] += 3
    keys = list({1: 2}.keys())
    keys[a[0] % 1] = 5
    return joined, both, fewer, copied, ordered, by_default, keys


def frozen_and_not(a, b):
    frozen, some = frozenset([1, 2]), {1, 2}
    new = {a[0]}
    made = frozen | new, new | frozen, frozen & new, frozen - new, some | frozenset(new)
    return made, frozenset(new) | some, frozen.union(new), some ^ frozenset(b), frozen ^ set(b)


FUNCTIONS = [
    made_by_operators,
    frozen_and_not,
    sums_of_counters, order_of_counters, counters_in_place, counters_of_known_keys, listed_counters,
    moved, differently_ordered, least_recently_used, moved_on_a_path, moved_without_a_key,
    nothing_left, sets_of_views, reversed_views, kinds_of_views, frozensets, emptied,
    a_set_with_a_list, a_set_below_a_list, a_counter_with_a_dict, a_frozenset_that_gains,
    a_dict_that_counts,
]  # fmt: skip


def told(value):
    """The classes of a value and of what is in it, with sets in an order of their own."""
    if isinstance(value, set | frozenset):
        return type(value), sorted(value)
    if isinstance(value, tuple | list):
        return type(value), [told(each) for each in value]
    return repr(value)


def what(function, args):
    try:
        return told(function(*copy.deepcopy(args)))
    except (KeyError, TypeError, AttributeError) as error:
        kinds = (KeyError, TypeError, AttributeError)
        return next(each for each in kinds if isinstance(error, each)), str(error).split("\n")[0]


@pytest.mark.parametrize("function", FUNCTIONS)
def test_as_in_python(function):
    f = ag.jit(function)
    for args in ([[3, 1, 3, 2, 1, 3], [1, 1, 5, 3]], [[2, 5, 2, 7, 2, 5], [4, 9, 5, 4]]):
        assert what(f, args) == what(function, args)


STAND_INS = [
    (Counter, counters.HashCounter, {"fromkeys"}),
    (OrderedDict, orders.HashOrderedDict, {"fromkeys"}),
    (dict, mappings.HashDict, {"fromkeys"}),
    (set, sets.HashSet, set()),
    (frozenset, sets.HashFrozenSet, set()),
    (type({}.keys()), views.KeysView, {"mapping"}),
    (type({}.items()), views.ItemsView, {"mapping"}),
    (type({}.values()), views.ValuesView, {"mapping"}),
]


@pytest.mark.parametrize(("kind", "table", "left_out"), STAND_INS)
def test_every_public_name_of_the_class_is_there(kind, table, left_out):
    public = {each for each in dir(kind) if not each.startswith("_")}
    assert public - set(dir(table)) == left_out
    operators = {each for each in vars(kind) if each.endswith("__")}
    operators &= {
        f"__{each}__" for each in ("or", "and", "sub", "xor", "add", "ror", "rsub", "ior")
    }
    assert all(hasattr(table, each) for each in operators)


def test_what_is_left_out_says_so():
    @ag.jit
    def f(x):
        return {x: 1}.keys().mapping

    with pytest.raises(ag.errors.StagingError, match="the method mapping of a dict_keys that only"):
        f(3)
