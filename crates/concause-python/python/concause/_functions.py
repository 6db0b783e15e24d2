"""The functions of concause."""

from __future__ import annotations

import inspect
import json
import logging
from collections.abc import Callable, Collection, Sequence
from typing import Any, TypeVar, Unpack, overload

from . import _native
from ._data import Data, Path, prepare
from ._errors import InputError
from ._progress import Progress, shown
from ._result import Comparison, Encoding, Evaluation, Explanation, Result, Simulated, TestResult, explanation, text_of
from ._settings import (
    CompareSettings,
    EncodeSettings,
    ExplainSettings,
    MineSettings,
    SimulateSettings,
    TestSettings,
)

_log = logging.getLogger("concause")
_Function = TypeVar("_Function", bound=Callable[..., Any])


def with_settings(settings: type, without: Collection[str] = ()) -> Callable[[_Function], _Function]:
    """Adds every setting to the signature, for help and completion."""

    def add_settings(function: _Function) -> _Function:
        signature = inspect.signature(function)
        own = [parameter for parameter in signature.parameters.values() if parameter.kind is not parameter.VAR_KEYWORD]
        names = [name for name in settings.__annotations__ if name not in signature.parameters and name not in without]
        keywords = [
            inspect.Parameter(name, inspect.Parameter.KEYWORD_ONLY, default=None, annotation=settings.__annotations__[name])
            for name in names
        ]
        function.__signature__ = signature.replace(parameters=own + keywords)  # type: ignore[attr-defined]
        return function

    return add_settings


def shown_settings(function: Callable[..., Any]) -> list[str]:
    """The settings in a signature."""
    return [name for name, parameter in inspect.signature(function).parameters.items() if parameter.default is None]


def _run(run: Callable[..., tuple[Any, list[str]]], *arguments: Any, progress: Progress) -> Any:
    with shown(progress) as callback:
        result, notices = run(*arguments, callback)
    for notice in notices:
        _log.info(notice)
    return result


@with_settings(MineSettings)
def mine(data: Data, target: str, *, progress: Progress = False, **settings: Unpack[MineSettings]) -> Result:
    """Find the single and combined causes of an outcome.

    ``data`` is a path (or several with the same schema), a pandas or polars data frame, a pyarrow table, a DuckDB
    relation or any other object with the Arrow PyCapsule interface, a dictionary of columns, or a numpy array (columns
    ``V1``, ``V2``, …). ``target`` is the outcome: a binary column, or ``"NAME=VALUE"``. Every setting has the name and
    the meaning of the flag of ``concause mine``.

    ``progress`` is True for bars, or a function that is called with the stage, the steps done and the total. Ctrl-C
    interrupts the search. ``time_limit`` stops it with the results so far, and ``complete`` is False.

    >>> import concause
    >>> result = concause.mine(concause.simulate("syn-50", seed=1), "T", preset="paper", method="mh-pc-f")
    >>> [cause.name for cause in result.causes if cause.level == 2]
    ['V5&V20', 'V18&V26', 'V28&V46', 'V1&V3', 'V14&V40']
    >>> print(result.explain("V2"))
    V2 is not associated with T (p = 0.783)
    """
    mined = _run(_native.mine, prepare(data), {"target": target, **settings}, progress=progress)
    return Result._from_native(mined)


@overload
def explain(
    data: Data, target: str, x: str, *, progress: Progress = False, **settings: Unpack[ExplainSettings]
) -> Explanation: ...
@overload
def explain(
    data: Data,
    target: str,
    x: list[str] | tuple[str, ...],
    *,
    progress: Progress = False,
    **settings: Unpack[ExplainSettings],
) -> list[Explanation]: ...
@with_settings(ExplainSettings)
def explain(
    data: Data,
    target: str,
    x: str | list[str] | tuple[str, ...],
    *,
    progress: Progress = False,
    **settings: Unpack[ExplainSettings],
) -> Explanation | list[Explanation]:
    """Explain why a column or conjunction is a cause or not; or several of them.

    After :func:`mine`, ``result.explain(x)`` gives the same explanation without a new search.

    >>> import concause
    >>> data = {"rain": [0, 1] * 50, "sun": [1, 0, 0, 1] * 25, "wet": [0, 1] * 50}
    >>> print(concause.explain(data, "wet", "sun"))
    sun is not a cause of wet (probability .14): adding it to the best model lowers the log posterior by 1.3
    """
    names = [x] if isinstance(x, str) else list(x)
    texts = _run(_native.explain, prepare(data), {"target": target, "x": names, **settings}, progress=progress)
    explanations = [explanation(pair) for pair in texts]
    return explanations[0] if isinstance(x, str) else explanations


