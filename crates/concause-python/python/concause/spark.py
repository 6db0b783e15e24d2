"""The causes of an outcome in an Apache Spark DataFrame: ``pip install "concause[spark]"``.

The rows stay on the executors, packed at one bit per row and column. The search runs in the driver; each of its rounds
is one job. The executors need this package too (see ``docs/spark.md``).
"""

from __future__ import annotations

import logging
from collections.abc import Callable, Iterator
from typing import Any, Unpack

from . import _native, _remote
from ._functions import with_settings
from ._packages import needed
from ._progress import Progress
from ._result import Result
from ._settings import MineSettings

_log = logging.getLogger("concause")

#: The responses of more blocks than this are added on the executors first.
_MAX_DRIVER_RESPONSES = 32


@with_settings(MineSettings, without=_remote.NEED_ALL_ROWS)
def mine(frame: Any, target: str, *, progress: Progress = False, **settings: Unpack[MineSettings]) -> Result:
    """Find the single and combined causes of an outcome in a Spark DataFrame.

    The result is identical to that of :func:`concause.mine` on the same rows, except for the times. The settings are
    the same, except for ``stability``, ``calibrate``, ``holdout`` and ``weights``: they need all rows on one machine
    and are refused.

    The frame is read three times (once for the target alone). Persist it first if it is expensive to compute.
    """
    needed("pyarrow", "concause.spark")
    engine = _Spark(frame)
    try:
        return _remote.mine(engine, list(frame.columns), target, progress, dict(settings))
    finally:
        engine.close()


class _Spark:
    """The engine of a Spark DataFrame."""

    def __init__(self, frame: Any) -> None:
        self.frame = frame
        self.blocks: Any = None
        self.block_count = 0
        self.rounds = 0

    def summarise(self, scan: bytes, attributes: list[str]) -> bytes:
        chosen = self.frame.select(*[f"`{name.replace('`', '``')}`" for name in self._original_names(attributes)])

        def summary(batches: Iterator[Any]) -> Iterator[Any]:
            yield from _column(_remote.summarise_partition(scan, batches))

        return _add_responses(chosen.mapInArrow(summary, "response binary"), _native.add_summaries, on_executors=True)

    def pack(self, plan: bytes) -> bytes:
        def blocks(batches: Iterator[Any]) -> Iterator[Any]:
            import pyarrow

            for statistics, bits in _remote.pack_partition(plan, batches):
                yield pyarrow.record_batch({"statistics": [statistics], "bits": [bits]})

        from pyspark import StorageLevel

        packed = self.frame.mapInArrow(blocks, "statistics binary, bits binary")
        self.blocks = packed.persist(StorageLevel.MEMORY_AND_DISK)
        found = self.blocks.select("statistics").collect()
        self.block_count = len(found)
        return _remote.add_all((bytes(row[0]) for row in found), _native.add_statistics)

    def count(self, request: bytes) -> bytes:
        def count(batches: Iterator[Any]) -> Iterator[Any]:
            blocks = (bits.as_py() for batch in batches for bits in batch.column(0))
            yield from _column(_remote.count_blocks(request, blocks))

        self.rounds += 1
        responses = self.blocks.select("bits").mapInArrow(count, "response binary")
        return _add_responses(responses, _native.add_counts, on_executors=self.block_count > _MAX_DRIVER_RESPONSES)

    def close(self) -> None:
        _log.info("%d rounds", self.rounds)
        if self.blocks is not None:
            self.blocks.unpersist()

    def _original_names(self, attributes: list[str]) -> list[str]:
        """The names in the frame, which may have blanks around them."""
        original = {name.strip(" \t"): name for name in self.frame.columns}
        return [original[name.strip(" \t")] for name in attributes]


def _add_responses(responses: Any, add: Callable[[bytes, bytes], bytes], *, on_executors: bool) -> bytes:
    """The sum of the responses of all partitions, mostly added on the executors if there are many."""
    rows = _rdd(responses) if on_executors else None
    if rows is not None:

        def both(one: bytes, other: bytes) -> bytes:
            return _remote.add_all([one, other], add)

        return bytes(rows.map(lambda row: bytes(row[0])).treeAggregate(b"", both, both))
    return _remote.add_all((bytes(row[0]) for row in responses.collect()), add)


def _rdd(frame: Any) -> Any:
    """The rows as an RDD, which Spark Connect does not have."""
    try:
        return frame.rdd
    except (AttributeError, NotImplementedError):
        return None


def _column(response: bytes) -> Iterator[Any]:
    import pyarrow

    if response:
        yield pyarrow.record_batch({"response": [response]})
