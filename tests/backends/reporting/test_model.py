"""What a report says: links of lines, differences, times, and what there is after an error."""

from __future__ import annotations

import json
import re

import numpy as np
import pytest

import agir as ag
from agir.backends.cpu.code import elf
from agir.backends.cpu.code.assembly import listing
from agir.backends.cpu.code.line_table import LineTable
from agir.backends.cpu.debug_lines import add_lines
from agir.backends.mlir.modules import walk
from agir.backends.mlir.passes import PassReport
from agir.backends.reporting.differences import difference, without_numbers
from agir.backends.reporting.making import Maker
from agir.backends.reporting.model import packed, unpacked
from agir.backends.stages import STAGES, Compilation

from .conftest import heat

LINE = re.compile(r'\.py":(\d+):')


@pytest.fixture(scope="module")
def compilation() -> Compilation:
    return heat.get_concrete_function(np.ones(400), np.arange(400), 0.1).compilation


def stage(report, name: str):
    return next(each for each in report.stages if each.name == name)


def linked(found, number: int) -> set[int]:
    """The user's lines that a line of a stage is linked to."""
    return {found.places[at][1] for at in found.links[number]}


def lines_with(report, name: str, text: str) -> list[set[int]]:
    found = stage(report, name)
    return [linked(found, n) for n, line in enumerate(found.text.splitlines()) if text in line]


def test_stages_are_those_with_a_text(report, compilation) -> None:
    names = [each.name for each in report.stages if each.text]
    extensions = (".py", ".mlir", ".ll", ".s", ".c")
    assert {*names} == {n for n, row in STAGES.items() if row.extension in extensions}
    assert names[-2:] == ["llvm_ir", "asm"]
    for name in names[1:]:
        assert stage(report, name).text == compilation.text(name), name
    for each in report.stages:
        assert each.name == "c" or len(each.links) == len(each.text.splitlines())
    assert stage(report, "hlo").size == len(walk(compilation.get("hlo")))


@pytest.mark.parametrize("name", ["hlo", "optimized_hlo", "bufferized", "loops", "llvm"])
def test_each_operation_with_a_location_is_linked_to_its_line(report, compilation, name) -> None:
    wanted = []  # in the order of the text, which is that of a walk
    for operation in walk(compilation.get(name)):
        lines = {int(line) for line in LINE.findall(str(operation.location))}
        if operation.name != "builtin.module" and not _is_left_out(operation):
            wanted.append(lines)
    found = stage(report, name)
    starts = [n for n, line in enumerate(found.text.splitlines()) if _begins_operation(line)]
    assert len(starts) == len(wanted)
    assert [linked(found, n) for n in starts] == wanted
    assert sum(map(bool, wanted)) > len(wanted) / 2


def _is_left_out(operation) -> bool:
    """Whether MLIR prints nothing of it: the end of a region that gives nothing."""
    return operation.name == "scf.yield" and not len(operation.operands)


def _begins_operation(line: str) -> bool:
    text = line.strip()
    return (
        bool(text) and not text.startswith(("}", "^", "module", "#", "]")) and not _CASE.match(text)
    )


_CASE = re.compile(r"(default|-?\d+): \^")


def test_where_lines_go(report, first) -> None:
    assert lines_with(report, "hlo", "math.exp") == [{first + 8}]
    assert lines_with(report, "hlo", "scf.for") == [{first + 2}, {first + 5}]
    assert lines_with(report, "autograph", "total += ") == [{first + 7}]
    assert lines_with(report, "llvm_ir", "define ")[0] == {first}
    assert {first + 8} in lines_with(report, "asm", "vsqrtpd")
    assert {first + 3} in lines_with(report, "asm", "pd ")


def test_each_instruction_with_a_line_is_linked(report, compilation) -> None:
    code = compilation.derived("llvm", add_lines).get("object")
    file = elf.parse(code)
    table = LineTable(file)
    found, count = stage(report, "asm"), 0
    for number, line in enumerate(listing(file)):
        row = None if line.address is None else table.find(line.section, line.address)
        assert linked(found, number) == (set() if row is None else {row.line})
        count += row is not None
    assert count > 0.5 * found.size


def test_a_line_table_is_what_binutils_read(compilation, tmp_path) -> None:
    import shutil
    import subprocess

    if shutil.which("objdump") is None:
        pytest.skip("there is no objdump")
    path = tmp_path / "code.o"
    path.write_bytes(compilation.derived("llvm", add_lines).get("object"))
    done = subprocess.run(
        ["objdump", "--dwarf=decodedline", path], capture_output=True, text=True, check=True
    )
    theirs = [
        (int(parts[2], 16), int(parts[1]))
        for parts in map(str.split, done.stdout.splitlines())
        if len(parts) >= 3 and parts[0].endswith(".py") and parts[1].isdigit()
    ]
    ours = [
        (row.address, row.line)
        for row in LineTable(elf.parse(path.read_bytes())).rows
        if not row.is_end
    ]
    assert ours == theirs


