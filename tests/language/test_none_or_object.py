"""Variables that are None at first, and an object or container that branches change later."""

import pytest

import agir as ag


class Node:
    def __init__(self, data):
        self.data = data
        self.next = None


def an_object(n):
    head = None
    for i in range(n):
        if head is None:
            head = Node(0)
        else:
            head.data += 10
    return head.data if head is not None else -1


def under_another_name(n):
    head = None
    for i in range(n):
        if head is None:
            head = Node(i)
        else:
            t = head
            while t.data < 3:
                t.data += 1
            t.data += 10
    return None if head is None else head.data


def a_list(n):
    head = None
    for i in range(n):
        if head is None:
            head = [i]
        else:
            head[0] += 10
    return head


def a_dict(n):
    head = None
    for i in range(n):
        if head is None:
            head = {"a": i}
        else:
            head["a"] += 10
    return head


def a_type_that_changes(n):
    head = None
    for i in range(n):
        if head is None:
            head = [i]
        else:
            head[0] += 0.5
    return head


def a_list_that_grows(n):
    head = None
    for i in range(n):
        if head is None:
            head = [i]
        else:
            head.append(i)
    return head


def two_names(n):
    head = other = None
    for i in range(n):
        if head is None:
            head = [i, i]
            other = head
        else:
            other[1] += head[0] + 1
    return head, other


def in_a_while_loop(n):
    best = None
    i = 0
    while i < n:
        if best is None or i % 3 == 0:
            best = [i, 0]
        else:
            best[1] += i
        i += 1
    return best


def nested_branches(n):
    best = None
    for i in range(n):
        if i % 2:
            if best is None:
                best = {"n": 0}
            else:
                best["n"] += i
        elif best is not None:
            best["n"] -= 1
    return best


def linked(n):
    head = None
    for i in range(n):
        if head is None:
            head = Node(i)
        else:
            t = head
            while t.next is not None:
                t = t.next
            t.next = Node(i)
    found = []
    while head is not None:
        found.append(head.data)
        head = head.next
    return found


def one_of_several_that_may_be_none(n):
    scale = 1
    first = Node(-1)
    last = first
    last.next = Node(3)
    scale *= n
    for _ in range(5):
        if last is not None and last.next is not None:
            last = last.next
    if last is not None:
        last.next = Node(n)
    found = []
    for _ in range(8):
        if first is None:
            break
        found.append(first.data)
        first = first.next
    return scale, found


PROGRAMS = [
    one_of_several_that_may_be_none,
    an_object,
    under_another_name,
    a_list,
    a_dict,
    a_type_that_changes,
    a_list_that_grows,
    two_names,
    in_a_while_loop,
    nested_branches,
    linked,
]


@pytest.mark.parametrize("function", PROGRAMS, ids=lambda each: each.__name__)
def test_as_plain_python(function):
    compiled = ag.jit(function)
    for n in (0, 1, 2, 7):
        found, wanted = compiled(n), function(n)
        assert found == wanted
        assert type(found) is type(wanted)
