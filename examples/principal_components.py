"""Principal components of Fisher's irises: power iteration, until it converges, and deflation.

A vector that is multiplied with the covariance matrix again and again turns to its main direction;
how many rounds that takes depends on the data, so the loop is a `while` on a computed value.

    python examples/principal_components.py --count 4
"""

from __future__ import annotations

import argparse
import csv
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

import agir as ag

TABLE = Path(__file__).parent / "data" / "iris.csv"

Array = NDArray[np.float64]


@ag.jit
def principal_components(
    data: Array, directions: Array, variances: Array, tolerance: float
) -> Array:
    """Write the main directions of the rows of ``data`` and the variances along them.

    As many as ``directions`` has rows, the largest variance first.  Returns the covariance that is
    left without them.
    """
    samples, features = data.shape
    centred = data - np.mean(data, axis=0)
    covariance: Array = centred.T @ centred / (samples - 1)
    for k in range(len(directions)):
        direction = np.ones(features) / np.sqrt(features)
        change = 1.0
        while change > tolerance:
            turned = covariance @ direction
            turned = turned / np.sqrt(np.sum(turned * turned))
            change = np.max(np.abs(turned - direction))
            direction = turned
        variance = direction @ covariance @ direction
        covariance = covariance - variance * np.outer(direction, direction)
        directions[k] = direction
        variances[k] = variance
    return covariance


def read_table(path: Path = TABLE) -> tuple[list[str], Array]:
    """The names of the columns with numbers, and the numbers."""
    with path.open(encoding="utf-8") as file:
        _, header, *rows = csv.reader(file)
    return header[:-1], np.array([row[:-1] for row in rows], np.float64)


def main() -> None:
    """Print the components, and how far they are from those of ``numpy.linalg.eigh``."""
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--count", type=int, default=4, help="default: %(default)s, at most 4")
    parser.add_argument("--tolerance", type=float, default=1e-12, help="default: %(default)s")
    options = parser.parse_args()

    names, data = read_table()
    directions = np.zeros((options.count, len(names)))
    variances = np.zeros(options.count)
    principal_components(data, directions, variances, options.tolerance)

    total = np.var(data, axis=0, ddof=1).sum()
    print(f"{len(data)} flowers; {', '.join(names)}")
    for number, (direction, variance) in enumerate(zip(directions, variances, strict=True), 1):
        weights = " ".join(f"{weight:+.3f}" for weight in direction)
        print(f"component {number}: {variance / total:6.2%} of the variance, direction {weights}")

    expected, vectors = np.linalg.eigh(np.cov(data, rowvar=False))
    largest = slice(None, -1 - options.count, -1)
    variance_error = np.max(np.abs(variances - expected[largest]))
    cosines = np.abs(np.sum(directions * vectors[:, largest].T, axis=1))
    print(f"to numpy.linalg.eigh: variances within {variance_error:.0e},", end=" ")
    print(f"directions within {np.max(1 - cosines):.0e} (one minus the cosine)")


if __name__ == "__main__":
    main()
