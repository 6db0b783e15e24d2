"""Progress bars."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any, TypeAlias, Union

#: Called as progress(stage, done, total); total is None if it is unknown.
Callback: TypeAlias = Callable[[str, int, "int | None"], object]
Progress: TypeAlias = Union[bool, Callback]


@contextmanager
def shown(progress: Progress) -> Iterator[Callback | None]:
    """A callback that shows bars, the given callback, or none."""
    if progress is True:
        bars = _Bars()
        try:
            yield bars
        finally:
            bars.close()
    else:
        yield progress or None


class _Bars:
    """tqdm bars if tqdm is installed, else a line on standard error."""

    def __init__(self) -> None:
        try:
            from tqdm.auto import tqdm
        except ImportError:
            tqdm = None
        self._tqdm: Any = tqdm
        self._bar: Any = None
        self._stage: tuple[str, int | None] | None = None

    def __call__(self, stage: str, done: int, total: int | None) -> None:
        if self._tqdm is None:
            share = f"{done:,}" if total is None else f"{done:,}/{total:,}"
            sys.stderr.write(f"\r\x1b[K{stage}: {share}")
            sys.stderr.flush()
            self._stage = (stage, total)
            return
        if self._stage != (stage, total):
            self.close()
            self._bar = self._tqdm(total=total, desc=stage, leave=False, file=sys.stderr)
            self._stage = (stage, total)
        self._bar.update(done - self._bar.n)

    def close(self) -> None:
        if self._bar is not None:
            self._bar.close()
            self._bar = None
        elif self._tqdm is None and self._stage is not None:
            sys.stderr.write("\r\x1b[K")
