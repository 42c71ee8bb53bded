"""The compiler for Compiler Explorer: what it is given, and what it writes."""

from __future__ import annotations

import re

from agir.tools import compiler_explorer

PROGRAM = """\
import agir as ag


@ag.jit
def halvings(n):
    count = 0
    while n > 1:
        n //= 2
        count += 1
    return count


@ag.function(input_signature=[ag.TensorSpec([None], ag.float64)])
def scaled(x):
    return 2.0 * x


print("says", halvings(40), halvings(2.5))
"""


def test_assembly_with_lines(tmp_path, capsys):
    source, target = tmp_path / "example.py", tmp_path / "out.s"
    source.write_text(PROGRAM)
    options = ["-g", "-o", str(target), "-S", "-O2", "-fcolor-diagnostics", "-masm=intel"]
    assert compiler_explorer.main([*options, str(source)]) == 0
    text = target.read_text()
    heads = re.findall(r"^# (\w+)\(", text, re.MULTILINE)
    assert heads == ["halvings", "halvings", "scaled"]
    files = dict(re.findall(r'^\.file (\d+) "(.*)"$', text, re.MULTILINE))
    assert files["1"] == str(source)
    own = re.findall(r"^ +\.loc 1 (\d+) ", text, re.MULTILINE)
    assert {"7", "8", "15"} <= set(own)
    labels = re.findall(r"^(\.L\w+):", text, re.MULTILINE)
    assert labels
    assert len({*labels}) == len(labels), "labels of one function are none of another's"
    assert "says 5 1" in capsys.readouterr().err

    assert compiler_explorer.main(["--emit", "llvm-ir", str(source)]) == 0
    assert "define" in capsys.readouterr().out


def test_what_goes_wrong(tmp_path, capsys):
    source = tmp_path / "example.py"
    source.write_text("import agir as ag\n\n\n@ag.jit\ndef f(x):\n    return x\n")
    assert compiler_explorer.main([str(source)]) == 2
    assert "example.py compiles nothing: call a function" in capsys.readouterr().err
    source.write_text("import agir as ag\n\n\nag.jit(lambda x: x + missing)(1)\n")
    assert compiler_explorer.main([str(source)]) == 1
    assert re.search(r"example.py:4\S* error: NameError: name 'missing'", capsys.readouterr().err)
    assert compiler_explorer.main(["-g", str(tmp_path / "none.py")]) == 2
    assert compiler_explorer.main(["--emit", "hello", str(source)]) == 2
