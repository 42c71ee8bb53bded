"""nbody: softened gravity, leapfrog steps, kinetic and potential energy at each of them."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

SIZES = {"full": (50, 250), "small": (6, 4)}
CHANGED = (1, 2)


def inputs(size: str) -> tuple[Any, ...]:
    n, steps = SIZES[size]
    random = np.random.default_rng(42)
    mass = 20.0 * np.ones((n, 1)) / n
    pos, vel = random.standard_normal((n, 3)), random.standard_normal((n, 3))
    return mass, pos, vel, steps, 0.01, 1.0, 0.1


def acceleration(pos, mass, G, softening):
    x = pos[:, 0:1]
    y = pos[:, 1:2]
    z = pos[:, 2:3]
    dx = x.T - x
    dy = y.T - y
    dz = z.T - z
    inv_r3 = dx**2 + dy**2 + dz**2 + softening**2
    inv_r3[inv_r3 > 0] = inv_r3[inv_r3 > 0] ** (-1.5)
    ax = G * (dx * inv_r3) @ mass
    ay = G * (dy * inv_r3) @ mass
    az = G * (dz * inv_r3) @ mass
    return np.hstack((ax, ay, az))


def energy(pos, vel, mass, G):
    kinetic = 0.5 * np.sum(mass * vel**2)
    x = pos[:, 0:1]
    y = pos[:, 1:2]
    z = pos[:, 2:3]
    dx = x.T - x
    dy = y.T - y
    dz = z.T - z
    inv_r = np.sqrt(dx**2 + dy**2 + dz**2)
    inv_r[inv_r > 0] = 1.0 / inv_r[inv_r > 0]
    potential = G * np.sum(np.triu(-(mass * mass.T) * inv_r, 1))
    return kinetic, potential


def nbody(mass, pos, vel, steps, dt, G, softening):
    vel -= np.mean(mass * vel, axis=0) / np.mean(mass)
    acc = acceleration(pos, mass, G, softening)
    kinetic = np.zeros(steps + 1)
    potential = np.zeros(steps + 1)
    kinetic[0], potential[0] = energy(pos, vel, mass, G)
    for i in range(steps):
        vel += acc * dt / 2.0
        pos += vel * dt
        acc = acceleration(pos, mass, G, softening)
        vel += acc * dt / 2.0
        kinetic[i + 1], potential[i + 1] = energy(pos, vel, mass, G)
    return kinetic, potential


def kick(pos, vel, mass, G, softening, dt):
    n = len(pos)
    for i in range(n):
        ax = ay = az = 0.0
        for j in range(n):
            dx = pos[j, 0] - pos[i, 0]
            dy = pos[j, 1] - pos[i, 1]
            dz = pos[j, 2] - pos[i, 2]
            squared = dx * dx + dy * dy + dz * dz + softening * softening
            inverse = mass[j, 0] / (squared * np.sqrt(squared)) if squared > 0 else 0.0
            ax += dx * inverse
            ay += dy * inverse
            az += dz * inverse
        vel[i, 0] += G * ax * dt / 2.0
        vel[i, 1] += G * ay * dt / 2.0
        vel[i, 2] += G * az * dt / 2.0


def energies(pos, vel, mass, G):
    kinetic = potential = 0.0
    n = len(pos)
    for i in range(n):
        for axis in range(3):
            kinetic += 0.5 * mass[i, 0] * vel[i, axis] ** 2
        for j in range(i + 1, n):
            squared = 0.0
            for axis in range(3):
                squared += (pos[j, axis] - pos[i, axis]) ** 2
            if squared > 0:
                potential -= mass[i, 0] * mass[j, 0] / np.sqrt(squared)
    return kinetic, G * potential


def loops(mass, pos, vel, steps, dt, G, softening):
    n = len(pos)
    for axis in range(3):
        momentum = total = 0.0
        for i in range(n):
            momentum += mass[i, 0] * vel[i, axis]
            total += mass[i, 0]
        for i in range(n):
            vel[i, axis] -= momentum / total
    kinetic = np.zeros(steps + 1)
    potential = np.zeros(steps + 1)
    kinetic[0], potential[0] = energies(pos, vel, mass, G)
    for step in range(steps):
        kick(pos, vel, mass, G, softening, dt)
        for i in range(n):
            for axis in range(3):
                pos[i, axis] += vel[i, axis] * dt
        kick(pos, vel, mass, G, softening, dt)
        kinetic[step + 1], potential[step + 1] = energies(pos, vel, mass, G)
    return kinetic, potential


def with_jax(jax: Any) -> Callable[..., Any]:
    jnp = jax.numpy

    def acceleration(pos: Any, mass: Any, G: Any, softening: Any) -> Any:
        apart = pos[None] - pos[:, None]
        squared = jnp.sum(apart**2, axis=-1) + softening**2
        inverse = jnp.where(squared > 0, squared, 1.0) ** (-1.5) * (squared > 0)
        return G * jnp.einsum("ijk,ij,j->ik", apart, inverse, mass[:, 0])

    def energy(pos: Any, vel: Any, mass: Any, G: Any) -> Any:
        apart = jnp.sqrt(jnp.sum((pos[None] - pos[:, None]) ** 2, axis=-1))
        inverse = jnp.where(apart > 0, 1.0 / apart, 0.0)
        potential = G * jnp.sum(jnp.triu(-(mass * mass.T) * inverse, 1))
        return 0.5 * jnp.sum(mass * vel**2), potential

    def run(mass: Any, pos: Any, vel: Any, steps: int, dt: Any, G: Any, softening: Any) -> Any:
        def step(state: Any, _: Any) -> Any:
            pos, vel, acc = state
            vel = vel + acc * dt / 2.0
            pos = pos + vel * dt
            acc = acceleration(pos, mass, G, softening)
            vel = vel + acc * dt / 2.0
            return (pos, vel, acc), energy(pos, vel, mass, G)

        vel = vel - jnp.mean(mass * vel, axis=0) / jnp.mean(mass)
        first = energy(pos, vel, mass, G)
        start = (pos, vel, acceleration(pos, mass, G, softening))
        (pos, vel, _), rest = jax.lax.scan(step, start, None, length=steps)
        curves = [jnp.concatenate([f[None], r]) for f, r in zip(first, rest, strict=True)]
        return *curves, pos, vel

    return jax.jit(run, static_argnums=3)
