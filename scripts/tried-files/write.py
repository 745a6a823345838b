"""Writes well-known sets as pandas' to_csv does by default: those of scikit-learn, and R's where R has written them.

    python3 write.py FOLDER       before and after write.R
"""
import sys
from pathlib import Path

import pandas as pd
from sklearn import datasets

folder = Path(sys.argv[1])
folder.mkdir(parents=True, exist_ok=True)
for name in ["iris", "wine", "digits", "diabetes", "breast_cancer"]:
    load = getattr(datasets, f"load_{name}")
    # R has an iris of its own.
    own = "iris_sklearn" if name == "iris" else name
    load(as_frame=True).frame.to_csv(folder / f"{own}-pandas.csv")
for path in folder.glob("*-r.csv"):
    name = path.name.removesuffix("-r.csv")
    if not (folder / f"{name}-pandas.csv").exists():
        pd.read_csv(path, index_col=0).to_csv(folder / f"{name}-pandas.csv")
