"""The Mandelbrot set as a picture: a `while` per pixel, in loops over the pixels of an array.

    python examples/mandelbrot.py --centre -0.7436 0.1318 --span 0.008 --limit 2000
    python examples/mandelbrot.py --demo     also shows what the compiler makes of it
"""

from __future__ import annotations

import argparse
import importlib.util
import time
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

import agir as ag
from agir.backends.stages import STAGES, Compilation

COLOURS = ((0, 7, 60), (24, 92, 190), (150, 215, 245), (255, 250, 225), (255, 170, 30), (95, 15, 45))
SAMPLE = 12  # plain Python computes each twelfth pixel of each twelfth row


@ag.jit
def escape(
    rounds: NDArray[np.int32], size: NDArray[np.float64],
    left: float, top: float, step: float, limit: int,
) -> None:  # fmt: skip
    """Write after how many rounds of z = z * z + c each pixel's z is far out, and its abs(z)**2."""
    height, width = rounds.shape
    for row in range(height):
        for column in range(width):
            re = left + step * column
            im = top - step * row
            x = y = xx = yy = 0.0
            n = 0
            while n < limit and xx + yy <= 64.0:
                y = 2.0 * x * y + im
                x = xx - yy + re
                xx = x * x
                yy = y * y
                n += 1
            rounds[row, column] = n
            size[row, column] = xx + yy


def paint(
    rounds: NDArray[np.int32], size: NDArray[np.float64], limit: int
) -> NDArray[np.uint8]:
    """Smooth colours for the pixels that escaped, black for the others."""
    fraction = np.log2(np.log2(np.maximum(size, 4.0)) / 6.0)
    position = 1.5 * np.log2(np.maximum(rounds - fraction, 1.0))
    table = np.array([*COLOURS, COLOURS[0]], np.float64)
    along = position % len(COLOURS)
    channels = [np.interp(along, np.arange(len(table)), channel) for channel in table.T]
    picture = np.stack(channels, axis=-1)
    picture[rounds >= limit] = 0.0
    return picture.round().astype(np.uint8)


def save(picture: NDArray[np.uint8], path: Path) -> Path:
    """Write a PNG file if Pillow is installed, else a grey one that needs no library (PGM)."""
    path.parent.mkdir(parents=True, exist_ok=True)
    if importlib.util.find_spec("PIL"):
        from PIL import Image

        Image.fromarray(picture).save(path)
        return path
    path = path.with_suffix(".pgm")
    header = f"P5 {picture.shape[1]} {picture.shape[0]} 255\n".encode()
    path.write_bytes(header + picture.mean(axis=2).astype(np.uint8).tobytes())
    return path


def show_stages(compilation: Compilation) -> None:
    """A table of the stages: how large each is, and how long it takes to make."""
    print(f"\n{'stage':15}{'lines':>7}{'bytes':>9}{'ms':>8}")
    fresh = Compilation.from_module(compilation.get("hlo"))
    for stage in STAGES.values():
        if stage.name in ("optimized_hlo", "bufferized", "loops", "llvm", "llvm_ir", "object", "asm"):
            start = time.perf_counter()
            fresh.get(stage.name)
            taken = f"{1e3 * (time.perf_counter() - start):8.1f}"
        else:
            taken = ""
        text = fresh.text(stage.name)
        lines = "" if isinstance(text, bytes) else len(text.splitlines())
        print(f"{stage.name:15}{lines:>7}{len(text):>9}{taken}   {stage.summary}")
