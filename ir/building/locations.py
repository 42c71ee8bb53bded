"""From the Python stack to MLIR locations: the user's file, line, column and variable name.

Converted code is compiled with the user's file name and line table, so the innermost frame outside
agir is the user's line; frames further out become the call-site chain.
"""

from __future__ import annotations

import dis
import inspect
import linecache
import os
import sys
import warnings
from collections.abc import Callable
from functools import cache, lru_cache
from types import CodeType, FrameType, TracebackType
from typing import Any, NamedTuple, TypeVar

import numpy as np

from agir.by_identity import IdentityDict
from agir.ir.building import bindings

Value = TypeVar("Value")

_PACKAGE = __name__.split(".", maxsplit=1)[0]
_LIBRARIES = (os.path.dirname(np.__file__) + os.sep, "<frozen")
_OPERATORS = f"{_PACKAGE}.autograph.operators"
_STANDARD_LIBRARY = os.path.dirname(os.__file__) + os.sep
# Frames of these files stand between a statement and its own body, not between caller and callee.
_STRUCTURAL = ("loops", "conditionals", "logical", "control_flow", "exceptions")


class Position(NamedTuple):
    """A place in the user's source; the column counts from 1, 0 where it is unknown."""

    file: str
    line: int
    column: int
    function: str

    def __str__(self) -> str:
        return f"{self.file}:{self.line}"


def _once(compute: Callable[[CodeType], Value]) -> Callable[[CodeType], Value]:
    """Compute something once for each code object.

    Hashing and comparing code objects takes all the functions in them into account, each time.
    """
    known: IdentityDict[Value] = IdentityDict()

    def look_up(code: CodeType) -> Value:
        found = known.get(code)
        if found is None:
            found = compute(code)
            known.set(code, found)
        return found

    return look_up


@_once
def _columns(code: CodeType) -> tuple[int, ...]:
    positions = getattr(code, "co_positions", None)
    if positions is None:
        return ()
    return tuple((column + 1) if column is not None else 0 for _, _, column, _ in positions())


def _locals(code: CodeType) -> tuple[str, ...]:
    cells = [name for name in code.co_cellvars if name not in code.co_varnames]
    return (*code.co_varnames, *cells, *code.co_freevars)


def _cells(code: CodeType) -> tuple[str, ...]:
    return (*code.co_cellvars, *code.co_freevars)


_STORES: dict[int, Callable[[CodeType], tuple[str, ...]]] = {
    dis.opmap["STORE_FAST"]: _locals,
    dis.opmap["STORE_DEREF"]: _locals if sys.version_info >= (3, 11) else _cells,
    dis.opmap["STORE_NAME"]: lambda code: code.co_names,
    dis.opmap["STORE_GLOBAL"]: lambda code: code.co_names,
}
"""By the instructions that store in a name: what their arguments are numbers of."""
_CACHE = dis.opmap.get("CACHE", 0 if sys.version_info >= (3, 11) else -1)


@_once
def _assigned_names(code: CodeType) -> dict[int, str]:
    """For each instruction whose result is stored at once, the name it is stored in.

    ``dis.get_instructions`` would tell much more, and takes ten times as long.
    """
    found: dict[int, str] = {}
    raw = code.co_code
    before, high = -1, 0
    for offset in range(0, len(raw), 2):
        number = raw[offset]
        if number == _CACHE:
            continue
        argument = raw[offset + 1] | high
        high = argument << 8 if number == dis.EXTENDED_ARG else 0
        if number in _STORES and before >= 0:
            found[before] = _STORES[number](code)[argument]
        before = offset
    return found


def _role(filename: str, module: str) -> str:
    """``user``, ``structural``, or ``internal``, by the file and module that a frame runs in."""
    if _is_own(module):
        stem = module.rsplit(".", 1)[-1]
        return "structural" if stem in _STRUCTURAL else "internal"
    return "internal" if filename.startswith(_LIBRARIES) or _is_standard(filename) else "user"


