"""A transformer of scikit-learn, and what it shares with the classifier."""

from __future__ import annotations

import logging
import numbers
from typing import Any, Unpack

import numpy as np
from sklearn.base import BaseEstimator, TransformerMixin
from sklearn.utils import column_or_1d
from sklearn.utils.multiclass import check_classification_targets
from sklearn.utils.validation import _check_feature_names_in, check_is_fitted, validate_data

from . import _native
from ._data import prepare
from ._errors import InputError, NoColumnsError, SettingError
from ._functions import mine, shown_settings, with_settings
from ._packages import needed
from ._result import Cause, Result
from ._settings import MineSettings

_log = logging.getLogger("concause")

#: Settings that do not apply to features in memory: how text is read, and weights, which are a column of the table.
OF_FILES = frozenset({"comment", "decimal", "delimiter", "encoding", "header", "input_format", "quote", "weights"})


class FeatureSearch(BaseEstimator):  # type: ignore[misc]
    """What the estimators share: they search features for the causes of the classes of an outcome."""

    missing_as: str | None
    results_: dict[Any, Result]

    def _take_settings(self, settings: dict[str, Any]) -> None:
        name = type(self).__name__
        for setting in shown_settings(type(self).__init__):
            setattr(self, setting, settings.pop(setting, None))
        if settings:
            raise SettingError(f"{name} has no setting {next(iter(settings))!r}")

    def __sklearn_tags__(self) -> Any:
        tags = super().__sklearn_tags__()
        tags.target_tags.required = True
        tags.input_tags.allow_nan = True
        tags.input_tags.string = True
        tags.input_tags.categorical = True
        return tags

    def _search(self, X: Any, y: Any) -> tuple[list[str], Any]:
        """Search the features for the causes of every class; the names of the features, and ``y``."""
        named = getattr(y, "name", None)
        X, y = self._checked(X, y, reset=True)
        check_classification_targets(y)
        self.classes_ = np.unique(y)
        if len(self.classes_) < 2:
            raise InputError(f"y has one class ({self.classes_[0]!r}); give two classes or more")
        names = self._names()
        outcomes = self.classes_[1:] if len(self.classes_) == 2 else self.classes_
        table = feature_table(X, names)
        self.results_ = {}
        for outcome in outcomes.tolist():
            try:
                self.results_[outcome] = self._mine(table, _outcome_name(named, outcome, names), y == outcome)
            except NoColumnsError as error:
                # A class without usable features has no causes.
                _log.warning("%r: %s", outcome, error)
        return names, y

    def _mine(self, table: Any, name: str, outcome: Any) -> Result:
        settings = {name: value for name, value in self.get_params().items() if name != "keep" and value is not None}
        return mine(_with_outcome(table, name, outcome), name, **settings)

    def _checked(self, X: Any, y: Any = "no_validation", *, reset: bool) -> Any:
        """Validated data: data frames keep the types of their columns; everything else becomes an array."""
        if type(X).__module__.startswith("pyarrow"):
            X = X.to_pandas()
        if hasattr(X, "columns") and hasattr(X, "__arrow_c_stream__"):
            if isinstance(y, str):
                return validate_data(self, X, reset=reset, skip_check_array=True)
            if y is None:
                # scikit-learn words the error.
                validate_data(self, X, y, reset=reset, skip_check_array=False)
            X = validate_data(self, X, reset=reset, skip_check_array=True)
            y = column_or_1d(y, warn=True)
            if len(X) != len(y):
                raise InputError(f"X has {len(X)} rows but y has {len(y)}")
            return X, y
        checked = validate_data(
            self, X, y, reset=reset, dtype=None, ensure_all_finite="allow-nan", ensure_min_samples=2 if reset else 1
        )
        _check_objects(checked if isinstance(y, str) else checked[0])
        return checked

    def _names(self) -> list[str]:
        known = getattr(self, "feature_names_in_", None)
        names = [f"x{place}" for place in range(self.n_features_in_)] if known is None else known.tolist()
        return [str(name) for name in names]


