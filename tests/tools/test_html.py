"""``agir-dump --html``: what is written, and what there is of a program that fails."""

from __future__ import annotations

import json
import re
from pathlib import Path


def data(path: Path) -> dict:
    """What a page shows."""
    found = re.search(r'id="data">(.*?)</script>', path.read_text(), re.DOTALL)
    assert found is not None
    return json.loads(found[1])


def test_a_function(call, folder: Path) -> None:
    assert call("program.py:scale", "--args", "np.ones(40), 4", "--html", "out/r.html") == (
        0,
        "",
        "",
    )
    page = data(folder / "out" / "r.html")
    assert page["name"] == "program.py:scale"
    assert page["arguments"] == ["float64[40]", "4"]
    names = [each["name"] for each in page["stages"] if each["text"]]
    assert (names[0], names[-1]) == ("autograph", "asm")
    assert page["kernels"]["rows"][0]["seconds"] > 0
    assert "def scale(x, n):" in page["sources"][0]["text"]
    assert page["error"] == ""


def test_what_cannot_be_traced(call, folder: Path) -> None:
    status, out, err = call("program.py:wrong", "--args", "f64[3]", "--html", "r.html")
    assert (status, out) == (1, "")
    page = data(folder / "r.html")
    assert page["error"].strip() == err.strip()
    assert [each["name"] for each in page["stages"]] == ["autograph"]
    assert page["kernels"] is None


def test_the_file_of_a_stage(call, folder: Path) -> None:
    call("program.py:scale", "--args", "f64[40], 4", "--to", "out", "--stage", "loops")
    file = "out/05.loops.mlir"
    assert call(file, "--html", "r.html") == (0, "", "")
    page = data(folder / "r.html")
    assert [each["name"] for each in page["stages"]] == [
        "loops",
        "llvm",
        "llvm_ir",
        "object",
        "asm",
    ]
    (folder / "bad.mlir").write_text("func.func @f(%x: i64) -> i64 { return %y : i64 }")
    status, _, err = call("bad.mlir", "--html", "r.html")
    assert status == 1
    assert data(folder / "r.html")["error"].strip() == err.strip()


def test_half_of_a_gradient(call, folder: Path) -> None:
    arguments = ["--args", "f64[4], 2.0", "--gradient", "backward", "--html", "r.html"]
    assert call("program.py:scale", *arguments) == (0, "", "")
    page = data(folder / "r.html")
    assert page["kernels"] is None
    assert any("scale_backward" in each["text"] for each in page["stages"] if each["name"] == "hlo")
