"""Gradients under their public names."""

from agir.runtime.gradients import calls as _calls
from agir.runtime.gradients.functional import grad, hessian, jvp, value_and_grad
from agir.runtime.gradients.tape import GradientTape

__all__ = ["GradientTape", "grad", "hessian", "jvp", "value_and_grad"]
assert _calls
