"""What dotted names stand for where they are converted."""

from __future__ import annotations

import types
from typing import Any

import gast
import pytest

from agir.autograph import do_not_convert
from agir.autograph.pyct.qualified_names import resolve


def _made(name: str) -> object:
    if name == "broken":
        raise RuntimeError("cannot be made")
    if name != "function":
        raise AttributeError(name)
    return do_not_convert


@pytest.fixture
def namespace() -> dict[str, Any]:
    module = types.ModuleType("on_demand")
    setattr(module, "here", 1)  # noqa: B010
    setattr(module, "__getattr__", _made)  # noqa: B010
    return {"m": module}


@pytest.mark.parametrize(
    ("name", "wanted"),
    [
        ("m.here", 1),
        ("m.function", do_not_convert),
        ("m.broken", None),
        ("m.other", None),
        ("m.here.real", None),
        ("n.here", None),
    ],
)
def test_names_in_modules(namespace: dict[str, Any], name: str, wanted: object) -> None:
    """Also what a module makes on demand; what it fails to make is met where the program runs."""
    assert resolve(gast.parse(name, mode="eval").body, namespace) == wanted
