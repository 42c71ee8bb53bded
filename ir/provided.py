"""What modules of the recorder ask of those above them (``ir/hooks.py``), where both are known."""

from __future__ import annotations

from agir.ir import hooks
from agir.ir.control_flow import messages, raised_values
from agir.ir.emission import python_floats
from agir.ir.functions import library
from agir.ir.ops.calls import numpy_protocol
from agir.ir.ops.core import layouts_of_paths
from agir.ir.ops.elementwise import array_parts
from agir.ir.ops.indexing import indexing
from agir.ir.ops.shapes import refinement
from agir.ir.plain.entering import represented
from agir.ir.plain.hashed import representations
from agir.ir.plain.text import texts
from agir.ir.python import run_time_keys
from agir.ir.python.numbers import number_methods
from agir.ir.python.texts import coded_texts, host_texts
from agir.ir.state.tensor_array import TensorArray
from agir.ir.values import text
from agir.ir.values.alternatives import choices, optional
from agir.ir.values.heap import assembling, objects, references
from agir.ir.values.sequences import lists, tuples

hooks.tensors = hooks.Tensors(
    set_item=indexing.assign,
    fill=indexing.fill,
    update_in_place=indexing.update_in_place,
    set_shape=refinement.set_shape,
    part=array_parts.part,
    set_part=array_parts.set_part,
    viewed=array_parts.viewed,
    flat=array_parts.flat,
    set_flat=array_parts.set_flat,
    converted=array_parts.converted,
    number=array_parts.number,
    number_method=number_methods.find,
    refusal=array_parts.refusal,
    ufunc=numpy_protocol.ufunc,
    array_function=numpy_protocol.function,
    checked_float=python_floats.checked,
    repeated_text=coded_texts.repeated_by_run_time,
    repeated_tuple=tuples.repeated,
)
hooks.texts = hooks.Texts(
    written=text.marked,
    joined=text.joined,
    need_codes=text.need_codes,
    codes_of_one=coded_texts.codes_of_one,
    codes_of=texts.codes_of,
    coded=text.coded,
    of_number=coded_texts.written,
    of_bytes=text.bytes_written,
    of_layout=text.of_layout,
    of_list=represented(representations.of_list),
    looked_into=host_texts.looked_into,
    together=coded_texts.together,
    encoded=host_texts.encoded,
    decoded=host_texts.decoded,
    abstract=coded_texts.any_text,
    kept=messages.kept_now,
    held=raised_values.hold,
)
hooks.tables = hooks.Tables(
    enter=run_time_keys.enter,
    note_copy=run_time_keys.note_copy,
    become=run_time_keys.meets,
)
hooks.library = hooks.Library(
    call=library.library_call,
    takes=library.library_takes,
    lifted=library.lifted,
    number_of_object=objects.number_of,
    presence=optional.flag,
    expect_items=references.expect,
    fill=assembling.filled,
)
hooks.values = hooks.Values(
    alternatives=choices.alternatives,
    unchecked=optional.unchecked,
    perhaps_in=optional.perhaps_in,
    standing_for=lists.traced_list,
    referring=references.referring,
    traced_array=TensorArray._holding,
    lie_as_one_of=layouts_of_paths.derive_carried,
)
