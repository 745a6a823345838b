# More label sets, all from R's own packages MASS and datasets, numeric columns with the class (0, 1, ...) last.
library(MASS)
put <- function(name, x, y) {
  x <- as.data.frame(x)
  x$class <- as.integer(factor(y)) - 1
  write.csv(x[complete.cases(x), ], paste0(name, ".csv"), row.names = FALSE, quote = FALSE)
}
pima <- rbind(Pima.tr, Pima.te)
put("pima", pima[, 1:7], pima$type)
put("boston", Boston[, 1:13], Boston$medv > median(Boston$medv))
put("swiss", swiss[, c(1:4, 6)], swiss$Catholic > 50)
put("airq", airquality[, 2:5], airquality$Ozone > 40)
put("epil", epil[, c("base", "age", "period", "V4")], epil$y > 4)
put("fgl", fgl[, 1:9], fgl$type)
