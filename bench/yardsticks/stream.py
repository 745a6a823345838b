"""scikit-learn's SGDClassifier.partial_fit on the stream in a file: labels first, then rows; prints rows per second."""
import json
import sys
import time

import numpy as np
from sklearn.linear_model import SGDClassifier

path, rows, features, batch, single = sys.argv[1], *map(int, sys.argv[2:6])
data = np.fromfile(path)
y = data[:rows]
x = data[rows:].reshape(rows, features)
classes = np.array([0.0, 1.0])


def classifier():
    return SGDClassifier(loss="log_loss", alpha=1e-4, learning_rate="optimal", random_state=1)


def pass_over(size, count, predict):
    model = classifier()
    model.partial_fit(x[:size], y[:size], classes=classes)
    start = time.perf_counter()
    for at in range(0, count, size):
        if predict:
            model.predict_proba(x[at : at + size])
        model.partial_fit(x[at : at + size], y[at : at + size])
    return count / (time.perf_counter() - start)


def best(size, count, predict):
    return max(pass_over(size, count, predict) for _ in range(5))


print(
    json.dumps(
        {
            "batch": best(batch, rows, False),
            "batch_predicted": best(batch, rows, True),
            "single": best(1, single, False),
            "single_predicted": best(1, single, True),
        }
    )
)
