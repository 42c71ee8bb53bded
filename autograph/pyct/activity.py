"""Which names a piece of code reads, modifies and binds.

`scope_of` looks at a whole function, `access_of` at one statement or expression of it.  Neither
enters nested functions and classes, except for the variables these share with the function.
"""

# ruff: noqa: N802, N815 (methods are named after the classes of nodes)

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import field
from functools import cache
from typing import Any

import gast

from agir.autograph.pyct.trees import children, walk
from agir.records import dataclass

FUNCTIONS = (gast.FunctionDef, gast.AsyncFunctionDef, gast.Lambda)
_SCOPES = (*FUNCTIONS, gast.ClassDef)
_YIELDS = (gast.Yield, gast.YieldFrom)


@dataclass
class Access:
    """What evaluating a statement or expression does to the variables of its function."""

    reads: list[Any] = field(default_factory=list)
    """The nodes of names that are loaded."""
    inner_reads: list[Any] = field(default_factory=list)
    """Those inside of comprehensions, which Python may run in a function of their own."""
    late_reads: set[Any] = field(default_factory=set)
    """Those of the latter that happen in generator expressions."""
    lazy: bool = False
    """Whether some reads happen in the operands of short-circuit and conditional expressions."""
    binds: dict[str, None] = field(default_factory=dict)
    """Names that have a value afterwards, in the order of the source."""
    may_bind: dict[str, None] = field(default_factory=dict)
    """Names that may have been given one."""
    deletes: set[str] = field(default_factory=set)
    captured: set[str] = field(default_factory=set)
    """Names that nested functions, classes and generator expressions refer to."""
    shared: set[str] = field(default_factory=set)
    """Those that nested functions assign to."""
    declared_global: set[str] = field(default_factory=set)
    declared_nonlocal: set[str] = field(default_factory=set)
    calls: bool = False

    @property
    def modifies(self) -> dict[str, None]:
        """Names that are bound, perhaps bound, or deleted."""
        return {**self.binds, **self.may_bind, **dict.fromkeys(self.deletes)}


@dataclass
class Scope:
    """The variables of a function."""

    params: tuple[str, ...]
    locals: dict[str, None]
    """In the order in which they are first bound, the parameters first."""
    globals: set[str]
    nonlocals: set[str]
    captured: set[str]
    shared: set[str]
    """Variables, of this function or of one around it, that nested functions assign to."""
    free: set[str]
    """Names that are read, or assigned to through `nonlocal`, and belong to something outside."""

    @property
    def outer(self) -> set[str]:
        """Variables that are assigned here but live elsewhere."""
        return self.globals | self.nonlocals


def scope_of(function: Any) -> Scope:
    """The variables of a function definition or lambda."""
    visitor = _Visitor()
    body = function.body if isinstance(function.body, list) else [function.body]
    visitor.visit_all(body)
    access = visitor.access
    params = tuple(_parameters(function.args))
    outer = access.declared_global | access.declared_nonlocal
    bound = {**dict.fromkeys(params), **access.modifies}
    own = {name: None for name in bound if name not in outer}
    used = {node.id for node in (*access.reads, *access.inner_reads)} | access.captured
    return Scope(
        params=params,
        locals=own,
        globals=access.declared_global,
        nonlocals=access.declared_nonlocal,
        captured={name for name in access.captured if name in own},
        shared=access.shared,
        free={
            name
            for name in used | access.declared_nonlocal
            if name not in own and name not in access.declared_global
        },
    )


def access_of(*nodes: Any) -> Access:
    """What evaluating these nodes does, each as far as it is evaluated at once."""
    visitor = _Visitor()
    visitor.visit_all(nodes)
    return visitor.access


def _parameters(args: Any) -> Iterable[str]:
    for group in (args.posonlyargs, args.args, [args.vararg], args.kwonlyargs, [args.kwarg]):
        yield from (arg.id for arg in group if arg is not None)


def walk_own(node: Any) -> Iterable[Any]:
    """The node and all below it, in the order of the source, without entering functions."""
    pending = [node]
    while pending:
        here = pending.pop()
        yield here
        if not isinstance(here, _SCOPES):
            pending += reversed(children(here))


def walk_function(function: Any) -> Iterable[Any]:
    """The same for all that is below a function."""
    for child in children(function):
        yield from walk_own(child)


def is_generator(function: Any, nodes: Iterable[Any] | None = None) -> bool:
    """Whether calling the function makes a generator or a coroutine.

    `nodes` are all of its own, where they are known.
    """
    if isinstance(function, gast.AsyncFunctionDef):
        return True
    own = walk_function(function) if nodes is None else nodes
    return any(isinstance(node, _YIELDS) for node in own)


