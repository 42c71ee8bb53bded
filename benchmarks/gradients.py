"""Values and gradients beside JAX and PyTorch: an MLP, an RNN, bodies in motion, a while loop.

Loops over elements, and slices of arrays that are written to in each step, go through the same.

``python -m benchmarks.gradients`` prints what the gradient of 10,000 steps of a loop keeps in memory,
with and without checkpoints.
"""

from __future__ import annotations

import itertools
import resource
import subprocess
import sys
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

import agir as ag

from .harness import Contender, Row, measure, optional

AIM = 4.0
"""Forwards and backwards together, over forwards alone: backwards is at most three times as long."""

_WARM = 2500
"""Calls before one that is measured, of what is called again and again."""


@dataclass
class Workload:
    """One program for each library, with the arguments; the gradient is that of the first ones."""

    name: str
    agir: Callable[..., Any]
    jax: Callable[..., Any] | None
    torch: Callable[..., Any] | None
    arguments: Sequence[Any]
    wanted: tuple[int, ...]
    tolerance: float
    static: tuple[int, ...] = ()
    """The arguments that JAX has to know: the lengths of loops that it is to go back through."""
    calls: int = 1
    """How often each is called in a round, after as many calls as a loop of training makes."""
    torch_share: float = 1.0
    """The part of the iterations that PyTorch takes, where it would need minutes for all of them."""


def mlp(random: Any, jax: Any, torch: Any) -> Workload:
    sizes = (64, 128, 128, 10)
    weights = []
    for inputs, outputs in itertools.pairwise(sizes):
        weights.append(random.normal(size=(inputs, outputs)).astype(np.float32) / inputs**0.5)
        weights.append(np.zeros(outputs, np.float32))
    x = random.normal(size=(64, sizes[0])).astype(np.float32)
    y = random.normal(size=(64, sizes[-1])).astype(np.float32)

    def loss(space: Any, mean: Any, weights: Any, x: Any, y: Any) -> Any:
        for matrix, offset in zip(weights[:-2:2], weights[1:-2:2], strict=True):
            x = space.tanh(x @ matrix + offset)
        return mean((x @ weights[-2] + weights[-1] - y) ** 2)

    return Workload(
        "MLP, 64-128-128-10, a batch of 64, float32",
        lambda *a: loss(ag, ag.reduce_mean, *a),
        jax and (lambda *a: loss(jax.numpy, jax.numpy.mean, *a)),
        torch and (lambda *a: loss(torch, torch.mean, *a)),
        (weights, x, y),
        (0,),
        1e-3,
        calls=100,
    )


def rnn(random: Any, jax: Any, torch: Any) -> Workload:
    size, steps, batch = 64, 200, 16
    recurrent, inner = (random.normal(size=(size, size)).astype(np.float32) / 12 for _ in "ab")
    xs = random.normal(size=(steps, batch, size)).astype(np.float32)

    def loss(recurrent: Any, inner: Any, xs: Any) -> Any:
        h = ag.zeros([batch, size])
        for x in xs:
            h = ag.tanh(h @ recurrent + x @ inner)
        return ag.reduce_sum(h * h)

    def with_jax(recurrent: Any, inner: Any, xs: Any) -> Any:
        def step(h: Any, x: Any) -> Any:
            return jax.numpy.tanh(h @ recurrent + x @ inner), None

        h, _ = jax.lax.scan(step, jax.numpy.zeros((batch, size), xs.dtype), xs)
        return jax.numpy.sum(h * h)

    def with_torch(recurrent: Any, inner: Any, xs: Any) -> Any:
        h = torch.zeros((batch, size))
        for x in xs:
            h = torch.tanh(h @ recurrent + x @ inner)
        return torch.sum(h * h)

    name = f"RNN through {steps} steps, {size} units, a batch of {batch}, float32"
    arguments = (recurrent, inner, xs)
    return Workload(name, loss, jax and with_jax, torch and with_torch, arguments, (0, 1), 1e-2)


def bodies(random: Any, jax: Any, torch: Any) -> Workload:
    x, v = random.normal(size=(5, 3)), 0.1 * random.normal(size=(5, 3))
    masses = random.uniform(0.5, 1.0, size=5)

    def step(space: Any, total: Any, x: Any, v: Any, masses: Any) -> Any:
        apart = x[None] - x[:, None]
        squares = total(apart * apart, -1) + 0.01
        pull = masses / (squares * space.sqrt(squares))
        v = v + 1e-3 * total(apart * pull[..., None], 1)
        return x + 1e-3 * v, v

    def loss(x: Any, v: Any, masses: Any, steps: Any) -> Any:
        for _ in ag.range(steps):
            x, v = step(ag, ag.reduce_sum, x, v, masses)
        return ag.reduce_sum(x * x)

    def with_jax(x: Any, v: Any, masses: Any, steps: int) -> Any:
        def iteration(_: Any, both: Any) -> Any:
            return step(jax.numpy, jax.numpy.sum, *both, masses)

        x, v = jax.lax.fori_loop(0, steps, iteration, (x, v))
        return jax.numpy.sum(x * x)

    def with_torch(x: Any, v: Any, masses: Any, steps: int) -> Any:
        for _ in range(steps):
            x, v = step(torch, torch.sum, x, v, masses)
        return torch.sum(x * x)

    arguments = (x, v, masses, 1000)
    name = "five bodies, 1,000 steps, float64"
    peers = (jax and with_jax, torch and with_torch)
    return Workload(name, loss, *peers, arguments, (0, 1), 1e-6, static=(3,))


