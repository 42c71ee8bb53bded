"""What converted code calls at run time: Python's own semantics, or a staging's."""

from agir.autograph.operators import matching
from agir.autograph.operators.asserts import assert_stmt, no_message
from agir.autograph.operators.calls import call, keywords
from agir.autograph.operators.comprehensions import collect, each, unpacked, when
from agir.autograph.operators.conditionals import if_exp, if_stmt, skip
from agir.autograph.operators.generators import generator, iterated
from agir.autograph.operators.logical import and_, not_, or_
from agir.autograph.operators.loops import for_stmt, while_stmt
from agir.autograph.operators.matching import match, matches
from agir.autograph.operators.staging import (
    LoopOptions,
    PossiblyUndefined,
    Staging,
    State,
    Undefined,
    UndefinedReturn,
    active,
    find,
    no_state,
    register,
    unregister,
)
from agir.autograph.operators.variables import bound, is_undefined, ld, ld_free, ldu

__all__ = [
    "LoopOptions",
    "PossiblyUndefined",
    "Staging",
    "State",
    "Undefined",
    "UndefinedReturn",
    "active",
    "and_",
    "assert_stmt",
    "bound",
    "call",
    "collect",
    "each",
    "find",
    "for_stmt",
    "generator",
    "if_exp",
    "if_stmt",
    "is_undefined",
    "iterated",
    "keywords",
    "ld",
    "ld_free",
    "ldu",
    "match",
    "matches",
    "matching",
    "no_message",
    "no_state",
    "not_",
    "or_",
    "register",
    "skip",
    "unpacked",
    "unregister",
    "when",
    "while_stmt",
]
