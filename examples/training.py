"""A logistic regression and a small neural network, trained on Fisher's irises.

The whole training is one compiled function: the loop over the steps, the gradients in it, and the
learning curve that it writes.

    python examples/training.py --steps 500 --output curve.png
"""

from __future__ import annotations

import argparse
import csv
import importlib.util
import itertools
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

import agir as ag

TABLE = Path(__file__).parent / "data" / "iris.csv"
COLOURS = ("#185cbe", "#e07b00")

Array = NDArray[np.float64]


def predicted(weights: Sequence[Any], x: Any) -> Any:
    """A number for each species: linear functions of the features, with tanh between them."""
    for matrix, offset in zip(weights[:-2:2], weights[1:-2:2], strict=True):
        x = ag.tanh(x @ matrix + offset)
    return x @ weights[-2] + weights[-1]


def loss(weights: Sequence[Any], x: Any, species: Any) -> Any:
    """How surprising the species are, on average."""
    logits = predicted(weights, x)
    surprise = ag.nn.sparse_softmax_cross_entropy_with_logits(species, logits)
    return ag.reduce_mean(surprise)


@ag.function
def train(weights: Sequence[Any], x: Any, species: Any, steps: Any, rate: Any) -> Any:
    """The weights after so many steps down the gradient, and the loss before each step."""
    curve = ag.zeros([steps], ag.float64)
    for step in ag.range(steps):
        with ag.GradientTape() as tape:
            tape.watch(weights)
            value = loss(weights, x, species)
        slopes = tape.gradient(value, weights)
        weights = [w - rate * slope for w, slope in zip(weights, slopes, strict=True)]
        curve[step] = value
    return weights, curve


def accuracy(weights: Sequence[Any], x: Array, species: Any) -> float:
    """The share of flowers whose species has the greatest number."""
    found = np.argmax(predicted(weights, ag.constant(x)).numpy(), axis=1)
    return float(np.mean(found == species))


def irises() -> tuple[Array, NDArray[np.int64]]:
    """The standardised lengths, and the numbers of the species."""
    with TABLE.open() as file:
        rows = list(csv.reader(line for line in file if not line.startswith("#")))[1:]
    lengths = np.array([[float(each) for each in row[:-1]] for row in rows])
    species = np.unique([row[-1] for row in rows], return_inverse=True)[1]
    return (lengths - lengths.mean(0)) / lengths.std(0), species


def beginning(sizes: Sequence[int]) -> list[Array]:
    """Small random weights for layers of these sizes."""
    random = np.random.default_rng(1)
    weights = []
    for inputs, outputs in itertools.pairwise(sizes):
        weights += [random.normal(size=(inputs, outputs)) / np.sqrt(inputs), np.zeros(outputs)]
    return weights


def draw(curves: dict[str, Array], path: Path) -> Path | None:
    """The curves over the steps, on a logarithmic scale, if Pillow is there to draw them."""
    if importlib.util.find_spec("PIL") is None:
        return None
    from PIL import Image, ImageDraw

    width, height, margin = 640, 400, 48
    logs = {name: np.log10(curve) for name, curve in curves.items()}
    low = np.floor(min(each.min() for each in logs.values()))
    high = np.ceil(max(each.max() for each in logs.values()))
    picture = Image.new("RGB", (width, height), "white")
    canvas = ImageDraw.Draw(picture)

    def across(share: float) -> float:
        return margin + share * (width - 2 * margin)

    def up(log: float) -> float:
        return height - margin - (log - low) / (high - low) * (height - 2 * margin)

    for power in range(int(low), int(high) + 1):
        canvas.line([(across(0), up(power)), (across(1), up(power))], fill="#dddddd")
        canvas.text((6, up(power) - 6), f"{10.0**power:g}", fill="black")
    steps = max(map(len, logs.values()))
    canvas.text((across(0), height - margin + 8), "0", fill="black")
    canvas.text((across(1) - 48, height - margin + 8), f"{steps} steps", fill="black")
    for number, (name, log) in enumerate(logs.items()):
        points = [(across(i / max(len(log) - 1, 1)), up(v)) for i, v in enumerate(log)]
        canvas.line(points, fill=COLOURS[number], width=2)
        canvas.text((across(0.6), margin + 16 * number), name, fill=COLOURS[number])
    picture.save(path)
    return path


def main() -> None:
    """Run it from the command line."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--steps", type=int, default=2000, help="default: %(default)s")
    parser.add_argument("--rate", type=float, default=0.5, help="default: %(default)s")
    parser.add_argument("--output", type=Path, default=Path("learning_curve.png"))
    options = parser.parse_args()

    x, species = irises()
    unseen = np.arange(len(x)) % 5 == 0
    curves = {}
    for name, sizes in {"logistic regression": (4, 3), "neural network": (4, 8, 3)}.items():
        weights, curve = train(
            beginning(sizes), x[~unseen], species[~unseen], np.int64(options.steps), options.rate
        )
        curves[name] = curve.numpy()
        print(
            f"{name}: loss {curves[name][0]:.3f} -> {curves[name][-1]:.3f}; "
            f"right about {accuracy(weights, x[~unseen], species[~unseen]):.1%} of the flowers, "
            f"{accuracy(weights, x[unseen], species[unseen]):.1%} of those it has not seen"
        )
    drawn = draw(curves, options.output)
    print(f"wrote {drawn}" if drawn else "install Pillow to see the learning curves")


if __name__ == "__main__":
    main()
