"""The paper's online experiment around scikit-learn's SGDClassifier: python3 online.py DATA.csv.gz [RUNS] [BATCH]

An oracle for `rlvi reproduce online`: written apart from it, with numpy's random numbers. DATA has 60 features and actid.
"""
import json
import sys

import numpy as np
import pandas as pd
from sklearn.linear_model import SGDClassifier
from sklearn.preprocessing import StandardScaler

path = sys.argv[1]
runs = int(sys.argv[2]) if len(sys.argv) > 2 else 8
batch = int(sys.argv[3]) if len(sys.argv) > 3 else 100
table = pd.read_csv(path)
features = table.drop(columns=["actid", "seq"], errors="ignore").to_numpy()
moving = (table.actid.to_numpy() > 2).astype(int)
names = ["SGD released", "SGD weight 1/b", "RLVI released", "RLVI true loss"]


def rlvi_weights(losses):
    pi = np.full(len(losses), 0.5)
    for _ in range(100):
        mean = pi.mean()
        new = mean * np.exp(-losses) / (mean * np.exp(-losses) + 1 - mean)
        change = np.linalg.norm(new - pi)
        pi = new
        if change < 1e-3:
            break
    return pi / (pi.max() * len(pi))


def weights_of(name, model, x, y):
    if name == "SGD released":
        return np.ones(len(y))
    if name == "SGD weight 1/b":
        return np.full(len(y), 1 / len(y))
    if not hasattr(model, "coef_"):
        return rlvi_weights(np.full(len(y), np.log(2)))
    probability = np.clip(model.predict_proba(x), 1e-300, None)
    label = np.ones(len(y), int) if name == "RLVI released" else y
    return rlvi_weights(-np.log(probability[np.arange(len(y)), label]))


def run(seed):
    rng = np.random.default_rng(seed)
    order = rng.permutation(len(moving))
    models = {name: SGDClassifier(loss="log_loss", alpha=1e-4, random_state=1) for name in names}
    found = {name: [] for name in names}
    for first in range(0, len(order), 100 + batch):
        chunk = order[first : first + 100 + batch]
        cut = len(chunk) * 100 // (100 + batch)
        test, train = chunk[:cut], chunk[cut:]
        scaler = StandardScaler().fit(features[train])
        x, y = scaler.transform(features[train]), moving[train].copy()
        positives = np.flatnonzero(y)
        share = 0.3 * rng.beta(7 / 3, 11 / 3)
        y[rng.choice(positives, int(share * len(positives)), replace=False)] = 0
        for name, model in models.items():
            model.partial_fit(x, y, classes=[0, 1], sample_weight=weights_of(name, model, x, y))
            said = model.predict(scaler.transform(features[test]))
            found[name].append([np.mean(said == moving[test]), np.mean(said[moving[test] == 1])])
    return [np.mean(found[name], axis=0) for name in names]


results = np.array([run(seed) for seed in range(runs)])
means, sems = results.mean(axis=0), results.std(axis=0, ddof=1) / np.sqrt(runs)
print(
    json.dumps(
        {
            name: {"accuracy": round(mean[0], 4), "recall": round(mean[1], 4), "sem": [round(s, 4) for s in sem]}
            for name, mean, sem in zip(names, means, sems)
        }
    )
)
