"""Writes one table as pandas' to_feather does, packed in each of its ways, and as CSV.

    python3 feather.py FOLDER       with pandas 3.0.6 and pyarrow 25.0.1
"""
import sys

import pandas as pd

rows = range(200)
table = pd.DataFrame(
    {
        "x": [None if i == 5 else i / 8 for i in rows],
        "id": [9007199254740993 + i for i in rows],
        "kind": pd.Categorical([["a", "b, c", 'd "e"'][i % 3] for i in rows]),
        "when": pd.date_range("2020-01-01 01:00", periods=200, freq="6h"),
        "day": pd.to_datetime(pd.Series([f"2021-02-{1 + i % 28:02}" for i in rows])).dt.date,
        "text": [None if i == 7 else "Größe\n" * (i % 4) + "x" for i in rows],
        "yes": [i % 2 == 0 for i in rows],
        "whole": pd.array([None if i == 3 else i for i in rows], dtype="Int64"),
        "list": [[i] for i in rows],
    }
)
folder = sys.argv[1]
for name, packed in [("lz4", "lz4"), ("zstd", "zstd"), ("plain", "uncompressed")]:
    table.to_feather(f"{folder}/{name}.feather", compression=packed)
words = table.yes.map({True: "true", False: "false"})
table.drop(columns="list").assign(yes=words).to_csv(f"{folder}/feather.csv", index=False)
