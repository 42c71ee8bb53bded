"""The errors of agir and their pages; run as a program, this writes docs/errors anew."""

from __future__ import annotations

import copy
import inspect
import pickle
import re
import runpy
import textwrap
import warnings
from collections.abc import Callable
from pathlib import Path
from typing import Any, NamedTuple

import pytest

import agir as ag
from agir import errors
from agir.errors import CLASSES, AgirError, AgirWarning

ROOT = Path(__file__).resolve().parents[1]
FOLDER = ROOT / "docs" / "errors"
HEADS = ("Wrong", "Message", "Right")
PAGE = re.compile(r"\n\n(Wrong|Message|Right)::\n\n")
HEAD = """# Errors and warnings

Each class has a page with a program that is wrong, its message, and one that is right.  The programs
begin with `import numpy as np` and `import agir as ag`; long messages are broken into lines here.

The last line of a message is the address of its page.  `help('agir.errors.RuntimeIndexError')` in
Python, or `python -m pydoc agir.errors.RuntimeIndexError`, shows what stands here, wherever agir is
installed.  `error.message` is the message without that line.

"""
START = "import numpy as np; import agir as ag; "


class Page(NamedTuple):
    """The documentation of a class."""

    text: str
    wrong: str
    message: str
    right: str


def page(name: str) -> Page:
    """The parts of a class's documentation; an error where one is missing."""
    parts = PAGE.split(inspect.cleandoc(CLASSES[name].__doc__ or ""))
    assert parts[1::2] == list(HEADS), f"{name}: the documentation has {', '.join(HEADS)}"
    return Page(parts[0], *map(textwrap.dedent, parts[2::2]))


def document(name: str) -> str:
    """The page in Markdown."""
    said = page(name)
    kinds = [f"`{each.__name__}`" for each in CLASSES[name].__bases__]
    run = "<!-- not run: tests/test_errors.py runs it, and checks the message -->"
    return (
        f"# {name}\n\n{said.text.replace('``', '`')}\n\nIt is a kind of {' and '.join(kinds)}.\n\n"
        f"A program that is wrong:\n\n{run}\n```python\n{said.wrong}\n```\n\n"
        f"What agir says:\n\n```text\n{said.message}\n```\n\n"
        f"One that is right:\n\n{run}\n```python\n{said.right}\n```\n"
    )


def index() -> str:
    """The list of the pages, each class below the one that it is a kind of."""
    lines = [HEAD]
    for name, kind in CLASSES.items():
        depth = sum(issubclass(kind, each) for each in CLASSES.values()) - 1
        what = page(name).text.partition("\n\n")[0].replace("``", "`")
        lines.append(f"{'  ' * depth}- [{name}]({name}.md): {what}\n")
    return "".join(lines)


def documents() -> dict[Path, str]:
    """All that is in the folder."""
    pages = {FOLDER / f"{name}.md": document(name) for name in CLASSES}
    return {FOLDER / "README.md": index(), **pages}


def outcome(program: str, folder: Path) -> BaseException | Warning | None:
    """What a program ends with, or the first warning that it gives."""
    file = folder / "example.py"
    file.write_text(START + "\n" + program + "\n")
    with warnings.catch_warnings(record=True) as given:
        warnings.simplefilter("always")
        try:
            runpy.run_path(str(file))
        except Exception as error:
            return error
    return given[0].message if given else None  # type: ignore[return-value]


def said_by(name: str, folder: Path) -> str:
    """The message that the wrong program gives."""
    found = outcome(page(name).wrong, folder)
    assert isinstance(found, CLASSES[name]), f"it ends with {found!r}"
    if not CLASSES[name].__subclasses__():
        assert type(found) is CLASSES[name]
    return str(found).replace(f"{folder}/", "")


@pytest.fixture(autouse=True)
def in_the_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    ag.config.reset()


@pytest.mark.parametrize("name", CLASSES)
def test_the_wrong_program_of_a_page_says_what_stands_there(name: str, tmp_path: Path) -> None:
    assert said_by(name, tmp_path).split() == page(name).message.split()


