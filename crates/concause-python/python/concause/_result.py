"""The results of the functions."""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import Any, Literal, overload

from . import _frame, _native
from ._data import Data, Path, prepare
from ._errors import ConcauseError, InputError
from ._packages import needed
from ._plot import Picture, draw
from ._record import Record
from ._export import write_file


class Cause(Record):
    """One cause, strictly a parent or child of the outcome."""

    name: str
    columns: list[str]
    #: What the cause says of each attribute: a column, what is true where it is 0 (``V1=0``, ``age<60``), or an interval.
    literals: list[str]
    level: int
    statistic: float
    df: int
    p_value: float
    ln_p_value: float
    #: The posterior probability, if the method has one.
    probability: float | None
    risk_with: float | None
    risk_without: float | None
    equivalent: list[str]
    stability: float | None

    def __repr__(self) -> str:
        if self.probability is not None:
            return f"<Cause {self.name!r}: statistic {self.statistic:.4g}, probability {self.probability:.2f}>"
        return f"<Cause {self.name!r}: statistic {self.statistic:.4g}, largest p {self.p_value:.2g}>"


class Explanation(Record):
    """Why a column or conjunction is a cause or not; ``str`` gives a sentence."""

    sentence: str
    name: str

    def __str__(self) -> str:
        return self.sentence

    def __repr__(self) -> str:
        return f"<Explanation: {self.sentence}>"


def explanation(pair: tuple[str, str]) -> Explanation:
    sentence, written = pair
    return Explanation({"sentence": sentence, **json.loads(written)})


