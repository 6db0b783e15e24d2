"""The causes of an outcome in a Dask DataFrame: ``pip install "concause[dask]"``.

The rows stay with the workers, packed at one bit per row and column. The search runs on this machine; each of its
rounds is one computation.
"""

from __future__ import annotations

from typing import Any, Unpack

from . import _native, _remote
from ._functions import with_settings
from ._packages import needed
from ._progress import Progress
from ._result import Result
from ._settings import MineSettings


@with_settings(MineSettings, without=_remote.NEED_ALL_ROWS)
def mine(frame: Any, target: str, *, progress: Progress = False, **settings: Unpack[MineSettings]) -> Result:
    """Find the single and combined causes of an outcome in a Dask DataFrame.

    The result is identical to that of :func:`concause.mine` on the same rows, except for the times. The settings are
    the same, except for ``stability``, ``calibrate``, ``holdout`` and ``weights``: they need all rows on one machine
    and are refused.
    """
    needed("pyarrow", "concause.dask")
    names = [str(name) for name in frame.columns]
    return _remote.mine(_Dask(frame), names, target, progress, dict(settings))


class _Dask:
    """The engine of a Dask DataFrame."""

    def __init__(self, frame: Any) -> None:
        self.dask: Any = needed("dask", "concause.dask")
        self.partitions = frame.to_delayed()
        self.blocks: list[Any] = []

    def summarise(self, scan: bytes, attributes: list[str]) -> bytes:
        return self._add_responses(_summarise, self.partitions, _native.add_summaries, scan, attributes)

    def pack(self, plan: bytes) -> bytes:
        pack = self.dask.delayed(_pack)
        self.blocks = list(self.dask.persist(*[pack(partition, plan) for partition in self.partitions]))
        return self._add_responses(_statistics, self.blocks, _native.add_statistics)

    def count(self, request: bytes) -> bytes:
        return self._add_responses(_count, self.blocks, _native.add_counts, request)

    def _add_responses(self, operation: Any, partitions: list[Any], add: _remote.Add, *arguments: Any) -> bytes:
        operation = self.dask.delayed(operation)
        responses = self.dask.compute(*[operation(partition, *arguments) for partition in partitions])
        return _remote.add_all(responses, add)


def _batches(partition: Any) -> list[Any]:
    import pyarrow

    names = [str(name) for name in partition.columns]
    table = pyarrow.Table.from_pandas(partition.set_axis(names, axis=1), preserve_index=False)
    batches: list[Any] = table.to_batches()
    return batches


def _summarise(partition: Any, scan: bytes, attributes: list[str]) -> bytes:
    return _remote.summarise_partition(scan, [batch.select(attributes) for batch in _batches(partition)])


def _pack(partition: Any, plan: bytes) -> list[tuple[bytes, bytes]]:
    return list(_remote.pack_partition(plan, _batches(partition)))


def _statistics(blocks: list[tuple[bytes, bytes]]) -> bytes:
    return _remote.add_all((statistics for statistics, _ in blocks), _native.add_statistics)


def _count(blocks: list[tuple[bytes, bytes]], request: bytes) -> bytes:
    return _remote.count_blocks(request, (bits for _, bits in blocks))
