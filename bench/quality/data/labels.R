# The data sets of label-errors.ts, all from R itself. Run in this folder:
#   Rscript labels.R
# iris: Anderson's irises, published by Fisher (1936), from datasets. 150 rows, 3 classes.
# crabs: Campbell and Mahon (1974), from MASS: species and sex of rock crabs by five lengths. 200 rows, 4 classes.
# biopsy: Wolberg's breast tumours (Wisconsin), from MASS: the rows without missing values. 683 rows, 2 classes.
suppressMessages(library(MASS))
save <- function(name, features, class)
  write.csv(data.frame(features, class), paste0(name, ".csv"), row.names = FALSE, quote = FALSE)

save("iris", setNames(iris[, 1:4], c("sepal_length", "sepal_width", "petal_length", "petal_width")), iris$Species)
save("crabs", crabs[, 4:8], paste0(crabs$sp, crabs$sex))
complete <- na.omit(biopsy)
save("biopsy", complete[, 2:10], complete$class)
