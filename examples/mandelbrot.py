"""The Mandelbrot set as a picture: a `while` per pixel, inside loops over the pixels of an array.

python examples/mandelbrot.py --centre -0.7436 0.1318 --step 1e-5 --limit 2000
python examples/mandelbrot.py --demo     also shows what the compiler does, and how fast it is
"""

from __future__ import annotations

import argparse
import importlib.util
import time
from pathlib import Path
from typing import TypeAlias

import numpy as np
from numpy.typing import NDArray

import agir as ag
from agir.backends.mlir.modules import walk
from agir.backends.stages import STAGES

Counts: TypeAlias = NDArray[np.int32]
Values: TypeAlias = NDArray[np.float64]
COLOURS = bytes.fromhex("00073c 185cbe 96d7f5 fffae1 ffaa1e 5f0f2d 00073c")
CHAIN = ("hlo", "optimized_hlo", "bufferized", "loops", "llvm", "llvm_ir", "object", "asm")
EVERY = 12  # plain Python computes every twelfth pixel of every twelfth row


@ag.jit
def escape(rounds: Counts, size: Values, left: float, top: float, step: float, limit: int) -> None:
    """Write for each pixel c how many rounds of z = z * z + c lead far out, and the abs(z)**2."""
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


def paint(rounds: Counts, size: Values, limit: int) -> NDArray[np.uint8]:
    """Smooth colours for the pixels that escaped, black for the others."""
    fraction = np.log2(np.log2(np.maximum(size, 4.0)) / 6.0)
    position = 1.5 * np.log2(np.maximum(rounds - fraction, 2.0)) - 1.5
    table = np.array([*COLOURS]).reshape(-1, 3)
    along, knots = position % (len(table) - 1), np.arange(len(table))
    picture = np.stack([np.interp(along, knots, colour) for colour in table.T], axis=-1)
    return np.where((rounds < limit)[..., np.newaxis], picture, 0).astype(np.uint8)


def save(picture: NDArray[np.uint8], path: Path) -> Path:
    """Write a picture with Pillow if that is installed, else a grey one that needs no library."""
    path.parent.mkdir(parents=True, exist_ok=True)
    if importlib.util.find_spec("PIL"):
        importlib.import_module("PIL.Image").fromarray(picture).save(path)
    else:
        grey, path = picture.mean(axis=2), path.with_suffix(".pgm")
        path.write_bytes(b"P5 %d %d 255\n" % grey.T.shape + grey.astype(np.uint8).tobytes())
    return path


def show_stages(*arguments: Counts | Values | float) -> None:
    """Trace and compile once more, stage by stage: how large each is, how long it takes to make."""
    print(f"\n{'stage':14}{'lines':>6}{'operations':>12}{'bytes':>8}{'ms':>7}")
    start = time.perf_counter()
    compilation = ag.jit(escape.python_function).get_concrete_function(*arguments).compilation
    for stage in map(STAGES.__getitem__, CHAIN):
        made = compilation.get(stage.name)
        taken, text = 1e3 * (time.perf_counter() - start), compilation.text(stage.name)
        lines = "" if isinstance(text, bytes) else text.count("\n")
        operations = len(walk(made)) if stage.is_module else ""
        print(f"{stage.name:14}{lines:>6}{operations:>12}{len(text):>8}{taken:7.1f}", stage.summary)
        start = time.perf_counter()


def compare(rounds: Counts, place: tuple[float, float, float, int], seconds: float) -> None:
    """Compute a sample of the pixels in plain Python, and say how long it takes for all."""
    left, top, step, limit = place
    sample = rounds[::EVERY, ::EVERY]
    expected = np.zeros_like(sample)
    start = time.perf_counter()
    escape.python_function(expected, np.zeros(sample.shape), left, top, EVERY * step, limit)
    plain = (time.perf_counter() - start) * rounds.size / sample.size
    same = np.count_nonzero(expected == sample)
    print(f"\nplain Python takes {plain:.1f} s, {plain / seconds:.0f} times as long", end=" ")
    print(f"(measured on {sample.size} of the {rounds.size} pixels, of which {same} agree)")


def main() -> None:
    """Compute and write the picture that the command line asks for."""
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--centre", type=float, nargs=2, default=(-0.65, 0.0))
    parser.add_argument("--step", type=float, default=2.0**-8, help="from one pixel to the next")
    parser.add_argument("--size", type=int, nargs=2, default=(900, 600), help="width and height")
    parser.add_argument("--limit", type=int, default=500, help="rounds, default: %(default)s")
    parser.add_argument("--output", type=Path, default=Path("out", "mandelbrot.png"))
    parser.add_argument("--demo", action="store_true", help="show what the compiler does")
    options = parser.parse_args()

    (width, height), (re, im), step = options.size, options.centre, options.step
    place = (re - step * width / 2, im + step * height / 2, step, options.limit)
    rounds, size = np.zeros((height, width), np.int32), np.zeros((height, width))
    start = time.perf_counter()
    escape(rounds, size, *place)
    first = time.perf_counter()
    escape(rounds, size, *place)
    seconds = time.perf_counter() - first
    print(f"{width} x {height} pixels take {seconds:.3f} s, with compiling {first - start:.3f} s")
    if options.demo:
        show_stages(rounds, size, *place)
        compare(rounds, place, seconds)
    print(f"the picture is {save(paint(rounds, size, options.limit), options.output)}")


if __name__ == "__main__":
    main()
