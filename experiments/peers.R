# Conjunctions that logicDT or LogicReg finds in a table of 0 and 1 whose last column is the outcome:
#
#     Rscript peers.R PACKAGE TABLE.csv SEED
#
# prints one conjunction a line as numbers of columns joined by `&`, with `!` before the negated ones.
#
# The calls follow the manuals of the packages. They have not been executed for the page docs/experiments/peers.md
# unless it has lines of these packages.

words <- commandArgs(trailingOnly = TRUE)
table <- as.matrix(read.csv(words[2], check.names = FALSE))
storage.mode(table) <- "integer"
predictors <- table[, -ncol(table), drop = FALSE]
outcome <- table[, ncol(table)]
seed <- as.integer(words[3])

print_conjunction <- function(columns, negated) {
  cat(paste(paste0(ifelse(negated, "!", ""), columns), collapse = "&"), "\n", sep = "")
}

if (words[1] == "logicDT") {
  # Room for 8 terms with 16 literals, as much as any recipe with few causes needs; terms may be removed.
  set.seed(seed)
  fit <- logicDT::logicDT(predictors, outcome, max_vars = 16, max_conj = 8)
  # One row for each term: numbers of columns, negative where negated, then NA.
  for (row in seq_len(nrow(fit$disj))) {
    term <- fit$disj[row, ]
    term <- term[!is.na(term)]
    print_conjunction(abs(term), term < 0)
  }
} else if (words[1] == "LogicReg") {
  # Logistic regression (type 3) on at most 5 trees. With `opers = 2` a tree has the operator `and` only, so that each
  # tree is one conjunction.
  fit <- LogicReg::logreg(resp = outcome, bin = predictors, type = 3, select = 1, ntrees = 5, nleaves = 16,
                          tree.control = LogicReg::logreg.tree.control(treesize = 4, opers = 2), seed = seed)
  for (tree in fit$model$trees) {
    # One row for each node. The second column is 3 for a variable, the third its number, the fourth 1 if it is negated.
    leaves <- tree$trees[tree$trees[, 2] == 3, , drop = FALSE]
    if (nrow(leaves) > 0) print_conjunction(leaves[, 3], leaves[, 4] == 1)
  }
} else {
  stop("the package must be logicDT or LogicReg, not ", words[1])
}
