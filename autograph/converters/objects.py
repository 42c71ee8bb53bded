"""Attributes, subscripts and displays.

::

    self.n = v                  ag__.set_attr(self, 'n', v)
    d[k] += v                   item = ag__.get_item(d, k)
                                item += v
                                ag__.set_item(d, k, item)
    s |= v                      s |= ag__.updating(s, v)
    a, b = pair                 a, b = ag__.unpack(pair, 2)
    a, *b = items               a, b = ag__.unpack_starred(items, 1, 0)
    x[i], y = pair              item, y = ag__.unpack(pair, 2)
                                ag__.set_item(x, i, item)

Reads stay as they are where neither a property nor a run-time value can be met: attributes of
libraries, constant subscripts of variables.
"""

from __future__ import annotations

from collections.abc import Container, Iterable, Sequence
from types import ModuleType
from typing import Any

import gast

from agir.autograph.converters.common.context import Context
from agir.autograph.libraries import is_library_module
from agir.autograph.pyct.qualified_names import root
from agir.autograph.pyct.templates import call, constant, keyword, name, statement
from agir.autograph.pyct.trees import walk

PARTS = (gast.Attribute, gast.Subscript)
_EFFECTS = (gast.Call, gast.NamedExpr, gast.Await, gast.Yield, gast.YieldFrom)


def is_part(target: Any) -> bool:
    """Whether a target is, or holds, an attribute or a subscript."""
    if isinstance(target, gast.Tuple | gast.List):
        return any(map(is_part, target.elts))
    return isinstance(target.value if isinstance(target, gast.Starred) else target, PARTS)


def updating(target: Any, stmt: Any, operators: str) -> Any:
    """The value of ``target |= value``, before which a set or dict is told that it changes."""
    of_sets = isinstance(stmt.op, gast.BitOr | gast.BitAnd | gast.BitXor | gast.Sub)
    if not of_sets or isinstance(stmt.value, gast.Constant):
        return stmt.value
    return call(f"{operators}.updating", stmt.value, target, stmt.value)


def _may_read(parts: Sequence[Any], variable: str) -> bool:
    """Whether what parts of objects are of, or their subscripts, may be of a variable."""
    inside = [each for part in parts for each in walk(part)]
    return any(
        isinstance(each, _EFFECTS) or (isinstance(each, gast.Name) and each.id == variable)
        for each in inside
    )


def _has_starred(display: Any) -> bool:
    return any(isinstance(each, gast.Starred) for each in display.elts)


