"""Objects that refer to each other, made by loops and recursion: as plain Python has them."""

from __future__ import annotations

import copy
import gc
import weakref
from dataclasses import dataclass, field

import pytest

import agir as ag


class Node:
    count = 0

    def __init__(self, value, next=None):
        self.value = value
        self.next = next


class Tree:
    __slots__ = ("key", "left", "right", "size")

    def __init__(self, key):
        self.key = key
        self.left = self.right = None
        self.size = 1

    @property
    def is_leaf(self):
        return self.left is None and self.right is None


@dataclass
class Vertex:
    name: int
    edges: list = field(default_factory=list)
    seen: bool = False
    distance: float = float("inf")


class Base:
    kind = 3

    def __init__(self, x):
        self.x = x

    def double(self):
        return self.x * 2

    @staticmethod
    def three():
        return 3

    @classmethod
    def make(cls, x):
        return cls(x)


class Derived(Base):
    def __init__(self, x, y):
        super().__init__(x)
        self.y = y

    def double(self):
        return super().double() + self.y


class Lazy:
    pass


class Eq:
    def __init__(self, a):
        self.a = a

    def __eq__(self, o):
        return self.a == o.a

    def __lt__(self, o):
        return self.a < o.a

    def __add__(self, o):
        return Eq(self.a + o.a)

    def __bool__(self):
        return self.a > 2

    def __getitem__(self, i):
        return self.a + i

    def __len__(self):
        return 4


def stack(n):
    top = None
    for i in range(n):
        top = Node(i * i, top)
    s = 0
    while top is not None:
        s = s * 3 + top.value
        top = top.next
    return s


def deep(n):
    top = None
    for i in range(n):
        top = Node(i, top)
    return top


def ring(n):
    first = Node(0)
    last = first
    for i in range(1, n):
        last.next = Node(i)
        last = last.next
    last.next = first
    return first


