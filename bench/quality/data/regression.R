# The real sets of real-sets.ts, for linear regression. Run in this folder:
#   Rscript regression.R
# Writes regression.csv: the set's name, the response and the features x1, x2, ...; cells beyond a set's features are empty.
# All come with R: from robustbase (Rousseeuw and Leroy 1987 and others), MASS (Venables and Ripley) and datasets. Rows with
# a missing value are left out; numbers have at most six digits.
suppressMessages({
  library(robustbase)
  library(MASS)
})
for (name in c("Animals2", "starsCYG", "hbk", "delivery", "coleman", "salinity", "wood", "phosphor", "pension", "education",
  "milk", "aircraft", "alcohol", "cloud", "kootenay", "steamUse", "toxicity", "telef", "pilot", "heart", "SiegelsEx",
  "exAM", "bushfire", "pulpfiber")) data(list = name, package = "robustbase")

# The response first.
sets <- list(
  # datasets
  stackloss = stackloss[c("stack.loss", "Air.Flow", "Water.Temp", "Acid.Conc.")],
  cars = cars[c("dist", "speed")],
  mtcars = mtcars[c("mpg", "wt", "hp", "qsec", "drat")],
  swiss = swiss,
  longley = longley[c("Employed", "GNP", "Unemployed", "Armed.Forces", "Year")],
  attitude = attitude,
  trees = trees[c("Volume", "Girth", "Height")],
  airquality = airquality[c("Ozone", "Solar.R", "Wind", "Temp")],
  faithful = faithful[c("waiting", "eruptions")],
  savings = LifeCycleSavings,
  quakes = quakes[seq(1, nrow(quakes), 4), c("stations", "mag", "depth")],
  iris = iris[c("Sepal.Length", "Sepal.Width", "Petal.Length", "Petal.Width")],
  rock = rock[c("perm", "area", "peri", "shape")],
  freeny = freeny,
  # MASS
  boston = Boston[c("medv", setdiff(names(Boston), "medv"))],
  cereal = UScereal[c("calories", "protein", "fat", "sodium", "fibre", "carbo", "sugars", "potassium")],
  cpus = cpus[c("perf", "syct", "mmin", "mmax", "cach", "chmin", "chmax")],
  `cpus, logs` = log1p(cpus[c("perf", "syct", "mmin", "mmax", "cach", "chmin", "chmax")]),
  hills = hills[c("time", "dist", "climb")],
  cement = cement[c("y", "x1", "x2", "x3", "x4")],
  phones = as.data.frame(phones)[c("calls", "year")],
  road = road[c("deaths", "drivers", "popden", "rural", "temp", "fuel")],
  rubber = Rubber,
  cars93 = Cars93[c("MPG.city", "Weight", "Horsepower", "EngineSize", "Length")],
  birthwt = birthwt[c("bwt", "age", "lwt", "smoke")],
  crime = UScrime[c("y", setdiff(names(UScrime), "y"))],
  # robustbase
  animals = log(Animals2[c("brain", "body")]),
  stars = starsCYG[c("log.light", "log.Te")],
  hbk = hbk[c("Y", "X1", "X2", "X3")],
  delivery = delivery[c("delTime", "n.prod", "distance")],
  coleman = coleman[c("Y", setdiff(names(coleman), "Y"))],
  salinity = salinity[c("Y", "X1", "X2", "X3")],
  wood = wood[c("y", setdiff(names(wood), "y"))],
  phosphor = phosphor[c("plant", "inorg", "organic")],
  pension = pension[c("Reserves", "Income")],
  `pension, logs` = log(pension[c("Reserves", "Income")]),
  education = education[c("Y", "X1", "X2", "X3")],
  milk = milk[c("X4", "X1", "X2", "X3", "X5", "X6", "X7", "X8")],
  aircraft = aircraft[c("Y", "X1", "X2", "X3", "X4")],
  alcohol = alcohol[c("logSolubility", "SAG", "V", "logPC", "P", "RM", "Mass")],
  cloud = cloud[c("CloudPoint", "Percentage")],
  kootenay = kootenay[c("Newgate", "Libby")],
  steam = steamUse[c("Steam", "temperature", "fattyAcid", "wind")],
  toxicity = toxicity[c("toxicity", "logKow", "pKa", "ELUMO", "Ecarb")],
  telef = telef[c("Calls", "Year")],
  pilot = pilot[c("Y", "X")],
  heart = heart[c("clength", "height", "weight")],
  siegel = SiegelsEx[c("y", "x")],
  exam = exAM[c("y", "x")],
  bushfire = bushfire[c("V1", "V2", "V3", "V4")],
  pulp = pulpfiber[c("Y1", "X1", "X2", "X3", "X4")]
)

widest <- max(lengths(sets)) - 1
lines <- unlist(lapply(names(sets), function(name) {
  set <- sets[[name]]
  set <- as.matrix(set[complete.cases(set), ])
  cells <- apply(set, 2, function(v) format(signif(v, 6), digits = 6, trim = TRUE, scientific = FALSE, drop0trailing = TRUE))
  empty <- matrix("", nrow(cells), widest + 1 - ncol(cells))
  apply(cbind(gsub(",", "", name), cells, empty), 1, paste, collapse = ",")
}))
writeLines(c(paste(c("set", "y", paste0("x", seq_len(widest))), collapse = ","), lines), "regression.csv")