class Stores:
    """Rewrites the assignments of one function."""

    def __init__(self, context: Context, unstable: Iterable[str]) -> None:
        """`unstable` are the variables that a call may change."""
        self.context = context
        self.operators = context.operators
        self.unstable = frozenset(unstable)

    def assignment(self, stmt: Any) -> list[Any]:
        """``a = b = value``."""
        if len(stmt.targets) == 1:
            stmt.value = self.unpacked(stmt.targets[0], stmt.value)
        if not any(map(is_part, stmt.targets)):
            return [stmt]
        first = stmt.targets[0]
        alone = len(stmt.targets) == 1
        if alone and isinstance(first, PARTS) and self.independent(first, stmt.value):
            return [self.store(first, stmt.value, stmt)]
        if alone and not isinstance(first, PARTS):
            return self.unpacking(first, stmt.value, stmt)
        value = self.fresh("value")
        out = [statement("value_ = given_", stmt, value_=value, given_=stmt.value)]
        for target in stmt.targets:
            given = name(value, target)
            if isinstance(target, PARTS):
                out.append(self.store(target, given, stmt))
            else:
                out += self.unpacking(target, given, stmt)
        return out

    def unpacked(self, target: Any, value: Any) -> Any:
        """What a display of targets takes apart: as many items as there are, which may be counted."""
        displays = (gast.Tuple, gast.List)
        if not isinstance(target, displays):
            return value
        if _has_starred(target):
            return self.unpacked_starred(target, value)
        if isinstance(value, displays):
            if len(value.elts) == len(target.elts) and not _has_starred(value):
                value.elts = list(map(self.unpacked, target.elts, value.elts))
            return value
        count = constant(len(target.elts), value)
        return call(f"{self.operators}.unpack", value, value, count)

    def unpacked_starred(self, target: Any, value: Any) -> Any:
        """As many items as there are targets; the starred one, a list, has no star any more."""
        before = next(i for i, each in enumerate(target.elts) if isinstance(each, gast.Starred))
        after = len(target.elts) - before - 1
        target.elts[before] = target.elts[before].value
        counts = [constant(count, value) for count in (before, after)]
        return call(f"{self.operators}.unpack_starred", value, value, *counts)

    def unpacking(self, target: Any, value: Any, stmt: Any) -> list[Any]:
        """``target = value``, a display of targets."""
        plain, stores = self.simple(target, stmt)
        assign = gast.copy_location(gast.Assign([plain], value, None), stmt)
        return [assign, *stores]

    def simple(self, target: Any, stmt: Any, before: Sequence[Any] = ()) -> tuple[Any, list[Any]]:
        """A target of variables only, and the stores from them into the parts of objects.

        Python assigns from left to right: `x.next, x = y, z` sets an attribute of the old `x`, so a
        variable that a part before it may read is assigned after that.
        """
        if isinstance(target, PARTS):
            item = self.fresh("item")
            return name(item, target, gast.Store()), [self.store(target, name(item, target), stmt)]
        stores: list[Any] = []
        if isinstance(target, gast.Name) and _may_read(before, target.id):
            item = self.fresh("item")
            stores = [statement("name_ = item_", stmt, name_=target.id, item_=item)]
            return name(item, target, gast.Store()), stores
        if isinstance(target, gast.Starred):
            target.value, stores = self.simple(target.value, stmt, before)
        elif isinstance(target, gast.Tuple | gast.List):
            parts = [*before]
            for index, each in enumerate(target.elts):
                parts += filter(is_part, [each])
                target.elts[index], more = self.simple(each, stmt, parts)
                stores += more
        return target, stores

    def augmented(self, stmt: Any) -> list[Any]:
        """``obj.name += value``, ``obj[key] += value``."""
        target, out = stmt.target, []
        for field in ("value", "slice"):
            operand = getattr(target, field, None)
            if operand is not None and not self.stable(operand, stmt.value):
                kept = self.fresh("obj" if field == "value" else "key")
                operand = subscript_key(operand, self.operators)
                out.append(statement("kept_ = operand_", stmt, kept_=kept, operand_=operand))
                setattr(target, field, name(kept, operand))
        item = self.fresh("item")
        read = statement("item_ = old_", stmt, item_=item, old_=self.load(target))
        value = updating(name(item, target), stmt, self.operators)
        change = gast.AugAssign(name(item, target, gast.Store()), stmt.op, value)
        out += [read, gast.copy_location(change, stmt)]
        return [*out, self.store(target, name(item, target), stmt)]

    def deletion(self, target: Any) -> Any:
        """``del`` of an attribute or an item."""
        return self.operation("del", target, target)

    def load(self, target: Any) -> Any:
        """The present value of a target."""
        kind: Any = type(target)
        read = kind.__new__(kind)
        read.__dict__.update(target.__dict__)
        read.ctx = gast.Load()
        return read

    def store(self, target: Any, value: Any, stmt: Any) -> Any:
        """The statement that stores a value."""
        return self.operation("set", target, stmt, value)

    def operation(self, verb: str, target: Any, origin: Any, *value: Any) -> Any:
        """The call of the operator that stores to, or deletes, a part of an object."""
        if isinstance(target, gast.Attribute):
            what, operand = "attr", constant(self.context.mangled(target.attr), target)
        else:
            what, operand = "item", self.again(subscript_key(target.slice, self.operators))
        function = f"{self.operators}.{verb}_{what}"
        done = call(function, origin, self.again(target.value), operand, *value)
        return gast.copy_location(gast.Expr(done), origin)

    def again(self, node: Any) -> Any:
        """A node that can stand in the tree once more, where it is a variable or a constant."""
        if isinstance(node, gast.Name):
            made, loads = name(node.id, node), self.context.loads
            if node in loads:
                loads[made] = loads[node]
            return made
        if isinstance(node, gast.Tuple):
            elements = [self.again(each) for each in node.elts]
            return gast.copy_location(gast.Tuple(elements, gast.Load()), node)
        return node

    def independent(self, target: Any, value: Any) -> bool:
        """Whether it makes no difference that a target is evaluated before the value."""
        operands = (target.value, getattr(target, "slice", None))
        return all(each is None or self.stable(each, value) for each in operands) or not (
            _has(value, _EFFECTS)
            or any(each is not None and _has(each, _EFFECTS) for each in operands)
        )

    def stable(self, operand: Any, value: Any) -> bool:
        """Whether an operand is a variable or constant that evaluating the value cannot change."""
        if isinstance(operand, gast.Tuple):
            return all(self.stable(each, value) for each in operand.elts)
        if isinstance(operand, gast.Slice):
            bounds = (operand.lower, operand.upper, operand.step)
            return all(each is None or self.stable(each, value) for each in bounds)
        if isinstance(operand, gast.Name):
            return operand.id not in self.unstable and not _has(value, gast.NamedExpr)
        return isinstance(operand, gast.Constant)

    def fresh(self, wish: str) -> str:
        """A name that the function does not use."""
        return self.context.namer.fresh(wish)


