"""The same table gives the same result in every container."""

import gzip
import subprocess
import sys

import concause
import numpy
import pandas
import polars
import pyarrow
import pyarrow.csv
import pytest

from conftest import PATIENCE, unsourced

duckdb = pytest.importorskip("duckdb")


def mixed(rows: int = 600) -> dict[str, list]:
    """A table with every kind of column and missing cells."""
    return {
        "truth": [row % 3 == 0 for row in range(rows)],
        "whole": [row * 7 % 11 for row in range(rows)],
        "size": [None if row % 17 == 0 else (row * 37 % 100) / 8 for row in range(rows)],
        "colour": [None if row % 13 == 0 else ["red", "blue, or so", "grün"][row * row % 7 % 3] for row in range(rows)],
        "outcome": [int(row * 37 % 100 > 50 or row % 3 == 0) for row in range(rows)],
    }


def numpy_array(data):
    kinds = {"truth": bool, "whole": numpy.int32, "size": float, "colour": object, "outcome": numpy.uint8}
    array = numpy.empty(len(data["whole"]), dtype=[(name, kind) for name, kind in kinds.items()])
    for name, values in data.items():
        array[name] = [numpy.nan if value is None and kinds[name] is float else value for value in values]
    return array


HOLDERS = {
    "dictionary": lambda data: data,
    "dictionary of arrays": lambda data: {name: numpy_array(data)[name] for name in data},
    "dictionary of series": lambda data: {name: polars.Series(values) for name, values in data.items()},
    "structured array": numpy_array,
    "pandas": pandas.DataFrame,
    "pandas, filtered": lambda data: pandas.DataFrame({k: [v[0], *v] for k, v in data.items()}).iloc[1:],
    "pandas, its own types": lambda data: pandas.DataFrame(data).convert_dtypes(),
    "pandas, categories": lambda data: pandas.DataFrame(data).astype({"colour": "category"}),
    "polars": polars.DataFrame,
    "polars, lazy": lambda data: polars.DataFrame(data).lazy().collect(),
    "pyarrow": pyarrow.table,
    "pyarrow, in batches": lambda data: pyarrow.table(data).to_reader(max_chunksize=70),
    "pyarrow batch": lambda data: pyarrow.record_batch(data),
    "duckdb": lambda data: duckdb.from_arrow(pyarrow.table(data)),
}


@pytest.mark.parametrize("holder", HOLDERS)
def test_all_containers_agree(holder):
    data = mixed()
    expected = concause.mine(data, "outcome", nominal="whole", method="mh-pc-b")
    assert expected.data.columns > 10 and expected.data.sources == [] and expected.command == []
    found = concause.mine(HOLDERS[holder](data), "outcome", nominal="whole", method="mh-pc-b")
    assert unsourced(found.to_json()) == unsourced(expected.to_json())


def test_files_agree_with_frames(tmp_path):
    frame = polars.DataFrame(mixed())
    csv, packed, parquet = tmp_path / "t.csv", tmp_path / "t.csv.gz", tmp_path / "t.parquet"
    frame.write_csv(csv)
    packed.write_bytes(gzip.compress(csv.read_bytes()))
    frame.write_parquet(parquet)
    expected = unsourced(concause.mine(frame, "outcome").to_json())
    for path in (csv, str(packed), parquet, [csv]):
        result = concause.mine(path, "outcome")
        assert unsourced(result.to_json()) == expected
        assert result.command[:2] == ["concause", "mine"]
    frame[:200].write_csv(tmp_path / "a.csv")
    frame[200:].write_csv(tmp_path / "b.csv")
    assert unsourced(concause.mine([tmp_path / "a.csv", tmp_path / "b.csv"], "outcome").to_json()) == expected


def test_the_columns_of_a_plain_array_are_numbered(tmp_path):
    array = numpy.array([[row % 2, row % 3 == 0, row % 5 == 0 or row % 2] for row in range(300)])
    result = concause.mine(array, "V3")
    assert result.data.columns == 2
    numpy.savetxt(tmp_path / "t.csv", array, fmt="%d", delimiter=",")
    assert unsourced(result.to_json()) == unsourced(concause.mine(tmp_path / "t.csv", "V3").to_json())
    assert unsourced(concause.mine(numpy.asfortranarray(array)[::1], "V3").to_json()) == unsourced(result.to_json())


def test_single_precision_is_read_as_it_is_written():
    values = numpy.array([0.1, 0.2, 0.7] * 40, dtype="float32")
    data = {"a": values, "t": [0, 1, 1] * 40}
    assert concause.encode(data, "t", nominal="a").columns == ["a=0.1", "a=0.2", "a=0.7"]