class Result(Record):
    """The causes of an outcome, with their evidence.

    The fields are those of the JSON of the command (``complete``, ``data``, ``target``, ``settings``, ``causes``,
    ``levels``, ``notices``, ``timing``, …). A result holds the encoded data (one bit per cell) to explain any
    candidate; a result that was pickled or read from JSON does not.
    """

    complete: bool
    data: Record
    target: Record
    settings: Record
    levels: list[Record]
    notices: list[str]
    timing: Record
    _json: str
    _mined: _native.Mined | None

    def __init__(self, fields: dict[str, Any], written: str | None = None, mined: _native.Mined | None = None) -> None:
        super().__init__(fields)
        object.__setattr__(self, "_json", written if written is not None else json.dumps(fields))
        object.__setattr__(self, "_mined", mined)

    @classmethod
    def from_json(cls, text: str) -> Result:
        """Read a result that the command or ``to_json`` saved."""
        # The native half refuses JSON that is not a result.
        written = _native.render_json(text, "json")
        return cls(json.loads(written), written)

    @classmethod
    def _from_native(cls, mined: _native.Mined) -> Result:
        written = mined.render("json")
        return cls(json.loads(written), written, mined)

    def __reduce__(self) -> tuple[Any, ...]:
        return Result.from_json, (self._json,)

    @property
    def causes(self) -> list[Cause]:
        """The causes, by level and then strongest first."""
        return [Cause(entry) for entry in self._fields["causes"]]

    def __len__(self) -> int:
        return len(self._fields["causes"])

    def __bool__(self) -> bool:
        return True

    @overload
    def explain(self, name: str) -> Explanation: ...
    @overload
    def explain(self, name: list[str] | tuple[str, ...]) -> list[Explanation]: ...
    def explain(self, name: str | list[str] | tuple[str, ...]) -> Explanation | list[Explanation]:
        """Explain why a column or conjunction (``"A&B"``) is a cause or not; or several of them."""
        if self._mined is None:
            raise ConcauseError(
                "this result was loaded without its data; mine the data again to explain candidates"
            )
        names = [name] if isinstance(name, str) else list(name)
        explained = [explanation(pair) for pair in self._mined.explain(names)]
        return explained[0] if isinstance(name, str) else explained

    def predict_proba(self, data: Data) -> Any:
        """The risks of the rows of ``data``, averaged over the models of the method ``joint``, as ``concause predict``.

        ``data`` are as in :func:`concause.mine`; they need the attributes that the models use, and no outcome. There is
        a row for each row, with the probability of 0 and of 1: a numpy array, or lists if numpy is not installed. A
        result that was pickled or read from JSON predicts too.
        """
        risks, _ = _native.predict(prepare(data), {}, self._json, None)
        try:
            import numpy
        except ImportError:
            return [[1.0 - risk, risk] for risk in risks]
        ones = numpy.asarray(risks, dtype=float)
        return numpy.column_stack([1.0 - ones, ones])

    def to_json(self, path: Path | None = None) -> str:
        """The JSON of ``concause mine --format json``, byte for byte; ``path`` also writes it to a file."""
        return _export_text(self._json, path)

    def to_csv(self, path: Path | None = None) -> str:
        """One line per cause, as ``--format csv``."""
        return _export_text(self._render("csv"), path)

    def to_markdown(self) -> str:
        """The result as Markdown, as ``--format markdown``."""
        return self._render("markdown")

    def to_html(self, path: Path | None = None) -> str:
        """The self-contained HTML report, as ``--format html``; ``path`` also writes it to a file."""
        return _export_text(self._render("html"), path)

    @overload
    def plot(self, kind: str = ..., cause: str | None = ..., *, backend: Literal["svg"] = ..., ax: None = None) -> Picture: ...
    @overload
    def plot(self, kind: str = ..., cause: str | None = ..., *, backend: str = ..., ax: Any = None) -> Any: ...
    def plot(self, kind: str = "forest", cause: str | None = None, *, backend: str = "svg", ax: Any = None) -> Any:
        """A plot of the report as SVG: the ``"forest"`` plot of adjusted risk ratios, the ``"risk"`` with each part of
        a cause (by default the first combined cause), the causal ``"graph"``, or the ``"funnel"`` of candidates.

        With ``backend="matplotlib"`` or ``ax``, matplotlib draws the forest or the risk plot.

        >>> import concause
        >>> result = concause.mine(concause.simulate("syn-50", seed=1), "T", method="mh-pc-f")
        >>> result.plot("risk", "V1&V3").svg[:4]
        '<svg'
        """
        return draw(self, kind, cause, backend, ax)

    def _repr_html_(self) -> str:
        return _native.notebook(self._json)

    def to_pandas(self) -> Any:
        """A pandas DataFrame with one row per cause and the columns of the CSV."""
        return _frame.pandas_frame(self._render("csv"))

    def to_polars(self) -> Any:
        """A polars DataFrame with one row per cause and the columns of the CSV."""
        return _frame.polars_frame(self._render("csv"))

    def __repr__(self) -> str:
        return self._render("table").rstrip("\n")

    def _render(self, form: str) -> str:
        if self._mined is not None:
            return self._mined.render(form)
        return _native.render_json(self._json, form)


class TestResult(Record):
    """The result of a test of independence."""

    __test__ = False

    x: str
    target: str
    given: list[str]
    n: int
    statistic: float | None
    df: int | None
    p_value: float | None
    outcome: str
    _text: str

    def __str__(self) -> str:
        return self._text

    def __repr__(self) -> str:
        return f"<TestResult: {self._text}>"

    def __init__(self, fields: dict[str, Any], text: str = "") -> None:
        super().__init__(fields)
        object.__setattr__(self, "_text", text.rstrip("\n"))

    def __reduce__(self) -> tuple[Any, ...]:
        return type(self), (self._fields, self._text)


class _Page(Record):
    """A result in several formats."""

    _texts: tuple[str, str, str, str]

    def __init__(self, json_text: str, table: str, csv: str, markdown: str) -> None:
        super().__init__(json.loads(json_text))
        object.__setattr__(self, "_texts", (json_text, table, csv, markdown))

    @classmethod
    def _from_native(cls, page: _native.Page) -> Any:
        return cls(page.json, page.table, page.csv, page.markdown)

    def __reduce__(self) -> tuple[Any, ...]:
        return type(self), self._texts

    def to_json(self, path: Path | None = None) -> str:
        """The JSON of the command; ``path`` also writes it to a file."""
        return _export_text(self._texts[0], path)

    def to_csv(self, path: Path | None = None) -> str:
        """The CSV of the command."""
        return _export_text(self._texts[2], path)

    def to_markdown(self) -> str:
        """The Markdown of the command."""
        return self._texts[3]

    def _repr_markdown_(self) -> str:
        return self.to_markdown()

    def to_pandas(self) -> Any:
        """A pandas DataFrame with the columns of the CSV."""
        return _frame.pandas_frame(self._texts[2])

    def to_polars(self) -> Any:
        """A polars DataFrame with the columns of the CSV."""
        return _frame.polars_frame(self._texts[2])

    def __repr__(self) -> str:
        return self._texts[1].rstrip("\n")