@pytest.mark.parametrize("name", CLASSES)
def test_the_right_program_of_a_page_is_right(
    name: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert outcome(page(name).right, tmp_path) is None
    if "print(error.message)" in page(name).right:
        assert capsys.readouterr().out.split() == page(name).message.rpartition("\n")[0].split()


def test_the_folder_holds_a_page_for_each_class_and_no_other() -> None:
    found = {path: path.read_text() for path in FOLDER.glob("*")}
    assert found == documents(), "run `make docs`"


def test_every_class_of_agir_is_in_the_index() -> None:
    def below(kind: type) -> set[type]:
        return {kind}.union(*map(below, kind.__subclasses__()))

    known = below(AgirError) | below(AgirWarning)
    defined = {each.__name__ for each in known if each.__module__ == "agir.errors"}
    assert defined == {*CLASSES}
    # A part of agir may raise a class of its own, whose address is that of what it is a kind of.
    inside = {each.__name__ for each in known if each.__module__.startswith("agir.")} - defined
    assert inside <= {"IndexedAtRunTimeError", "NoForwardRuleError"}


@pytest.mark.parametrize("kind", CLASSES.values(), ids=list(CLASSES))
def test_each_message_ends_with_the_address_of_its_class(kind: type[Exception]) -> None:
    assert str(kind("what")) == f"what\n  see help('agir.errors.{kind.__name__}')"
    assert kind("what").message == "what"
    assert kind("what").args == ("what",)
    for made in (copy.copy(kind("what")), pickle.loads(pickle.dumps(kind("what")))):
        assert (type(made), made.args, str(made)) == (kind, ("what",), str(kind("what")))


def test_the_address_of_a_class_of_the_users_is_that_of_agirs() -> None:
    class Mine(errors.RuntimeIndexError):
        pass

    assert errors.address(Mine) == errors.address(errors.RuntimeIndexError)


def test_help_shows_the_page(capsys: pytest.CaptureFixture[str]) -> None:
    import pydoc

    pydoc.Helper(output=None).help("agir.errors.RuntimeIndexError")
    assert page("RuntimeIndexError").message.splitlines()[0] in capsys.readouterr().out


@pytest.mark.parametrize(
    ("call", "kind", "python"),
    [
        (lambda: ag.sqrt("x"), errors.OperandTypeError, TypeError),
        (lambda: ag.sqrt(1, 2, 3), errors.OperandTypeError, TypeError),
        (lambda: ag.atan2(1.0), errors.OperandTypeError, TypeError),
        (lambda: ag.ones([3]) + ag.ones([4]), errors.OperandValueError, ValueError),
        (lambda: ag.split(ag.ones([3]), 2), errors.OperandValueError, ValueError),
        (lambda: ag.linalg.inv(ag.ones([3])), errors.OperandValueError, ValueError),
        (lambda: ag.nn.moments(ag.ones([3]), axes=[7]), errors.AxisError, ValueError),
        (lambda: ag.function(3), errors.OperandTypeError, TypeError),
        (lambda: ag.constant("x"), errors.OperandTypeError, TypeError),
        (lambda: ag.as_dtype("x"), errors.OperandTypeError, TypeError),
        (lambda: ag.TensorShape([-1]), errors.OperandValueError, ValueError),
        (lambda: ag.TensorArray(ag.float32, -2), errors.OperandValueError, ValueError),
        (lambda: ag.take_along_axis([[1.0]], [[4]]), errors.RuntimeIndexError, IndexError),
        (lambda: ag.range(0, 3, 0), errors.RuntimeValueError, ValueError),
        (lambda: ag.random.set_global_generator(1), errors.OperandTypeError, TypeError),
        (lambda: ag.random.Generator(), errors.OperandValueError, ValueError),
        (lambda: ag.math.invert_permutation([1.0]), errors.OperandTypeError, TypeError),
        (lambda: ag.math.in_top_k([1.0], [[1.0]], 1), errors.OperandTypeError, TypeError),
        (lambda: ag.reduce_logsumexp([1j]), errors.OperandTypeError, TypeError),
        (lambda: ag.nn.max_pool1d([[[1j]]], 1, 1, "SAME"), errors.OperandTypeError, TypeError),
    ],
)
def test_mistakes_in_calls_are_errors_of_agir_and_of_python(
    call: Callable[[], Any], kind: type[Exception], python: type[Exception]
) -> None:
    with pytest.raises(python) as found:
        call()
    assert type(found.value) is kind
    assert str(found.value).count("see help(") == 1


def test_what_the_users_own_code_raises_stays_as_it_is() -> None:
    def raises(_: Any) -> Any:
        raise ValueError("mine")

    class Odd:
        def __array__(self, *_: Any, **__: Any) -> Any:
            raise TypeError("mine")

    with pytest.raises(ValueError, match=r"^mine$") as found:
        ag.map_fn(raises, ag.ones([3]))
    assert type(found.value) is ValueError
    with pytest.raises(TypeError, match=r"^mine$") as other:
        ag.sqrt(Odd())
    assert type(other.value) is TypeError


def write() -> None:
    """Write the pages, and remove what is none."""
    FOLDER.mkdir(exist_ok=True)
    for path in {*FOLDER.glob("*")} - {*documents()}:
        path.unlink()
    for path, text in documents().items():
        path.write_text(text)


if __name__ == "__main__":
    write()
