"""The options of the command line."""

from __future__ import annotations

import argparse
import difflib
import re
from collections.abc import Sequence

import agir
from agir.backends.stages import STAGES
from agir.tools.diagnosis import UsageError
from agir.tools.isolation import GIGABYTE, Limits

_DESCRIPTION = "Show what agir makes of a function: any stage from converted source to assembly."

_EXAMPLES = """\
examples:
  agir-dump model.py:step --args 'f64[512,512], i32'       what was traced (the stage hlo)
  agir-dump model.py:step --args 'np.eye(3), 5' --run      call it and print the result
  agir-dump model.py:step --args 'f64[?]' --stage asm      the machine code
  agir-dump model.py:step --args 'f64[?]' --all --to out   every stage, in numbered files
  agir-dump model.py:step --args 'f64[?]' --when changed   the IR after each pass that changed it
  agir-dump model.py:step --args 'np.ones(999)' --explain  what became of it, and how fast it is
  agir-dump model.py:step --args 'np.ones(999)' --html r.html  all of it as one page
  agir-dump out/03.optimized_hlo.mlir --stage llvm         go on from an edited file
  agir-dump model.py:step --args 'np.eye(3), 5' --validate which pass changes what a call gives
  agir-dump model.py:step --args 'np.eye(3), 5' --reduce   the smallest program that still fails
  agir-dump model.py:step --args 'f64' --gradient backward what computes its gradient
  agir-dump part.mlir --pass fuse-sibling-reductions       what a pass makes of a module
  agir-dump - --from-stage loops --stage asm < loops.mlir  or from standard input

Also understood: --print-ir-after-all, --mlir-print-ir-after-all, --print-ir-after-change,
--mlir-print-ir-after-change, --mlir-timing, --mlir-print-debuginfo.

Exit status: 0; 1 if the program is at fault; 2 if the command line is.
"""


_OF_OTHER_TOOLS = {
    **dict.fromkeys(
        ("--print-ir-before-all", "--mlir-print-ir-before-all", "--print-between-passes"),
        "--passes, which shows the program after each pass",
    ),
    **dict.fromkeys(
        ("--print-ir-after", "--mlir-print-ir-after", "--print-after"),
        "--passes --only-passes REGEX",
    ),
    **dict.fromkeys(
        ("--mlir-print-ir-after-failure", "--verify-each", "--mlir-pass-pipeline-crash-reproducer"),
        "--validate, which names the first pass that is wrong, or --reduce",
    ),
    **dict.fromkeys(("--pass-pipeline", "--passes-pipeline"), "--pass NAME, for each pass"),
    **dict.fromkeys(
        ("--mlir-elide-elementsattrs-if-larger", "--elide-elementsattrs-if-larger"), "--elide N"
    ),
    **dict.fromkeys(("--mlir-print-op-stats", "--print-op-stats"), "--histogram"),
    **dict.fromkeys(("--view-op-graph", "--print-op-graph"), "--dot FILE"),
    **dict.fromkeys(("--view-cfg", "--dot-cfg"), "--cfg FILE"),
    **dict.fromkeys(("--compile-to", "--to-stage"), "--stage NAME"),
    **dict.fromkeys(("--compile-from", "--checkpoint-stage"), "--from-stage NAME"),
    **dict.fromkeys(("--dump-compilation-phases-to", "--mlir-print-ir-tree-dir"), "--to DIR"),
    "--shrink": "--reduce",
    "--disassemble": "--stage asm",
}
"""What one would try by reflex, and what to write instead."""


class _Parser(argparse.ArgumentParser):
    """An argument parser that leaves it to `main` to say what is wrong."""

    def error(self, message: str) -> None:  # type: ignore[override]
        unknown = re.search(r"unrecognized arguments: (--[\w-]+)", message)
        raise UsageError(message + (self._advice(unknown[1]) if unknown else ""))

    def _advice(self, option: str) -> str:
        """What to write in the place of an option that other tools have."""
        if option in _OF_OTHER_TOOLS:
            return f"; here that is {_OF_OTHER_TOOLS[option]}"
        near = difflib.get_close_matches(option, self._option_string_actions, 1)
        return f"; did you mean {near[0]}?" if near else ""


def parse(argv: Sequence[str] | None) -> argparse.Namespace:
    """The options of a command line, or `UsageError`."""
    parser = _Parser(
        prog="agir-dump",
        description=_DESCRIPTION,
        epilog=_EXAMPLES,
        formatter_class=argparse.RawDescriptionHelpFormatter,
        allow_abbrev=False,
    )
    _add_program(parser)
    _add_shown(parser)
    _add_output(parser)
    options = parser.parse_args(argv)
    options.passes = options.when or ("always" if options.passes else "")
    if options.program is None and not options.list_stages:
        raise UsageError("name a program: FILE.py:FUNCTION, or the .mlir file of a stage")
    return options


