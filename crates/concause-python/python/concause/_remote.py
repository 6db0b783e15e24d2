"""Shared by all engines for tables whose rows are distributed over many machines.

An engine holds a table in partitions and applies an operation to each of them: summarise it, pack its rows into blocks
that stay where they are, count in the blocks. The functions here are these operations; any two responses can be added,
in any order. An engine has three methods, which the native half calls: ``summarise(scan, attributes)``, ``pack(plan)``
and ``count(request)``. Each returns the sum of the responses of all partitions.
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

#: Rows of a block: enough to count efficiently, and few enough for the memory of a worker.
BLOCK_ROWS = 1 << 17

#: The largest packed partition, with a margin below what engines can store and move as one piece.
MAX_PARTITION_BYTES = 1 << 30

#: The settings that are refused because they need all rows on one machine.
NEED_ALL_ROWS = ("calibrate", "holdout", "stability", "weights")

Add = Callable[[bytes, bytes], bytes]


def mine(engine: Any, names: list[str], target: str, progress: Progress, settings: dict[str, Any]) -> Result:
    """Search on this machine, and count where the rows are."""
    mined = _run(_native.mine_remote, names, engine, {"target": target, **settings}, progress=progress)
    return Result._from_native(mined)


def add_all(responses: Iterable[bytes], add: Add) -> bytes:
    """The sum of responses; empty if there are none, or only empty ones."""
    return functools.reduce(lambda one, other: add(one, other) if one else other, filter(None, responses), b"")


def tables(batches: Iterable[Any]) -> Iterator[Any]:
    """Batches of rows, combined into tables of about the size of a block."""
    import pyarrow

    held: list[Any] = []
    rows = 0
    for batch in batches:
        for start in range(0, batch.num_rows, BLOCK_ROWS):
            piece = batch.slice(start, BLOCK_ROWS)
            if rows + piece.num_rows > BLOCK_ROWS:
                yield pyarrow.Table.from_batches(held)
                held, rows = [], 0
            held.append(piece)
            rows += piece.num_rows
    if rows:
        yield pyarrow.Table.from_batches(held)


def summarise_partition(scan: bytes, batches: Iterable[Any]) -> bytes:
    """The summary of a partition; empty if it has no rows."""
    return add_all((_native.summarise(table, scan) for table in tables(batches)), _native.add_summaries)


def pack_partition(plan: bytes, batches: Iterable[Any]) -> Iterator[tuple[bytes, bytes]]:
    """The statistics and the bits of the blocks of a partition."""
    size = 0
    for table in tables(batches):
        statistics, bits = _native.pack(table, plan)
        size += len(bits)
        if size > MAX_PARTITION_BYTES:
            raise RunError("a partition takes more than 1 GiB packed; repartition the table into more partitions")
        yield statistics, bits


def count_blocks(request: bytes, blocks: Iterable[bytes]) -> bytes:
    """The counts in the blocks of a partition; empty if it has none."""
    return add_all((_native.count(block, request) for block in blocks), _native.add_counts)