def _has(node: Any, kinds: Any) -> bool:
    return any(isinstance(each, kinds) for each in walk(node))


def subscript_key(key: Any, operators: str) -> Any:
    """What stands between the brackets, as an expression."""
    if isinstance(key, gast.Slice):
        bounds = [key.lower, key.upper, *([key.step] if key.step is not None else [])]
        return call(
            f"{operators}.slice_", key, *(constant(None, key) if b is None else b for b in bounds)
        )
    if isinstance(key, gast.Tuple) and any(isinstance(each, gast.Slice) for each in key.elts):
        elements = [subscript_key(each, operators) for each in key.elts]
        return gast.copy_location(gast.Tuple(elements, gast.Load()), key)
    return key


def parts_of(display: Any) -> list[Any]:
    """What a list display with starred elements is put together of."""
    parts: list[Any] = []
    for each in display.elts:
        if isinstance(each, gast.Starred):
            parts.append(each.value)
        elif parts and isinstance(parts[-1], gast.List):
            parts[-1].elts.append(each)
        else:
            parts.append(gast.copy_location(gast.List([each], gast.Load()), each))
    return parts


def reads_item(node: Any, hidden: Container[str]) -> bool:
    """Whether a subscript may be a run-time value, or what it is of lies outside of the function."""
    first = root(node)
    if first is not None and first not in hidden:
        return True
    return any(isinstance(each, gast.Name | gast.Call) for each in walk(node.slice))


def reads_module(node: Any, context: Context, hidden: Iterable[str]) -> bool:
    """Whether an attribute is one of a library's module, or of what is in one."""
    first = root(node)
    if first is None or first in hidden:
        return False
    found = context.namespace.get(first)
    return isinstance(found, ModuleType) and is_library_module(found)


def rebinding(stmts: list[Any], names: Iterable[str], operators: str, origin: Any) -> list[Any]:
    """The statements, after the announcement that variables of others are assigned to."""
    names = list(names)
    if not names:
        return stmts
    told = call(f"{operators}.rebinds", origin)
    for each in names:
        read = statement("lambda: x_", origin, x_=each).value
        told.keywords.append(keyword(each, read))
    return [gast.copy_location(gast.Expr(told), origin), *stmts]
