"""The stage `c`, compiled by gcc, against plain Python."""

from __future__ import annotations

import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from agir.tools import dump_ir

PROGRAMS = ("smooth", "parts", "bytes_of", "truths", "special", "rounded", "waves", "sorted_by")


@pytest.mark.skipif(shutil.which("gcc") is None, reason="needs gcc")
def test_what_gcc_makes_of_it():
    script = Path(__file__).with_name("compared.py")
    done = subprocess.run(
        [sys.executable, str(script), *PROGRAMS], capture_output=True, text=True, check=False
    )
    assert done.stdout.split() == [*sorted(PROGRAMS, key=done.stdout.find)], done.stderr
    assert done.returncode == 0, done.stderr


def test_the_signature_and_what_has_no_form(tmp_path, capsys):
    file = tmp_path / "part.py"
    file.write_text(
        "import numpy as np\n\n\ndef exp(x, r):\n    return np.exp(x * r)\n\n\n"
        "def solved(a, b):\n    return np.linalg.eigh(a)[0] + b\n"
    )
    assert dump_ir.main([f"{file}:exp", "--args", "f64[?, 4], f64", "--emit", "c"]) == 0
    text = capsys.readouterr().out
    assert "/* exp_: (memref<?x4xf64>, f64) -> (memref<?x4xf64>) */" in text
    assert re.search(
        r"void agir_exp_\(array_f64_2 x_1, double r_2, array_f64_2 \*result0\) \{", text
    )
    assert dump_ir.main([f"{file}:solved", "--args", "f64[2, 2], f64", "--emit", "c"]) == 1
    said = capsys.readouterr().err
    assert f"{file}:9: error: the program has no form in C: func.call" in said
