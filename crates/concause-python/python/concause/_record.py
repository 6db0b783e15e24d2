"""A JSON object whose fields are attributes."""

from __future__ import annotations

import copy
import json
from collections.abc import Iterator
from typing import Any


class Record:
    """A JSON object whose fields are attributes and items; ``docs/json.md`` documents them.

    >>> record = Record({"name": "V1&V2", "challenger": {"given": ["V3"]}})
    >>> record.name, record["name"], record.challenger.given
    ('V1&V2', 'V1&V2', ['V3'])
    """

    _fields: dict[str, Any]

    def __init__(self, fields: dict[str, Any]) -> None:
        object.__setattr__(self, "_fields", fields)

    def __getattr__(self, name: str) -> Any:
        try:
            return _wrapped(object.__getattribute__(self, "_fields")[name])
        except (KeyError, AttributeError):
            raise AttributeError(f"{type(self).__name__!r} object has no attribute {name!r}", name=name, obj=self) from None

    def __setattr__(self, name: str, value: object) -> None:
        raise AttributeError(f"{name!r} cannot be set: results are read-only")

    def __getitem__(self, name: str) -> Any:
        return _wrapped(self._fields[name])

    def __iter__(self) -> Iterator[str]:
        return iter(self._fields)

    def __dir__(self) -> list[str]:
        return [*super().__dir__(), *self._fields]

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Record) and type(self) is type(other) and self._fields == other._fields

    def __hash__(self) -> int:
        return hash(json.dumps(self._fields, sort_keys=True))

    def __repr__(self) -> str:
        fields = ", ".join(f"{name}={value!r}" for name, value in self._fields.items())
        return f"{type(self).__name__}({fields})"

    def __reduce__(self) -> tuple[Any, ...]:
        return type(self), (self._fields,)

    def to_dict(self) -> dict[str, Any]:
        """A copy of the fields as plain dictionaries, lists, numbers and text."""
        return copy.deepcopy(self._fields)


def _wrapped(value: Any) -> Any:
    if isinstance(value, dict):
        return Record(value)
    if isinstance(value, list):
        return [_wrapped(member) for member in value]
    return value
