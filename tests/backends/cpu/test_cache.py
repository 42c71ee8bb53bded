"""The cache of machine code: what is filed, under what, and what becomes of files that are not ours."""

from __future__ import annotations

import ast
import errno
import os
import pickle
import stat
import threading
import time
import warnings
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

import agir as ag
from agir.backends.cpu import cache as cache_package
from agir.backends.cpu.cache import folder, keys, store
from agir.backends.cpu.calling import threads
from agir.backends.cpu.code import loading
from agir.backends.cpu.engine import Executable
from agir.backends.stages import Compilation
from agir.errors import CacheWarning

pytestmark = pytest.mark.skipif(bool(loading.unavailable()), reason="no code is loaded here")

TEXT = """
func.func @f(%x: tensor<4xf64>) -> tensor<4xf64> {
  %y = arith.addf %x, %x : tensor<4xf64>
  return %y : tensor<4xf64>
}
"""


@pytest.fixture
def place(tmp_path: Path) -> Iterator[Path]:
    with ag.config.scope(cache_dir=tmp_path / "code", cache=True):
        yield tmp_path / "code"


def run() -> tuple[int, int]:
    """Compile and run the program; gives by how much the hits and the misses went up."""
    before = ag.cache.info()
    found = Executable(Compilation.from_text(TEXT, "hlo"), "f")([np.arange(4.0)])
    assert found[0].tolist() == [0, 2, 4, 6]
    after = ag.cache.info()
    return after.hits - before.hits, after.misses - before.misses


def only_file(place: Path) -> Path:
    (found,) = place.iterdir()
    return found


def warned(match: str) -> Any:
    return pytest.warns(CacheWarning, match=match)


def test_code_is_found_the_second_time(place: Path) -> None:
    assert run() == (0, 1)
    assert run() == (1, 0)


def test_the_users_lines_are_not_in_the_key(place: Path) -> None:
    run()
    moved = "\n\n" + TEXT.replace("%y", "%other")
    Executable(Compilation.from_text(moved, "hlo"), "f")
    assert len(list(place.iterdir())) == 1


def test_the_folder_and_the_files_are_the_users_alone(place: Path) -> None:
    before = os.umask(0)
    try:
        run()
    finally:
        os.umask(before)
    assert stat.S_IMODE(place.stat().st_mode) == 0o700
    assert stat.S_IMODE(only_file(place).stat().st_mode) == 0o600


def test_info_and_clear(place: Path) -> None:
    assert ag.cache.info().entries == 0  # there is no folder yet
    ag.cache.clear()
    run()
    info = ag.cache.info()
    assert (info.folder, info.entries, info.unused) == (place, 1, "")
    assert info.bytes == only_file(place).stat().st_size
    (place / "notes.txt").write_text("of the user's")
    (place / "0.code.1.ab.tmp").write_text("never finished")
    ag.cache.clear()
    assert [path.name for path in place.iterdir()] == ["notes.txt"]
    assert ag.cache.info().entries == 0
    assert run() == (0, 1)


@pytest.mark.parametrize(
    "off", [{"cache": False}, {"verify": True}], ids=["cache off", "passes are verified"]
)
def test_it_is_not_used(place: Path, off: dict[str, Any]) -> None:
    with ag.config.scope(**off):
        assert run() == (0, 0)
    assert not place.exists()


