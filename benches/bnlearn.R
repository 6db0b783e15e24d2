# Measures the time and the number of tests of bnlearn's semi-interleaved HITON-PC for one target, for
# benches/peers.py:
#
#   Rscript benches/bnlearn.R DATA.csv TARGET
#
# DATA.csv has columns of 0 and 1 below a header. Prints one line of JSON; exits with 3 if bnlearn is not installed.

arguments <- commandArgs(trailingOnly = TRUE)
if (length(arguments) != 2) {
  stop("usage: Rscript bnlearn.R DATA.csv TARGET")
}
if (!requireNamespace("bnlearn", quietly = TRUE)) {
  quit(status = 3)
}

data <- read.csv(arguments[1], colClasses = "character", check.names = FALSE)
# Every column gets both levels, so that the degrees of freedom do not depend on the values that occur.
data[] <- lapply(data, factor, levels = c("0", "1"))
target <- arguments[2]

bnlearn::reset.test.counter()
seconds <- system.time(
  found <- bnlearn::learn.nbr(data, node = target, method = "si.hiton.pc", test = "mi", alpha = 0.05, max.sx = 3)
)[["elapsed"]]

cat(sprintf(
  '{"version": "%s", "seconds": %.6f, "tests": %.0f, "causes": [%s]}\n',
  as.character(utils::packageVersion("bnlearn")), seconds, bnlearn::test.counter(),
  paste0('"', found, '"', collapse = ", ", recycle0 = TRUE)
))
