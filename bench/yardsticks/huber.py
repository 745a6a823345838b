"""scikit-learn's HuberRegressor with its defaults, on a file of x (row by row) and y."""
import json
import sys
import time

import numpy as np
from sklearn.linear_model import HuberRegressor

rows, cols = int(sys.argv[2]), int(sys.argv[3])
data = np.fromfile(sys.argv[1])
x, y = data[: rows * cols].reshape(rows, cols), data[rows * cols :]
best = np.inf
for _ in range(3):
    start = time.perf_counter()
    model = HuberRegressor().fit(x, y)
    best = min(best, time.perf_counter() - start)
print(json.dumps({"ms": 1e3 * best, "coefficients": model.coef_.tolist()}))
