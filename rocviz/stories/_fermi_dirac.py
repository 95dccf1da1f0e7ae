"""The Fermi-Dirac explorer's story: a ranking has a temperature."""

from rocviz.widgets import FermiDiracExplorer, Question, Step, Story

__all__ = ["fermi_dirac"]

MOVE = ("temperature",)
STEPS = (
    Step(
        "A ranking is a ladder of levels",
        "{state.n_samples:n} ranks, the best at the left, and {state.n_pos:n} of them hold a positive. The circles show "
        "how often a positive is found at each part of the ranking.",
        {"preset": "warm"},
        panels=("levels",),
        move=MOVE,
    ),
    Step(
        "The law of Fermi and Dirac",
        "The line is the probability that a rank holds a positive, if only the area {state.auc:.2f} and the number of "
        "positives are known. Electrons in a metal follow the same law.",
        move=MOVE,
    ),
    Step(
        "Frozen: a perfect ranking",
        "At temperature 0 the {state.n_pos:n} positives fill the top {state.n_pos:n} ranks, and the law is a step.",
        {"temperature": 0.0},
        ask=Question(
            "Cool the ranking down to temperature 0. What becomes of the line?",
            ("It becomes flat", "It becomes a step", "It turns upwards"),
            1,
        ),
        glide="temperature",
        move=MOVE,
    ),
    Step(
        "Hot: a coin",
        "At an infinite temperature every rank is equally likely to hold a positive: the line is flat at the "
        "prevalence, {state.prevalence:%}, and the area is {state.auc:.2f}.",
        {"temperature": float("inf")},
        glide="temperature",
        move=MOVE,
    ),
    Step(
        "Below zero",
        "A negative temperature is hotter than hot: the positives are at the bottom. The area is {state.auc:.2f}, worse "
        "than a coin.",
        {"temperature": -0.3},
        ask=Question(
            "What would a temperature below zero mean?",
            ("An even better ranking", "No ranking has it", "A ranking worse than a coin"),
            2,
        ),
        glide="temperature",
        move=MOVE,
    ),
    Step(
        "Temperature and area are one thing",
        "For a given number of positives each area has one temperature. Colder than now, at {state.temperature:.3f} N, "
        "means a larger area than {state.auc:.2f}.",
        {"preset": "warm"},
        panels=("levels", "coldness"),
        move=MOVE,
    ),
    Step(
        "The law has its own ROC curve",
        "The smooth curve is what the law expects, the steps are one draw of labels. The ring marks where positives "
        "become rarer than at a rank drawn blindly.",
        panels=("levels", "roc"),
        move=MOVE,
    ),
    Step(
        "Where to cut",
        "Before rank {result.law.threshold_rank:.1f} a positive is more likely than its prior of {state.prevalence:%}. The "
        "chemical potential, rank {result.law.chemical_potential:.1f}, is where both classes are equally likely.",
        move=MOVE,
    ),
    Step(
        "When positives are rare",
        "With {state.prevalence:%} positives no rank is more likely positive than negative: the potential lies outside "
        "of the ranking, at {result.law.chemical_potential:.1f}. The threshold {result.law.threshold_rank:.1f} is still inside.",
        {"preset": "few positives"},
        ask=Question(
            "Only 5 % are positive. Is there a rank where a positive is more likely than a negative?",
            ("Yes, at the top", "No, nowhere"),
            1,
        ),
        panels=("levels",),
        move=MOVE,
    ),
    Step(
        "How sure is the area?",
        "The area of this draw is {result.ranked.segments.auc:.3f}, between {result.intervals[0].lower:.3f} and "
        "{result.intervals[0].upper:.3f} with {result.intervals[0].confidence:%} confidence. The law gives an interval too, without "
        "looking at single scores.",
        {"preset": "warm"},
        panels=("levels", "intervals"),
        move=MOVE,
    ),
)


def fermi_dirac() -> Story:
    """Return the story of the temperature of a ranking, in ten steps.

    Returns
    -------
    Story

    Examples
    --------
    >>> story = fermi_dirac()
    >>> story.show(2)
    >>> story.text
    'At temperature 0 the 40 positives fill the top 40 ranks, and the law is a step.'
    >>> story.close()
    """
    return Story(FermiDiracExplorer(panels=["levels"]), STEPS)
