"""What each pass makes of a small module: `filecheck/NAME.mlir`, with what comes out in CHECK lines.

``python tests/backends/cpu/test_pass_examples.py`` writes the CHECK lines anew from what the passes
make; read the difference before you keep it.
"""

from __future__ import annotations

import io
import re
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from unittest import mock

import pytest
from filecheck.finput import FInput
from filecheck.matcher import Matcher
from filecheck.options import Options
from filecheck.parser import Parser, pattern_for_opts

from agir.backends.cpu.code import host
from agir.backends.cpu.single_passes import own_passes
from agir.backends.cpu.single_passes import transform as transform_here
from agir.config import config

FOLDER = Path(__file__).with_name("filecheck")
EXAMPLES = sorted(FOLDER.glob("*.mlir"))
RUN = "// RUN: agir-dump %s --pass {name} | filecheck %s\n"
SPECIAL = re.compile(r"\[\[|\{\{|\}\}|\]\]")


@contextmanager
def machine() -> Iterator[None]:
    """The machine that the examples are for has two threads, and AVX-512."""
    flags = frozenset(("avx512f", "avx512bw", "avx512dq", "avx512vl"))
    with config.scope(num_threads=2), mock.patch.object(host, "_flags", return_value=flags):
        host.vectors.cache_clear()
        yield
    host.vectors.cache_clear()


def transform(text: str, names: list[str]) -> str:
    """What passes make of a module there."""
    with machine():
        return transform_here(text, [own_passes()[name] for name in names])


def before(text: str) -> str:
    """The module of an example, without what says how it is run and what comes out."""
    return "".join(line for line in text.splitlines(True) if not line.startswith("// "))


def checks(after: str) -> str:
    """A CHECK line for each line of a module."""
    found = [SPECIAL.sub(lambda match: f"{{{{{re.escape(match[0])}}}}}", line)
             for line in after.splitlines() if line]  # fmt: skip
    return "".join(f"// CHECK{'-NEXT' if n else ''}: {line}\n" for n, line in enumerate(found))


def written(name: str, text: str) -> str:
    """An example with what its pass makes of it now."""
    module = before(text)
    return RUN.format(name=name) + module + checks(transform(module, [name]))


def test_each_pass_has_an_example() -> None:
    names = {each.stem for each in EXAMPLES}
    without = sorted(own_passes().keys() - names)
    assert not without, f"write a module that each of {without} changes into {FOLDER}/NAME.mlir"
    assert names == own_passes().keys(), "examples of passes that are in no pipeline"


@pytest.mark.parametrize("path", EXAMPLES, ids=lambda path: path.stem)
def test_what_a_pass_makes(path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    text = path.read_text()
    assert text.startswith(RUN.format(name=path.stem)), f"run python {Path(__file__).name}"
    after = transform(before(text), [path.stem])
    assert after != transform(before(text), []), "the pass does nothing here"
    options = Options(match_filename=path.name)
    parser = Parser(options, io.StringIO(text), *pattern_for_opts(options))
    status = Matcher(options, FInput(path.name, after), parser).run()
    said = capsys.readouterr()
    assert status == 0, (
        f"{said.out}{said.err}\n{after}\nIf this is what the pass is to make: python {__file__}"
    )


if __name__ == "__main__":
    for each in EXAMPLES:
        each.write_text(written(each.stem, each.read_text()))
    sys.exit()
