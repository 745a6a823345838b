# robustbase's lmrob (an MM-estimate) on many small sets in one file: their number, the rows and columns of each, then of
# each x (row by row) and y. Prints the first slope of each, null where lmrob gives up.
suppressMessages(library(robustbase))
file <- file(commandArgs(TRUE)[1], "rb")
sets <- readBin(file, "double", 1)
sizes <- matrix(readBin(file, "double", 2 * sets), 2)
set.seed(1)
slopes <- vapply(seq_len(sets), function(k) {
  rows <- sizes[1, k]
  cols <- sizes[2, k]
  x <- matrix(readBin(file, "double", rows * cols), rows, cols, byrow = TRUE)
  y <- readBin(file, "double", rows)
  tryCatch(suppressWarnings(coef(lmrob(y ~ x))[[2]]), error = function(e) NA_real_)
}, 0)
cat(sprintf('{"slopes": [%s]}', paste(ifelse(is.na(slopes), "null", format(slopes, digits = 10)), collapse = ",")))
