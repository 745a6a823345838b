# robustbase's lmrob (an MM-estimate), on a file of x (row by row) and y.
suppressMessages(library(robustbase))
args <- commandArgs(TRUE)
rows <- as.integer(args[2])
cols <- as.integer(args[3])
data <- readBin(args[1], "double", rows * (cols + 1))
x <- matrix(data[seq_len(rows * cols)], rows, cols, byrow = TRUE)
y <- data[-seq_len(rows * cols)]
frame <- data.frame(y = y, x)
set.seed(1)
time <- system.time(model <- lmrob(y ~ ., frame))[["elapsed"]]
cat(sprintf('{"ms": %f, "coefficients": [%s]}', 1000 * time, paste(coef(model)[-1], collapse = ",")))
