"""The causes of an outcome in a DataFrame of Apache Spark: ``pip install "concause[spark]"``.

The rows stay on the executors, packed at one bit a row and column; the search runs in the driver, and each of its rounds is
one job. The executors need this package too (``docs/spark.md`` says how).
"""

from __future__ import annotations

import logging
from collections.abc import Callable, Iterator
from typing import Any, Unpack

from . import _elsewhere, _native
from ._functions import with_settings
from ._packages import needed
from ._progress import Progress
from ._result import Result
from ._settings import MineSettings

_log = logging.getLogger("concause")

#: Answers of more blocks than this are added on the executors first.
_MOST_FOR_THE_DRIVER = 32


@with_settings(MineSettings, without=_elsewhere.NEED_ALL_ROWS)
def mine(frame: Any, target: str, *, progress: Progress = False, **settings: Unpack[MineSettings]) -> Result:
    """Find the single and combined causes of an outcome in a Spark DataFrame.

    The result is that of :func:`concause.mine` on the same rows in one place, byte for byte but for the times. The settings are
    the same, but ``stability``, ``calibrate``, ``holdout`` and ``weights``, which need all rows on one machine, are refused.

    The frame is read three times (once for the target alone): persist it first if it is dear to compute.
    """
    needed("pyarrow", "concause.spark")
    engine = _Spark(frame)
    try:
        return _elsewhere.mine(engine, list(frame.columns), target, progress, dict(settings))
    finally:
        engine.end()


class _Spark:
    """A frame whose partitions answer."""

    def __init__(self, frame: Any) -> None:
        self.frame = frame
        self.blocks: Any = None
        self.kept = 0
        self.rounds = 0

    def summarise(self, look: bytes, attributes: list[str]) -> bytes:
        chosen = self.frame.select(*[f"`{name.replace('`', '``')}`" for name in self._as_written(attributes)])

        def summary(batches: Iterator[Any]) -> Iterator[Any]:
            yield from _column(_elsewhere.summarised(look, batches))

        return _total(chosen.mapInArrow(summary, "answer binary"), _native.add_summaries, on_executors=True)

    def pack(self, packing: bytes) -> bytes:
        def blocks(batches: Iterator[Any]) -> Iterator[Any]:
            import pyarrow

            for facts, bits in _elsewhere.packed(packing, batches):
                yield pyarrow.record_batch({"facts": [facts], "bits": [bits]})

        from pyspark import StorageLevel

        packed = self.frame.mapInArrow(blocks, "facts binary, bits binary")
        self.blocks = packed.persist(StorageLevel.MEMORY_AND_DISK)
        found = self.blocks.select("facts").collect()
        self.kept = len(found)
        return _elsewhere.total((bytes(row[0]) for row in found), _native.add_facts)

    def ask(self, query: bytes) -> bytes:
        def answer(batches: Iterator[Any]) -> Iterator[Any]:
            blocks = (bits.as_py() for batch in batches for bits in batch.column(0))
            yield from _column(_elsewhere.answered(query, blocks))

        self.rounds += 1
        answers = self.blocks.select("bits").mapInArrow(answer, "answer binary")
        return _total(answers, _native.add_answers, on_executors=self.kept > _MOST_FOR_THE_DRIVER)

    def end(self) -> None:
        _log.info("%d rounds", self.rounds)
        if self.blocks is not None:
            self.blocks.unpersist()

    def _as_written(self, attributes: list[str]) -> list[str]:
        """The names as the frame has them, which may have blanks around them."""
        written = {name.strip(" \t"): name for name in self.frame.columns}
        return [written[name.strip(" \t")] for name in attributes]


def _total(answers: Any, add: Callable[[bytes, bytes], bytes], *, on_executors: bool) -> bytes:
    """The sum of the answers of all partitions, most of it added on the executors if there are many."""
    rows = _rdd(answers) if on_executors else None
    if rows is not None:

        def both(one: bytes, other: bytes) -> bytes:
            return _elsewhere.total([one, other], add)

        return bytes(rows.map(lambda row: bytes(row[0])).treeAggregate(b"", both, both))
    return _elsewhere.total((bytes(row[0]) for row in answers.collect()), add)


def _rdd(frame: Any) -> Any:
    """The rows as Spark's older interface has them; Spark Connect has no such thing."""
    try:
        return frame.rdd
    except (AttributeError, NotImplementedError):
        return None


def _column(answer: bytes) -> Iterator[Any]:
    import pyarrow

    if answer:
        yield pyarrow.record_batch({"answer": [answer]})
