"""What `import agir` leaves for later is there when it is asked for, whatever asks first."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

THREADS = """
from concurrent.futures import ThreadPoolExecutor
functions = [ag.jit(lambda x, n=n: np.sort(x)[0] + n) for n in range(4)]
with ThreadPoolExecutor(4) as pool:
    print(*pool.map(lambda f: float(f(np.ones(3))), functions))
"""
TAPE = """
with ag.GradientTape() as tape:
    x = ag.constant(2.0)
    tape.watch(x)
    y = x * x
print(tape.gradient(y, x).numpy())
"""
SPECIFIED = """
f = ag.function(lambda x: x, input_signature=[ag.TensorSpec([2])])
print(f(np.ones(2, np.float32)).numpy())
"""
EVERYTHING = """
import builtins
from agir import *
builtins.print(identity(1).numpy(), Variable(2).numpy(), grad is ag.grad)
"""
FIRST = {
    "a call": ("print(ag.jit(lambda x: x + 1)(np.ones(2)))", "[2. 2.]"),
    "a call that makes a tensor": ("print(ag.function(lambda x: x + 1)(1).numpy())", "2"),
    "an operation": ("print(ag.add(1, 2).numpy())", "3"),
    "an operator": ("print((ag.constant(1) + 2).numpy())", "3"),
    "a function of NumPy's": ("print(np.cos(ag.constant(0.0)).numpy())", "1.0"),
    "a method of arrays": ("print(ag.constant([1, 2]).sum().numpy())", "3"),
    "a dtype that is called": ("print(ag.float32(3).numpy())", "3.0"),
    "a tensor of an array": ("print(ag.convert_to_tensor(np.ones(2)).numpy())", "[1. 1.]"),
    "a part": ("print(ag.constant([1 + 2j]).imag.numpy())", "[2.]"),
    "a variable": ("print(ag.Variable(3).numpy())", "3"),
    "a tape": (TAPE, "4.0"),
    "a module": ("print(ag.linalg.inv(np.eye(1)).numpy(), ag.math.sin(0.0).numpy())", "[[1.]] 0.0"),
    "a module under it": ("print(np.asarray(ag.numpy.fft.fft(np.ones(1))))", "[1.+0.j]"),
    "an input signature": (SPECIFIED, "[1. 1.]"),
    "every name": (EVERYTHING, "1 2 True"),
    "no name": ("print(hasattr(ag, 'nothing'))", "False"),
    "the converted source": ("print(ag.autograph.to_code(np.matrix.tolist)[:3])", "def"),
    "a pickle": ("import pickle; print(pickle.loads(pickle.dumps(ag.constant(1))).numpy())", "1"),
    "many threads": (THREADS, "1.0 2.0 3.0 4.0"),
}


@pytest.mark.parametrize("what", FIRST)
def test_the_first_thing_that_a_process_does(what: str, tmp_path: Path) -> None:
    program, said = FIRST[what]
    file = tmp_path / "program.py"
    file.write_text(f"import numpy as np\nimport agir as ag\n{program}\n")
    done = subprocess.run(
        [sys.executable, str(file)],
        cwd=tmp_path,
        env={k: v for k, v in os.environ.items() if not k.startswith("AGIR_")},
        capture_output=True,
        text=True,
        timeout=120,
    )
    assert done.returncode == 0, done.stderr
    assert done.stdout == f"{said}\n"
