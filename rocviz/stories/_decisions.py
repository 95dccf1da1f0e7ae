"""The decision explorer's story: how many to call positive depends on what is counted."""

from rocviz.widgets import DecisionExplorer, Question, Step, Story

__all__ = ["decisions"]

MOVE = ("k",)
STEPS = (
    Step(
        "Twelve probabilities",
        "Each bar is a sample, the most probable first. The first {result.k:n} are called positive; drag the line to call more "
        "or fewer.",
        {"preset": "twelve samples"},
        panels=("probabilities",),
        move=MOVE,
    ),
    Step(
        "What a cut is worth",
        "Labels are not known, only probabilities. The curve is the expected F1 of every cut: the best calls {result.k_best:n} "
        "positive and is worth {result.decision.utility:.3f}.",
        panels=("probabilities", "utilities"),
        move=MOVE,
    ),
    Step(
        "Accuracy cuts at one half",
        "For accuracy the best cut is where the probability falls below one half: {result.k_best:n} are called positive.",
        {"metric": "accuracy"},
        ask=Question(
            "If every mistake counts the same, where does one cut?",
            ("At probability one half", "Where the curve of F1 peaks", "Nowhere: all positive"),
            0,
        ),
        move=MOVE,
    ),
    Step(
        "The F measure cuts lower",
        "F1 forgets true negatives, so it pays to call more samples positive: the last one called has only probability "
        "{result.decision.threshold:.2f}.",
        {"metric": "f", "k": -1},
        ask=Question(
            "F1 does not count true negatives. Its best cut calls...",
            ("fewer positive", "more positive"),
            1,
        ),
        move=MOVE,
    ),
    Step(
        "Where each metric cuts",
        "The same probabilities, many metrics: each has a best number of positives of its own. There is no single best "
        "threshold.",
        panels=("probabilities", "thresholds"),
        move=MOVE,
    ),
    Step(
        "When positives are rare",
        "{state.size:n} samples and few positives. A threshold of one half calls {result.k_half:n} positive; the best cut "
        "calls {result.k_best:n} and has an expected F1 of {result.decision.utility:.3f}.",
        {"preset": "rare positives"},
        panels=("probabilities", "utilities"),
        move=MOVE,
    ),
    Step(
        "Two peaks",
        "One sample is certain, five have 0.3. The expected F1 rises, falls and rises a little again: whoever stops at the first fall "
        "has not seen the whole curve.",
        {"preset": "two peaks: F1 is not unimodal"},
        ask=Question(
            "Does the expected F1 always rise to one peak and then fall?",
            ("Yes", "No"),
            1,
        ),
        move=MOVE,
    ),
    Step(
        "What may happen",
        "An expectation is a mean. The bars show every value that F1 may take at this cut, and how probable it is.",
        {"preset": "twelve samples"},
        panels=("utilities", "outcomes"),
        move=MOVE,
    ),
    Step(
        "Wrong probabilities cost",
        "This model is overconfident. It calls {result.n_called:n} of {state.size:n} positive, where the true probabilities would "
        "call {result.k_best:n}.",
        {"preset": "overconfident"},
        panels=("probabilities", "utilities"),
        move=MOVE,
    ),
    Step(
        "Not always a cut",
        "For a ratio that falls with more true positives, the best labels are no cut of the ranking at all: the explorer "
        "tries every labeling and says so.",
        {"preset": "no prefix: a ratio that falls"},
        ask=Question(
            "Is the best decision always to call the most probable samples positive?",
            ("Yes, for every metric", "No, not for every metric"),
            1,
        ),
        move=MOVE,
    ),
)


def decisions() -> Story:
    """Return the story of decisions for a metric, in ten steps.

    Returns
    -------
    Story

    Examples
    --------
    >>> story = decisions()
    >>> story.show(1)
    >>> story.text
    'Labels are not known, ... the best calls 5 positive and is worth 0.720.'
    >>> story.close()
    """
    return Story(DecisionExplorer(panels=["probabilities"]), STEPS)
