from urllib.error import URLError

import numpy as np
import pandas as pd
import pytest
from sklearn.utils import Bunch

from rocviz.datasets import _fetch, fetch_coimbra, fetch_indian_liver

# made up, in the repositories' form
COIMBRA = "48,23.5,70,2.7,0.47,8.8,9.7,8.0,417\n60,30.1,120,9.5,2.8,40,5.1,15.5,700\n"
LIVER = "65,Female,0.7,0.1,187,16,18,6.8,3.3,0.9\n62,Male,10.9,5.5,699,64,100,7.5,3.2,\n"


def with_labels(rows, labels):
    return "".join(f"{row},{label}\n" for row, label in zip(rows.splitlines(), labels, strict=True))


@pytest.fixture
def file(tmp_path):
    def write(text):
        path = tmp_path / "data.csv"
        path.write_text(text, encoding="utf-8")
        return path

    return write


@pytest.mark.parametrize("labels", [(0, 1), (1, 2), ("0.0", "1.0")])
@pytest.mark.parametrize("header", ["", "age,bmi,glucose,insulin,homa,a,b,c,d,cancer\n"])
def test_coimbra_from_a_file(file, labels, header):
    found = fetch_coimbra(path=file(header + with_labels(COIMBRA, labels)))
    assert found.data.shape == (2, 9)
    assert found.data[1, 2] == 120
    assert found.target.tolist() == [0, 1]
    assert found.feature_names[2] == "glucose"
    assert found.target_names == ["control", "patient"]
    with pytest.raises(ValueError, match="read-only"):
        found.data[0, 0] = 1


@pytest.mark.parametrize("labels", [(2, 1), (0, 1)])
def test_liver_from_a_file(file, labels):
    path = file(with_labels(LIVER, labels))
    found = fetch_indian_liver(path=path, as_frame=True)
    assert found.frame["male"].tolist() == [0, 1]
    assert found.target.tolist() == [0, 1]
    assert np.isnan(found.data["albumin to globulin ratio"][1])
    X, y = fetch_indian_liver(path=str(path), return_X_y=True)
    assert (X[:, 0] == [65, 62]).all()
    assert y.tolist() == [0, 1]


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("", "no rows"),
        ("age,b,c,d,e,f,g,h,i,label\n", "no rows"),
        ("1,2,3\n", "row 1 has 3 columns; 10 are expected"),
        ("1,2,3,4,5,6,7,8,high,1\n", "row 1, column 9 holds 'high'"),
        (with_labels(COIMBRA, (1, "")), "row 2, column 10"),
        (with_labels(COIMBRA, (1, 1)), "one class only"),
    ],
)
def test_bad_files(file, text, message):
    with pytest.raises(ValueError, match=message):
        fetch_coimbra(path=file(text))


@pytest.mark.parametrize("junk", [b"\xff\xfe1,2", b"1," + b"9" * 200_000, b"\x80abc"])
def test_files_that_are_no_csv(tmp_path, junk):
    path = tmp_path / "junk.csv"
    path.write_bytes(junk)
    with pytest.raises(ValueError, match=r"^fetch_coimbra: .*junk\.csv is not a CSV file in UTF-8"):
        fetch_coimbra(path=path)


def test_a_missing_file_is_said_by_its_name(tmp_path):
    with pytest.raises(FileNotFoundError, match=r"nowhere\.csv"):
        fetch_coimbra(path=tmp_path / "nowhere.csv")


def test_fetched_by_name_as_openml_hands_it_over(monkeypatch, tmp_path):
    asked = []

    def stand_in(name, **options):
        asked.append((name, options["version"], options["data_home"]))
        columns = [f"V{i}" for i in range(1, 11)]
        rows = [line.split(",") for line in LIVER.splitlines()]
        data = pd.DataFrame(rows, columns=columns)
        data["V2"] = data["V2"].astype("category")
        data["V10"] = [0.9, np.nan]
        return Bunch(data=data, target=pd.Series(["2", "1"], dtype="category"))

    monkeypatch.setattr(_fetch, "fetch_openml", stand_in)
    X, y = fetch_indian_liver(data_home=tmp_path, return_X_y=True)
    assert asked == [("ilpd", 1, str(tmp_path))]
    assert X[:, 1].tolist() == [0, 1]
    assert np.isnan(X[1, 9])
    assert y.tolist() == [0, 1]


@pytest.mark.parametrize("fetch", [fetch_coimbra, fetch_indian_liver])
def test_offline_it_says_so_and_what_to_do(monkeypatch, tmp_path, fetch):
    def offline(name, **options):
        raise URLError("no route to host")

    monkeypatch.setattr(_fetch, "fetch_openml", offline)
    with pytest.raises(ConnectionError, match="cannot be reached") as raised:
        fetch(data_home=tmp_path)
    message = str(raised.value)
    assert "no route to host" in message
    assert f"{fetch.__name__}(path=" in message
    assert str(tmp_path) in message


@pytest.mark.parametrize("fetch", [fetch_coimbra, fetch_indian_liver])
def test_a_file_that_is_not_there_is_named_with_who_wants_it(fetch, tmp_path):
    with pytest.raises(FileNotFoundError, match=rf"{fetch.__name__}: there is no file .*none.csv"):
        fetch(path=tmp_path / "none.csv")
