# Two more label sets of habits.ts, both from scikit-learn, which copies them from the UCI repository (CC BY 4.0).
# Run in this folder:
#   python3 habits.py
# wine: Forina's wines of three cultivars by 13 measurements. 178 rows, 3 classes.
# digits: Alpaydin and Kaynak's handwritten digits, 8 x 8 pixels of 0 to 16. 1797 rows, 10 classes. A line each: a letter for
#   each pixel (a is 0), a space, the digit.
from sklearn.datasets import load_digits, load_wine

wine = load_wine()
with open("wine.csv", "w") as out:
    names = [name.replace("/", "_") for name in wine.feature_names]
    out.write(",".join(names + ["class"]) + "\n")
    for row, label in zip(wine.data, wine.target):
        out.write(",".join(f"{value:g}" for value in row) + f",{label}\n")

digits = load_digits()
with open("digits.txt", "w") as out:
    for row, label in zip(digits.data.astype(int), digits.target):
        out.write("".join(chr(ord("a") + pixel) for pixel in row) + f" {label}\n")
