"""A synthetic cohort of patients with chest pain, drawn from published figures.

It has the figures, their sources and the draw.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from rocviz.core.base.effort import check_draws
from rocviz.core.base.validation import (
    Seed,
    check_integer,
    check_prevalence,
    check_random_state,
    describe,
)
from rocviz.datasets._tools import bunch_or_pair

_N_SAMPLES = 1199
_PREVALENCE = 135 / 1199


@dataclass(frozen=True)
class _Feature:
    name: str
    among_healthy: float
    odds_ratio: float
    published: bool
    minutes: float


# the odds ratio of palpation is printed for pain that is reproducible: turned round here
_FEATURES = (
    _Feature("assumes cardiac origin", 0.34, 3.20, True, 1.0),
    _Feature("muscle tension", 0.35, 0.50, False, 2.0),
    _Feature("age and sex", 0.35, 9.60, False, 0.5),
    _Feature("sharp pain", 0.30, 0.60, False, 1.0),
    _Feature("worse with exercise", 0.40, 4.27, True, 1.0),
    _Feature("vascular disease", 0.19, 5.13, True, 1.0),
    _Feature("diabetes", 0.12, 1.70, False, 1.0),
    _Feature("heart failure", 0.05, 2.00, False, 3.0),
    _Feature("not reproducible by palpation", 0.54, 1 / 0.27, True, 3.0),
    _Feature("cough", 0.08, 0.08, True, 0.5),
)

_DESCRIPTION = """\
Chest pain in general practice: a SYNTHETIC cohort
--------------------------------------------------

No row of this table is a patient. The numbers are drawn at random so that a few published figures
of the Marburg heart study hold; use them to learn how scoring lists work, never to judge a
patient. Each row has ten yes/no features and whether the pain comes from coronary heart
disease (CHD, the positive class, 1).

Published, and taken over:

- 1199 patients, 135 of them with CHD (11 %), and the ten features: Hanselle et al. (2024), section
  5.1. Other sizes keep the proportion. The experiments of the same paper begin at an entropy
  of .605 bits and a Brier score of .130, which belong to about 15 %; ``prevalence=0.15`` draws
  a cohort of that kind.
- Odds ratios of five features: Bösner et al. (2010a), abstract. Known vascular disease 5.13, pain
  worse on exercise 4.27, patient assumes a cardiac origin 3.20, pain reproducible on
  palpation 0.27 (turned round here: not reproducible, 1/0.27), cough 0.08.
- What the Marburg Heart Score (one point each for age and sex, vascular disease, exercise,
  cardiac origin, not palpable) did in the cohort it was derived from: AUC 0.87, and with three
  points or more as positive a sensitivity of 86.4 % and a specificity of 75.2 %: Bösner et al.
  (2010b).

Made for teaching:

- How frequent each feature is among patients without CHD, and the odds ratio of "age and sex" (a
  woman of 65 or a man of 55 years or more). They were chosen so that the score's AUC,
  sensitivity and specificity in the synthetic population are near the published ones: 0.87,
  86 % and 75 %. A cohort varies around that; the default one has 0.88, 87 % and 75 %.
- The odds ratios of muscle tension, sharp pain, diabetes and heart failure, chosen weak, so
  that the five features of the Marburg Heart Score come first.
- The minutes that it takes to find out (``feature_costs``).
- Within a class all features are drawn independently. Real ones are not independent. The published
  odds ratios are adjusted for other features; with independent features adjusted and
  unadjusted odds ratios are the same, so they could be used as they are.

