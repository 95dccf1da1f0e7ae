from urllib.error import URLError

import numpy as np
import pandas as pd
import pytest
from sklearn.utils import Bunch

from rocviz.datasets import _fetch, fetch_coimbra, fetch_indian_liver

# made up, in the repositories' form
COIMBRA = "48,23.5,70,2.7,0.47,8.8,9.7,8.0,417\n60,30.1,120,9.5,2.8,40,5.1,15.5,700\n"
LIVER = "65,Female,0.7,0.1,187,16,18,6.8,3.3,0.9\n62,Male,10.9,5.5,699,64,100,7.5,3.2,\n"


@pytest.fixture
def openml(monkeypatch):
    """Replace the rows of OpenML."""

    def put(rows, labels):
        data = pd.DataFrame([line.split(",") for line in rows.splitlines()])
        found = Bunch(data=data, target=pd.Series(labels, dtype="category"))
        monkeypatch.setattr(_fetch, "fetch_openml", lambda *_, **__: found)

    return put


@pytest.mark.parametrize("labels", [(0, 1), (1, 2), ("0.0", "1.0")])
def test_coimbra(openml, labels):
    openml(COIMBRA, labels)
    data = fetch_coimbra()
    assert data.data.shape == (2, 9)
    assert data.data[1, 2] == 120
    assert data.target.tolist() == [0, 1]
    assert data.feature_names[2] == "glucose"
    assert data.target_names == ["control", "patient"]
    with pytest.raises(ValueError, match="read-only"):
        data.data[0, 0] = 1


def test_liver_as_a_frame(openml):
    openml(LIVER, (2, 1))
    data = fetch_indian_liver(as_frame=True)
    assert data.frame["male"].tolist() == [0, 1]
    assert data.target.tolist() == [0, 1]
    assert np.isnan(data.data["albumin to globulin ratio"][1])


@pytest.mark.parametrize(
    ("rows", "labels", "message"),
    [
        ("1,2\n3,4\n", (0, 1), "2 features on openml.org; 9 are expected, age"),
        (COIMBRA.replace("417", "high"), (0, 1), "holds 'high'; a number"),
        (COIMBRA, (1, 1), "one class only"),
    ],
)
def test_data_of_another_form(openml, rows, labels, message):
    openml(rows, labels)
    with pytest.raises(ValueError, match=f"^breast-cancer-coimbra.*{message}"):
        fetch_coimbra()


def test_data_are_fetched_from_openml_by_name(monkeypatch, tmp_path):
    requests = []

    def stand_in(name, **options):
        requests.append((name, options["version"], options["data_home"]))
        columns = [f"V{i}" for i in range(1, 11)]
        rows = [line.split(",") for line in LIVER.splitlines()]
        data = pd.DataFrame(rows, columns=columns)
        data["V2"] = data["V2"].astype("category")
        data["V10"] = [0.9, np.nan]
        return Bunch(data=data, target=pd.Series(["2", "1"], dtype="category"))

    monkeypatch.setattr(_fetch, "fetch_openml", stand_in)
    X, y = fetch_indian_liver(data_home=tmp_path, return_X_y=True)
    assert requests == [("ilpd", 1, str(tmp_path))]
    assert X[:, 1].tolist() == [0, 1]
    assert np.isnan(X[1, 9])
    assert y.tolist() == [0, 1]


@pytest.mark.parametrize("fetch", [fetch_coimbra, fetch_indian_liver])
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
