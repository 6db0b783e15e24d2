"""The causes of an outcome in a DataFrame of Dask: ``pip install "concause[dask]"``.

As :mod:`concause.spark`: the rows stay with the workers, packed, and each round of the search is one computation.
"""

from __future__ import annotations

from typing import Any, Unpack

from . import _elsewhere, _native
from ._functions import with_settings
from ._packages import needed
from ._progress import Progress
from ._result import Result
from ._settings import MineSettings


@with_settings(MineSettings, without=_elsewhere.NEED_ALL_ROWS)
def mine(frame: Any, target: str, *, progress: Progress = False, **settings: Unpack[MineSettings]) -> Result:
    """Find the single and combined causes of an outcome in a Dask DataFrame.

    The result is that of :func:`concause.mine` on the same rows in one place, byte for byte but for the times. The settings are
    the same, but ``stability``, ``calibrate``, ``holdout`` and ``weights``, which need all rows on one machine, are refused.
    """
    needed("pyarrow", "concause.dask")
    names = [str(name) for name in frame.columns]
    return _elsewhere.mine(_Dask(frame), names, target, progress, dict(settings))


class _Dask:
    """A frame whose partitions answer."""

    def __init__(self, frame: Any) -> None:
        self.dask: Any = needed("dask", "concause.dask")
        self.parts = frame.to_delayed()
        self.blocks: list[Any] = []

    def summarise(self, look: bytes, attributes: list[str]) -> bytes:
        return self._total(_summarised, self.parts, _native.add_summaries, look, attributes)

    def pack(self, packing: bytes) -> bytes:
        packed = self.dask.delayed(_packed)
        self.blocks = list(self.dask.persist(*[packed(part, packing) for part in self.parts]))
        return self._total(_facts, self.blocks, _native.add_facts)

    def ask(self, query: bytes) -> bytes:
        return self._total(_answered, self.blocks, _native.add_answers, query)

    def _total(self, answer: Any, parts: list[Any], add: _elsewhere.Add, *asked: Any) -> bytes:
        answer = self.dask.delayed(answer)
        return _elsewhere.total(self.dask.compute(*[answer(part, *asked) for part in parts]), add)


def _batches(part: Any) -> list[Any]:
    import pyarrow

    table = pyarrow.Table.from_pandas(part.set_axis([str(name) for name in part.columns], axis=1), preserve_index=False)
    batches: list[Any] = table.to_batches()
    return batches


def _summarised(part: Any, look: bytes, attributes: list[str]) -> bytes:
    return _elsewhere.summarised(look, [batch.select(attributes) for batch in _batches(part)])


def _packed(part: Any, packing: bytes) -> list[tuple[bytes, bytes]]:
    return list(_elsewhere.packed(packing, _batches(part)))


def _facts(blocks: list[tuple[bytes, bytes]]) -> bytes:
    return _elsewhere.total((facts for facts, _ in blocks), _native.add_facts)


def _answered(blocks: list[tuple[bytes, bytes]], query: bytes) -> bytes:
    return _elsewhere.answered(query, (bits for _, bits in blocks))