class _Visitor:
    def __init__(self) -> None:
        self.access = Access()
        self.hidden: list[set[str]] = []
        """Targets of the comprehensions around."""
        self.late = 0
        """Generator expressions around, whose reads happen later."""
        self.conditional = 0

    def visit_all(self, nodes: Iterable[Any]) -> None:
        for node in nodes:
            self.visit(node)

    def visit(self, node: Any) -> None:
        if node is None:
            return
        _visitor(node.__class__)(self, node)

    def children(self, node: Any) -> None:
        self.visit_all(children(node))

    def visit_Name(self, node: Any) -> None:
        if isinstance(node.ctx, gast.Store):
            self.bind(node.id)
        elif any(node.id in names for names in self.hidden):
            return
        elif isinstance(node.ctx, gast.Del):
            self.access.deletes.add(node.id)
        elif self.hidden:
            self.access.inner_reads.append(node)
            if self.late:
                self.access.late_reads.add(node)
                self.access.captured.add(node.id)
        else:
            self.access.reads.append(node)

    def bind(self, name: str) -> None:
        if any(name in names for names in self.hidden[-1:]):
            return
        (self.access.may_bind if self.conditional else self.access.binds)[name] = None

    def visit_NamedExpr(self, node: Any) -> None:
        self.visit(node.value)
        (self.access.may_bind if self.conditional else self.access.binds)[node.target.id] = None

    def visit_AugAssign(self, node: Any) -> None:
        if isinstance(node.target, gast.Name):
            self.access.reads.append(node.target)
        self.visit(node.value)
        self.visit(node.target)

    def visit_Assign(self, node: Any) -> None:
        self.visit(node.value)
        self.visit_all(node.targets)

    def visit_AnnAssign(self, node: Any) -> None:
        self.visit(node.value)
        if node.value is not None or not isinstance(node.target, gast.Name):
            self.visit(node.target)

    def visit_Call(self, node: Any) -> None:
        self.access.calls = True
        self.children(node)

    def visit_BoolOp(self, node: Any) -> None:
        self.visit(node.values[0])
        self.lazily(node.values[1:])

    def visit_Compare(self, node: Any) -> None:
        self.visit(node.left)
        self.visit(node.comparators[0])
        self.lazily(node.comparators[1:])

    def visit_IfExp(self, node: Any) -> None:
        self.visit(node.test)
        self.lazily([node.body, node.orelse])

    def visit_Assert(self, node: Any) -> None:
        self.visit(node.test)
        if node.msg is not None:
            self.lazily([node.msg])

    def visit_Delayed(self, node: Any) -> None:
        self.lazily([node.value])

    def lazily(self, nodes: list[Any]) -> None:
        if nodes:
            self.access.lazy = True
            self.conditional += 1
            self.visit_all(nodes)
            self.conditional -= 1

    def visit_Import(self, node: Any) -> None:
        for alias in node.names:
            self.bind(alias.asname or alias.name.partition(".")[0])

    visit_ImportFrom = visit_Import

    def visit_Global(self, node: Any) -> None:
        self.access.declared_global.update(node.names)

    def visit_Nonlocal(self, node: Any) -> None:
        self.access.declared_nonlocal.update(node.names)

    def visit_MatchAs(self, node: Any) -> None:
        self.visit(node.pattern)
        self.captures(node.name)

    def visit_MatchStar(self, node: Any) -> None:
        self.captures(node.name)

    def visit_MatchMapping(self, node: Any) -> None:
        self.visit_all([*node.keys, *node.patterns])
        self.captures(node.rest)

    def captures(self, name: str | None) -> None:
        if name is not None:
            self.access.may_bind[name] = None

    def visit_Lambda(self, node: Any) -> None:
        self.visit_all([*node.args.defaults, *node.args.kw_defaults])
        self.nested(scope_of(node))

    def visit_FunctionDef(self, node: Any) -> None:
        self.visit_all([*node.decorator_list, *node.args.defaults, *node.args.kw_defaults])
        for arg in children(node.args):
            self.visit(getattr(arg, "annotation", None))
        self.visit(node.returns)
        self.nested(scope_of(node))
        self.bind(node.name)

    visit_AsyncFunctionDef = visit_FunctionDef

    def nested(self, scope: Scope) -> None:
        hidden = set().union(*self.hidden) if self.hidden else set()
        self.access.captured |= scope.free - hidden
        self.access.shared |= scope.nonlocals
        self.access.shared |= scope.shared & scope.free

    def visit_ClassDef(self, node: Any) -> None:
        self.visit_all([*node.decorator_list, *node.bases, *node.keywords])
        inside = _Visitor()
        inside.visit_all(node.body)
        access = inside.access
        names = {each.id for each in (*access.reads, *access.inner_reads)} | access.captured
        self.access.captured |= names | access.declared_nonlocal
        self.access.shared |= access.shared | access.declared_nonlocal
        self.access.calls = True
        self.bind(node.name)

    def comprehension(self, node: Any, *elements: Any) -> None:
        first = node.generators[0]
        self.visit(first.iter)
        targets = {
            each.id
            for generator in node.generators
            for each in walk(generator.target)
            if isinstance(each, gast.Name) and isinstance(each.ctx, gast.Store)
        }
        late = isinstance(node, gast.GeneratorExp)
        self.access.lazy = True
        self.hidden.append(targets)
        self.late += late
        self.conditional += 1
        for generator in node.generators:
            self.visit(generator.target)
            if generator is not first:
                self.visit(generator.iter)
            self.visit_all(generator.ifs)
        self.visit_all(elements)
        self.conditional -= 1
        self.late -= late
        self.hidden.pop()

    def visit_ListComp(self, node: Any) -> None:
        self.comprehension(node, node.elt)

    visit_SetComp = visit_GeneratorExp = visit_ListComp

    def visit_DictComp(self, node: Any) -> None:
        self.comprehension(node, node.key, node.value)


@cache
def _visitor(kind: type) -> Callable[[_Visitor, Any], None]:
    """What looks at nodes of a class."""
    found: Callable[[_Visitor, Any], None]
    found = getattr(_Visitor, f"visit_{kind.__name__}", _Visitor.children)
    return found
