"""From a converted tree to a function.

The tree is compiled inside a factory that is never run: it only makes the closure variables of
the function free variables again, `ag__` among them, and stands in a class where names have to be
mangled.  The code object is then joined with the original globals, cells and defaults.
"""

from __future__ import annotations
import __future__

import ast
import functools
import operator
import sys
from collections.abc import Iterable, Iterator, Mapping
from types import CellType, CodeType, FunctionType, MappingProxyType
from typing import Any

from agir.autograph.pyct.trees import children
from agir.records import dataclass

FUTURES = functools.reduce(
    operator.or_,
    (getattr(__future__, name).compiler_flag for name in __future__.all_feature_names),
) & ~__future__.nested_scopes.compiler_flag  # fmt: skip
_FACTORY = "factory__"
_FUNCTION = "function__"
_LOCALS = f"{_FACTORY}.<locals>."


@dataclass(frozen=True)
class Template:
    """A compiled function that lacks only its globals, cells and defaults."""

    code: CodeType
    extra: tuple[str, ...] = ()


def compile_function(
    node: ast.FunctionDef | ast.Lambda,
    original: CodeType,
    class_name: str | None,
    *,
    extra: tuple[str, ...] = (),
    qualname: str = "",
    generated: Mapping[str, str] = MappingProxyType({}),
) -> Template:
    """Compile a function in the place of `original`.

    `extra` are free variables that the original does not have; `generated` are the names of
    functions that must not show in the qualified names of the functions in them, or show
    differently.
    """
    module = _factory(node, (*original.co_freevars, *extra), class_name)
    flags = original.co_flags & FUTURES
    compiled = compile(module, original.co_filename, "exec", flags, dont_inherit=True)
    factory = next(each for each in _codes(compiled) if each.co_name == _FACTORY)
    code = next(each for each in factory.co_consts if isinstance(each, CodeType))
    code = _qualified(code, qualname or original.co_name, generated)
    code = code.replace(co_name=original.co_name)
    return Template(code, extra)


def _factory(
    node: ast.FunctionDef | ast.Lambda, free: Iterable[str], class_name: str | None
) -> ast.Module:
    body: ast.stmt = _bare(node) if isinstance(node, ast.FunctionDef) else ast.Return(_bare(node))
    # A free variable is an argument of the factory, whose names are mangled already.
    args = [ast.arg(name) for name in free]
    factory = ast.parse(f"def {_FACTORY}(): pass").body[0]
    assert isinstance(factory, ast.FunctionDef)
    factory.args.args = args
    factory.body = [body]
    outer: ast.stmt = factory
    if class_name is not None:
        holder = ast.parse(f"class {class_name}: pass").body[0]
        assert isinstance(holder, ast.ClassDef)
        holder.body = [factory]
        outer = holder
    module = ast.Module([outer], [])
    _place(module)
    return module


_START = {"lineno": 1, "col_offset": 0, "end_lineno": 1, "end_col_offset": 0}
"""Where nodes are that lack a place and that nothing is around."""


def _place(tree: ast.AST) -> None:
    """Give all nodes that lack a place that of the node around, as `ast.fix_missing_locations`."""
    pending: list[tuple[ast.AST, list[Any]]] = [(tree, list(_START.values()))]
    while pending:
        node, place = pending.pop()
        if node._attributes:
            known = node.__dict__
            own = [known.get(name) for name in _START]
            if None in own:
                own = [
                    here if each is None else each for each, here in zip(own, place, strict=True)
                ]
                known.update(zip(_START, own, strict=True))
            place = own
        pending += [(child, place) for child in children(node)]


def _bare(node: Any) -> Any:
    """The function without what is evaluated where it is defined.

    It has another name, because it must not hide a global variable of its own.
    """
    args = node.args
    empty = ast.Constant(None)
    bare = ast.arguments(
        posonlyargs=[_bare_arg(each) for each in args.posonlyargs],
        args=[_bare_arg(each) for each in args.args],
        vararg=_bare_arg(args.vararg),
        kwonlyargs=[_bare_arg(each) for each in args.kwonlyargs],
        kw_defaults=[each and empty for each in args.kw_defaults],
        kwarg=_bare_arg(args.kwarg),
        defaults=[empty for _ in args.defaults],
    )
    if isinstance(node, ast.Lambda):
        return ast.copy_location(ast.Lambda(bare, node.body), node)
    new = ast.copy_location(
        ast.FunctionDef(name=_FUNCTION, args=bare, body=node.body, decorator_list=[]), node
    )
    if sys.version_info >= (3, 12):
        new.type_params = []
    return new


def _bare_arg(arg: ast.arg | None) -> Any:
    return arg and ast.copy_location(ast.arg(arg.arg), arg)


def _codes(code: CodeType) -> Iterator[CodeType]:
    for constant in code.co_consts:
        if isinstance(constant, CodeType):
            yield constant
            yield from _codes(constant)


def _qualified(code: CodeType, name: str, generated: Mapping[str, str]) -> CodeType:
    """The code with the qualified names that it, and all that is in it, has unconverted."""

    def rename(constant: Any) -> Any:
        if isinstance(constant, CodeType):
            return _qualified(constant, name, generated)
        if isinstance(constant, str) and _LOCALS in constant:
            _, *parts = constant.partition(_LOCALS)[2].split(".<locals>.")
            shown = [generated.get(part, part) for part in parts]
            return ".<locals>.".join([name, *filter(None, shown)])
        return constant

    # A class stores its qualified name itself; up to 3.10 every function is given its own.
    new = code.replace(co_consts=tuple(rename(constant) for constant in code.co_consts))
    if sys.version_info >= (3, 11):
        new = new.replace(co_qualname=rename(new.co_qualname))
    return new


def instantiate(template: Template, function: FunctionType, extra: dict[str, Any]) -> FunctionType:
    """A function with the template's code and everything else from `function`."""
    own = dict(zip(function.__code__.co_freevars, function.__closure__ or (), strict=True))
    cells = tuple(
        CellType(extra[name]) if name in template.extra else own[name]
        for name in template.code.co_freevars
    )
    new = FunctionType(
        template.code, function.__globals__, function.__name__, function.__defaults__, cells
    )
    new.__qualname__ = function.__qualname__
    new.__kwdefaults__ = function.__kwdefaults__
    new.__module__ = function.__module__
    new.__doc__ = function.__doc__
    new.__annotations__ = function.__annotations__
    new.__dict__.update(function.__dict__)
    if sys.version_info >= (3, 12):
        new.__type_params__ = function.__type_params__
    return new


def compiles_to(definition: Any, code: CodeType) -> bool:
    """Whether a definition compiles to the given code object, positions apart."""
    try:
        template = compile_function(definition.node, code, definition.class_name)
    except (SyntaxError, StopIteration):
        return False
    return _same(template.code, code)


def _same(one: CodeType, other: CodeType) -> bool:
    fields = ("co_code", "co_names", "co_varnames", "co_freevars", "co_cellvars")
    if any(getattr(one, field) != getattr(other, field) for field in fields):
        return False
    pairs = list(zip(one.co_consts, other.co_consts, strict=False))
    return len(one.co_consts) == len(other.co_consts) and all(
        _same(a, b) if isinstance(a, CodeType) and isinstance(b, CodeType) else _equal(a, b)
        for a, b in pairs
    )


def _equal(a: object, b: object) -> bool:
    return type(a) is type(b) and (a == b or isinstance(a, str))
