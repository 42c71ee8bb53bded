"""f-strings."""

from __future__ import annotations

import ast
from collections.abc import Callable, Sequence
from typing import Any

from agir.autograph.pyct.unparsing.levels import TEST, level_of


class FString:
    """Finds quotes for an f-string, which before 3.12 must not occur inside of it."""

    def __init__(self, values: Sequence[Any], source: Callable[[Any], str]) -> None:
        self.values = values
        self.source = source
        """Gives the source of an expression."""

    def text(self) -> str:
        """The f-string."""
        parts = self.parts(self.values)
        inside = "".join(text for text, literal in parts if not literal)
        for quote in ("'", '"', "'''", '"""'):
            body = "".join(_escape(text, quote) if literal else text for text, literal in parts)
            if quote in inside or (len(quote) == 1 and "\n" in inside):
                continue
            if body.endswith(quote[0]) and not parts[-1][1]:
                continue
            return f"f{quote}{body}{quote}"
        body = "".join(_escape(text, "'") if literal else text for text, literal in parts)
        return f"f'{body}'"

    def parts(self, values: Sequence[Any]) -> list[tuple[str, bool]]:
        """The pieces of text, and whether they are literal."""
        out: list[tuple[str, bool]] = []
        for value in values:
            if isinstance(value, ast.Constant):
                out.append((_braces(value.value), True))
            elif isinstance(value, ast.JoinedStr):
                out += self.parts(value.values)
            else:
                out += self.field(value)
        return out

    def field(self, t: Any) -> list[tuple[str, bool]]:
        """The pieces of a value that is formatted."""
        text = self.source(t.value)
        if level_of(t.value) <= TEST:
            text = f"({text})"
        # A brace or a colon at the start would be taken for something else.
        text = (" " if text.startswith("{") else "") + text
        text += "" if t.conversion == -1 else f"!{chr(t.conversion)}"
        if t.format_spec is None:
            return [("{" + text + "}", False)]
        return [("{" + text + ":", False), *self.parts(t.format_spec.values), ("}", False)]


def _braces(text: Any) -> str:
    return str(text).replace("{", "{{").replace("}", "}}")


def _escape(text: str, quote: str) -> str:
    """A literal piece as it stands between the quotes."""
    text = repr("\"'" + text)[1:-1]  # both quotes, so that repr escapes the single ones
    text = text.removeprefix("\"\\'").replace("\\'", "'")
    return text.replace(quote[0], "\\" + quote[0])
