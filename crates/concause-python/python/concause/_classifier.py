"""A classifier of scikit-learn."""

from __future__ import annotations

from typing import Any, Unpack

import numpy as np
from sklearn.base import ClassifierMixin
from sklearn.utils.validation import check_is_fitted

from ._errors import InputError
from ._functions import with_settings
from ._miner import OF_FILES, FeatureSearch, feature_table
from ._settings import MineSettings


class CauseClassifier(ClassifierMixin, FeatureSearch):  # type: ignore[misc]
    """Predicts the probability of an outcome by its causes, averaged over the models of the method ``joint``.

    ``fit`` searches the features for the causes of ``y``, ``predict_proba`` returns the probability of each class. With
    more than two classes, each class is an outcome, and the probabilities are scaled so that their sum is 1. Features
    are as in :class:`concause.CauseMiner`. All parameters are settings of :func:`concause.mine`.

    Attributes
    ----------
    results_ : the :class:`concause.Result` of every outcome, by class; of two classes, only the second is an outcome.
        A class for which no feature can be used (e.g. all are constant) has no result.
    classes_, n_features_in_, feature_names_in_ : as in scikit-learn.

    >>> import concause
    >>> data = concause.simulate("syn-7", seed=1).to_pandas()
    >>> X, y = data.drop(columns="T"), data["T"]
    >>> classifier = concause.CauseClassifier().fit(X, y)
    >>> classifier.predict_proba(X).shape == (len(X), 2)
    True
    """

    @with_settings(MineSettings, without=OF_FILES)
    def __init__(self, **settings: Unpack[MineSettings]) -> None:
        self._take_settings(dict(settings))

    def fit(self, X: Any, y: Any) -> CauseClassifier:
        """Search the features for the causes of ``y``."""
        _, y = self._search(X, y)
        for result in self.results_.values():
            if "model" not in result._fields:
                raise InputError(f"the method {result.settings.method!r} does not predict; give method='joint'")
        self._shares = [float(np.mean(y == outcome)) for outcome in self.classes_]
        return self

    def predict_proba(self, X: Any) -> Any:
        """The probability of each class, in the order of ``classes_``: a row for each row of ``X``."""
        check_is_fitted(self)
        X = self._checked(X, reset=False)
        table = feature_table(X, self._names())
        found = []
        for outcome, share in zip(self.classes_.tolist(), self._shares):
            result = self.results_.get(outcome)
            found.append(np.full(len(X), share) if result is None else result.predict_proba(table)[:, 1])
        if len(self.classes_) == 2:
            return np.column_stack([1.0 - found[1], found[1]])
        risks = np.column_stack(found)
        # No class is impossible, so that the sum is not 0.
        risks = np.maximum(risks, np.finfo(float).tiny)
        return risks / risks.sum(axis=1, keepdims=True)

    def predict(self, X: Any) -> Any:
        """The most probable class of each row."""
        probabilities = self.predict_proba(X)
        return self.classes_[np.argmax(probabilities, axis=1)]
