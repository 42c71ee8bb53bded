"""What the runtime gives the recorder (``ir/hooks.py``)."""

from __future__ import annotations

from agir.ir import hooks
from agir.runtime.state import buffers, tensor_array
from agir.runtime.tensor import EagerTensor, constant, convert_to_tensor, result

hooks.runtime = hooks.Runtime(
    eager=EagerTensor,
    result=result,
    convert=convert_to_tensor,
    constant=constant,
    store=buffers.store,
    stored_arrays=tensor_array.StoredArrays,
    returned_array=tensor_array.returned,
)
