"""Sentences of the ROC explorer, and the code that computes its numbers."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np

from rocviz.core.curve_spaces.spaces import SPACES
from rocviz.core.practice.referral import ReferralPolicy
from rocviz.widgets.base.code import options, script
from rocviz.widgets.roc.data import CALIBRATIONS
from rocviz.widgets.roc.result import Referral, ROCResult, SpaceView
from rocviz.words import (
    ClassNames,
    Sentence,
    amount,
    ink,
    number,
    p_value,
    percent,
    plain,
    score_text,
    short_names,
    whole,
)

#: Characters of the sentence above the pictures that fit into two lines on a laptop.
MAX_SENTENCE_LENGTH = 175
MAX_NAME_LETTERS = 18  # of a model or a class in it; the notes have whole names
MAX_ZONE_NAME_LETTERS = 12  # of a class in a sentence about three zones
MAX_LENGTH_OF_ZONES = 165  # of a sentence about three zones, which has many numbers


def sentences(state: Any) -> Iterator[str]:
    """Describe the operating point first, then the curve and the Brier score."""
    result = state.result
    space = SPACES[state.space]
    has_words = bool(space.sentence)
    if state.is_drawn_by_hand and not state.has_drawing:
        positive = ink("positive", "positive")
        negative = ink("negative", "negative")
        yield (
            f"Press above the line to add a {positive} sample, below it to add a {negative} one; "
            "sweep for a cloud; drag a sample elsewhere, or out of the picture."
        )
    if result.referral is None:
        yield _operating_point(state, result)
        yield _deployed(state, result)
    else:
        yield _three_answers(result.referral, state.class_names.shortened(MAX_ZONE_NAME_LETTERS))
        yield _price(state, result.referral)
        yield _three_answers_deployed(result.referral.policy, state.class_names)
        # others speak of the operating point
        has_words = has_words and space.has_points and not space.has_infinite_ends
    yield _probabilities(state, result)
    yield from _others(result)
    if result.model_hull is not None:
        yield _where(state, result)
    if has_words:
        yield _in_space(result.views[state.space], result, state.class_names)


def _operating_point(state: Any, result: ROCResult) -> str:
    table = result.table
    models = short_names(state.data.scores, MAX_NAME_LETTERS)
    classes = state.class_names.shortened(MAX_NAME_LETTERS)
    alarms = f"{amount(table.fp)} false alarm{'' if table.fp == 1 else 's'}"
    text = (
        f"At threshold {ink('selected', score_text(state.threshold))} {_subject(state, result)} "
        f"finds {ink('positive', f'{amount(table.tp)} of {amount(table.n_pos)}')} "
        f"{classes.positives} and raises {ink('negative', alarms)}"
        f"{classes.among_negatives(table.n_neg)}"
    )
    if not state.show_best:
        return f"{text}."
    gain = result.cost - result.best_cost
    if result.model_hull is not None:
        return text + _best_of_all(result, gain, models[result.best_model], classes)
    if gain > 5e-4:
        best = result.optimum
        where = classes.predicting_none
        if best.predicted_pos:
            where = f"threshold {score_text(best.threshold)}"
        cheaper = percent(gain / result.cost)
        text += f"; for these costs {ink('optimum', where)} is cheaper by {cheaper}."
    else:
        text += f"; for these costs that is {ink('optimum', 'the best threshold')}."
    bias = _bias(result) if state.calibration == "raw" else ""
    with_bias = f"{text} Its scores are {bias}."
    has_room = len(Sentence(with_bias).text) <= MAX_SENTENCE_LENGTH
    return with_bias if bias and has_room else text


def _subject(state: Any, result: ROCResult) -> str:
    """Name the model or the score that predicts, if it has a name."""
    if result.model_hull is not None and not state.show_best:
        return str(result.model)
    if len(state.data.scores) > 1 or state.data.is_single_named:
        return short_names(state.data.scores, MAX_NAME_LETTERS)[result.model]
    return "the classifier"


def _three_answers(referral: Referral, classes: ClassNames) -> str:
    """Describe three zones, their errors and their cost; very many samples by shares alone."""
    text = _zones(referral, classes, as_counts=True)
    if len(Sentence(text).text) > MAX_LENGTH_OF_ZONES:
        return _zones(referral, classes, as_counts=False)
    return text


def _zones(referral: Referral, classes: ClassNames, *, as_counts: bool) -> str:
    """Describe three zones by their counts, or by shares alone."""
    policy = referral.policy
    totals = policy.n_pos + policy.n_neg
    n_out, n_between, n_in = totals
    lower = ink("selected", score_text(policy.lower_threshold))
    upper = ink("selected", score_text(policy.upper_threshold))
    wrong_out = _errors(policy.n_pos[0], n_out, classes.are_positive, as_counts=as_counts)
    wrong_in = _errors(policy.n_neg[2], n_in, classes.are_negative, as_counts=as_counts)
    missed = ink("positive", wrong_out)
    alarms = ink("negative", wrong_in)
    shares = [percent(n / totals.sum()) for n in totals]
    sizes = [amount(n) for n in totals] if as_counts else shares
    out = "Nobody is ruled out"
    if n_out:
        verb = "is" if as_counts and n_out == 1 else "are"
        out = f"Below {lower}, {sizes[0]} {verb} ruled out ({missed})"
    into = f"from {upper}, {sizes[2]} ruled in ({alarms})" if n_in else "nobody ruled in"
    between = "nobody referred"
    if n_between:
        between = f"{sizes[1]} ({shares[1]}) referred" if as_counts else f"{sizes[1]} referred"
    elif n_out and n_in:
        into = f"the other {sizes[2]} ruled in ({alarms})"
    text = f"{out}; {into}; {between}."
    if referral.best.is_referring:
        cost = ink("optimum", number(policy.cost))
        return f"{text} Cost {cost}, with one threshold {number(policy.cost_without)}."
    one = ink("optimum", _one_threshold(policy, classes))
    return f"{text} Referring does not pay: {one} is best."


def _errors(n_wrong: float, n: float, kind: str, *, as_counts: bool) -> str:
    """Write how many samples of a zone are of the other class."""
    share = percent(n_wrong / n) if n else ""
    return f"{amount(n_wrong)} {kind}, {share}" if as_counts else f"{share} {kind}"


def _one_threshold(policy: ReferralPolicy, classes: ClassNames) -> str:
    """Name what is best without referring."""
    threshold = policy.threshold_without
    if np.isinf(threshold):
        return classes.predicting_all if threshold < 0 else classes.predicting_none
    return f"one threshold, {score_text(threshold)},"


def _price(state: Any, referral: Referral) -> str:
    """State up to which price referring pays, and which two thresholds are best."""
    policy = referral.policy
    best = referral.best
    limit = ink("optimum", number(policy.break_even_price))
    text = (
        f"Where a false alarm costs 1, a miss {plain(state.cost_fn)} and a referral "
        f"{state.cost_referral:.2f}, referring can pay up to a price of {limit}"
    )
    one = _one_threshold(policy, state.class_names)
    if not best.is_referring:
        return f"{text}; here {one} is best, at {number(best.cost)} a sample."
    out = f"below {score_text(best.lower_threshold)}"
    into = f"from {score_text(best.upper_threshold)} on"
    if np.isinf(best.lower_threshold):
        out = "nobody"
    if np.isinf(best.upper_threshold):
        into = "nobody"
    saved = percent(best.saving / best.cost_without)
    text = (
        f"{text}. It costs least to rule out {out} and to rule in {into}: {number(best.cost)} a "
        f"sample, {saved} less than {one.removesuffix(',')}."
    )
    if policy.cost - best.cost > 5e-4:
        return text
    return f"{text} The present thresholds cost the same."


def _three_answers_deployed(policy: ReferralPolicy, classes: ClassNames) -> str:
    """Write the zones of 1000 samples where the classifier is used."""
    out, between, into = (whole(1000 * share) for share in policy.shares)
    return (
        f"Of 1000 samples where {percent(policy.prevalence)} are {classes.are_positive}, {out} are "
        f"ruled out (NPV {percent(policy.npv)}), {into} are ruled in (PPV {percent(policy.ppv)}), "
        f"and {between} are referred; {percent(1 - policy.sensitivity)} of "
        f"{classes.the_positives} are missed."
    )


def _best_of_all(result: ROCResult, gain: float, model: str, classes: ClassNames) -> str:
    """Name the best model at the stated costs, and its cost."""
    cost = number(result.cost)
    if gain <= 5e-4:
        best = ink("optimum", "no other model or threshold is better")
        return f"; for these costs {best}, at {cost} a sample."
    where = f"{model} at {score_text(result.best_table.threshold)}"
    if not result.best_table.predicted_pos:
        where = classes.predicting_none
    return (
        f"; for these costs {ink('optimum', where)} is best: it costs {number(result.best_cost)} "
        f"a sample, not {cost}."
    )


def _where(state: Any, result: ROCResult) -> str:
    """State from the hull over all models which one to use at which costs."""
    hull = result.model_hull
    pi = state.deployment_prevalence
    assert hull is not None
    table = hull.to_frame()
    names = list(table["model"])
    uses = []
    for k, (name, slope) in enumerate(zip(names, table["slope_to"], strict=True)):
        if len(names) == 1:
            uses.append(f"{name} whatever errors cost")
        elif k == len(names) - 1:
            uses.append(f"{name} beyond")
        else:
            limit = plain((1 - pi) / (pi * slope)) if slope > 0 else ""
            uses.append(f"{name} up to {limit}")
    return (
        "Which model to use depends on how many false alarms a miss costs. Where "
        f"{percent(pi)} are {state.class_names.are_positive}, the "
        f"{ink('hull', 'hull over all models')} "
        f"(AUC {number(hull.auc)}) says: use {', '.join(uses)}."
    )


def _deployed(state: Any, result: ROCResult) -> str:
    deployed = result.deployed
    classes = state.class_names
    raises = "raises" if round(deployed.fp) == 1 else "raise"
    return (
        f"Of 1000 samples where {percent(state.deployment_prevalence)} are {classes.are_positive}, "
        f"{ink('positive', whole(deployed.tp))} are found, {whole(deployed.fn)} are missed, and "
        f"{ink('negative', whole(deployed.fp))} {raises} a false alarm; "
        f"{percent(deployed.precision)} of those predicted {classes.positive} really are "
        f"{classes.are_positive} (precision)."
    )


def _probabilities(state: Any, result: ROCResult) -> str:
    segments = result.segments
    auc = result.segments.auc
    hull = result.curve.hull.auc
    after = result.calibrated.after
    subject = "Its Brier score"
    of_scores = ""
    if state.calibration != "raw":
        judged = "judged on the other half" if state.held_out else "judged on the same data"
        subject = f"Calibrated ({state.calibration}, {judged}), its Brier score"
        of_scores = " of the raw scores"
    elif state.held_out:
        subject = "Its Brier score on the half that judges"
    convex = ": the curve is convex" if segments.is_convex else ""
    if not convex and abs(auc - hull) < 5e-4:
        convex = ": the curve is nearly convex"
    tie = ""
    if state.random_part < 1 and np.any(segments.score == state.threshold):
        part = percent(state.random_part)
        tie = (
            f" Of the samples tied at the threshold {part} are predicted "
            f"{state.class_names.positive}."
        )
    unique = ""
    if len(segments) > 0.9 * segments.n_samples and state.calibration == "raw":
        unique = (
            " Nearly every score is unique: taken score by score, all of the loss looks like "
            "calibration loss, so use the decomposition by the convex hull instead."
        )
    if after.brier < 5e-4:  # a share of a number that is written as zero says nothing
        brier = f"{subject} is below 0.001, so calibration has nothing to repair."
    else:
        miscalibration = percent(after.miscalibration / after.brier)
        brier = (
            f"{subject} is {number(after.brier)}, of which {miscalibration} is miscalibration "
            f"that the {ink('hull', 'convex hull')} removes."
        )
        bias = _bias(result)
        if bias:
            distance = "close to" if bias == "over-confident" else "far from"
            brier += f" The scores are {bias}: too {distance} 0 and 1."
    return f"{brier} AUC{of_scores} {number(auc)}, hull {number(hull)}{convex}.{tie}{unique}"


def _bias(result: ROCResult) -> str:
    """Call the probabilities over- or under-confident, or neither."""
    points = result.calibrated.by_hull
    spread = points.predicted - (points.n @ points.predicted) / points.n.sum()
    moved = float(points.n @ (spread * (points.observed - points.predicted)))
    size = float(points.n @ spread**2)
    if not size or abs(moved) < 0.1 * size:
        return ""
    return "over-confident" if moved < 0 else "under-confident"


def _in_space(view: SpaceView, result: ROCResult, classes: ClassNames) -> str:
    """Write what the curve shows in its space."""
    x, y = view.selected
    return classes.name_in(
        SPACES[view.space].sentence,
        area=number(view.curve.area),
        hull_area=number(view.hull.area),
        miscalibration=number(round(view.curve.area - view.hull.area, 15)),
        prevalence=percent(view.prevalence),
        half_prevalence=number(view.prevalence / 2),
        complement=number(1 - view.prevalence),
        auc=number(result.segments.auc),
        x=number(x),
        y=number(y),
        fpr=percent(result.table.fpr),
        fnr=percent(1 - result.table.tpr),
    )


def _others(result: ROCResult) -> list[str]:
    comparisons = []
    for name, curve, test in result.others[:6]:
        text = f"{name} has AUC {number(curve.segments.auc)}"
        if test is not None:
            side = "lower" if test.difference > 0 else "higher"
            difference = f"{number(abs(test.difference))} {side}" if test.difference else "the same"
            text += f", which is {difference} ({p_value(test.p_value)})"
        comparisons.append(f"{text}.")
    more = len(result.others) - 6
    if more > 0:
        models = "model is" if more == 1 else "models are"
        comparisons.append(f"{more} more {models} in the table.")
    return comparisons


def code(state: Any) -> str:
    """Write Python that computes the numbers on screen."""
    data = state.data
    calibration = options(**CALIBRATIONS[state.calibration])
    lines = _source(state)
    for low, high, mean in data.joins(state.model, state.joined):
        is_joined = f"({low!r} <= y_score) & (y_score <= {high!r})"
        lines.append(f"y_score = np.where({is_joined}, {mean!r}, y_score)")
    label = options(pos_label=data.pos_label)

    def segments(rows: str = "") -> str:
        weight = "" if data.weight is None else f", sample_weight=sample_weight{rows}"
        return f"RankedSegments.from_scores(y_true{rows}, y_score{rows}{weight}{label})"

    random_part = f", random_part={state.random_part!r}" if state.random_part != 1 else ""
    lines += ["", f"segments = {segments()}"]
    if state.refer:
        lines += [
            f"costs = dict(cost_fp=1, cost_fn={state.cost_fn!r}, "
            f"cost_referral={state.cost_referral!r}, "
            f"prevalence={state.deployment_prevalence!r})",
            f"thresholds = ({state.lower_threshold!r}, {state.upper_threshold!r})",
            "policy = referral_policy(segments, thresholds=thresholds, **costs)",
            "best = referral_policy(segments, **costs)",
            "",
        ]
        chosen = "print(policy.to_frame(), best)"
    else:
        lines += [
            f"table = segments.at_threshold({state.threshold!r}{random_part})",
            f"best = segments.optimal_point(cost_fp=1, cost_fn={state.cost_fn!r}, "
            f"prevalence={state.deployment_prevalence!r})",
            "",
        ]
        chosen = _print_counts(state.class_names)
    if state.held_out:
        lines += [
            *data.split_lines(),
            f"calibrate = calibration_map({segments('[fit]')}{calibration})",
            f"judged = {segments('[judge]')}",
        ]
    else:
        lines += [f"calibrate = calibration_map(segments{calibration})", "judged = segments"]
    lines += [
        "brier = brier_decomposition(judged.with_scores(calibrate(judged.score)))",
        "",
        "print(segments.auc, segments.hull().auc)",
        *_clustered_lines(state, label),
        chosen,
        "print(brier)",
    ]
    if state.space != "roc":
        view = state.result.views[state.space]
        ranking = "segments"
        prevalence = options(prevalence=view.prevalence)
        if SPACES[state.space].needs_probabilities:
            ranking = "judged.with_scores(calibrate(judged.score))"
            prevalence = ""
        has_area = not np.isnan(view.curve.area)
        lines += [
            f"curve = space_curve({ranking}, space={state.space!r}{prevalence})",
            "print(curve.area)" if has_area else "print(curve)",
        ]
    if state.result.model_hull is not None:
        lines += ["", f"models = {{{state.model!r}: segments}}"]
        for name in data.scores:
            if name != state.model:
                lines += [*data.code_lines(name), f"models[{name!r}] = {segments()}"]
        lines += [
            "hull = hull_over_models(models)",
            "print(hull.auc, hull.to_frame())",
            f"print(hull.optimal_point(1, {state.cost_fn!r}, "
            f"prevalence={state.deployment_prevalence!r}))",
        ]
    return script(lines)


def _print_counts(classes: ClassNames) -> str:
    """Write a line that prints the counts at the threshold, with the names of the classes."""
    if not classes.is_named:
        return "print(table.tp, table.fp, best.threshold)"
    found = f"{classes.positives} found"
    alarms = f"{classes.negatives} predicted {classes.positive}"
    return f"print(table.tp, {found!r}, table.fp, {alarms!r}, best.threshold)"


def _clustered_lines(state: Any, label: str) -> list[str]:
    """Write lines that compute the intervals of samples that come in clusters."""
    data = state.data
    if data.unit is None:
        return []
    weight = "" if data.weight is None else ", sample_weight=sample_weight"
    about = f"clusters=clusters{weight}{label}, confidence={state.confidence!r}"
    lines = [
        f"interval = auc_interval(y_true, y_score, {about})",
        "print(interval.lower, interval.upper)",
    ]
    if state.show_band:
        lines += [f"band = roc_band(y_true, y_score, {about})", "print(band.to_frame())"]
    return lines


def _source(state: Any) -> list[str]:
    """Write lines that load or simulate labels and scores."""
    if not state.is_sandbox:
        return list(state.data.code_lines(state.model))
    if state.is_drawn_by_hand:
        data = state.data
        return [
            f"y_true = np.array({data.positive.astype(int).tolist()})",
            f"y_score = np.array({data.scores[state.model].tolist()})",
        ]
    settings = state.sandbox_settings()
    for name in ("draw", "drawn_positives", "drawn_negatives"):
        del settings[name]
    n_samples = settings.pop("n_samples")
    seed = settings.pop("seed")
    arguments = options(**dict(sorted(settings.items())), random_state=seed)
    return [
        f"data = binormal_scores({n_samples}{arguments})",
        "y_true, y_score = data.y_true, data.y_prob",
    ]
