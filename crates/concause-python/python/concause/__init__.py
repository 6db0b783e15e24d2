"""Finds the causes of an outcome in a table of observations: single causes, and combined causes such as
``smoking & gene=B`` whose parts are not causes by themselves.

>>> import concause
>>> data = concause.simulate("syn-7", seed=1)
>>> result = concause.mine(data, "T")
>>> result.complete
True
"""

from __future__ import annotations

from ._errors import ConcauseError, InputError, MissingPackageError, RunError, SettingError
from ._functions import compare, encode, evaluate, explain, mine, simulate, test
from ._native import __version__
from ._result import Cause, Comparison, Encoding, Evaluation, Explanation, Result, Simulated, TestResult

__all__ = [
    "Cause",
    "Comparison",
    "ConcauseError",
    "Encoding",
    "Evaluation",
    "Explanation",
    "InputError",
    "MissingPackageError",
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
