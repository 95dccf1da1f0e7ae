"""The site: the table of ideas, the gallery, chapters as pages, and the navigation bar."""

import importlib.util
import json
import re
from pathlib import Path

import pytest

import rocviz
from rocviz.core.roc.metrics import METRICS, MetricRow

pytestmark = pytest.mark.slow

ROOT = Path(__file__).resolve().parents[2]
DOCS = ROOT / "docs"
HIDDEN_TOC = re.compile(r"```\{toctree\}\n:hidden:\n\n(.*?)```", re.DOTALL)


def _load(name):
    spec = importlib.util.spec_from_file_location(name, DOCS / f"{name}.py")
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


pages = _load("pages")
pictures = _load("pictures")
API = re.sub(r"^   (?=\w+(\.\w+)*$)", "rocviz.", (DOCS / "api.md").read_text("utf-8"), flags=re.M)


def test_the_bar_has_six_entries():
    entries = HIDDEN_TOC.search((DOCS / "index.md").read_text("utf-8"))[1].split("\n")
    words = [entry.partition(" <")[0] for entry in entries if entry]
    assert words == ["Learn", "Explore", "Use", "Reference", "Papers", "About"]


@pytest.mark.parametrize("name", pages.IDEAS)
def test_links_of_ideas_have_targets(name):
    for targets in pages.parts([name]).values():
        for text, place in targets:
            page, _, anchor = place.partition("#")
            assert text
            if page.startswith("api/"):
                assert page.removeprefix("api/") in re.findall(r"rocviz\.\S+", API)
            elif page.startswith("live/"):
                assert page.removeprefix("live/story-") in rocviz.stories.NAMES
            elif page.startswith("notebooks/"):
                assert (ROOT / f"{page}.ipynb").exists()
            else:
                words = (DOCS / f"{page}.md").read_text("utf-8").lower()
                assert not anchor or f"## {anchor}" in words


def test_every_chapter_explorer_estimator_and_display_belongs_to_an_idea():
    of = pages.IDEAS.values()
    chapters = set()
    for idea in of:
        for chapter in idea.get("chapters", ()):
            chapters.add(pages.chapter(chapter))
    assert chapters == {
        path.stem for path in (ROOT / "notebooks").glob("*.ipynb") if not path.stem.startswith("00")
    }
    assert set(rocviz.stories.NAMES) == set().union(
        *(pages.listed(name, "story") for name in pages.IDEAS)
    )
    named = set().union(*(idea["api"] for idea in of))
    classes = {n for n in rocviz.__all__ if n.endswith(("Explorer", "Display", "Classifier"))}
    assert classes <= named


def test_pages_of_an_idea_link_back_to_it():
    papers = (DOCS / "papers.md").read_text("utf-8").splitlines()
    explorers = pages.with_links("explorers", (DOCS / "explorers.md").read_text("utf-8"))
    coverage = pages.with_links("coverage", (DOCS / "coverage.md").read_text("utf-8"))
    for name, idea in pages.IDEAS.items():
        home = pages.page_of(name)
        places = {f"]({home}.md)", f"]({home}.ipynb)"}

        def leads(text, places=places):
            return any(place in text for place in places)

        for explorer in pages.listed(name, "explorer"):
            assert leads(explorers.partition(f"## {explorer}\n")[2].split("\n## ")[0])
        for paper in pages.listed(name, "paper"):
            row = next(line for line in papers if line.startswith(f"| {{cite:t}}`{paper}` |"))
            taught = [f"{{chapter}}`{chapter}`" for chapter in pages.listed(name, "chapters")]
            assert leads(row) or any(chapter in row for chapter in taught)
            sections = coverage.split("\n## ")[1:]
            assert any(f"`{paper}`" in section and leads(section) for section in sections)
        for public in idea["api"]:
            assert f"<../{home}.html>" in pages.with_links(f"api/rocviz.{public}", "")


