"""The scoring list explorer's story: questions one after another, and when to stop asking."""

from rocviz.widgets import Question, ScoringListExplorer, Step, Story

__all__ = ["scoring_lists"]

UNKNOWN = (None, None, None, None)
LIMITS = ("lower", "upper")
STEPS = (
    Step(
        "A list of questions",
        "Four questions with whole points. Every total has a probability, and each question makes it more precise. "
        "Before any question it is {result.walk.probability[0]:%}.",
        {"preset": "worked example", "answers": UNKNOWN},
        panels=("list",),
    ),
    Step(
        "The first answer: yes",
        "One point. At total {result.walk.totals[1]} the probability is now {result.walk.probability[1]:%}.",
        {"answers": (1, None, None, None)},
        ask=Question(
            "The answer to f3 is yes, which gives one point. The probability of a positive...",
            ("rises", "falls"),
            0,
        ),
    ),
    Step(
        "The second answer: no",
        "A no gives no points, but it says something: f1 would have cost two points. The probability is now "
        "{result.walk.probability[2]:%}.",
        {"answers": (1, 0, None, None)},
        ask=Question(
            "The answer to f1 is no, so the total stays. And the probability?",
            ("It stays as well", "It rises", "It falls"),
            1,
        ),
    ),
    Step(
        "The third answer: yes, and stop",
        "At total {result.walk.totals[3]} the probability is {result.walk.probability[3]:%}, which reaches the limit of "
        "{state.upper:%}. One stops and says positive, after {result.walk.n_asked:n} questions.",
        {"answers": (1, 0, 1, None)},
    ),
    Step(
        "Limits are a choice",
        "With an upper limit of {state.upper:%} the same answers no longer suffice: the last question is asked. "
        "Drag the limits in the picture.",
        {"upper": 0.95},
        panels=("list", "stage"),
        glide="upper",
        move=LIMITS,
    ),
    Step(
        "Another case",
        "No at first, then a yes that costs two points: at total {result.walk.totals[2]} the probability is "
        "{result.walk.probability[2]:%}, and one may stop and say negative.",
        {"upper": 0.9, "answers": (0, 1, None, None)},
        move=LIMITS,
    ),
    Step(
        "Data instead of a table by hand",
        "This list was learned from synthetic data on chest pain. Before any question {result.walk.probability[0]:%} are positive, "
        "and the bars say how sure that is: between {result.walk.lower[0]:%} and {result.walk.upper[0]:%}.",
        {"preset": "synthetic chest pain"},
        panels=("list", "stage"),
        move=LIMITS,
    ),
    Step(
        "Fewer samples, wider bars",
        "A list learned from {result.walk.n:n} patients: the prior is known only to lie between "
        "{result.walk.lower[0]:%} and {result.walk.upper[0]:%}.",
        {"preset": "synthetic chest pain, 120 patients"},
        ask=Question(
            "Another list was counted on a tenth of the patients. Its intervals are...",
            ("narrower", "wider"),
            1,
        ),
        move=LIMITS,
    ),
    Step(
        "What stopping early saves",
        "At every stage some cases are sure enough and need no further question. The list asks only those who "
        "are still in doubt.",
        {"preset": "synthetic chest pain"},
        panels=("stops",),
        move=LIMITS,
    ),
    Step(
        "Real data: breast cancer",
        "Before any question {result.walk.probability[0]:%} are positive. Answer for a patient of your own, and watch the verdict "
        "under the last answer.",
        {"preset": "breast cancer"},
        panels=("list", "curves"),
        move=("stage",),
    ),
)


def scoring_lists() -> Story:
    """Return the story of a probabilistic scoring list, in ten steps.

    Returns
    -------
    Story

    Examples
    --------
    >>> story = scoring_lists()
    >>> story.show(1)
    >>> story.text
    'One point. At total 1 the probability is now 40...%.'
    >>> story.close()
    """
    return Story(ScoringListExplorer(panels=["list"]), STEPS)