Sources: Hanselle et al. (2024); Bösner et al. (2010a), "Accuracy of symptoms and signs for
coronary heart disease assessed in primary care"; Bösner et al. (2010b), "Ruling out coronary
artery disease in primary care".
"""


def make_chest_pain(
    n_samples: int = _N_SAMPLES,
    *,
    random_state: Seed = 3,
    prevalence: float = _PREVALENCE,
    return_X_y: bool = False,
    as_frame: bool = False,
) -> Any:
    """Draw a SYNTHETIC cohort of patients with chest pain from published marginal figures.

    Ten yes/no features and the diagnosis "coronary heart disease" (CHD). No row is a patient. From
    publications come the size of the cohort and its share of CHD, the odds ratios of five
    features, and the accuracy of the Marburg Heart Score which the drawn population shows; how
    frequent each feature is, the other odds ratios and the costs are made for teaching, and
    features are independent within a class. ``DESCR`` says which figure is from where.

    Parameters
    ----------
    n_samples : int, default=1199
        Number of rows, at least 10.
    random_state : int, RandomState, Generator or None, default=3
        Seed of the draw. With the default the five features of the Marburg Heart Score are
        the first that a scoring list asks, as with most seeds.
    prevalence : float, default=135 / 1199
        Share of CHD, as exactly as rounding allows. The default is that of the text of the
        source; its experiments show about 0.15.
    return_X_y : bool, default=False
        Return ``(data, target)`` only.
    as_frame : bool, default=False
        As pandas objects, with ``attrs["synthetic"]`` set; the bunch then has a ``frame``
        with features and class together.

    Returns
    -------
    sklearn.utils.Bunch or tuple
        ``data`` (read-only array of 0 and 1, shape (n_samples, 10)), ``target`` (read-only array,
        shape (n_samples,), 1 is CHD), ``feature_names``, ``target_names``, ``feature_costs``
        (minutes by feature name), ``marginals`` (by feature name: ``no_chd`` and ``chd``, the
        probabilities of "yes" that were drawn from, their ``odds_ratio``, and whether
        that is ``published``), ``synthetic`` (True), ``DESCR``, ``frame``.

    Raises
    ------
    ValueError
        If ``n_samples`` is too small, or ``prevalence`` leaves one of the classes empty.

    References
    ----------
    Bösner et al. (2010a). Bösner et al. (2010b). Hanselle et al. (2024), section 5.1.

    Examples
    --------
    >>> cohort = make_chest_pain()
    >>> cohort.data.shape, int(cohort.target.sum()), cohort.synthetic
    ((1199, 10), 135, True)
    >>> cohort.marginals["vascular disease"]["odds_ratio"]
    5.13
    """
    n_samples = check_integer(n_samples, "n_samples", minimum=10)
    check_draws(1, n_samples, 4 * len(_FEATURES) * n_samples, n_samples=n_samples)
    rng = check_random_state(random_state)
    marginals = {feature.name: _marginal(feature) for feature in _FEATURES}
    n_pos = round(n_samples * check_prevalence(prevalence))
    if not 0 < n_pos < n_samples:
        raise ValueError(
            f"prevalence must leave patients in both classes; {describe(prevalence)} of "
            f"{n_samples} gives {n_pos} positives."
        )
    labels = rng.permutation(np.arange(n_samples) < n_pos)
    prob = np.array([[m["no_chd"], m["chd"]] for m in marginals.values()])
    yes = rng.random((n_samples, len(_FEATURES))) < prob[:, labels.astype(np.intp)].T
    return bunch_or_pair(
        yes.astype(np.int64),
        labels.astype(np.int64),
        return_X_y=return_X_y,
        as_frame=as_frame,
        feature_names=list(marginals),
        target_column="CHD",
        attrs={"synthetic": True, "description": _DESCRIPTION},
        target_names=["no CHD", "CHD"],
        feature_costs={feature.name: feature.minutes for feature in _FEATURES},
        marginals=marginals,
        synthetic=True,
        DESCR=_DESCRIPTION,
    )


def _marginal(feature: _Feature) -> dict[str, Any]:
    odds = feature.odds_ratio * feature.among_healthy / (1 - feature.among_healthy)
    return {
        "no_chd": feature.among_healthy,
        "chd": odds / (1 + odds),
        "odds_ratio": feature.odds_ratio,
        "published": feature.published,
    }
