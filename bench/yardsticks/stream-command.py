"""Reads NDJSON rows, and learns from batches of 100 as they come: json and scikit-learn's partial_fit."""

import json
import sys
import time

import numpy as np
from sklearn.linear_model import SGDClassifier

started = time.perf_counter()
model = SGDClassifier(loss="log_loss" if "log_loss" in SGDClassifier.loss_functions else "log")
names = None
x, y, right, rows, begun = [], [], 0, 0, False
with open(sys.argv[1]) as file, open("/dev/null", "w") as out:
    for line in file:
        row = json.loads(line)
        if names is None:
            names = [name for name in row if name != "y"]
        x.append([row[name] for name in names])
        y.append(row["y"])
        if len(y) == 100:
            batch, labels = np.array(x), np.array(y)
            predicted = model.predict_proba(batch)[:, 1] if begun else np.full(100, 0.5)
            for p in predicted:
                out.write(json.dumps({"row": rows, "predicted": float(p)}) + "\n")
                rows += 1
            model.partial_fit(batch, labels, classes=[0, 1])
            begun = True
            x, y = [], []
print(json.dumps({"ms": 1000 * (time.perf_counter() - started), "rows": rows}))
