# robustbase's lmrob (an MM-estimate), on a file of x (row by row) and y: the shortest of some runs.
suppressMessages(library(robustbase))
args <- commandArgs(TRUE)
rows <- as.integer(args[2])
cols <- as.integer(args[3])
data <- readBin(args[1], "double", rows * (cols + 1))
x <- matrix(data[seq_len(rows * cols)], rows, cols, byrow = TRUE)
y <- data[-seq_len(rows * cols)]
frame <- data.frame(y = y, x)
runs <- if (length(args) > 3) as.integer(args[4]) else 1
times <- vapply(seq_len(runs), function(k) {
  set.seed(k)
  time <- system.time(model <<- lmrob(y ~ ., frame))
  c(time[["elapsed"]], time[["user.self"]] + time[["sys.self"]])
}, c(0, 0))
cat(sprintf('{"ms": %f, "processor": %f, "coefficients": [%s]}',
            1000 * min(times[1, ]), 1000 * min(times[2, ]), paste(coef(model)[-1], collapse = ",")))