def applied(before: str, diff: str) -> list[str]:
    """A text after a unified diff, without the numbers of values."""
    old, new, at = [*map(without_numbers, before.splitlines())], [], 0
    for line in diff.splitlines():
        if line.startswith("@@"):
            start = int(line.split()[1].split(",")[0][1:]) - 1
            new += old[at:start]
            at = start
        else:
            text = without_numbers(line[1:])
            if line[0] in " -":
                assert old[at] == text
                at += 1
            if line[0] in " +":
                new.append(text)
    return new + old[at:]


def test_differences_lead_from_one_text_to_the_next(compilation, report) -> None:
    texts = [str(compilation.text("hlo"))]

    def observe(each: PassReport) -> None:
        texts.append(str(each.text()))

    Compilation.from_module(compilation.get("hlo"), "hlo", observe).get("loops")
    passes = [each for each in report.passes if each.stage != "llvm"]
    assert len(passes) == len(texts) - 1
    for each, before, after in zip(passes, texts, texts[1:], strict=False):
        assert applied(before, each.diff) == [*map(without_numbers, after.splitlines())], each.name
        assert each.left_out == 0
    assert any(each.diff for each in passes)
    assert all(each.changed for each in passes if each.diff)


def test_differences_of_long_texts_are_cut() -> None:
    old = [f"op.{n} %{n}" for n in range(9000)]
    assert difference("\n".join(old), "\n".join(f"op.{n} %{n + 1}" for n in range(9000))) == ("", 0)
    diff, left_out = difference("\n".join(old), "\n".join(line[::-1] for line in old))
    assert len(diff.splitlines()) + left_out == 18001
    assert left_out > 10000


def test_times_sum_up(report) -> None:
    passes = sum(each.seconds for each in report.passes)
    assert {each.name for each in report.stages if each.seconds is not None} == {"object"}
    assert report.seconds == pytest.approx(
        report.tracing + passes + stage(report, "object").seconds
    )
    assert {each.stage for each in report.passes} == {
        "optimized_hlo",
        "bufferized",
        "loops",
        "llvm",
    }


def test_kernels_checks_and_traces(report, first) -> None:
    kernels = report.kernels
    assert kernels.headings[:2] == ["line", "what"]
    roots = next(row for row in kernels.rows if "sqrt" in row["cells"][1])
    assert {place[1] for place in roots["places"]} == {first + 8}
    assert roots["seconds"] > 0
    sections = {each["title"]: each["remarks"] for each in kernels.sections}
    [check] = sections["checks at run time"]
    assert "RuntimeIndexError" in check["text"]
    assert check["places"][0][1] == first + 7
    assert sections["loops without SIMD, and why"]
    assert "the first call" in report.traces[1]


def test_parts_survive_json(report) -> None:
    for part in [*report.stages[:3], report.passes[0], report.kernels]:
        again = unpacked(json.loads(json.dumps(packed(part))))
        assert packed(again) == json.loads(json.dumps(packed(part)))


def test_the_sources_are_there(report, first) -> None:
    [source] = report.sources
    assert source.text.splitlines()[first - source.first] == "@ag.jit"


@ag.jit
def wrong(x):
    y = x + 1
    return y + missing  # noqa: F821


def test_what_there_is_of_a_function_that_cannot_be_traced() -> None:
    report = wrong.report(np.ones(3))
    assert "name 'missing' is not defined" in report.error
    assert [each.name for each in report.stages] == ["autograph"]
    assert "return y + missing" in report.sources[0].text
    assert "missing" in report.html()


def test_what_there_is_where_a_pass_fails(compilation, monkeypatch) -> None:
    from agir.backends.cpu import pipelines

    def fails(module) -> None:
        raise ag.errors.LoweringError("this pass does not like it")

    passes, dialects = pipelines.PIPELINES["bufferized"]
    monkeypatch.setitem(pipelines.PIPELINES, "bufferized", ([*passes[:3], fails], dialects))
    report = heat.report(np.ones(40), np.arange(4), 0.1)
    assert "LoweringError: this pass does not like it" in report.error
    assert [each.name for each in report.stages] == ["autograph", "hlo", "optimized_hlo"]
    assert report.passes[-1].stage == "bufferized"


def test_a_program_that_begins_later(compilation) -> None:
    later = Compilation.from_text(compilation.text("loops"), "loops")
    maker = Maker(later, lambda part: None, "loops")
    assert maker.stages == ["loops", "llvm", "llvm_ir", "object", "asm"]


def test_notebooks_show_it(report) -> None:
    framed = report._repr_html_()
    assert framed.startswith("<iframe srcdoc=")
    assert "<script" not in framed  # it is text of an attribute
    table = heat.explain(np.ones(400), np.arange(400), 0.1)._repr_html_()
    assert "<table>" in table
    assert "exp, add, sqrt" in table


class Model:
    @ag.jit
    def scaled(self, x):
        return x * 2


def test_methods_have_reports() -> None:
    assert Model().scaled.report(np.ones(3)).kernels is not None
    with pytest.raises(ag.errors.StageError, match="nothing to report"):
        ag.function(lambda x: x, jit_compile=False).report(1.0)
