"""Files that appear whole or not at all."""

from __future__ import annotations

import os
import tempfile
from pathlib import Path

from ._data import Path as PathLike
from ._errors import RunError


def write(path: PathLike, content: str | bytes) -> None:
    """Writes beside the file and then takes its place, so that no half-written file is ever seen."""
    place = Path(path).resolve()
    encoded = content.encode() if isinstance(content, str) else content
    try:
        handle, unfinished = tempfile.mkstemp(dir=place.parent, prefix=f".{place.name}.", suffix=".unfinished")
        try:
            with os.fdopen(handle, "wb") as file:
                file.write(encoded)
            umask = os.umask(0)
            os.umask(umask)
            os.chmod(unfinished, 0o666 & ~umask)
            os.replace(unfinished, place)
        except BaseException:
            os.unlink(unfinished)
            raise
    except OSError as error:
        raise RunError(f"{path}: cannot be written ({error.strerror})") from error
