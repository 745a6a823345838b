"""statsmodels' RLM (Huber's T) with its defaults, on a file of x (row by row) and y."""
import json
import sys
import time

import numpy as np
import statsmodels.api as sm

rows, cols = int(sys.argv[2]), int(sys.argv[3])
data = np.fromfile(sys.argv[1])
x, y = data[: rows * cols].reshape(rows, cols), data[rows * cols :]
start = time.perf_counter()
model = sm.RLM(y, sm.add_constant(x), M=sm.robust.norms.HuberT()).fit()
print(json.dumps({"ms": 1e3 * (time.perf_counter() - start), "coefficients": model.params[1:].tolist()}))