@overload
def test(
    data: Data,
    target: str,
    x: str,
    given: str | Sequence[str] = (),
    *,
    queries: None = None,
    progress: Progress = False,
    **settings: Unpack[TestSettings],
) -> TestResult: ...
@overload
def test(
    data: Data, target: str, *, queries: Path, progress: Progress = False, **settings: Unpack[TestSettings]
) -> list[TestResult]: ...
@with_settings(TestSettings)
def test(
    data: Data,
    target: str,
    x: str | None = None,
    given: str | Sequence[str] = (),
    *,
    queries: Path | None = None,
    progress: Progress = False,
    **settings: Unpack[TestSettings],
) -> TestResult | list[TestResult]:
    """Test whether a column or conjunction is independent of the outcome, given others.

    ``queries`` is a CSV file of queries (x, given, within, test); the results are a list.

    >>> import concause
    >>> data = {"rain": [0, 1] * 50, "sun": [1, 0, 0, 1] * 25, "wet": [0, 1] * 50}
    >>> answer = concause.test(data, "wet", "sun", given="rain")
    >>> answer.outcome, answer.p_value, answer.df
    ('independent', 1.0, 2)
    """
    request = {"target": target, "x": x, "given": given, "queries": queries, **settings}
    texts = _run(_native.test, prepare(data), request, progress=progress)
    results = [TestResult(json.loads(fields), text) for text, fields in texts]
    return results if queries is not None else results[0]


test.__test__ = False  # type: ignore[attr-defined]


@with_settings(EncodeSettings)
def encode(data: Data, target: str, *, progress: Progress = False, **settings: Unpack[EncodeSettings]) -> Encoding:
    """Encode a table as the binary columns that the search uses.

    >>> import concause
    >>> encoding = concause.encode({"wind": ["low", "high", "low"], "fire": [1, 0, 1]}, "fire")
    >>> encoding.columns
    ['wind=low']
    """
    return Encoding(_run(_native.encode, prepare(data), {"target": target, **settings}, progress=progress))


@with_settings(CompareSettings)
def compare(
    data: Data, target: str, methods: str | Sequence[str], *, progress: Progress = False, **settings: Unpack[CompareSettings]
) -> Comparison:
    """Run several methods and compare their causes.

    >>> import concause
    >>> comparison = concause.compare(concause.simulate("syn-7"), "T", ["mh-pc-f", "mh-pc-b"])
    >>> [method.method for method in comparison.methods]
    ['mh-pc-f', 'mh-pc-b']
    """
    request = {"target": target, "methods": methods, **settings}
    found: Comparison = Comparison._from_native(_run(_native.compare, prepare(data), request, progress=progress))
    return found


@with_settings(SimulateSettings)
def simulate(recipe: str, *, seed: int = 1, **settings: Unpack[SimulateSettings]) -> Simulated:
    """Generate data with known causes from a recipe.

    ``concause.simulate.recipes()`` lists the recipes; ``set`` sets their parameters, e.g.
    ``set={"coefficients": "0.2..0.4"}``.

    >>> import concause
    >>> data = concause.simulate("syn-7", seed=1, rows=200)
    >>> data.truth["target"], len(data.to_pandas())
    ('T', 200)
    """
    if isinstance(seed, bool) or not isinstance(seed, int) or not 0 <= seed < 2**64:
        raise InputError(f"seed must be a whole number from 0 to 2**64 - 1, not {seed!r}")
    return Simulated(_run(_native.simulate, recipe, seed, dict(settings), progress=False))


simulate.recipes = lambda: dict(_native.recipes())  # type: ignore[attr-defined]


def evaluate(
    found: Result | dict[str, Any] | Path | Sequence[Any],
    truth: Simulated | dict[str, Any] | Path | Sequence[Any],
) -> Evaluation:
    """Score the causes found against the true causes, for one data set or several.

    >>> import concause
    >>> data = concause.simulate("syn-50", seed=1)
    >>> concause.evaluate(concause.mine(data, "T"), data).pairs[0].all.f1
    1.0
    """
    founds = list(found) if isinstance(found, (list, tuple)) else [found]
    truths = list(truth) if isinstance(truth, (list, tuple)) else [truth]
    if len(founds) != len(truths):
        raise InputError(f"{len(founds)} results cannot be paired with {len(truths)} truths")
    pairs = [(*text_of(one, "result"), *text_of(other, "truth")) for one, other in zip(founds, truths)]
    scored: Evaluation = Evaluation._from_native(_run(_native.evaluate, pairs, progress=False))
    return scored