def test_the_metrics_of_the_page_are_those_of_the_table(monkeypatch):
    monkeypatch.setitem(METRICS, "new", MetricRow("new", max, aliases={"newest": {}}))
    rows = [line.split(" | ") for line in pages.metric_table().splitlines()[2:]]
    assert [row[0] for row in rows] == [f'| `"{name}"`' for name in METRICS]
    assert [rows[-1][2], rows[-1][4]] == ['`"newest"`', "new"]


def test_every_page_of_how_to_is_in_its_index():
    index = (DOCS / "howto" / "index.md").read_text("utf-8")
    listed = set(HIDDEN_TOC.search(index)[1].split())
    there = {path.stem for path in (DOCS / "howto").glob("*.md")} - {"index"}
    assert listed == there == set(re.findall(r"\]\((\w+)\.md\)", index))


def test_the_gallery_has_every_display_and_every_explorer():
    text = (DOCS / "gallery" / "displays.md").read_text("utf-8")
    assert [heading for heading, *_ in pictures.pieces("gallery/displays", text)] == re.findall(
        "^## (.*)$", text, re.MULTILINE
    )
    assert set(re.findall(r"^## (\w+)$", text, re.MULTILINE)) == {
        name
        for room in rocviz.displays.__all__
        for name in getattr(getattr(rocviz.displays, room), "__all__", ())
        if name.endswith("Display")
    }
    explorers = (DOCS / "gallery" / "index.md").read_text("utf-8")
    assert set(re.findall(r"\[(\w+Explorer)\]", explorers)) == {
        name for name in rocviz.__all__ if name.endswith("Explorer")
    }


def test_pictures_of_a_page_have_alternative_texts():
    for page in [*DOCS.glob("howto/*.md"), *DOCS.glob("gallery/*.md")]:
        text = page.read_text("utf-8")
        alts = [alt for *_, alt in pictures.pieces(page.stem, text)]
        assert len(alts) == text.count("```{picture}") == len(set(alts))
        assert all(len(alt) > 30 for alt in alts)


def test_the_last_figure_of_the_code_is_shown():
    code = "import matplotlib.pyplot as plt\nplt.figure()\nplt.figure(label='this')\nprint('x')"
    assert pictures.figure_of(code).get_label() == "this"


def test_a_bare_picture_has_no_sentence():
    code = "from rocviz import ROCExplorer\nROCExplorer(panels=['roc'])"
    assert pictures.figure_of(code).artists
    assert not pictures.figure_of(code, bare=True).artists


def test_a_chapter_becomes_a_page(tmp_path):
    link = f"{pages.REPOSITORY}/blob/main/docs/decisions.md#a"
    cells = [
        {"cell_type": "markdown", "metadata": {}, "source": f"# One\n[there]({link})"},
        {
            "cell_type": "code",
            "metadata": {"jupyter": {"outputs_hidden": True}},
            "source": ["explorer"],
            "outputs": [
                {
                    "data": {"image/png": ""},
                    "metadata": {"image/png": {"alt": "AUC <b>0.9</b>\n of it"}},
                }
            ],
        },
        {
            "cell_type": "code",
            "metadata": {},
            "source": ["plt.show()"],
            "outputs": [{"data": {"image/png": ""}, "metadata": {}}],
        },
    ]
    book = tmp_path / "03_fidel.ipynb"
    book.write_text(json.dumps({"cells": cells, "nbformat": 4, "nbformat_minor": 5}))
    first, shown, drawn, last = json.loads(pages.as_page(book))["cells"]
    assert first["source"].startswith("# One\n\n:::{note}\n")
    assert first["source"].endswith("\n:::\n[there](../decisions.md#a)")
    assert shown["metadata"]["mystnb"]["image"]["alt"] == "AUC 0.9 of it"
    assert shown["metadata"]["tags"] == ["hide-output"]
    assert drawn["metadata"]["mystnb"]["image"]["alt"].endswith("in the section One")
    assert "[When does a crowd help?](../fidel.md)" in last["source"]
    assert "{cite:t}`kim2021`" in last["source"]


