"""Predators and prey: the parameters of an ODE, fitted to 21 years of pelts by gradients.

The equations are those of Lotka and Volterra.  A Runge-Kutta method with an error estimate chooses
its steps, so that the solver is a `while` whose length nobody knows; the gradient of the misfit
goes back through it.  L-BFGS does the rest.

    python examples/lynx_and_hare.py --rounds 60 --output pelts.png
"""

from __future__ import annotations

import argparse
import csv
import importlib.util
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

import agir as ag

TABLE = Path(__file__).parent / "data" / "lynx_and_hare.csv"
NAMES = ("birth of hares", "hunting", "death of lynxes", "birth of lynxes", "hares", "lynxes")
START = (0.5, 0.02, 1.0, 0.02, 30.0, 4.0)

Array = NDArray[np.float64]


def change(rates: Any, state: Any) -> Any:
    """How many more hares and lynxes a year brings, for each one that there is."""
    hares, lynxes = state[0], state[1]
    return ag.stack(
        [hares * (rates[0] - rates[1] * lynxes), lynxes * (rates[3] * hares - rates[2])]
    )


def a_year(rates: Any, state: Any, step: Any, tolerance: Any) -> Any:
    """The state a year later, and the step that the method has come to (Bogacki, Shampine 1989)."""
    time = 0.0
    first = change(rates, state)
    while time < 1.0:
        step = ag.minimum(step, 1.0 - time)
        second = change(rates, state + step / 2 * first)
        third = change(rates, state + step * 3 / 4 * second)
        new = state + step * (2 / 9 * first + 3 / 9 * second + 4 / 9 * third)
        fourth = change(rates, new)
        error = step * (-5 / 72 * first + 1 / 12 * second + 1 / 9 * third - 1 / 8 * fourth)
        size = ag.reduce_max(ag.abs(error) / (tolerance * (1.0 + ag.abs(new))))
        if size <= 1.0:
            time += step
            if time > 1.0 - 1e-12:
                time = 1.0
            state, first = new, fourth
        factor = 0.9 * ag.maximum(size, 1e-6) ** (-1 / 3)
        step = step * ag.stop_gradient(ag.clip_by_value(factor, 0.2, 5.0))
    return state, step


@ag.function
def course(logarithms: Any, years: Any, tolerance: Any) -> Any:
    """Hares and lynxes in each year, by the logarithms of rates and of the first year's numbers."""
    rates, state = ag.exp(logarithms[:4]), ag.exp(logarithms[4:])
    found = ag.zeros([years, 2], ag.float64)
    found[0] = state
    step = ag.constant(0.1, ag.float64)
    for year in ag.range(1, years):
        state, step = a_year(rates, state, step, tolerance)
        found[year] = state
    return found


def misfit(logarithms: Any, pelts: Any, tolerance: Any) -> Any:
    """Half the squared differences of logarithms, on average."""
    found = course(logarithms, ag.shape(pelts)[0], tolerance)
    return 0.5 * ag.reduce_mean((ag.math.log(found) - ag.math.log(pelts)) ** 2)


Objective = Callable[[Array], tuple[float, Array]]


def descend(objective: Objective, x: Array, rounds: int) -> tuple[Array, list[float]]:
    """L-BFGS with a line search that halves the step until it goes down; and the values."""
    value, slope = objective(x)
    values, pairs = [value], []
    for _ in range(rounds):
        towards = _direction(slope, pairs)
        length = 1.0 if pairs else 0.1 / max(float(np.linalg.norm(slope)), 1e-12)
        while length > 1e-10:
            there = x + length * towards
            new, new_slope = objective(there)
            if new <= value + 1e-4 * length * float(slope @ towards):
                break
            length /= 2
        else:
            break
        if float((new_slope - slope) @ (there - x)) > 0:
            pairs = [*pairs[-7:], (there - x, new_slope - slope)]
        x, value, slope = there, new, new_slope
        values.append(value)
        if float(np.abs(slope).max()) < 1e-7:
            break
    return x, values


