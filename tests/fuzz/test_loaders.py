"""Every loader refuses damaged files and JSON with a ``ValueError``, or reads what is valid."""

import contextlib
import copy
import io
import json
import tomllib
from pathlib import Path

import numpy as np
import pandas as pd
import pytest
import traitlets
from callables import counted_list, explorer, written
from hypothesis import HealthCheck, example, given, settings
from hypothesis import strategies as st
from judge import check_length, limited

import rocviz
from rocviz import ProbabilisticScoringList, RankedSegments, ScoringList, Story

pytestmark = [
    # what a story says of texts that were made long
    pytest.mark.filterwarnings("ignore:Step .* too long for a hall"),
]
FEW = settings(
    max_examples=settings().max_examples // 4,
    suppress_health_check=[HealthCheck.too_slow, HealthCheck.function_scoped_fixture],
)

STORY = Path(rocviz.__file__).parent / "stories" / "roc.toml"
REMOVED, DOUBLED = "part removed", "part doubled"
JUNK = [None, True, 0, -1, 0.5, 1e308, 2**53 + 1, 10**400, float("nan"), float("inf"), "", "x",
    "0.5", "\0", [], [None], [[]], [[1], [1, 2]], {}, {"a": 1}, [{}]]  # fmt: skip
JUNK_BYTES = [b"", b"\0", b"\xff\xfe", b'"', b",,,", b"nan", b"x" * 200_000, b"\n\n", b"1e999",
    b"-1"]  # fmt: skip


def paths_of(value, path=()):
    """Yield the path of each part of JSON."""
    if isinstance(value, dict | list):
        parts = value.items() if isinstance(value, dict) else enumerate(value)
        for key, part in parts:
            yield (*path, key)
            yield from paths_of(part, (*path, key))


def json_changes(right):
    """Draw one to three changes of JSON: the path of a part, and what becomes of it."""
    becomes = st.sampled_from([*JUNK, REMOVED, DOUBLED])
    changes = st.tuples(st.sampled_from(list(paths_of(right))), becomes)
    return st.lists(changes, min_size=1, max_size=3)


def changed_json(right, changes):
    """Make the changes whose part is still there."""
    damaged = copy.deepcopy(right)
    for (*parents, key), value in changes:
        place = damaged
        with contextlib.suppress(KeyError, IndexError, TypeError):
            for parent in parents:
                place = place[parent]
            if value == REMOVED:
                del place[key]
            elif value == DOUBLED and isinstance(place, list):
                place.insert(key, copy.deepcopy(place[key]))
            elif value == DOUBLED:
                place[f"{key}2"] = copy.deepcopy(place[key])
            else:
                place[key] = copy.deepcopy(value)
    return damaged


def byte_changes(right):
    """Draw a change of bytes: those before one place and from another on, with junk between."""
    places = st.integers(0, len(right))
    return st.tuples(places, st.sampled_from(JUNK_BYTES) | st.binary(max_size=20), places)


def changed_bytes(right, change):
    """Make a change of bytes."""
    stop, junk, start = change
    return right[:stop] + junk + right[start:]


@contextlib.contextmanager
def refused_or_read():
    """Accept a refusal, and what can be read; each in time."""
    try:
        with limited(), contextlib.redirect_stderr(io.StringIO()):
            yield
    except ValueError as error:
        check_length(error)


def check_list(kind, right, changes):
    """Read damaged JSON; what can be read can be written, and is the same when read again."""
    with refused_or_read():
        read = kind.from_dict(changed_json(right, changes))
        written_once = json.dumps(read.to_dict())
        again = kind.from_dict(json.loads(written_once))
        assert json.dumps(again.to_dict()) == written_once


COUNTED = counted_list().to_dict()
WRITTEN = written().to_dict()


@FEW
@given(json_changes(COUNTED))
def test_damaged_scoring_lists(changes):
    check_list(ScoringList, COUNTED, changes)


@FEW
@given(json_changes(WRITTEN))
@example([(("scoring_list", "missing_scores", 1), REMOVED)])
@example([(("cost_fn",), "x"), (("pos_label",), float("inf"))])
@example([(("classes",), 0), (("stop_reason",), 10**400), (("cost_fn",), DOUBLED)])
@example([(("stop_reason",), None)])
@example([(("stop_reason",), {"a": 1})])
@example([(("scoring_list", "stages", 2, "totals", 0), 1e308)])
@example([(("n_features",), 2**53 + 1)])
@example([(("classes", 0), 1e308), (("n_features",), 2**53 + 1), (("cost_fn",), DOUBLED)])
def test_damaged_probabilistic_scoring_lists(changes):
    check_list(ProbabilisticScoringList, WRITTEN, changes)


