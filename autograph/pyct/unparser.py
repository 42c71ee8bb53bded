"""Source code from syntax trees.

`astunparse` knows the syntax of Python 3.8 and puts every expression in parentheses; this subclass
knows that of 3.13 and leaves out most of those that are not needed.
"""

# ruff: noqa: N802 (methods are named after the classes of nodes)

from __future__ import annotations

import ast
import io
import sys
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from typing import Any

import astunparse

__all__ = ["unparse"]


def unparse(tree: ast.AST) -> str:
    """The source of a tree."""
    out = io.StringIO()
    _Unparser(tree, out)
    return out.getvalue().strip("\n") + "\n"


# How tightly operators bind: an operand that binds less tightly needs parentheses.
(
    YIELD, WALRUS, TEST, OR, AND, NOT, COMPARE, BITOR, BITXOR, BITAND, SHIFT, ADD, MULTIPLY,
    UNARY, POWER, AWAIT, ATOM,
) = range(17)  # fmt: skip

BINARY: dict[type, tuple[str, int]] = {
    ast.BitOr: ("|", BITOR),
    ast.BitXor: ("^", BITXOR),
    ast.BitAnd: ("&", BITAND),
    ast.LShift: ("<<", SHIFT),
    ast.RShift: (">>", SHIFT),
    ast.Add: ("+", ADD),
    ast.Sub: ("-", ADD),
    ast.Mult: ("*", MULTIPLY),
    ast.Div: ("/", MULTIPLY),
    ast.FloorDiv: ("//", MULTIPLY),
    ast.Mod: ("%", MULTIPLY),
    ast.MatMult: ("@", MULTIPLY),
    ast.Pow: ("**", POWER),
}
UNARY_OPERATORS: dict[type, tuple[str, int]] = {
    ast.Not: ("not ", NOT),
    ast.Invert: ("~", UNARY),
    ast.UAdd: ("+", UNARY),
    ast.USub: ("-", UNARY),
}
LEVELS: dict[type, int] = {
    ast.Yield: YIELD,
    ast.YieldFrom: YIELD,
    ast.NamedExpr: WALRUS,
    ast.Lambda: TEST,
    ast.IfExp: TEST,
    ast.Compare: COMPARE,
    ast.Await: AWAIT,
    ast.Starred: YIELD,
}


def _level(node: ast.AST) -> int:
    if isinstance(node, ast.BinOp):
        return BINARY[type(node.op)][1]
    if isinstance(node, ast.UnaryOp):
        return UNARY_OPERATORS[type(node.op)][1]
    if isinstance(node, ast.BoolOp):
        return AND if isinstance(node.op, ast.And) else OR
    return LEVELS.get(type(node), ATOM)