def test_explorers_of_chapters_become_live_frames(tmp_path):
    shown = {"data": {"image/png": ""}, "metadata": {"image/png": {"alt": 'AUC <b>"0.9"</b>'}}}
    output = {"output_type": "stream", "name": "stdout", "text": "kept"}
    cell = {"cell_type": "code", "metadata": {}, "source": ["explorer"]}
    cell["outputs"] = [output, {"output_type": "display_data", **shown}]
    book = tmp_path / "03_fidel.ipynb"
    book.write_text(json.dumps({"cells": [cell], "nbformat": 4, "nbformat_minor": 5}))
    first, moves = json.loads(pages.as_page(book, {"03_fidel-0"}))["cells"][0]["outputs"]
    assert first == output
    frame = moves["data"]["text/html"]
    assert 'loading="lazy" src="../live/03_fidel-0.html" title="AUC &quot;0.9&quot;"' in frame
    assert "iframe" not in pages.as_page(book)


def test_chapters_say_what_can_be_done_on_their_page():
    for path in sorted((ROOT / "notebooks").glob("*.ipynb")):
        cells = json.loads(pages.as_page(path))["cells"]
        text = "\n".join("".join(cell["source"]) for cell in cells)
        assert f"rocviz lab {int(path.stem[:2])}`" in "".join(cells[0]["source"])
        assert f"lab/tree/notebooks/{path.name}" in text
        # nothing is run there
        assert "Shift</kbd>" not in text, path.name
        assert "•••" not in text, path.name


def test_every_sentence_on_running_a_cell_is_still_in_a_chapter():
    chapters = (ROOT / "notebooks").glob("*.ipynb")
    texts = ["".join(cell["source"]) for path in chapters for cell in _cells(path)]
    for sentence in pages.SENTENCES_ON_SITE:
        assert any(sentence in text for text in texts), sentence


def _cells(path):
    return json.loads(path.read_text("utf-8"))["cells"]


def test_full_pages_link_back_to_the_site(tmp_path, monkeypatch):
    monkeypatch.syspath_prepend(DOCS)
    explorer = rocviz.ROCExplorer([0, 1, 0, 1], [0.1, 0.4, 0.35, 0.8], panels=["roc"])
    page = explorer.to_html(tmp_path / "page.html", live={"threshold": 2}, scripts="js")
    explorer.close()
    live = _load("live")
    text = page.read_text("utf-8")
    assert '<body><nav><a href="../gallery/index.html">' in live.with_way_back(text, "front")
    fidel = pages.chapter("fidel")
    for name, expected in {
        "front": "explorers",
        "roc-a-concavity": "explorers",
        "story-ensembles": "fidel",
        f"{fidel}-7": f"notebooks/{fidel}",
    }.items():
        places = re.findall(r'<a href="\.\./([^"]+)\.html"', live.with_way_back(text, name))
        assert places == ["gallery/index", expected]
        for place in places:
            assert (DOCS / f"{place}.md").exists() or (ROOT / f"{place}.ipynb").exists()


@pytest.mark.parametrize("name", ["report-clinical", "report-credit", "report-classes"])
def test_reports_of_the_gallery_have_a_thumbnail_and_lead_back(name, tmp_path, monkeypatch):
    monkeypatch.syspath_prepend(DOCS)
    live = _load("live")
    codes = {card: code for card, _, words, code in live.cards("reports") if words}
    figure = pictures.figure_of(codes.pop(name))
    assert len(codes) == 2
    assert any(ax.has_data() for ax in figure.axes)
    written = rocviz.evaluation_report([0, 1, 0, 1], [0.1, 0.4, 0.35, 0.8]).to_html(
        tmp_path / "page.html", live=False
    )
    page = live.with_way_back(written.read_text("utf-8"), name)
    targets = re.findall(r'<a href="\.\./([^".]+)\.html', page)
    assert targets == ["gallery/index", "howto/report"]


