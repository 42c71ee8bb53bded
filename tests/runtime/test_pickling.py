"""Functions that are pickled by value, as clusters do it: they arrive with their source."""

from __future__ import annotations

import gc
import os
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


def test_functions_of_modules_that_are_not_there(tmp_path: Path) -> None:
    """Their names lead to the decorated functions, so the plain ones go by value."""
    program = tmp_path / "sending.py"
    program.write_text(
        textwrap.dedent(
            """
            import agir as ag

            def third(x):
                return x / 3 if x > 1 else x

            @ag.jit
            def halved(x):
                return third(x) / 2
            """
        )
    )
    lines = "import cloudpickle, sys, sending; " + (
        "sys.stdout.buffer.write(cloudpickle.dumps((sending.halved, [(6,), (1,)])))"
    )
    sent = subprocess.run(
        [sys.executable, "-c", lines], capture_output=True, check=True, cwd=tmp_path
    ).stdout
    (tmp_path / "made.pickle").write_bytes(sent)
    command = [sys.executable, "-c", textwrap.dedent(ARRIVED), "made.pickle"]
    for text in (program.read_text(), "\n\ndef third(x):\n    return x / 3 if x > 1 else x\n"):
        program.write_text(text)
        done = subprocess.run(command, capture_output=True, text=True, check=False, cwd=tmp_path)
        assert done.stdout.strip() == "[1.0, 0.5]", done.stderr


def test_concrete_functions_arrive_and_compile_nothing(tmp_path: Path) -> None:
    offset = 2.5
    made = ag.jit(lambda x, n, *more, k=2: (np.exp(x) * n + offset).sum() + len(more) * k)
    arguments = (np.ones(3), 2, 4, 5)
    concrete = made.get_concrete_function(*arguments, k=3)
    expected = concrete(*arguments, k=3)
    (tmp_path / "made.pickle").write_bytes(cloudpickle.dumps((concrete, arguments)))
    program = """
        import pickle, sys
        import agir as ag
        concrete, arguments = pickle.load(open(sys.argv[1], "rb"))
        print(float(concrete(*arguments, k=3)), ag.cache.info().misses, ag.cache.info().hits > 0)
    """
    command = [sys.executable, "-c", textwrap.dedent(program), "made.pickle"]
    environment = {**os.environ, "AGIR_CACHE_DIR": str(tmp_path / "cache"), "AGIR_CACHE": "1"}
    for misses in (True, False):
        done = subprocess.run(
            command, capture_output=True, text=True, check=False, cwd=tmp_path, env=environment
        )
        total, missed, hit = done.stdout.split()
        assert float(total) == expected, done.stderr
        assert (int(missed) > 0, hit) == (misses, str(not misses))


def test_concrete_functions_of_tensors_and_structures() -> None:
    function = ag.function(lambda x, flag: x + 1 if flag else x)
    concrete = function.get_concrete_function(ag.TensorSpec([None], ag.float32), True)
    again = cloudpickle.loads(cloudpickle.dumps(concrete))
    assert again(np.ones(2, np.float32)).numpy().tolist() == [2.0, 2.0]
    of_dict = ag.jit(lambda d, t: d["x"] + t[0])
    concrete = of_dict.get_concrete_function({"x": np.ones(2)}, (3,))
    again = cloudpickle.loads(cloudpickle.dumps(concrete))
    assert again({"x": np.ones(2)}, (4,)).tolist() == [5.0, 5.0]


@ag.jit
def tripled(x: Any) -> Any:
    return x * 3


def test_concrete_functions_go_by_name_with_their_functions() -> None:
    concrete = tripled.get_concrete_function(np.ones(3))
    assert pickle.loads(pickle.dumps(concrete)) is concrete
    with pytest.raises(pickle.PicklingError, match="cannot be pickled by its name"):
        pickle.dumps(ag.jit(lambda x: x).get_concrete_function(np.ones(3)))


def test_concrete_functions_of_more_than_types() -> None:
    decorated = ag.jit(lambda a: a["x"])
    records = decorated.get_concrete_function(np.zeros(3, [("x", "f8")]))
    with pytest.raises(pickle.PicklingError, match="pickle the function"):
        cloudpickle.dumps(records)
    lone = ag.jit(lambda x: x).get_concrete_function(np.ones(3))
    gc.collect()
    with pytest.raises(pickle.PicklingError, match="pickle the function"):
        cloudpickle.dumps(lone)


@pytest.mark.filterwarnings("ignore::DeprecationWarning")  # it looks into every module for a name
def test_pickle_itself_goes_by_name() -> None:
    with pytest.raises(pickle.PicklingError, match="cannot be pickled by its name"):
        pickle.dumps(ag.jit(lambda x: x))
    assert pickle.loads(pickle.dumps(np.add)) is np.add
    assert cloudpickle.loads(cloudpickle.dumps(np.add)) is np.add
    with pytest.raises(pickle.PicklingError):
        pickle.dumps(ag.vectorize(lambda x: x))