def _is_standard(filename: str) -> bool:
    return filename.startswith(_STANDARD_LIBRARY) and "-packages" not in filename


_CONVERTED = "__ag_convert__"
"""The name in modules of agir's whose functions are converted as the user's are."""

_roles: dict[tuple[str, str | None], str] = {}
_OWN_ROLES: dict[int, str] = {}
"""Those of frames in agir's own modules, by the identity of their variables."""
_PASSED: set[int] = set()
"""The internal ones of these modules, but for those that traces begin in."""
_BASES: set[int] = set()


def _frame_role(frame: FrameType) -> str:
    key = (frame.f_code.co_filename, frame.f_globals.get("__name__"))
    found = _roles.get(key)
    if found is None:
        found = _roles[key] = _role(key[0], key[1] or "")
        module = sys.modules.get(key[1] or "")
        if found != "user" and _is_own(key[1] or "") and vars(module) is frame.f_globals:
            _OWN_ROLES[id(frame.f_globals)] = found
            if found == "internal" and id(frame.f_globals) not in _BASES:
                _PASSED.add(id(frame.f_globals))
    return found


def _is_own(module: str) -> bool:
    return module == _PACKAGE or module.startswith(_PACKAGE + ".")


@_once
def function_name(code: CodeType) -> str:
    """What the user calls a function; the qualified names of converted code leave out its own."""
    return str(getattr(code, "co_qualname", code.co_name)).rpartition(".")[2]


def position(frame: FrameType) -> Position:
    """Where the frame stands."""
    code = frame.f_code
    columns = _columns(code)
    index = frame.f_lasti // 2
    column = columns[index] if 0 <= index < len(columns) else 0
    return Position(code.co_filename, frame.f_lineno, column, function_name(code))


def user_frames(base: FrameType | None = None) -> list[FrameType]:
    """The user's frames from the innermost outwards, up to the frame ``base``.

    A loop body and the loop that it belongs to are one function to the user: of the frames on
    either side of a structural one only the inner is kept.
    """
    return [frames[0] for frames in activations(base)]


def innermost(base: FrameType | None = None) -> FrameType | None:
    """The first of the user's frames."""
    frame: FrameType | None = sys._getframe(1)
    while frame is not None and frame is not base:
        if (_OWN_ROLES.get(id(frame.f_globals)) or _frame_role(frame)) == "user":
            return frame
        frame = frame.f_back
    return None


def activations(base: FrameType | None = None) -> list[list[FrameType]]:
    """The same frames, each with those of the statements around in the same function."""
    found: list[list[FrameType]] = []
    inside_statement = False
    frame: FrameType | None = sys._getframe(1)
    while frame is not None and frame is not base:
        role = _OWN_ROLES.get(id(frame.f_globals)) or _frame_role(frame)
        if role == "internal":
            if inside_statement and frame.f_code.co_name == "call":
                inside_statement = False
        elif role == "structural":
            inside_statement = True
        else:
            if inside_statement and found:
                found[-1].append(frame)
            else:
                found.append([frame])
            inside_statement = False
        frame = frame.f_back
    return found


def is_read_by_library() -> bool:
    """Whether what has called us is, in the first place, a function of agir's that is converted."""
    frame: FrameType | None = sys._getframe(1)
    while frame is not None and _is_own(str(frame.f_globals.get("__name__"))):
        if _CONVERTED in frame.f_globals:
            return True
        frame = frame.f_back
    return False


_RESUMED = inspect.CO_GENERATOR | inspect.CO_COROUTINE | inspect.CO_ASYNC_GENERATOR


