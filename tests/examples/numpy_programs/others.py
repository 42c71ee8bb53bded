"""Integers, text-like data, recurrences, finance, physics, random walks on given numbers."""

from __future__ import annotations

import math

import numpy as np


def crc16(data, poly=0x8408):
    crc = 0xFFFF
    for b in data:
        cur_byte = 0xFF & b
        for _ in range(8):
            if (crc & 0x0001) ^ (cur_byte & 0x0001):
                crc = (crc >> 1) ^ poly
            else:
                crc >>= 1
            cur_byte >>= 1
    crc = ~crc & 0xFFFF
    crc = (crc << 8) | ((crc >> 8) & 0xFF)
    return crc & 0xFFFF


def go_fast(a):
    trace = 0.0
    for i in range(a.shape[0]):
        trace += np.tanh(a[i, i])
    return a + trace


def arc_distance(theta_1, phi_1, theta_2, phi_2):
    temp = (
        np.sin((theta_2 - theta_1) / 2) ** 2
        + np.cos(theta_1) * np.cos(theta_2) * np.sin((phi_2 - phi_1) / 2) ** 2
    )
    return 2 * np.arctan2(np.sqrt(temp), np.sqrt(1 - temp))


def compute(array_1, array_2, a, b, c):
    return np.clip(array_1, 2, 10) * a + array_2 * b + c


def nqueens(n):
    """The number of solutions, by a stack of columns."""
    columns = np.zeros(n, dtype=np.int64)
    row = 0
    found = 0
    columns[0] = -1
    while row >= 0:
        columns[row] += 1
        while columns[row] < n:
            safe = True
            for r in range(row):
                if columns[r] == columns[row] or abs(columns[r] - columns[row]) == row - r:
                    safe = False
                    break
            if safe:
                break
            columns[row] += 1
        if columns[row] < n:
            if row == n - 1:
                found += 1
            else:
                row += 1
                columns[row] = -1
        else:
            row -= 1
    return found


def levenshtein(a, b):
    previous = np.arange(len(b) + 1)
    for i in range(len(a)):
        current = np.empty_like(previous)
        current[0] = i + 1
        for j in range(len(b)):
            cost = 0 if a[i] == b[j] else 1
            current[j + 1] = min(previous[j] + cost, previous[j + 1] + 1, current[j] + 1)
        previous = current
    return previous[-1]


def nussinov(seq):
    N = len(seq)
    table = np.zeros((N, N), np.int32)
    for i in range(N - 1, -1, -1):
        for j in range(i + 1, N):
            if j - 1 >= 0:
                table[i, j] = max(table[i, j], table[i, j - 1])
            if i + 1 < N:
                table[i, j] = max(table[i, j], table[i + 1, j])
            if j - 1 >= 0 and i + 1 < N:
                if i < j - 1:
                    match = 1 if seq[i] + seq[j] == 3 else 0
                    table[i, j] = max(table[i, j], table[i + 1, j - 1] + match)
                else:
                    table[i, j] = max(table[i, j], table[i + 1, j - 1])
            for k in range(i + 1, j):
                table[i, j] = max(table[i, j], table[i, k] + table[k + 1, j])
    return table


def black_scholes(price, strike, t, rate, vol):
    call = np.zeros_like(price)
    put = np.zeros_like(price)
    for i in range(price.shape[0]):
        root = vol * math.sqrt(t[i])
        d1 = (math.log(price[i] / strike[i]) + (rate + 0.5 * vol * vol) * t[i]) / root
        d2 = d1 - root
        n1 = 0.5 * (1.0 + math.erf(d1 / math.sqrt(2.0)))
        n2 = 0.5 * (1.0 + math.erf(d2 / math.sqrt(2.0)))
        discount = math.exp(-rate * t[i])
        call[i] = price[i] * n1 - strike[i] * discount * n2
        put[i] = strike[i] * discount * (1.0 - n2) - price[i] * (1.0 - n1)
    return call, put


def monte_carlo_pi(x, y):
    inside = 0
    for i in range(len(x)):
        if x[i] ** 2 + y[i] ** 2 < 1:
            inside += 1
    return 4.0 * inside / len(x)


