"""What becomes of the blocks of a trace."""

from __future__ import annotations

import gc
from typing import Any

import numpy as np
import pytest

import agir as ag
from agir.ir.trace import Trace
from agir.runtime import tracing


def test_attempts_die_before_the_values_that_they_use(monkeypatch: pytest.MonkeyPatch) -> None:
    """Also where something fails when the function has its module: MLIR would write to freed memory."""
    traces: list[Trace] = []
    attempts: list[int] = []
    finish = tracing.finish

    def failing(trace: Trace, *arguments: Any) -> Any:
        traces.append(trace)
        attempts.append(len(trace.root.opened) - 1)
        finish(trace, *arguments)
        raise ag.errors.StagingError("too late")

    def f(x: Any, n: int) -> Any:
        total = 0
        for i in range(n):
            try:
                total = total + x[i] / n  # is an int before the first turn: recorded again
                x[0] = total
            except IndexError:
                total = total * 2.0
        return total, x

    monkeypatch.setattr(tracing, "finish", failing)
    with pytest.raises(ag.errors.StagingError, match="too late"):
        ag.jit(f)(np.ones(3), 3)
    assert attempts[0] > 3
    assert traces[0].root.opened == [traces[0].root]
    traces.clear()
    gc.collect()
