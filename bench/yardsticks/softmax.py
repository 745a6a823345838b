"""scikit-learn's LogisticRegression on its digits, standardised; writes them (x row by row, then y) for the other side."""
import json
import sys
import time

import numpy as np
from sklearn.datasets import load_digits
from sklearn.linear_model import LogisticRegression
from threadpoolctl import threadpool_limits

x, y = load_digits(return_X_y=True)
x = x[:, x.std(0) > 0]
x = (x - x.mean(0)) / x.std(0)
np.concatenate([x.ravel(), y.astype(float)]).tofile(sys.argv[1])
fits = []
with threadpool_limits(1):
    for ridge in map(float, sys.argv[2:]):
        best = np.inf
        for _ in range(3):
            start = time.process_time()
            model = LogisticRegression(C=1 / ridge, max_iter=10_000).fit(x, y)
            best = min(best, time.process_time() - start)
        p = model.predict_log_proba(x)
        loss = -p[np.arange(len(y)), y].sum() + ridge / 2 * (model.coef_**2).sum()
        fits.append({"ms": 1e3 * best, "objective": loss})
print(json.dumps({"rows": len(y), "cols": x.shape[1], "fits": fits}))
