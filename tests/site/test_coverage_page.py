"""Every numbered item of the papers has a row in docs/coverage.md, and no row points to nothing."""

import re
from pathlib import Path
from pkgutil import resolve_name

import pytest

pytestmark = pytest.mark.slow

ROOT = Path(__file__).resolve().parents[2]
PAGE = (ROOT / "docs" / "coverage.md").read_text("utf-8")
#: What each paper numbers, and how far; the first word of a heading tells the paper.
NUMBERED = {
    "Classification": {"Definition": 3, "Theorem": 3, "Example": 5, "Figure": 4},
    "Fermi-Dirac": {"Figure": 4},
    "Scoring": {"Definition": 3, "Equation": 14, "Table": 1, "Figure": 8, "RQ": 5},
    "Probabilities": {"Definition": 2, "Equation": 5, "Proposition": 2, "Figure": 1, "Table": 3},
    "Decision-theoretic": {"Equation": 10, "Algorithm": 2, "Figure": 1, "Table": 3},
}
#: One counter runs through all statements of this paper.
STATEMENTS = {
    "Remark": (1, 12),
    "Definition": (2, 5, 10),
    "Corollary": (3, 14),
    "Proposition": (4, 7, 8, 9, 11),
    "Theorem": (6, 13),
}
SECTIONS = {
    f"{int(path.name[:2])}.{number}"
    for path in (ROOT / "notebooks").glob("[0-9]*.py")
    for number in re.findall(r"^# ## (\d+)\. ", path.read_text("utf-8"), re.MULTILINE)
}
TABLES = {
    part.split()[0].strip(","): [
        [cell.strip() for cell in row.strip("|").split(" |")]
        for row in part.splitlines()
        if row.startswith("| ") and not row.startswith("| place ")
    ]
    for part in PAGE.split("\n## ")[1:]
}


@pytest.mark.parametrize("paper", NUMBERED)
def test_each_numbered_item_has_one_row(paper):
    expected = []
    for kind, last in NUMBERED[paper].items():
        for n in range(last):
            expected.append(f"{kind} {n + 1}")
    expected = [item.replace("RQ ", "RQ") for item in expected]
    if paper == "Decision-theoretic":
        for kind, numbers in STATEMENTS.items():
            expected += [f"{kind} {n}" for n in numbers]
    places = []
    for row in TABLES[paper]:
        places.extend(row[0].split(", "))
    assert sorted(item for item in places if re.search(r"^[A-Z].*\d$", item)) == sorted(expected)


@pytest.mark.parametrize("paper", TABLES)
def test_rows_point_to_existing_objects(paper):
    api = (ROOT / "docs" / "api.md").read_text("utf-8")
    link = re.compile(r"<api:([\w.]+)>|\[\w+\]\(api:([\w.]+)\)")
    for row in TABLES[paper]:
        _, what, code, course, check, remark = row
        assert what, row
        assert check or remark, f"no test, and nothing that says why: {row}"
        named = ["".join(names) for names in link.findall(code)]
        assert not link.sub("", code).replace(", ", ""), row
        for name in named:
            resolve_name(f"rocviz.{name}")
            assert f"\n   {name}\n" in api, name
        assert set(re.findall(r"\[(\d+\.\d+)\]", course + remark)) <= SECTIONS, row
        for path, name in re.findall(r"\(test:([\w/]+\.py)#(\w+)\)", check):
            text = (ROOT / "tests" / path).read_text("utf-8")
            assert re.search(rf"^ *def {name}\(", text, re.MULTILINE), f"{path}: {name}"
        assert re.sub(r"\[test\]\(test:[\w/]+\.py#\w+\)(, )?", "", check) == "", row


def test_each_section_of_the_course_that_is_named_has_its_link():
    named = set(re.findall(r"\[(\d+\.\d+)\](?!:)", PAGE))
    linked = dict(re.findall(r"^\[(\d+\.\d+)\]: (\S+)$", PAGE, re.MULTILINE))
    assert set(linked) == named
    for section, target in linked.items():
        chapter, number = section.split(".")
        path, _, anchor = target.partition("#")
        source = (ROOT / path).with_suffix(".py").read_text("utf-8")
        (title,) = re.findall(rf"^# ## {number}\. (.*)$", source, re.MULTILINE)
        slug = re.sub(r"[^\w\- ]", "", title.lower()).replace(" ", "-")
        assert path.startswith(f"notebooks/{int(chapter):02}_")
        assert anchor == f"{number}-{slug}"
