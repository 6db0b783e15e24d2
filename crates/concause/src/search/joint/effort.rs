//! The constants of effort of the search.
//!
//! They decide how long the search takes and how sure it is to find the best models, not which model is better: that
//! follows from the prior ([`super::space`]) and the data.

/// Models less likely than the best by this factor are left out (Madigan and Raftery 1994).
pub(super) const WINDOW: f64 = 20.0;

/// A replacement of several terms that makes a model worse by more than this is not tried again at other models, and a
/// candidate that is predicted to do so is not tried first.
pub(super) const MUCH_WORSE: f64 = 5.0;

/// The effort after the best model was found: the number of models scored, each with the number of its groups of rows.
pub(super) const MOST_GROUPS: usize = 2_000_000;
pub(super) const LEAST_SCORED: usize = 20;
pub(super) const MOST_SCORED: usize = 300;

/// A climb ends if it would need more steps like the best of its last ones than the best model has more terms, and this
/// many more, to become the best. On the rare scales it starts near the best model, and the last step decides.
pub(super) const FURTHER_STEPS: usize = 10;
pub(super) const LAST_STEPS: usize = 3;
pub(super) const LAST_STEPS_IF_RARE: usize = 1;

/// A climb among tables is not abandoned, and looks two steps ahead, if it is below the best model by less than this.
/// Columns that matter only jointly gain little until the last of them is tabled.
pub(super) const HOPELESS: f64 = 100.0;

/// Tables are not started from a model with more terms.
pub(super) const MOST_TABLED: usize = 12;

/// The number of columns with which a table looks two steps ahead.
pub(super) const AHEAD: usize = 20;

/// Predictions are trusted more where fits take long: with this many groups of rows, half the error is allowed for. In
/// the window, they are trusted less where fits take little time: half as much with few groups.
pub(super) const MANY_GROUPS: f64 = 20_000.0;
pub(super) const FEW_GROUPS: f64 = 40.0;

/// The number of candidates that are tried first.
pub(super) const SHORTLIST: usize = 60;

/// The number of neighbours fitted at a time.
pub(super) const BATCH: usize = 2;

/// Several steps are taken at once if their gain is at most this share below the predicted one.
pub(super) const LEAP_ERROR: f64 = 0.05;

/// The least gain of a step of a climb, a Bayes factor of about 1.3. The window has all models near the best one, and
/// large data have so many of them that a climb to the very best takes a fifth longer.
pub(super) const LEAST_GAIN: f64 = 0.25;

/// Scores of tables that differ by less than this are equal.
pub(super) const EQUAL: f64 = 1e-3;

/// A term may take the place of another one if they share a column, if they are parts of one conjunction of the model,
/// or if the square of their correlation is at least this.
pub(super) const LEAST_CORRELATION: f64 = 0.05;

/// A predicted gain is taken to be off by at most this much, and this share of the size of the change.
pub(super) const CHANGE_ERROR: f64 = 2.0;
pub(super) const ERROR_SHARE: f64 = 0.25;

/// The part of this error that remains if no coefficient changes.
pub(super) const LEAST_ERROR: f64 = 0.3;

/// The largest number of terms of a model, besides the covariates and the required causes.
pub(super) const MOST_TERMS: usize = 120;

/// A path goes on as long as its groups of rows are at most this many times those of the model.
pub(super) const MORE_GROUPS: usize = 4;

/// The number of terms of each level that are extended to the next level.
pub(super) const EXTENDED: usize = 100;

/// The number of pairs of columns of which a sweep returns the two cells on a diagonal.
pub(super) const DIAGONALS: usize = 10;

/// The number of terms of each level that a sweep returns.
pub(super) const RETURNED: usize = 100;

/// Rounding changes the score of all rows by at most this share of its standard error, and their information by at most
/// this share. Scores and information only rank the candidates.
pub(super) const SCORE_ERROR: f64 = 0.3;
pub(super) const INFORMATION_ERROR: f64 = 0.05;

/// Up to this many weights are hardly rounded: the time of a sweep then depends on their number, not on their digits.
pub(super) const FEW_WEIGHTS: usize = 16;

/// With up to this many rows, there are at most this many units in 1.
pub(super) const ROWS: u64 = 1 << 20;
pub(super) const MOST_UNITS: f64 = (1u64 << 16) as f64;