class Comparison(_Page):
    """A comparison of methods: the causes of each method, agreement, times and numbers of tests."""


class Evaluation(_Page):
    """Precision, recall and F1 of single, combined and all causes."""


class _Table:
    """A table held by the native half and exported through Arrow."""

    _native: Any

    def __arrow_c_stream__(self, requested_schema: object | None = None) -> object:
        return self._native.__arrow_c_stream__(requested_schema)

    def to_pandas(self) -> Any:
        """The table as a pandas DataFrame."""
        pandas = needed("pandas", "to_pandas()")
        return pandas.DataFrame(_frame.columns(self._native.csv().decode()))

    def to_polars(self) -> Any:
        """The table as a polars DataFrame."""
        return needed("polars", "to_polars()").DataFrame(self)

    def to_csv(self, path: Path | None = None) -> str:
        """The table as CSV; ``path`` also writes it to a file."""
        return _export_text(self._native.csv().decode(), path)


class Encoding(_Table):
    """The binary columns that the search uses. Cases come first, then controls."""

    def __init__(self, native: _native.Encoded) -> None:
        self._native = native
        #: The meaning of every column.
        self.legend = Record(json.loads(native.legend()))

    @property
    def columns(self) -> list[str]:
        """The names of the columns."""
        return [column["name"] for entry in self.legend.to_dict()["attributes"] for column in entry["columns"]]

    def declaration(self, path: Path | None = None) -> str:
        """This encoding in TOML, for later use with ``declare``; ``path`` also writes it to a file."""
        return _export_text(self._native.declaration(), path)

    def __repr__(self) -> str:
        legend = self.legend
        return f"<Encoding: {legend.rows} rows, {len(self.columns)} columns, target {legend.target.name!r}>"


class Simulated(_Table):
    """Data with known causes. They can be mined directly, and converted to any data frame."""

    def __init__(self, native: _native.Simulated) -> None:
        self._native = native
        self._truth = native.truth()

    @property
    def truth(self) -> dict[str, Any]:
        """The true causes and the parameters of the data: the content of ``truth.json``."""
        truth: dict[str, Any] = json.loads(self._truth)
        return truth

    @property
    def target(self) -> str:
        """The outcome."""
        return str(self.truth["target"])

    def __iter__(self) -> Iterator[Any]:
        """The data and their truth: ``data, truth = concause.simulate(…)``."""
        return iter((self, self.truth))

    def __repr__(self) -> str:
        truth = self.truth
        return f"<Simulated: {truth['recipe']}, seed {truth['seed']}, causes {truth['causes']}>"


def _export_text(text: str, path: Path | None) -> str:
    if path is not None:
        write_file(path, text)
    return text


def text_of(value: Any, what: str) -> tuple[str, str]:
    """The name and the JSON of a result or a truth: an object of this package, a dictionary or a file."""
    if isinstance(value, Result):
        return f"the {what}", value.to_json()
    if isinstance(value, Simulated):
        return f"the {what}", value._truth
    if isinstance(value, dict):
        return f"the {what}", json.dumps(value)
    try:
        with open(value, encoding="utf-8") as file:
            return str(value), file.read()
    except (OSError, UnicodeDecodeError) as error:
        raise InputError(f"{value}: cannot be read ({error})") from error
    except TypeError:
        raise InputError(f"the {what} cannot be a {type(value).__name__}; give a result, a dictionary or a path") from None
