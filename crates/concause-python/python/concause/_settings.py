"""The settings of each function, generated from their definitions; UPDATE_SNAPSHOTS=1 pytest updates this file."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from datetime import timedelta
from typing import TypedDict

from ._data import Path


class EncodeSettings(TypedDict, total=False):
    """The settings of :func:`concause.encode`."""

    declare: Path
    """TOML file with types, values and cut points of attributes"""

    labels: Path
    """Labels of values, which name them in all results: a TOML file with a table per attribute, or a CSV file with
    the columns attribute, value and label"""

    nominal: str | Sequence[str]
    """Attributes to read as nominal (one column per value), comma-separated"""

    binary: str | Sequence[str]
    """Attributes to read as binary (one column)"""

    continuous: str | Sequence[str]
    """Attributes to read as ordered: numbers, with a threshold between each two of their bands"""

    ignore: str | Sequence[str]
    """Attributes to exclude"""

    weights: str
    """Attribute of frequency weights: the number of rows that each row represents (whole numbers; 0 excludes the
    row). Survey and other sampling weights are not supported"""

    cuts: str | Sequence[str]
    """Cuts of an ordered attribute, e.g. age=30,45,60: its thresholds are age>=30, age>=45 and age>=60"""

    bands: int
    """Cut ordered attributes into at most N bands of about equal frequency [default: 16]"""

    use: str | Sequence[str]
    """Attributes to use although they look like identifiers"""

    columns: str
    """Columns of an attribute: attributes (one if it has two values, thresholds of numbers, rare values pooled) or
    values (one per value, and intervals of numbers that depend on the target, as in the paper) [default: attributes;
    paper presets: values]"""

    drop_continuous: bool
    """Exclude ordered attributes"""

    negate: bool
    """Add a column for the other value of every attribute with two values (V1=0)"""

    missing_as: str
    """Treatment of missing values: zero (0 in all columns of the attribute), level (a separate column) or drop
    (exclude the row) [default: zero]"""

    missing: str | Sequence[str]
    """Additional missing-value marker, besides the empty field, NA, NaN, null and ?; may be repeated"""

    decimal: str
    """Decimal mark of numbers that can be read in two ways, such as 1,234: point or comma [default: comma where
    semicolons separate the fields, else point]"""

    comment: str
    """Skip lines of text files that begin with this character, e.g. '#'"""

    delimiter: str
    """Field delimiter: a character, tab or blank (any run of blanks) [default: detected]"""

    quote: str
    """Quote character around fields, or none [default: "]"""

    header: bool
    """The first line contains the column names [default: detected]"""

    encoding: str
    """Text encoding: utf8 or latin1 [default: utf8]"""

    input_format: str
    """File format: text, parquet, arrow, json, excel, stata, spss, sas-transport, sqlite, plink, plink-raw or vcf
    [default: by its first bytes, then by extension]"""

    max_memory: int | str
    """Maximum memory for the data, e.g. 500M or 8G"""

    threads: int
    """Number of threads; 0 uses all processors [default: 0]"""


class MineSettings(EncodeSettings, total=False):
    """The settings of :func:`concause.mine`."""

    method: str
    """Search method: hiton-pc (single causes only); mh-pc-f (multi-level HITON-PC, conditions on all causes so far,
    faster with thousands of columns); mh-pc-b (multi-level HITON-PC, conditions on the causes of lower levels first);
    joint (probabilities of single and combined causes, averaged over models on several scales of risk); pc-select
    (single causes only, pcSelect of the R package pcalg); naive-h (HITON-PC over all conjunctions as if they were
    columns); naive-s (PC-select over all conjunctions as if they were columns); cr-pa (causal rules by partial
    association, the Mantel-Haenszel test within strata); cr-cs (causal rules by cohort studies, matched pairs within
    strata) [default: joint; paper presets: mh-pc-b]"""

    holdout: float
    """Hold out this share of the rows, e.g. 0.3, drawn at random: the search does not use them; effects are estimated
    and every cause is tested again in them"""

    preset: str
    """Predefined settings: default, paper (the algorithms of the paper) or paper-table (reproduces the paper's
    results on real data) [default: default]"""

    test: str
    """Independence test: g2 (likelihood-ratio G² with the full degrees of freedom); x2 (Pearson's X² with the full
    degrees of freedom); g2-adjusted (G² with the degrees of freedom of the non-empty rows and columns); x2-adjusted
    (X² with the degrees of freedom of the non-empty rows and columns); exact (exact conditional test if expected
    counts are small, G² otherwise) [default: g2]"""

    alpha: float
    """Significance level of association and separation tests [default: 0.05]"""

    fdr: str
    """Control the false discovery rate of association at alpha over the candidates of each level: bh (Benjamini-
    Hochberg) or by (Benjamini-Yekutieli, for any dependence) [default: no control]"""

    redundancy_alpha: float
    """Significance level of the redundancy test [default: 0.01]"""

    max_k: int
    """Maximum size of a conditioning set [default: 3; paper-table: 2]"""

    max_level: int
    """Maximum number of columns in a combined cause [default: 2]"""

    overlap: str
    """Whether a conditioning set may share a column with the candidate: allow or skip [default: allow; paper-table:
    skip]"""

    duplicates: str
    """Treatment of identical and complementary columns: merge (the first represents all) or ordinary (each is a
    column of its own) [default: merge; paper presets: ordinary]"""

    max_candidates: int
    """Maximum number of candidates per level [default: 1000000000]"""

    max_tests: int
    """Maximum number of tests that pc-select, naive-h and naive-s may need; larger searches are rejected up front
    [default: 100000000000 for pc-select and naive-s, 10000000000000 for naive-h]"""

    seed: int
    """Seed of the random numbers for matched pairs (cr-cs), half-samples, shuffled outcomes and held-out rows
    [default: 1]"""

    time_limit: float | str | timedelta
    """Stop the search after this time, e.g. 90s, 10m or 2h, and report the results so far"""

    after: str | Sequence[str]
    """Attributes or columns that occur after the outcome, comma-separated: never causes, never in a conditioning set"""

    covariates: str | Sequence[str]
    """Attributes or columns held fixed in every test (e.g. age, sex), in addition to the conditioning set; never
    causes"""

    forbid: str | Sequence[str]
    """Attributes or columns that cannot be a cause or part of one; they may still separate other candidates from the
    outcome"""

    require: str | Sequence[str]
    """Known causes, kept regardless of the tests: columns or conjunctions"""

    order: Path
    """TOML file with the temporal order, earliest tier first: tiers = [["sex", "age"], ["smoking"], ["sick"],
    ["drug"]]. Later tiers than that of the outcome occur after it"""

    stability: int
    """Repeat the search in N random half-samples and report how often each cause is found again"""

    calibrate: int
    """Repeat the search with N shuffled outcomes and report how many false causes these settings find"""

    reasons: int
    """Report rejection reasons for the N strongest non-causes per level, in JSON and HTML [default: 1000]"""


class ExplainSettings(EncodeSettings, total=False):
    """The settings of :func:`concause.explain`."""

    method: str
    """Search method: hiton-pc (single causes only); mh-pc-f (multi-level HITON-PC, conditions on all causes so far,
    faster with thousands of columns); mh-pc-b (multi-level HITON-PC, conditions on the causes of lower levels first);
    joint (probabilities of single and combined causes, averaged over models on several scales of risk); pc-select
    (single causes only, pcSelect of the R package pcalg); naive-h (HITON-PC over all conjunctions as if they were
    columns); naive-s (PC-select over all conjunctions as if they were columns); cr-pa (causal rules by partial
    association, the Mantel-Haenszel test within strata); cr-cs (causal rules by cohort studies, matched pairs within
    strata) [default: joint; paper presets: mh-pc-b]"""

    holdout: float
    """Hold out this share of the rows, e.g. 0.3, drawn at random: the search does not use them; effects are estimated
    and every cause is tested again in them"""

    preset: str
    """Predefined settings: default, paper (the algorithms of the paper) or paper-table (reproduces the paper's
    results on real data) [default: default]"""

    test: str
    """Independence test: g2 (likelihood-ratio G² with the full degrees of freedom); x2 (Pearson's X² with the full
    degrees of freedom); g2-adjusted (G² with the degrees of freedom of the non-empty rows and columns); x2-adjusted
    (X² with the degrees of freedom of the non-empty rows and columns); exact (exact conditional test if expected
    counts are small, G² otherwise) [default: g2]"""

    alpha: float
    """Significance level of association and separation tests [default: 0.05]"""

    fdr: str
    """Control the false discovery rate of association at alpha over the candidates of each level: bh (Benjamini-
    Hochberg) or by (Benjamini-Yekutieli, for any dependence) [default: no control]"""

    redundancy_alpha: float
    """Significance level of the redundancy test [default: 0.01]"""

    max_k: int
    """Maximum size of a conditioning set [default: 3; paper-table: 2]"""

    max_level: int
    """Maximum number of columns in a combined cause [default: 2]"""

    overlap: str
    """Whether a conditioning set may share a column with the candidate: allow or skip [default: allow; paper-table:
    skip]"""

    duplicates: str
    """Treatment of identical and complementary columns: merge (the first represents all) or ordinary (each is a
    column of its own) [default: merge; paper presets: ordinary]"""

    max_candidates: int
    """Maximum number of candidates per level [default: 1000000000]"""

    max_tests: int
    """Maximum number of tests that pc-select, naive-h and naive-s may need; larger searches are rejected up front
    [default: 100000000000 for pc-select and naive-s, 10000000000000 for naive-h]"""

    seed: int
    """Seed of the random numbers for matched pairs (cr-cs), half-samples, shuffled outcomes and held-out rows
    [default: 1]"""

    time_limit: float | str | timedelta
    """Stop the search after this time, e.g. 90s, 10m or 2h, and report the results so far"""

    after: str | Sequence[str]
    """Attributes or columns that occur after the outcome, comma-separated: never causes, never in a conditioning set"""

    covariates: str | Sequence[str]
    """Attributes or columns held fixed in every test (e.g. age, sex), in addition to the conditioning set; never
    causes"""

    forbid: str | Sequence[str]
    """Attributes or columns that cannot be a cause or part of one; they may still separate other candidates from the
    outcome"""

    require: str | Sequence[str]
    """Known causes, kept regardless of the tests: columns or conjunctions"""

    order: Path
    """TOML file with the temporal order, earliest tier first: tiers = [["sex", "age"], ["smoking"], ["sick"],
    ["drug"]]. Later tiers than that of the outcome occur after it"""


class TestSettings(EncodeSettings, total=False):
    """The settings of :func:`concause.test`."""

    within: str
    """Use only the rows where this column or conjunction is 1"""

    covariates: str | Sequence[str]
    """Attributes or columns held fixed in every test (e.g. age, sex), in addition to the conditioning set"""

    test: str
    """Independence test: g2 (likelihood-ratio G² with the full degrees of freedom); x2 (Pearson's X² with the full
    degrees of freedom); g2-adjusted (G² with the degrees of freedom of the non-empty rows and columns); x2-adjusted
    (X² with the degrees of freedom of the non-empty rows and columns); exact (exact conditional test if expected
    counts are small, G² otherwise) [default: g2]"""

    alpha: float
    """Significance level of the test [default: 0.05]"""


class CompareSettings(EncodeSettings, total=False):
    """The settings of :func:`concause.compare`."""

    preset: str
    """Predefined settings: default, paper (the algorithms of the paper) or paper-table (reproduces the paper's
    results on real data) [default: default]"""

    test: str
    """Independence test: g2 (likelihood-ratio G² with the full degrees of freedom); x2 (Pearson's X² with the full
    degrees of freedom); g2-adjusted (G² with the degrees of freedom of the non-empty rows and columns); x2-adjusted
    (X² with the degrees of freedom of the non-empty rows and columns); exact (exact conditional test if expected
    counts are small, G² otherwise) [default: g2]"""

    alpha: float
    """Significance level of association and separation tests [default: 0.05]"""

    fdr: str
    """Control the false discovery rate of association at alpha over the candidates of each level: bh (Benjamini-
    Hochberg) or by (Benjamini-Yekutieli, for any dependence) [default: no control]"""

    redundancy_alpha: float
    """Significance level of the redundancy test [default: 0.01]"""

    max_k: int
    """Maximum size of a conditioning set [default: 3; paper-table: 2]"""

    max_level: int
    """Maximum number of columns in a combined cause [default: 2]"""

    overlap: str
    """Whether a conditioning set may share a column with the candidate: allow or skip [default: allow; paper-table:
    skip]"""

    duplicates: str
    """Treatment of identical and complementary columns: merge (the first represents all) or ordinary (each is a
    column of its own) [default: merge; paper presets: ordinary]"""

    max_candidates: int
    """Maximum number of candidates per level [default: 1000000000]"""

    max_tests: int
    """Maximum number of tests that pc-select, naive-h and naive-s may need; larger searches are rejected up front
    [default: 100000000000 for pc-select and naive-s, 10000000000000 for naive-h]"""

    seed: int
    """Seed of the random numbers for matched pairs (cr-cs), half-samples, shuffled outcomes and held-out rows
    [default: 1]"""

    time_limit: float | str | timedelta
    """Stop the search after this time, e.g. 90s, 10m or 2h, and report the results so far"""

    after: str | Sequence[str]
    """Attributes or columns that occur after the outcome, comma-separated: never causes, never in a conditioning set"""

    covariates: str | Sequence[str]
    """Attributes or columns held fixed in every test (e.g. age, sex), in addition to the conditioning set; never
    causes"""

    forbid: str | Sequence[str]
    """Attributes or columns that cannot be a cause or part of one; they may still separate other candidates from the
    outcome"""

    require: str | Sequence[str]
    """Known causes, kept regardless of the tests: columns or conjunctions"""

    order: Path
    """TOML file with the temporal order, earliest tier first: tiers = [["sex", "age"], ["smoking"], ["sick"],
    ["drug"]]. Later tiers than that of the outcome occur after it"""


class SimulateSettings(TypedDict, total=False):
    """The settings of :func:`concause.simulate`."""

    set: Mapping[str, object]
    """Set a parameter of the recipe; may be repeated"""

    rows: int
    """Number of rows"""

    split: str
    """How combined causes are split into parts: aware (no part is associated with the target), blind or blind-half
    (regardless of the target)"""