def mandelbrot_masks(xmin, xmax, ymin, ymax, xn, yn, maxiter, horizon):
    X = np.linspace(xmin, xmax, xn, dtype=np.float64)
    Y = np.linspace(ymin, ymax, yn, dtype=np.float64)
    C = X + Y[:, None] * 1j
    N = np.zeros(C.shape, dtype=np.int64)
    Z = np.zeros(C.shape, dtype=np.complex128)
    for n in range(maxiter):
        inside = np.less(abs(Z), horizon)
        N[inside] = n
        Z[inside] = Z[inside] ** 2 + C[inside]
    N[N == maxiter - 1] = 0
    return Z, N


def julia(size, maxiter):
    counts = np.zeros((size, size), dtype=np.int32)
    for i in range(size):
        for j in range(size):
            z = complex(-1.5 + 3.0 * j / size, -1.5 + 3.0 * i / size)
            n = 0
            while abs(z) < 2 and n < maxiter:
                z = z * z - 0.7 + 0.27j
                n += 1
            counts[i, j] = n
    return counts


def stockham_fft(x, R, K):
    """Radix R, R**K points: one pass for each digit."""
    N = R**K
    i_coord, j_coord = np.mgrid[0:R, 0:R]
    dft = np.exp(-2.0j * np.pi * i_coord * j_coord / R)
    y = x.copy()
    for i in range(K):
        blocks = R**i
        rest = R ** (K - i - 1)
        ii, jj = np.mgrid[0:R, 0:blocks]
        twiddle = np.exp(-2.0j * np.pi * ii * jj / (R * blocks))
        parts = np.reshape(y, (R, rest, blocks)) * twiddle[:, np.newaxis, :]
        y = np.reshape(
            np.swapaxes(np.reshape(dft @ np.reshape(parts, (R, N // R)), (R, rest, blocks)), 0, 1),
            N,
        )
    return y


def contour_integral(Ham, Yl, Yr, zs):
    NR = Ham.shape[1]
    P0 = np.zeros(Yl.shape, dtype=np.complex128)
    P1 = np.zeros(Yl.shape, dtype=np.complex128)
    for z in zs:
        Tz = np.zeros((NR, NR), dtype=np.complex128)
        for n in range(Ham.shape[0]):
            zz = np.power(z, Ham.shape[0] / 2 - n)
            Tz += zz * Ham[n]
        X = np.linalg.solve(Tz, Yl)
        if np.abs(z) < 1.0:
            X = -X
        P0 += X
        P1 += z * X
    return P0, P1


def scattering_self_energies(neigh_idx, dH, G, D, Sigma):
    for k in range(G.shape[0]):
        for E in range(G.shape[1]):
            for q in range(D.shape[0]):
                for w in range(D.shape[1]):
                    for i in range(D.shape[-2]):
                        for j in range(D.shape[-1]):
                            for a in range(neigh_idx.shape[0]):
                                for b in range(neigh_idx.shape[1]):
                                    if E - w >= 0:
                                        dHG = G[k, E - w, neigh_idx[a, b]] @ dH[a, b, i]
                                        dHD = dH[a, b, j] * D[q, w, a, b, i, j]
                                        Sigma[k, E, a] += dHG @ dHD


def azimint_naive(data, radius, npt):
    rmax = radius.max()
    res = np.zeros(npt, dtype=np.float64)
    for i in range(npt):
        r1 = rmax * i / npt
        r2 = rmax * (i + 1) / npt
        mask = np.logical_and((r1 <= radius), (radius < r2))
        res[i] = data[mask].mean()
    return res


def floyd_warshall_outer(path):
    for k in range(path.shape[0]):
        path[:] = np.minimum(path[:], np.add.outer(path[:, k], path[k, :]))


def spectral_norm(n, steps):
    u = np.ones(n)
    v = np.zeros(n)
    for _ in range(steps):
        for i in range(n):
            total = 0.0
            for j in range(n):
                total += u[j] / ((i + j) * (i + j + 1) // 2 + i + 1)
            v[i] = total
        u, v = v, u
    return np.sqrt(np.dot(u, v) / np.dot(v, v))


def sieve(n):
    prime = np.ones(n + 1, dtype=np.bool_)
    prime[:2] = False
    i = 2
    while i * i <= n:
        if prime[i]:
            prime[i * i :: i] = False
        i += 1
    return np.nonzero(prime)[0]


def bubble_sort(a):
    n = len(a)
    for i in range(n):
        swapped = False
        for j in range(n - 1 - i):
            if a[j] > a[j + 1]:
                a[j], a[j + 1] = a[j + 1], a[j]
                swapped = True
        if not swapped:
            break
    return a


def running_median(x, width):
    out = np.empty(len(x) - width + 1)
    for i in range(len(out)):
        out[i] = np.median(x[i : i + width])
    return out


def runge_kutta(y, t, dt, steps):
    def f(t, y):
        return np.array([y[1], (1 - y[0] ** 2) * y[1] - y[0]])

    path = np.empty((steps + 1, 2))
    path[0] = y
    for i in range(steps):
        k1 = f(t, y)
        k2 = f(t + dt / 2, y + dt / 2 * k1)
        k3 = f(t + dt / 2, y + dt / 2 * k2)
        k4 = f(t + dt, y + dt * k3)
        y = y + dt / 6 * (k1 + 2 * k2 + 2 * k3 + k4)
        t += dt
        path[i + 1] = y
    return path


def newton_roots(c, tolerance):
    """Every root of z**3 - c, from a start of its own."""
    z = np.exp(2j * np.pi * np.arange(3) / 3) + 0.3
    steps = 0
    while np.max(np.abs(z**3 - c)) > tolerance and steps < 50:
        z = z - (z**3 - c) / (3 * z**2)
        steps += 1
    return z, steps


def histogram_loops(values, bins, low, high):
    counts = np.zeros(bins, dtype=np.int64)
    for v in values:
        if low <= v <= high:
            counts[min(int((v - low) / (high - low) * bins), bins - 1)] += 1
    return counts


def matrix_chain(p):
    n = len(p) - 1
    m = np.zeros((n, n), dtype=np.int64)
    for length in range(2, n + 1):
        for i in range(n - length + 1):
            j = i + length - 1
            m[i, j] = np.iinfo(np.int64).max
            for k in range(i, j):
                cost = m[i, k] + m[k + 1, j] + p[i] * p[k + 1] * p[j + 1]
                if cost < m[i, j]:
                    m[i, j] = cost
    return m[0, n - 1]


def pagerank(links, damping, steps):
    n = links.shape[0]
    degree = np.sum(links, axis=0)
    rank = np.full(n, 1.0 / n)
    for _ in range(steps):
        rank = (1 - damping) / n + damping * (links @ (rank / np.where(degree > 0, degree, 1)))
    return rank


def inputs(random):
    v = lambda *shape: random.random(shape)  # noqa: E731
    whole = lambda high, *shape: random.integers(0, high, shape)  # noqa: E731
    return {
        "crc16": (whole(256, 12).astype(np.uint8),),
        "go_fast": (v(6, 6),),
        "arc_distance": (v(7), v(7), v(7), v(7)),
        "compute": (whole(1000, 5, 6), whole(1000, 5, 6), 4, 3, 9),
        "nqueens": (5,),
        "levenshtein": (whole(3, 7), whole(3, 9)),
        "nussinov": (whole(4, 9).astype(np.int32),),
        "black_scholes": (10 + v(5), 10 + v(5), 1 + v(5), 0.1, 0.2),
        "monte_carlo_pi": (v(50), v(50)),
        "mandelbrot_masks": (-2.25, 0.75, -1.25, 1.25, 6, 7, 8, 2.0),
        "julia": (6, 12),
        "stockham_fft": (v(8) + 1j * v(8), 2, 3),
        "contour_integral": (v(3, 4, 4) + 0j, v(4, 2) + 0j, v(4, 2) + 0j, v(3) + 1j * v(3)),
        "scattering_self_energies": (
            whole(4, 4, 2),
            v(4, 2, 2, 3, 3) + 0j,
            v(2, 3, 4, 3, 3) + 0j,
            v(2, 2, 4, 2, 2, 2) + 0j,
            np.zeros((2, 3, 4, 3, 3), complex),
        ),
        "azimint_naive": (v(60), v(60), 3),
        "floyd_warshall_outer": (whole(20, 6, 6).astype(np.int32) + 1,),
        "spectral_norm": (8, 3),
        "sieve": (60,),
        "bubble_sort": (v(9),),
        "running_median": (v(9), 3),
        "runge_kutta": (np.array([2.0, 0.0]), 0.0, 0.1, 6),
        "newton_roots": (1.0, 1e-10),
        "histogram_loops": (v(40), 5, 0.1, 0.9),
        "matrix_chain": (1 + whole(9, 6),),
        "pagerank": ((v(6, 6) < 0.5).astype(float), 0.85, 10),
    }
