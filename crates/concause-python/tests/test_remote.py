"""Distributed rows without a cluster: partitions of a table that are counted one after the other."""

import json

import pyarrow as pa
import pytest

import concause
from concause import _remote, _native

from conftest import untimed


class Parts:
    """An engine whose partitions are tables in memory."""

    def __init__(self, table, cuts):
        ends = [0, *cuts, table.num_rows]
        self.parts = [table.slice(start, end - start).to_batches() for start, end in zip(ends, ends[1:])]
        self.asked = []

    def summarise(self, look, attributes):
        parts = ([batch.select(attributes) for batch in part] for part in self.parts)
        return _remote.add_all((_remote.summarise_partition(look, part) for part in parts), _native.add_summaries)

    def pack(self, packing):
        blocks = [block for part in self.parts for block in _remote.pack_partition(packing, part)]
        self.blocks = [bits for _, bits in blocks]
        return _remote.add_all((facts for facts, _ in blocks), _native.add_statistics)

    def count(self, query):
        self.asked.append(query)
        return _remote.count_blocks(query, self.blocks)


def in_parts(table, cuts, target="T", **settings):
    engine = Parts(table, cuts)
    return _remote.mine(engine, table.column_names, target, False, settings), engine


def mixed_table(rows=3000):
    """Columns of every kind with missing cells; some of them affect the outcome."""
    a = [row % 2 == 0 for row in range(rows)]
    b = ["xyz"[row % 3] if row % 11 else None for row in range(rows)]
    c = [(row * 37 % 101) / 4 if row % 17 else None for row in range(rows)]
    d = [row % 7 for row in range(rows)]
    t = ["ill" if (a[row] and b[row] == "x") or (d[row] == 3 and row % 5) else "well" for row in range(rows)]
    return pa.table({"a": a, "b": b, "c": c, "d": d, "T": t})


@pytest.mark.parametrize("method", ["mh-pc-f", "mh-pc-b", "hiton-pc", "pc-select", "cr-pa"])
def test_partitioned_rows_give_the_same_bytes_in_few_rounds(method):
    table = pa.table(concause.simulate("syn-50", seed=2))
    found, engine = in_parts(table, [1, 700, 701, 3500], method=method)
    assert untimed(found.to_json()) == untimed(concause.mine(table, "T", method=method).to_json())
    assert len(found) >= 5
    assert len(engine.asked) <= 20


def test_partitioned_rows_give_the_same_posterior():
    table = pa.table(concause.simulate("syn-50", seed=2))
    found, _ = in_parts(table, [1, 700, 701, 3500], method="joint")
    assert untimed(found.to_json()) == untimed(concause.mine(table, "T", method="joint").to_json())
    assert len(found) >= 5


@pytest.mark.parametrize(
    "settings",
    [
        {},
        {"missing_as": "level", "negate": True},
        {"missing_as": "drop", "nominal": ["d"]},
        {"bands": 3, "max_level": 3, "fdr": "bh"},
        {"covariates": ["a"], "method": "mh-pc-f"},
        {"covariates": ["a"], "method": "joint", "max_level": 3},
        {"preset": "paper", "ignore": ["c"]},
    ],
)
def test_tables_of_all_kinds(settings):
    table = mixed_table()
    found, _ = in_parts(table, [100, 2000], target="T=ill", **settings)
    assert untimed(found.to_json()) == untimed(concause.mine(table, "T=ill", **settings).to_json())


def test_invalid_data_give_the_same_sentence():
    table = mixed_table(300)
    for target, settings in [("U", {}), ("b", {}), ("T=dead", {}), ("T=ill", {"alpha": 2}), ("T=ill", {"ignore": "q"})]:
        with pytest.raises(concause.InputError) as expected:
            concause.mine(table, target, **settings)
        with pytest.raises(concause.InputError) as found:
            in_parts(table, [100], target=target, **settings)
        assert str(found.value) == str(expected.value).replace("the Table", "the DataFrame")


@pytest.mark.parametrize("setting", [{"stability": 3}, {"calibrate": 3}, {"holdout": 0.3}, {"weights": "d"}])
def test_settings_that_need_local_rows_are_rejected(setting):
    with pytest.raises(concause.InputError, match="needs all rows on one machine"):
        in_parts(mixed_table(300), [100], target="T=ill", **setting)


def test_no_rows():
    table = mixed_table(300).slice(0, 0)
    with pytest.raises(concause.InputError, match="has names but no rows"):
        in_parts(table, [], target="T=ill")


def test_an_exception_of_the_engine_is_raised_unchanged():
    class Broken(Parts):
        def count(self, query):
            raise ZeroDivisionError("the cluster is gone")

    table = mixed_table(300)
    with pytest.raises(ZeroDivisionError, match="the cluster is gone"):
        _remote.mine(Broken(table, [100]), table.column_names, "T=ill", False, {})


def test_a_result_explains_candidates_from_the_counts_it_has():
    table = pa.table(concause.simulate("syn-50", seed=2))
    found, engine = in_parts(table, [2000])
    rounds = len(engine.asked)
    names = [f"V{number}" for number in range(1, 40)]
    assert [str(one) for one in found.explain(names)] == [str(one) for one in concause.mine(table, "T").explain(names)]
    assert len(engine.asked) == rounds
    # Tests of independence can also be answered for conjunctions.
    found, engine = in_parts(table, [2000], method="mh-pc-f", max_level=3)
    local = concause.mine(table, "T", method="mh-pc-f", max_level=3)
    rounds = len(engine.asked)
    names.append("V1&V2")
    assert [str(one) for one in found.explain(names)] == [str(one) for one in local.explain(names)]
    assert len(engine.asked) == rounds
    with pytest.raises(concause.RunError, match="mine again"):
        found.explain("V1&V2&V3")


def test_blocks_of_another_format_are_rejected():
    with pytest.raises(concause.RunError, match="cannot be read"):
        _native.count(b"nothing", b"\x02\x00\x00")
    with pytest.raises(concause.RunError, match="truncated"):
        _native.add_counts(b"", b"")


def test_dask_gives_the_same_bytes():
    frames = pytest.importorskip("dask.dataframe")
    dask = pytest.importorskip("dask")
    import concause.dask

    table = mixed_table()
    frame = table.to_pandas()
    with dask.config.set(scheduler="threads"):
        found = concause.dask.mine(frames.from_pandas(frame, npartitions=3), "T=ill", max_level=3)
    local = concause.mine(frame, "T=ill", max_level=3)
    assert json.loads(untimed(found.to_json())) == json.loads(untimed(local.to_json()))