class _Unparser(astunparse.Unparser):  # type: ignore[misc]
    """One method a node class, named after it, as `astunparse` has it."""

    # Every place in which an expression stands says how tightly it has to bind.

    def at(self, level: int, node: ast.AST) -> None:
        """Write an expression, in parentheses if it binds less tightly than `level`."""
        if _level(node) < level:
            with self.enclosed("()"):
                self.dispatch(node)
        else:
            self.dispatch(node)

    @contextmanager
    def enclosed(self, pair: str) -> Iterator[None]:
        self.write(pair[0])
        yield
        self.write(pair[1])

    def series(self, write: Callable[[Any], None], items: Sequence[Any], by: str = ", ") -> None:
        for index, item in enumerate(items):
            if index:
                self.write(by)
            write(item)

    def argument(self, node: ast.AST) -> None:
        """An element of a list or of the arguments of a call."""
        self.at(YIELD if isinstance(node, ast.Starred) else TEST, node)

    def block(self, head: str, stmts: Sequence[ast.stmt]) -> None:
        self.fill(head)
        self.suite(stmts)

    def suite(self, stmts: Sequence[ast.stmt]) -> None:
        self.enter()
        self.dispatch(stmts)
        self.leave()

    # Statements.

    def _Expr(self, t: Any) -> None:
        self.fill()
        text = t.value.value if isinstance(t.value, ast.Constant) else None
        if isinstance(text, str) and t.value.kind is None and _is_plain(text):
            self.write(f'"""{text}"""')
        else:
            self.value(t.value)

    def _Assign(self, t: Any) -> None:
        self.fill()
        for target in t.targets:
            self.dispatch(target)
            self.write(" = ")
        self.value(t.value)

    def value(self, node: ast.AST) -> None:
        """What is assigned, which may be a `yield` without parentheses."""
        self.at(TEST if isinstance(node, ast.NamedExpr) else YIELD, node)

    def _AugAssign(self, t: Any) -> None:
        self.fill()
        self.dispatch(t.target)
        self.write(f" {BINARY[type(t.op)][0]}= ")
        self.value(t.value)

    def _AnnAssign(self, t: Any) -> None:
        self.fill()
        if not t.simple and isinstance(t.target, ast.Name):
            with self.enclosed("()"):
                self.dispatch(t.target)
        else:
            self.dispatch(t.target)
        self.write(": ")
        self.at(TEST, t.annotation)
        if t.value:
            self.write(" = ")
            self.value(t.value)

    def _Return(self, t: Any) -> None:
        self.fill("return")
        if t.value:
            self.write(" ")
            self.at(TEST, t.value)

    def _Delete(self, t: Any) -> None:
        self.fill("del ")
        self.series(lambda each: self.at(TEST, each), t.targets)

    def _Assert(self, t: Any) -> None:
        self.fill("assert ")
        self.at(TEST, t.test)
        if t.msg:
            self.write(", ")
            self.at(TEST, t.msg)

    def _Raise(self, t: Any) -> None:
        self.fill("raise")
        for word, part in ((" ", t.exc), (" from ", t.cause)):
            if part:
                self.write(word)
                self.at(TEST, part)

    def _For(self, t: Any) -> None:
        self.loop("for ", t)

    def _AsyncFor(self, t: Any) -> None:
        self.loop("async for ", t)

    def loop(self, word: str, t: Any) -> None:
        self.fill(word)
        self.dispatch(t.target)
        self.write(" in ")
        self.at(TEST, t.iter)
        self.suite(t.body)
        if t.orelse:
            self.block("else", t.orelse)

    def _If(self, t: Any) -> None:
        self.condition("if ", t)

    def _While(self, t: Any) -> None:
        self.condition("while ", t)

    def condition(self, word: str, t: Any) -> None:
        self.fill(word)
        self.at(WALRUS, t.test)
        self.suite(t.body)
        if len(t.orelse) == 1 and isinstance(t, ast.If) and isinstance(t.orelse[0], ast.If):
            self.condition("elif ", t.orelse[0])
        elif t.orelse:
            self.block("else", t.orelse)

    def _Try(self, t: Any) -> None:
        self.attempt(t, "except")

    def _TryStar(self, t: Any) -> None:
        self.attempt(t, "except*")

    def attempt(self, t: Any, word: str) -> None:
        self.block("try", t.body)
        for handler in t.handlers:
            self.fill(word)
            if handler.type:
                self.write(" ")
                self.at(TEST, handler.type)
            if handler.name:
                self.write(f" as {handler.name}")
            self.suite(handler.body)
        for name, stmts in (("else", t.orelse), ("finally", t.finalbody)):
            if stmts:
                self.block(name, stmts)

    def _With(self, t: Any) -> None:
        self.fill("with ")
        self.items(t)

    def _AsyncWith(self, t: Any) -> None:
        self.fill("async with ")
        self.items(t)

    def items(self, t: Any) -> None:
        self.series(self.dispatch, t.items)
        self.suite(t.body)

    def _withitem(self, t: Any) -> None:
        # `with (a, b):` are two items, so a tuple that is one item keeps its own parentheses.
        self.at(TEST, t.context_expr)
        if t.optional_vars:
            self.write(" as ")
            self.at(TEST, t.optional_vars)

    # Definitions.

    def decorators(self, t: Any) -> None:
        for decorator in t.decorator_list:
            self.fill("@")
            self.at(WALRUS, decorator)

    def _FunctionDef(self, t: Any) -> None:
        self.definition("def ", t)

    def _AsyncFunctionDef(self, t: Any) -> None:
        self.definition("async def ", t)

    def definition(self, word: str, t: Any) -> None:
        self.write("\n")
        self.decorators(t)
        self.fill(word + t.name)
        self.type_params(t)
        with self.enclosed("()"):
            self.dispatch(t.args)
        if t.returns:
            self.write(" -> ")
            self.at(TEST, t.returns)
        self.suite(t.body)

    def _ClassDef(self, t: Any) -> None:
        self.write("\n")
        self.decorators(t)
        self.fill("class " + t.name)
        self.type_params(t)
        if t.bases or t.keywords:
            with self.enclosed("()"):
                self.series(self.argument, [*t.bases, *t.keywords])
        self.suite(t.body)

    def type_params(self, t: Any) -> None:
        if getattr(t, "type_params", None):
            with self.enclosed("[]"):
                self.series(self.dispatch, t.type_params)

    def _TypeVar(self, t: Any) -> None:
        self.write(t.name)
        if t.bound:
            self.write(": ")
            self.at(TEST, t.bound)
        self.default(t)

    def _ParamSpec(self, t: Any) -> None:
        self.write("**" + t.name)
        self.default(t)

    def _TypeVarTuple(self, t: Any) -> None:
        self.write("*" + t.name)
        self.default(t)

    def default(self, t: Any) -> None:
        if getattr(t, "default_value", None):
            self.write(" = ")
            self.at(YIELD if isinstance(t.default_value, ast.Starred) else TEST, t.default_value)

    def _TypeAlias(self, t: Any) -> None:
        self.fill("type ")
        self.dispatch(t.name)
        self.type_params(t)
        self.write(" = ")
        self.at(TEST, t.value)

    def _arguments(self, t: Any) -> None:
        parts: list[tuple[str, Any, Any]] = []
        plain = [*t.posonlyargs, *t.args]
        defaults = [None] * (len(plain) - len(t.defaults)) + list(t.defaults)
        for index, (arg, default) in enumerate(zip(plain, defaults, strict=True), 1):
            parts.append(("", arg, default))
            if index == len(t.posonlyargs):
                parts.append(("/", None, None))
        if t.vararg or t.kwonlyargs:
            parts.append(("*", t.vararg, None))
        parts += [("", *pair) for pair in zip(t.kwonlyargs, t.kw_defaults, strict=True)]
        if t.kwarg:
            parts.append(("**", t.kwarg, None))
        self.series(self.formal, parts)

    def formal(self, part: tuple[str, Any, Any]) -> None:
        stars, arg, default = part
        self.write(stars)
        if arg is not None:
            self.dispatch(arg)
        if default is not None:
            self.write("=" if arg.annotation is None else " = ")
            self.at(TEST, default)

    def _arg(self, t: Any) -> None:
        self.write(t.arg)
        if t.annotation:
            self.write(": ")
            self.argument(t.annotation)

    def _Lambda(self, t: Any) -> None:
        self.write("lambda")
        if any(getattr(t.args, field) for field in t.args._fields):
            self.write(" ")
        self.dispatch(t.args)
        self.write(": ")
        self.at(TEST, t.body)

    # `match`.

    def _Match(self, t: Any) -> None:
        self.fill("match ")
        self.at(TEST, t.subject)
        self.suite(t.cases)

    def _match_case(self, t: Any) -> None:
        self.fill("case ")
        self.dispatch(t.pattern)
        if t.guard:
            self.write(" if ")
            self.at(WALRUS, t.guard)
        self.suite(t.body)

    def _MatchValue(self, t: Any) -> None:
        self.dispatch(t.value)

    def _MatchSingleton(self, t: Any) -> None:
        self.write(repr(t.value))

    def _MatchSequence(self, t: Any) -> None:
        with self.enclosed("[]"):
            self.series(self.dispatch, t.patterns)

    def _MatchStar(self, t: Any) -> None:
        self.write(f"*{t.name or '_'}")

    def _MatchMapping(self, t: Any) -> None:
        with self.enclosed("{}"):
            self.series(self.pair, list(zip(t.keys, t.patterns, strict=True)))
            if t.rest:
                self.write(f", **{t.rest}" if t.keys else f"**{t.rest}")

    def pair(self, pair: tuple[Any, Any]) -> None:
        self.dispatch(pair[0])
        self.write(": ")
        self.dispatch(pair[1])

    def _MatchClass(self, t: Any) -> None:
        self.dispatch(t.cls)
        with self.enclosed("()"):
            named = zip(t.kwd_attrs, t.kwd_patterns, strict=True)
            self.series(self.sub_pattern, [*((None, each) for each in t.patterns), *named])

    def sub_pattern(self, part: tuple[str | None, Any]) -> None:
        if part[0] is not None:
            self.write(f"{part[0]}=")
        self.dispatch(part[1])

    def _MatchAs(self, t: Any) -> None:
        if t.pattern is None:
            self.write(t.name or "_")
            return
        with self.enclosed("()"):
            self.dispatch(t.pattern)
            self.write(f" as {t.name}")

    def _MatchOr(self, t: Any) -> None:
        with self.enclosed("()"):
            self.series(self.dispatch, t.patterns, " | ")

    # Expressions.

    def _NamedExpr(self, t: Any) -> None:
        self.at(ATOM, t.target)
        self.write(" := ")
        self.at(TEST, t.value)

    def _BoolOp(self, t: Any) -> None:
        level = _level(t)
        word = " and " if level == AND else " or "
        self.series(lambda each: self.at(level + 1, each), t.values, word)

    def _UnaryOp(self, t: Any) -> None:
        text, level = UNARY_OPERATORS[type(t.op)]
        self.write(text)
        self.at(level, t.operand)

    def _BinOp(self, t: Any) -> None:
        text, level = BINARY[type(t.op)]
        to_the_right = isinstance(t.op, ast.Pow)
        self.at(level + to_the_right, t.left)
        self.write(f" {text} ")
        # A sign binds less tightly than a power, but needs no parentheses in an exponent.
        self.at(UNARY if to_the_right else level + 1, t.right)

    def _Compare(self, t: Any) -> None:
        self.at(BITOR, t.left)
        for op, comparator in zip(t.ops, t.comparators, strict=True):
            self.write(f" {self.cmpops[type(op).__name__]} ")
            self.at(BITOR, comparator)

    def _IfExp(self, t: Any) -> None:
        self.at(OR, t.body)
        self.write(" if ")
        self.at(OR, t.test)
        self.write(" else ")
        self.at(TEST, t.orelse)

    def _Await(self, t: Any) -> None:
        self.write("await ")
        self.at(ATOM, t.value)

    def _Yield(self, t: Any) -> None:
        self.write("yield")
        if t.value:
            self.write(" ")
            self.at(TEST, t.value)

    def _YieldFrom(self, t: Any) -> None:
        self.write("yield from ")
        self.at(TEST, t.value)

    def _Starred(self, t: Any) -> None:
        self.write("*")
        self.at(BITOR, t.value)

    def _Tuple(self, t: Any) -> None:
        with self.enclosed("()"):
            self.elements(t.elts)

    def elements(self, elements: Sequence[Any]) -> None:
        self.series(self.argument, elements)
        if len(elements) == 1:
            self.write(",")

    def _List(self, t: Any) -> None:
        with self.enclosed("[]"):
            self.series(self.argument, t.elts)

    def _Set(self, t: Any) -> None:
        with self.enclosed("{}"):
            self.series(self.argument, t.elts)

    def _Dict(self, t: Any) -> None:
        with self.enclosed("{}"):
            self.series(self.item, list(zip(t.keys, t.values, strict=True)))

    def item(self, item: tuple[Any, Any]) -> None:
        if item[0] is None:
            self.write("**")
            self.at(BITOR, item[1])
        else:
            self.at(TEST, item[0])
            self.write(": ")
            self.at(TEST, item[1])

    def _ListComp(self, t: Any) -> None:
        self.comprehension("[]", t)

    def _SetComp(self, t: Any) -> None:
        self.comprehension("{}", t)

    def _GeneratorExp(self, t: Any) -> None:
        self.comprehension("()", t)

    def comprehension(self, pair: str, t: Any) -> None:
        with self.enclosed(pair):
            self.at(TEST, t.elt)
            self.dispatch(t.generators)

    def _DictComp(self, t: Any) -> None:
        with self.enclosed("{}"):
            self.item((t.key, t.value))
            self.dispatch(t.generators)

    def _comprehension(self, t: Any) -> None:
        self.write(" async for " if t.is_async else " for ")
        self.dispatch(t.target)
        self.write(" in ")
        self.at(OR, t.iter)
        for condition in t.ifs:
            self.write(" if ")
            self.at(OR, condition)

    def _Call(self, t: Any) -> None:
        self.at(ATOM, t.func)
        with self.enclosed("()"):
            self.series(self.argument, [*t.args, *t.keywords])

    def _keyword(self, t: Any) -> None:
        self.write("**" if t.arg is None else f"{t.arg}=")
        self.at(BITOR if t.arg is None else TEST, t.value)

    def _Attribute(self, t: Any) -> None:
        self.at(ATOM, t.value)
        if isinstance(t.value, ast.Constant) and type(t.value.value) is int:
            self.write(" ")
        self.write(f".{t.attr}")

    def _Subscript(self, t: Any) -> None:
        self.at(ATOM, t.value)
        with self.enclosed("[]"):
            if isinstance(t.slice, ast.Tuple) and any(map(_is_slice, t.slice.elts)):
                self.elements(t.slice.elts)
            else:
                self.at(WALRUS if isinstance(t.slice, ast.Starred) else YIELD, t.slice)

    def _Slice(self, t: Any) -> None:
        for text, part in (("", t.lower), (":", t.upper), (":" if t.step else "", t.step)):
            self.write(text)
            if part:
                self.at(TEST, part)

    def _Constant(self, t: Any) -> None:
        if t.value is Ellipsis:
            self.write("...")
        elif isinstance(t.value, float | complex):
            self.write(_number(t.value))
        else:
            self.write(("u" if t.kind == "u" else "") + repr(t.value))

    # f-strings.

    def _JoinedStr(self, t: Any) -> None:
        self.write(_FString(t).text())

    def _FormattedValue(self, t: Any) -> None:
        self.write(_FString(ast.JoinedStr([t])).text())


