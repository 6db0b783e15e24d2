"""CauseMiner is an estimator of scikit-learn."""

import pickle

import concause
import numpy
import pandas
import polars
import pyarrow
import pytest
from sklearn.base import clone
from sklearn.linear_model import LogisticRegression
from sklearn.model_selection import GridSearchCV, cross_val_score
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler
from sklearn.utils.estimator_checks import parametrize_with_checks

from concause import _native

from conftest import unsourced


@parametrize_with_checks([concause.CauseMiner(), concause.CauseMiner(keep="causes", method="mh-pc-f")])
def test_the_checks_of_scikit_learn(estimator, check):
    check(estimator)


@pytest.fixture(scope="module")
def fires():
    frame = pandas.read_csv("examples/fire.csv")
    return frame.drop(columns="fire"), frame["fire"]


def expected(X, *names):
    """The conjunction of columns."""
    return X[list(names)].all(axis=1).astype(int).to_numpy()


def test_combined_causes_are_added(fires):
    X, y = fires
    miner = concause.CauseMiner().fit(X, y)
    assert miner.combined_ == ["burning_stub&dry_brush"]
    assert [cause.name for cause in miner.causes_] == ["lightning", "power_line_fault", "burning_stub&dry_brush"]
    assert list(X.columns[miner.get_support()]) == [
        name for name in X.columns if name in ("lightning", "power_line_fault", "burning_stub", "dry_brush")
    ]
    assert list(miner.get_support(indices=True)) == list(numpy.flatnonzero(miner.get_support()))
    added = miner.transform(X)
    assert list(added.columns) == [*X.columns, "burning_stub&dry_brush"] == list(miner.get_feature_names_out())
    assert added.index.equals(X.index) and added[X.columns].equals(X)
    assert (added["burning_stub&dry_brush"] == expected(X, "burning_stub", "dry_brush")).all()


def test_only_causes_are_kept_on_request(fires):
    X, y = fires
    miner = concause.CauseMiner(keep="causes").fit(X, y)
    names = [*X.columns[miner.get_support()], "burning_stub&dry_brush"]
    assert list(miner.get_feature_names_out()) == names == list(miner.transform(X).columns)
    with pytest.raises(concause.InputError, match="keep must be 'all' or 'causes', not 'some'"):
        concause.CauseMiner(keep="some").fit(X, y)
    with pytest.raises(concause.InputError, match="missing_as='drop' leaves out rows"):
        concause.CauseMiner(missing_as="drop").fit(X, y)


def test_the_result_is_that_of_mine(fires):
    X, y = fires
    miner = concause.CauseMiner(method="mh-pc-f", alpha=0.01).fit(X, y)
    result = concause.mine(X.assign(fire=y == 1), "fire", method="mh-pc-f", alpha=0.01)
    assert unsourced(miner.results_[1].to_json()) == unsourced(result.to_json())
    assert concause.CauseMiner().fit(X.rename(columns={"wind": "fire"}), y).results_[1].target.name == "fire_"


@pytest.mark.parametrize("holder", [pandas.DataFrame.to_numpy, polars.from_pandas, lambda X: X.astype(bool).to_numpy()])
def test_arrays_and_frames_agree(fires, holder):
    X, y = fires
    wanted = numpy.asarray(concause.CauseMiner().fit(X, y).transform(X), dtype=int)
    held = holder(X)
    found = concause.CauseMiner().fit(held, y).transform(held)
    assert type(found) is type(held)
    assert (numpy.asarray(found, dtype=int) == wanted).all()


def test_tables_of_pyarrow_become_frames_of_pandas(fires):
    X, y = fires
    table = pyarrow.Table.from_pandas(X)
    miner = concause.CauseMiner().fit(table, pyarrow.array(y))
    assert miner.transform(table).equals(concause.CauseMiner().fit(X, y).transform(X))


def test_names_that_are_not_text_are_numbered(fires):
    X, y = fires
    numbered = X.set_axis(range(X.shape[1]), axis=1)
    miner = concause.CauseMiner().fit(numbered, y)
    places = [X.columns.get_loc(name) for name in ("burning_stub", "dry_brush")]
    assert miner.combined_ == [f"x{places[0]}&x{places[1]}"]
    assert (miner.transform(numbered)[miner.combined_[0]] == expected(X, "burning_stub", "dry_brush")).all()


def test_output_is_set_to_pandas_and_polars(fires):
    X, y = fires
    for output, kind in [("pandas", pandas.DataFrame), ("polars", polars.DataFrame)]:
        miner = concause.CauseMiner().set_output(transform=output).fit(X.to_numpy(), y)
        found = miner.transform(X.to_numpy())
        assert isinstance(found, kind)
        assert list(found.columns) == [*(f"x{place}" for place in range(X.shape[1])), miner.combined_[0]]


