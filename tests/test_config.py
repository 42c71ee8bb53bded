"""The options of agir; run as a program, this writes the table of docs/config.md anew."""

from __future__ import annotations

import asyncio
import inspect
import logging
import os
import re
import subprocess
import sys
import threading
import warnings
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from agir.config import Config, config

DOCUMENT = Path(__file__).resolve().parents[1] / "docs" / "config.md"
TABLE = re.compile(r"(?<=<!-- options -->\n).*?(?=<!-- end of options -->)", re.DOTALL)


def table() -> str:
    """The options in Markdown."""
    rows = ["| option | type | default | environment | meaning |", "|---|---|---|---|---|"]
    for option in config.options():
        default = f"`{option.default!r}`"
        cells = (f"`{option.name}`", option.kind, default, f"`{option.variable}`", option.doc)
        rows.append("| " + " | ".join(cells) + " |")
    return "\n".join(rows) + "\n"


def write_table() -> None:
    DOCUMENT.write_text(TABLE.sub(lambda _: table(), DOCUMENT.read_text()))


@pytest.fixture(autouse=True)
def fresh(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """No option set, and an environment without variables of agir."""
    for name in [name for name in os.environ if name.startswith("AGIR_")]:
        monkeypatch.delenv(name)
    config.reset()
    yield
    monkeypatch.undo()
    config.reset()


def test_the_documentation_has_the_options_of_the_registry() -> None:
    assert TABLE.findall(DOCUMENT.read_text()) == [table()], "out of date: run `make docs`"


def test_every_option_has_a_default_that_it_accepts_and_one_line_of_documentation() -> None:
    for option in config.options():
        assert getattr(config, option.name) == option.default == option.checked(option.default)
        assert option.doc.endswith(".")
        assert "\n" not in option.doc
        assert option.variable == "AGIR_" + option.name.upper()


def test_the_module_imports_nothing_of_agir() -> None:
    source = inspect.getsource(sys.modules[Config.__module__])
    assert not re.search(r"^\s*(from|import) (agir|\.)", source, re.MULTILINE)


SOURCES = [
    path
    for room in ("agir", "autograph", "backends", "ir", "runtime", "tools")
    for path in (DOCUMENT.parents[1] / room).glob("**/*.py")
]
TERMINAL = {"tools/report.py"}
"""What asks for ``TERM``, ``NO_COLOR`` and ``FORCE_COLOR``, which are not agir's."""
PLACES = {"backends/cpu/cache/folder.py"}
"""What asks the platform where the user's caches are."""
HANDED_ON = {"tools/isolation.py", "tools/judging.py", "backends/cpu/explaining/remarks.py"}
"""What starts processes in its own environment."""

NUMBA = {"agir/numba/configuration.py"}
"""What heeds Numba's NUMBA_DISABLE_JIT."""

OPENMP = {"backends/cpu/calling/threads.py"}
"""What asks for OpenMP's variables, which are not agir's."""


def test_only_the_registry_reads_the_environment() -> None:
    root = DOCUMENT.parents[1]
    found = {
        path.relative_to(root).as_posix()
        for path in SOURCES
        if re.search(r"\benviron\b|\bgetenv\b(?!\")", path.read_text())
    }
    assert found == {"agir/config.py"} | TERMINAL | PLACES | HANDED_ON | OPENMP | NUMBA


def test_every_option_is_used() -> None:
    text = "".join(path.read_text() for path in SOURCES)
    used = {*re.findall(r"\b(?:config|self)\.(\w+)", text)}
    assert {option.name for option in config.options()} - {"log"} <= used  # `log` acts by itself


# --- where a value comes from ------------------------------------------------------------


def test_scope_goes_before_assignment_environment_and_default(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    assert config.opt_level == 3
    monkeypatch.setenv("AGIR_OPT_LEVEL", "2")
    config.reset("opt_level")
    assert config.opt_level == 2
    config.opt_level = 1
    assert config.opt_level == 1
    with config.scope(opt_level=0):
        assert config.opt_level == 0
    assert config.opt_level == 1
    config.reset()
    assert config.opt_level == 2


def test_the_environment_is_read_when_an_option_is_first_read(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setenv("AGIR_UNROLL_LIMIT", "7")
    assert config.unroll_limit == 7
    monkeypatch.setenv("AGIR_UNROLL_LIMIT", "8")
    assert config.unroll_limit == 7


@pytest.mark.parametrize(
    ("variable", "text", "value"),
    [
        ("AGIR_VERIFY", "1", True),
        ("AGIR_VERIFY", "Off", False),
        ("AGIR_VERIFY", "", False),
        ("AGIR_OPT_LEVEL", " 0 ", 0),
        ("AGIR_DUMP_DIR", "a/b", Path("a/b")),
        ("AGIR_LOG", " retrace, +passes ,", "retrace,+passes"),
    ],
)
def test_texts_of_the_environment(
    monkeypatch: pytest.MonkeyPatch, variable: str, text: str, value: object
) -> None:
    monkeypatch.setenv(variable, text)
    config.reset()
    assert getattr(config, variable.removeprefix("AGIR_").lower()) == value


@pytest.mark.parametrize(
    ("variable", "text", "message"),
    [
        ("AGIR_OPT_LEVEL", "4", "AGIR_OPT_LEVEL=4: takes an integer from 0 to 3"),
        ("AGIR_OPT_LEVEL", "fast", "AGIR_OPT_LEVEL=fast: takes an integer from 0 to 3"),
        ("AGIR_VERIFY", "maybe", "AGIR_VERIFY=maybe: takes True or False"),
    ],
)
def test_texts_that_an_option_does_not_take(
    monkeypatch: pytest.MonkeyPatch, variable: str, text: str, message: str
) -> None:
    monkeypatch.setenv(variable, text)
    with pytest.raises(ValueError, match=message):
        getattr(config, variable.removeprefix("AGIR_").lower())


def test_a_misspelt_variable_is_named_once(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("AGIR_OPTLEVEL", "2")
    monkeypatch.setenv("AGIR_ZZZ", "")
    mine = Config()
    with pytest.warns(UserWarning, match="agir has no option") as seen:
        assert mine.opt_level == 3
    assert [str(w.message) for w in seen] == [
        "AGIR_OPTLEVEL: agir has no option 'optlevel'; did you mean opt_level?",
        "AGIR_ZZZ: agir has no option 'zzz'; agir.config.describe() lists them",
    ]
    assert {w.filename for w in seen} == {__file__}
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        assert mine.verify is False


# --- assignment --------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("name", "value", "error", "message"),
    [
        ("opt_level", 4, ValueError, "config.opt_level takes an integer from 0 to 3, not 4"),
        ("opt_level", True, TypeError, "config.opt_level takes an integer from 0 to 3, not True"),
        ("opt_level", "2", TypeError, "config.opt_level takes an integer from 0 to 3, not '2'"),
        ("unroll_limit", -1, ValueError, "config.unroll_limit takes an integer from 0, not -1"),
        ("verify", 1, TypeError, "config.verify takes True or False"),
        ("dump_dir", 3, TypeError, "config.dump_dir takes a path or None, not 3"),
        ("dump_dir", "", TypeError, "config.dump_dir takes a path or None, not ''"),
        ("log", "two words", ValueError, "config.log takes names separated by commas"),
        ("optlevel", 1, AttributeError, "agir has no option 'optlevel'; did you mean opt_level?"),
        ("describe", 1, AttributeError, "agir has no option 'describe'"),
    ],
)
def test_what_an_option_does_not_take(
    name: str, value: object, error: type[Exception], message: str
) -> None:
    before = config.describe()
    with pytest.raises(error, match=re.escape(message)):
        setattr(config, name, value)
    with pytest.raises(error, match=re.escape(message)), config.scope(**{name: value}):
        pass
    assert config.describe() == before


def test_a_path_is_expanded(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("HOME", "/somewhere")
    monkeypatch.setenv("USERPROFILE", "/somewhere")
    config.dump_dir = "~/dump"
    assert config.dump_dir == Path("/somewhere/dump")
    config.dump_dir = None
    assert config.dump_dir is None


def test_the_switch_of_tensorflow() -> None:
    assert not config.functions_run_eagerly()
    config.run_functions_eagerly(True)
    assert config.functions_run_eagerly()
    assert config.disable_jit
    config.run_functions_eagerly(False)
    assert not config.disable_jit


# --- scopes ------------------------------------------------------------------------------


def test_scopes_nest_and_end_with_their_block() -> None:
    with config.scope(opt_level=1, verify=True):
        with config.scope(opt_level=2):
            assert (config.opt_level, config.verify) == (2, True)
        assert config.opt_level == 1
        with pytest.raises(KeyError), config.scope(opt_level=0):
            raise KeyError
        assert config.opt_level == 1
    assert (config.opt_level, config.verify) == (3, False)


def test_an_assignment_inside_a_scope_ends_with_it() -> None:
    with config.scope(opt_level=1):
        config.opt_level = 2
        config.unroll_limit = 4
        assert config.opt_level == 2
    assert (config.opt_level, config.unroll_limit) == (3, 4)


def in_thread(call: Callable[[], Any]) -> Any:
    results: list[Any] = []
    thread = threading.Thread(target=lambda: results.append(call()))
    thread.start()
    thread.join()
    return results[0]


def test_a_scope_is_of_its_thread() -> None:
    with config.scope(opt_level=0):
        assert in_thread(lambda: config.opt_level) == 3
    config.opt_level = 1
    assert in_thread(lambda: config.opt_level) == 1


def test_a_scope_is_of_its_task() -> None:
    async def work(level: int) -> list[int]:
        seen = []
        with config.scope(opt_level=level):
            for _ in range(3):
                await asyncio.sleep(0)
                seen.append(config.opt_level)
        return seen

    async def both() -> list[list[int]]:
        return list(await asyncio.gather(work(0), work(1)))

    assert asyncio.run(both()) == [[0, 0, 0], [1, 1, 1]]


# --- logging and the table ---------------------------------------------------------------


def test_log_turns_loggers_on_and_off(capsys: pytest.CaptureFixture[str]) -> None:
    passes, other = logging.getLogger("agir.passes"), logging.getLogger("agir.other")
    config.log = "passes"
    passes.info("one")
    passes.debug("two")
    other.info("three")
    with config.scope(log="+passes,other"):
        passes.debug("four")
        other.info("five")
    passes.debug("six")
    with config.scope(log=""):
        passes.info("seven")
    config.log = "all"
    other.info("eight")
    config.reset("log")
    passes.info("nine")
    assert capsys.readouterr().err.splitlines() == [
        "agir.passes: one",
        "agir.passes: four",
        "agir.other: five",
        "agir.other: eight",
    ]


def test_log_of_the_environment_needs_no_call(tmp_path: Path) -> None:
    program = (
        "import logging; from agir.config import config; config.opt_level;"
        "logging.getLogger('agir.retrace').info('again')"
    )
    done = subprocess.run(
        [sys.executable, "-c", program],
        env={**os.environ, "AGIR_LOG": "retrace"},
        cwd=tmp_path,
        capture_output=True,
        text=True,
        timeout=120,
    )
    assert (done.returncode, done.stderr) == (0, "agir.retrace: again\n")


def test_the_table_says_where_a_value_comes_from(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("AGIR_VERIFY", "1")
    config.unroll_limit = 4
    with config.scope(opt_level=0):
        rows = [line.split()[:4] for line in config.describe().splitlines()]
    assert rows[0] == ["option", "value", "from", "environment"]
    assert ["verify", "True", "environment", "AGIR_VERIFY"] in rows
    assert ["unroll_limit", "4", "assignment", "AGIR_UNROLL_LIMIT"] in rows
    assert ["opt_level", "0", "scope", "AGIR_OPT_LEVEL"] in rows
    assert ["disable_jit", "False", "default", "AGIR_DISABLE_JIT"] in rows


if __name__ == "__main__":
    write_table()
