"""The passes of a stage with those among them that agir does not have."""

from __future__ import annotations

from collections.abc import Sequence

from agir.backends.cpu.pipelines import PIPELINES
from agir.backends.mlir.added import BEGIN, END, Pass
from agir.backends.mlir.passes import Only, pass_name
from agir.backends.mlir.passes import Pass as Row
from agir.config import nearest
from agir.errors import PluginError


def pipeline(stage: str, added: Sequence[Pass]) -> tuple[Sequence[Row], tuple[str, ...]]:
    """The passes of a stage, and the dialects that may be in it."""
    rows, dialects = PIPELINES[stage]
    mine = [each for each in added if belongs(each, added) == stage]
    if not mine:
        return rows, dialects
    placed = list(rows)
    begins = 0
    for each in mine:
        _, where, beside = each.where()
        row = Only(tuple(each.needs), each) if each.needs else each
        if beside is not None:
            found = [n for n, other in enumerate(placed) if _named(other) == _short(beside)]
            placed.insert(found[0] if where == "before" else found[-1] + 1, row)
        elif where == BEGIN:
            placed.insert(begins, row)
        else:
            assert where == END, "there are no other places"
            placed.append(row)
        begins += where == BEGIN
    return placed, dialects


def belongs(added: Pass, others: Sequence[Pass]) -> str:
    """The stage that a pass belongs to; ``PluginError`` where there is no place for it."""
    stage, _, beside = added.where()
    if stage is not None and stage not in PIPELINES:
        known = ", ".join(PIPELINES)
        raise PluginError(
            f"{added.described()}: {stage!r} is no stage with passes{nearest(stage, PIPELINES)}; "
            f"these are {known}"
        )
    if beside is None:
        assert stage is not None, "it has a default"
        return stage
    earlier = others[: next(n for n, each in enumerate(others) if each is added)]
    names = {
        each: [
            *map(_named, PIPELINES[each][0]),
            *(o.name for o in earlier if belongs(o, earlier) == each),
        ]
        for each in PIPELINES
    }
    having = [each for each in ([stage] if stage else PIPELINES) if _short(beside) in names[each]]
    if len(having) == 1:
        return having[0]
    if having:
        raise PluginError(
            f"{added.described()}: there is a pass {beside!r} in the stages {', '.join(having)}: say "
            "which with stage="
        )
    close = {name for each in ([stage] if stage else PIPELINES) for name in names[each]}
    raise PluginError(
        f"{added.described()}: there is no pass {beside!r}{f' in {stage}' if stage else ''}"
        f"{nearest(_short(beside), close)}; agir-dump --timing lists the passes that have run"
    )


def _named(row: Row) -> str:
    return _short(pass_name(row))


def _short(name: str) -> str:
    """A pass without its options, and as agir writes names."""
    return name.partition("{")[0].replace("_", "-")
