"""The pass over the expressions of a function whose statements are converted already."""

# ruff: noqa: N802, N815 (methods are named after the classes of nodes)

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Protocol

import gast

from agir.autograph.converters.asserts import assertion
from agir.autograph.converters.calls import converted_call
from agir.autograph.converters.common.context import Context
from agir.autograph.converters.common.jumps import blocks_of
from agir.autograph.converters.comparisons import comparison
from agir.autograph.converters.comprehensions import (
    can_be_nested,
    collected,
    comprehension_function,
    generator_at_once,
    stays,
)
from agir.autograph.converters.conditionals import if_exp
from agir.autograph.converters.logical import (
    bool_op,
    chain_at_once,
    in_condition,
    mark_condition,
    negation,
    nested,
    unchained,
)
from agir.autograph.converters.objects import (
    parts_of,
    reads_item,
    reads_module,
    subscript_key,
)
from agir.autograph.converters.outer import is_outer, outer
from agir.autograph.converters.overloads import augmented, binary, unary
from agir.autograph.converters.shared_variables import state_functions
from agir.autograph.converters.strings import is_formatting, joined_string, percent
from agir.autograph.libraries import ATTRIBUTES
from agir.autograph.pyct.activity import FUNCTIONS, walk_own
from agir.autograph.pyct.qualified_names import root
from agir.autograph.pyct.templates import call, constant, expression, name, replace, statement

ONLY_READ = frozenset({"for_stmt", "in_", "not_in"})
"""The operators that do not keep what they are given."""


class Statements(Protocol):
    """What has converted the statements.

    Functions that are `kept` stay as they are, but for reads of variables around them; of those
    that are `plain` only the calls are converted.
    """

    kept: set[Any]
    plain: set[Any]

    def statements(self, function: Any) -> None:
        """Convert those of a further function."""
        ...


def convert_expressions(function: Any, context: Context, converted: Statements) -> Any:
    """The function with the expressions rewritten, in it and in the functions in it."""
    expressions = _Expressions(context, converted)
    return expressions.visit(function)