def _direction(slope: Array, pairs: list[tuple[Array, Array]]) -> Array:
    """Downhill, as the last steps and the changes of the slope suggest."""
    found, shares = -slope, []
    for step, iteration in reversed(pairs):
        shares.append(float(step @ found) / float(step @ iteration))
        found = found - shares[-1] * iteration
    if pairs:
        step, iteration = pairs[-1]
        found = found * float(step @ iteration) / float(iteration @ iteration)
    for (step, iteration), share in zip(pairs, reversed(shares), strict=True):
        found = found + step * (share - float(iteration @ found) / float(step @ iteration))
    return found


def pelts() -> tuple[list[int], Array]:
    """The years, and thousands of hares and lynxes."""
    with TABLE.open() as file:
        rows = list(csv.reader(line for line in file if not line.startswith("#")))[1:]
    return [int(row[0]) for row in rows], np.array([[float(v) for v in row[1:]] for row in rows])


def fit(observed: Array, rounds: int, tolerance: float = 1e-6) -> tuple[Array, list[float]]:
    """The parameters, and the misfit after each round."""
    slopes = ag.value_and_grad(misfit)

    def objective(x: Array) -> tuple[float, Array]:
        value, slope = slopes(x, observed, np.float64(tolerance))
        return float(value), slope.numpy()

    found, values = descend(objective, np.log(START), rounds)
    return np.exp(found), values


def draw(years: list[int], observed: Array, found: Array, path: Path) -> Path | None:
    """The pelts as dots and the fitted course as lines, if Pillow is there to draw them."""
    if importlib.util.find_spec("PIL") is None:
        return None
    from PIL import Image, ImageDraw

    width, height, margin = 640, 400, 40
    picture = Image.new("RGB", (width, height), "white")
    canvas = ImageDraw.Draw(picture)
    top = 20.0 * np.ceil(max(observed.max(), found.max()) / 20.0)

    def point(year: float, number: float) -> tuple[float, float]:
        across = margin + (year - years[0]) / (years[-1] - years[0]) * (width - 2 * margin)
        return across, height - margin - number / top * (height - 2 * margin)

    for number in range(0, int(top) + 1, 20):
        canvas.line([point(years[0], number), point(years[-1], number)], fill="#dddddd")
        canvas.text((8, point(years[0], number)[1] - 6), str(number), fill="black")
    for year in years[::5]:
        canvas.text((point(year, 0)[0] - 12, height - margin + 8), str(year), fill="black")
    for column, (name, colour) in enumerate((("hares", "#185cbe"), ("lynxes", "#e07b00"))):
        line = [point(*each) for each in zip(years, found[:, column], strict=True)]
        canvas.line(line, fill=colour, width=2)
        for year, number in zip(years, observed[:, column], strict=True):
            x, y = point(year, number)
            canvas.ellipse([x - 3, y - 3, x + 3, y + 3], outline=colour)
        canvas.text((width - 130, 8 + 16 * column), f"{name}, thousands", fill=colour)
    picture.save(path)
    return path


def main() -> None:
    """Run it from the command line."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--rounds", type=int, default=60, help="default: %(default)s")
    parser.add_argument("--output", type=Path, default=Path("lynx_and_hare.png"))
    options = parser.parse_args()

    years, observed = pelts()
    found, values = fit(observed, options.rounds)
    print(f"misfit {values[0]:.4f} -> {values[-1]:.4f} in {len(values) - 1} rounds")
    for name, value in zip(NAMES, found, strict=True):
        print(f"  {name:16} {value:8.4f}")
    curve = course(np.log(found), len(years), np.float64(1e-6)).numpy()
    drawn = draw(years, observed, curve, options.output)
    print(f"wrote {drawn}" if drawn else "install Pillow to see the curves")


if __name__ == "__main__":
    main()
