"""Functions that are pickled by value, as clusters do it: they arrive with their source."""

from __future__ import annotations

import pickle
import subprocess
import sys
import textwrap
from pathlib import Path
from typing import Any

import cloudpickle
import numpy as np
import pytest

import agir as ag
import agir.numba as numba

ARRIVED = """
    import pickle, sys
    made, arguments = pickle.load(open(sys.argv[1], "rb"))
    print([made(*each) for each in arguments])
"""


def called_elsewhere(folder: Path, made: Any, *arguments: tuple[Any, ...]) -> str:
    """What a function gives in another process, to which it comes by value."""
    path = folder / "made.pickle"
    path.write_bytes(cloudpickle.dumps((made, arguments)))
    program = [sys.executable, "-c", textwrap.dedent(ARRIVED), str(path)]
    done = subprocess.run(program, capture_output=True, text=True, check=False, cwd=folder)
    assert done.returncode == 0, done.stderr
    return done.stdout.strip()


def test_lambdas_and_what_they_refer_to(tmp_path: Path) -> None:
    scale = 3

    def helper(x: Any) -> Any:
        while x < 100:
            x = x * scale
        return x

    inner = ag.jit(lambda x: helper(x) + 1)
    made = ag.jit(lambda x, y: inner(x) if x > y else inner(y))
    arguments = [(1, 2), (5, 0), (7.5, 2.0)]
    expected = str([made(*each) for each in arguments])
    assert called_elsewhere(tmp_path, made, *arguments) == expected


def test_functions_that_call_themselves(tmp_path: Path) -> None:
    @ag.jit
    def fibonacci(n: int) -> int:
        return n if n < 2 else fibonacci(n - 1) + fibonacci(n - 2)

    assert called_elsewhere(tmp_path, fibonacci, (10,), (12,)) == "[55, 144]"


def test_options_arrive(tmp_path: Path) -> None:
    made = numba.njit(lambda x: x[0] + x[1])
    spec = [ag.TensorSpec([None], ag.float64)]
    single = ag.jit(lambda x: x.sum(), input_signature=spec)
    assert called_elsewhere(tmp_path, made, (np.array([200, 100], np.uint8),)).endswith("(300)]")
    assert called_elsewhere(tmp_path, single, ([1, 2.5],)) == "[np.float64(3.5)]"


def test_ufuncs(tmp_path: Path) -> None:
    larger = ag.vectorize(lambda x, y: x if x > y else y, identity=0)
    summed = ag.guvectorize("(n)->()", ["f8(f8)"])(lambda x: x.sum())
    assert called_elsewhere(tmp_path, larger, (1, 2.5)) == "[np.float64(2.5)]"
    assert called_elsewhere(tmp_path, summed, ([[1, 2], [3, 4]],)) == "[array([3., 7.])]"
    again = cloudpickle.loads(cloudpickle.dumps(larger))
    assert again.reduce(np.array([3, 9, 4])) == 9


def test_text_that_is_another_one_where_it_arrives(tmp_path: Path) -> None:
    program = tmp_path / "program.py"
    program.write_text(
        textwrap.dedent(
            """
            import sys
            import cloudpickle
            import agir as ag

            @ag.jit
            def halved(x):
                return x / 2 if x > 1 else x

            sys.stdout.buffer.write(cloudpickle.dumps((halved, [(5,), (1,)])))
            """
        )
    )
    sent = subprocess.run([sys.executable, program], capture_output=True, check=True).stdout
    (tmp_path / "made.pickle").write_bytes(sent)
    command = [sys.executable, "-c", textwrap.dedent(ARRIVED), "made.pickle"]
    for text in ("another = 1\n", None):
        if text is None:
            program.unlink()
        else:
            program.write_text(text)
        done = subprocess.run(command, capture_output=True, text=True, check=False, cwd=tmp_path)
        assert done.stdout.strip() == "[2.5, 1]", done.stderr


@pytest.mark.filterwarnings("ignore::DeprecationWarning")  # it looks into every module for a name
def test_pickle_itself_goes_by_name() -> None:
    with pytest.raises(pickle.PicklingError, match="cannot be pickled by its name"):
        pickle.dumps(ag.jit(lambda x: x))
    assert pickle.loads(pickle.dumps(np.add)) is np.add
    assert cloudpickle.loads(cloudpickle.dumps(np.add)) is np.add
    with pytest.raises(pickle.PicklingError):
        pickle.dumps(ag.vectorize(lambda x: x))