def shared(n):
    nodes = [Node(i) for i in range(n)]
    for i in range(n):
        nodes[i].next = nodes[i * 3 % n]
    return (nodes, nodes[n // 2].next is nodes[n // 2 * 3 % n])


def josephus(n, k):
    first = Node(1)
    last = first
    for i in range(2, n + 1):
        last.next = Node(i)
        last = last.next
    last.next = first
    p = last
    while p.next is not p:
        for _ in range(k - 1):
            p = p.next
        p.next = p.next.next
    return p.value


def tree_insert(root, key):
    if root is None:
        return Tree(key)
    if key < root.key:
        root.left = tree_insert(root.left, key)
    elif key > root.key:
        root.right = tree_insert(root.right, key)
    root.size = 1 + (root.left.size if root.left else 0) + (root.right.size if root.right else 0)
    return root


def tree_delete(root, key):
    if root is None:
        return None
    if key < root.key:
        root.left = tree_delete(root.left, key)
    elif key > root.key:
        root.right = tree_delete(root.right, key)
    else:
        if root.left is None:
            return root.right
        if root.right is None:
            return root.left
        m = root.right
        while m.left is not None:
            m = m.left
        root.key = m.key
        root.right = tree_delete(root.right, m.key)
    return root


def trees(keys, gone):
    root = None
    for k in keys:
        root = tree_insert(root, k)
    for k in gone:
        root = tree_delete(root, k)
    out, stack, cur = ([], [], root)
    while stack or cur is not None:
        while cur is not None:
            stack.append(cur)
            cur = cur.left
        cur = stack.pop()
        out.append((cur.key, cur.is_leaf, cur.size))
        cur = cur.right
    return out


def rotate_right(t):
    child = t.left
    t.left = child.right
    child.right = t
    return child


def rotations(n):
    root = None
    for i in range(n):
        new = Tree(i)
        new.left = root
        root = new
    while root.left is not None:
        root = rotate_right(root)
    out = []
    while root is not None:
        out.append(root.key)
        root = root.right
    return out


def graph(edges, n):
    vs = [Vertex(i) for i in range(n)]
    for a, b in edges:
        vs[a].edges.append(vs[b])
        vs[b].edges.append(vs[a])
    vs[0].seen = True
    vs[0].distance = 0.0
    queue = [vs[0]]
    order = []
    while queue:
        v = queue.pop(0)
        order.append(v.name)
        for w in v.edges:
            if not w.seen:
                w.seen = True
                w.distance = v.distance + 1
                queue.append(w)
    return (order, [v.distance for v in vs])


def inherit(n):
    objs = []
    for i in range(n):
        objs.append(Derived(i, 10 * i))
    for o in objs:
        o.x += o.y
    return (
        [o.double() for o in objs],
        objs[0].three() + Base.make(2).x + objs[1].kind,
        isinstance(objs[0], Base),
    )


def late(n):
    objs = []
    for i in range(n):
        o = Lazy()
        o.v = i
        if i % 2:
            o.w = i * 1.5
        objs.append(o)
    s = 0
    for o in objs:
        s += o.v
        if o.v % 2:
            s += o.w
    return s


def late_error(n):
    objs = []
    for i in range(n):
        o = Lazy()
        o.v = i
        if i % 2:
            o.w = i * 1.5
        objs.append(o)
    return objs[n - 1].w


def special(n):
    objs = [Eq(i) for i in range(n)]
    for o in objs:
        o.a += 1
    t = Eq(0)
    for o in objs:
        if o:
            t = t + o
    m = objs[0]
    for o in objs:
        if m < o:
            m = o
    return (t.a, m.a, objs[0] == objs[1], objs[1] == objs[1], m[3], len(m), m is objs[-1])


def mixed(n):
    p = None
    for i in range(n):
        p = Node(i if i % 2 else i * 0.5, p)
    out = []
    while p:
        out.append(p.value)
        p = p.next
    return out


def swaps(n):
    a, b = (Node(1), Node(2))
    for i in range(n):
        a, b = (b, a)
        a.value += i
    return (a.value, b.value, a is b)


def texts(n):
    p = None
    for i in range(n):
        p = Node("n" + str(i), p)
    s = ""
    while p:
        s += p.value + ";"
        p = p.next
    return s


def tuples(n):
    p = None
    for i in range(n):
        p = Node((i, i / 2), p)
    s = 0
    while p is not None:
        a, b = p.value
        s += a * b
        p = p.next
    return s


class Trie:
    def __init__(self):
        self.children = [None] * 26
        self.is_end = False


def trie(words, asked):
    root = Trie()
    for w in words:
        node = root
        for c in w:
            i = ord(c) - 97
            if node.children[i] is None:
                node.children[i] = Trie()
            node = node.children[i]
        node.is_end = True
    out = []
    for w in asked:
        node = root
        for c in w:
            node = node.children[ord(c) - 97]
            if node is None:
                break
        out.append(node is not None and node.is_end)
    return out


class TrieD:
    def __init__(self):
        self.children = {}
        self.is_end = False


def trie_d(words, asked):
    root = TrieD()
    for w in words:
        node = root
        for c in w:
            if c not in node.children:
                node.children[c] = TrieD()
            node = node.children[c]
        node.is_end = True
    out = []
    for w in asked:
        node = root
        for c in w:
            if c not in node.children:
                node = None
                break
            node = node.children[c]
        out.append(node is not None and node.is_end)
    return out


def by_dict(n):
    d = {}
    for i in range(n):
        d[i * 7 % n] = Node(i)
    for k in d:
        d[k].value += k
    return [d[i].value for i in range(n)]


def doubly(n):

    class D:
        def __init__(self, v):
            self.v = v
            self.prev = None
            self.next = None

    head = D(-1)
    tail = D(-2)
    head.next, tail.prev = (tail, head)
    for i in range(n):
        x = D(i)
        x.prev, x.next = (tail.prev, tail)
        tail.prev.next = x
        tail.prev = x
    cur = head.next
    while cur is not tail:
        nxt = cur.next
        if cur.v % 3 == 0:
            cur.prev.next = cur.next
            cur.next.prev = cur.prev
        cur = nxt
    out = []
    cur = tail.prev
    while cur is not head:
        out.append(cur.v)
        cur = cur.prev
    return out


def merge_sorted(a, b):

    def build(xs):
        head = tail = None
        for x in xs:
            n = Node(x)
            if head is None:
                head = tail = n
            else:
                tail.next = n
                tail = n
        return head

    def merge(p, q):
        dummy = Node(0)
        t = dummy
        while p and q:
            if p.value <= q.value:
                t.next, p = (p, p.next)
            else:
                t.next, q = (q, q.next)
            t = t.next
        t.next = p or q
        return dummy.next

    m = merge(build(a), build(b))
    out = []
    while m:
        out.append(m.value)
        m = m.next
    return out


def raising(n):
    p = None
    for i in range(n):
        p = Node(i, p)
    while True:
        p = p.next
        if p.value < -1:
            return p


CASES = [
    (stack, (6,)),
    (deep, (3000,)),
    (ring, (5,)),
    (shared, (7,)),
    (josephus, (7, 3)),
    (trees, ([5, 2, 8, 1, 9, 3, 7, 6], [2, 8, 5])),
    (rotations, (6,)),
    (graph, ([(0, 1), (1, 2), (0, 3), (3, 4), (2, 4)], 6)),
    (inherit, (4,)),
    (late, (5,)),
    (late_error, (4,)),
    (late_error, (3,)),
    (special, (5,)),
    (mixed, (6,)),
    (swaps, (5,)),
    (texts, (4,)),
    (tuples, (4,)),
    (trie, (["ab", "abc", "b"], ["ab", "a", "c", "abc"])),
    (trie_d, (["ab", "abc", "b"], ["ab", "a", "c", "abc"])),
    (by_dict, (6,)),
    (doubly, (10,)),
    (merge_sorted, ([1, 4, 6], [2, 3, 9, 10])),
    (raising, (4,)),
]


def picture(value):
    """What a value consists of, objects by the order in which they are met."""
    seen, waiting, found = ({}, [value], [])
    while waiting:
        each = waiting.pop()
        if isinstance(each, list | tuple):
            found.append((type(each), len(each)))
            waiting += reversed(each)
        elif hasattr(each, "__dict__") or hasattr(each, "__slots__"):
            is_new = id(each) not in seen
            found.append((type(each), seen.setdefault(id(each), len(seen))))
            if is_new:
                names = sorted(getattr(each, "__dict__", None) or each.__slots__)
                found.append(names)
                waiting += [getattr(each, name) for name in names]
        else:
            found.append((type(each), each))
    return found


def outcome(function, arguments):
    """A picture of what a call gives, or the class and the words of what it raises."""
    try:
        return picture(function(*copy.deepcopy(arguments)))
    except Exception as error:
        kind = next(each for each in type(error).__mro__ if each.__module__ == "builtins")
        return (kind, str(error).splitlines()[0].partition(":")[0])


@pytest.mark.parametrize(
    ("function", "arguments"), CASES, ids=[f"{f.__name__}-{n}" for n, (f, _) in enumerate(CASES)]
)
def test_as_plain_python(function, arguments):
    assert outcome(ag.jit(function), arguments) == outcome(function, arguments)


def test_one_trace_serves_all_sizes():
    compiled = ag.jit(trees)
    for keys in ([3, 1, 2], [5, 2, 8, 1, 9, 3, 7, 6], [1]):
        assert compiled(list(keys), keys[:1]) == trees(list(keys), keys[:1])
    assert compiled.experimental_get_tracing_count() <= 2


def test_what_is_returned_is_of_the_class_and_goes_when_it_is_let_go():
    made = ag.jit(ring)(4)
    assert type(made) is Node
    assert made.next.next.next.next is made
    alive = weakref.ref(made)
    del made
    gc.collect()
    assert alive() is None


def hashed(n):
    top, met = (None, set())
    for i in range(n):
        top = Node(i, top)
        met.add(top)
    return len(met)


def as_a_dict(n):
    top = None
    for i in range(n):
        top = Node(i, top)
    return vars(top)


GLOBAL = Node(5)


def met_outside(n):
    top = GLOBAL
    for i in range(n):
        top = Node(i, top)
    return top.next.value


@pytest.mark.parametrize(
    ("function", "words"),
    [
        (as_a_dict, "attributes of an object are asked for as a dict"),
    ],
)
def test_refusals(function, words):
    with pytest.raises(ag.errors.StagingError, match=words):
        ag.jit(function)(3)


class Frozen:
    def __setattr__(self, name, value):
        raise TypeError("frozen")


def test_classes_that_keep_attributes_in_their_own_way_are_not_known_by_number():
    from agir.ir.values.heap import objects

    assert objects.is_eligible(Node)
    assert objects.is_eligible(Vertex)
    assert objects.is_eligible(Tree)
    assert not any(map(objects.is_eligible, [Frozen, int, list, ValueError, type]))


def has_attributes(n):
    objs = []
    for i in range(n):
        o = Lazy()
        o.v = i
        if i % 2:
            o.w = i
        o.next = objs[i // 2] if i > 2 else None
        objs.append(o)
    found = 0
    for o in objs:
        found = found * 4 + hasattr(o, "w") + 2 * hasattr(o, "v") + getattr(o, "w", 0)
        if o.next is not None:
            o.next.v = found
    return found, [o.v for o in objs]


@pytest.mark.parametrize("n", [1, 6])
def test_attributes_that_some_objects_have(n):
    assert ag.jit(has_attributes)(n) == has_attributes(n)


def test_an_object_of_outside_among_those_that_are_made():
    assert ag.jit(met_outside)(3) == met_outside(3)


class Near:
    def __init__(self, v):
        self.v = v
        self.next = None
        self.near = []


def until_met_again(n):
    nodes = [Near(i) for i in range(n)]
    for i in range(n):
        nodes[i].next = nodes[(i * 2 + 1) % n]
    seen = set()
    cur = nodes[0]
    k = 0
    while cur not in seen:
        seen.add(cur)
        cur = cur.next
        k += 1
    return k


def distances(n):
    nodes = [Near(i) for i in range(n)]
    for i in range(n):
        nodes[i].near.append(nodes[i * 3 % n])
        nodes[i * 3 % n].near.append(nodes[i])
    dist = {nodes[1]: 0}
    q = [nodes[1]]
    while q:
        x = q.pop(0)
        for y in x.near:
            if y not in dist:
                dist[y] = dist[x] + 1
                q.append(y)
    return sorted((k.v, d) for k, d in dist.items())


def in_tuples(n):
    d = {}
    objs = [Near(i) for i in range(n)]
    for i in range(n):
        d[objs[i], i % 2] = i
    return len(d), d[objs[1], 1]


class ByHash:
    def __init__(self, a):
        self.a = a

    def __eq__(self, o):
        return self.a == o.a

    def __hash__(self):
        return hash(self.a)


def by_its_own_hash(n):
    seen = set()
    for i in range(n):
        seen.add(ByHash(i % 3))
    return len(seen)


class OfTwo:
    def __init__(self, a, b):
        self.a = a
        self.b = b

    def __eq__(self, o):
        return (self.a, self.b) == (o.a, o.b)

    def __hash__(self):
        return hash((self.a, self.b))


def by_a_tuple(n):
    d = {}
    for i in range(n):
        k = OfTwo(i % 2, i % 3)
        d[k] = d.get(k, 0) + 1
    return sorted((k.a, k.b, v) for k, v in d.items()), OfTwo(0, 0) in d


def hashes(n):
    return hash(n), hash(n * 1.5), hash((n, 2)), hash(n > 3)


KEYED = [hashed, until_met_again, distances, in_tuples, by_its_own_hash, by_a_tuple, hashes]


@pytest.mark.parametrize("function", KEYED, ids=lambda each: each.__name__)
def test_objects_as_keys(function):
    assert repr(ag.jit(function)(6)) == repr(function(6))


@dataclass(frozen=True)
class Cell:
    """A place on a grid."""

    row: int
    column: int


def wander(count):
    seen = set()
    first = {}
    cell = Cell(0, 0)
    for n in range(count):
        cell = Cell(cell.row + n % 3 - 1, cell.column + n % 2)
        seen.add(cell)
        if cell not in first:
            first[cell] = n
    return len(seen), first[Cell(0, 1)], Cell(5, 5) in seen, sorted(first.values()), cell


def test_frozen_dataclasses_as_keys():
    assert ag.jit(wander)(10) == wander(10)


def test_frozen_dataclasses_do_not_change():
    def change(count):
        cell = Cell(0, 0)
        cells = [cell]
        for n in range(count):
            cells.append(Cell(n, n))
        cells[count].row = 3
        return cells

    with pytest.raises(AttributeError, match="cannot assign to field 'row'"):
        ag.jit(change)(3)
