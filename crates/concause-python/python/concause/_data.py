"""From Python data to what the native half reads: paths, an Arrow stream or columns."""

from __future__ import annotations

import os
from collections.abc import Mapping, Sequence
from typing import Any, Protocol, TypeAlias, Union

from ._errors import InputError


class ArrowStream(Protocol):
    """A table with the Arrow PyCapsule interface, e.g. of pandas, polars, pyarrow or DuckDB."""

    def __arrow_c_stream__(self, requested_schema: object | None = None) -> object: ...


Path: TypeAlias = Union[str, "os.PathLike[str]"]
Data: TypeAlias = Union[Path, Sequence[Path], ArrowStream, Mapping[str, Any], Any]

#: What the native half reads.
Prepared: TypeAlias = tuple[Any, ...]


def prepare(data: Data) -> Prepared:
    """Paths as such; Arrow streams without copying; arrays and sequences column by column."""
    if isinstance(data, (str, os.PathLike)):
        return "paths", [os.fspath(data)]
    package = type(data).__module__.partition(".")[0]
    if package == "pandas":
        return _pandas(data)
    if hasattr(data, "__arrow_c_stream__"):
        return "stream", f"the {type(data).__name__}", data
    if package == "numpy":
        return "columns", "the array", _array(data)
    if isinstance(data, Mapping):
        return _mapping(data)
    if isinstance(data, (list, tuple)) and data and all(isinstance(path, (str, os.PathLike)) for path in data):
        return "paths", [os.fspath(path) for path in data]
    raise InputError(
        f"data cannot be a {type(data).__name__}; give a path, a data frame (pandas, polars, pyarrow, DuckDB), "
        "a dictionary of columns, or a numpy array"
    )


def _pandas(data: Any) -> Prepared:
    if not hasattr(data, "columns"):
        raise InputError("data cannot be a pandas Series; give a DataFrame")
    names = [str(name) for name in data.columns]
    # The index is not a column, and names are text.
    frame = data.reset_index(drop=True).set_axis(names, axis=1)
    try:
        import pyarrow

        stream = pyarrow.Table.from_pandas(frame, preserve_index=False)
        return "stream", "the DataFrame", stream
    except (ImportError, TypeError, ValueError):
        # There is no pyarrow, a column mixes types, or a name occurs twice.
        columns = [(name, *_values(frame.iloc[:, place])) for place, name in enumerate(names)]
        return "columns", "the DataFrame", columns


def _mapping(data: Mapping[Any, Any]) -> Prepared:
    packages = {type(values).__module__.partition(".")[0] for values in data.values()}
    if packages == {"polars"}:
        import polars

        return prepare(polars.DataFrame({str(name): values for name, values in data.items()}))
    if packages == {"pyarrow"}:
        import pyarrow

        return prepare(pyarrow.table({str(name): values for name, values in data.items()}))
    return "columns", "the dictionary", [(str(name), *_values(values)) for name, values in data.items()]


def _array(data: Any) -> list[tuple[str, str, Any]]:
    """The columns of a structured array by its names, those of a plain one as V1, V2, …"""
    if data.dtype.names:
        return [(name, *_values(data[name])) for name in data.dtype.names]
    if data.ndim != 2:
        raise InputError(f"the array has {data.ndim} dimensions; give two, rows and columns")
    return [(f"V{place + 1}", *_values(data[:, place])) for place in range(data.shape[1])]


def _values(values: Any) -> tuple[str, Any]:
    """The kind of a column, and its buffer of numbers or its list of objects."""
    if hasattr(values, "isna"):
        # pandas: missing values of any type become None.
        plain = values.to_numpy() if values.dtype.kind in "biuf" and not hasattr(values.array, "_mask") else None
        if plain is None or plain.dtype.kind not in "biuf":
            missing = values.isna().to_list()
            return "objects", [None if absent else value for value, absent in zip(values.to_list(), missing)]
        values = plain
    if hasattr(values, "dtype") and hasattr(values, "__array__"):
        return _buffer(values)
    if isinstance(values, (str, bytes)) or not hasattr(values, "__iter__"):
        raise InputError(f"a column cannot be a {type(values).__name__}; give a list or an array")
    return "objects", list(values)


def _buffer(values: Any) -> tuple[str, Any]:
    if values.ndim != 1:
        raise InputError(f"a column has {values.ndim} dimensions; give one")
    kind, size = values.dtype.kind, values.dtype.itemsize
    if kind == "b":
        return "bool", values.view("uint8")
    if kind == "i":
        return "int", values.astype("int64", copy=False)
    if kind == "u":
        return "unsigned", values.astype("uint64", copy=False)
    if kind == "f":
        return ("single", values.astype("float32", copy=False)) if size <= 4 else ("float", values.astype("float64"))
    if kind == "S":
        values = values.astype(str)
    return "objects", values.tolist()
