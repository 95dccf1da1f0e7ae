"""Fixtures that tests of reports share."""

from functools import partial

import pytest

from rocviz.core.calibration import calibration_summary
from rocviz.report import data, parts


@pytest.fixture(scope="module")
def few_resamples():
    """Draw fewer resamples, which take most of a report's time, where no number of them matters."""
    quick = partial(calibration_summary, n_resamples=50)
    with pytest.MonkeyPatch.context() as patch:
        for module in (data, parts):
            patch.setattr(module, "calibration_summary", quick)
        patch.setattr(data, "N_RESAMPLES", 100)
        patch.setattr(data, "N_RESAMPLES_OF_OTHERS", 50)
        yield


@pytest.fixture
def undrawn(monkeypatch):
    """Write the files of figures empty, where figures are not what is tested."""
    monkeypatch.setattr("rocviz.report.page._image", lambda *_: b"")
