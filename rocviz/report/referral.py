"""Two thresholds between which samples are referred, beside the one of the decision."""

from __future__ import annotations

from math import isfinite

from rocviz.core.practice.referral import ReferralPolicy
from rocviz.report.data import Evaluation
from rocviz.report.phrases import model_text, whole_amount
from rocviz.report.section import join
from rocviz.words import percent, plain, score_text


def referral_text(data: Evaluation) -> list[str]:
    """Say whom to refer if a referral has a price, and what that saves."""
    policy = data.referral
    if policy is None or data.cost_referral is None:
        return []
    price = _price(data, data.cost_referral)
    if not policy.is_referring:
        limit = _price(data, policy.break_even_price)
        return [
            f"If a referral costs {price}, one threshold is best on these samples: referring can "
            f"pay only where a referral costs less than {limit}."
        ]
    model = model_text(data, data.primary_model)
    return [
        f"If a referral costs {price}, {answers_text(policy)}, by the scores of {model}. "
        f"{_saving_text(data, policy)}"
    ]


def answers_text(policy: ReferralPolicy) -> str:
    """Say which scores are ruled out, ruled in and referred."""
    answers = []
    if isfinite(policy.lower_threshold):
        answers.append(f"rule out below {score_text(policy.lower_threshold)}")
    if isfinite(policy.upper_threshold):
        answers.append(f"rule in from {score_text(policy.upper_threshold)} on")
    rest = "the rest" if answers else "everybody"
    answers.append(f"refer {rest} ({percent(policy.share_referred)})")
    return join(answers)


def _saving_text(data: Evaluation, policy: ReferralPolicy) -> str:
    """Compare the cost with that of the best single threshold, on new samples where known."""
    saving = policy.corrected.get("saving", policy.saving)
    cost = policy.corrected.get("cost", policy.cost)
    without = policy.corrected.get("cost_without", policy.cost_without)
    single = data.chosen_threshold(data.primary_model)
    if single is not None:  # the section has its cost on new samples, from more resamples
        without = single.corrected
        cost = without - saving
    where = "On new samples this" if "saving" in policy.corrected else "On these samples this"
    if saving <= 0:
        return f"{where} is expected to cost no less than the best single threshold."
    # rounding and the correction may carry it beyond what any referral can be worth
    price = min(policy.price + saving / policy.share_referred, policy.break_even_price)
    limit = _price(data, price)
    sentence = (
        f"{where} costs about {whole_amount(1000 * cost)} per 1,000 samples in place of "
        f"{whole_amount(1000 * without)} at the best single threshold; with these two it is "
        f"cheaper as long as a referral costs less than {limit}."
    )
    if "saving" in policy.corrected:
        return sentence
    return f"{sentence} As these samples chose the thresholds, new ones will cost more."


def _price(data: Evaluation, cost: float) -> str:
    """Write a price in false alarms, or as it is where a false alarm costs nothing."""
    if data.cost_fp == 0:
        return plain(cost)
    alarms = plain(cost / data.cost_fp)
    return f"{alarms} false alarm" if alarms == "1" else f"{alarms} false alarms"
