"""Every option of agir, in one typed registry.

An option is an attribute of `config`: read it, assign to it, or set it for a block of code with
`config.scope`.  Each also has an environment variable, ``AGIR_`` and the name in capitals.  What
is in force is, in this order: the innermost scope of the running thread or task, what was
assigned, the environment, the default.  The environment is looked at when an option is first
read, never at import.

This module imports nothing of agir, so that every part of it can read the options.
"""

from __future__ import annotations

import difflib
import logging
import operator
import os
import sys
import threading
import warnings
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import contextmanager
from contextvars import ContextVar
from pathlib import Path
from types import MappingProxyType
from typing import TYPE_CHECKING, Any, Generic, TypeVar, cast, overload

__all__ = ["Config", "Option", "config"]

_PREFIX = "AGIR_"

Value = TypeVar("Value")
Settable = TypeVar("Settable")  # what may be assigned, where that is more than `Value`
Own = TypeVar("Own", bound="Option[Any, Any]")


class Option(Generic[Value, Settable]):
    """One option: a descriptor on `Config` that reads as a ``Value``.

    A subclass is one kind of value: `check` takes what is assigned, `parse` the text of the
    environment variable; both raise ``ValueError`` or ``TypeError`` with what they expected.
    """

    kind = "value"
    """The type, in the words of the table and of the error messages."""

    def __init__(self, default: Value, doc: str) -> None:
        self.default = default
        self.doc = doc

    def __set_name__(self, owner: type[Config], name: str) -> None:
        self.name = name
        self.variable = _PREFIX + name.upper()

    @overload
    def __get__(self: Own, instance: None, owner: type[Config]) -> Own: ...
    @overload
    def __get__(self, instance: Config, owner: type[Config]) -> Value: ...
    def __get__(self, instance: Config | None, owner: type[Config]) -> Any:
        if instance is None:
            return self
        if self.name in (scoped := instance._scoped.get()):
            return scoped[self.name]
        try:
            return instance._values[self.name]
        except KeyError:
            return instance._read(self)

    def __set__(self, instance: Config, value: Settable) -> None:
        instance._assign(self, self.checked(value))

    def checked(self, value: object) -> Value:
        """``value`` as the option holds it, or an error that names the option."""
        try:
            return self.check(value)
        except (TypeError, ValueError) as error:
            message = f"config.{self.name} takes {self.kind}, not {value!r}"
            raise type(error)(message) from None

    def parsed(self, text: str) -> Value:
        """The value that the environment variable's ``text`` stands for."""
        try:
            return self.parse(text)
        except (TypeError, ValueError):
            raise ValueError(f"{self.variable}={text}: takes {self.kind}") from None

    def check(self, value: object) -> Value:
        """Convert an assigned value, or raise."""
        raise NotImplementedError

    def parse(self, text: str) -> Value:
        """Convert the text of the environment variable, or raise."""
        return self.check(text)


class Flag(Option[bool, bool]):
    """An option that is on or off."""

    kind = "True or False (1 or 0 in the environment)"
    _TEXTS = {
        **dict.fromkeys(("1", "true", "yes", "on"), True),
        **dict.fromkeys(("0", "false", "no", "off"), False),
    }

    def check(self, value: object) -> bool:
        """Take a ``bool`` and nothing else."""
        if not isinstance(value, bool):
            raise TypeError
        return value

    def parse(self, text: str) -> bool:
        """Take the usual words for on and off."""
        if text.lower() not in self._TEXTS:
            raise ValueError
        return self._TEXTS[text.lower()]


class Integer(Option[int, int]):
    """A whole number between two bounds, either of which may be absent."""

    def __init__(self, default: int, doc: str, least: int = 0, most: int | None = None) -> None:
        super().__init__(default, doc)
        self.least, self.most = least, most
        self.kind = f"an integer from {least}" + ("" if most is None else f" to {most}")

    def check(self, value: object) -> int:
        """Take anything that Python accepts as an index, ``bool`` excepted."""
        if isinstance(value, bool):
            raise TypeError
        number = operator.index(value)  # type: ignore[arg-type]  # it raises the TypeError
        if number < self.least or (self.most is not None and number > self.most):
            raise ValueError
        return number

    def parse(self, text: str) -> int:
        """Take decimal digits."""
        return self.check(int(text))