def _add_program(parser: argparse.ArgumentParser) -> None:
    add = parser.add_argument_group("the program").add_argument
    add(
        "program",
        nargs="?",
        metavar="PROGRAM",
        help="FILE.py:FUNCTION, package.module:FUNCTION, FILE.mlir, or - for standard input",
    )
    add(
        "--args",
        default="",
        metavar="ARGS",
        help="arguments of the function: types (f64[512, ?], i32) or Python expressions over np",
    )
    add(
        "--convention",
        choices=("jit", "function"),
        default="jit",
        help="how a function that is not decorated is taken (default: jit)",
    )
    add("--plugin", action="append", default=[], metavar="MODULE",
        help="a module, or FILE.py, that adds to agir; may be repeated")  # fmt: skip
    add("--function", metavar="NAME", help="the function that --run calls in an MLIR file")
    add(
        "--from-stage",
        metavar="NAME",
        help="the stage that an MLIR file holds (default: what its name says, else hlo)",
    )
    add("--timeout", type=_seconds, default=Limits.seconds, metavar="SECONDS",
        help="how long compiling an MLIR file may take (default: %(default)g)")  # fmt: skip
    add("--memory", type=_gigabytes, default=Limits.memory, metavar="GIB",
        help=f"how much memory it may take (default: {Limits.memory // GIGABYTE})")  # fmt: skip


def _add_shown(parser: argparse.ArgumentParser) -> None:
    add = parser.add_argument_group("what is shown").add_argument
    add("--stage", "--emit", action="append", default=[], metavar="NAME",
        help="a stage, hlo if none is named; may be repeated")  # fmt: skip
    add("--all", action="store_true", help="every stage")
    add("--passes", action="store_true", help="the IR after each pass")
    add("--when", choices=("changed", "always"), help="which passes: those that changed it, or all")
    add("--pass", action="append", default=[], dest="alone", metavar="NAME",
        help="of an MLIR file: what it is after this pass alone; may be repeated")  # fmt: skip
    add("--timing", "--mlir-timing", "--time-passes", action="store_true",
        help="a table of the passes: seconds, operations before and after")  # fmt: skip
    add("--locations", "--mlir-print-debuginfo", action="store_true",
        help="with the lines of the user's program")  # fmt: skip
    add("--elide", type=int, metavar="N",
        help="leave out the values of constants of more than N elements")  # fmt: skip
    add("--gradient", choices=("forward", "backward"), default="",
        help="the half of the differentiated function, forwards with saving or backwards")  # fmt: skip
    add("--explain", action="store_true",
        help="what became of it: kernels, SIMD, checks, memory; with values, times")  # fmt: skip
    add("--validate", "--bisect", action="store_true",
        help="interpret it after each pass: which one changes what a call gives")  # fmt: skip
    add("--prove", action="store_true",
        help="of numbers, without loops: do the stages give the same, whatever they get")  # fmt: skip
    add("--reduce", nargs="?", const="", metavar="COMMAND",
        help="a smaller program, or module of --stage, that fails in the same way, "
        "or on which COMMAND succeeds")  # fmt: skip
    add("--run", action="store_true", help="call the function and print what it returns")
    add("--histogram", action="store_true",
        help="how many operations of each kind the stages have, in place of their text")  # fmt: skip
    for what in ("passes", "functions", "operations"):
        add(f"--only-{what}", type=_pattern, metavar="REGEX",
            help=f"of what is shown, the {what} whose names match")  # fmt: skip
    add("--split-input-file", action="store_true",
        help="with --pass: the file holds several modules, between lines '// -----'")  # fmt: skip
    add("--list-stages", action="store_true", help="print the names of the stages and stop")
    add("--filter-print-funcs", dest="only_functions", type=_names, help=argparse.SUPPRESS)
    for spelling, when in (("all", "always"), ("change", "changed")):
        names = [f"--print-ir-after-{spelling}", f"--mlir-print-ir-after-{spelling}"]
        add(*names, dest="when", action="store_const", const=when, help=argparse.SUPPRESS)


def _add_output(parser: argparse.ArgumentParser) -> None:
    add = parser.add_argument_group("where it goes").add_argument
    add("-o", "--output", metavar="FILE", help="write to a file instead of standard output")
    add("--to", metavar="DIR", help="write stages (all, if none is named) and passes to files")
    add("--html", metavar="FILE",
        help="write a report for a browser: lines, stages, assembly, passes, times")  # fmt: skip
    add("--dot", metavar="FILE", help="draw the graph of optimized_hlo: FILE.svg, .png, .pdf, .dot")
    add(
        "--cfg", metavar="FILE", help="draw the control flow of the stage llvm, in the same formats"
    )
    add("--json", action="store_true", help="print everything as JSON")
    add("--traceback", action="store_true", help="show the Python traceback of an error")
    add("--version", action="version", version=f"agir-dump {agir.__version__}")


def _seconds(text: str) -> float:
    value = float(text)
    if not 0 < value < 1e6:
        raise ValueError
    return value


def _gigabytes(text: str) -> int:
    return int(_seconds(text) * GIGABYTE)


def _names(text: str) -> re.Pattern[str]:
    """The names of LLVM's option, which are whole ones between commas."""
    return re.compile("|".join(f"^{re.escape(each)}$" for each in text.split(",")))


def _pattern(text: str) -> re.Pattern[str]:
    return re.compile(text)


_pattern.__name__ = "regular expression"
_seconds.__name__ = "number of seconds"
_gigabytes.__name__ = "number of GiB"


def stage_name(name: str) -> str:
    """A stage that exists, or `UsageError`."""
    name = name.replace("-", "_")
    if name not in STAGES:
        raise UsageError(f"there is no stage {name!r}; the stages are {', '.join(STAGES)}")
    return name
