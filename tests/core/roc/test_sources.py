"""Pieces come from files, and from a Dask cluster that loses a worker in the middle."""

import os
import signal
import sys
import threading

import dask
import dask.array as da
import dask.dataframe as dd
import numpy as np
import pandas as pd
import pytest
from joblib import parallel_config

from rocviz.core.base.progress import run_steps
from rocviz.core.roc.coverage import simulate_coverage
from rocviz.core.roc.files import read_partitions
from rocviz.core.roc.partitions import count_dask
from rocviz.core.roc.segments import RankedSegments

N = 600


@pytest.fixture(scope="module")
def table():
    rng = np.random.default_rng(0)
    ill = rng.random(N) < 0.4
    return pd.DataFrame(
        {
            "other": ["words"] * N,
            "score": (rng.normal(size=N) + ill).round(2),
            "state": np.where(ill, "ill", "well"),
            "weight": rng.integers(0, 3, N),
        }
    )


@pytest.fixture(scope="module")
def whole(table):
    return RankedSegments.from_scores(
        table["state"], table["score"], sample_weight=table["weight"], pos_label="ill"
    )


def assert_same(segments, expected):
    for name in ("score", "pos", "neg"):
        np.testing.assert_array_equal(getattr(segments, name), getattr(expected, name))


@pytest.mark.parametrize("file_format", ["parquet", "csv"])
def test_a_folder_of_files_is_read_by_batches(file_format, table, whole, tmp_path):
    for i, start in enumerate(range(0, N, 250)):
        part = table[start : start + 250]
        place = tmp_path / f"part{i}.{file_format}"
        part.to_parquet(place) if file_format == "parquet" else part.to_csv(place)
    columns = {
        "y_true": "state",
        "y_score": "score",
        "sample_weight": "weight",
        "file_format": file_format,
    }
    assert_same(RankedSegments.from_files(tmp_path, pos_label="ill", **columns), whole)
    batches = list(read_partitions(tmp_path, batch_size=100, **columns))
    assert max(len(y) for y, _, _ in batches) <= 100
    assert_same(RankedSegments.from_partitions(batches, pos_label="ill"), whole)


def test_files_that_cannot_be_read_say_so(tmp_path, monkeypatch):
    columns = {"y_true": "state", "y_score": "score"}
    with pytest.raises(ValueError, match=r"nothing' can not be read as parquet"):
        read_partitions(tmp_path / "nothing", **columns)
    junk = tmp_path / "junk.csv"
    junk.write_bytes(b"a,\x00\xff\n2")
    for file_format in ("parquet", "csv"):
        with pytest.raises(ValueError, match=rf"junk.csv'.* can not be read as {file_format}"):
            read_partitions(junk, file_format=file_format, **columns)
    junk.write_text("state,value\n1,2\n")
    with pytest.raises(ValueError, match="no column 'score'; its columns: 'state', 'value'"):
        read_partitions(junk, file_format="csv", **columns)
    with pytest.raises(ValueError, match="file_format must be one of parquet, csv"):
        read_partitions(junk, file_format="xls", **columns)
    monkeypatch.setitem(sys.modules, "pyarrow", None)
    with pytest.raises(ImportError, match=r'pip install "rocviz\[parquet\]"'):
        read_partitions(junk, **columns)


def test_whole_numbers_may_be_followed_by_others(tmp_path):
    names = {"y_true": "y", "y_score": "s", "file_format": "csv"}
    for name, text in {"a": "y,s\n1, 5\n0,4\n", "b": "s,y\n4.5,1\n3,0\n"}.items():
        (tmp_path / f"{name}.csv").write_text(text)
    segments = RankedSegments.from_files(tmp_path, **names)
    assert segments.score.tolist() == [5, 4.5, 4, 3]
    assert segments.auc == 1
    for rest, message in {
        "1,": "y_score must be finite; 1 of",
        "1,inf": "y_score must be finite; 1 of",
        "1,1764115200000000001": r"y_score holds numbers above 2\*\*53",
        "1,x": "can not be read as csv: .* invalid value 'x'",
        "2,1": "y_true holds 0, 1, 2",
    }.items():
        (tmp_path / "b.csv").write_text(f"y,s\n1,0\n0,1\n{rest}\n")
        with pytest.raises(ValueError, match=message):
            RankedSegments.from_files(tmp_path, **names)