class Stack:
    """The places of one operation after the other, in the functions that a base frame has called.

    Dozens of frames stand above each operation, and most of them stand above the next one, too.
    """

    def __init__(self, base: FrameType) -> None:
        self.base = base
        self._known: dict[int, tuple[FrameType, int, tuple[Any, ...]]] = {}
        """What has called the user's frames, by identity, outermost first: the frame, its instruction,
        and the MLIR locations of the calls that have led to it, innermost first."""
        self._innermost: tuple[FrameType, int, tuple[Any, ...]] = (base, -1, ())
        self._code: CodeType | None = None
        """That of the user's frame that was the innermost the last time."""
        _BASES.add(id(base.f_globals))
        _PASSED.discard(id(base.f_globals))

    def forget(self) -> None:
        """Let the frames go."""
        self._known.clear()
        self._innermost = (self.base, -1, ())

    def where(self, depth: int = 1) -> tuple[Any, str | None]:
        """The MLIR location of what is recorded now, and the variable that it is about to be.

        So many frames are known to be internal.
        """
        frame: FrameType | None = sys._getframe(depth)
        while frame is not None and id(frame.f_globals) in _PASSED:
            frame = frame.f_back
        if frame is None or frame.f_code is not self._code:
            frame = self._user_frame(frame)[0]
            if frame is None:
                return unknown(), None
            self._code = frame.f_code
        above = frame.f_back
        known, instruction, callers = self._innermost
        if above is not known or instruction != known.f_lasti:
            callers = self._above(above)
        callee, name = _stands_at(frame)
        return (bindings.ir.Location.callsite(callee, callers) if callers else callee), name

    def _above(self, frame: FrameType | None) -> tuple[Any, ...]:
        """The calls that have led to a frame; what is known of frames that are gone is forgotten."""
        new: list[tuple[FrameType, FrameType | None, bool]] = []
        known = None
        while frame is not None and frame is not self.base:
            known = self._known.get(id(frame))
            if known is not None and known[0] is frame and known[1] == frame.f_lasti:
                break
            known = None
            caller, is_same = self._user_frame(frame)
            new.append((frame, caller, is_same))
            frame = None if caller is None else caller.f_back
        while self._known and next(reversed(self._known.values())) is not known:
            self._known.popitem()
        callers = () if known is None else known[2]
        self._innermost = known or (self.base, -1, ())
        for below, caller, is_same in reversed(new):
            if caller is not None and not is_same:
                callers = (_stands_at(caller)[0], *callers)
            if not below.f_code.co_flags & _RESUMED:  # by another caller the next time
                self._innermost = self._known[id(below)] = (below, below.f_lasti, callers)
        return callers

    def _user_frame(self, frame: FrameType | None) -> tuple[FrameType | None, bool]:
        """The next frame of the user's, and whether a statement of the same function led here."""
        inside_statement = False
        while frame is not None and frame is not self.base:
            role = _OWN_ROLES.get(id(frame.f_globals)) or _frame_role(frame)
            if role == "user":
                return frame, inside_statement
            if role == "structural":
                inside_statement = True
            elif inside_statement and frame.f_code.co_name == "call":
                inside_statement = False
            frame = frame.f_back
        return None, False


def raised_by_user(error: BaseException) -> bool:
    """True where the innermost frame of the error is the user's: a ``raise`` or Python's own.

    What an operator of converted code raises in the place of Python is Python's.
    """
    frames = [each.tb_frame for each in _traceback(error)]
    while frames and str(frames[-1].f_globals.get("__name__")).startswith(_OPERATORS):
        frames.pop()
    return bool(frames) and (
        _frame_role(frames[-1]) == "user" or _CONVERTED in frames[-1].f_globals
    )


def raised_by_statement(error: BaseException) -> bool:
    """True where a ``raise`` of the user's has raised the error."""
    found = _traceback(error)
    if not found or _frame_role(found[-1].tb_frame) != "user":
        return False
    code = found[-1].tb_frame.f_code.co_code
    return dis.opname[code[found[-1].tb_lasti]].startswith("RAISE")


