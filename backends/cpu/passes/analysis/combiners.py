"""Operations that combine many numbers of a vector into one."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from agir.backends.cpu.contractions.code import Code
from agir.ir.building import bindings
from agir.records import dataclass


@dataclass(frozen=True)
class Combiner:
    """How the lanes of a vector are combined, and by its bits the number that changes nothing."""

    kind: str
    neutral: Callable[[int], str]
    flags: str = ""

    def start(self, code: Code, lanes: int, element: Any) -> Any:
        """What changes nothing, in each lane."""
        number = self.neutral(element.width)
        return code.constant(code.vector(lanes, element), f"dense<{number}>" if lanes else number)

    def attributes(self) -> dict[str, Any]:
        """Of an operation that may combine in any order."""
        return {"fastmath": bindings.ir.Attribute.parse(self.flags)} if self.flags else {}

    def of_lanes(self, code: Code, vector: Any) -> Any:
        """What all lanes come to."""
        way = bindings.ir.Attribute.parse(f"#vector.kind<{self.kind}>")
        attributes = {"kind": way, **self.attributes()}
        return code.op("vector.reduction", [vector], [vector.type.element_type], attributes)


COMBINERS = {
    "arith.addf": Combiner("add", lambda bits: "-0.0", "#arith.fastmath<reassoc>"),
    "arith.addi": Combiner("add", lambda bits: "0"),
    "arith.ori": Combiner("or", lambda bits: "false" if bits == 1 else "0"),
    "arith.andi": Combiner("and", lambda bits: "true" if bits == 1 else "-1"),
    "arith.minsi": Combiner("minsi", lambda bits: str(2 ** (bits - 1) - 1)),
    "arith.maxsi": Combiner("maxsi", lambda bits: str(-(2 ** (bits - 1)))),
}
"""By the operation."""
