"""The course's start: scores, a threshold, and the curve that all thresholds make."""

from rocviz.widgets import Question, ROCExplorer, Step, Story

__all__ = ["start"]

MOVE = ("threshold",)
STEPS = (
    Step(
        "Two classes, one score",
        "A classifier gives every sample a score. Here are {result.segments.n_neg:n} negatives in blue and "
        "{result.segments.n_pos:n} positives in orange: higher scores are mostly positive.",
        {"preset": "good", "n_samples": 200, "show_band": False, "show_hull": False},
        panels=("scores",),
        move=MOVE,
    ),
    Step(
        "A threshold makes a classifier",
        "Whatever scores at least {state.threshold:.2f} is called positive. That finds {result.table.tp:n} "
        "positives and raises {result.table.fp:n} false alarms among the negatives.",
        move=MOVE,
    ),
    Step(
        "A lower threshold",
        "More positives are found, {result.table.tp:n} of {result.segments.n_pos:n}, and there are more "
        "false alarms, {result.table.fp:n}.",
        {"threshold": 0.2},
        ask=Question(
            "The threshold goes down to 0.2. What happens?",
            ("More found, fewer false alarms", "More of both", "Fewer of both"),
            1,
        ),
        glide="threshold",
        move=MOVE,
    ),
    Step(
        "A higher threshold",
        "Now {result.table.fp:n} negatives raise an alarm, and {result.table.fn:n} positives are missed. "
        "No threshold is best at both.",
        {"threshold": 0.7},
        glide="threshold",
        move=MOVE,
    ),
    Step(
        "Every threshold is a point",
        "Draw the share of positives found, {result.table.tpr:%}, upwards, and the share of negatives that "
        "raise an alarm, {result.table.fpr:%}, to the right.",
        panels=("scores", "roc"),
        move=MOVE,
    ),
    Step(
        "All thresholds are the curve",
        "As the threshold falls, the point climbs along the ROC curve to the top right, where everything "
        "is called positive.",
        {"threshold": 0.0},
        ask=Question(
            "The threshold goes down to 0. Where does the point end?",
            ("Bottom left", "Top left", "Top right"),
            2,
        ),
        glide="threshold",
        move=MOVE,
    ),
    Step(
        "One number: the area",
        "The area under the curve is {result.segments.auc:.3f}. It is the probability that a positive scores "
        "higher than a negative, when one of each is drawn.",
        {"threshold": 0.5},
        move=MOVE,
    ),
    Step(
        "What a coin does",
        "With scores that know nothing the curve follows the diagonal: its area is "
        "{result.segments.auc:.3f}, about one half.",
        {"preset": "random"},
        ask=Question(
            "What does the curve of a coin look like?",
            (
                "It hugs the top left corner",
                "It follows the diagonal",
                "It lies flat on the bottom",
            ),
            1,
        ),
        move=MOVE,
    ),
    Step(
        "What a perfect ranking does",
        "Every positive is above every negative: the curve goes straight up, then right, and the area is "
        "{result.segments.auc:.3f}. At {state.threshold:.2f} there is no mistake at all.",
        {"preset": "perfect", "show_band": False, "show_hull": False},
        move=MOVE,
    ),
    Step(
        "Worse than a coin is useful too",
        "Here the area is {result.segments.auc:.3f}. Whoever believes the opposite of such scores has "
        "an area of one minus that.",
        {"preset": "worse than random", "n_samples": 200},
        move=MOVE,
    ),
    Step(
        "Your turn",
        "Drag the threshold or the point. Which threshold would you choose if a missed positive were worse "
        "than a false alarm?",
        {"preset": "good", "n_samples": 200, "threshold": 0.5},
        move=MOVE,
    ),
)


def start() -> Story:
    """Return the story of a threshold and the ROC curve, in eleven steps.

    Returns
    -------
    Story

    Examples
    --------
    >>> story = start()
    >>> len(story.steps)
    11
    >>> story.close()
    """
    return Story(ROCExplorer(panels=["scores"]), STEPS)
