"""The lexicographic explorer's story: the first difference decides."""

from rocviz.widgets import LexicographicExplorer, Question, Step, Story

__all__ = ["lexicographic"]

STEPS = (
    Step(
        "Ranked like words in a dictionary",
        "The most important attribute decides; only where two samples agree on it, the next one does. Read the tree from "
        "the top: the best pattern comes first.",
        {"preset": "twenty instances"},
        panels=("tree",),
    ),
    Step(
        "Every leaf is a step of the curve",
        "Two attributes make four leaves. From leaf to leaf the curve climbs by the positives and runs by the negatives; its "
        "area is {result.segments.auc:.3f}.",
        panels=("tree", "roc"),
    ),
    Step(
        "Attributes as points",
        "Each attribute alone is a classifier, a point in ROC space. The one with the largest odds ratio, the farthest "
        "from the diagonal in that sense, comes first.",
        panels=("attributes", "roc"),
    ),
    Step(
        "Another order",
        "With the attributes the other way round the area is {result.segments.auc:.3f}. The order matters, and counting decides it.",
        {"order": (0, 1)},
        ask=Question(
            "The two attributes change places. Does the ranking change?",
            ("Yes", "No"),
            0,
        ),
        panels=("tree", "roc"),
    ),
    Step(
        "Back to the best order",
        "LexRank orders attributes by their odds ratios and prefers the value that is more often positive.",
        {"order": (1, 0)},
    ),
    Step(
        "The hull joins leaves",
        "The curve has a dent: a lower leaf has a larger share of positives than a higher one. The convex hull joins them and has "
        "an area of {result.hull.auc:.3f}.",
        ask=Question(
            "The curve is not convex. What does that say of the tree?",
            ("Some leaves are in the wrong order", "The tree is too small"),
            0,
        ),
    ),
    Step(
        "LexProb: probabilities",
        "Each segment of the hull says its share of positives: {result.probability[0]:.3f} at the top and "
        "{result.probability[1]:.3f} below. A ranking of yes and no has become probabilities.",
    ),
    Step(
        "When it is naive Bayes",
        "If each odds ratio outweighs all that follow it together, the order is that of naive Bayes: both have an area of "
        "{result.segments.auc:.3f}.",
        {"preset": "same as naive Bayes"},
    ),
    Step(
        "When naive Bayes is better",
        "Here two weaker attributes together outweigh the first one. The dictionary cannot say that: "
        "{result.segments.auc:.3f} against {result.naive_bayes.auc:.3f}.",
        {"preset": "naive Bayes is better"},
        ask=Question(
            "Two weaker attributes together outweigh the first. Which ranking can use that?",
            ("The lexicographic one", "Naive Bayes"),
            1,
        ),
    ),
    Step(
        "Thirty attributes, real data",
        "On breast cancer the first difference alone reaches {result.segments.auc:.3f}; naive Bayes on the same columns has "
        "{result.naive_bayes.auc:.3f}. All of this is measured on the samples that were learned from.",
        {"preset": "breast cancer"},
        panels=("roc", "attributes"),
    ),
)


def lexicographic() -> Story:
    """Return the story of lexicographic rankers, in ten steps.

    Returns
    -------
    Story

    Examples
    --------
    >>> story = lexicographic()
    >>> story.show(5)
    >>> story.text
    'The curve has a dent: ... an area of 0.700.'
    >>> story.close()
    """
    return Story(LexicographicExplorer(panels=["tree"]), STEPS)
