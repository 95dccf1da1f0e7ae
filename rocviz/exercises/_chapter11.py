"""Answers to the exercises of notebook 11, one score for several groups of people."""

from __future__ import annotations

from rocviz.core.groups.policy import fpr_of_precision, policy_at, policy_through
from rocviz.exercises._base import Solution
from rocviz.exercises._chapter01 import ranked


def four_fifths() -> Solution:
    """Divide the shares of people invited."""
    ill_a, healthy_a, found_a, alarms_a = 400, 600, 300, 120
    ill_b, healthy_b, found_b, alarms_b = 100, 400, 50, 40
    invited_a, invited_b = found_a + alarms_a, found_b + alarms_b
    share_a, share_b = invited_a / (ill_a + healthy_a), invited_b / (ill_b + healthy_b)
    return share_b / share_a, {
        "per_cent": 100 * share_b / share_a,
        "other_way_round": share_a / share_b,
        "ill_alone": (found_b / ill_b) / (found_a / ill_a),
        "difference": share_a - share_b,
        "numbers": invited_b / invited_a,
    }


def same_cut() -> Solution:
    """Compute the cheapest threshold if a miss costs as much as three false alarms."""
    miss, ill = 3, 0.2
    return 1 / (1 + miss), {
        "wrong_way_round": miss / (1 + miss),
        "odds": 1 / miss,
        "equal_costs": 0.5,
        "prevalence": ill,
        "prevalence_twice": (1 - ill) / (1 - ill + miss * ill),
    }


def by_lot() -> Solution:
    """Compute the share of the healthy who are invited, of a hull of two vertices."""
    (fpr_high, tpr_high), (fpr_low, tpr_low), found = (0.2, 0.6), (0.5, 0.85), 0.7
    town = ranked(
        pos=[tpr_high, tpr_low - tpr_high, 1 - tpr_low],
        neg=[fpr_high, fpr_low - fpr_high, 1 - fpr_low],
    )
    towns = {"A": town, "B": town}
    policy = policy_through(towns, "A", fpr_low, found, criterion="equal_opportunity")
    drawn = (found - tpr_high) / (tpr_low - tpr_high)
    return policy.points["B"][0], {
        "drawn": drawn,
        "half_way": (fpr_high + fpr_low) / 2,
        "low_threshold": fpr_low,
        "high_threshold": fpr_high,
        "no_high_threshold": drawn * (fpr_low - fpr_high),
    }


def coin_share() -> Solution:
    """Compute the share called by a coin, by which a point lies below its hull."""
    alarms, own, common = 0.25, 0.9, 0.72
    town = ranked(pos=[own, 1 - own], neg=[alarms, 1 - alarms])
    return policy_at({"A": town}, {"A": (alarms, common)}).rules["A"].coin, {
        "fewer_found": own - common,
        "coin_invites_nobody": 1 - common / own,
        "by_score": (common - alarms) / (own - alarms),
        "of_threshold": common / own,
    }


def forced_alarms() -> Solution:
    """Compute the false positive rate that precision, prevalence and recall leave."""
    precision, tpr, ill = 0.8, 0.6, 0.3
    answer = float(fpr_of_precision(precision, tpr, ill))
    return answer, {
        "town_a": float(fpr_of_precision(precision, tpr, 0.5)),
        "of_everybody": answer * (1 - ill),
        "healthy_of_invited": 1 - precision,
        "invited": tpr * ill / precision,
        "ill_for_invited": (1 - precision) * tpr * ill / (1 - ill),
    }


def way_out() -> str:
    """Name the way in which all rates are equal though prevalences differ."""
    perfect = {"A": ranked([500, 0], [0, 500]), "B": ranked([200, 0], [0, 800])}
    policy = policy_at(perfect, 1.5)
    rates = {(*policy.points[name], policy.precision[name]) for name in perfect}
    return "a perfect score" if len(rates) == 1 else "another threshold for each town"
