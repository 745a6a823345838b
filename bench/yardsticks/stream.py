"""scikit-learn's SGDClassifier.partial_fit on the stream in a file: labels first, then rows.

Prints rows per second of processor time: of partial_fit alone ("learn"), and with what an update of ours does besides:
a StandardScaler that learns from every batch, and predict_proba ("all").
"""
import json
import sys
import time

import numpy as np
from sklearn.linear_model import SGDClassifier
from sklearn.preprocessing import StandardScaler

path, rows, features, batch, single = sys.argv[1], *map(int, sys.argv[2:6])
data = np.fromfile(path)
y = data[:rows]
x = data[rows:].reshape(rows, features)
classes = np.array([0.0, 1.0])


def classifier():
    return SGDClassifier(loss="log_loss", alpha=1e-4, learning_rate="optimal", random_state=1)


def pass_over(size, count, everything):
    model, scaler = classifier(), StandardScaler()
    model.partial_fit(x[:size], y[:size], classes=classes)
    start = time.process_time()
    for at in range(0, count, size):
        rows = x[at : at + size]
        if everything:
            rows = scaler.partial_fit(rows).transform(rows)
            model.predict_proba(rows)
        model.partial_fit(rows, y[at : at + size])
    return count / (time.process_time() - start)


def best(size, count, everything):
    return max(pass_over(size, count, everything) for _ in range(5))


def speeds(size, count):
    return {"learn": best(size, count, False), "all": best(size, count, True)}


print(json.dumps({"batch": speeds(batch, rows), "single": speeds(1, single)}))