class CauseMiner(TransformerMixin, FeatureSearch):  # type: ignore[misc]
    """Adds the combined causes of an outcome to the features, as columns of 0 and 1.

    ``fit`` searches the features for the causes of ``y``. ``transform`` returns the features (``keep="all"``), or only
    those that are a cause or part of one (``keep="causes"``), followed by a column for every combined cause. With more
    than two classes, each class is an outcome and the causes of all outcomes are used. Features are numbers, text,
    truth values or categories, and may be missing; they are arrays, or data frames, which keep their types. All other
    parameters are settings of :func:`concause.mine`.

    Attributes
    ----------
    results_ : the :class:`concause.Result` of every outcome, by class; of two classes, only the second is an outcome.
        A class for which no feature can be used (e.g. all are constant) has no result.
    causes_ : the causes of all outcomes, each once.
    combined_ : the names of the combined causes.
    classes_, n_features_in_, feature_names_in_ : as in scikit-learn.

    >>> import concause
    >>> data = concause.simulate("syn-50", seed=1).to_pandas()
    >>> X, y = data.drop(columns="T"), data["T"]
    >>> miner = concause.CauseMiner(method="mh-pc-f", preset="paper").fit(X, y)
    >>> miner.combined_
    ['V5&V20', 'V18&V26', 'V28&V46', 'V1&V3', 'V14&V40']
    >>> miner.transform(X).shape, int(miner.get_support().sum())
    ((5000, 54), 15)
    """

    keep: str
    columns: str | None
    preset: str | None

    @with_settings(MineSettings, without=OF_FILES)
    def __init__(self, *, keep: str = "all", **settings: Unpack[MineSettings]) -> None:
        self.keep = keep
        self._take_settings(dict(settings))

    def fit(self, X: Any, y: Any) -> CauseMiner:
        """Search the features for the causes of ``y``."""
        if self.keep not in ("all", "causes"):
            raise InputError(f"keep must be 'all' or 'causes', not {self.keep!r}")
        if self.missing_as == "drop":
            raise InputError("missing_as='drop' leaves out rows, which a transformer cannot; give 'zero' or 'level'")
        names, _ = self._search(X, y)
        self._finalise(names)
        return self

    def _finalise(self, names: list[str]) -> None:
        """Store what ``transform`` needs, without the data: a pickled result has none."""
        found: dict[str, Cause] = {}
        declarations: list[tuple[list[str], str, list[Cause]]] = []
        support = np.zeros(len(names), dtype=bool)
        for result in self.results_.values():
            mined = result._mined
            assert mined is not None, "a result just mined holds its data"
            new = [cause for cause in result.causes if cause.name not in found]
            found.update((cause.name, cause) for cause in new)
            parts = mined.declaration_of([column for cause in new for column in cause.columns])[0]
            support[[names.index(attribute) for attribute in parts]] = True
            combined = [cause for cause in new if cause.level > 1]
            if combined:
                columns = sorted({column for cause in combined for column in cause.columns})
                attributes, declaration = mined.declaration_of(columns)
                declarations.append((attributes, declaration, combined))
        self.causes_ = list(found.values())
        self.combined_ = [cause.name for _, _, combined in declarations for cause in combined]
        self._support = support
        self._declarations = declarations

    def transform(self, X: Any) -> Any:
        """The features and a column of 0 and 1 for every combined cause."""
        check_is_fitted(self)
        X = self._checked(X, reset=False)
        kept = X
        if self.keep == "causes":
            kept = X.iloc[:, self._support] if hasattr(X, "iloc") else X[:, np.flatnonzero(self._support).tolist()]
        return _beside(kept, self._combined(X), self.combined_)

    def _combined(self, X: Any) -> Any:
        """The values of the combined causes."""
        table = feature_table(X, self._names())
        found = []
        for attributes, declaration, causes in self._declarations:
            columns = sorted({column for cause in causes for column in cause.columns})
            data = {name: table[name] for name in attributes} if isinstance(table, dict) else table[attributes]
            settings = {name: getattr(self, name) for name in ("negate", "missing", "missing_as", "threads", "columns")}
            if self.columns is None and str(self.preset).startswith("paper"):
                settings["columns"] = "values"
            given = _native.apply(prepare(data), {**settings, "target": ""}, declaration, columns, None)
            bits = {column: np.frombuffer(rows, dtype=bool) for column, rows in zip(columns, given)}
            found += [np.logical_and.reduce(list(_literals(cause, bits))) for cause in causes]
        return np.column_stack(found) if found else np.empty((len(X), 0), dtype=bool)

    def get_support(self, indices: bool = False) -> Any:
        """The features that are causes or parts of causes: a mask, or their indices."""
        check_is_fitted(self)
        return np.flatnonzero(self._support) if indices else self._support.copy()

    def get_feature_names_out(self, input_features: Any = None) -> Any:
        """The names of the features and of the combined causes."""
        check_is_fitted(self)
        names = np.asarray(_check_feature_names_in(self, input_features), dtype=object)
        kept = names if self.keep == "all" else names[self._support]
        return np.concatenate([kept, np.asarray(self.combined_, dtype=object)])


