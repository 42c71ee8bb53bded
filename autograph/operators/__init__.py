"""What converted code calls at run time: Python's own semantics, or a staging's."""

from agir.autograph.operators import matching
from agir.autograph.operators.asserts import assert_stmt, no_message
from agir.autograph.operators.calls import (
    Reconverted,
    call,
    is_converted_on_the_way,
    keywords,
    overload_operators,
    watch_operators,
)
from agir.autograph.operators.comparisons import in_, is_, is_not, not_in
from agir.autograph.operators.comprehensions import collect, each, unpacked, when
from agir.autograph.operators.conditionals import if_exp, if_stmt, skip, truth
from agir.autograph.operators.effects import changed
from agir.autograph.operators.exceptions import going_on, try_stmt
from agir.autograph.operators.generators import generator, iterated, iterating_method, of_method
from agir.autograph.operators.handlers import Handler, handler_for
from agir.autograph.operators.logical import and_, condition, not_, or_
from agir.autograph.operators.loops import (
    ahead,
    for_stmt,
    run_in_python,
    while_in_python,
    while_stmt,
)
from agir.autograph.operators.matching import match, matches
from agir.autograph.operators.objects import (
    del_attr,
    del_item,
    get_attr,
    get_item,
    listed,
    new,
    new_dict,
    new_set,
    rebinds,
    set_attr,
    set_item,
    slice_,
    unpack,
    unpack_starred,
    updating,
    writing,
)
from agir.autograph.operators.outer import Names, outer
from agir.autograph.operators.overloads import (
    augmented,
    binary,
    compare,
    has_order,
    hashed_fields,
    unary,
)
from agir.autograph.operators.places import Attribute, Contents, Entry, FreeVariable, Place
from agir.autograph.operators.staging import (
    LoopOptions,
    Staging,
    State,
    active,
    content_of,
    find,
    no_state,
    register,
    unregister,
)
from agir.autograph.operators.strings import formatted, percent, text
from agir.autograph.operators.undefined import PossiblyUndefined, Undefined, UndefinedReturn
from agir.autograph.operators.variables import is_undefined, ld, ld_free, ldu
from agir.autograph.operators.with_statements import managed

__all__ = [
    "Attribute",
    "Contents",
    "Entry",
    "FreeVariable",
    "Handler",
    "LoopOptions",
    "Names",
    "Place",
    "PossiblyUndefined",
    "Reconverted",
    "Staging",
    "State",
    "Undefined",
    "UndefinedReturn",
    "active",
    "ahead",
    "and_",
    "assert_stmt",
    "augmented",
    "binary",
    "call",
    "changed",
    "collect",
    "compare",
    "condition",
    "content_of",
    "del_attr",
    "del_item",
    "each",
    "find",
    "for_stmt",
    "formatted",
    "generator",
    "get_attr",
    "get_item",
    "going_on",
    "handler_for",
    "has_order",
    "hashed_fields",
    "if_exp",
    "if_stmt",
    "in_",
    "is_",
    "is_converted_on_the_way",
    "is_not",
    "is_undefined",
    "iterated",
    "iterating_method",
    "keywords",
    "ld",
    "ld_free",
    "ldu",
    "listed",
    "managed",
    "match",
    "matches",
    "matching",
    "new",
    "new_dict",
    "new_set",
    "no_message",
    "no_state",
    "not_",
    "not_in",
    "of_method",
    "or_",
    "outer",
    "overload_operators",
    "percent",
    "rebinds",
    "register",
    "run_in_python",
    "set_attr",
    "set_item",
    "skip",
    "slice_",
    "text",
    "truth",
    "try_stmt",
    "unary",
    "unpack",
    "unpack_starred",
    "unpacked",
    "unregister",
    "updating",
    "watch_operators",
    "when",
    "while_in_python",
    "while_stmt",
    "writing",
]