def raised_at(error: BaseException) -> Position | None:
    """The innermost of the user's lines that the error has passed through."""
    for each in reversed(_traceback(error)):
        if _frame_role(each.tb_frame) == "user":
            code = each.tb_frame.f_code
            columns, index = _columns(code), each.tb_lasti // 2
            column = columns[index] if 0 <= index < len(columns) else 0
            return Position(code.co_filename, each.tb_lineno, column, function_name(code))
    return None


def _traceback(error: BaseException) -> list[TracebackType]:
    found = []
    traceback = error.__traceback__
    while traceback is not None:
        found.append(traceback)
        traceback = traceback.tb_next
    return found


def source_line(place: Position) -> str:
    """The text of a line."""
    return linecache.getline(place.file, place.line).strip()


_warned: set[tuple[type[Warning], str, int]] = set()


def warn_once(message: str, category: type[Warning], place: Position | None) -> None:
    """Warn at a line of the user's, once for each line."""
    file, line = (place.file, place.line) if place is not None else ("unknown", 0)
    if (category, file, line) not in _warned:
        _warned.add((category, file, line))
        warnings.warn_explicit(message, category, file, line)


def frames_of(error: BaseException) -> list[FrameType]:
    """The user's frames that an error has come through, from the innermost outwards."""
    frames: list[FrameType] = []
    traceback = error.__traceback__
    while traceback is not None:
        if _frame_role(traceback.tb_frame) == "user":
            frames.insert(0, traceback.tb_frame)
        traceback = traceback.tb_next
    return frames


@lru_cache(maxsize=65536)
def _file_location(place: Position) -> Any:
    ir = bindings.ir
    return ir.Location.file(place.file, place.line, place.column, context=bindings.context())


@cache
def unknown() -> Any:
    """The MLIR location of what has no place in the source."""
    return bindings.ir.Location.unknown(context=bindings.context())


def location_of(places: list[Position]) -> Any:
    """The MLIR location of a place and the chain of calls that led to it."""
    ir = bindings.ir
    if not places:
        return unknown()
    callee, *callers = [_file_location(place) for place in places]
    return ir.Location.callsite(callee, callers) if callers else callee


@_once
def _places(code: CodeType) -> dict[int, tuple[Any, str | None]]:
    """What is known of places in the code, by their instructions."""
    return {}


def _stands_at(frame: FrameType) -> tuple[Any, str | None]:
    """The MLIR location at which a frame stands, and the variable that it is about to assign."""
    known, instruction = _places(frame.f_code), frame.f_lasti
    found = known.get(instruction)
    if found is None:
        name = _assigned_names(frame.f_code).get(instruction)
        found = known[instruction] = (_file_location(position(frame)), name)
    return found


def named(location: Any, name: str | None) -> Any:
    """The location with a variable's name around it."""
    if not name:
        return location
    return bindings.ir.Location.name(name, location, context=bindings.context())


def describe(location: Any) -> str:
    """``file:line``, with the callers behind it where there are any; empty if unknown."""
    ir = bindings.ir
    # a diagnostic's location comes without its class
    location = ir.Location.from_attr(location.attr)
    if isinstance(location, ir.FileLineColLoc):
        # text that was parsed without a file's name
        place = "line " if location.filename == "-" else f"{location.filename}:"
        return f"{place}{location.start_line}"
    if isinstance(location, ir.NameLoc):
        return describe(location.child_loc)
    if isinstance(location, ir.CallSiteLoc):
        return _joined([describe(location.callee), describe(location.caller)], ", called from ")
    if isinstance(location, ir.FusedLoc):
        return _joined([describe(part) for part in location.locations], " and ")
    return ""


def with_source(location: Any) -> str:
    """The line of a message that says where this is, and what stands there; empty if unknown."""
    place = describe(location)
    if not place:
        return ""
    file, _, line = place.partition(",")[0].rpartition(":")
    source = linecache.getline(file, int(line)).strip() if line.isdigit() else ""
    return f"\n  at {place}" + (f": {source}" if source else "")


def _joined(places: list[str], separator: str) -> str:
    return separator.join(dict.fromkeys(place for place in places if place))
