"""From the CSV of the command to the columns of a data frame."""

from __future__ import annotations

import csv
import io
from collections.abc import Callable
from typing import Any

from ._packages import needed

#: Columns that are always text.
_TEXT = {"name", "cause", "columns", "challenger", "equivalent", "found", "truth"}


def columns(text: str) -> dict[str, list[Any]]:
    """The columns of a CSV: text, whole numbers, or numbers, with None where a value is missing.

    >>> columns("name,level,stability\\n1,2,\\nNA,1,0.5\\n")
    {'name': ['1', 'NA'], 'level': [2, 1], 'stability': [None, 0.5]}
    """
    header, *rows = csv.reader(io.StringIO(text, newline=""))
    cells = zip(*rows) if rows else ((),) * len(header)
    return {name: _typed(name, list(values)) for name, values in zip(header, cells)}


def _typed(name: str, values: list[str]) -> list[Any]:
    if name in _TEXT:
        return values
    kinds: tuple[Callable[[str], Any], ...] = (int, float)
    for kind in kinds:
        try:
            return [kind(value) if value else None for value in values]
        except ValueError:
            pass
    return values


def pandas_frame(text: str) -> Any:
    """A pandas DataFrame; missing numbers are NaN."""
    pandas = needed("pandas", "to_pandas()")
    return pandas.DataFrame({
        name: pandas.to_numeric(pandas.Series(values)) if None in values else values
        for name, values in columns(text).items()
    })


def polars_frame(text: str) -> Any:
    """A polars DataFrame; missing numbers are null."""
    polars = needed("polars", "to_polars()")
    found = columns(text)
    overrides = {name: polars.Float64 for name, values in found.items() if values and not any(v is not None for v in values)}
    return polars.DataFrame(found, schema_overrides=overrides)
