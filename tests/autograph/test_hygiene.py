"""No variable of the user's collides with a name that the converters make."""

import ast
import re

import pytest

import agir as ag

SOURCE = """
def f(x, limit):
    total = 0
    for number in range(limit):
        if number > x:
            break
        if number % 2 and x > 1:
            continue
        total += number
    else:
        total = total + (1 if x > 2 else -1)
    while total > 3:
        total -= 2
    try:
        assert total != 1, "one"
    except AssertionError:
        total = -total
    rows = [number * x for number in range(3)]
    match total:
        case 2 | 3:
            return rows
    return total, rows
"""


def generated(source):
    """The names in the converted code that the source does not have."""
    code = ag.autograph.to_code(defined(source))
    nodes = list(ast.walk(ast.parse(code)))
    found = {node.id for node in nodes if isinstance(node, ast.Name)}
    found |= {node.arg for node in nodes if isinstance(node, ast.arg)}
    found |= {node.name for node in nodes if isinstance(node, ast.FunctionDef)}
    return sorted(found - set(re.findall(r"\w+", source)) - {"AssertionError"})


def defined(source):
    import linecache

    name = f"<hygiene {hash(source)}>"
    linecache.cache[name] = (len(source), None, source.splitlines(keepends=True), name)
    namespace = {}
    exec(compile(source, name, "exec"), namespace)
    return namespace["f"]


def plain(value):
    return [plain(each) for each in value] if isinstance(value, tuple | list) else int(value)


@pytest.mark.parametrize("variable", ["x", "total", "number", "rows"])
def test_a_variable_may_have_any_generated_name(variable):
    names = generated(SOURCE)
    assert {"values", "get_state", "if_body", "break_"} <= set(names)
    for name in names:
        f = defined(re.sub(rf"\b{variable}\b", name, SOURCE))
        decorated = ag.jit(f, jit_compile=False)
        for arguments in [(0, 3), (2, 9), (5, 4)]:
            assert plain(decorated(*arguments)) == plain(f(*arguments)), name
