"""The settings of each function, made from the flags of the command: UPDATE_SNAPSHOTS=1 pytest renews this file."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from datetime import timedelta
from typing import TypedDict

from ._data import Path


class EncodeSettings(TypedDict, total=False):
    """The settings of :func:`concause.encode`."""

    declare: Path
    """Types, values and cut points of attributes, in a TOML file"""

    nominal: str | Sequence[str]
    """Attributes to read as nominal (one column per value), separated by commas"""

    binary: str | Sequence[str]
    """Attributes to read as binary (one column)"""

    continuous: str | Sequence[str]
    """Attributes to read as continuous (cut into intervals)"""

    ignore: str | Sequence[str]
    """Attributes to leave out"""

    weights: str
    """The attribute that says how many rows each row stands for: whole numbers; 0 leaves the row out. Survey and
    other sampling weights are not supported"""

    bins: int
    """Cut continuous attributes into N intervals with about as many rows each, not by entropy"""

    drop_continuous: bool
    """Leave out continuous attributes"""

    negate: bool
    """Also offer the negation of every binary column (!V1)"""

    missing_as: str
    """What becomes of missing values: zero (0 in all columns of the attribute), level (a column of their own) or drop
    (the row is left out) [default: zero]"""

    missing: str | Sequence[str]
    """A further mark of missing values, beside the empty field, NA, NaN, null and ?"""

    delimiter: str
    """What separates the fields: a character, tab or blank (any run of blanks) [default: detected]"""

    quote: str
    """The quote around fields: a character, or none [default: "]"""

    header: bool
    """The first line holds the names [default: detected]"""

    encoding: str
    """The encoding of text: utf8 or latin1 [default: utf8]"""

    input_format: str
    """The format of the files: text, parquet or arrow [default: by extension]"""

    max_memory: int | str
    """The most memory the data may take, e.g. 500M or 8G"""

    threads: int
    """The number of threads; 0 means all processors [default: 0]"""


class MineSettings(EncodeSettings, total=False):
    """The settings of :func:`concause.mine`."""

    method: str
    """The way to search: mh-pc-x (finds conjunctions also where their parts are associated with the target); the
    paper's mh-pc-f and mh-pc-b (f is the quicker for thousands of columns) and hiton-pc (single causes only); or, to
    compare with, pc-select (single causes only), naive-h and naive-s (HITON-PC and PC-select over all conjunctions as
    if they were columns), cr-pa and cr-cs (causal rules by partial association and by matched pairs) [default: mh-
    pc-x; with the presets of the paper mh-pc-b]"""

    holdout: float
    """Keep this share of the rows from the search, e.g. 0.3, drawn at random: effects are estimated in them, and
    every cause is tested in them once more"""

    preset: str
    """Settings that belong together: default, paper (the paper's listings) or paper-table (what gives the numbers of
    the paper's table of real data) [default: default]"""

    test: str
    """The test of independence: g2, x2, g2-adjusted, x2-adjusted or exact [default: g2]"""

    alpha: float
    """The significance level of association and separation [default: 0.05]"""

    fdr: str
    """Keep the false discovery rate of association at alpha over all candidates of a level: bh (Benjamini-Hochberg)
    or by (Benjamini-Yekutieli, for any dependence) [default: each candidate is tested at alpha by itself]"""

    redundancy_alpha: float
    """The significance level of the redundancy test [default: 0.01]"""

    max_k: int
    """The largest conditioning set [default: 3; paper-table: 2]"""

    max_level: int
    """The most columns in a combined cause [default: 2]"""

    overlap: str
    """Whether a conditioning set may share a column with the candidate: allow or skip [default: allow; paper-table:
    skip]"""

    twins: str
    """What becomes of equal and complementary columns: merge (the first stands for all) or ordinary [default: merge;
    paper presets: ordinary]"""

    max_candidates: int
    """The most candidates a level may have [default: 1000000000]"""

    max_tests: int
    """The most tests that pc-select, naive-h and naive-s may need at worst; more is refused before they begin
    [default: 10000000000000]"""

    seed: int
    """The seed of what is drawn at random: the matched pairs of cr-cs, half-samples, shuffled outcomes and rows held
    out [default: 1]"""

    time_limit: float | str | timedelta
    """Stop searching after this time, e.g. 90s, 10m or 2h, and give what is known by then"""

    after: str | Sequence[str]
    """What comes after the outcome, separated by commas: never a cause, and never in a conditioning set"""

    covariates: str | Sequence[str]
    """What to hold fixed in every test, beside the conditioning set (age and sex, say); never causes"""

    forbid: str | Sequence[str]
    """What may not be a cause, nor part of one, but may still explain others away"""

    require: str | Sequence[str]
    """Causes that are known, whatever the tests say: columns or conjunctions"""

    order: Path
    """An order of time in a TOML file, tiers = [["sex", "age"], ["smoking"], ["sick"], ["drug"]], the earliest first:
    what is in a later tier than the outcome comes after it"""

    stability: int
    """Search N random halves of the rows too, and tell in how many of them each cause is found again"""

    calibrate: int
    """Search N times with a shuffled outcome too, and tell how many causes these settings find where there are none"""

    reasons: int
    """Tell in JSON and HTML why the N strongest candidates of each level that are no causes are none [default: 1000]"""


class ExplainSettings(EncodeSettings, total=False):
    """The settings of :func:`concause.explain`."""

    method: str
    """The way to search: mh-pc-x (finds conjunctions also where their parts are associated with the target); the
    paper's mh-pc-f and mh-pc-b (f is the quicker for thousands of columns) and hiton-pc (single causes only); or, to
    compare with, pc-select (single causes only), naive-h and naive-s (HITON-PC and PC-select over all conjunctions as
    if they were columns), cr-pa and cr-cs (causal rules by partial association and by matched pairs) [default: mh-
    pc-x; with the presets of the paper mh-pc-b]"""

    holdout: float
    """Keep this share of the rows from the search, e.g. 0.3, drawn at random: effects are estimated in them, and
    every cause is tested in them once more"""

    preset: str
    """Settings that belong together: default, paper (the paper's listings) or paper-table (what gives the numbers of
    the paper's table of real data) [default: default]"""

    test: str
    """The test of independence: g2, x2, g2-adjusted, x2-adjusted or exact [default: g2]"""

    alpha: float
    """The significance level of association and separation [default: 0.05]"""

    fdr: str
    """Keep the false discovery rate of association at alpha over all candidates of a level: bh (Benjamini-Hochberg)
    or by (Benjamini-Yekutieli, for any dependence) [default: each candidate is tested at alpha by itself]"""

    redundancy_alpha: float
    """The significance level of the redundancy test [default: 0.01]"""

    max_k: int
    """The largest conditioning set [default: 3; paper-table: 2]"""

    max_level: int
    """The most columns in a combined cause [default: 2]"""

    overlap: str
    """Whether a conditioning set may share a column with the candidate: allow or skip [default: allow; paper-table:
    skip]"""

    twins: str
    """What becomes of equal and complementary columns: merge (the first stands for all) or ordinary [default: merge;
    paper presets: ordinary]"""

    max_candidates: int
    """The most candidates a level may have [default: 1000000000]"""

    max_tests: int
    """The most tests that pc-select, naive-h and naive-s may need at worst; more is refused before they begin
    [default: 10000000000000]"""

    seed: int
    """The seed of what is drawn at random: the matched pairs of cr-cs, half-samples, shuffled outcomes and rows held
    out [default: 1]"""

    time_limit: float | str | timedelta
    """Stop searching after this time, e.g. 90s, 10m or 2h, and give what is known by then"""

    after: str | Sequence[str]
    """What comes after the outcome, separated by commas: never a cause, and never in a conditioning set"""

    covariates: str | Sequence[str]
    """What to hold fixed in every test, beside the conditioning set (age and sex, say); never causes"""

    forbid: str | Sequence[str]
    """What may not be a cause, nor part of one, but may still explain others away"""

    require: str | Sequence[str]
    """Causes that are known, whatever the tests say: columns or conjunctions"""

    order: Path
    """An order of time in a TOML file, tiers = [["sex", "age"], ["smoking"], ["sick"], ["drug"]], the earliest first:
    what is in a later tier than the outcome comes after it"""


class TestSettings(EncodeSettings, total=False):
    """The settings of :func:`concause.test`."""

    within: str
    """Only count rows in which this column or conjunction is 1"""

    covariates: str | Sequence[str]
    """What to hold fixed in every question, beside --given, as concause mine --covariates does: attributes or columns"""

    test: str
    """The test of independence: g2, x2, g2-adjusted, x2-adjusted or exact [default: g2]"""

    alpha: float
    """The significance level of the outcome [default: 0.05]"""


class CompareSettings(EncodeSettings, total=False):
    """The settings of :func:`concause.compare`."""

    preset: str
    """Settings that belong together: default, paper (the paper's listings) or paper-table (what gives the numbers of
    the paper's table of real data) [default: default]"""

    test: str
    """The test of independence: g2, x2, g2-adjusted, x2-adjusted or exact [default: g2]"""

    alpha: float
    """The significance level of association and separation [default: 0.05]"""

    fdr: str
    """Keep the false discovery rate of association at alpha over all candidates of a level: bh (Benjamini-Hochberg)
    or by (Benjamini-Yekutieli, for any dependence) [default: each candidate is tested at alpha by itself]"""

    redundancy_alpha: float
    """The significance level of the redundancy test [default: 0.01]"""

    max_k: int
    """The largest conditioning set [default: 3; paper-table: 2]"""

    max_level: int
    """The most columns in a combined cause [default: 2]"""

    overlap: str
    """Whether a conditioning set may share a column with the candidate: allow or skip [default: allow; paper-table:
    skip]"""

    twins: str
    """What becomes of equal and complementary columns: merge (the first stands for all) or ordinary [default: merge;
    paper presets: ordinary]"""

    max_candidates: int
    """The most candidates a level may have [default: 1000000000]"""

    max_tests: int
    """The most tests that pc-select, naive-h and naive-s may need at worst; more is refused before they begin
    [default: 10000000000000]"""

    seed: int
    """The seed of what is drawn at random: the matched pairs of cr-cs, half-samples, shuffled outcomes and rows held
    out [default: 1]"""

    time_limit: float | str | timedelta
    """Stop searching after this time, e.g. 90s, 10m or 2h, and give what is known by then"""

    after: str | Sequence[str]
    """What comes after the outcome, separated by commas: never a cause, and never in a conditioning set"""

    covariates: str | Sequence[str]
    """What to hold fixed in every test, beside the conditioning set (age and sex, say); never causes"""

    forbid: str | Sequence[str]
    """What may not be a cause, nor part of one, but may still explain others away"""

    require: str | Sequence[str]
    """Causes that are known, whatever the tests say: columns or conjunctions"""

    order: Path
    """An order of time in a TOML file, tiers = [["sex", "age"], ["smoking"], ["sick"], ["drug"]], the earliest first:
    what is in a later tier than the outcome comes after it"""


class SimulateSettings(TypedDict, total=False):
    """The settings of :func:`concause.simulate`."""

    set: Mapping[str, object]
    """Set a parameter of the recipe; may be given several times"""

    rows: int
    """The number of rows; a network has none of its own"""

    split: str
    """How combined causes are split into their parts: so that no part is associated with the target (aware), or
    without an eye on it (blind, blind-half)"""

    target: str
    """The outcome in a network; recipes call theirs T"""