def test_where_it_is(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    assert folder.path() == Path(os.environ["XDG_CACHE_HOME"]) / "agir"
    monkeypatch.setattr(folder.sys, "platform", "linux")
    monkeypatch.setenv("HOME", str(tmp_path))
    monkeypatch.setenv("XDG_CACHE_HOME", "relative/paths/do/not/count")
    assert folder.path() == tmp_path / ".cache" / "agir"
    monkeypatch.setattr(folder.sys, "platform", "darwin")
    assert folder.path() == tmp_path / "Library" / "Caches" / "agir"


def test_another_processor_another_compiler_other_options(
    place: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    run()
    with ag.config.scope(opt_level=0):
        assert run() == (0, 1)
    with ag.config.scope(unroll_limit=7):  # which traces have seen already
        assert run() == (1, 0)
    for part in ("processor", "compiler"):
        with monkeypatch.context() as patch:
            patch.setattr(keys, part, lambda: "another one")
            assert run() == (0, 1)
    assert run() == (1, 0)


def test_every_option_is_in_the_key_or_named(place: Path) -> None:
    known = {option.name for option in ag.config.options()}
    assert keys._OF_THE_PROGRAM_ONLY <= known
    assert known - keys._OF_THE_PROGRAM_ONLY == {"num_threads", "opt_level"}, (
        "does it change the machine code?"
    )


def test_the_compiler_is_its_files(tmp_path: Path) -> None:
    (tmp_path / "passes").mkdir()
    file = tmp_path / "passes" / "one.py"
    file.write_text("a")
    first = list(keys._facts(tmp_path, ".py"))
    os.utime(file, (1, 1))
    assert list(keys._facts(tmp_path, ".py")) != first
    assert "'backends/cpu/pipelines.py'" in keys.compiler()
    assert ".so" in keys.compiler()


def test_the_processor_is_its_features() -> None:
    assert "flags=" in keys.processor()


@settings(max_examples=60, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(st.data())
def test_damaged_files_are_replaced(place: Path, data: st.DataObject) -> None:
    run()
    file = only_file(place)
    good = file.read_bytes()
    kind = data.draw(st.sampled_from(["flipped", "cut", "longer", "empty", "other"]))
    bad = bytearray(good)
    if kind == "flipped":
        for _ in range(data.draw(st.integers(1, 4))):
            bad[data.draw(st.integers(0, len(good) - 1))] ^= data.draw(st.integers(1, 255))
    elif kind == "cut":
        bad = bad[: data.draw(st.integers(0, len(good) - 1))]
    elif kind == "longer":
        bad += data.draw(st.binary(min_size=1))
    else:
        bad = bytearray(data.draw(st.binary()) if kind == "other" else b"")
    if bad == good:  # two flips of one bit
        return
    file.write_bytes(bad)
    store._counts.warned.clear()
    with warned("not used, and is replaced"):
        assert run() == (0, 1)
    assert file.read_bytes() == good
    assert run() == (1, 0)


def test_one_warning_is_enough(place: Path) -> None:
    run()
    only_file(place).write_bytes(b"no code")
    with warned("of another format"):
        run()
    only_file(place).write_bytes(b"no code")
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        run()


def test_a_file_under_another_name(place: Path) -> None:
    run()
    with ag.config.scope(opt_level=0):
        run()
    one, two = place.iterdir()
    one.write_bytes(two.read_bytes())
    with warned("under another name"):
        run()
        with ag.config.scope(opt_level=0):
            run()


def test_nothing_is_unpickled(place: Path) -> None:
    class Bomb:
        def __reduce__(self) -> Any:
            return (pytest.fail, ("unpickled",))

    run()
    only_file(place).write_bytes(pickle.dumps(Bomb()))
    with warned("of another format"):
        run()
    for path in Path(cache_package.__file__).parent.glob("*.py"):
        tree = ast.parse(path.read_text())
        names = {n.id for n in ast.walk(tree) if isinstance(n, ast.Name)}
        modules = {a.name for n in ast.walk(tree) if isinstance(n, ast.Import) for a in n.names}
        assert not {"eval", "exec"} & names
        assert not {"pickle", "marshal", "shelve", "dill"} & modules


def test_a_folder_of_another_user(place: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    run()
    monkeypatch.setattr(folder.os, "geteuid", lambda: os.getuid() + 1)
    with warned("belongs to another user"):
        assert run() == (0, 1)
    assert "belongs to another user" in ag.cache.info().unused
    with pytest.raises(ValueError, match="belongs to another user"):
        ag.cache.clear()
    assert only_file(place)


@pytest.mark.parametrize("mode", [0o777, 0o770, 0o702])
def test_a_folder_that_others_may_write_to(place: Path, mode: int) -> None:
    run()
    place.chmod(mode)
    with warned(f"other users may write to .*{mode:04o}"):
        assert run() == (0, 1)
    assert "other users may write" in ag.cache.info().unused


def test_a_file_that_others_may_write_to(place: Path) -> None:
    run()
    only_file(place).chmod(0o666)
    with warned("other users may write to"):
        assert run() == (0, 1)
    assert stat.S_IMODE(only_file(place).stat().st_mode) == 0o600  # a new one
    assert run() == (1, 0)


def test_a_link_is_not_followed(place: Path, tmp_path: Path) -> None:
    run()
    file = only_file(place)
    elsewhere = tmp_path / "elsewhere"
    file.rename(elsewhere)
    file.symlink_to(elsewhere)
    with warned("machine code is not kept on disk"):
        assert run() == (0, 1)
    assert not file.is_symlink()


def test_a_file_where_the_folder_should_be(place: Path) -> None:
    place.write_text("a file")
    with warned("machine code is not kept on disk"):
        assert run() == (0, 1)
    assert place.read_text() == "a file"


@pytest.mark.parametrize("code", [errno.EROFS, errno.EACCES, errno.ENOSPC, errno.EDQUOT])
def test_nothing_can_be_written(place: Path, monkeypatch: pytest.MonkeyPatch, code: int) -> None:
    run()

    def refuse(*args: Any, **kwargs: Any) -> None:
        raise OSError(code, os.strerror(code))

    monkeypatch.setattr(folder.os, "replace", refuse)
    monkeypatch.setattr(folder.os, "utime", refuse)
    assert run() == (1, 0)  # what is there is used
    with ag.config.scope(opt_level=1), warned(os.strerror(code)):
        assert run() == (0, 1)
        assert run() == (0, 1)
    assert only_file(place)  # nothing is left of the attempts


def test_a_folder_that_cannot_be_made(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    with ag.config.scope(cache_dir=tmp_path / "file" / "code"):
        with warned("machine code is not kept on disk"):
            run()
        assert ag.cache.info().unused


def test_nobody_has_a_home(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.delenv("XDG_CACHE_HOME")
    monkeypatch.setattr(folder.os.path, "expanduser", lambda path: path)
    with ag.config.scope(cache_dir=None, cache=True), warned("there is no home folder"):
        assert run() == (0, 1)
    assert not list(tmp_path.iterdir())


def test_the_least_recently_used_files_go(place: Path) -> None:
    run()
    sizes = []
    for level in range(3):
        with ag.config.scope(opt_level=level):
            run()
    now = time.time()
    for age, path in enumerate(sorted(place.iterdir())):
        os.utime(path, (now - age, now - age))
        sizes.append(path.stat().st_size)
    newest = sorted(place.iterdir())[:2]
    with folder.opened() as opened:
        folder.shrink(opened, sum(sizes[:2]))
    assert sorted(place.iterdir()) == newest


def test_a_hit_counts_as_use(place: Path) -> None:
    run()
    os.utime(only_file(place), (1, 1))
    run()
    assert only_file(place).stat().st_mtime > time.time() - 3600


def test_a_limit_holds_while_one_writes(place: Path) -> None:
    with ag.config.scope(cache_size=0):
        run()
        with ag.config.scope(opt_level=0):
            run()
    assert not list(place.iterdir())


def test_unfinished_files_go_when_their_writer_must_be_gone(place: Path) -> None:
    run()
    fresh, old = place / "a.code.1.x.tmp", place / "b.code.1.x.tmp"
    fresh.write_text("")
    old.write_text("")
    os.utime(old, (1, 1))
    with folder.opened() as opened:
        folder.shrink(opened, 1 << 30)
    assert fresh.exists()
    assert not old.exists()


def test_threads_share_it(place: Path) -> None:
    outcomes: list[Any] = []

    def work(number: int) -> None:
        with ag.config.scope(cache_dir=place, opt_level=number % 3):
            for _ in range(3):
                executable = Executable(Compilation.from_text(TEXT, "hlo"), "f")
                outcomes.append(executable([np.arange(4.0)])[0].tolist())

    threads = [threading.Thread(target=work, args=(n,)) for n in range(6)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert outcomes == [[0, 2, 4, 6]] * 18
    assert len(list(place.iterdir())) == 3


def test_a_machine_without_it(place: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """LLVM's engine links the code; nothing is kept."""
    for module in (loading, store):
        monkeypatch.setattr(module, "unavailable", lambda: "not on this machine")
    monkeypatch.setattr("agir.backends.cpu.engine.unavailable", lambda: "not on this machine")
    assert run() == (0, 0)
    assert ag.cache.info().unused == "not on this machine"
    assert not place.exists()


PARALLEL = """
func.func @f(%x: tensor<?xf64>) -> tensor<?xf64> {
  %y = math.exp %x : tensor<?xf64>
  %z = math.log1p %y : tensor<?xf64>
  return %z : tensor<?xf64>
}
"""


def test_code_for_one_thread_and_for_several(place: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    if not threads.are_wanted():
        pytest.skip("there are no threads here")
    x = np.linspace(0, 1, 10**5)

    def hits() -> int:
        before = ag.cache.info().hits
        found = Executable(Compilation.from_text(PARALLEL, "hlo"), "f")([x])
        np.testing.assert_allclose(found[0], np.log1p(np.exp(x)))
        return ag.cache.info().hits - before

    with ag.config.scope(cache=False):
        hits()  # what programs share is compiled by the first one of a process
    assert hits() == 0
    assert hits() == 1
    with monkeypatch.context() as patch:
        patch.setattr(threads, "are_wanted", lambda: False)
        assert hits() == 0  # what is there starts threads
        assert hits() == 1
    assert hits() == 1
    assert len(list(place.iterdir())) == 2


def test_scalar_programs_do_not_ask_for_threads(
    place: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(threads, "are_wanted", lambda: pytest.fail("that takes long"))
    text = "func.func @f(%x: f64) -> f64 { %y = arith.addf %x, %x : f64   return %y : f64 }"
    for _ in range(2):
        assert Executable(Compilation.from_text(text, "hlo"), "f")([1.5]) == [3.0]
