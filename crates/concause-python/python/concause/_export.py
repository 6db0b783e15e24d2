"""Files that are complete or absent, never partial."""

from __future__ import annotations

import os
import tempfile
from pathlib import Path

from ._data import Path as PathLike
from ._errors import RunError


def write_file(path: PathLike, content: str | bytes) -> None:
    """Writes a temporary file and renames it, so that no partial file is ever visible."""
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
