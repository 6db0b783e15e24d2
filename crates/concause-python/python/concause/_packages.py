"""Optional packages, imported on first use."""

from __future__ import annotations

import importlib
from types import ModuleType

from ._errors import MissingPackageError


def needed(package: str, what: str) -> ModuleType:
    """The package, or an error that says what needs it."""
    try:
        return importlib.import_module(package)
    except ImportError as error:
        name = package.partition(".")[0].replace("sklearn", "scikit-learn")
        raise MissingPackageError(f"{what} needs the package {name}; install it: pip install {name}") from error
