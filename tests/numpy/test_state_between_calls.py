"""What functions keep between calls, in attributes and variables around them, and what decides."""

import collections
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest

import agir as ag

CALLS = (1, 2, 3, 3, 5, 1)


class Held:
    """What methods read and assign to."""

    shared = None

    def __init__(self):
        self.array = None
        self.number = None
        self.flag = False
        self.mode = "a"
        self.seen = ()
        self.entries = {}
        self.items = [None, 0]
        self.child = SimpleNamespace(value=2.0)


def array_at_first(self, n):
    if self.array is None:
        self.array = np.zeros(2)
    self.array[0] += n
    return self.array.copy()


def attribute_at_first(self, n):
    if not hasattr(self, "late"):
        self.late = np.ones(2)
    self.late *= n
    return self.late.sum()


def attribute_that_is_missed(self, n):
    try:
        self.later[0] += n
    except AttributeError:
        self.later = np.zeros(2)
    return self.later.copy()


def entry_at_first(self, n):
    if "b" not in self.entries:
        self.entries["b"] = np.zeros(2)
    self.entries["b"][0] += n
    self.entries["count"] = self.entries.get("count", 0) + 1
    return self.entries["b"].copy(), self.entries["count"]


def entry_by_default(self, n):
    self.entries.setdefault("q", np.zeros(2))[0] += n
    return self.entries["q"].copy()


def item_at_first(self, n):
    if self.items[0] is None:
        self.items[0] = np.zeros(2)
    self.items[0][1] += n
    self.items[1] += n
    return self.items[0].copy(), self.items[1]


def number_at_first(self, n):
    if self.number is None:
        self.number = n
    self.number += n
    return self.number


def number_or_none(self, n):
    if self.number is None:
        self.number = 0
    else:
        self.number = None
    return -1 if self.number is None else self.number


def array_or_none(self, n):
    self.array = np.arange(3) if self.array is None else None
    return n


def larger_array(self, n):
    if self.array is None or self.array.shape[0] < n:
        self.array = np.zeros(n)
    self.array[:n] += 1
    return self.array.sum()


def on_a_path(self, n):
    if n > 2:
        self.array = np.full(2, 1.0 * n)
    return 0 if self.array is None else self.array[0]


def turned(self, n):
    self.flag = not self.flag
    return n if self.flag else -n


def mode_after_mode(self, n):
    if self.mode == "a":
        self.mode = "b"
        return n
    if self.mode == "b":
        self.mode = "c"
        return 2 * n
    self.mode = "a"
    return 3 * n


def longer_text(self, n):
    self.mode = self.mode + "x" if n < 3 else "y"
    return len(self.mode)


def tuple_of_all(self, n):
    self.seen = (*self.seen[-2:], n)
    return len(self.seen), self.seen[0]


def last_one(self, n):
    before, self.number = self.number, n
    return n if before is None else n - before


def of_the_class(self, n):
    Held.shared = np.zeros(2) if Held.shared is None else Held.shared + n
    return Held.shared


def new_object(self, n):
    before = self.child.value
    self.child = SimpleNamespace(value=before + n)
    return before


def gone(self, n):
    if hasattr(self, "mark"):
        del self.mark
        return 0
    self.mark = n
    return 1


METHODS = [
    array_at_first, attribute_at_first, attribute_that_is_missed, entry_at_first, entry_by_default,
    item_at_first, number_at_first, number_or_none, array_or_none, larger_array, on_a_path, turned,
    mode_after_mode, longer_text, tuple_of_all, last_one, of_the_class, new_object, gone,
]  # fmt: skip


def run(method, decorate):
    Held.shared = None
    held = Held()
    function = decorate(method)
    found = [function(held, n) for n in CALLS]
    state = {name: value for name, value in vars(held).items() if name != "child"}
    return found, state, held.child.value, Held.shared


@pytest.mark.parametrize("method", METHODS, ids=lambda f: f.__name__)
@pytest.mark.parametrize("compiled", [None, False], ids=["compiled", "interpreted"])
def test_methods_go_on_from_what_they_left(method, compiled):
    found = run(method, lambda f: ag.jit(f, jit_compile=compiled))
    np.testing.assert_equal(found, run(method, lambda f: f))


