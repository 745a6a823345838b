"""RLVI for linear regression as the authors do it: weighted least squares on scaled rows, and the E-step's iteration."""
import json
import sys
import time

import numpy as np

path, fits, rows, cols = sys.argv[1], *map(int, sys.argv[2:])
data = np.fromfile(path)
xs = data[: fits * rows * cols].reshape(fits, rows, cols)
ys = data[fits * rows * cols :].reshape(fits, rows)


def e_step(losses):
    pi = np.full(len(losses), 0.95)
    growth = np.exp(losses)
    for _ in range(100):
        mean = pi.mean()
        new = 1 / (1 + (1 - mean) / mean * growth)
        change = np.linalg.norm(new - pi)
        pi = new
        if change < 1e-3:
            break
    return pi


def least_squares(x, y, pi):
    root = np.sqrt(pi)
    theta = np.linalg.lstsq(x * root[:, None], y * root, rcond=None)[0]
    residuals = y - x @ theta
    return theta, residuals**2 / (2 * np.average(residuals**2, weights=pi))


def fit(x, y):
    theta, losses = least_squares(x, y, np.ones(len(y)))
    for _ in range(100):
        before = theta
        theta, losses = least_squares(x, y, e_step(losses))
        if np.linalg.norm(theta - before) / np.linalg.norm(before) <= 1e-3:
            break
    return theta


best = np.inf
for _ in range(3):
    start = time.perf_counter()
    out = np.array([fit(x, y) for x, y in zip(xs, ys)])
    best = min(best, time.perf_counter() - start)
out.tofile(path + ".out")
print(json.dumps({"ms": 1e3 * best}))
