"""Finds the causes of an outcome in a table of observations: single causes, and combined causes such as
``smoking & gene=B`` whose parts are not causes on their own.

>>> import concause
>>> data = concause.simulate("syn-7", seed=1)
>>> result = concause.mine(data, "T")
>>> result.complete
True
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from ._errors import ConcauseError, InputError, MissingPackageError, NoColumnsError, RunError, SettingError
from ._functions import compare, encode, evaluate, explain, mine, simulate, test
from ._native import __version__
from ._plot import Picture
from ._result import Cause, Comparison, Encoding, Evaluation, Explanation, Result, Simulated, TestResult

if TYPE_CHECKING:
    from ._classifier import CauseClassifier
    from ._miner import CauseMiner

__all__ = [
    "Cause",
    "CauseClassifier",
    "CauseMiner",
    "Comparison",
    "ConcauseError",
    "Encoding",
    "Evaluation",
    "Explanation",
    "InputError",
    "MissingPackageError",
    "NoColumnsError",
    "Picture",
    "Result",
    "RunError",
    "SettingError",
    "Simulated",
    "TestResult",
    "__version__",
    "compare",
    "encode",
    "evaluate",
    "explain",
    "mine",
    "simulate",
    "test",
]


def __getattr__(name: str) -> Any:
    """Imports an estimator, and with it scikit-learn, on first use."""
    if name not in ("CauseClassifier", "CauseMiner"):
        raise AttributeError(f"module 'concause' has no attribute {name!r}")
    from ._packages import needed

    needed("sklearn", name)
    if name == "CauseMiner":
        from ._miner import CauseMiner

        return CauseMiner
    from ._classifier import CauseClassifier

    return CauseClassifier
