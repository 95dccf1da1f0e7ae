from urllib.error import URLError

import numpy as np
import pandas as pd
import pytest
from sklearn.utils import Bunch

from rocviz.datasets import _fetch, fetch_coimbra, fetch_indian_liver

#: By loader: the published form, with made-up values.
SOURCES = {fetch_coimbra: _fetch.COIMBRA, fetch_indian_liver: _fetch.INDIAN_LIVER}


def published(fetch):
    """Make up a data set of the published form: its size, names, sums and classes."""
    source = SOURCES[fetch]
    rng = np.random.default_rng(0)
    columns = {}
    for name, total in zip(source.columns, source.sums, strict=True):
        column = rng.random(source.n_samples)
        if total is not None:
            column = (column * total / column.sum()).round(4)
            column[-1] += total - column.sum()
        columns[name] = column
    data = pd.DataFrame(columns)
    label = np.full(source.n_samples, "2")
    label[: source.n_positive if fetch is fetch_indian_liver else source.n_negative] = "1"
    if fetch is fetch_indian_liver:
        data["Gender"] = ["Male"] * 441 + ["Female"] * 142
        data.loc[[3, 5], "A/G Ratio"] = np.nan
    return Bunch(data=data, target=pd.Series(label, dtype="category"))


@pytest.fixture
def openml(monkeypatch):
    """Replace the data of OpenML; the requests are noted."""
    requests = []

    def put(fetched):
        def stand_in(name, **options):
            requests.append((name, options["version"], options["data_home"]))
            return fetched

        monkeypatch.setattr(_fetch, "fetch_openml", stand_in)
        return requests

    return put


@pytest.mark.parametrize("labels", [("0", "1"), ("1", "2"), ("0.0", "1.0")])
def test_coimbra(openml, labels):
    fetched = published(fetch_coimbra)
    fetched.target = fetched.target.map(dict(zip("12", labels, strict=True)))
    openml(fetched)
    data = fetch_coimbra()
    assert data.data.shape == (116, 9)
    assert data.data[1, 2] == fetched.data["Glucose"][1]
    assert data.target.tolist() == [0] * 52 + [1] * 64
    assert data.feature_names[2] == "glucose"
    assert data.target_names == ["control", "patient"]
    with pytest.raises(ValueError, match="read-only"):
        data.data[0, 0] = 1


def test_liver_as_a_frame(openml):
    openml(published(fetch_indian_liver))
    data = fetch_indian_liver(as_frame=True)
    assert data.frame["male"].tolist() == [1] * 441 + [0] * 142
    assert data.target.tolist() == [1] * 416 + [0] * 167
    assert data.data["albumin to globulin ratio"].isna().sum() == 2


@pytest.mark.parametrize("fetch", SOURCES)
@pytest.mark.parametrize("way", ["V", "capitals", "text", "no target"])
def test_the_same_data_written_in_another_way(openml, fetch, way):
    expected = published(fetch)
    openml(expected)
    X, y = fetch(return_X_y=True)
    fetched = published(fetch)
    if way == "V":
        fetched.data.columns = [f"V{k + 1}" for k in range(fetched.data.shape[1])]
    elif way == "capitals":
        fetched.data.columns = [name.upper().replace(".", "-") for name in fetched.data.columns]
    elif way == "text":
        fetched.data = fetched.data.astype(str).astype("category")
    else:
        fetched.data["Class"] = fetched.target
        fetched.target = None
    openml(fetched)
    again, labels = fetch(return_X_y=True)
    np.testing.assert_array_equal(again, X)
    np.testing.assert_array_equal(labels, y)


def _repeated(fetched):
    fetched.data = pd.concat([fetched.data] * 432, ignore_index=True)[:50_000]
    fetched.target = pd.Series(np.resize(fetched.target, 50_000))


def _shortened(fetched):
    fetched.data = fetched.data[:3]
    fetched.target = fetched.target[[0, 1, len(fetched.target) - 1]]


def _narrowed(fetched):
    fetched.data = fetched.data.iloc[:, :-1]


def _swapped(fetched):
    fetched.data = fetched.data[list(fetched.data.columns[::-1])]


def _set(value, row=7, column=2):
    def change(fetched):
        fetched.data = fetched.data.astype(object)
        fetched.data.iloc[row, column] = value

    return change


def _renamed(fetched):
    fetched.data = fetched.data.rename(columns={fetched.data.columns[4]: "weight"})


def _one_class(fetched):
    fetched.target[:] = "1"


def _three_classes(fetched):
    fetched.target = pd.Series(["3", *fetched.target[1:]])


def _other_classes(fetched):
    fetched.target = pd.Series(["2" if label == "1" else "1" for label in fetched.target])


def _missing_label(fetched):
    fetched.target = pd.Series(["?", *fetched.target[1:]])


@pytest.mark.parametrize("fetch", SOURCES)
@pytest.mark.parametrize(
    ("change", "message"),
    [
        (_shortened, "it has 3 rows; expected (116|583)"),
        (_repeated, "it has 50,000 rows; expected (116|583)"),
        (_narrowed, r"it has (8|9) features; expected (9|10), Age, "),
        (_renamed, r"it has a column 'weight'; expected '(HOMA|Alkphos)' of Age, "),
        (_swapped, "it has a column '(MCP.1|A/G Ratio)'; expected 'Age' of "),
        (_set(np.inf), "it has an infinite value in '(Glucose|TB)'; expected finite numbers"),
        (_set(-np.inf), "it has an infinite value in"),
        (_set(np.nan), "it has 1 missing values in '(Glucose|TB)'; expected 0 at most"),
        (_set("?"), "it has 1 missing values in"),
        (_set("high"), "holds 'high'; a number is expected"),
        (_set(1e6), "it has a sum of .* in '(Glucose|TB)'; expected (11344|1923.2)"),
        (_one_class, "it has 1 values of the label; expected 2, for two classes"),
        (_three_classes, "it has 3 values of the label; expected 2"),
        (_missing_label, "it has 3 values of the label; expected 2"),
        (_other_classes, r"it has \d+ samples of the class '(patient|liver disease)'; expected "),
    ],
    ids=lambda value: getattr(value, "__name__", None),
)  # fmt: skip
def test_other_data_are_refused(openml, fetch, change, message):
    fetched = published(fetch)
    change(fetched)
    openml(fetched)
    with pytest.raises(ValueError, match=rf"^{SOURCES[fetch].name}.*{message}"):
        fetch()


def test_too_many_gaps_are_refused(openml):
    fetched = published(fetch_indian_liver)
    fetched.data.loc[:4, "A/G Ratio"] = np.nan
    openml(fetched)
    with pytest.raises(ValueError, match="6 missing values in 'A/G Ratio'; expected 4 at most"):
        fetch_indian_liver()


@pytest.mark.parametrize("fetch", SOURCES)
def test_data_are_fetched_from_openml_by_name(openml, tmp_path, fetch):
    requests = openml(published(fetch))
    fetch(data_home=tmp_path)
    assert requests == [(SOURCES[fetch].name, 1, str(tmp_path))]


@pytest.mark.parametrize("fetch", SOURCES)
def test_offline_the_error_explains_the_remedy(monkeypatch, tmp_path, fetch):
    def offline(name, **options):
        raise URLError("no route to host")

    monkeypatch.setattr(_fetch, "fetch_openml", offline)
    with pytest.raises(ConnectionError, match="cannot be reached") as raised:
        fetch(data_home=tmp_path)
    message = str(raised.value)
    assert "no route to host" in message
    assert f"{fetch.__name__}()" in message
    assert str(tmp_path) in message
