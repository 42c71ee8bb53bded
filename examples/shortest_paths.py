"""All shortest paths in a network, by Floyd and Warshall: three loops that update two arrays.

The network: flights between 11 cities of the United States (``data/us_cities.csv``) in a small
aircraft, so that only the direct flights up to a range are left of the table of distances.

    python examples/shortest_paths.py --range 1000
"""

from __future__ import annotations

import argparse
import csv
from collections.abc import Sequence
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

import agir as ag

TABLE = Path(__file__).parent / "data" / "us_cities.csv"
ROUTES = (("Boston", "Seattle"), ("Miami", "San Francisco"), ("Los Angeles", "New York"))


@ag.jit
def shortest_paths(distance: NDArray[np.float64], before: NDArray[np.int64]) -> None:
    """Make ``distance`` the lengths of shortest paths; ``before[i, j]`` is the stop before j.

    At first ``distance`` holds the direct connections, infinite where there is none, and
    ``before[i, j]`` is i.
    """
    size = len(distance)
    for via in range(size):
        for i in range(size):
            for j in range(size):
                length = distance[i, via] + distance[via, j]
                if length < distance[i, j]:
                    distance[i, j] = length
                    before[i, j] = before[via, j]


def read_table(path: Path = TABLE) -> tuple[list[str], NDArray[np.float64]]:
    """The cities and the distances between them, in miles."""
    with path.open(encoding="utf-8") as file:
        _, header, *rows = csv.reader(file)
    return header[1:], np.array([row[1:] for row in rows], np.float64)


def direct_flights(table: NDArray[np.float64], reach: float) -> NDArray[np.float64]:
    """The distances up to the range of the aircraft, infinity for all others."""
    return np.where(table <= reach, table, np.inf)


def stops(before: NDArray[np.int64], start: int, end: int) -> list[int]:
    """The cities on the shortest path, from its start to its end."""
    path = [end]
    while path[-1] != start:
        path.append(int(before[start, path[-1]]))
    return path[::-1]


def describe(cities: Sequence[str], distance: NDArray[np.float64], path: Sequence[int]) -> str:
    """One line about a path."""
    length = distance[path[0], path[-1]]
    return f"{length:5.0f} miles  {' - '.join(cities[stop] for stop in path)}"


def main() -> None:
    """Print some routes, and the two cities that are farthest apart."""
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument(
        "--range", dest="reach", type=float, default=1000, help="in miles, default: %(default)s"
    )
    reach = parser.parse_args().reach

    cities, table = read_table()
    distance = direct_flights(table, reach)
    flights = np.count_nonzero(np.isfinite(distance)) - len(cities)
    print(f"{len(cities)} cities, {flights // 2} direct flights of up to {reach:g} miles")

    before = np.repeat(np.arange(len(cities))[:, np.newaxis], len(cities), axis=1)
    shortest_paths(distance, before)

    reachable = np.where(np.isfinite(distance), distance, -1)
    farthest = np.unravel_index(np.argmax(reachable), reachable.shape)
    named = [(cities.index(start), cities.index(end)) for start, end in ROUTES]
    for start, end in [*named, (int(farthest[0]), int(farthest[1]))]:
        if np.isfinite(distance[start, end]):
            print(describe(cities, distance, stops(before, start, end)))
        else:
            print(f" no route    {cities[start]} - {cities[end]}")
    print("the last one joins the two cities that are farthest apart")


if __name__ == "__main__":
    main()
