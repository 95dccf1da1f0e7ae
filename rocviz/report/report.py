"""A report on the predictions of one or several models, as a page or as Markdown."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any, cast

from numpy.typing import ArrayLike

from rocviz.core.base.validation import (
    check_callback,
    check_choice,
    check_flag,
    check_text,
    distinct_labels,
    label_column,
)
from rocviz.core.roc.segments import RankedSegments
from rocviz.files import output_path, write_file
from rocviz.report.data import Evaluation, check_evaluation
from rocviz.report.section import Section
from rocviz.report.sections import SECTIONS

if TYPE_CHECKING:
    from matplotlib.figure import Figure

    from rocviz.core.base.frozen import DataFrame
    from rocviz.report.class_data import ClassEvaluation


@dataclass(frozen=True, eq=False)
class EvaluationReport:
    """Evaluation of predictions: text, tables and figures, section by section.

    Made by :func:`rocviz.evaluation_report`.

    Parameters
    ----------
    title : str
        Title of the page.
    sections : tuple of Section
        The sections in the order of the page.
    data : Evaluation or ClassEvaluation
        The checked predictions.

    Examples
    --------
    >>> from rocviz import evaluation_report
    >>> report = evaluation_report([0, 0, 1, 1, 0, 1], [0.1, 0.4, 0.3, 0.8, 0.2, 0.9])
    >>> report
    EvaluationReport: 6 samples, 1 model, 7 sections
    >>> report.to_frame("ranking")[["model", "auc"]].round(3)
       model    auc
    0  score  0.889
    """

    title: str
    sections: tuple[Section, ...] = field(repr=False)
    data: Evaluation | ClassEvaluation = field(repr=False)

    def __repr__(self) -> str:
        many = len(self.data.names)
        return (
            f"EvaluationReport: {self.data.n_samples:,.0f} samples, {many} "
            f"model{'s' if many > 1 else ''}, {len(self.sections)} sections"
        )

    @property
    def tables(self) -> dict[str, DataFrame]:
        """All tables by name, with unrounded numbers."""
        frames = {}
        for section in self.sections:
            for table in section.tables:
                frames[table.name] = table.frame
        return frames

    def to_frame(self, name: str) -> DataFrame:
        """Get a table by name.

        Parameters
        ----------
        name : str
            A key of :attr:`tables`.

        Returns
        -------
        pandas.DataFrame

        Raises
        ------
        ValueError
            If there is no such table.
        """
        return self.tables[check_choice(name, "name", tuple(self.tables))]

    @property
    def figures(self) -> dict[str, Figure]:
        """All figures by name, drawn in the present theme."""
        from rocviz.displays.base.style import resolve_theme

        figures = {}
        for section in self.sections:
            for picture in section.pictures:
                figures[picture.name] = picture.draw(resolve_theme(None))
        return figures

    def _repr_html_(self) -> str:
        from rocviz.report.page import body

        return body(self.title, self.sections)

    def to_html(self, path: str | Path, *, live: bool = True) -> Path:
        """Write the report as one page that needs no network.

        Parameters
        ----------
        path : str or Path
            A path that ends in ``.html``.
        live : bool, default=True
            Include an explorer whose threshold and costs the reader can move.

        Returns
        -------
        Path
            The path of the page.

        Raises
        ------
        ValueError
            If the path has another ending; nothing is written in that case.
        OSError
            If the file cannot be written; an existing one is then as it was.
        """
        from rocviz.report.page import explorer_page, page

        path = output_path(path, (".html", ".htm"))
        inside = explorer_page(self.data) if check_flag(live, "live") else ""
        return write_file(path, page(self.title, self.sections, inside))

    def to_markdown(self, path: str | Path | None = None) -> str:
        """Write the report as Markdown.

        Parameters
        ----------
        path : str or Path, optional
            A path that ends in ``.md``; the figures are written to a folder beside it.

        Returns
        -------
        str
            The text, without figures if there is no path.

        Raises
        ------
        ValueError
            If the path has another ending; nothing is written in that case.
        OSError
            If a file cannot be written; existing ones are then as they were.
        """
        from rocviz.report.page import markdown

        if path is not None:
            path = output_path(path, (".md",))
        return markdown(self.title, self.sections, path)


def evaluation_report(
    y_true: ArrayLike | Mapping[Any, RankedSegments],
    y_score: Any = None,
    *,
    groups: ArrayLike | None = None,
    sample_weight: ArrayLike | None = None,
    cost_fp: float | None = None,
    cost_fn: float | None = None,
    prevalence: float | None = None,
    cost_matrix: ArrayLike | None = None,
    folds: ArrayLike | None = None,
    clusters: ArrayLike | None = None,
    primary: str | None = None,
    threshold: float | None = None,
    at: Mapping[str, float | Sequence[float]] | None = None,
    describe: Any = None,
    sites: ArrayLike | None = None,
    new_site: bool = False,
    cost_referral: float | None = None,
    pos_label: Any = None,
    labels: Any = None,
    title: str = "Evaluation of predictions",
    progress: Callable[[Iterable[Any]], Iterable[Any]] | None = None,
) -> EvaluationReport:
    """Report on predictions: ranking, calibration, decision, net benefit, groups and folds.

    Parameters
    ----------
    y_true : array-like, shape (n_samples,), or mapping of str to RankedSegments
        Labels of two or more classes; or, without the other data, each model's ranking, for data
        that do not fit into memory.
    y_score : array-like, mapping of str to array-like, or data frame, optional
        The scores of one model, shape (n_samples,), or of several; higher means more positive. For
        more than two classes, the probabilities, shape (n_samples, n_classes), in a data frame
        whose columns are named after the classes, or a mapping of several such frames. For two
        classes, a matrix as of ``predict_proba`` is one model. Frames may be of pandas or polars
        (lazy ones too), or tables of pyarrow.
    groups : array-like, shape (n_samples,), optional
        Group of people of each sample, such as sex or hospital.
    sample_weight : array-like of float, shape (n_samples,), optional
        How often each sample occurred; samples of weight zero are left out.
    cost_fp, cost_fn : float, optional
        Costs of a false alarm and of a miss; by default they are equal, and the report says so.
    prevalence : float, optional
        Prevalence in the intended population; by default that of the data.
    cost_matrix : array-like or data frame, shape (n_classes, n_classes), optional
        For more than two classes, what each prediction (column) costs for a sample of each class
        (row): in the order of the classes, or with their names in a data frame of pandas.
    folds : array-like, shape (n_samples,), optional
        Fold of a cross-validation in which each sample was scored. Models are then compared fold
        by fold, see :func:`rocviz.core.comparison.compare_folds`.
    clusters : array-like, shape (n_samples,), optional
        Samples of one cluster (one patient's, say) belong together; intervals and tests take that
        into account.
    primary : str, optional
        The model of which the sections speak; by default the best by AUC, and the report says so.
    threshold : float, optional
        Threshold of the primary model: who scores at least this is predicted positive. If its
        scores are probabilities, it is that of all models with probabilities. Rates at a threshold
        that is given are not corrected for a choice. By default the one with the lowest expected
        cost.
    at : mapping of str to float or sequence of float, optional
        Values of ``"sensitivity"`` or ``"specificity"``, strictly between 0 and 1, at which the
        other rate is reported, such as ``{"specificity": [0.9, 0.95]}``.
    describe : mapping of str to array-like, or data frame, optional
        Columns of shape (n_samples,), such as age and sex, for a table of the samples by outcome;
        values may be missing.
    sites : array-like, shape (n_samples,), optional
        Site of each sample, such as the hospital or the year: at most 40. What the models are worth
        in each, on average and in a new one, see :func:`rocviz.core.practice.compare_sites`.
    new_site : bool, default=False
        Whether samples are of another place than the models were fitted at. Models are then
        updated, see :func:`rocviz.core.practice.update_model`; their scores must be probabilities.
    cost_referral : float, optional
        Cost of referring a sample (to a second reader, another test), on the scale of `cost_fp`.
        Two thresholds are then reported, between which samples are referred, see
        :func:`rocviz.core.practice.referral_policy`.
    pos_label : label, optional
        The positive class; needed unless labels are 0 and 1, -1 and 1, or booleans. If it is a
        string, sentences use it.
    labels : mapping of label to str, or pair of str, optional
        Names of the classes in sentences and figures: by label, or of the negative and of the
        positive class. By default the labels themselves, unless they are 0 and 1, -1 and 1, or
        booleans, which name nothing. Of more than two classes, columns of `y_score` have the names.
    title : str
        Heading of the page.
    progress : callable, optional
        Wraps the sections, as ``tqdm.tqdm`` does.

    Returns
    -------
    EvaluationReport

    Raises
    ------
    ValueError
        If an argument is invalid; all arguments are checked before any work.

    See Also
    --------
    rocviz.compare_classifiers : The comparison of several models without a report.

    References
    ----------
    Collins et al. (2024) list the items of such a report.

    Examples
    --------
    >>> from rocviz import evaluation_report, simulate_classifiers
    >>> y_true, scores = simulate_classifiers(200, [0.9, 0.8], random_state=0)
    >>> named = {"forest": scores[:, 0], "tree": scores[:, 1]}
    >>> report = evaluation_report(y_true, named, cost_fn=5)
    >>> [section.title for section in report.sections][:3]
    ['Summary', 'The decision', 'Calibration']
    """
    title = check_text(title, "title")
    check_callback(progress, "progress")
    new_site = check_flag(new_site, "new_site")
    of_two: dict[str, Any] = {
        "groups": groups,
        "cost_fp": cost_fp,
        "cost_fn": cost_fn,
        "prevalence": prevalence,
        "folds": folds,
        "clusters": clusters,
        "threshold": threshold,
        "at": at,
        "sites": sites,
        "cost_referral": cost_referral,
        "pos_label": pos_label,
        "labels": labels,
    }
    data: Any
    makers: Sequence[Callable[[Any], Section | None]]
    if pos_label is None and _has_several_classes(y_true):
        # what more classes need takes time to import, and most reports are on two
        from rocviz.report.class_data import check_class_evaluation
        from rocviz.report.classes import CLASS_SECTIONS

        data = check_class_evaluation(
            cast("ArrayLike", y_true),
            y_score,
            sample_weight,
            primary,
            describe,
            cost_matrix=cost_matrix,
            new_site=new_site or None,
            **of_two,
        )
        makers = CLASS_SECTIONS
    elif cost_matrix is not None:
        raise ValueError(
            "cost_matrix is for more than two classes; give cost_fp and cost_fn for two."
        )
    else:
        data = check_evaluation(
            y_true,
            y_score,
            sample_weight=sample_weight,
            primary=primary,
            participants=describe,
            new_site=new_site,
            **of_two,
        )
        makers = SECTIONS
    wrap = progress or iter
    sections = tuple(part for make in wrap(makers) if (part := make(data)) is not None)
    return EvaluationReport(title, sections, data)


def _has_several_classes(y_true: Any) -> bool:
    """Whether there are more than two labels."""
    if isinstance(y_true, Mapping):
        return False
    return len(distinct_labels(label_column(y_true, "y_true"), "y_true")) > 2