def test_a_pipeline_and_a_grid(fires):
    X, y = fires
    plain = make_pipeline(StandardScaler(), LogisticRegression())
    pipeline = make_pipeline(concause.CauseMiner(), StandardScaler(), LogisticRegression())
    loss = [-cross_val_score(model, X, y, scoring="neg_log_loss").mean() for model in (plain, pipeline)]
    assert loss[1] < loss[0] - 0.01
    search = GridSearchCV(pipeline, {"causeminer__max_level": [1, 2], "causeminer__alpha": [0.05, 0.01]}, cv=3, scoring="neg_log_loss")
    search.fit(X, y)
    assert search.best_params_["causeminer__max_level"] == 2
    parallel = GridSearchCV(pipeline, {"causeminer__max_level": [1, 2]}, cv=2, n_jobs=2).fit(X, y)
    assert len(parallel.cv_results_["params"]) == 2


def test_new_rows_are_encoded_like_the_fitted_rows():
    rows = 2_000
    random = numpy.random.default_rng(1)
    frame = pandas.DataFrame({
        "size": random.normal(size=rows),
        "colour": random.choice(["red", "green", "blue"], rows),
        "noise": random.normal(size=rows),
    })
    both = (frame["size"] > 0.5) & (frame["colour"] == "red")
    y = numpy.where(both, random.random(rows) < 0.9, random.random(rows) < 0.1)
    miner = concause.CauseMiner().fit(frame, y)
    assert len(miner.combined_) == 1 and "colour=red" in miner.combined_[0], miner.combined_
    # Unseen values and types, and a single row.
    further = pandas.DataFrame({"size": [3.0, -3.0, 3.0], "colour": ["red", "red", "violet"], "noise": 0.0})
    assert miner.transform(further)[miner.combined_[0]].to_list() == [1, 0, 0]
    assert miner.transform(further[:1])[miner.combined_[0]].to_list() == [1]
    assert (miner.transform(frame)[miner.combined_[0]].to_numpy() == both.to_numpy()).mean() > 0.95
    copied = pickle.loads(pickle.dumps(miner))
    assert copied.transform(frame).equals(miner.transform(frame))


def test_each_of_several_classes_is_an_outcome(fires):
    X, _ = fires
    y = numpy.where(X["lightning"] == 1, "storm", numpy.where(X["wind"] == 1, "wind", "calm"))
    miner = concause.CauseMiner().fit(X, y)
    assert list(miner.results_) == ["calm", "storm", "wind"] == miner.classes_.tolist()
    assert {"lightning", "wind"} <= set(X.columns[miner.get_support()])
    assert miner.results_["storm"].target.name == "y=storm"


def test_data_without_usable_columns_give_no_causes(caplog):
    X = pandas.DataFrame({"a": [1.5] * 40, "b": [None] * 40})
    miner = concause.CauseMiner().fit(X, [0, 1] * 20)
    assert (miner.causes_, miner.combined_, miner.results_) == ([], [], {})
    assert "no column but the target can be used" in caplog.text
    assert miner.transform(X).equals(X) and not miner.get_support().any()


def test_intervals_of_numbers_are_columns():
    random = numpy.random.default_rng(1)
    X = pandas.DataFrame({"age": random.integers(0, 100, 4000), "exposed": random.integers(0, 2, 4000)})
    is_case = X["age"].between(30, 59) & (X["exposed"] == 1)
    miner = concause.CauseMiner().fit(X, random.random(4000) < numpy.where(is_case, 0.6, 0.1))
    (name,) = miner.combined_
    interval, exposed = name.split("&")
    low, high = (float(bound) for bound in interval.split("<=age<"))
    assert exposed == "exposed" and abs(low - 30) < 10 and abs(high - 60) < 10
    expected = (X["age"] >= low) & (X["age"] < high) & (X["exposed"] == 1)
    assert (miner.transform(X)[name] == expected).all()


def test_its_parameters_are_settings_of_mine():
    of_files = {"comment", "decimal", "delimiter", "encoding", "header", "no_header", "input_format", "quote", "weights", "target"}
    settings = {name for name, *_ in _native.settings("mine")} - of_files
    assert set(concause.CauseMiner().get_params()) == settings | {"keep"}
    assert clone(concause.CauseMiner(max_k=2)).max_k == 2
    with pytest.raises(concause.SettingError, match="CauseMiner has no setting 'max_j'"):
        concause.CauseMiner(max_j=2)
