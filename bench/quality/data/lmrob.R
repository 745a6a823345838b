# The data sets of leverage.ts and what R's lmrob says of them. Run in this folder:
#   Rscript lmrob.R
# Writes hbk.csv (Hawkins, Bradu and Kass 1984, from robustbase), leverage.csv (generated) and lmrob.json.
# Format the last with: npx biome check --write .
suppressMessages(library(robustbase))

# Clean rows: x ~ N(0, I), y = 1 + x1 + x2 + x3 + N(0, .5^2). Bad rows: a cluster at x = (10, 10, 10) with y about 0,
# where the plane has 31.
generate <- function(share, set, n = 100) {
  bad <- seq_len(n) <= share * n
  x <- matrix(rnorm(3 * n), n)
  y <- 1 + rowSums(x) + 0.5 * rnorm(n)
  x[bad, ] <- 10 + 0.5 * matrix(rnorm(3 * sum(bad)), sum(bad))
  y[bad] <- 0.5 * rnorm(sum(bad))
  data.frame(share, set, round(data.frame(x1 = x[, 1], x2 = x[, 2], x3 = x[, 3], y), 4), bad = as.integer(bad))
}

numbers <- function(v) paste0("[", paste(signif(v, 10), collapse = ", "), "]")

# outliers: what summary(lmrob) names so (a robustness weight below 0.1 / n); low: a weight below 1/2, among which are
# good rows at 2.5 to 3 scales. Rows count from 0. truth: least squares on the good rows, where it is known which they are.
describe <- function(name, formula, data) {
  set.seed(1)
  fit <- lmrob(formula, data)
  truth <- if (is.null(data$bad)) "" else {
    good <- coef(summary(lm(formula, data[data$bad == 0, ])))
    sprintf(',\n    "truth": {\n      "coefficients": %s,\n      "standardErrors": %s\n    }', numbers(good[, 1]), numbers(good[, 2]))
  }
  sprintf('  {\n    "name": "%s",\n    "coefficients": %s,\n    "standardErrors": %s,\n    "scale": %.10g,\n    "outliers": %s,\n    "low": %s%s\n  }',
    name, numbers(coef(fit)), numbers(sqrt(diag(vcov(fit)))), fit$scale,
    numbers(which(fit$rweights < 0.1 / nrow(data)) - 1), numbers(which(fit$rweights < 0.5) - 1), truth)
}

write.csv(setNames(hbk, c("x1", "x2", "x3", "y")), "hbk.csv", row.names = FALSE, quote = FALSE)
set.seed(20240709)
generated <- do.call(rbind, lapply(c(0.1, 0.2, 0.3), function(share)
  do.call(rbind, lapply(1:5, function(set) generate(share, set)))))
write.csv(generated, "leverage.csv", row.names = FALSE, quote = FALSE)

stars <- read.csv("../../../examples/data/stars.csv")
out <- c(
  describe("hbk", y ~ ., read.csv("hbk.csv")),
  describe("stars", log_light ~ log_temperature, stars),
  unlist(lapply(split(generated, list(generated$set, generated$share)), function(d)
    describe(sprintf("leverage %g %% set %d", 100 * d$share[1], d$set[1]), y ~ x1 + x2 + x3, d))))
writeLines(c("[", paste(out, collapse = ",\n"), "]"), "lmrob.json")
