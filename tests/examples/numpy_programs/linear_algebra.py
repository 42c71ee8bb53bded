"""Dense linear algebra, loop by loop and as array expressions."""

from __future__ import annotations

import numpy as np


def gemver(alpha, beta, A, u1, v1, u2, v2, w, x, y, z):
    A += np.outer(u1, v1) + np.outer(u2, v2)
    x += beta * y @ A + z
    w += alpha * A @ x


def syrk(alpha, beta, C, A):
    for i in range(A.shape[0]):
        C[i, : i + 1] *= beta
        for k in range(A.shape[1]):
            C[i, : i + 1] += alpha * A[i, k] * A[: i + 1, k]


def syr2k(alpha, beta, C, A, B):
    for i in range(A.shape[0]):
        C[i, : i + 1] *= beta
        for k in range(A.shape[1]):
            C[i, : i + 1] += A[: i + 1, k] * alpha * B[i, k] + B[: i + 1, k] * alpha * A[i, k]


def trmm(alpha, A, B):
    for i in range(B.shape[0]):
        for j in range(B.shape[1]):
            B[i, j] += np.dot(A[i + 1 :, i], B[i + 1 :, j])
    B *= alpha


def symm(alpha, beta, C, A, B):
    temp2 = np.empty((C.shape[1],), dtype=C.dtype)
    C *= beta
    for i in range(C.shape[0]):
        for j in range(C.shape[1]):
            C[:i, j] += alpha * B[i, j] * A[i, :i]
            temp2[j] = B[:i, j] @ A[i, :i]
        C[i, :] += alpha * B[i, :] * A[i, i] + alpha * temp2


def covariance(M, float_n, data):
    mean = np.mean(data, axis=0)
    data -= mean
    cov = np.zeros((M, M), dtype=data.dtype)
    for i in range(M):
        cov[i:M, i] = data[:, i] @ data[:, i:M] / (float_n - 1.0)
        cov[i, i:M] = cov[i:M, i]
    return cov


def correlation(M, float_n, data):
    mean = np.mean(data, axis=0)
    stddev = np.std(data, axis=0)
    stddev[stddev <= 0.1] = 1.0
    data -= mean
    data /= np.sqrt(float_n) * stddev
    corr = np.eye(M, dtype=data.dtype)
    for i in range(M - 1):
        corr[i + 1 : M, i] = data[:, i] @ data[:, i + 1 : M]
        corr[i, i + 1 : M] = corr[i + 1 : M, i]
    return corr


def gramschmidt(A):
    Q = np.zeros_like(A)
    R = np.zeros((A.shape[1], A.shape[1]), dtype=A.dtype)
    for k in range(A.shape[1]):
        nrm = np.dot(A[:, k], A[:, k])
        R[k, k] = np.sqrt(nrm)
        Q[:, k] = A[:, k] / R[k, k]
        for j in range(k + 1, A.shape[1]):
            R[k, j] = np.dot(Q[:, k], A[:, j])
            A[:, j] -= Q[:, k] * R[k, j]
    return Q, R


def lu(A):
    for i in range(A.shape[0]):
        for j in range(i):
            A[i, j] -= A[i, :j] @ A[:j, j]
            A[i, j] /= A[j, j]
        for j in range(i, A.shape[0]):
            A[i, j] -= A[i, :i] @ A[:i, j]


def ludcmp(A, b):
    N = A.shape[0]
    x = np.zeros_like(b)
    y = np.zeros_like(b)
    for i in range(N):
        for j in range(i):
            A[i, j] -= A[i, :j] @ A[:j, j]
            A[i, j] /= A[j, j]
        for j in range(i, N):
            A[i, j] -= A[i, :i] @ A[:i, j]
    for i in range(N):
        y[i] = b[i] - A[i, :i] @ y[:i]
    for i in range(N - 1, -1, -1):
        x[i] = (y[i] - A[i, i + 1 :] @ x[i + 1 :]) / A[i, i]
    return x, y


def durbin(r):
    y = np.empty_like(r)
    alpha = -r[0]
    beta = 1.0
    y[0] = -r[0]
    for k in range(1, r.shape[0]):
        beta *= 1.0 - alpha * alpha
        alpha = -(r[k] + np.dot(np.flip(r[:k]), y[:k])) / beta
        y[:k] += alpha * np.flip(y[:k])
        y[k] = alpha
    return y


def trisolv(L, x, b):
    for i in range(x.shape[0]):
        x[i] = (b[i] - L[i, :i] @ x[:i]) / L[i, i]


def doitgen(A, C4):
    NR, NQ, NP = A.shape
    for r in range(NR):
        for q in range(NQ):
            A[r, q, :NP] = A[r, q, :] @ C4


def atax(A, x):
    return (A @ x) @ A


def bicg(A, p, r):
    return r @ A, A @ p


def mvt(x1, x2, y_1, y_2, A):
    x1 += A @ y_1
    x2 += y_2 @ A


def power_iteration(A, steps):
    v = np.ones(A.shape[0])
    value = 0.0
    for _ in range(steps):
        w = A @ v
        norm = np.sqrt(np.sum(w * w))
        v = w / norm
        value = v @ (A @ v)
    return value, v


def conjugate_gradient(A, b, tolerance, most):
    x = np.zeros_like(b)
    r = b - A @ x
    p = r.copy()
    rs = r @ r
    for _ in range(most):
        Ap = A @ p
        alpha = rs / (p @ Ap)
        x += alpha * p
        r -= alpha * Ap
        new = r @ r
        if np.sqrt(new) < tolerance:
            break
        p = r + (new / rs) * p
        rs = new
    return x


def gauss_jordan(A):
    n = A.shape[0]
    M = np.concatenate([A, np.eye(n)], axis=1)
    for i in range(n):
        pivot = i + np.argmax(np.abs(M[i:, i]))
        if pivot != i:
            row = M[i].copy()
            M[i] = M[pivot]
            M[pivot] = row
        M[i] /= M[i, i]
        for j in range(n):
            if j != i:
                M[j] -= M[j, i] * M[i]
    return M[:, n:]


def _spd(random, n):
    A = random.random((n, n))
    return A @ A.T + n * np.eye(n)


def inputs(random):
    n = 7
    v = lambda *shape: random.random(shape or (n,))  # noqa: E731
    return {
        "gemver": (1.5, 1.2, v(n, n), *(v() for _ in range(8))),
        "syrk": (1.5, 1.2, v(n, n), v(n, 5)),
        "syr2k": (1.5, 1.2, v(n, n), v(n, 5), v(n, 5)),
        "trmm": (1.5, v(n, n), v(n, 6)),
        "symm": (1.5, 1.2, v(n, 6), v(n, n), v(n, 6)),
        "covariance": (5, 8.0, v(8, 5)),
        "correlation": (5, 8.0, v(8, 5)),
        "gramschmidt": (v(8, 5),),
        "lu": (_spd(random, n),),
        "ludcmp": (_spd(random, n), v()),
        "durbin": (v() / 10,),
        "trisolv": (_spd(random, n), np.zeros(n), v()),
        "doitgen": (v(3, 4, 5), v(5, 5)),
        "atax": (v(n, 5), v(5)),
        "bicg": (v(n, 5), v(5), v(n)),
        "mvt": (v(), v(), v(), v(), v(n, n)),
        "power_iteration": (_spd(random, n), 8),
        "conjugate_gradient": (_spd(random, n), v(), 1e-8, 30),
        "gauss_jordan": (_spd(random, n),),
    }