class Folder(Option["Path | None", "str | os.PathLike[str] | None"]):
    """A folder, or nothing.  It is made by whoever writes into it."""

    kind = "a path or None"

    def check(self, value: object) -> Path | None:
        """Take a string or path; ``~`` is the home folder."""
        if value is None:
            return None
        if not isinstance(value, (str, os.PathLike)) or not os.fspath(value):
            raise TypeError
        return Path(os.fsdecode(value)).expanduser()


class Loggers(Option[str, str]):
    """Names of loggers that write to standard error: ``retrace,+passes``."""

    kind = "names separated by commas, each with an optional '+' for more detail"

    def check(self, value: object) -> str:
        """Take a string of names."""
        if not isinstance(value, str):
            raise TypeError
        names = [name.strip() for name in value.split(",") if name.strip()]
        for name in names:
            if not all(part.isidentifier() for part in name.removeprefix("+").split(".")):
                raise ValueError
        return ",".join(names)


class Plugins(Option[str, str]):
    """Modules and files of plugins: ``my_passes,tools/count.py``."""

    kind = "names of modules, or paths of files, separated by commas"

    def check(self, value: object) -> str:
        """Take a string of names."""
        if not isinstance(value, str):
            raise TypeError
        return ",".join(name.strip() for name in value.split(",") if name.strip())


class Name(Option[str, str]):
    """The name of something that is looked up where it is used."""

    kind = "a name"

    def check(self, value: object) -> str:
        """Take a string that is a name."""
        if not isinstance(value, str):
            raise TypeError
        if not value.isidentifier():
            raise ValueError
        return value


class _ToStderr(logging.Handler):
    """Writes to the ``sys.stderr`` of the moment, which tests and notebooks replace."""

    def emit(self, record: logging.LogRecord) -> None:
        try:
            sys.stderr.write(self.format(record) + "\n")
        except Exception:  # as every handler of the standard library does
            self.handleError(record)


_ROOT = logging.getLogger("agir")
_ROOT.addHandler(logging.NullHandler())
_to_stderr = _ToStderr()
_to_stderr.setFormatter(logging.Formatter("%(name)s: %(message)s"))
_turned_on: list[logging.Logger] = []


def _turn_on(names: str) -> None:
    """Let the loggers of these ``names`` write to standard error, and no others."""
    while _turned_on:
        _turned_on.pop().setLevel(logging.NOTSET)
    _ROOT.removeHandler(_to_stderr)
    for name in names.split(",") if names else ():
        inner = name.removeprefix("+")
        logger = _ROOT if inner == "all" else _ROOT.getChild(inner)
        logger.setLevel(logging.DEBUG if name.startswith("+") else logging.INFO)
        _turned_on.append(logger)
        _ROOT.addHandler(_to_stderr)


