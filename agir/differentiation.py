"""Gradients under their public names."""

import typing as _typing

from agir.names import public as _public
from agir.runtime.gradients import calls as _calls  # noqa: F401 - which tells the tapes of calls
from agir.runtime.gradients.accumulator import ForwardAccumulator as ForwardAccumulator
from agir.runtime.gradients.custom import custom_gradient as custom_gradient
from agir.runtime.gradients.custom import recompute_grad as recompute_grad
from agir.runtime.gradients.custom import stop_gradient as stop_gradient
from agir.runtime.gradients.functional import grad as grad
from agir.runtime.gradients.functional import gradients as gradients
from agir.runtime.gradients.functional import hessian as hessian
from agir.runtime.gradients.functional import jacfwd as jacfwd
from agir.runtime.gradients.functional import jacrev as jacrev
from agir.runtime.gradients.functional import jvp as jvp
from agir.runtime.gradients.functional import value_and_grad as value_and_grad
from agir.runtime.gradients.functional import vjp as vjp
from agir.runtime.gradients.tape import GradientTape as GradientTape

if not _typing.TYPE_CHECKING:  # type checkers go by the imports, and know literal lists only
    __all__ = _public(globals())
