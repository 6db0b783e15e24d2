"""Results predict, and CauseClassifier is an estimator of scikit-learn."""

import pickle

import concause
import numpy
import pandas
import pytest
from sklearn.base import clone
from sklearn.metrics import roc_auc_score
from sklearn.utils.estimator_checks import parametrize_with_checks


@parametrize_with_checks([concause.CauseClassifier()])
def test_the_checks_of_scikit_learn(estimator, check):
    check(estimator)


@pytest.fixture(scope="module")
def fires():
    frame = pandas.read_csv("examples/fire.csv")
    return frame.drop(columns="fire"), frame["fire"]


def test_a_result_predicts_also_when_it_was_saved(fires):
    X, y = fires
    result = concause.mine(X.assign(fire=y), "fire")
    found = result.predict_proba(X)
    assert found.shape == (len(X), 2) and numpy.allclose(found.sum(axis=1), 1)
    assert abs(found[:, 1].mean() - y.mean()) < 0.005
    assert (pickle.loads(pickle.dumps(result)).predict_proba(X) == found).all()
    assert (result.predict_proba(X.to_dict("list")) == found).all()
    both = X["burning_stub"].eq(1) & X["dry_brush"].eq(1)
    assert found[both, 1].min() > found[~both & X["lightning"].eq(0) & X["power_line_fault"].eq(0), 1].max() + 0.2


def test_what_cannot_be_predicted_is_said(fires):
    X, y = fires
    result = concause.mine(X.assign(fire=y), "fire")
    with pytest.raises(concause.InputError, match="predicts from the column \"lightning\", which the data lack"):
        result.predict_proba(X.drop(columns="lightning"))
    with pytest.raises(concause.InputError, match="method mh-pc-f does not predict"):
        concause.mine(X.assign(fire=y), "fire", method="mh-pc-f").predict_proba(X)
    with pytest.raises(concause.InputError, match="does not predict; give method='joint'"):
        concause.CauseClassifier(method="mh-pc-f").fit(X, y)


def test_the_classifier_predicts_what_the_result_predicts(fires):
    X, y = fires
    classifier = concause.CauseClassifier(max_level=2).fit(X, y)
    found = classifier.predict_proba(X)
    assert (found == concause.mine(X.assign(fire=y), "fire").predict_proba(X)).all()
    assert (classifier.predict(X) == (found[:, 1] > 0.5)).all()
    assert roc_auc_score(y, found[:, 1]) > 0.7
    assert clone(classifier).get_params()["max_level"] == 2
    assert (pickle.loads(pickle.dumps(classifier)).predict_proba(X) == found).all()


def test_more_than_two_classes(fires):
    X, y = fires
    kinds = numpy.where(y == 1, "fire", numpy.where(X["lightning"] == 1, "flash", "none"))
    classifier = concause.CauseClassifier().fit(X, kinds)
    found = classifier.predict_proba(X)
    assert list(classifier.classes_) == ["fire", "flash", "none"]
    assert numpy.allclose(found.sum(axis=1), 1)
    for place, kind in enumerate(classifier.classes_):
        assert abs(found[:, place].mean() - (kinds == kind).mean()) < 0.01
    assert (classifier.predict(X) == classifier.classes_[found.argmax(axis=1)]).all()