def _literals(cause: Cause, bits: dict[str, Any]) -> Any:
    """The rows in which each literal of a cause holds."""
    place = 0
    for literal in cause.literals:
        column, *further = cause.columns[place : place + 2]
        place += 1
        if further and literal == _interval(column, further[0]):
            place += 1
            yield bits[column] & ~bits[further[0]]
        else:
            yield bits[column] if literal == column else ~bits[column]


def _interval(low: str, high: str) -> str:
    """The name of the interval between two thresholds of an attribute, such as ``30<=age<45``."""
    attribute, _, start = low.rpartition(">=")
    return f"{start}<={attribute}<{high.rpartition('>=')[2]}"


def feature_table(X: Any, names: list[str]) -> Any:
    """The features by name: a data frame, or the columns of an array."""
    if hasattr(X, "iloc"):
        return X.set_axis(names, axis=1)
    return X if hasattr(X, "to_series") else {name: X[:, place] for place, name in enumerate(names)}


def _with_outcome(table: Any, name: str, outcome: Any) -> Any:
    if isinstance(table, dict):
        return {**table, name: outcome}
    if hasattr(table, "iloc"):
        return table.assign(**{name: outcome})
    return table.with_columns(needed("polars", "a data frame of polars").Series(name, outcome))


def _outcome_name(named: object, outcome: object, features: list[str]) -> str:
    """The name of ``y`` and, unless it is 1 or True, the class; different from all features."""
    name = "y" if named is None else str(named)
    if outcome not in (1, True):
        name = f"{name}={outcome}"
    while name in features:
        name += "_"
    return name


def _check_objects(X: Any) -> None:
    if X.dtype.kind == "c":
        raise InputError("Complex data not supported: features are numbers, text or truth values")
    if X.dtype == object:
        for value in X.flat:
            if not (value is None or isinstance(value, (str, bytes, numbers.Number))):
                raise TypeError(f"argument must be a string or a number, not {type(value).__name__!r}")


def _beside(X: Any, bits: Any, names: list[str]) -> Any:
    if hasattr(X, "iloc"):
        pandas = needed("pandas", "a data frame of pandas")
        return pandas.concat([X, pandas.DataFrame(bits.astype(np.int8), columns=names, index=X.index)], axis=1)
    if hasattr(X, "to_series"):
        polars = needed("polars", "a data frame of polars")
        return X.hstack([polars.Series(name, bits[:, place].astype(np.int8)) for place, name in enumerate(names)])
    return np.hstack([X, bits.astype(X.dtype if X.dtype.kind in "iuf" else object if X.dtype == object else float)])
