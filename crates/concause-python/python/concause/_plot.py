"""Plots of a result: the SVG of the report, or drawn with matplotlib."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from . import _native
from ._data import Path
from ._errors import InputError
from ._packages import needed
from ._export import write_file

if TYPE_CHECKING:
    from ._result import Cause, Result

_KINDS = ("forest", "risk", "graph", "funnel")


class Picture:
    """An SVG picture, displayed in notebooks; ``save`` writes it to a file."""

    def __init__(self, svg: str) -> None:
        #: The SVG text.
        self.svg = svg

    def save(self, path: Path) -> None:
        """Write the picture to a file."""
        write_file(path, self.svg)

    def _repr_svg_(self) -> str:
        return self.svg

    def __repr__(self) -> str:
        return f"<Picture: {len(self.svg)} characters of SVG>"


def draw(result: Result, kind: str, cause: str | None, backend: str, ax: Any) -> Any:
    """A plot of this kind, as SVG or on the Axes of matplotlib."""
    if kind not in _KINDS:
        raise InputError(f"there is no plot {kind!r}; choose one of {', '.join(_KINDS)}")
    if backend not in ("svg", "matplotlib"):
        raise InputError(f"there is no backend {backend!r}; choose svg or matplotlib")
    number = _number(result, cause) if kind == "risk" else None
    if backend == "svg" and ax is None:
        return Picture(_native.plot(result.to_json(), kind, number))
    if kind not in ("forest", "risk"):
        raise InputError(f"matplotlib draws forest and risk; plot({kind!r}) gives SVG")
    ax = needed("matplotlib.pyplot", "a plot by matplotlib").subplots()[1] if ax is None else ax
    return _forest(result, ax) if number is None else _risk(result, result.causes[number], ax)


def _number(result: Result, name: str | None) -> int:
    """The position of a cause; without a name, that of the first combined cause, or 0."""
    causes = result.causes
    if not causes:
        raise InputError("the result has no causes to plot")
    if name is None:
        return next((number for number, cause in enumerate(causes) if cause.level > 1), 0)
    for number, cause in enumerate(causes):
        if cause.name == name:
            return number
    raise InputError(f"{name!r} is not among the causes: {', '.join(cause.name for cause in causes[:20])}")


def _forest(result: Result, ax: Any) -> Any:
    estimates = [(cause.name, cause.evidence.adjusted.risk_ratio) for cause in result.causes if cause.evidence]
    known = [(name, ratio) for name, ratio in reversed(estimates) if None not in (ratio.value, ratio.low, ratio.high)]
    for place, (_, ratio) in enumerate(known):
        ax.plot([ratio.low, ratio.high], [place, place], color="0.2", linewidth=1.4)
        ax.plot([ratio.value], [place], "o", color="#0072b2" if ratio.value >= 1 else "#b84a00")
    ax.axvline(1, color="0.4", linestyle="--", linewidth=1)
    ax.set_yticks(range(len(known)), [name for name, _ in known])
    ax.set_xscale("log")
    ax.set_xlabel("adjusted risk ratio, 95 % interval")
    return ax


def _risk(result: Result, cause: Cause, ax: Any) -> Any:
    evidence = cause.evidence
    if evidence.interaction is None:
        bars = [("without it", evidence.risk_without), ("with it", evidence.risk_with)]
    else:
        cells = evidence.interaction.cells
        bars = [(" & ".join(cell.held) + " only" if cell.held else "none", cell.risk) for cell in cells]
        bars[-1] = ("all together", bars[-1][1])
    for place, (_, risk) in enumerate(reversed(bars)):
        ax.barh([place], [risk.value or 0], color="#0072b2" if place == 0 else "#a8b6c2")
        if risk.low is not None and risk.high is not None:
            ax.plot([risk.low, risk.high], [place, place], color="0.2", linewidth=1.4)
    ax.set_yticks(range(len(bars)), [label for label, _ in reversed(bars)])
    ax.set_xlabel(f"risk of {result.target.name}")
    ax.set_title(cause.name)
    return ax
