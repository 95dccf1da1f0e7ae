"""The ensemble explorer's story: when a crowd of classifiers beats its best member."""

from rocviz.widgets import EnsembleExplorer, Question, Step, Story

__all__ = ["ensembles"]

STEPS = (
    Step(
        "Seven classifiers",
        "Each was measured on its own: their areas reach from {result.base_auc[0]:.2f} to {result.base_auc[6]:.2f} on "
        "new samples, with a mean of {result.auc[mean base]:.3f}.",
        {"preset": "independent"},
        panels=("classifiers",),
    ),
    Step(
        "A crowd of them",
        "FiDEL weighs each rank by what that classifier has shown. The crowd reaches {result.auc[fidel]:.3f}; the best "
        "member alone reaches {result.auc[best]:.3f}.",
        ask=Question(
            "All seven are combined. How does the crowd rank new samples?",
            ("Like the mean of them", "Like the best of them", "Better than the best"),
            2,
        ),
        panels=("crowd",),
        move=("correlation",),
    ),
    Step(
        "Why it works: they err apart",
        "Within a class the ranks of two classifiers have nothing to do with each other: the table shows "
        "correlations near zero. One corrects the other.",
        panels=("crowd", "correlation"),
        move=("correlation",),
    ),
    Step(
        "When they err alike",
        "With correlated errors the crowd falls to {result.auc[fidel]:.3f}, beside {result.auc[best]:.3f} for the best: what "
        "one says, another has said already.",
        {"correlation": 0.4},
        ask=Question(
            "Now the classifiers make similar mistakes. What becomes of the crowd?",
            ("It gets better", "It loses its lead", "Nothing changes"),
            1,
        ),
        glide="correlation",
        move=("correlation",),
    ),
    Step(
        "Nearly the same seven times",
        "At a correlation of {state.correlation:.1f} FiDEL is worse than the best, {result.auc[fidel]:.3f} against "
        "{result.auc[best]:.3f}. Weights that know the correlation still reach {result.auc[correlation-aware]:.3f}.",
        {"correlation": 0.9},
        glide="correlation",
        move=("correlation",),
    ),
    Step(
        "What the seven say of one item",
        "Each adds its evidence, to the right for positive. The sum, {result.item.log_likelihood_ratio[0]:+.2f}, puts the item at "
        "place {result.place:n} of {result.n_items:n}.",
        {"preset": "independent"},
        panels=("item",),
        move=("item",),
    ),
    Step(
        "An expert among weak ones",
        "Classifier 7 alone reaches {result.auc[best]:.3f}. Equal votes, the wisdom of crowds, reach {result.auc[woc]:.3f}; FiDEL "
        "listens to the expert and reaches {result.auc[fidel]:.3f}.",
        {"preset": "one expert"},
        ask=Question(
            "One expert, six weak classifiers. Who profits from equal votes?",
            ("The crowd drowns the expert", "The crowd beats the expert by far"),
            0,
        ),
        panels=("crowd", "classifiers"),
        move=("correlation",),
    ),
    Step(
        "A classifier that is always wrong",
        "One classifier is worse than a coin. FiDEL turns it round and gains, {result.auc[fidel]:.3f}; equal votes suffer "
        "from it, {result.auc[woc]:.3f}.",
        {"preset": "one reversed"},
        ask=Question(
            "One classifier is worse than a coin. What should one do with it?",
            ("Leave it out", "Believe the opposite of it", "Give it an equal vote"),
            1,
        ),
        move=("correlation",),
    ),
    Step(
        "Many weak ones",
        "Twelve classifiers, the best at {result.auc[best]:.3f}, together reach {result.auc[fidel]:.3f} as long as they err apart.",
        {"preset": "many weak"},
        panels=("crowd", "classifiers"),
    ),
    Step(
        "Few samples to measure on",
        "With {state.n_samples:n} samples nobody knows well who is good. Equal votes reach {result.auc[woc]:.3f} and FiDEL "
        "{result.auc[fidel]:.3f}: weights that were hardly measured help little.",
        {"preset": "few samples"},
        panels=("crowd",),
    ),
)


def ensembles() -> Story:
    """Return the story of crowds of classifiers, in ten steps.

    Returns
    -------
    Story

    Examples
    --------
    >>> story = ensembles()
    >>> story.next()
    >>> story.is_asking, story.text
    (True, 'All seven are combined. How does the crowd rank new samples?')
    >>> story.close()
    """
    return Story(EnsembleExplorer(panels=["classifiers"]), STEPS)
