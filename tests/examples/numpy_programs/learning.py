"""Networks and statistics: convolutions, pooling, attention, clustering."""

from __future__ import annotations

import numpy as np


def relu(x):
    return np.maximum(x, 0)


def softmax(x):
    powers = np.exp(x - np.max(x, axis=-1, keepdims=True))
    return powers / np.sum(powers, axis=-1, keepdims=True)


def mlp(x, w1, b1, w2, b2, w3, b3):
    x = relu(x @ w1 + b1)
    x = relu(x @ w2 + b2)
    return softmax(x @ w3 + b3)


def conv2d(x, weights):
    K = weights.shape[0]
    N = x.shape[0]
    H_out = x.shape[1] - K + 1
    W_out = x.shape[2] - K + 1
    output = np.empty((N, H_out, W_out, weights.shape[3]), dtype=np.float32)
    for i in range(H_out):
        for j in range(W_out):
            output[:, i, j, :] = np.sum(
                x[:, i : i + K, j : j + K, :, np.newaxis] * weights[np.newaxis, :, :, :],
                axis=(1, 2, 3),
            )
    return output


def conv2d_bias(x, weights, bias):
    return conv2d(x, weights) + bias


def maxpool2d(x):
    output = np.empty([x.shape[0], x.shape[1] // 2, x.shape[2] // 2, x.shape[3]], dtype=x.dtype)
    for i in range(x.shape[1] // 2):
        for j in range(x.shape[2] // 2):
            output[:, i, j, :] = np.max(x[:, 2 * i : 2 * i + 2, 2 * j : 2 * j + 2, :], axis=(1, 2))
    return output


def lenet5(x, conv1, conv1bias, fc1w, fc1b):
    x = relu(conv2d(x, conv1) + conv1bias)
    x = maxpool2d(x)
    x = np.reshape(x, (x.shape[0], fc1w.shape[0]))
    return relu(x @ fc1w + fc1b)


def batchnorm2d(x, eps=1e-5):
    mean = np.mean(x, axis=0, keepdims=True)
    std = np.std(x, axis=0, keepdims=True)
    return (x - mean) / np.sqrt(std + eps)


def resnet_block(x, conv1, conv2):
    padded = np.zeros((x.shape[0], x.shape[1] + 2, x.shape[2] + 2, x.shape[3]), dtype=np.float32)
    y = relu(batchnorm2d(conv2d(x, conv1)))
    padded[:, 1:-1, 1:-1, :] = y
    y = batchnorm2d(conv2d(padded, conv2))
    return relu(y + x)


def attention(q, k, v):
    scores = q @ np.transpose(k, (0, 2, 1)) / np.sqrt(q.shape[-1])
    return softmax(scores) @ v


def kmeans(points, centers, steps):
    labels = np.zeros(points.shape[0], dtype=np.int64)
    for _ in range(steps):
        distances = np.sum((points[:, np.newaxis, :] - centers[np.newaxis]) ** 2, axis=2)
        labels = np.argmin(distances, axis=1)
        for c in range(centers.shape[0]):
            members = points[labels == c]
            if members.shape[0] > 0:
                centers[c] = np.mean(members, axis=0)
    return labels


def nearest(points, queries, k):
    result = np.empty((queries.shape[0], k), dtype=np.int64)
    for i in range(queries.shape[0]):
        distances = np.sum((points - queries[i]) ** 2, axis=1)
        result[i] = np.argsort(distances)[:k]
    return result


def logistic_regression(X, y, rate, steps):
    w = np.zeros(X.shape[1])
    for _ in range(steps):
        p = 1.0 / (1.0 + np.exp(-(X @ w)))
        w -= rate * (X.T @ (p - y)) / y.shape[0]
    return w


def linear_fit(x, y):
    A = np.stack([x, np.ones_like(x)], axis=1)
    return np.linalg.solve(A.T @ A, A.T @ y)


def gru(x, W, U, b):
    hidden = U.shape[0]
    h = np.zeros((x.shape[0], hidden), dtype=x.dtype)
    for t in range(x.shape[1]):
        both = x[:, t] @ W + b
        inner = h @ U
        z = 1 / (1 + np.exp(-(both[:, :hidden] + inner[:, :hidden])))
        r = 1 / (1 + np.exp(-(both[:, hidden : 2 * hidden] + inner[:, hidden : 2 * hidden])))
        n = np.tanh(both[:, 2 * hidden :] + r * inner[:, 2 * hidden :])
        h = (1 - z) * n + z * h
    return h


def inputs(random):
    f = lambda *shape: random.random(shape, dtype=np.float32) - np.float32(0.3)  # noqa: E731
    v = lambda *shape: random.random(shape)  # noqa: E731
    return {
        "mlp": (f(3, 4), f(4, 5), f(5), f(5, 6), f(6), f(6, 3), f(3)),
        "conv2d_bias": (f(2, 6, 6, 3), f(3, 3, 3, 4), f(4)),
        "maxpool2d": (f(2, 6, 6, 3),),
        "lenet5": (f(2, 6, 6, 1), f(3, 3, 1, 2), f(2), f(8, 4), f(4)),
        "resnet_block": (f(2, 5, 5, 3), f(1, 1, 3, 3), f(3, 3, 3, 3)),
        "attention": (f(2, 5, 4), f(2, 5, 4), f(2, 5, 3)),
        "kmeans": (v(15, 2), v(3, 2), 3),
        "nearest": (v(15, 2), v(4, 2), 3),
        "logistic_regression": (v(9, 3), (v(9) < 0.5).astype(float), 0.1, 5),
        "linear_fit": (v(9), v(9)),
        "gru": (f(2, 4, 3), f(3, 12), f(4, 12), f(12)),
    }
