# Writes well-known sets as R's write.csv does by default, and what lm makes of them: the number of rows that it uses and
# the root mean square of its residuals, neither of which depends on how factors are coded.
#
#   Rscript write.R FOLDER        after write.py
folder <- commandArgs(trailingOnly = TRUE)[1]
library(MASS)
file <- function(name) file.path(folder, name)
targets <- list(
  airquality = "Ozone", birthwt = "bwt", quine = "Days", iris = "Sepal.Length", mtcars = "mpg", Cars93 = "Price",
  survey = "Height", swiss = "Fertility", longley = "Employed", warpbreaks = "breaks", ToothGrowth = "len",
  Pima.tr2 = "glu", esoph = "ncases", Boston = "medv", ChickWeight = "weight", Insurance = "Claims", stackloss = "stack.loss",
  infert = "age", cats = "Hwt", hills = "time"
)
names.only <- list(Cars93 = c("Model", "Make"))
expected <- c()
expect <- function(name, data, target) {
  data <- data[setdiff(names(data), names.only[[name]])]
  # Ordered factors are categories like others; those whose levels are numbers are read as numbers.
  for (column in names(data)) {
    values <- data[[column]]
    if (!is.factor(values)) next
    numeric <- !anyNA(suppressWarnings(as.numeric(levels(values))))
    data[[column]] <- if (numeric) as.numeric(as.character(values)) else factor(values, ordered = FALSE)
  }
  # Columns that never vary say nothing, and lm would refuse a factor of one level.
  data <- data[sapply(data, function(values) length(unique(values[!is.na(values)])) > 1)]
  fit <- lm(reformulate(".", as.name(target)), data)
  line <- sprintf('  "%s": { "target": "%s", "rows": %d, "missing": %d, "rms": %.15g }', name, target, nobs(fit),
                  nrow(data) - nobs(fit), sqrt(mean(residuals(fit)^2)))
  expected <<- c(expected, line)
}
for (name in names(targets)) {
  data <- as.data.frame(get(name))
  write.csv(data, file(paste0(name, "-r.csv")))
  expect(name, data, targets[[name]])
}
for (name in c("iris_sklearn", "wine", "digits", "diabetes", "breast_cancer")) {
  data <- read.csv(file(paste0(name, "-pandas.csv")), row.names = 1, check.names = FALSE)
  write.csv(data, file(paste0(name, "-r.csv")))
  expect(name, data, "target")
}
writeLines(c("{", paste(expected, collapse = ",\n"), "}"), file("expected.json"))