def test_variables_of_enclosing_functions():
    def make(decorate):
        array, flag, text, last = None, False, "a", [None]

        @decorate
        def step(n):
            nonlocal array, flag, text
            if array is None:
                array = np.zeros(2)
            array[0] += n
            flag = not flag
            text = text + "b"
            before, last[0] = last[0], n
            return array.copy(), n if flag else -n, len(text), n if before is None else n - before

        return step

    plain, decorated = make(lambda f: f), make(ag.jit)
    for n in CALLS:
        np.testing.assert_equal(decorated(n), plain(n))


READS = {
    "None": (lambda o, n: n if o.x is None else n * 2, [None, 3, None, "a"]),
    "a tuple": (lambda o, n: n * len(o.x), [(1,), (1, 2), (3, 4)]),
    "an item": (lambda o, n: n * o.x[0], [[1], [2], (3,)]),
    "an entry": (lambda o, n: n * o.x["k"], [{"k": 1}, {"k": 2}]),
    "whether there is an entry": (lambda o, n: n * ("k" in o.x), [{}, {"k": 2}, {}]),
    "a set": (lambda o, n: n * (3 in o.x), [{3}, {4}, frozenset({3})]),
    "a dtype": (lambda o, n: np.zeros(2, o.x) + n, [np.float32, np.float64]),
    "a slice": (lambda o, n: np.arange(5)[o.x] * n, [slice(0, 2), slice(1, 4)]),
    "a range": (lambda o, n: sum(i for i in o.x) * n, [range(3), range(4)]),
    "an array or None": (
        lambda o, n: n if o.x is None else o.x * n,
        [np.ones(2), None, np.ones(3), np.ones(3) * 2],
    ),
    "a class": (lambda o, n: n if o.x is int else n * 2, [int, float]),
    "an object": (
        lambda o, n: n * o.x.v,
        [SimpleNamespace(v=1), SimpleNamespace(v=5), SimpleNamespace(v=1)],
    ),
    "getattr": (lambda o, n: n * getattr(o.x, "v", 7), [SimpleNamespace(), SimpleNamespace(v=2)]),
    "a function": (lambda o, n: o.x(n), [lambda n: n, lambda n: n + 1, abs, np.sin]),
    "nested": (lambda o, n: n * o.x["a"][0]["b"], [{"a": [{"b": 1}]}, {"a": [{"b": 2}]}]),
}


@pytest.mark.parametrize("what", READS)
def test_what_is_read_decides(what):
    function, values = READS[what]
    o = SimpleNamespace()
    decorated = ag.jit(lambda n: function(o, n))
    for _ in range(2):
        for o.x in values:
            np.testing.assert_equal(decorated(2), function(o, 2))


def test_contents_that_change_decide():
    o = SimpleNamespace(items=[1.0], entries={}, chosen=set())
    plain = lambda n: n * (len(o.items) + o.items[-1] + len(o.entries) + (2 in o.chosen))  # noqa: E731
    decorated = ag.jit(plain)
    for change in (lambda: None, lambda: o.items.append(4.0), lambda: o.entries.update(k=1),
                   lambda: o.chosen.add(2), lambda: o.items.pop(0)):  # fmt: skip
        change()
        assert decorated(2) == plain(2)


def test_containers_of_arrays_and_others():
    held = {
        "queue": collections.deque([np.ones(2)], maxlen=3),
        "counts": collections.Counter("aab"),
        "defaults": collections.defaultdict(lambda: 7, a=1),
        "order": collections.OrderedDict(a=1, b=np.ones(2)),
    }

    def read(n):
        queue, counts = held["queue"], held["counts"]
        total = queue[0].sum() * n + len(queue) + counts["a"] * n + counts["none"]
        return total + held["defaults"]["other"] + held["order"]["b"].sum() * held["order"]["a"]

    decorated = ag.jit(read)
    for change in (
        lambda: None,
        lambda: held["queue"][0].fill(5),
        lambda: held["queue"].append(np.ones(1)),
        lambda: held["queue"].appendleft(np.ones(4)),
        lambda: held["counts"].update(["a", "none"]),
        lambda: held["defaults"].update(other=2),
        lambda: held["order"].update(a=3),
        lambda: held["order"]["b"].fill(0),
    ):
        change()
        assert decorated(2) == read(2)


