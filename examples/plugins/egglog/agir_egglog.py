"""Fewer operations for polynomials, by equality saturation: an e-graph of ``egglog`` as a pass.

The rules of rings find all terms that are equal to one, and the smallest is recorded.  That changes the
last digits, so the pass runs for functions that ask for it (``passes=[optimize]``).
"""

from __future__ import annotations

import egglog
from egglog import f64Like, rewrite, ruleset, vars_

from agir.backends.mlir.passes import apply
from agir.plugins import Graph, Pass, before, mlir, op, replace

RUNS, MOST_NODES = 7, 60
SIGNS = {"arith.addf": "+", "arith.subf": "-", "arith.mulf": "*"}


class Number(egglog.Expr):
    """A term: a constant, a variable, or made of two others."""

    def __init__(self, value: f64Like) -> None: ...

    @classmethod
    def var(cls, name: egglog.StringLike) -> Number: ...

    def __add__(self, other: Number) -> Number: ...

    def __sub__(self, other: Number) -> Number: ...

    def __mul__(self, other: Number) -> Number: ...


a, b, c = vars_("a b c", Number)
x, y = vars_("x y", egglog.f64)
RULES = ruleset(
    rewrite(a + b).to(b + a),
    rewrite(a * b).to(b * a),
    rewrite((a + b) + c).to(a + (b + c)),
    rewrite(a * (b * c)).to((a * b) * c),
    rewrite(a * b + a * c).to(a * (b + c)),
    rewrite(a * b - a * c).to(a * (b - c)),
    rewrite(a * b + a).to(a * (b + Number(1.0))),
    rewrite(Number(x) + Number(y)).to(Number(x + y)),
    rewrite(Number(x) * Number(y)).to(Number(x * y)),
)


def operator(name):
    def applied(left, right):
        return Emitted(op(name, left.value.type, left.value, right.value))

    return applied


class Emitted:
    """A value of MLIR's with the operators of a term: the text of a term makes operations of it."""

    def __init__(self, value):
        self.value = value

    __add__, __sub__, __mul__ = map(operator, SIGNS)


class Term:
    """The term of a value, and what stands for its variables."""

    def __init__(self, graph, root):
        self.graph, self.leaves, self.size = graph, {}, 0
        self.kind = root.results[0].type
        self.whole = self.of(root.results[0])

    def of(self, value):
        made = self.graph.producer(value)
        if made is not None and made.name in SIGNS and self.size < MOST_NODES:
            self.size += 1
            left, right = (self.of(each) for each in made.operands)
            sign = SIGNS[made.name]
            return left + right if sign == "+" else left - right if sign == "-" else left * right
        if made is not None and (number := constant_of(made)) is not None:
            return Number(number)
        return Number.var(self.leaves.setdefault(value, f"v{len(self.leaves)}"))

    def emitted(self, text):
        """The value of a term that the e-graph has given, whose text is a program in Python."""
        names = {name: Emitted(value) for value, name in self.leaves.items()}

        class Named:
            var = staticmethod(names.__getitem__)

            def __new__(cls, number):
                return Emitted(op("arith.constant", self.kind, value=attribute(self.kind, number)))

        *lines, last = text.strip().splitlines()
        space = {"Number": Named}
        exec("\n".join(lines), space)
        return eval(last, space).value


def constant_of(made):
    """The number that an operation gives, or None."""
    value = made.attributes["value"] if made.name == "arith.constant" else None
    if isinstance(value, mlir().DenseElementsAttr) and value.is_splat:
        value = value.get_splat_value()
    return value.value if isinstance(value, mlir().FloatAttr) else None


def attribute(kind, number):
    """A number as a constant of a type."""
    made = mlir().FloatAttr.get(getattr(kind, "element_type", kind), number)
    return mlir().DenseElementsAttr.get_splat(kind, made) if hasattr(kind, "shape") else made


def is_whole(graph, value):
    """Whether a value is a part of no other term, and constants of its type can be made."""
    users = [use.user.name for use in graph.uses(value)]
    return not (users and all(name in SIGNS for name in users)) and "?" not in str(value.type)


def simplify(module):
    """Replace each polynomial by the smallest term that is equal to it."""
    graph = Graph(module)
    for each in [each for each in graph.find(*SIGNS) if is_whole(graph, each.results[0])]:
        term = Term(graph, each)
        egraph = egglog.EGraph()
        whole = egraph.let("whole", term.whole)
        egraph.run(RULES * RUNS)
        with before(each):
            made = term.emitted(str(egraph.extract(whole)))
        replace(each, made)
    apply(module, "canonicalize,cse")


optimize = Pass(simplify, name="equality-saturation", version="1")
