"""The stage `stablehlo`, run by StableHLO's own interpreter and by XLA, against plain Python."""

from __future__ import annotations

import numpy as np
import pytest

import agir as ag
from agir.backends.reference.core.attributes import decode
from agir.errors import UnsupportedOperation
from agir.ir.building import bindings
from agir.tools import dump_ir

from ..lowered_programs import CALLS


def compiled(function, arguments):
    """The function in StableHLO, its arguments as arrays, and what Python gives."""
    given = [np.copy(each) if isinstance(each, np.ndarray) else each for each in arguments]
    concrete = ag.jit(function).get_concrete_function(*given)
    text = concrete.compilation.text("stablehlo")
    wanted = function(*given)
    arrays = [np.asarray(each) for each in arguments]
    leaves = wanted if isinstance(wanted, tuple) else (wanted,)
    return text, arrays, [np.asarray(each) for each in leaves]


def interpreted(text, arrays):
    """What StableHLO's reference interpreter makes of a module with one function."""
    ir = bindings.ir
    with bindings.context(), ir.Location.unknown():
        module = ir.Module.parse(text)
        kinds = module.body.operations[0].attributes["function_type"].value.inputs
        given = [
            ir.DenseElementsAttr.get(array, type=kind.element_type, shape=array.shape)
            for array, kind in zip(arrays, kinds, strict=True)
        ]
        return [decode(each) for each in bindings.stablehlo.eval_module(module, given)]


def expect(found, wanted):
    assert len(found) >= len(wanted), "an error record may follow"
    for mine, theirs in zip(found, wanted, strict=False):
        mine = mine.view(theirs.dtype) if theirs.dtype.kind == "u" else mine
        tolerance = 1e-3 if theirs.dtype.itemsize < 8 else 1e-9
        np.testing.assert_allclose(mine, theirs, rtol=tolerance, atol=tolerance)


@pytest.mark.parametrize("function", CALLS, ids=lambda each: each.__name__)
def test_what_stablehlo_gives(function):
    text, arrays, wanted = compiled(function, CALLS[function])
    expect(interpreted(text, arrays), wanted)


def test_what_xla_gives():
    """All of them compiled by XLA, as JAX has it; where JAX is installed."""
    jax = pytest.importorskip("jax")
    from jax.extend.backend import get_backend
    from jaxlib import _jax, xla_client

    with jax.enable_x64(True):
        backend = get_backend("cpu")
        devices = _jax.DeviceList(tuple(backend.local_devices()[:1]))
        for function, arguments in CALLS.items():
            text, arrays, wanted = compiled(function, arguments)
            program = backend.compile_and_load(text, devices, xla_client.CompileOptions())
            signed = [a.view(f"i{a.itemsize}") if a.dtype.kind == "u" else a for a in arrays]
            called = program.execute_sharded([jax.device_put(each) for each in signed])
            parts = called.disassemble_into_single_device_arrays()
            expect([np.asarray(each[0]) for each in parts], wanted)


def test_what_has_no_form(tmp_path, capsys):
    file = tmp_path / "area.py"
    file.write_text("import numpy as np\n\n\ndef area(x):\n    return 2 * np.arcsin(x)\n")
    assert dump_ir.main([f"{file}:area", "--args", "f64[3]", "--emit", "stablehlo"]) == 1
    said = capsys.readouterr().err
    assert f"{file}:5: error: the program has no form in StableHLO: math.asin" in said
    assert dump_ir.main([f"{file}:area", "--args", "f64[?]", "--emit", "stablehlo"]) == 1
    assert "sizes that are known only at run time; give it sizes" in capsys.readouterr().err
    with pytest.raises(UnsupportedOperation, match=r"math\.asin"):
        ag.jit(lambda x: np.arcsin(x)).experimental_get_compiler_ir(0.5)("stablehlo")
