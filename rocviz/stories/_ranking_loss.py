"""The ranking loss explorer's story: probabilities from a model that only learned to rank."""

from rocviz.widgets import Question, RankingLossExplorer, Step, Story

__all__ = ["ranking_loss"]

MOVE = ("a",)
STEPS = (
    Step(
        "A truth with a step",
        "Along the true direction the probability jumps from {state.a:.3f} to one minus that. The pink line is the truth, "
        "which no real data would show.",
        {"preset": "the paper's step", "methods": ("logistic",)},
        panels=("links",),
        move=MOVE,
    ),
    Step(
        "Logistic regression cannot step",
        "A sigmoid is smooth. Its mean squared distance from the truth on new points is {result.errors[logistic]:.4f}, "
        "and more samples would not give it a step.",
        ask=Question(
            "Logistic regression is fitted to these data. Can it follow the step?",
            ("Yes, with enough samples", "No"),
            1,
        ),
        move=MOVE,
    ),
    Step(
        "The ranking is fine",
        "The direction that it found is nearly the true one: only the scale of the scores is wrong. So keep the ranking "
        "and learn the probabilities anew.",
        panels=("links", "samples"),
        move=MOVE,
    ),
    Step(
        "Isotonic regression on top",
        "Any rising steps are allowed now. The error falls from {result.errors[logistic]:.4f} to "
        "{result.errors[logistic + isotonic]:.4f}.",
        {"methods": ("logistic", "logistic + isotonic")},
        ask=Question(
            "The scores may be mapped by any rising function. The error...",
            ("falls", "stays", "rises"),
            0,
        ),
        panels=("links",),
        move=MOVE,
    ),
    Step(
        "Rank first",
        "A model that only learns which of two is higher, with isotonic regression on its scores, comes close as well: "
        "{result.errors[rank + isotonic]:.4f}.",
        {"methods": ("logistic", "logistic + isotonic", "rank + isotonic")},
        move=MOVE,
    ),
    Step(
        "With a strong penalty ranking pays",
        "Here the penalty is large. Ranking first has the error {result.errors[rank + isotonic]:.4f}; the detour by logistic "
        "regression has {result.errors[logistic + isotonic]:.4f}.",
        {"preset": "strong penalty: rank first"},
        move=MOVE,
    ),
    Step(
        "When the truth is a sigmoid",
        "Logistic regression has the right shape and an error of {result.errors[logistic]:.4f}. Freedom costs: with isotonic steps "
        "it is {result.errors[logistic + isotonic]:.4f}.",
        {"preset": "a sigmoid: logistic regression is right"},
        ask=Question(
            "Now the truth is a sigmoid. Which is nearer to it?",
            ("Logistic regression", "Isotonic steps on top of it"),
            0,
        ),
        move=MOVE,
    ),
    Step(
        "The gap at the top",
        "The last step says {result.top.says:.2f} and rests on {result.top.n:n} of the {state.n_samples:n} samples; the truth there is "
        "{result.top.truth:.2f}.",
        {"preset": "the gap at the top"},
        move=MOVE,
    ),
    Step(
        "The gap, repaired",
        "Steps of few samples are pulled towards one half. The top now says {result.top.says:.2f}, and the error of isotonic "
        "steps falls to {result.errors[logistic + isotonic]:.4f}.",
        {"preset": "the gap, repaired"},
        move=MOVE,
    ),
    Step(
        "What an area allows",
        "However good the map, the ranking limits the result: for every area there is a largest squared loss "
        "that isotonic regression can leave, and no ranking lies above that line.",
        {"preset": "the paper's step"},
        panels=("links", "bound"),
        move=MOVE,
    ),
)


def ranking_loss() -> Story:
    """Return the story of probabilities from a ranking loss, in ten steps.

    Returns
    -------
    Story

    Examples
    --------
    >>> story = ranking_loss()
    >>> story.show(3)
    >>> story.text
    'Any rising steps are allowed now. The error falls from 0.0283 to 0.0037.'
    >>> story.close()
    """
    return Story(RankingLossExplorer(panels=["links"]), STEPS)
