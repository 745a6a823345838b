# The time of robustbase's lmrob, the shortest of three, on a file of x (row by row) and y.
suppressMessages(library(robustbase))
args <- commandArgs(TRUE)
rows <- as.integer(args[2])
cols <- as.integer(args[3])
data <- readBin(args[1], "double", rows * (cols + 1))
x <- matrix(data[seq_len(rows * cols)], rows, cols, byrow = TRUE)
y <- data[-seq_len(rows * cols)]
frame <- data.frame(y = y, x)
times <- vapply(1:3, function(k) {
  set.seed(k)
  system.time(lmrob(y ~ ., frame))[["elapsed"]]
}, 0)
cat(sprintf('{"ms": %f}', 1000 * min(times)))
