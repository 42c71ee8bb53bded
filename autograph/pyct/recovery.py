"""The source of functions that come from `exec` or ``python -c``, where nobody has registered it.

The text is usually still in the process: as a constant of the function that called `exec`, in one of
its variables, or among the arguments that Python was started with.  A string is taken for the
source only if it compiles to the very code object in question, so a wrong guess is impossible.
What is compiled after `watch` has been called is kept, trees that programs make among it.
"""

from __future__ import annotations

import ast
import gc
import linecache
import sys
import sysconfig
from collections import deque
from collections.abc import Iterable, Iterator
from contextlib import suppress
from functools import cache, lru_cache
from pathlib import Path
from types import CodeType, FrameType, FunctionType

from agir.autograph.pyct.loader import FUTURES

_OWN = __name__.partition(".")[0]
_PYTHON = sysconfig.get_paths()["stdlib"]
_INSTALLED = frozenset({"site-packages", "dist-packages"})


_KEPT = 512
_trees: deque[ast.Module] = deque(maxlen=_KEPT)
_made: deque[str] = deque(maxlen=_KEPT)
"""Trees and texts that have been compiled lately, and are in no file."""


@cache
def watch() -> None:
    """Keep the trees and texts that the process compiles from now on."""
    sys.addaudithook(_note)


def _note(event: str, args: tuple[object, ...]) -> None:
    if event != "compile":
        return
    source, name = args
    if str(sys._getframe(1).f_globals.get("__name__")).partition(".")[0] == _OWN:
        return  # what has been converted, or is looked for here
    if isinstance(source, ast.Module):
        _trees.append(source)
    elif isinstance(source, bytes) and str(name).startswith("<") and b"def " in source:
        _made.append(source.decode(errors="replace"))


def find_tree(code: CodeType) -> ast.Module | None:
    """The tree that compiles to this code object, if it is kept."""
    for tree in list(_trees)[::-1]:
        with suppress(SyntaxError, ValueError, TypeError):
            made = compile(tree, code.co_filename, "exec", code.co_flags & FUTURES, True)
            if any(each == code for each in _nested(made)):
                return tree
    return None


def find_source(code: CodeType) -> str | None:
    """The text that compiles to this code object, if it is still around."""
    word = "lambda" if code.co_name == "<lambda>" else code.co_name
    seen: set[str] = set()
    for text in _strings(word):
        if word in text and text not in seen:
            seen.add(text)
            if _makes(text, code):
                return text
    return None


def _makes(text: str, code: CodeType) -> bool:
    flags = code.co_flags & FUTURES
    for mode in ("exec", "eval"):
        try:
            made = compile(text, code.co_filename, mode, flags, dont_inherit=True)
        except (SyntaxError, ValueError):
            continue
        if any(each == code for each in _nested(made)):
            return True
    return False


def _nested(code: CodeType) -> Iterator[CodeType]:
    for constant in code.co_consts:
        if isinstance(constant, CodeType):
            yield constant
            yield from _nested(constant)


def _strings(word: str) -> Iterator[str]:
    """Strings that may be source with a word, the likeliest first."""
    yield from list(_made)[::-1]
    frame: FrameType | None = sys._getframe(1)
    modules: list[dict[str, object]] = []
    while frame is not None:
        yield from _texts(frame.f_locals.values())
        yield from _texts(frame.f_code.co_consts)
        if all(frame.f_globals is not other for other in modules):
            modules.append(frame.f_globals)
        frame = frame.f_back
    yield from _texts(sys.orig_argv)
    for module in modules:
        yield from _texts(list(module.values()))
    for thing in gc.get_objects():
        if type(thing) is FunctionType:
            yield from _texts(thing.__code__.co_consts)
    yield from _literals(word)


def _literals(word: str) -> Iterator[str]:
    """Strings in the source of the user's modules, whose own code is gone once it has run.

    Most modules do not have the word, and are not parsed.
    """
    for name, module in list(sys.modules.items()):
        path = getattr(module, "__file__", None)
        if not isinstance(path, str) or not path.endswith(".py") or not _is_of_user(name, path):
            continue
        text = "".join(linecache.getlines(path))
        if word in text and ("exec" in text or "eval" in text):
            yield from _literals_in(text)


def _is_of_user(name: str, path: str) -> bool:
    is_ours = name.partition(".")[0] == _OWN
    return not (is_ours or path.startswith(_PYTHON)) and _INSTALLED.isdisjoint(Path(path).parts)


@lru_cache
def _literals_in(text: str) -> list[str]:
    with suppress(SyntaxError):
        nodes = [each for each in ast.walk(ast.parse(text)) if isinstance(each, ast.Constant)]
        return list(_texts(each.value for each in nodes))
    return []


def _texts(values: Iterable[object]) -> Iterator[str]:
    for value in values:
        if type(value) is str and ("def " in value or "lambda" in value):
            yield value
        elif type(value) is CodeType:
            yield from _texts(value.co_consts)