class Config:
    """The options of the process.  There is one instance, `config`.

    >>> with ag.config.scope(unroll_limit=0):
    ...     ag.config.unroll_limit
    0
    """

    log = Loggers(
        "", "Parts that log to standard error, such as `retrace,+passes`; `all` for all of them."
    )
    dump_dir = Folder(None, "Folder into which every compilation writes its stages.")
    debug_info = Flag(False, "Tell perf and gdb the names and lines of compiled functions.")
    opt_level = Integer(3, "How hard the compiler works: 0 for none, 3 for all it can.", most=3)
    backend = Name(
        "cpu",
        "What runs functions: `cpu`, `reference` to interpret them, `validated` to check each pass.",
    )
    cache = Flag(True, "Keep machine code on disk, and use what is there.")
    cache_dir = Folder(None, "Folder for that; None for `agir` in the user's folder for caches.")
    cache_size = Integer(256, "Megabytes that it may take; the least recently used code goes.")
    autograph_verbosity = Integer(
        0, "What conversions log: 1 what is left alone, 2 what is converted, 3 the code.", most=3
    )
    disable_jit = Flag(False, "Run decorated functions as the Python they are.")
    fallback = Flag(
        False,
        "Run what `ag.jit` cannot record, or compute in 64 bits, as Python; a decorator may say.",
    )
    num_threads = Integer(
        0,
        "Threads that a compiled function may use; 0 for `OMP_NUM_THREADS` or all cores, 1 for one.",
    )
    max_traces = Integer(256, "Traces that a function keeps; the least recently used go.", least=1)
    retrace_warning = Integer(8, "Traces of a function before it warns of retracing; 0 for never.")
    plugins = Plugins("", "Modules and files of plugins, besides those that are installed.")
    pool_bytes = Integer(
        256 << 20, "Memory of large arrays that died, kept for new ones; 0 for none.", least=0
    )
    unroll_limit = Integer(4, "Python ranges up to this length are unrolled while tracing.")
    validate = Flag(
        False,
        "Interpret after every pass, with a first call's arguments: the back end `validated`.",
    )
    verify = Flag(False, "Verify the module after every pass.")

    def __init__(self) -> None:
        self._lock = threading.RLock()
        self._values: dict[str, Any] = {}  # what was assigned or read of the environment
        self._origins: dict[str, str] = {}
        self._scoped: ContextVar[Mapping[str, Any]] = ContextVar(
            "agir.config", default=MappingProxyType({})
        )
        self._started = False
        self._eagerness_was_scoped = False
        self._asking = 0
        self._never_eager = False  # known once the environment was read, until a scope sets it
        self._tell_of_eagerness: Callable[[bool], None] = _nobody
        self._load_plugins: Callable[[str], None] | None = None
        self._loaded: str | None = None  # the plugins that the option said when they were loaded

    @contextmanager
    def scope(self, **values: Any) -> Iterator[None]:
        """Set options for a block: ``with config.scope(opt_level=0, verify=True): ...``.

        The values hold in this thread or asynchronous task and end with the block, and so does
        what is assigned to them inside it.  (`log` is the exception: loggers belong to the
        process.)
        """
        checked = {name: _option(name).checked(value) for name, value in values.items()}
        token = self._scoped.set({**self._scoped.get(), **checked})
        self._eagerness_was_scoped |= "disable_jit" in checked
        try:
            self._follow(checked)
            yield
        finally:
            self._scoped.reset(token)
            self._follow(checked)

    def reset(self, *names: str) -> None:
        """Forget what was assigned to these options, or to all; the environment is read anew."""
        chosen = [_option(name).name for name in names or _OPTIONS]
        with self._lock:
            for name in chosen:
                self._values.pop(name, None)
        self._follow(chosen)

    def options(self) -> tuple[Option[Any, Any], ...]:
        """Every option, in the order of the documentation."""
        return tuple(_OPTIONS.values())

    def describe(self) -> str:
        """A table of every option: its value, where that comes from, and what it does."""
        rows = [("option", "value", "from", "environment", "meaning")]
        for option in self.options():
            value = getattr(self, option.name)
            shown = str(value) if isinstance(value, Path) else repr(value)
            scoped = option.name in self._scoped.get()
            origin = "scope" if scoped else self._origins[option.name]
            rows.append((option.name, shown, origin, option.variable, option.doc))
        widths = [max(map(len, column)) for column in zip(*rows, strict=True)]
        return "\n".join("  ".join(map(str.ljust, row, widths)).rstrip() for row in rows)

    def run_functions_eagerly(self, flag: bool) -> None:
        """Run decorated functions as plain Python from now on, or compile them again."""
        self.disable_jit = flag

    def functions_run_eagerly(self) -> bool:
        """Whether decorated functions run as plain Python."""
        return not self._never_eager and self.disable_jit  # every call asks

    def calls_ask(self) -> bool:
        """Whether calls of decorated functions have to ask how they are to be made."""
        return not self._never_eager  # every call asks this

    def have_calls_ask(self, yes: bool) -> None:
        """Have calls ask from now on, in all threads, until it is said as often that they need not."""
        with self._lock:
            self._asking += 1 if yes else -1
            if self._asking == yes:  # the first one, or none is left
                self._settle_eagerness()

    def follow_eagerness(self, tell: Callable[[bool], None]) -> None:
        """Have a function called with whether calls of decorated functions have to ask.

        It is called now, and whenever that changes.
        """
        self._tell_of_eagerness = tell
        tell(not self._never_eager)

    def load_plugins(self) -> None:
        """Load what is not loaded of the plugins that are installed, and of those of the option.

        Whoever looks into a table to which plugins add calls this before.
        """
        if self._loaded != (named := self.plugins) and self._load_plugins is not None:
            self._load_plugins(named)
            self._loaded = named

    def have_plugins_loaded(self, load: Callable[[str], None]) -> None:
        """Say what loads plugins: a function of the option's value."""
        self._load_plugins = load

    def __repr__(self) -> str:
        return "<agir.config: " + ", ".join(_OPTIONS) + ">"

    if not TYPE_CHECKING:  # a checker would take it to mean that any attribute exists

        def __setattr__(self, name: str, value: object) -> None:
            if not name.startswith("_"):
                _option(name)
            object.__setattr__(self, name, value)

    def _assign(self, option: Option[Value, Any], value: Value) -> None:
        scoped = self._scoped.get()
        if option.name in scoped:
            self._scoped.set({**scoped, option.name: value})
        else:
            with self._lock:
                self._values[option.name], self._origins[option.name] = value, "assignment"
        self._follow([option.name])

    def _read(self, option: Option[Value, Any]) -> Value:
        """The value that the environment gives an option, or its default."""
        with self._lock:
            if not self._started:
                self._start()
            if option.name in self._values:  # another thread was first
                return cast("Value", self._values[option.name])
            text = os.environ.get(option.variable, "").strip()
            value = option.parsed(text) if text else option.default
            self._values[option.name] = value
            self._origins[option.name] = "environment" if text else "default"
            if option.name == "disable_jit":
                self._settle_eagerness()
        return value

    def _start(self) -> None:
        """On the first look at the environment: iteration logging on, and name what is misspelt."""
        self._started = True
        self._follow(["log"])
        for variable in sorted(os.environ):
            name = variable.removeprefix(_PREFIX).lower()
            if variable.startswith(_PREFIX) and name not in _OPTIONS:
                advice = nearest(name, _OPTIONS) or "; agir.config.describe() lists them"
                warnings.warn(f"{variable}: agir has no option {name!r}{advice}", stacklevel=4)

    def _follow(self, changed: Iterable[str]) -> None:
        """Let what depends on the options follow, where they are among the ``changed`` ones."""
        if "disable_jit" in changed:
            self._settle_eagerness()
        if "log" in changed:
            with self._lock:
                _turn_on(self.log)

    def _settle_eagerness(self) -> None:
        """Note whether calls have to ask: a scope's value is seen in some contexts only."""
        with self._lock:
            off = self._values.get("disable_jit") is False
            self._never_eager = off and not self._eagerness_was_scoped and not self._asking
            self._tell_of_eagerness(not self._never_eager)


def _nobody(may_be_eager: bool) -> None:
    """Nobody is told."""


_OPTIONS = {o.name: o for o in vars(Config).values() if isinstance(o, Option)}


def _option(name: str) -> Option[Any, Any]:
    if name not in _OPTIONS:
        raise AttributeError(f"agir has no option {name!r}{nearest(name, _OPTIONS)}")
    return _OPTIONS[name]


def nearest(name: str, known: Iterable[str]) -> str:
    """Advice for a name that is not known: the known one that is most like it, where one is."""
    close = difflib.get_close_matches(name, list(known), n=1)
    return f"; did you mean {close[0]}?" if close else ""


config = Config()
"""The options of this process."""


def __dir__() -> list[str]:
    return __all__
