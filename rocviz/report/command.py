"""The command that writes a report on a file of predictions, with progress in the terminal."""

from __future__ import annotations

import os
import sys
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

from tqdm import tqdm

from rocviz.core.base.validation import check_costs, check_number, check_prevalence
from rocviz.files import check_output, is_same_file, output_path
from rocviz.report.files import Columns, column_text, read_costs, read_predictions
from rocviz.report.options import parse_fixed_rates
from rocviz.report.reading import TextOptions
from rocviz.report.report import EvaluationReport, evaluation_report
from rocviz.words import ClassNames


def report_file(
    path: str,
    columns: Columns,
    output: Path,
    options: TextOptions | None = None,
    *,
    title: str | None = None,
    primary: str | None = None,
    cost_fp: float | None = None,
    cost_fn: float | None = None,
    prevalence: float | None = None,
    threshold: float | None = None,
    at: Sequence[str] = (),
    costs: str | None = None,
    new_site: bool = False,
    cost_referral: float | None = None,
    labels: Sequence[str] | None = None,
    live: bool = True,
) -> Path:
    """Evaluate a file of predictions and write the report as a page or as Markdown.

    Parameters
    ----------
    path, columns
        As for :func:`rocviz.report.files.read_predictions`.
    output : Path
        A path that ends in ``.html`` or ``.md``, in an existing folder; another file than `path`.
    options : TextOptions, optional
        As for :func:`rocviz.report.files.read_predictions`.
    title : str, optional
    primary, cost_fp, cost_fn, prevalence, threshold
        As for :func:`rocviz.evaluation_report`.
    at : sequence of str
        Rates that are fixed, such as ``"specificity=.9"``.
    costs : str, optional
        A file with the cost of each prediction for each class, of more than two.
    new_site, cost_referral, labels
        As for :func:`rocviz.evaluation_report`.
    live : bool, default=True
        Include an explorer in a page, whose threshold and costs the reader can move.

    Returns
    -------
    Path
        The path of the report.

    Raises
    ------
    ValueError
        If an argument or the file is invalid; arguments are checked before the file is read.
    OSError
        If the report cannot be written, which is tried before the file is read.
    """
    _check_output(path, output)
    options = options or TextOptions()
    options.check()
    check_costs(*(1.0 if cost is None else cost for cost in (cost_fp, cost_fn)))
    if prevalence is not None:
        check_prevalence(prevalence)
    if threshold is not None:
        check_number(threshold, "threshold")
    if cost_referral is not None:
        check_number(cost_referral, "cost_referral", minimum=0.0)
    if labels is not None:
        ClassNames.of(0, 1, labels)
    fixed_rates = parse_fixed_rates(at)
    cost_matrix = None if costs is None else read_costs(costs, options)
    form = "{desc}{percentage:3.0f} % |{bar}| {elapsed} < {remaining}"
    with tqdm(desc="reading", total=1.0, bar_format=form, leave=False) as bar:

        def progress(rows: int, share: float) -> None:
            bar.set_description(f"reading, {rows:,} rows")
            bar.update(share - bar.n)

        predictions = read_predictions(path, columns, options, progress=progress)
    print(f"Scores: {', '.join(predictions.models)}", file=sys.stderr)
    for remark in predictions.remarks:
        print(remark, file=sys.stderr)
    if primary is not None and primary not in predictions.models:
        primary = column_text(primary)
    name = "predictions" if path == "-" else Path(path).name
    report = evaluation_report(
        **predictions.arguments,
        primary=primary,
        cost_fp=cost_fp,
        cost_fn=cost_fn,
        prevalence=prevalence,
        cost_matrix=cost_matrix,
        threshold=threshold,
        at=fixed_rates or None,
        new_site=new_site,
        cost_referral=cost_referral,
        labels=labels,
        title=title or f"Evaluation of {name}",
        progress=lambda parts: tqdm(parts, desc="evaluating", leave=False),
    )
    for warning in report.sections[0].warnings:
        print(warning, file=sys.stderr)
    report = _with_source(report, name, predictions.remarks)
    if output.suffix.lower() == ".md":
        report.to_markdown(output)
        return output
    return report.to_html(output, live=live)


def _with_source(report: EvaluationReport, name: str, remarks: Sequence[str]) -> EvaluationReport:
    """Add the file, and how it was read, to the line that says what was read."""
    first, *others = report.sections
    read = [remark.removeprefix("The file was ").rstrip(".") for remark in remarks]
    facts = [name, *read, *first.facts]
    return replace(report, sections=(replace(first, facts=facts), *others))


def _check_output(path: str, output: Path) -> None:
    """Refuse an output that cannot be written, or that would overwrite the predictions."""
    output_path(output, (".html", ".htm", ".md"), name="--output")
    source = _standard_input() if path == "-" else Path(path)
    if source is not None and is_same_file(output, source):
        raise ValueError(
            f"--output would overwrite the predictions: {output} and "
            f"{'the standard input' if path == '-' else path} are the same file."
        )
    if output.suffix.lower() != ".md":
        return
    from rocviz.report.page import figures_folder  # slow to import

    folder = figures_folder(output)
    if os.path.lexists(folder):
        check_output(folder / "figure.png")
    if isinstance(source, Path) and is_same_file(folder, source.absolute().parent):
        raise ValueError(f"the figures of {output} go to {folder}, where the predictions are.")


def _standard_input() -> int | None:
    """Find the number of the standard input, unless it is closed or no file."""
    try:
        return sys.stdin.fileno()
    except (AttributeError, OSError, ValueError):
        return None
