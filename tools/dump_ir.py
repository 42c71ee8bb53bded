"""Show what agir makes of a function: ``agir-dump FILE.py:FUNCTION --args 'f64[?]' --stage asm``.

A Python function is traced and compiled in this process, so that a debugger can follow; the text of
a stage, which may come from anywhere, in a child process.
"""

from __future__ import annotations

import contextlib
import sys
import traceback
from argparse import Namespace
from collections.abc import Sequence
from pathlib import Path

if __name__ == "__main__" and sys.path[:1] == [str(Path(__file__).resolve().parent)]:
    del sys.path[0]  # run as a script: the user's modules may be called like those of this folder

try:
    from agir.backends.cpu.added_passes import belongs
    from agir.backends.mlir.added import registered
    from agir.backends.reporting import making
    from agir.backends.reporting.model import Report as Page
    from agir.backends.stages import STAGES
    from agir.config import config
    from agir.errors import PluginError
    from agir.runtime import reports
    from agir.tools import arguments, isolation, loading, outputs, reduce, targets
    from agir.tools.diagnosis import Diagnostic, UsageError, diagnose
    from agir.tools.jobs import Job, perform
    from agir.tools.options import parse
    from agir.tools.programs import Traced, completed
    from agir.tools.report import Report, Style, in_words
    from agir.tools.targets import Target
except ModuleNotFoundError as missing:
    if not (missing.name or "").startswith("agir"):
        raise
    sys.exit("agir is not installed for this Python: run `pip install -e .` in the checkout")


def main(argv: Sequence[str] | None = None) -> int:
    """Run the command line and give its exit status: 0, 1 (the program), 2 (the usage)."""
    try:
        options = parse(argv)
    except SystemExit as done:  # --help, --version
        return int(done.code or 0)
    except UsageError as error:
        return _misused(error)
    try:
        with config.scope(plugins=",".join([config.plugins, *map(_found, options.plugin)])):
            config.load_plugins()
            return _list_stages() if options.list_stages else _dump(options)
    except PluginError as error:
        return _misused(UsageError(error.message))
    except UsageError as error:
        return _misused(error)
    except BrokenPipeError:
        outputs.hang_up()
        return 0
    except KeyboardInterrupt:
        return 130


def _found(plugin: str) -> str:
    """A plugin as another process finds it, too."""
    return str(Path(plugin).resolve()) if Path(plugin).is_file() else plugin


def _misused(error: UsageError) -> int:
    style = Style(sys.stderr)
    print(f"{style.bold('agir-dump:')} {style.red('error:')} {error}", file=sys.stderr)
    return 2


def _list_stages() -> int:
    width = max(map(len, STAGES))
    lines = []
    for row in STAGES.values():
        lines.append(f"{row.name:{width}}  {row.extension:7}  {row.summary}")
        added = [each for each in registered() if belongs(each, registered()) == row.name]
        lines += [f"{'':{width}}  {'':7}  with {each.described()}" for each in added]
    print("\n".join(lines), flush=True)
    return 0


def _dump(options: Namespace) -> int:
    target = targets.find(options.program, options.function, options.from_stage)
    if options.reduce is not None:
        return _reduce(target, options)
    shown, job = targets.plan(target, options)
    report = Report(options.program)
    try:
        if target.function is None:
            content = target.read()
            limits = isolation.Limits(options.timeout, options.memory)
            isolation.run(job, content, target.name, target.stage, limits, report.collect)
        else:
            _trace(target, options, job, report)
    except (UsageError, KeyboardInterrupt):
        raise
    except BaseException as error:  # SystemExit, too: the user's file may call sys.exit
        report.collect({**isolation.failure(diagnose(error)), "traceback": traceback.format_exc()})
    if report.usage:
        raise UsageError(report.usage)
    return _conclude(report, options, shown)


def _reduce(target: Target, options: Namespace) -> int:
    """Print the smallest program, or module, that fails as the target does."""
    limits = isolation.Limits(options.timeout, options.memory)
    if target.function is not None and not options.stage:
        if not Path(target.name).is_file():
            raise UsageError("--reduce takes FILE.py:FUNCTION")
        source = Path(target.name).read_text()
        convention, command = options.convention, options.reduce
        found = reduce.reduced(source, target.function, options.args, convention, command, limits)
    else:
        content, stage, function = _module(target, options)
        request = {"stage": stage, "alone": options.alone, "function": function}
        request["arguments"] = options.args
        found = reduce.reduced_module(content, request, options.reduce, limits)
    told = f"{found.lines} lines are left, after {found.tried} programs: {found.verdict}"
    print(told, file=sys.stderr)
    outputs.write(found.text.encode(), options.output)
    return 0


def _module(target: Target, options: Namespace) -> tuple[bytes, str, str | None]:
    """The module that is to be reduced, its stage, and the function that is called."""
    if target.function is None:
        return target.read(), target.origin, options.function
    (stage,) = options.stage[-1:]
    if not targets.is_module(stage):
        raise UsageError(f"--reduce takes a stage that is a module, and not {stage!r}")
    module = target.load()
    given = arguments.parse(options.args, vars(module))
    function = loading.decorated(loading.find(module, target.function), options.convention)
    program = Traced(function, completed(function, given))
    return str(program.compilation.text(stage)).encode(), stage, program.name


def _trace(target: Target, options: Namespace, job: Job, report: Report) -> None:
    with contextlib.redirect_stdout(sys.stderr):  # the user's prints are not part of the answer
        module = target.load()
        given = arguments.parse(options.args, vars(module))
        function = loading.decorated(
            loading.find(module, target.function or ""), options.convention
        )
        given = completed(function, given)
        if options.run or options.validate:
            _say_what_is_made_up(given)
        if options.html:
            report.page.take(reports.converted(function.python_function))
        backend = "validated" if options.validate else config.backend
        with config.scope(backend=backend):
            program = Traced(function, given)
            report.collect({"event": "traced", **program.described()})
            perform(job, program, report.collect)


def _say_what_is_made_up(given: arguments.Arguments) -> None:
    given.with_values()
    for spec in given.types_only:
        what = arguments.describe(spec)
        print(f"note: only the type {what} is given; --run passes ones", file=sys.stderr)


def _conclude(report: Report, options: Namespace, shown: tuple[str, ...]) -> int:
    """Write what there is, then what went wrong."""
    failed = None if report.error is None else Diagnostic.from_json(report.error)
    if options.html:
        _finish(report.page, failed)
    try:
        outputs.deliver(report, options, shown)
    except outputs.OutputError as error:
        failed = failed or Diagnostic(str(error))
    if failed is None:
        return int(report.has_findings)
    sys.stdout.flush()
    if options.traceback and report.error:
        sys.stderr.write(report.error.get("traceback", ""))
    print(in_words(failed, Style(sys.stderr)), file=sys.stderr)
    return 1


def _finish(page: Page, failed: Diagnostic | None) -> None:
    """Add to the page what went wrong, and the program."""
    places: dict[str, tuple[int, int]] = {}
    if failed is not None:
        page.error = in_words(failed, Style(None))
        if failed.place is not None:
            places[failed.place.file] = (failed.place.line, failed.place.line)
    making.finish(page, places)


if __name__ == "__main__":
    sys.exit(main())
