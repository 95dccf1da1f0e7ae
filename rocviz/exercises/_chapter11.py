"""Answers to the exercises of notebook 11, one score for several groups of people."""

from __future__ import annotations

from rocviz.core.groups.policy import fpr_of_precision, policy_at, policy_through
from rocviz.exercises._base import Solution
from rocviz.exercises._chapter01 import ranked


def four_fifths() -> Solution:
    """Divide the shares of people invited."""
    n_a = 400 + 600
    n_b = 100 + 400
    tpr_a = 300 / 400
    tpr_b = 50 / 100
    invited_a = 300 + 120
    invited_b = 50 + 40
    share_a = invited_a / n_a
    share_b = invited_b / n_b
    return share_b / share_a, {
        "per_cent": 100 * share_b / share_a,
        "other_way_round": share_a / share_b,
        "ill_alone": tpr_b / tpr_a,
        "difference": share_a - share_b,
        "numbers": invited_b / invited_a,
    }


def same_threshold() -> Solution:
    """Compute the cost-optimal threshold if a miss costs as much as three false alarms."""
    cost_fn = 3
    prevalence = 0.2
    return 1 / (1 + cost_fn), {
        "wrong_way_round": cost_fn / (1 + cost_fn),
        "odds": 1 / cost_fn,
        "equal_costs": 0.5,
        "prevalence": prevalence,
        "prevalence_twice": (1 - prevalence) / (1 - prevalence + cost_fn * prevalence),
    }


def by_lot() -> Solution:
    """Compute the share of the healthy who are invited, of a hull of two vertices."""
    fpr_high = 0.2
    tpr_high = 0.6
    fpr_low = 0.5
    tpr_low = 0.85
    tpr = 0.7
    town = ranked(
        pos=[tpr_high, tpr_low - tpr_high, 1 - tpr_low],
        neg=[fpr_high, fpr_low - fpr_high, 1 - fpr_low],
    )
    towns = {"A": town, "B": town}
    policy = policy_through(towns, group="A", fpr=fpr_low, tpr=tpr, criterion="equal_opportunity")
    drawn = (tpr - tpr_high) / (tpr_low - tpr_high)
    return policy.points["B"][0], {
        "drawn": drawn,
        "half_way": (fpr_high + fpr_low) / 2,
        "low_threshold": fpr_low,
        "high_threshold": fpr_high,
        "no_high_threshold": drawn * (fpr_low - fpr_high),
    }


def coin_share() -> Solution:
    """Compute the share predicted by a coin, by which a point lies below its hull."""
    fpr = 0.25
    own_tpr = 0.9
    common_tpr = 0.72
    town = ranked(pos=[own_tpr, 1 - own_tpr], neg=[fpr, 1 - fpr])
    return policy_at({"A": town}, points={"A": (fpr, common_tpr)}).rules["A"].ignored_share, {
        "fewer_found": own_tpr - common_tpr,
        "coin_invites_nobody": 1 - common_tpr / own_tpr,
        "by_score": (common_tpr - fpr) / (own_tpr - fpr),
        "of_threshold": common_tpr / own_tpr,
    }


def forced_alarms() -> Solution:
    """Compute the false positive rate that precision, prevalence and recall leave."""
    precision = 0.8
    tpr = 0.6
    prevalence = 0.3
    answer = float(fpr_of_precision(precision, tpr, prevalence))
    return answer, {
        "town_a": float(fpr_of_precision(precision, tpr, 0.5)),
        "of_everybody": answer * (1 - prevalence),
        "healthy_of_invited": 1 - precision,
        "invited": tpr * prevalence / precision,
        "ill_for_invited": (1 - precision) * tpr * prevalence / (1 - prevalence),
    }


def way_out() -> str:
    """Name the way in which all rates are equal though prevalences differ."""
    perfect = {"A": ranked([500, 0], [0, 500]), "B": ranked([200, 0], [0, 800])}
    policy = policy_at(perfect, points=1.5)
    rates = {(*policy.points[name], policy.precision[name]) for name in perfect}
    return "a perfect score" if len(rates) == 1 else "another threshold for each town"
