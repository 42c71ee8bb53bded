"""The figures as a document: ``results.md``, with the machine, and a plot of the kernels."""

from __future__ import annotations

import os
import platform
import re
from collections.abc import Mapping, Sequence
from datetime import date
from importlib import metadata
from pathlib import Path
from typing import Any

from .harness import Row, optional
from .kernels import measuring

FOLDER = Path(__file__).parent
DOCUMENT = FOLDER / "results.md"
PLOT = FOLDER / "results.svg"
LIBRARIES = ("numpy", "numba", "jax", "jaxlib", "torch", "torch-mlir")
COLORS = {
    measuring.AGIR: "#c8102e",
    measuring.NUMPY: "#4d77cf",
    measuring.NUMBA: "#00a3e0",
    measuring.LOOPS: "#7fd1ef",
    measuring.JAX: "#8a5fbf",
}


def machine() -> dict[str, Any]:
    """Where this was measured."""
    found = {name: _version(name) for name in ("agir", *LIBRARIES)}
    return {
        "processor": _processor(),
        "cpus": len(os.sched_getaffinity(0))
        if hasattr(os, "sched_getaffinity")
        else os.cpu_count(),
        "memory": _memory(),
        "system": f"{platform.system()} {platform.machine()}, {platform.libc_ver()[0]}",
        "python": platform.python_version(),
        **{name: version for name, version in found.items() if version},
    }


def write(rows: Sequence[Row], texts: Mapping[str, str], command: str) -> None:
    """Write the blocks of `texts` into the document, and the plot where kernels were measured.

    What the document has of other benchmarks stays, if it was measured on this machine with
    these versions: each block says when and how.
    """
    before = DOCUMENT.read_text() if DOCUMENT.exists() else ""
    here = {name: str(value) for name, value in machine().items()}
    there = dict(re.findall(r"^\| (.+) \| (.+) \|$", before, re.MULTILINE))
    same = all(there.get(name, value) == value for name, value in here.items())
    blocks = _blocks(before) if same else {}
    about = [f"| {name} | {value} |" for name, value in ((there if same else {}) | here).items()]
    measured = f"Measured by `{command}` on {date.today().isoformat()}."
    blocks |= {name: f"{measured}\n\n```text\n{text}\n```" for name, text in texts.items()}
    kernels = [row for row in rows if row.benchmark.startswith("kernels.")]
    drawn = draw(kernels) if kernels else "kernels" in blocks and PLOT.exists()
    lines = [
        "# Results",
        "",
        "Written by `python -m benchmarks --write`.  Only ratios within a block mean anything",
        "([README.md](README.md) says how they are measured).",
        "",
        "| | |",
        "|---|---|",
        *about,
        "",
        *([f"![how long each library takes, agir = 1]({PLOT.name})", ""] if drawn else ()),
        *(f"## {name}\n\n{block}\n" for name, block in sorted(blocks.items(), key=_order)),
    ]
    DOCUMENT.write_text("\n".join(lines))


def _blocks(document: str) -> dict[str, str]:
    """The blocks of a document, by their names."""
    _, *parts = re.split(r"^## (.*)$", document, flags=re.MULTILINE)
    return {name: text.strip() for name, text in zip(parts[::2], parts[1::2], strict=True)}


def _order(block: tuple[str, str]) -> tuple[bool, str]:
    """The kernels first, which the plot shows."""
    return block[0] != "kernels", block[0]


def draw(rows: Sequence[Row]) -> bool:
    """Bars for each kernel: times of the libraries over that of agir, on a logarithmic scale."""
    pyplot = optional("matplotlib.pyplot")
    if pyplot is None:
        return False
    times = {(row.benchmark.partition(".")[2], row.contender): row.median for row in rows}
    names = list(dict.fromkeys(name for name, _ in times))[::-1]
    peers = [peer for peer in measuring.PEERS if any((name, peer) in times for name in names)]
    figure, axes = pyplot.subplots(figsize=(8, 0.55 * len(names) + 1.2))
    height = 0.8 / len(peers)
    for place, peer in enumerate(peers):
        positions = [n + 0.4 - height * (place + 0.5) for n in range(len(names))]
        ratios = [
            times.get((name, peer), float("nan")) / times[name, measuring.AGIR] for name in names
        ]
        widths = [ratio - 1 for ratio in ratios]
        axes.barh(positions, widths, height, left=1, label=peer, color=COLORS[peer])
    axes.axvline(1, color=COLORS[measuring.AGIR], linewidth=2, label="agir = 1")
    axes.set_xscale("log")
    axes.set_yticks(range(len(names)), names)
    axes.set_xlabel("time / time of agir  (to the right: slower than agir)")
    axes.set_ylim(-0.6, len(names) - 0.4)
    axes.grid(axis="x", which="major", alpha=0.3)
    axes.legend(loc="upper center", bbox_to_anchor=(0.5, 1.08), ncols=5, frameon=False)
    for side in ("top", "right"):
        axes.spines[side].set_visible(False)
    figure.savefig(PLOT, bbox_inches="tight", metadata={"Date": None})
    pyplot.close(figure)
    return True


def _version(name: str) -> str:
    try:
        return metadata.version(name)
    except metadata.PackageNotFoundError:
        return ""


def _processor() -> str:
    try:
        text = Path("/proc/cpuinfo").read_text()
    except OSError:
        return platform.processor() or platform.machine()
    found = re.search(r"^model name\s*: (.*)$", text, re.MULTILINE)
    return found[1] if found else platform.machine()


def _memory() -> str:
    try:
        size = os.sysconf("SC_PHYS_PAGES") * os.sysconf("SC_PAGE_SIZE")
    except (OSError, ValueError, AttributeError):
        return "unknown"
    return f"{size / 2**30:.0f} GiB"
