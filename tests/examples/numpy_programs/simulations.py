"""Simulations, images, signals, graphs, dynamic programming, statistics: NumPy as it is written."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

GRAVITY = 9.81
KERNEL = np.array([[1.0, 2.0, 1.0], [2.0, 4.0, 2.0], [1.0, 2.0, 1.0]]) / 16.0
NEIGHBOURS = [(-1, 0), (1, 0), (0, -1), (0, 1)]
LAYERS = {"w1": np.linspace(-1.0, 1.0, 12).reshape(4, 3), "b1": np.zeros(4),
          "w2": np.linspace(1.0, -1.0, 8).reshape(2, 4), "b2": np.ones(2)}  # fmt: skip


def blur(image):
    """A convolution with a kernel of the module."""
    rows, columns = image.shape
    out = np.zeros_like(image)
    padded = np.pad(image, 1, mode="edge")
    for i in range(3):
        for j in range(3):
            out += KERNEL[i, j] * padded[i : i + rows, j : j + columns]
    return out


def sobel(image):
    gx = np.array([[-1, 0, 1], [-2, 0, 2], [-1, 0, 1]])
    windows = np.lib.stride_tricks.sliding_window_view(image, (3, 3))
    dx = np.einsum("ijkl,kl->ij", windows, gx)
    dy = np.einsum("ijkl,kl->ij", windows, gx.T)
    return np.hypot(dx, dy), np.arctan2(dy, dx)


def otsu(image, bins):
    counts, edges = np.histogram(image, bins=bins)
    middles = (edges[:-1] + edges[1:]) / 2
    below = np.cumsum(counts)
    above = np.cumsum(counts[::-1])[::-1]
    mean_below = np.cumsum(counts * middles) / below
    mean_above = (np.cumsum((counts * middles)[::-1]) / above[::-1])[::-1]
    between = below[:-1] * above[1:] * (mean_below[:-1] - mean_above[1:]) ** 2
    return middles[np.argmax(between)]


def dilate(mask, times):
    for _ in range(times):
        grown = mask.copy()
        grown[1:] |= mask[:-1]
        grown[:-1] |= mask[1:]
        grown[:, 1:] |= mask[:, :-1]
        grown[:, :-1] |= mask[:, 1:]
        mask = grown
    return mask


def label(mask):
    """Connected components, by a stack of places."""
    labels = np.zeros(mask.shape, dtype=np.int64)
    stack = np.empty((mask.size, 2), dtype=np.int64)
    count = 0
    for i, j in np.ndindex(*mask.shape):
        if not mask[i, j] or labels[i, j]:
            continue
        count += 1
        top = 1
        stack[0] = i, j
        labels[i, j] = count
        while top:
            top -= 1
            y, x = stack[top]
            for dy, dx in NEIGHBOURS:
                v, u = y + dy, x + dx
                if 0 <= v < mask.shape[0] and 0 <= u < mask.shape[1]:
                    if mask[v, u] and not labels[v, u]:
                        labels[v, u] = count
                        stack[top] = v, u
                        top += 1
    return labels, count


def resample(signal, factor):
    old = np.arange(len(signal))
    new = np.linspace(0, len(signal) - 1, len(signal) * factor)
    return np.interp(new, old, signal)


def spectrogram(signal, width, step):
    window = np.hanning(width)
    count = 1 + (len(signal) - width) // step
    out = np.empty((count, width // 2 + 1))
    for k in range(count):
        part = signal[k * step : k * step + width] * window
        out[k] = np.abs(np.fft.rfft(part)) ** 2
    return 10 * np.log10(out + 1e-12)


def median_filter(signal, width):
    half = width // 2
    padded = np.pad(signal, half, mode="reflect")
    return np.array([np.median(padded[i : i + width]) for i in range(len(signal))])


def peaks(signal, height):
    inner = signal[1:-1]
    found = np.where((inner > signal[:-2]) & (inner > signal[2:]) & (inner > height))[0] + 1
    return found, signal[found]


def goertzel(signal, rate, frequencies):
    out = np.zeros(len(frequencies))
    for i, f in enumerate(frequencies):
        w = 2 * np.pi * f / rate
        a = b = 0.0
        for sample in signal:
            a, b = sample + 2 * np.cos(w) * a - b, a
        out[i] = a * a + b * b - 2 * np.cos(w) * a * b
    return out


def european_call(draws, s0, strike, rate, sigma, years):
    steps = draws.shape[1]
    dt = years / steps
    paths = np.cumsum((rate - 0.5 * sigma**2) * dt + sigma * np.sqrt(dt) * draws, axis=1)
    payoff = np.maximum(s0 * np.exp(paths[:, -1]) - strike, 0.0)
    return np.exp(-rate * years) * payoff.mean(), payoff.std(ddof=1) / np.sqrt(len(payoff))


def metropolis(steps, uniforms, width):
    """A Markov chain whose random numbers are passed in."""
    chain = np.empty(len(steps))
    x = 0.0
    accepted = 0
    for i in range(len(steps)):
        proposed = x + width * steps[i]
        if np.log(uniforms[i]) < 0.5 * (x * x - proposed * proposed):
            x = proposed
            accepted += 1
        chain[i] = x
    return chain, accepted / len(steps)


def bootstrap(data, places):
    means = data[places].mean(axis=1)
    low, high = np.percentile(means, [2.5, 97.5], method="median_unbiased")
    return means.mean(), low, high


def dijkstra(weights, source):
    n = len(weights)
    distance = np.full(n, np.inf)
    done = np.zeros(n, dtype=bool)
    distance[source] = 0.0
    for _ in range(n):
        u = np.argmin(np.where(done, np.inf, distance))
        if np.isinf(distance[u]):
            break
        done[u] = True
        distance = np.minimum(distance, np.where(done, distance, distance[u] + weights[u]))
    return distance


def bellman_ford(edges, costs, n):
    distance = np.full(n, 1e18)
    distance[0] = 0
    for _ in range(n - 1):
        changed = False
        for (a, b), cost in zip(edges, costs, strict=True):
            if distance[a] + cost < distance[b]:
                distance[b] = distance[a] + cost
                changed = True
        if not changed:
            break
    return distance


def breadth_first(starts, targets, source):
    n = len(starts) - 1
    level = -np.ones(n, dtype=np.int64)
    queue = np.zeros(n, dtype=np.int64)
    queue[0], head, tail = source, 0, 1
    level[source] = 0
    while head < tail:
        u = queue[head]
        head += 1
        for v in targets[starts[u] : starts[u + 1]]:
            if level[v] < 0:
                level[v] = level[u] + 1
                queue[tail] = v
                tail += 1
    return level


def knapsack(values, sizes, capacity):
    best = np.zeros(capacity + 1, dtype=values.dtype)
    for value, size in zip(values, sizes, strict=True):
        best[size:] = np.maximum(best[size:], best[:-size] + value)
    return best[-1], best


def common_subsequence(a, b):
    table = np.zeros((len(a) + 1, len(b) + 1), np.int64)
    for i, x in enumerate(a):
        for j, y in enumerate(b):
            if x == y:
                table[i + 1, j + 1] = table[i, j] + 1
            else:
                table[i + 1, j + 1] = max(table[i, j + 1], table[i + 1, j])
    return table[-1, -1], table


def matrix_chain(sizes):
    n = len(sizes) - 1
    cost = np.zeros((n, n))
    for length in range(2, n + 1):
        for i in range(n - length + 1):
            j = i + length - 1
            cost[i, j] = np.inf
            for k in range(i, j):
                cost[i, j] = min(
                    cost[i, j], cost[i, k] + cost[k + 1, j] + sizes[i] * sizes[k + 1] * sizes[j + 1]
                )
    return cost[0, n - 1]


def regression(x, y, degree):
    fit = np.polyfit(x, y, 3)
    rest = y - np.polyval(fit, x)
    score = 1 - (rest @ rest) / np.sum((y - y.mean()) ** 2)
    design = np.vander(x, degree)
    other, *_ = np.linalg.lstsq(design, y, rcond=None)
    return fit, score, other


def describe(table):
    z = (table - table.mean(axis=0)) / table.std(axis=0)
    skewness = (z**3).mean(axis=0)
    quartiles = np.quantile(table, [0.25, 0.5, 0.75], axis=0, method="hazen")
    far = np.abs(table - quartiles[1]) > 1.5 * (quartiles[2] - quartiles[0])
    return skewness, quartiles, far.sum(axis=0), np.corrcoef(table, rowvar=False)


def forward(x):
    hidden = np.maximum(0, x @ LAYERS["w1"].T + LAYERS["b1"])
    scores = hidden @ LAYERS["w2"].T + LAYERS["b2"]
    scores -= scores.max(axis=1, keepdims=True)
    odds = np.exp(scores)
    return odds / odds.sum(axis=1, keepdims=True)


@dataclass
class Body:
    position: np.ndarray
    velocity: np.ndarray
    mass: float = 1.0


class World:
    """Bodies that fall and bounce; ``bounces`` is a default in the class."""

    bounces = 0
    drag = 0.1

    def __init__(self, bodies, floor):
        self.bodies = bodies
        self.floor = floor
        self.time = 0.0

    def step(self, dt):
        for body in self.bodies:
            body.velocity[1] -= GRAVITY * dt
            body.velocity *= 1 - self.drag * dt / body.mass
            body.position += body.velocity * dt
            if body.position[1] < self.floor:
                body.position[1] = 2 * self.floor - body.position[1]
                body.velocity[1] = -body.velocity[1]
                self.bounces += 1
        self.time += dt


def bouncing(positions, velocities, steps, dt):
    bodies = [
        Body(p.copy(), v.copy(), 1.0 + k)
        for k, (p, v) in enumerate(zip(positions, velocities, strict=True))
    ]
    world = World(bodies, 0.0)
    for _ in range(steps):
        world.step(dt)
    return np.stack([b.position for b in world.bodies]), world.bounces, world.time


def checkerboard(n, size):
    i, j = np.mgrid[0 : n * size, 0 : n * size]
    board = ((i // size + j // size) % 2).astype(np.uint8)
    board[:: size * 2, :: size * 2] = 7
    return board, np.unique(board, return_counts=True)


def julia(n, c, limit):
    y, x = np.ogrid[-1.5:1.5:20j, -1.5:1.5:20j]
    z = x + 1j * y + 0j * n
    steps = np.zeros(z.shape, int)
    for k in range(limit):
        inside = np.abs(z) <= 2
        z[inside] = z[inside] ** 2 + c
        steps[inside] = k
    return steps


def inputs(random):
    image = random.random((12, 9))
    signal = np.sin(np.linspace(0, 20, 64)) + 0.1 * random.standard_normal(64)
    weights = random.random((7, 7)) * 10
    weights[weights > 6] = np.inf
    edges = random.integers(0, 6, (14, 2))
    order = np.sort(random.integers(0, 20, 9))
    starts = np.concatenate([[0], order, [20]])
    x = np.linspace(0.5, 3.0, 30)
    return {
        "blur": (image,),
        "sobel": (image,),
        "otsu": (image, 8),
        "dilate": (image > 0.9, 2),
        "label": (image > 0.5,),
        "resample": (signal[:10], 3),
        "spectrogram": (signal, 16, 8),
        "median_filter": (signal[:20], 5),
        "peaks": (signal, 0.5),
        "goertzel": (signal, 64.0, np.array([1.0, 3.0, 7.0])),
        "european_call": (random.standard_normal((50, 12)), 100.0, 105.0, 0.03, 0.2, 1.0),
        "metropolis": (random.standard_normal(40), random.random(40), 1.5),
        "bootstrap": (signal, random.integers(0, 64, (30, 64))),
        "dijkstra": (weights, 2),
        "bellman_ford": (edges, random.random(14), 6),
        "breadth_first": (starts, random.integers(0, 10, 20), 0),
        "knapsack": (random.integers(1, 20, 8), random.integers(1, 9, 8), 20),
        "common_subsequence": (random.integers(0, 4, 9), random.integers(0, 4, 7)),
        "matrix_chain": (random.integers(2, 30, 7),),
        "regression": (x, x**3 - 2 * x + 0.1 * random.standard_normal(30), 4),
        "describe": (random.standard_normal((40, 3)),),
        "forward": (random.standard_normal((5, 3)),),
        "bouncing": (random.random((3, 2)) + 1, random.standard_normal((3, 2)), 25, 0.1),
        "checkerboard": (2, 3),
        "julia": (1, -0.4 + 0.6j, 12),
    }
