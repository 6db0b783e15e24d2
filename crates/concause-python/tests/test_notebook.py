"""The display of results in notebooks, and the example notebook, run by a kernel."""

import json
import os
import re
from html.parser import HTMLParser
from xml.etree import ElementTree

import concause
import nbformat
import pytest
from nbclient import NotebookClient

from conftest import PATIENCE, ROOT

NOTEBOOK = ROOT / "examples" / "fire.ipynb"


def test_the_outputs_of_the_example_notebook_are_current():
    notebook = nbformat.read(NOTEBOOK, as_version=4)
    run = nbformat.from_dict(notebook)
    limits = {"timeout": PATIENCE, "startup_timeout": PATIENCE}
    NotebookClient(run, **limits, kernel_name="python3", resources={"metadata": {"path": NOTEBOOK.parent}}).execute()
    for cell in run.cells:
        cell.metadata.pop("execution", None)
    run.metadata = notebook.metadata
    if os.environ.get("UPDATE_SNAPSHOTS"):
        nbformat.write(run, NOTEBOOK)
        notebook = nbformat.read(NOTEBOOK, as_version=4)
    assert sum(cell.cell_type == "code" for cell in run.cells) > 5
    for shown, given in zip(notebook.cells, run.cells, strict=True):
        assert outputs(shown) == outputs(given), shown.source


def outputs(cell):
    return [json.dumps(output.get("data", output.get("text")), sort_keys=True) for output in cell.get("outputs", [])]


class Elements(HTMLParser):
    """Collects all elements with their attributes, and checks that every element is closed."""

    VOID = {"meta", "br", "img", "input", "link"}

    def __init__(self, text):
        super().__init__()
        self.found, self.open = [], []
        self.feed(text)
        assert not self.open, self.open

    def handle_starttag(self, tag, attributes):
        self.found.append((tag, dict(attributes)))
        if tag not in self.VOID:
            self.open.append(tag)

    def handle_endtag(self, tag):
        assert self.open.pop() == tag


def test_a_result_is_displayed_and_loads_nothing(fire):
    result = concause.mine(fire, "fire")
    shown = result._repr_html_()
    elements = Elements(shown).found
    assert sum(tag == "tr" for tag, _ in elements) == 1 + len(result.causes)
    # A small plot of each effect, and one of the combined cause.
    drawn = [attributes for tag, attributes in elements if tag == "svg" and attributes.get("width") == "140"]
    assert len(drawn) == len(result.causes)
    assert "burning_stub alone" in shown and "both" in shown
    assert not re.search(r"<script|<link|src=|url\(|@import|href=", shown)
    # The style rules apply to its own elements only.
    for rule in re.findall(r"([^{}<>]+)\{[^}]*\}", "".join(re.findall(r"<style>(.*?)</style>", shown, re.S))):
        assert rule.strip().startswith(".concause"), rule
    assert len(shown) < 100_000
    assert concause.Result.from_json(result.to_json())._repr_html_() == shown


def test_names_are_text_in_a_notebook():
    name = "<script>alert(1)</script>&\"'"
    result = concause.mine({name: [0, 1] * 40, "t": [0, 1] * 40}, "t")
    for text in (result._repr_html_(), result.plot().svg, result.plot("graph").svg, result.to_html()):
        assert "<script>alert" not in text and "&lt;script&gt;alert" in text
    ElementTree.fromstring(result.plot("graph").svg)


def test_an_empty_result_is_displayed():
    result = concause.mine({"a": [0, 1] * 40, "t": [0, 0, 1, 1] * 20}, "t")
    assert len(result) == 0 and "No cause of" in result._repr_html_()
    with pytest.raises(concause.InputError, match="the result has nothing to show in a plot"):
        result.plot()
    with pytest.raises(concause.InputError, match="the result has no causes to plot"):
        result.plot("risk")


@pytest.mark.parametrize("kind", ["forest", "risk", "graph", "funnel"])
def test_plots_are_svg_files(fire, kind, tmp_path):
    result = concause.mine(fire, "fire")
    picture = result.plot(kind)
    picture.save(tmp_path / "picture.svg")
    assert (tmp_path / "picture.svg").read_text() == picture.svg == picture._repr_svg_()
    root = ElementTree.fromstring(picture.svg)
    assert root.tag == "{http://www.w3.org/2000/svg}svg" and int(root.get("width")) > 300
    texts = " ".join(root.itertext())
    assert ("both" if kind == "risk" else "candidates" if kind == "funnel" else "lightning") in texts
    assert "var(" not in picture.svg


def test_a_plot_is_selected_by_name(fire):
    result = concause.mine(fire, "fire")
    assert "with it" in result.plot("risk", "lightning").svg
    assert result.plot("risk").svg == result.plot("risk", "burning_stub&dry_brush").svg
    with pytest.raises(concause.InputError, match="'wind' is not among the causes: lightning, "):
        result.plot("risk", "wind")
    with pytest.raises(concause.InputError, match="there is no plot 'pie'; choose one of forest, risk, graph, funnel"):
        result.plot("pie")
    with pytest.raises(concause.InputError, match="there is no backend 'gnuplot'"):
        result.plot(backend="gnuplot")


def test_matplotlib_draws_on_request(fire):
    matplotlib = pytest.importorskip("matplotlib")
    matplotlib.use("agg")
    result = concause.mine(fire, "fire")
    axes = result.plot("forest", backend="matplotlib")
    assert [label.get_text() for label in axes.get_yticklabels()] == [cause.name for cause in reversed(result.causes)]
    ratio = result.causes[0].evidence.adjusted.risk_ratio
    assert any(list(line.get_xdata()) == [ratio.low, ratio.high] for line in axes.lines)
    again = result.plot("risk", ax=axes.figure.add_subplot())
    assert [bar.get_width() for bar in again.patches][0] == result.causes[-1].evidence.interaction.cells[-1].risk.value
    with pytest.raises(concause.InputError, match="matplotlib draws forest and risk"):
        result.plot("graph", backend="matplotlib")


def test_a_report_is_that_of_the_command(command, fire, tmp_path):
    result = concause.mine(fire, "fire")
    result.to_html(tmp_path / "report.html")
    assert (tmp_path / "report.html").read_text() == command("mine", fire, "--target", "fire", "--format", "html")


def test_other_results_are_displayed_as_tables(fire):
    comparison = concause.compare(fire, "fire", ["mh-pc-f", "hiton-pc"])
    assert comparison._repr_markdown_() == comparison.to_markdown() and "|" in comparison.to_markdown()