@pytest.mark.parametrize(
    ("data", "sentence"),
    [
        ("no-such-file.csv", "no-such-file.csv: there is no such file"),
        ({}, "the dictionary: is empty"),
        ({"a": [1, 2], "t": [1]}, 'the dictionary: "a" has 2 values but "t" has 1'),
        ({"a": 3, "t": [1]}, "a column cannot be a int; give a list or an array"),
        (3, "data cannot be a int; give a path, a data frame"),
        ([], "data cannot be a list"),
        (pandas.Series([1, 2]), "data cannot be a pandas Series; give a DataFrame"),
        (pandas.DataFrame({"a": [], "t": []}), "the DataFrame: has names but no rows"),
        (polars.DataFrame({"a": [1, 0], "b": [1, 0]}), 'the table has no column "t" for the target; did you mean "a"?'),
        (polars.DataFrame({"a": [1, 0], "t": [1, 1]}), "t"),
        (polars.Series("t", [1, 0]), "the Series: cannot be read"),
        (numpy.zeros(3), "the array has 1 dimensions; give two, rows and columns"),
        (numpy.zeros((3, 2, 2)), "the array has 3 dimensions; give two, rows and columns"),
    ],
)
def test_invalid_data_give_one_sentence(data, sentence):
    with pytest.raises(concause.InputError) as caught:
        concause.mine(data, "t")
    assert sentence in str(caught.value) and "\n" not in str(caught.value)


def test_columns_of_several_types_become_text():
    frame = pandas.DataFrame({"a": [1, "x", None, 2.5] * 20, "t": [0, 1] * 40})
    assert concause.encode(frame, "t").columns == ["a=1", "a=2.5", "a=x"]


def test_names_are_preserved():
    name = 'a&b, "c"=\n😀'
    data = {name: [0, 1] * 40, "t": [0, 1] * 40}
    result = concause.mine(data, "t")
    assert [cause.name for cause in result.causes] == [name]
    assert result.to_pandas()["name"].to_list() == [name]
    assert result.explain(name).reason == "cause"


def test_a_stream_is_read_once_and_its_failure_is_reported():
    def batches():
        yield pyarrow.record_batch({"a": [0, 1] * 50, "t": [0, 1] * 50})
        raise ValueError("the source is gone")

    schema = pyarrow.schema({"a": pyarrow.int64(), "t": pyarrow.int64()})
    with pytest.raises(concause.InputError, match="the RecordBatchReader: cannot be read .*the source is gone"):
        concause.mine(pyarrow.RecordBatchReader.from_batches(schema, batches()), "t")


def test_encoded_and_simulated_tables_export_arrow():
    simulated = concause.simulate("syn-7", seed=2)
    table = pyarrow.table(simulated)
    assert table.num_rows == 1000 and table.column_names == ["V1", "V2", "V3", "V4", "V5", "V6", "T"]
    assert simulated.to_pandas().equals(table.to_pandas())
    encoding = concause.encode(simulated, "T")
    encoded = encoding.to_polars()
    assert encoded.columns == [*encoding.columns, "T"]
    assert encoded["T"].to_list() == sorted(encoded["T"].to_list(), reverse=True)
    assert encoded.select(polars.all().sum()).row(0) == polars.DataFrame(simulated).select(polars.all().sum()).row(0)
    assert encoding.to_pandas().astype(bool).equals(encoded.to_pandas())


UNCOPIED = """
import resource, pyarrow, concause

def peak():
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * 1024

rows, columns = 400_000, 160
bits = pyarrow.py_buffer(bytes((place * 37 + place // 251) % 256 for place in range(rows // 8)))
array = pyarrow.BooleanArray.from_buffers(pyarrow.bool_(), rows, [None, bits])
table = pyarrow.table({f"V{place}": array.slice(place, rows - 500) for place in range(columns)})
before = peak()
encoding = concause.encode(table, "V0")
assert len(encoding.columns) == columns - 1
taken = peak() - before
encoded = rows * columns / 8
print(f"{taken / encoded:.1f} times the encoded data")
assert taken < 5 * encoded, "truth values were copied, a byte each"
"""


def test_arrow_booleans_are_not_copied():
    # A copy would take 8 times the memory of the encoded data, which has one bit per cell.
    subprocess.run([sys.executable, "-c", UNCOPIED], check=True, timeout=PATIENCE)
