"""Gradients under their public names."""

from agir.runtime.gradients import calls as _calls  # noqa: F401 - which tells the tapes of calls
from agir.runtime.gradients.accumulator import ForwardAccumulator
from agir.runtime.gradients.custom import custom_gradient, recompute_grad, stop_gradient
from agir.runtime.gradients.functional import (
    grad,
    gradients,
    hessian,
    jacfwd,
    jacrev,
    jvp,
    value_and_grad,
    vjp,
)
from agir.runtime.gradients.tape import GradientTape

__all__ = [
    "ForwardAccumulator",
    "GradientTape",
    "custom_gradient",
    "grad",
    "gradients",
    "hessian",
    "jacfwd",
    "jacrev",
    "jvp",
    "recompute_grad",
    "stop_gradient",
    "value_and_grad",
    "vjp",
]
