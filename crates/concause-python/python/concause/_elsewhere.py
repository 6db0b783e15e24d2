"""What every engine for rows in many places is made of.

An engine keeps a table in parts and has each part do something: summarise itself, pack its rows into blocks that stay where
they are, answer a query. The functions here are what a part does; whatever two parts answer can be added, in any order.
An engine has three methods, which the native half calls: ``summarise(look, attributes)``, ``pack(packing)`` and
``ask(query)``, each of which returns the sum of what the parts answer.
"""

from __future__ import annotations

import functools
from collections.abc import Callable, Iterable, Iterator
from typing import Any

from . import _native
from ._errors import RunError
from ._functions import _run
from ._progress import Progress
from ._result import Result

#: Rows of a block: many enough for the counting to be worth while, few enough for the memory of a worker.
ROWS_OF_BLOCK = 1 << 17

#: What an engine can keep and move as one piece, with some room to spare.
MOST_BYTES_OF_PART = 1 << 30

#: The settings that are refused.
NEED_ALL_ROWS = ("calibrate", "holdout", "stability", "weights")

Add = Callable[[bytes, bytes], bytes]


def mine(engine: Any, names: list[str], target: str, progress: Progress, settings: dict[str, Any]) -> Result:
    """Search where this is called, and count where the rows are."""
    mined = _run(_native.mine_elsewhere, names, engine, {"target": target, **settings}, progress=progress)
    return Result._of(mined)


def total(answers: Iterable[bytes], add: Add) -> bytes:
    """The sum of answers; nothing if there are none, or only empty ones."""
    return functools.reduce(lambda one, other: add(one, other) if one else other, filter(None, answers), b"")


def tables(batches: Iterable[Any]) -> Iterator[Any]:
    """Batches of rows in tables of about as many rows as a block has."""
    import pyarrow

    held: list[Any] = []
    rows = 0
    for batch in batches:
        for start in range(0, batch.num_rows, ROWS_OF_BLOCK):
            piece = batch.slice(start, ROWS_OF_BLOCK)
            if rows + piece.num_rows > ROWS_OF_BLOCK:
                yield pyarrow.Table.from_batches(held)
                held, rows = [], 0
            held.append(piece)
            rows += piece.num_rows
    if rows:
        yield pyarrow.Table.from_batches(held)


def summarised(look: bytes, batches: Iterable[Any]) -> bytes:
    """The summary of a part; nothing if it has no rows."""
    return total((_native.summarise(table, look) for table in tables(batches)), _native.add_summaries)


def packed(packing: bytes, batches: Iterable[Any]) -> Iterator[tuple[bytes, bytes]]:
    """The facts and the bits of the blocks of a part."""
    size = 0
    for table in tables(batches):
        facts, bits = _native.pack(table, packing)
        size += len(bits)
        if size > MOST_BYTES_OF_PART:
            raise RunError("a part of the table takes more than 1 GiB packed; split it into more parts: repartition it")
        yield facts, bits


def answered(query: bytes, blocks: Iterable[bytes]) -> bytes:
    """What the blocks of a part answer; nothing if it has none."""
    return total((_native.answer(block, query) for block in blocks), _native.add_answers)
