"""Values that are stored one after the other in elements, and begun anew where they are too few.

This is what ``numpy.put``, ``numpy.fill_diagonal``, ``x.flat[key] = values`` and the like do; where
there are no values at all, they change nothing.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from agir.ir.ops.core.checked import require
from agir.ir.ops.core.recorded import dimension_size, dimension_sizes, tensor, type_of
from agir.ir.tensors import dispatch

call = dispatch.call
Store = Callable[[Any, Any], None]


def flattened(values: Any) -> Any:
    """The values in one dimension."""
    return call("reshape", tensor(values), (-1,))


def resized(values: Any, shape: Any) -> Any:
    """An array of the shape, whose elements are the values, repeated; zeros where there are none."""
    wanted = tuple(shape) if isinstance(shape, (tuple, list)) else (shape,)
    flat = flattened(values)
    count = type_of(flat).shape[0]
    total: Any = 1
    for each in wanted:
        require(call("greater_equal", each, 0), "resize(): sizes are not negative")
        total = total * each
    if count == 0:
        return call("full", wanted, 0, type_of(flat).dtype)
    if count is not None and isinstance(total, int) and total == count:
        return call("copy", call("reshape", flat, wanted))
    period: Any = count
    if count is None:
        period = call("maximum", dimension_size(flat, 0), 1)
        flat = call("concat", [flat, np.zeros(1, type_of(flat).dtype.numpy)], 0)
    places = call("range", total, dtype="int64")
    return call("reshape", flat[places % period], wanted)


def places_for(values: Any, places: Any) -> Any:
    """The places in one dimension, none of them where there are no values in one dimension."""
    flat = flattened(places)
    count = type_of(values).shape[0]
    if count is not None:
        return flat if count else flat[:0]
    return flat[
        : dimension_size(flat, 0)
        * call("cast", call("greater", dimension_size(values, 0), 0), "int64")
    ]


def put_in_part(flat: Any, key: Any, values: Any, is_basic: bool, store: Store) -> None:
    """``flat[key] = values``, for a key that is no number and values that are not one number.

    ``store(key, value)`` writes a value that fits.
    """
    given = flattened(values)
    count = type_of(given).shape[0]
    if is_basic and count:
        store(key, given[0] if count == 1 else resized(given, dimension_sizes(flat[key])))
        return
    if is_basic:
        places = call("range", dimension_size(flat, 0), dtype="int64")[key]
    else:
        places = tensor(key[0] if isinstance(key, tuple) else key)
        places = np.nonzero(places)[0] if type_of(places).dtype.is_bool else places
    if count != 0:
        chosen = places_for(given, places)
        store(chosen, given[0] if count == 1 else resized(given, dimension_sizes(chosen)))
