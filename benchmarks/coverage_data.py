"""Simulated data whose true values are known, for ``reviewers_coverage.py``.

Scores are normal in both classes with one variance, so that curves, rates, probabilities and all
means over them follow from the distance of the two means.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property
from itertools import product

import numpy as np
from scipy.optimize import brentq
from scipy.special import expit, logit, ndtr, ndtri

#: AUC of each kind of score.
SCORES = {"useless": 0.5, "good": 0.85, "nearly perfect": 0.995}
PREVALENCES = (0.5, 0.05)
SAMPLE_SIZES = (50, 200, 1000)
#: Correlation of two models' scores within a class, and of the rows of one patient.
CORRELATION = 0.7
ROWS_PER_PATIENT = 4
CORRELATION_OF_ROWS = 0.6
_N_NODES = 20_000


@dataclass(frozen=True)
class Cell:
    """One setting: the kind of score, the share of positives, and the number of samples."""

    score: str
    prevalence: float
    n: int

    @property
    def auc(self) -> float:
        return SCORES[self.score]

    @property
    def separation(self) -> float:
        """Distance of the two means in standard deviations."""
        return float(np.sqrt(2) * ndtri(self.auc))

    @property
    def rarer(self) -> float:
        """Expected number of samples of the rarer class."""
        return self.n * min(self.prevalence, 1 - self.prevalence)

    def labels(self, rng: np.random.Generator, least: int = 2) -> np.ndarray:
        """Draw labels until each class has at least so many samples."""
        while True:
            y = rng.random(self.n) < self.prevalence
            if least <= y.sum() <= self.n - least:
                return y

    def draw(self, rng: np.random.Generator, least: int = 2) -> tuple[np.ndarray, np.ndarray]:
        """Draw labels and scores."""
        y = self.labels(rng, least)
        return y, rng.normal(self.separation * y)

    def draw_two(self, rng: np.random.Generator, other: Cell, least: int = 2) -> tuple:
        """Draw labels and the scores of two models, the second as good as in another setting."""
        y = self.labels(rng, least)
        common = np.sqrt(CORRELATION) * rng.normal(size=y.size)
        own = np.sqrt(1 - CORRELATION) * rng.normal(size=(2, y.size))
        return y, self.separation * y + common + own[0], other.separation * y + common + own[1]

    def draw_patients(self, rng: np.random.Generator, n_models: int = 1) -> tuple:
        """Draw rows of ``n`` patients: labels, patients, and a row of scores for each model.

        All rows of a patient have one label.
        """
        of_patient = self.labels(rng)
        patient = np.repeat(np.arange(self.n), ROWS_PER_PATIENT)
        y = of_patient[patient]
        shared = np.sqrt(CORRELATION_OF_ROWS) * rng.normal(size=(n_models, self.n))
        own = np.sqrt(1 - CORRELATION_OF_ROWS) * rng.normal(size=(n_models, y.size))
        return y, patient, self.separation * y + shared[:, patient] + own


@dataclass(frozen=True)
class Predictions:
    """Predicted probabilities of a setting, and what is true of them.

    Those of a useless score spread as those of a good one do, but have nothing to do with the
    outcome. ``steepness`` multiplies their log-odds around the prevalence's.
    """

    cell: Cell
    steepness: float = 1.0

    @property
    def is_useless(self) -> bool:
        return self.cell.separation == 0

    @cached_property
    def spread(self) -> float:
        """Separation that the model believes in."""
        if self.is_useless:
            return Cell("good", self.cell.prevalence, self.cell.n).separation
        return self.cell.separation

    def log_odds(self, x: np.ndarray) -> np.ndarray:
        """Predict the log-odds of scores."""
        return logit(self.cell.prevalence) + self.steepness * self.spread * (x - self.spread / 2)

    def draw(self, rng: np.random.Generator, least: int = 1) -> tuple[np.ndarray, np.ndarray]:
        """Draw labels and predicted probabilities."""
        y = self.cell.labels(rng, least)
        behind = y
        if self.is_useless:
            behind = rng.random(y.size) < self.cell.prevalence
        return y, expit(self.log_odds(rng.normal(self.spread * behind)))

    @cached_property
    def nodes(self) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
        """Quantiles of the scores of all samples, their weights, and the true probabilities."""
        z = ndtri((np.arange(_N_NODES) + 0.5) / _N_NODES)
        pi = self.cell.prevalence
        x = np.concatenate((z + self.spread, z))
        weight = np.repeat([pi, 1 - pi], _N_NODES) / _N_NODES
        return x, weight, self.truth(self.log_odds(x))

    def truth(self, log_odds: np.ndarray) -> np.ndarray:
        """Compute the true probability of a positive where so much is predicted."""
        base = logit(self.cell.prevalence)
        if self.is_useless:
            return np.full(np.shape(log_odds), self.cell.prevalence)
        return expit(base + (log_odds - base) / self.steepness)

    @cached_property
    def recalibration(self) -> dict[str, float]:
        """Observed over expected, calibration-in-the-large, intercept and slope."""
        x, weight, _ = self.nodes
        log_odds = self.log_odds(x)
        pi = self.cell.prevalence
        slope = 0.0 if self.is_useless else 1 / self.steepness

        def gap(shift: float) -> float:
            return float(weight @ expit(log_odds + shift)) - pi

        return {
            "observed / expected": pi / float(weight @ expit(log_odds)),
            "in the large": brentq(gap, -9, 9, xtol=1e-8),
            "intercept": float((1 - slope) * logit(pi)),
            "slope": slope,
        }

    @cached_property
    def distances(self) -> dict[str, float]:
        """Mean, median, 90 % quantile and root mean square of the distance from the truth."""
        x, weight, true = self.nodes
        off = np.abs(expit(self.log_odds(x)) - true)
        order = np.argsort(off)
        share = np.cumsum(weight[order])
        median, ninth = off[order][np.searchsorted(share, [0.5, 0.9])]
        return {
            "ICI": float(weight @ off),
            "E50": float(median),
            "E90": float(ninth),
            "calibration error": float(np.sqrt(weight @ off**2)),
        }

    def rates(self, threshold: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        """Compute both true rates where at least so much is predicted."""
        base = logit(self.cell.prevalence)
        x = (logit(threshold) - base) / (self.steepness * self.spread) + self.spread / 2
        of_pos = ndtr(self.spread - x)
        of_neg = ndtr(-x)
        if self.is_useless:
            pi = self.cell.prevalence
            of_pos = of_neg = pi * of_pos + (1 - pi) * of_neg
        return of_pos, of_neg

    def net_benefit(self, threshold: np.ndarray) -> np.ndarray:
        """Compute the true net benefit at threshold probabilities."""
        of_pos, of_neg = self.rates(threshold)
        pi = self.cell.prevalence
        return pi * of_pos - (1 - pi) * of_neg * threshold / (1 - threshold)


def grid() -> Iterator[Cell]:
    """List all settings."""
    for score, prevalence, n in product(SCORES, PREVALENCES, SAMPLE_SIZES):
        yield Cell(score, prevalence, n)