class Slotted:
    __slots__ = ("array", "number")


def test_abstracts_are_attributes():
    o = Slotted()

    @ag.jit
    def f(n):
        if o.number > 2:
            o.array[0] = n
        o.number = o.number + 1
        return o.array * n

    o.array, o.number = np.ones(2), 1
    for n, wanted in ((1, [1, 1]), (2, [2, 2]), (3, [9, 3])):
        np.testing.assert_array_equal(f(n), wanted)
    assert o.number == 4
    np.testing.assert_array_equal(o.array, [3, 1])


counter = iter(range(100))


def test_an_iterator_of_outside_goes_on_once():
    f = ag.jit(lambda n: next(counter) + n)
    with pytest.warns(ag.errors.SideEffectWarning, match="the range_iterator changes once"):
        assert f(1) == 1
    assert f(1) == 1


def same_constant_on_a_path(self, n):
    for _ in range(n - 2):
        self.mode = "done"
    if n > 2:
        self.number = (1, 2)
    self.flag = True
    return n


def same_array_as_another(self, n):
    self.number = self.array
    return n


def only_on_a_path(self, n):
    if n > 2:
        self.array = np.full(2, 1.0 * n)
        self.number = None
    return n


@pytest.mark.parametrize(
    "method", [same_constant_on_a_path, same_array_as_another, only_on_a_path, on_a_path, turned]
)
def test_what_callers_assign_between_calls_counts(method):
    changes = [{}, {"mode": "x", "flag": "y"}, {"number": 7, "array": np.ones(2)}, {},
               {"flag": None, "array": None}, {"mode": "done", "array": np.ones(3)}, {}]  # fmt: skip
    found = []
    for function in (method, ag.jit(method)):
        held, states = Held(), []
        for n, change in zip((5, 1, 3, 1, 5, 1, 5), changes, strict=True):
            for name, value in change.items():
                setattr(held, name, value.copy() if isinstance(value, np.ndarray) else value)
            result = function(held, n)
            kept = {k: v.copy() if isinstance(v, np.ndarray) else v for k, v in vars(held).items()}
            states.append((result, {k: v for k, v in kept.items() if k != "child"}))
        found.append(states)
    np.testing.assert_equal(found[1], found[0])


def test_traces_for_what_was_held_before_are_kept():
    held = SimpleNamespace(mode="a")

    @ag.jit
    def step(n):
        if held.mode == "a":
            held.mode = "b"
            return n
        held.mode = "a"
        return -n

    assert [step(n) for n in range(10)] == [n if n % 2 == 0 else -n for n in range(10)]
    assert step.experimental_get_tracing_count() == 2


def test_objects_that_only_the_trace_has_are_no_condition():
    @ag.jit
    def f(x):
        return x * np.finfo(np.float64).eps + SimpleNamespace(k=2.0).k

    for _ in range(3):
        assert f(1.0) == np.finfo(np.float64).eps + 2.0
    assert f.experimental_get_tracing_count() == 1


def changes_a_list(x, items, n):
    items[0] = x * n
    return items[0].sum()


def changes_an_entry(x, entries, n):
    if n > 2:
        entries["x"] = x.sum()
    return n


def grows_a_list(x, items, n):
    items.append(n)
    return len(items)


@pytest.mark.parametrize("f", [changes_a_list, changes_an_entry, grows_a_list])
def test_containers_of_callers_change(f):
    x = np.ones(2)
    given: Any = {"x": 1.0} if f is changes_an_entry else [x, 2.0]
    wanted = given.copy()
    assert ag.jit(f)(x, given, 3) == f(x, wanted, 3)
    assert repr(given) == repr(wanted)


def test_gathered_keywords_are_the_functions_own():
    def f(x, **options):
        scale = options.pop("scale", 2.0)
        options["more"] = 1
        return x * scale + len(options)

    np.testing.assert_array_equal(ag.jit(f)(np.ones(2), scale=3.0, other=1), [5, 5])
