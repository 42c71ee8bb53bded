"""How likely is it that measurements tell nothing?  A permutation test, on the processes of a cluster.

The species of each iris (``data/iris.csv``, Fisher 1936) is guessed from its three nearest neighbours.
The same is done for species that are shuffled thousands of times, in chunks that Dask hands to
processes (``LocalCluster``; a cluster's address is given with --address).  The first chunk is compiled
here; the processes find its machine code in the cache, and compile nothing.

    python examples/permutation_test.py --draws 20000
"""

from __future__ import annotations

import argparse
import csv
from pathlib import Path

import dask.array as da
import numpy as np
from distributed import Client, LocalCluster
from numpy.typing import NDArray

import agir as ag

TABLE = Path(__file__).parent / "data" / "iris.csv"
CHUNK = 500


@ag.jit
def neighbours(points: NDArray[np.float64], count: int) -> NDArray[np.int64]:
    """The nearest neighbours of each point, none of them itself."""
    found = np.empty((len(points), count), np.int64)
    for i in range(len(points)):
        squares = ((points - points[i]) ** 2).sum(axis=1)
        squares[i] = np.inf
        found[i] = np.argsort(squares)[:count]
    return found


@ag.jit
def shares_guessed(species: NDArray[np.int64], near: NDArray[np.int64]) -> NDArray[np.float64]:
    """For each row of species the share that most of the neighbours are of, too."""
    shares = np.zeros(len(species))
    for row in range(len(species)):
        right = 0
        for i in range(len(near)):
            agree = 0
            for each in near[i]:
                if species[row, each] == species[row, i]:
                    agree += 1
            if 2 * agree > len(near[i]):
                right += 1
        shares[row] = right / len(near)
    return shares


def shuffled(species: NDArray[np.int64], seed: int) -> NDArray[np.int64]:
    """A chunk of rows, each with the species in an order of its own."""
    rows = np.tile(species, (CHUNK, 1))
    return np.random.default_rng(seed).permuted(rows, axis=1)


def read_table(path: Path = TABLE) -> tuple[NDArray[np.float64], NDArray[np.int64]]:
    """The measurements, and the species by numbers."""
    with path.open(encoding="utf-8") as file:
        rows = [row for row in csv.reader(file) if row and row[0][:1].isdigit()]
    names = sorted({row[-1] for row in rows})
    points = np.array([row[:4] for row in rows], np.float64)
    return points, np.array([names.index(row[-1]) for row in rows])


def compiled() -> int:
    """How many programs this process has compiled."""
    return ag.cache.info().misses


def main() -> None:
    """Print the share that is guessed, and how often as many are by chance."""
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--draws", type=int, default=10_000, help="default: %(default)s")
    parser.add_argument("--workers", type=int, default=2, help="processes, default: %(default)s")
    parser.add_argument("--address", help="of the scheduler of a cluster that is there")
    options = parser.parse_args()

    points, species = read_table()
    near = neighbours(points, 3)
    share = shares_guessed(np.tile(species, (CHUNK, 1)), near)[0]
    print(f"{len(points)} irises, {share:.1%} are of the species of most of their neighbours")

    chunks = -(-options.draws // CHUNK)
    cluster = options.address or LocalCluster(
        n_workers=options.workers, threads_per_worker=1, dashboard_address=None
    )
    with Client(cluster) as client:
        seeds = da.arange(chunks, chunks=1)
        rows = seeds.map_blocks(
            lambda seed: shuffled(species, int(seed[0])),
            dtype=np.int64, new_axis=1, chunks=((CHUNK,) * chunks, (len(species),)),
        )  # fmt: skip
        by_chance = rows.map_blocks(shares_guessed, near, dtype=float, drop_axis=1).compute()
        misses = sum(client.run(compiled).values())
    if not options.address:
        cluster.close()

    mean, most = by_chance.mean(), by_chance.max()
    print(f"{len(by_chance)} shuffles: {mean:.1%} on average, {most:.1%} at most")
    print(f"p < {(1 + (by_chance >= share).sum()) / (1 + len(by_chance)):.1g}")
    print(f"the workers compiled {misses} programs")


if __name__ == "__main__":
    main()