class _Expressions(gast.NodeTransformer):  # type: ignore[misc]
    def __init__(self, context: Context, converted: Statements) -> None:
        self.context = context
        self.operators = context.operators
        self.converted = converted
        self.logical = True
        self.made = False
        """Whether the code at hand has been moved into a function of its own."""
        self.first: str | None = None
        self.globals: set[str] = set()
        self.hoisted: list[Any] | None = None
        """Functions to define before the statement at hand; None where there is no statement."""

    # Statements.

    def block(self, stmts: list[Any]) -> list[Any]:
        """A list of statements."""
        out: list[Any] = []
        outer = self.hoisted
        for stmt in stmts:
            self.hoisted = []
            new = self.visit(stmt)
            out += [*self.hoisted, new]
        self.hoisted = outer
        return out

    def generic_visit(self, node: Any) -> Any:
        """Visit the children, the blocks among them one statement at a time."""
        for field in node._fields:
            value = getattr(node, field, None)
            if isinstance(value, list) and value:
                if isinstance(value[0], gast.stmt):
                    setattr(node, field, self.block(value))
                else:
                    new = [self.visit(e) if isinstance(e, gast.AST) else e for e in value]
                    setattr(node, field, new)
            elif isinstance(value, gast.AST):
                setattr(node, field, self.visit(value))
        return node

    def visit_FunctionDef(self, node: Any) -> Any:
        if node.name in self.context.generated and node.name not in self.context.bodies:
            made, self.made = self.made, True
            node.body = self.block(node.body)
            self.made = made
            return node
        node.decorator_list = [self.visit(each) for each in node.decorator_list]
        self.visit(node.args)
        outer = (self.made, self.first, self.logical, self.globals)
        self.made, self.first = False, _first_parameter(node)
        self.logical = node not in self.converted.plain
        declared = [each.names for each in node.body if isinstance(each, gast.Global)]
        self.globals = {each for names in declared for each in names}
        kept = node in self.converted.kept
        node.body = self.loads_only(node.body) if kept else self.block(node.body)
        self.made, self.first, self.logical, self.globals = outer
        if node.args.kwarg is not None and not kept:
            self.announce_keywords(node)
        return node

    def announce_keywords(self, node: Any) -> None:
        """Take note of the dict that Python makes of the other arguments given by name."""
        given = node.args.kwarg.id
        made = call(f"{self.operators}.new", node, name(given, node))
        last = [n for n, each in enumerate(node.body, 1) if isinstance(each, _DECLARING)]
        at = max(last, default=int(_is_text(node.body[0])))
        node.body.insert(at, statement("given_ = made_", node, given_=given, made_=made))

    def visit_AsyncFunctionDef(self, node: Any) -> Any:
        node.decorator_list = [self.visit(each) for each in node.decorator_list]
        self.visit(node.args)
        node.body = self.loads_only(node.body)
        return node

    def visit_ClassDef(self, node: Any) -> Any:
        outer, self.context.class_name = self.context.class_name, node.name
        node.body = [self.in_class(stmt) for stmt in node.body]
        self.context.class_name = outer
        return node

    def in_class(self, stmt: Any) -> Any:
        """A statement of a class body, of which only the functions are converted."""
        if isinstance(stmt, (*FUNCTIONS, gast.ClassDef)):
            decorators, stmt.decorator_list = stmt.decorator_list, []
            stmt = self.visit(stmt)
            stmt.decorator_list = decorators
            return stmt
        for block in blocks_of(stmt):
            block[:] = [self.in_class(each) for each in block]
        return stmt

    def loads_only(self, stmts: list[Any]) -> list[Any]:
        loads = _Loads(self)
        return [loads.visit(stmt) for stmt in stmts]

    def visit_Assert(self, node: Any) -> Any:
        if not self.logical:
            return self.generic_visit(node)
        node.test = self.visit(node.test)
        if node.msg is not None:
            node.msg = self.moved(node.msg)
        return assertion(node, self.operators, self.delay)

    # Expressions.

    def visit_Lambda(self, node: Any) -> Any:
        self.visit(node.args)
        outer = (self.made, self.first, self.hoisted)
        self.made, self.first, self.hoisted = False, _first_parameter(node), None
        node.body = self.visit(node.body)
        self.made, self.first, self.hoisted = outer
        return node

    def comprehension(self, node: Any) -> Any:
        if not self.logical or stays(node):
            return self.in_place(node)
        if self.hoisted is None:
            return self.at_once(node) if can_be_nested(node) else self.in_place(node)
        function, made, first = comprehension_function(node, self.context, self.globals)
        self.converted.statements(function)
        first = self.visit(first)
        outer = (self.made, self.hoisted)
        self.made = True
        function = self.visit(function)
        self.made, self.hoisted = outer
        self.hoisted.append(function)
        if isinstance(node, gast.GeneratorExp):
            first = call(f"{self.operators}.iterated", first, first)
        return call(made, node, first)

    def at_once(self, node: Any) -> Any:
        """A comprehension in a lambda."""
        if isinstance(node, gast.GeneratorExp):
            return generator_at_once(node, self.context, self.moved, self.in_place)
        return collected(node, self.context, self.moved)

    def in_place(self, node: Any) -> Any:
        outer, self.hoisted = self.hoisted, None
        node = self.generic_visit(node)
        self.hoisted = outer
        if isinstance(node, gast.GeneratorExp):
            return node
        return call(f"{self.operators}.new", node, node)

    visit_ListComp = visit_SetComp = visit_DictComp = visit_GeneratorExp = comprehension

    def visit_Constant(self, node: Any) -> Any:
        return node

    def visit_Name(self, node: Any) -> Any:
        if not isinstance(node.ctx, gast.Load):
            return node
        if is_outer(node.id, self.context):
            return outer(node, self.context)
        load = self.context.loads.get(node)
        if load is None:
            return node
        return call(f"{self.operators}.{load}", node, name(node.id, node))

    def visit_JoinedStr(self, node: Any) -> Any:
        return joined_string(self.generic_visit(node), self.operators)

    def visit_BinOp(self, node: Any) -> Any:
        is_text = is_formatting(node)
        node = self.generic_visit(node)
        if is_text:
            return percent(node, self.operators)
        return binary(node, self.context) if self.overloads else node

    def visit_AugAssign(self, node: Any) -> Any:
        node = self.generic_visit(node)
        plain = not self.overloads or not isinstance(node.target, gast.Name)
        return node if plain else augmented(node, self.context)

    @property
    def overloads(self) -> bool:
        """Whether operators are converted."""
        return self.logical and self.context.overloads

    def visit_Delayed(self, node: Any) -> Any:
        return self.delay(self.moved(node.value))

    def visit_BoolOp(self, node: Any) -> Any:
        if not self.logical or self.stuck(*node.values[1:]):
            return self.generic_visit(node)
        if node in self.context.conditions:
            node.values = [in_condition(each, self.operators) for each in node.values]
        node = nested(node)
        shared = self.assigned(node.values[1])
        node.values = [self.visit(node.values[0]), self.moved(node.values[1])]
        return self.with_state(bool_op(node, self.operators, self.delay), shared)

    def visit_UnaryOp(self, node: Any) -> Any:
        node = self.generic_visit(node)
        if self.logical and isinstance(node.op, gast.Not):
            return negation(node, self.operators)
        is_arithmetic = self.overloads and not isinstance(node.op, gast.Not)
        return unary(node, self.context) if is_arithmetic else node

    def visit_IfExp(self, node: Any) -> Any:
        if not self.logical or self.stuck(node.body, node.orelse):
            return self.generic_visit(node)
        shared = [*self.assigned(node.body), *self.assigned(node.orelse)]
        mark_condition(node.test, self.context)
        node.test = self.visit(node.test)
        node.body, node.orelse = self.moved(node.body), self.moved(node.orelse)
        return self.with_state(if_exp(node, self.operators, self.delay), shared)

    def visit_Compare(self, node: Any) -> Any:
        if len(node.ops) == 1 or not self.logical or self.stuck(*node.comparators[1:]):
            node.left = self.visit(node.left)
            node.comparators = [self.operand(each) for each in node.comparators]
            return comparison(node, self.context) if len(node.ops) == 1 else node
        if self.hoisted is not None:
            return self.visit_BoolOp(unchained(node, self.context, self.temporary))
        node.left, node.comparators[0] = self.visit(node.left), self.operand(node.comparators[0])
        node.comparators[1:] = map(self.moved, node.comparators[1:])
        return chain_at_once(node, self.context, self.delay, self.temporary)

    def temporary(self) -> str:
        """A new variable for the middle of a comparison."""
        new = self.context.namer.fresh("middle")
        self.context.temporaries.add(new)
        return new

    def visit_Attribute(self, node: Any) -> Any:
        plain = self.is_ours(node) or reads_module(node, self.context, self.context.bound)
        node = self.generic_visit(node)
        if plain or not isinstance(node.ctx, gast.Load):
            return node
        attribute = constant(self.context.mangled(node.attr), node)
        return call(f"{self.operators}.get_attr", node, node.value, attribute)

    def visit_Subscript(self, node: Any) -> Any:
        converted = isinstance(node.ctx, gast.Load) and (
            self.overloads or reads_item(node, self.context.bound)
        )
        node.value, node.slice = self.visit(node.value), self.operand(node.slice)
        if not converted:
            return node
        key = subscript_key(node.slice, self.operators)
        return call(f"{self.operators}.get_item", node, node.value, key)

    def display(self, node: Any) -> Any:
        node = self.generic_visit(node)
        if not isinstance(getattr(node, "ctx", None), gast.Load | None):
            return node
        return call(f"{self.operators}.new", node, node)

    def visit_List(self, node: Any) -> Any:
        """A list; ``[*a, b]`` is put together of its parts, whose length may be a run-time value."""
        if not any(isinstance(each, gast.Starred) for each in node.elts):
            return self.display(node)
        if not isinstance(node.ctx, gast.Load):
            return self.generic_visit(node)
        return call(f"{self.operators}.listed", node, *map(self.visit, parts_of(node)))

    def visit_Tuple(self, node: Any) -> Any:
        """A tuple, likewise, unless it is a key with slices in it."""
        is_key = any(isinstance(each, gast.Slice) for each in node.elts)
        is_read = isinstance(node.ctx, gast.Load) and not is_key
        if not is_read or not any(map(_is_starred, node.elts)):
            return self.generic_visit(node)
        return call(f"{self.operators}.tupled", node, *map(self.visit, parts_of(node)))

    def visit_Set(self, node: Any) -> Any:
        """A set: one with items that are not written down may hold run-time values."""
        if all(map(_is_constant, node.elts)):
            return self.display(node)
        if any(map(_is_starred, node.elts)):
            return call(f"{self.operators}.set_of", node, *map(self.visit, parts_of(node)))
        return call(f"{self.operators}.new_set", node, *map(self.visit, node.elts))

    def visit_Dict(self, node: Any) -> Any:
        """A dict, likewise."""
        if all(map(_is_constant, node.keys)) or None in node.keys:
            return self.display(node)
        entries = [each for pair in zip(node.keys, node.values, strict=True) for each in pair]
        return call(f"{self.operators}.new_dict", node, *map(self.visit, entries))

    def visit_Call(self, node: Any) -> Any:
        if self.is_ours(node.func):
            reads = getattr(node.func, "attr", None) in ONLY_READ
            visit = self.operand if reads else self.visit
            node.args = [visit(each) for each in node.args]
            return node
        if self.made and self.first and _is_bare_super(node):
            node.args = [name("__class__", node), name(self.first, node)]
            return node
        visit = self.visit
        if isinstance(node.func, gast.Attribute):
            if reads_module(node.func, self.context, self.context.bound):
                visit = self.operand
            elif node.func.attr in ATTRIBUTES:
                node.func = self.visit(node.func)
                return self._called(node, visit)
            node.func.value = self.visit(node.func.value)
        else:
            node.func = self.visit(node.func)
        return self._called(node, visit)

    def _called(self, node: Any, visit: Callable[[Any], Any]) -> Any:
        node.args = [visit(each) for each in node.args]
        for keyword in node.keywords:
            keyword.value = visit(keyword.value)
        return converted_call(node, self.context)

    def operand(self, node: Any) -> Any:
        """An operand that is only looked at: displays in it need not be announced."""
        if isinstance(node, gast.List | gast.Tuple):
            node.elts = [self.operand(each) for each in node.elts]
            return node
        return self.visit(node)

    def is_ours(self, node: Any) -> bool:
        """Whether an operator is called, or a function made here."""
        if isinstance(node, gast.Name):
            return node.id in self.context.generated
        if not isinstance(node, gast.Attribute):
            return False
        found = root(node)
        made = (*self.context.emitters, *self.context.temporaries)
        return found == self.operators or found in made

    # Operands that become functions.

    def moved(self, node: Any) -> Any:
        """Visit an operand that is going to be the body of a function."""
        outer = (self.made, self.hoisted)
        self.made = True
        if self.hoisted is not None:
            self.hoisted = []
        new = self.visit(node)
        inner = self.hoisted
        self.made, self.hoisted = outer
        if inner:
            new.hoisted = inner
        return new

    def stuck(self, *operands: Any) -> bool:
        """Whether ``:=`` keeps operands from being moved: nothing can be defined here."""
        return self.hoisted is None and any(map(self.assigned, operands))

    def assigned(self, node: Any) -> list[str]:
        """The variables that ``:=`` assigns to in an operand, without those made here."""
        found = [each.target.id for each in walk_own(node) if isinstance(each, gast.NamedExpr)]
        return [each for each in dict.fromkeys(found) if each not in self.context.temporaries]

    def delay(self, node: Any) -> Any:
        """A function that evaluates an operand."""
        before = getattr(node, "hoisted", [])
        shared = self.assigned(node)
        if self.hoisted is None or not (before or shared):
            function = expression("lambda: None", node)
            function.body = node
            return function
        operand = self.context.function("operand")
        self.hoisted += replace(
            "def operand_():\n"
            "    global globals_\n    nonlocal shared_\n    before_\n    return value_",
            node,
            operand_=operand,
            globals_=tuple(each for each in shared if each in self.globals),
            shared_=tuple(each for each in shared if each not in self.globals),
            before_=before,
            value_=node,
        )
        return name(operand, node)

    def with_state(self, node: Any, assigned: list[str]) -> Any:
        """The call of an operator, which is told of the variables that its operands assign to."""
        shared = tuple(dict.fromkeys(assigned))
        if self.hoisted is not None and shared:
            functions, state = state_functions(self.context, node, shared, self.globals)
            self.hoisted += functions
            node.args.append(state)
        return node


class _Loads(gast.NodeTransformer):  # type: ignore[misc]
    """Checks the reads of variables of enclosing functions, and changes nothing else."""

    def __init__(self, expressions: _Expressions) -> None:
        self.visit_Name = expressions.visit_Name


def _is_constant(node: Any) -> bool:
    return isinstance(node, gast.Constant)


_DECLARING = (gast.Global, gast.Nonlocal)


def _is_text(stmt: Any) -> bool:
    """Whether a statement is a text alone, as the documentation of a function is."""
    return isinstance(stmt, gast.Expr) and isinstance(stmt.value, gast.Constant)


def _is_starred(node: Any) -> bool:
    return isinstance(node, gast.Starred)


def _first_parameter(node: Any) -> str | None:
    """What ``super()`` without arguments takes for the receiver."""
    args = [*node.args.posonlyargs, *node.args.args]
    return args[0].id if args else None


def _is_bare_super(node: Any) -> bool:
    bare = not (node.args or node.keywords)
    return bare and isinstance(node.func, gast.Name) and node.func.id == "super"
