"""The ROC explorer's story: the hull, what mistakes cost, and what a probability is worth."""

from rocviz.widgets import Question, ROCExplorer, Step, Story

__all__ = ["roc"]

MOVE = ("threshold",)
STEPS = (
    Step(
        "A ranking and its curve",
        "Here are {result.segments.n_pos:n} positives and {result.segments.n_neg:n} negatives. The area under "
        "the curve is {result.segments.auc:.3f}; the pink point is one threshold.",
        {"preset": "good", "show_hull": False, "show_band": False},
        panels=("roc",),
        move=MOVE,
    ),
    Step(
        "A curve from data is uncertain",
        "The grey band holds the whole true curve with {result.band.confidence:%} confidence. Fewer samples would "
        "make it wider.",
        {"show_band": True},
        move=MOVE,
    ),
    Step(
        "What mistakes cost",
        "If a miss costs as much as a false alarm, the ring is the best point. Along the amber line "
        "every point costs the same, {result.optimal_cost:.3f} per sample.",
        {"show_band": False, "deployment_prevalence": 0.4},
        move=("threshold", "cost_ratio"),
    ),
    Step(
        "A miss that costs five false alarms",
        "The line becomes flatter and the best point moves up and to the right: it finds "
        "{result.optimum.tpr:%} of the positives and raises an alarm for {result.optimum.fpr:%} of the negatives.",
        {"cost_ratio": 5.0},
        ask=Question(
            "Now a miss costs five false alarms. Where does the best point move?",
            ("Down and to the left", "Up and to the right", "It stays"),
            1,
        ),
        glide="cost_ratio",
        move=("cost_ratio",),
    ),
    Step(
        "Where positives are rare",
        "With {state.deployment_prevalence:%} positives there are many more negatives to alarm about. The curve "
        "stays as it is; the best point moves back to {result.optimum.tpr:%} found.",
        {"deployment_prevalence": 0.05},
        ask=Question(
            "The classifier is used where 5 % are positive. What changes?",
            ("The curve", "The best point", "Both"),
            1,
        ),
        glide="deployment_prevalence",
        move=("deployment_prevalence",),
    ),
    Step(
        "A curve with a dent",
        "This curve dips below a straight line between two of its points. There the ranking is worse than "
        "tossing a coin between two thresholds.",
        {"preset": "a concavity", "show_hull": False, "show_band": False},
        move=MOVE,
    ),
    Step(
        "The convex hull repairs it",
        "The dashed line joins what is out of order. The area grows from {result.segments.auc:.3f} to "
        "{result.curve.hull.auc:.3f}, on the same samples.",
        {"show_hull": True},
        move=MOVE,
    ),
    Step(
        "Does the score mean what it says?",
        "Each circle is a segment of the hull: across what the score says, upwards how often it is positive. "
        "These scores are too close to 0 and 1.",
        {"preset": "over-confident", "show_hull": True, "show_band": False},
        panels=("roc", "reliability"),
        move=MOVE,
    ),
    Step(
        "The Brier score sees it, the area does not",
        "The area is {result.segments.auc:.3f}. The Brier score is {result.calibrated.after.brier:.3f}, of which "
        "{result.calibrated.after.miscalibration:.3f} comes from saying too much.",
        panels=("reliability", "brier"),
        move=MOVE,
    ),
    Step(
        "Probabilities from the hull",
        "Each segment now says how many positives it has. The Brier score falls to "
        "{result.calibrated.after.brier:.3f}, and nothing is left to repair on these samples.",
        {"calibration": "hull"},
        ask=Question(
            "Every segment of the hull says its own share of positives. What happens to the Brier score?",
            ("It rises", "It falls", "It stays"),
            1,
        ),
        move=MOVE,
    ),
    Step(
        "On samples that it has not seen",
        "Fitted on one half and judged on the other, the Brier score is {result.calibrated.after.brier:.3f}: what "
        "was learned by heart does not count any more.",
        {"held_out": True},
        move=MOVE,
    ),
)


def roc() -> Story:
    """Return the story of the ROC curve, its hull, costs and probabilities, in eleven steps.

    Returns
    -------
    Story

    Examples
    --------
    >>> story = roc()
    >>> story.next()
    >>> story.text
    'The grey band holds the whole true curve with 95 ... wider.'
    >>> story.close()
    """
    return Story(ROCExplorer(panels=["roc"]), STEPS)
