"""Objects of the program's classes under several names: each result is right, or refused."""

from __future__ import annotations

from collections import Counter, defaultdict

import pytest

import agir as ag


class Node:
    def __init__(self, data=None):
        self.data = data
        self.next = None


def values(node):
    found = []
    while node is not None:
        found.append(node.data)
        node = node.next
    return found


def linked_by_an_attribute(n):
    head = Node(0)
    last = head
    for k in range(n):
        last.next = Node(k)
        last = last.next
    return head


def linked_by_a_variable(n):
    head = Node(0)
    last = head
    for k in range(n):
        new = Node(k)
        last.next = new
        last = new
    return head


def linked_in_a_while(n):
    head = Node(0)
    last, k = head, 0
    while k < n:
        last.next = Node(k)
        last = last.next
        k += 1
    return head


def linked_from_the_front(n):
    head = None
    for k in range(n):
        new = Node(k)
        new.next = head
        head = new
    return head


def of_items(items):
    head = Node(items[0])
    last = head
    for each in items[1:]:
        last.next = Node(each)
        last = last.next
    return head


def one_of_two(n):
    head = Node(0)
    last = head
    if n > 2:
        last = Node(5)
    last.data = 7
    first = Node(head.data)
    first.next = Node(last.data)
    return first


def written_in_each_iteration(n):
    head = Node(0)
    last = head
    for k in range(n):
        last.data = k
        last = Node(k + 1)
    first = Node(head.data)
    first.next = Node(last.data)
    return first


class Chain:
    def __init__(self):
        self.head = None
        self.tail = None

    def append(self, data):
        if self.tail:
            self.tail.next = self.tail = Node(data)
        else:
            self.head = self.tail = Node(data)


def two_ends(n):
    chain = Chain()
    for k in range(n):
        chain.append(k)
    return chain.head


def kept_by_the_first(n):
    head, last = Node(0), Node(1)
    for k in range(n):
        last = Node(k)
        head.next = last
    last.data = 50
    return head


PROGRAMS = [
    linked_by_an_attribute, linked_by_a_variable, linked_in_a_while, linked_from_the_front,
    one_of_two, written_in_each_iteration, kept_by_the_first, two_ends,
]  # fmt: skip


@pytest.mark.parametrize("program", PROGRAMS)
def test_right_or_refused(program):
    f = ag.jit(program)
    for n in (0, 1, 3, 5):
        expected = values(program(n))
        try:
            result = f(n)
        except ag.errors.StagingError:
            continue
        assert values(result) == expected


def test_right_or_refused_over_lists_of_several_lengths():
    f = ag.jit(of_items)
    for items in ([1], [1, 3], [1, 3, 5], [1, 3, 5, 32, 44]):
        try:
            result = f(items)
        except ag.errors.StagingError:
            continue
        assert values(result) == values(of_items(items))


def test_what_is_right_is_not_refused():
    for program in (one_of_two, written_in_each_iteration):
        for n in (0, 3):
            assert values(ag.jit(program)(n)) == values(program(n))


def same_after_loops(n):
    one, other = Node(1), None
    for k in range(n):
        one = Node(k)
        for _ in range(2):
            other = one
    return one is other


def same_after_a_branch(n):
    one, other = Node(1), None
    if n > 1:
        other = one
    return one is other, other is one, other is None


def same_list_after_a_branch(n):
    one, other = [1], None
    if n > 1:
        other = one
    return one is other, other is None


def another_after_a_branch(n):
    one, other = Node(1), None
    if n > 1:
        other = Node(3)
    return one is other, other is one


@pytest.mark.parametrize(
    "program",
    [same_after_loops, same_after_a_branch, same_list_after_a_branch, another_after_a_branch],
)
def test_identity_of_what_may_be_none(program):
    for n in (0, 1, 3):
        try:
            result = ag.jit(program)(n)
        except ag.errors.StagingError:
            assert program is same_after_loops
        else:
            assert result == program(n)


OUTSIDE = [1, 2, 3]


def split_and_longer(n):
    words = "a b".split()
    for _ in range(n):
        words.append("x")
    return words


def sorted_and_longer(n):
    letters = sorted("ba")
    if n > 1:
        letters.append("z")
    return letters[::-1]


def part_and_longer(n):
    part = OUTSIDE[:]
    for k in range(n):
        part.append(k)
    return part, OUTSIDE


def split_and_shorter(n):
    words = "a,b".split(",")[::-1]
    for _ in range(n):
        if words:
            words.pop()
    return words, " ".join(words)


@pytest.mark.parametrize(
    "program", [split_and_longer, sorted_and_longer, part_and_longer, split_and_shorter]
)
def test_lists_that_libraries_give(program, recwarn):
    f = ag.jit(program)
    for n in (0, 1, 3):
        assert f(n) == program(n)
    assert not [each for each in recwarn if issubclass(each.category, ag.errors.AgirWarning)]