def csv_table():
    rng = np.random.default_rng(0)
    table = pd.DataFrame({"y": rng.integers(0, 2, 40), "s": rng.normal(size=40).round(3)})
    return table.to_csv(index=False).encode()


def parquet_table():
    buffer = io.BytesIO()
    pd.read_csv(io.BytesIO(csv_table())).to_parquet(buffer)
    return buffer.getvalue()


def check_table(right, change, path):
    """Read segments from a damaged file, whose name ends with its format."""
    path.write_bytes(changed_bytes(right, change))
    with refused_or_read():
        segments = RankedSegments.from_files(
            path, y_true="y", y_score="s", file_format=path.suffix.lstrip(".")
        )
        assert 0 <= segments.auc <= 1


CSV = csv_table()
PARQUET = parquet_table()


@FEW
@given(change=byte_changes(CSV))
def test_damaged_tables_of_text(change, tmp_path):
    check_table(CSV, change, tmp_path / "junk.csv")


@FEW
@given(change=byte_changes(PARQUET))
@example(change=(2210, b"", len(PARQUET)))
@example(change=(742 + 239, b"", 742))
@example(change=(1979, b"", len(PARQUET)))
@example(change=(317, b"\0", 317))
def test_damaged_tables_of_parquet(change, tmp_path):
    check_table(PARQUET, change, tmp_path / "junk.parquet")


def as_toml(value):
    """Write JSON values as TOML in one line; null becomes an empty text."""
    if isinstance(value, dict):
        entries = [f"{json.dumps(key)} = {as_toml(part)}" for key, part in value.items()]
        return f"{{{', '.join(entries)}}}"
    if isinstance(value, list):
        return f"[{', '.join(map(as_toml, value))}]"
    if value is None:
        return '""'
    return json.dumps(value).replace("NaN", "nan").replace("Infinity", "inf")


NAMES = ["state", "result", "threshold", "segments", "auc", "words", "os", "[0]", "__class__",
    "thresholds", "costs", "update", "preset", "", "data", "table", "others"]  # fmt: skip
FORMATS = ["", ":.2f", ":n", ":%", ":s", "!r", "!x", ":99999", ":{state.n_samples}", ":,"]
FIELDS = st.builds(
    "{{{}.{}{}}}".format,
    st.sampled_from(NAMES[:2]),
    st.lists(st.sampled_from(NAMES), max_size=3).map(".".join),
    st.sampled_from(FORMATS),
).map(lambda field: field.replace(".[", "["))
#: Texts of a story with fields, some of which exist.
TEXTS = st.builds(
    "{}{}".format,
    st.lists(FIELDS, max_size=2).map("".join),
    st.sampled_from(["", "}", "{", "{}", "{{"]),
)

STORY_BYTES = STORY.read_bytes()
STEPS = tomllib.loads(STORY_BYTES.decode())["step"]


def damaged_steps(changes, text, index):
    """Write a story with changed steps, one of which has another text."""
    steps = changed_json(STEPS, changes)
    if isinstance(steps[index % len(steps)], dict):
        steps[index % len(steps)]["text"] = text
    return f"step = {as_toml(steps)}".encode()


@FEW
@given(
    content=byte_changes(STORY_BYTES).map(lambda change: changed_bytes(STORY_BYTES, change))
    | st.builds(damaged_steps, json_changes(STEPS), TEXTS, st.integers(0, len(STEPS) - 1))
)
@example(content=damaged_steps([((7, "text"), "\0")], "{{", 0))
@example(content=changed_bytes(STORY_BYTES, (2967, b"x" * 200_000, 2967)))
@example(content=changed_bytes(STORY_BYTES, (4835, b"x" * 200_000, 4835)))
@example(content=changed_bytes(STORY_BYTES, (2949, b"x" * 200_000, 2949)))
@example(content=changed_bytes(STORY_BYTES, (3757, b"x" * 200_000, 3757)))
@example(content=changed_bytes(STORY_BYTES, (3947, b"x" * 200_000, 3947)))
def test_damaged_stories(content, tmp_path):
    """Read a damaged file of a story, and show its steps."""
    path = tmp_path / "junk.toml"
    path.write_bytes(content)
    with refused_or_read(), contextlib.closing(explorer()) as shown:
        story = Story(shown, path)
        for index in range(len(story.steps)):
            before = story.index, story.text, shown.inputs()
            try:
                story.show(index)
            except (ValueError, traitlets.TraitError):
                assert (story.index, story.text, shown.inputs()) == before, "moved, and refused"
            assert len(story.text) < 1000 + len(content)
