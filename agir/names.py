"""The public names of modules that hold nothing else."""

from __future__ import annotations

_OF_ANNOTATIONS = ("Any", "annotations")


def public(space: dict[str, object]) -> list[str]:
    """The names in a module's variables that do not begin with an underscore, in order."""
    return sorted(n for n in space if not n.startswith("_") and n not in _OF_ANNOTATIONS)