def logistic(random: Any, jax: Any, torch: Any) -> Workload:
    def loss(x: Any, rate: Any, steps: Any) -> Any:
        i = 0
        while i < steps:
            x = rate * x * (1.0 - x)
            i += 1
        return x

    def with_jax(x: Any, rate: Any, steps: int) -> Any:
        return jax.lax.fori_loop(0, steps, lambda i, x: rate * x * (1.0 - x), x)

    def with_torch(x: Any, rate: Any, steps: int) -> Any:
        for _ in range(steps // 100):
            x = rate * x * (1.0 - x)
        return x

    # At a rate of 3 the derivative of an iteration goes to 1: the gradient becomes no denormal number.
    arguments = (np.float64(0.3), np.float64(3.0), 1_000_000)
    name = "logistic map, 1,000,000 iterations of a while, float64"
    peers = (jax and with_jax, torch and with_torch)
    return Workload(name, loss, *peers, arguments, (0, 1), 1e-6, static=(2,), torch_share=0.01)


def element_bodies(random: Any, jax: Any, torch: Any) -> Workload:
    """The same motion as loops over the bodies."""
    same = bodies(random, jax, torch)

    def loss(x: Any, v: Any, masses: Any, steps: Any) -> Any:
        for _ in ag.range(steps):
            for i in ag.range(5):
                pull_x, pull_y, pull_z = 0.0, 0.0, 0.0
                for j in ag.range(5):
                    dx, dy, dz = x[j, 0] - x[i, 0], x[j, 1] - x[i, 1], x[j, 2] - x[i, 2]
                    square = dx * dx + dy * dy + dz * dz + 0.01
                    pull = masses[j] / (square * ag.sqrt(square))
                    pull_x += pull * dx
                    pull_y += pull * dy
                    pull_z += pull * dz
                v[i, 0] += 1e-3 * pull_x
                v[i, 1] += 1e-3 * pull_y
                v[i, 2] += 1e-3 * pull_z
            for i in ag.range(5):
                for k in ag.range(3):
                    x[i, k] += 1e-3 * v[i, k]
        return ag.reduce_sum(x * x)

    name = "five bodies, 1,000 steps, by elements (JAX: arrays), float64"
    return Workload(name, loss, same.jax, None, same.arguments, (0, 1), 1e-6, static=(3,))


def sweep(random: Any, jax: Any, _: Any) -> Workload:
    def loss(a: Any, size: Any) -> Any:
        for i in ag.range(1, size):
            for j in ag.range(1, size):
                a[i, j] = a[i, j] + 0.25 * a[i - 1, j] * a[i, j - 1]
        return ag.reduce_sum(a * a)

    def with_jax(a: Any, size: int) -> Any:
        def cell(i: Any, j: Any, a: Any) -> Any:
            return a.at[i, j].add(0.25 * a[i - 1, j] * a[i, j - 1])

        loop = jax.lax.fori_loop
        a = loop(1, size, lambda i, a: loop(1, size, lambda j, a: cell(i, j, a), a), a)
        return jax.numpy.sum(a * a)

    size = 128
    arguments = (random.uniform(size=(size, size)), size)
    name = f"sweep over {size} x {size} elements, float64"
    return Workload(name, loss, jax and with_jax, None, arguments, (0,), 1e-6, static=(1,))


def stencil(random: Any, jax: Any, _: Any) -> Workload:
    def loss(u: Any, steps: Any) -> Any:
        for _ in ag.range(steps):
            u[1:-1] = u[1:-1] - 0.1 * u[1:-1] * (u[2:] - u[:-2])
        return ag.reduce_sum(u * u)

    def with_jax(u: Any, steps: int) -> Any:
        def step(_: Any, u: Any) -> Any:
            return u.at[1:-1].set(u[1:-1] - 0.1 * u[1:-1] * (u[2:] - u[:-2]))

        u = jax.lax.fori_loop(0, steps, step, u)
        return jax.numpy.sum(u * u)

    arguments = (0.1 * random.normal(size=10_000), 500)
    name = "stencil over 10,000 points, 500 steps, float64"
    return Workload(name, loss, jax and with_jax, None, arguments, (0,), 1e-6, static=(1,))


def _with_agir(work: Workload) -> dict[str, Callable[[], Any]]:
    arguments = [np.int64(a) if n in work.static else a for n, a in enumerate(work.arguments)]
    both = ag.value_and_grad(work.agir, work.wanted)
    value = ag.function(work.agir)
    return {
        "agir, value and gradient": lambda: both(*arguments),
        "agir, value": lambda: value(*arguments),
    }


def _with_jax(work: Workload, jax: Any) -> dict[str, Callable[[], Any]]:
    move = jax.tree_util.tree_map
    arguments = [
        a if n in work.static else move(jax.numpy.asarray, a) for n, a in enumerate(work.arguments)
    ]
    both = jax.jit(jax.value_and_grad(work.jax, work.wanted), static_argnums=work.static)
    value = jax.jit(work.jax, static_argnums=work.static)
    ready = jax.block_until_ready
    return {
        "JAX, value and gradient": lambda: ready(both(*arguments)),
        "JAX, value": lambda: ready(value(*arguments)),
    }


def _with_torch(work: Workload, torch: Any) -> dict[str, Callable[[], Any]]:
    def tensor(value: Any, wanted: bool) -> Any:
        if isinstance(value, list):
            return [tensor(each, wanted) for each in value]
        return torch.tensor(value, requires_grad=wanted) if not isinstance(value, int) else value

    arguments = [tensor(a, n in work.wanted) for n, a in enumerate(work.arguments)]
    first = [arguments[n] for n in work.wanted]
    leaves = [each for a in first for each in (a if isinstance(a, list) else [a])]

    def both() -> Any:
        value = work.torch(*arguments)  # type: ignore[misc]
        gradients = torch.autograd.grad(value, leaves)
        return value.detach(), list(gradients)

    def value() -> Any:
        with torch.no_grad():
            return work.torch(*arguments)  # type: ignore[misc]

    return {"PyTorch, value and gradient": both, "PyTorch, value": value}


def _flat(found: Any) -> list[Any]:
    if isinstance(found, (list, tuple)):
        return [each for part in found for each in _flat(part)]
    return [np.asarray(found)]


def benchmark(rounds: int) -> list[Row]:
    jax = optional("jax")
    if jax:
        jax.config.update("jax_enable_x64", True)
    torch = optional("torch")
    if torch:
        torch.set_num_threads(1)
    rows = []
    random = np.random.default_rng(0)
    makers = (mlp, rnn, bodies, logistic, element_bodies, sweep, stencil)
    for make in makers:
        work = make(random, jax, torch)
        runs = _with_agir(work) | (_with_jax(work, jax) if jax else {})
        first = _flat(next(iter(runs.values()))())

        def agrees(found: Any, first: Any = first, work: Workload = work) -> None:
            for one, other in zip(_flat(found), first, strict=False):
                np.testing.assert_allclose(one, other, rtol=work.tolerance, atol=work.tolerance)

        def contender(
            name: str, run: Callable[[], Any], share: float = 1.0, calls: int = work.calls
        ) -> Contender:
            def several() -> Any:
                for _ in range(calls - 1):
                    run()
                return run()

            for _ in range(_WARM if calls > 1 else 0):
                run()
            check = agrees if share == 1 else None
            return Contender(name, several, calls=calls, share=share, check=check)

        contenders = [contender(name, run) for name, run in runs.items()]
        if work.torch:
            share = work.torch_share
            contenders += [contender(n, run, share) for n, run in _with_torch(work, torch).items()]
        rows += measure(work.name, contenders, rounds, reference="agir, value", aim=AIM)
    return rows


# Memory.

SIZE, STEPS = 4_000, 10_000


def kept(kind: str, form: str) -> None:
    """Print what 10,000 steps need, in a process of its own."""
    option = None if kind == "None" else kind

    @ag.function
    def in_a_loop(x: Any, steps: Any) -> Any:
        state = x
        for _ in ag.range(steps):
            ag.autograph.set_loop_options(checkpoint=option)
            state = 0.9 * ag.sin(state) + x
        return ag.reduce_sum(state * state)

    @ag.function
    def in_a_scan(x: Any, steps: Any) -> Any:
        def step(state: Any, _: Any) -> Any:
            return 0.9 * ag.sin(state) + x

        states = ag.scan(step, ag.range(steps), x, checkpoint=option)
        return ag.reduce_sum(states * states)

    loss = in_a_loop if form == "loop" else in_a_scan
    both, x = ag.value_and_grad(loss), np.linspace(0.0, 1.0, SIZE)
    for function in (both, loss):
        function(x, np.int64(2))
    before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    times = []
    for function in (loss, both):
        start = time.perf_counter()
        function(x, np.int64(STEPS))
        times.append(time.perf_counter() - start)
    more = (resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - before) / 1024
    print(f"  {form:4} checkpoint={kind:8} {more:8.1f} MB {times[1] / times[0]:8.1f} x forwards")


def main() -> None:
    print(f"{STEPS:,} steps of {SIZE:,} float64, {SIZE * 8 / 1024:.0f} KB each")
    for form, kind in itertools.product(("loop", "scan"), ("None", "sqrt", "log")):
        code = f"from benchmarks.gradients import kept; kept({kind!r}, {form!r})"
        subprocess.run([sys.executable, "-c", code], check=True)


if __name__ == "__main__":
    main()
