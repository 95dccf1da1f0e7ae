"""Invalid input for every loader: scoring lists from JSON, tables from files.

Valid input is damaged at random. It is refused with a ``ValueError``, or the result is valid.
"""

import contextlib
import copy
import io
import json
import random
import tomllib
import warnings
from pathlib import Path

import numpy as np
import pandas as pd
import traitlets
from callables import counted_list, explorer, written
from judge import TooLong, limited, too_long

import rocviz
from rocviz import ProbabilisticScoringList, RankedSegments, ScoringList, Story

STORY = Path(rocviz.__file__).parent / "stories" / "roc.toml"

JUNK = [None, True, 0, -1, 0.5, 1e308, 2**53 + 1, 10**400, float("nan"), float("inf"), "", "x",
    "0.5", "\0", [], [None], [[]], [[1], [1, 2]], {}, {"a": 1}, [{}]]  # fmt: skip


def spoilt_json(right, rng):
    """Damage JSON: replace, leave out or double one to three of its parts."""
    spoilt = copy.deepcopy(right)
    for _ in range(rng.randint(1, 3)):
        place = spoilt
        while True:
            keys = list(place) if isinstance(place, dict) else list(range(len(place)))
            if not keys:
                break
            key = rng.choice(keys)
            if isinstance(place[key], dict | list) and place[key] and rng.random() < 0.7:
                place = place[key]
                continue
            act = rng.random()
            if act < 0.6:
                place[key] = copy.deepcopy(rng.choice(JUNK))
            elif act < 0.8:
                del place[key]
            elif isinstance(place, list):
                place.insert(key, copy.deepcopy(place[key]))
            else:
                place[f"{key}2"] = rng.choice(JUNK)
            break
    return spoilt


def spoilt_bytes(right, rng):
    """Damage bytes: cut, double, shuffle or insert random ones."""
    at, to = sorted(rng.randrange(len(right) + 1) for _ in range(2))
    junk = rng.choice([
        b"", b"\0", b"\xff\xfe", b'"', b",,,", b"nan", b"x" * 200_000, b"\n\n", b"1e999", b"-1",
        bytes(rng.randrange(256) for _ in range(20)),
    ])  # fmt: skip
    return rng.choice([
        right[:at],
        right[at:],
        right[:at] + junk + right[at:],
        right[:at] + junk + right[to:],
        right[:to] + right[at:],
        junk,
    ])  # fmt: skip


def _list_of(reader, right):
    def run(rng, _folder):
        spoilt = spoilt_json(right, rng)
        read = reader(spoilt)
        # what is read can be written, and is the same when it is read again
        again = reader(json.loads(json.dumps(read.to_dict())))
        assert json.dumps(again.to_dict()) == json.dumps(read.to_dict()), "not the same again"

    return run


def _csv():
    rng = np.random.default_rng(0)
    table = pd.DataFrame({"y": rng.integers(0, 2, 40), "s": rng.normal(size=40).round(3)})
    return table.to_csv(index=False).encode()


def _parquet():
    buffer = io.BytesIO()
    pd.read_csv(io.BytesIO(_csv())).to_parquet(buffer)
    return buffer.getvalue()


def _segments_of(right, kind):
    def run(rng, folder):
        path = folder / f"junk.{kind}"
        path.write_bytes(spoilt_bytes(right, rng))
        segments = RankedSegments.from_files(path, y_true="y", y_score="s", file_format=kind)
        assert 0 <= segments.auc <= 1, f"an AUC of {segments.auc}"

    return run


def _toml(value):
    """Write JSON values as TOML in one line; null becomes an empty text."""
    if isinstance(value, dict):
        return f"{{{', '.join(f'{json.dumps(key)} = {_toml(one)}' for key, one in value.items())}}}"
    if isinstance(value, list):
        return f"[{', '.join(map(_toml, value))}]"
    if value is None:
        return '""'
    return json.dumps(value).replace("NaN", "nan").replace("Infinity", "inf")


def _text(rng):
    """Make a text of a story with fields, some of which exist."""
    names = ["state", "result", "threshold", "segments", "auc", "words", "os", "[0]", "__class__",
        "thresholds", "costs", "update", "preset", "", "data", "table", "others"]  # fmt: skip
    formats = ["", ":.2f", ":n", ":%", ":s", "!r", "!x", ":99999", ":{state.n_samples}", ":,"]
    fields = (
        ".".join([*rng.choices(names[:2], k=1), *rng.choices(names, k=rng.randint(0, 3))])
        for _ in range(rng.randint(0, 2))
    )
    text = "".join(f"{{{field}{rng.choice(formats)}}}" for field in fields)
    return text.replace(".[", "[") + rng.choice(["", "", "}", "{", "{}", "{{"])


def _story(rng, folder):
    """Read a damaged file of a story, and show its steps."""
    path, right = folder / "junk.toml", STORY.read_bytes()
    if rng.random() < 0.5:
        path.write_bytes(spoilt_bytes(right, rng))
    else:
        step = spoilt_json(tomllib.loads(right.decode())["step"], rng)
        for one in rng.sample(step, 1) if isinstance(step, list) and step else ():
            if isinstance(one, dict):
                one["text"] = _text(rng)
        path.write_text(f"step = {_toml(step)}")
    with contextlib.closing(explorer()) as shown:
        story = Story(shown, path)
        for at in range(len(story.steps)):
            before = story.at, story.text, shown.inputs()
            try:
                story.show(at)
            except (ValueError, traitlets.TraitError):
                assert (story.at, story.text, shown.inputs()) == before, "moved, and refused"
            assert len(story.text) < 1000 + path.stat().st_size, "a long text"


#: Every loader by name: a function of a random generator and a folder.
LOADERS = {
    "ScoringList.from_dict": _list_of(ScoringList.from_dict, counted_list().to_dict()),
    "ProbabilisticScoringList.from_dict": _list_of(
        ProbabilisticScoringList.from_dict, written().to_dict()
    ),
    "RankedSegments.from_files, CSV": _segments_of(_csv(), "csv"),
    "RankedSegments.from_files, parquet": _segments_of(_parquet(), "parquet"),
    "read_steps": _story,
}


def run(name, seed, folder):
    """Describe the fault of a loader with the damaged input of a seed, or return ``None``."""
    try:
        with warnings.catch_warnings(), limited(), contextlib.redirect_stderr(io.StringIO()):
            warnings.simplefilter("error")
            # what a story says of texts that were made long
            warnings.filterwarnings("ignore", "Step .* too long for a hall")
            LOADERS[name](random.Random(seed), folder)
    except ValueError as error:
        if not str(error):
            return "a ValueError without a word"
        return too_long(error)
    except (Exception, TooLong) as error:
        return f"{type(error).__name__}: {str(error)[:200]}"
    return None


#: Seeds that failed once.
FOUND = {
    "ProbabilisticScoringList.from_dict": (3, 23, 34, 57, 102, 3475185258, 258261642, 688449968),
    "RankedSegments.from_files, parquet": (2, 18, 28, 32),
    "read_steps": (4162199956, 1478374998, 4182627419, 659565423, 750621354, 877376301),
}
