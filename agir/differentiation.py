"""Gradients under their public names."""

from agir.runtime.gradients.functional import grad, hessian, jvp, value_and_grad

__all__ = ["grad", "hessian", "jvp", "value_and_grad"]