def test_invalid_paths_and_columns_are_refused(tmp_path):
    place = tmp_path / "table.csv"
    place.write_text("y,s\ntrue,0.5\nfalse,0.4\n")  # without whole numbers
    assert RankedSegments.from_files(place, y_true="y", y_score="s", file_format="csv").auc == 1
    with pytest.raises(ValueError, match="path='5' can not be read as parquet: Expected a path"):
        read_partitions(5, y_true="y", y_score="s")
    place = tmp_path / "table.parquet"
    pd.DataFrame({"y": [1, 0], "s": [2.0, 1.0]}).to_parquet(place)
    # one column may be both
    columns = {"y_true": "y", "y_score": "s", "sample_weight": "s"}
    assert RankedSegments.from_files(place, **columns).pos.tolist() == [2, 0]


def maker_of_pieces(folder):
    """Make the function that gives some scores to a worker.

    The first worker that is asked for the third piece waits to be killed. The function is local
    so that workers get its code and do not import this module: IPython 7 puts its extensions on
    the path, and a package named tests is among them.
    """
    first = folder / "first"
    killed = folder / "killed"

    def piece(numbers, start):
        if start == 200 and not killed.exists():
            first.with_suffix(".new").write_text(str(os.getpid()))
            first.with_suffix(".new").rename(first)
            threading.Event().wait()
        return numbers[start : start + 100]

    return piece


def kill_the_first(folder):
    """Wait for a worker to say who it is, and end it without a warning."""
    while not (folder / "first").exists():
        threading.Event().wait(0.05)
    (folder / "killed").touch()
    os.kill(int((folder / "first").read_text()), getattr(signal, "SIGKILL", signal.SIGTERM))


def test_dask_series_need_no_cluster(table, whole):
    frame = dd.from_pandas(table, npartitions=3)
    segments = RankedSegments.from_dask(
        frame["state"], frame["score"], sample_weight=frame["weight"], pos_label="ill"
    )
    assert_same(segments, whole)


def test_inputs_that_do_not_fit_are_refused():
    y = da.zeros(6, chunks=3)
    score = da.zeros(6, chunks=2)
    with pytest.raises(ValueError, match="numbers of partitions: y_true 2, y_score 3"):
        RankedSegments.from_dask(y, score)
    with pytest.raises(ValueError, match="y_score must be a Dask array or series; got ndarray"):
        count_dask({"y_true": y, "y_score": np.zeros(6)})


def test_damage_inside_a_file_is_reported(table, tmp_path):
    place = tmp_path / "damaged.parquet"
    table.to_parquet(place)
    whole = bytearray(place.read_bytes())
    whole[4:200] = b"\xff" * 196
    place.write_bytes(whole)
    with pytest.raises(ValueError, match=r"damaged\.parquet' can not be read as parquet"):
        list(read_partitions(place, y_true="state", y_score="score"))


# The last ones: while a cluster is open, Dask uses it.


@pytest.fixture(scope="module")
def cluster():
    """Two workers on this machine, as the cluster that is open.

    Should neither come back, on a machine with too much to do, that is an error and no endless
    wait.
    """
    from distributed import Client, LocalCluster

    with (
        dask.config.set({"distributed.scheduler.no-workers-timeout": "120s"}),
        LocalCluster(n_workers=2, threads_per_worker=1, dashboard_address=None) as workers,
        Client(workers) as client,
    ):
        yield client


@pytest.mark.usefixtures("cluster")
def test_repetitions_on_a_cluster_give_the_same(monkeypatch):
    # several blocks, to be shared
    monkeypatch.setattr("rocviz.core.roc.coverage._CELLS_PER_BLOCK", 120)

    def width():
        how = {"n_repeats": 6, "n_resamples": 50, "random_state": 0}
        return simulate_coverage(60, 0.3, 0.8, methods=["bootstrap", "delong"], **how).mean_width

    here = width()
    with parallel_config(backend="dask"):
        there = width()
        places = list(run_steps(os.getpid, [()] * 4, range(4), None, None, "work"))
    np.testing.assert_array_equal(there, here)
    assert len(places) == 4
    assert os.getpid() not in places


@pytest.mark.usefixtures("cluster")
def test_losing_a_worker_loses_no_rows(table, whole, tmp_path):
    y = da.from_array(table["state"].to_numpy(dtype=str), chunks=100)
    weight = da.from_array(table["weight"].to_numpy(), chunks=100)
    numbers = table["score"].to_numpy()
    make = dask.delayed(maker_of_pieces(tmp_path))
    score = da.concatenate(
        [da.from_delayed(make(numbers, start), (100,), numbers.dtype) for start in range(0, N, 100)]
    )
    killer = threading.Thread(target=kill_the_first, args=(tmp_path,), daemon=True)
    killer.start()
    segments = RankedSegments.from_dask(y, score, sample_weight=weight, pos_label="ill")
    assert (tmp_path / "killed").exists()
    assert_same(segments, whole)
