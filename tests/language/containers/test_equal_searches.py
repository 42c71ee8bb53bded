"""A key is looked for once, and what a table has is found again after it has changed."""

from collections import Counter, defaultdict
from functools import partial

import pytest

import agir as ag
from agir.backends.cpu.passes.outlining.single_call_inlining import inline_single_calls
from agir.backends.cpu.passes.tensors.common_searches import eliminate_common_searches
from agir.backends.mlir.modules import find
from agir.ir.building import bindings

TEXT = """
func.func private @search(%key: i64) -> i64 attributes {{agir.library = {makes}}} {{
  return %key : i64
}}
func.func @f(%a: i64, %b: i64, %which: i1) -> (i64, i64, i64) {{
  %one = func.call @search(%a) : (i64) -> i64
  %two = func.call @search(%{other}) : (i64) -> i64
  %three = scf.if %which -> i64 {{
    %inside = func.call @search(%a) : (i64) -> i64
    scf.yield %inside : i64
  }} else {{
    %inside = func.call @search(%b) : (i64) -> i64
    scf.yield %inside : i64
  }}
  return %one, %two, %three : i64, i64, i64
}}
"""


@pytest.mark.parametrize(
    ("makes", "other", "left"), [("false", "a", 2), ("false", "b", 2), ("true", "a", 4)]
)
def test_calls_that_are_left(makes, other, left):
    with bindings.context():
        module = bindings.ir.Module.parse(TEXT.format(makes=makes, other=other))
        eliminate_common_searches(module)
        module.operation.verify()
        assert len(find(module, "func.call")) == left


def test_calls_on_other_paths_stay():
    text = """
      func.func private @search(%key: i64) -> i64 attributes {agir.library = false} {
        return %key : i64
      }
      func.func @f(%a: i64, %which: i1) -> i64 {
        %one = scf.if %which -> i64 {
          %inside = func.call @search(%a) : (i64) -> i64
          scf.yield %inside : i64
        } else {
          %inside = func.call @search(%a) : (i64) -> i64
          scf.yield %inside : i64
        }
        %two = func.call @search(%a) : (i64) -> i64
        return %two : i64
      }
    """
    with bindings.context():
        module = bindings.ir.Module.parse(text)
        eliminate_common_searches(module)
        module.operation.verify()
        assert len(find(module, "func.call")) == 3


def counted(keys):
    found = {}
    for key in keys:
        found[key] = found.get(key, 0) + 1
    return found


def counted_if_there(keys):
    found = {}
    for key in keys:
        if key in found:
            found[key] += 1
        else:
            found[key] = 1
    return found


def with_default(keys):
    found = defaultdict(int)
    for key in keys:
        found[key] += 1
    return found, Counter(keys)


def grouped(keys):
    found = {}
    for place in range(len(keys)):
        found.setdefault(keys[place], []).append(place)
    return found


def removed_between(keys):
    found, out = {}, []
    for key in keys:
        if key in found:
            out.append((key, found.pop(key)))
            found[key] = -1
        else:
            found[key] = len(found)
        if key in found and len(found) > 5:
            del found[key]
    return found, out


def of_two(keys):
    one, other = {}, {}
    for key in keys:
        one[key] = other.get(key, 0) + 1
        other[key] = one.get(key, 0) + other.get(key, 0)
    return one, other


def while_growing(keys):
    found, sums = {}, []
    for key in keys:
        before = found.get(key, -1)
        found[key] = len(sums)
        found[key, 1] = before
        sums.append(found[key] + found[key, 1])
    return sums


INTS = [[3, 1, 3], [0], [number * number % 97 for number in range(700)]]
FLOATS = [[0.5, -0.0, 0.0, 0.5], [n % 7 / 2 for n in range(200)]]
TEXTS = [["a", "b", "a", ""], ["w" + str(n * n % 61) for n in range(300)]]
PROGRAMS = [counted, counted_if_there, with_default, grouped, removed_between, of_two]


def _compare(function, compiled, given):
    made, expected = compiled(list(given)), function(list(given))
    assert made == expected
    assert repr(made) == repr(expected)


@pytest.mark.parametrize("function", PROGRAMS)
@pytest.mark.parametrize("keys", [INTS, FLOATS], ids=["ints", "floats"])
def test_numbers_as_keys(function, keys):
    compiled = ag.jit(function)
    for given in [*keys, *keys]:
        _compare(function, compiled, given)


@pytest.mark.parametrize("function", PROGRAMS)
def test_texts_as_keys(function):
    def of_words(text):
        return function(text.split())

    compiled = ag.jit(of_words)
    for words in [*TEXTS, *TEXTS]:
        text = " ".join(words)
        assert repr(compiled(text)) == repr(of_words(text))


def test_tables_that_grow_between():
    compiled = ag.jit(while_growing)
    for keys in INTS:
        _compare(while_growing, compiled, keys)


def test_caller_s_dict():
    def count(found, key):
        found[key] = found.get(key, 0) + 1
        return found[key]

    compiled = ag.jit(count)
    for size in (1, 5, 300):
        mine, theirs = ({n: n for n in range(size)} for _ in range(2))
        for key in (0, size, size + 1, size, 0):
            assert compiled(mine, key) == count(theirs, key)
            assert list(mine.items()) == list(theirs.items())


def test_texts_of_results():
    texts = ["", "a", "\0", "é€\U0001f600", "\ud800x", "ab" * 3000]

    def parts(text, at):
        return text[at:], [text[:at], text[at:]], {text[at:]: at}

    compiled = ag.jit(parts)
    for text in texts:
        for at in (0, 1, 2):
            assert compiled(text, at) == parts(text, at)


def _written(text, number):
    for _ in range(2):
        text += str(number) + "," + hex(number)
    return text, bin(number), oct(number), f"{number:08x}"


EDGES = [2**63 - 1, -(2**63), -(2**63) + 1, 10**18, 10**18 - 1, -(10**18)]


@pytest.mark.parametrize("sign", [1, -1])
def test_numbers_in_texts(sign):
    compiled = ag.jit(partial(_written, ""))
    for number in [*(sign * (10**n + d) for n in range(18) for d in (-1, 0, 1)), *EDGES]:
        assert compiled(number) == _written("", number)


def test_functions_that_are_called_once_are_inlined():
    text = """
      func.func private @once() -> tensor<?xi64> attributes {agir.library = true}
      func.func private @twice() -> tensor<?xi64> attributes {agir.library = true}
      func.func private @number() -> i64 attributes {agir.library = false}
      func.func @f() {
        %a = func.call @once() {no_inline} : () -> tensor<?xi64>
        %b = func.call @twice() {no_inline} : () -> tensor<?xi64>
        %c = func.call @twice() {no_inline} : () -> tensor<?xi64>
        %d = func.call @number() {no_inline} : () -> i64
        return
      }
    """
    with bindings.context():
        module = bindings.ir.Module.parse(text)
        inline_single_calls(module)
        kept = [each for each in find(module, "func.call") if "no_inline" in each.attributes]
        assert [each.attributes["callee"].value for each in kept] == ["twice", "twice", "number"]