def _is_plain(text: str) -> bool:
    """Whether a docstring can stand between triple quotes as it is."""
    special = "\\" in text or '"""' in text or text.endswith('"')
    return not special and all(each.isprintable() or each == "\n" for each in text)


def _is_slice(node: ast.AST) -> bool:
    return isinstance(node, ast.Slice | ast.Starred)


def _number(value: complex) -> str:
    text = repr(value).replace("inf", f"1e{sys.float_info.max_10_exp + 1}")
    return text.replace("nan", f"(1e{sys.float_info.max_10_exp + 1}-1e309)")


class _FString:
    """Finds quotes for an f-string, which before 3.12 must not occur inside of it."""

    def __init__(self, node: Any) -> None:
        self.node = node

    def text(self) -> str:
        parts = self.parts(self.node.values)
        inside = "".join(text for text, literal in parts if not literal)
        for quote in ("'", '"', "'''", '"""'):
            body = "".join(_escape(text, quote) if literal else text for text, literal in parts)
            if quote in inside or (len(quote) == 1 and "\n" in inside):
                continue
            if body.endswith(quote[0]) and not parts[-1][1]:
                continue
            return f"f{quote}{body}{quote}"
        body = "".join(_escape(text, "'") if literal else text for text, literal in parts)
        return f"f'{body}'"

    def parts(self, values: Sequence[Any]) -> list[tuple[str, bool]]:
        """The pieces of text, and whether they are literal."""
        out: list[tuple[str, bool]] = []
        for value in values:
            if isinstance(value, ast.Constant):
                out.append((_braces(value.value), True))
            elif isinstance(value, ast.JoinedStr):
                out += self.parts(value.values)
            else:
                out += self.field(value)
        return out

    def field(self, t: Any) -> list[tuple[str, bool]]:
        out = io.StringIO()
        _Unparser(ast.Expression(t.value), out)
        text = out.getvalue().strip("\n")
        if _level(t.value) <= TEST:
            text = f"({text})"
        # A brace or a colon at the start would be taken for something else.
        text = (" " if text.startswith("{") else "") + text
        text += "" if t.conversion == -1 else f"!{chr(t.conversion)}"
        if t.format_spec is None:
            return [("{" + text + "}", False)]
        return [("{" + text + ":", False), *self.parts(t.format_spec.values), ("}", False)]


def _braces(text: Any) -> str:
    return str(text).replace("{", "{{").replace("}", "}}")


def _escape(text: str, quote: str) -> str:
    """A literal piece as it stands between the quotes."""
    text = repr("\"'" + text)[1:-1]  # both quotes, so that repr escapes the single ones
    text = text.removeprefix("\"\\'").replace("\\'", "'")
    return text.replace(quote[0], "\\" + quote[0])
