"""FileCheck inside pytest: a function's docstring holds what its IR must contain."""

import inspect
import io

import pytest
from filecheck.finput import FInput
from filecheck.matcher import Matcher
from filecheck.options import Options
from filecheck.parser import Parser, pattern_for_opts


@pytest.fixture
def check(tmp_path, capsys):
    """``check(decorated, *arguments, stage=...)``: the stage's text passes the CHECK lines."""

    def run(decorated, *arguments, stage="hlo"):
        checks = inspect.getdoc(decorated.python_function)
        assert "CHECK" in checks, "the docstring holds the CHECK lines"
        text = decorated.experimental_get_compiler_ir(*arguments)(stage=stage)
        options = Options(match_filename="checks")
        parser = Parser(options, io.StringIO(checks), *pattern_for_opts(options))
        status = Matcher(options, FInput("ir", text), parser).run()
        said = capsys.readouterr()
        assert status == 0, f"{said.out}{said.err}\n{text}"

    return run