def test_chapters_run_and_their_explorers_can_be_recorded():
    chapters = _load("chapters")
    book = next((ROOT / "notebooks").glob("*_probabilities_from_rankings.ipynb"))
    _, explorer = next(chapters.explorers(str(book)))
    assert type(explorer).__name__ == "RankingLossExplorer"
    assert chapters.controls_of(explorer) == {"a": 9, "wipe": 15}
    explorer.close()
    groups = rocviz.GroupsExplorer(n_samples=20)
    assert set(chapters.controls_of(groups)) == {"criterion", "predicted_positive_rates"}
    groups.close()
    kinds = {name.partition(" ")[0] for name in chapters.CONTROLS}
    assert kinds == {name for name in rocviz.__all__ if name.endswith("Explorer")}


def test_links_to_live_pages_have_a_title_and_a_picture(tmp_path, monkeypatch):
    monkeypatch.syspath_prepend(DOCS)
    live = _load("live")
    monkeypatch.setattr(live, "FOLDER", tmp_path)
    live.record("front")
    page = (tmp_path / "front.html").read_text("utf-8")
    assert f'<meta property="og:title" content="{live.FRONT_TITLE}">' in page
    picture = f'<meta property="og:image" content="{pages.SITE}/live/front.png">'
    assert picture in page
    assert (tmp_path / "front.png").read_bytes().startswith(b"\x89PNG")


def test_every_story_explorer_and_report_has_a_live_page(monkeypatch):
    monkeypatch.syspath_prepend(DOCS)
    live = _load("live")
    kinds = [kind for kind, *_ in live.pages().values()]
    assert set(kinds) == {name for name in rocviz.__all__ if name.endswith("Explorer")}
    assert all(kinds.count(kind) >= 3 for kind in kinds)
    gallery = (DOCS / "gallery" / "index.md").read_text("utf-8")
    shown = set(re.findall(r"{live-cards} (\w+)", gallery))
    assert {"stories", "reports", *live.EXPLORERS} == shown
    assert {f"story-{name}" for name in rocviz.stories.NAMES} <= set(live.names())
    assert live.LECTURE in live.names()
    presets = {inputs["preset"] for _, inputs, _ in live.pages().values() if "preset" in inputs}
    assert presets == live.CARD_TITLES.keys()
    assert set(_load("reports").REPORTS) <= set(live.names())
    assert "{live} front" in (DOCS / "index.md").read_text("utf-8").split("|")[0]


FORMULA = re.compile(r"\$\$(.+?)\$\$|\$(?=\S)([^$\n]+?)(?<=\S)\$", re.DOTALL)
CODE = re.compile(r"```.*?```|`[^`\n]*`", re.DOTALL)
OF_DOCSTRING = re.compile(r"\.\. math::\n\n((?:[ \t]+\S.*\n)+)")


def test_every_formula_can_be_drawn():
    """The site has no script for formulas: what its converter does not know would be an error."""
    convert = _load("mathml").converted
    formulas = []
    for path in DOCS.rglob("*.md"):
        if "_build" not in path.parts:
            text = CODE.sub("", path.read_text("utf-8"))
            formulas += [(path.name, match[1] or match[2]) for match in FORMULA.finditer(text)]
    for path in (ROOT / "rocviz").rglob("*.py"):
        matches = OF_DOCSTRING.findall(path.read_text("utf-8"))
        formulas += [(path.name, re.sub(r"\n\s*", "\n", formula).strip()) for formula in matches]
    assert len(formulas) > 100
    unknown = []
    for name, formula in formulas:
        try:
            convert(formula, as_block=True)
        except Exception as error:
            unknown.append((name, formula, str(error)))
    assert unknown == []


@pytest.mark.parametrize(
    ("formula", "numbers"),
    [
        (r"\tfrac23\,p", ["2", "3"]),
        (r"\frac12", ["1", "2"]),
        (r"\frac1{2m}", ["1", "2"]),
        (r"\frac{10}25", ["10", "2", "5"]),
        (r"\frac q25", ["2", "5"]),
        (r"x^23 + \sqrt25", ["2", "3", "2", "5"]),
        (r"x_{12} + 34.5", ["12", "34.5"]),
    ],
)
def test_an_argument_without_braces_is_one_digit(formula, numbers):
    shown = _load("mathml").converted(formula, as_block=False)
    assert re.findall(r"<mn>([^<]*)</mn>", shown) == numbers
