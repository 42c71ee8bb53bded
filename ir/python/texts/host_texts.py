"""What the host does with text of the run time: put it together, read floats, encode and decode.

A function that is run for each is named in the module, so that machine code that is kept on disk
finds it again.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any

import numpy as np

from agir.autograph.operators import call
from agir.ir.building.types import DType, float64, int64
from agir.ir.host import callbacks, hosts, template
from agir.ir.ops.core import host_calls
from agir.ir.plain.text import texts
from agir.ir.plain.text.byte_strings import Bytes
from agir.ir.plain.text.texts import Text
from agir.ir.tensors.symbolic import SymbolicTensor
from agir.ir.tracing.trace import Trace, current
from agir.ir.values.sequences.lists import TracedList, traced_list
from agir.ir.values.sequences.rows import Rows
from agir.ir.values.text import StagedText


def looked_into(trace: Trace, value: StagedText) -> Any:
    """The text of a template in code points: it is put together at this place."""
    key = ("looked into", id(value))
    found = trace.scope.recall("memo", key)
    if found is None:
        pieces = value.template.pieces
        said = {hosts.TEXT: template.encode(pieces)}
        made = _computed(trace, "text", value.values, int64, said, text=pieces)
        found = trace.scope.memo[key] = value, trace.made(Text(listed(trace, made)))
    return found[1]


def listed(trace: Trace, numbers: Any) -> TracedList:
    """An array of code points or bytes as a list."""
    made = trace.make(numbers.ssa, int64, numbers.dims, weak=True)
    return traced_list(Rows.of(trace, made).held())


def to_float(value: Any) -> Any:
    """``float(text)``."""
    trace = _trace()
    made = _computed(trace, "read_float", [_array(trace, _codes(value))], float64)
    return trace.make(made.ssa, float64, (), weak=True)


def encoded(value: Any, encoding: str = "utf-8", errors: str = "strict") -> Any:
    """``text.encode(encoding, errors)``."""
    trace, named = _trace(), {"encoding": encoding, "errors": errors}
    made = _computed(trace, "encode", [_array(trace, _codes(value))], int64, named, **named)
    return trace.made(Bytes(listed(trace, made)))


def decoded(value: Any, encoding: str = "utf-8", errors: str = "strict") -> Any:
    """``data.decode(encoding, errors)``."""
    if not value.values.is_staged and not len(value.values):
        return b"".decode(encoding, errors)
    trace, named = _trace(), {"encoding": encoding, "errors": errors}
    made = _computed(trace, "decode", [_array(trace, value.values)], int64, named, **named)
    return trace.made(Text(listed(trace, made)))


def _trace() -> Trace:
    trace = current()
    assert trace is not None, "text of the run time exists only in a trace"
    return trace


def _codes(value: Any) -> Any:
    return call(texts.codes_of, (value,), {})


def _array(trace: Trace, numbers: Any) -> Any:
    """A list of numbers as an array."""
    return numbers.staged(trace).tensor()


def _computed(
    trace: Trace,
    name: str,
    given: Sequence[SymbolicTensor],
    dtype: DType,
    said: Mapping[str, Any] | None = None,
    **options: Any,
) -> SymbolicTensor:
    """What a function of the host gives: a float, or an array of integers."""
    function = _FUNCTIONS[name]

    def make(values: Sequence[Any], results: Sequence[Any]) -> list[Any]:
        return list(function(*values, **options))

    said = dict(said or {})
    attributes = {n: said.pop(n) for n in list(said) if n == hosts.TEXT}
    attributes |= callbacks.operation(name, said)
    result = host_calls.Result(0, dtype, () if dtype == float64 else (None,))
    made = host_calls.record(
        trace, host_calls.HostFunction(name, make, [result], attributes), given
    )
    return made[0]


def _put_together(*values: Any, text: Any) -> tuple[Any, ...]:
    return (_numbers(map(ord, template.render(text, values))),)


def _read_float(codes: Any) -> tuple[Any, ...]:
    return (np.array(float(_text(codes)), np.float64),)


def _encode(codes: Any, encoding: str, errors: str) -> tuple[Any, ...]:
    return (_numbers(_text(codes).encode(encoding, errors)),)


def _decode(data: Any, encoding: str, errors: str) -> tuple[Any, ...]:
    return (_numbers(map(ord, bytes(data.tolist()).decode(encoding, errors))),)


def _text(codes: Any) -> str:
    return "".join(map(chr, codes))


def _numbers(values: Any) -> Any:
    return np.array(list(values), np.int64)


_FUNCTIONS: dict[str, Callable[..., tuple[Any, ...]]] = {
    "text": _put_together,
    "read_float": _read_float,
    "encode": _encode,
    "decode": _decode,
}
hosts.COMPUTED.update(_FUNCTIONS)