def counted(n):
    found = Counter(["a", "b"])
    for k in range(n):
        found["a" if k % 2 else ""] += 1
    return found


def counted_by_default(n):
    found = defaultdict(int)
    found["a"] = 1
    for k in range(n):
        found["a" if k % 2 else ""] += 1
    return dict(found)


def counter_with_a_key_on_a_path(n):
    found = Counter("a")
    if n > 1:
        found["z"] = 5
    found["z"] += 1
    return found, found["z"]


def default_with_a_key_on_a_path(n):
    found = defaultdict(list)
    if n > 1:
        found["z"] = [5]
    return len(found["z"]), "z" in found


@pytest.mark.parametrize(
    "program",
    [counted, counted_by_default, counter_with_a_key_on_a_path, default_with_a_key_on_a_path],
)
def test_entries_that_only_some_paths_make_have_a_default(program):
    f = ag.jit(program)
    for n in (0, 1, 3, 5):
        assert f(n) == program(n)


def test_texts_of_two_lists_of_which_each_is_one_of_several():
    def joined(first):
        words = ["some", "random", "string"]
        found = [word[0].upper() + word[1:] for word in words[0 if first else 1 :]]
        begin = "" if first else words[0]
        return [begin, *found], "".join([begin, *found]), [*found, begin, *found]

    for first in (False, True):
        assert ag.jit(joined)(first) == joined(first)


def texts(n):
    one = ["p" if k % 2 else "q" for k in range(n)]
    other = ["r" if k % 3 else "s" for k in range(n)]
    return one + other, other + one, [*other, *one]


def templates(n):
    one = ["p" if k % 2 else f"q{k}" for k in range(n)]
    other = [f"q{k}" if k % 3 else "p" for k in range(n)]
    longer = list(other)
    longer.extend(one)
    longer.append(f"y{n}")
    return one + other, other + one, longer


def pairs(n):
    one = [(k, "p" if k % 2 else "q") for k in range(n)]
    other = [(k, "r" if k % 3 else "q") for k in range(n)]
    return one + other, other + one


def perhaps_none(n):
    one = [None if k % 2 else "q" for k in range(n)]
    other = ["r" if k % 3 else None for k in range(n)]
    return one + other, other + one


def numbers_or_text(n):
    one = [1 if k % 2 else "q" for k in range(n)]
    other = ["r" if k % 3 else 2.5 for k in range(n)]
    return one + other, other + one


@pytest.mark.parametrize("program", [texts, templates, pairs, perhaps_none, numbers_or_text])
def test_lists_of_run_time_length_of_which_each_item_is_one_of_several(program):
    f = ag.jit(program)
    for n in (0, 1, 4):
        assert repr(f(n)) == repr(program(n))


def test_what_a_library_in_python_cannot_do_is_refused():
    import json
    import statistics

    for function in (statistics.harmonic_mean, json.dumps):
        with pytest.raises(ag.errors.StagingError, match=rf"{function.__name__}\(\) is not conv"):
            ag.jit(lambda values, function=function: function(values))([1.5])


def test_a_list_that_contains_itself_as_an_argument():
    endless: list = [1]
    endless.append(endless)
    with pytest.raises(ag.errors.StagingError, match=r"contains itself.*in a circle"):
        ag.jit(lambda values: values[0])(endless)


class Joint:
    def __init__(self, value, left=None, right=None):
        self.value, self.left, self.right = value, left, right

    def values(self):
        found = [self.value]
        for each in (self.left, self.right):
            found += [None] if each is None else each.values()
        return found


def cut(tree, value):
    """What is taken out is changed, too, and nobody else refers to it then."""
    out = tree.left
    tree.left = out.left
    out.value = value
    out.right = None
    return tree.value + value


def test_an_object_that_its_holder_lets_go_is_changed_as_well():
    compiled = ag.jit(cut)
    for value in (0, 9, 1):
        found, wanted = (Joint(5, Joint(3, Joint(2), Joint(4)), Joint(7)) for _ in range(2))
        assert compiled(found, value) == cut(wanted, value)
        assert found.values() == wanted.values()


class Point:
    def __init__(self, x, y):
        self.x = x
        self.y = y


def written_and_bound_again(a, n):
    p, q = Point(a, 0), None
    for _ in range(n):
        q = p
    if a > 2:
        if q is not None:
            q.y = 5
        p, q = (q, p) if q is not None else (p, p)
    return p is q, p.y, q is None


@pytest.mark.parametrize(("a", "n"), [(3, 2), (3, 0), (1, 2), (1, 0)])
def test_an_object_that_a_branch_writes_to_is_the_same_after_it(a, n):
    assert ag.jit(written_and_bound_again)(a, n) == written_and_bound_again(a, n)
