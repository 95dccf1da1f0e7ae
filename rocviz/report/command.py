"""The command that writes a report on a file of predictions, with progress in the terminal."""

from __future__ import annotations

import sys
from pathlib import Path

from tqdm import tqdm

from rocviz.core.base.validation import check_costs, check_prevalence
from rocviz.report.files import Columns, read_predictions
from rocviz.report.report import evaluation_report


def report_file(
    path: str,
    columns: Columns,
    output: Path,
    *,
    title: str | None = None,
    cost_fp: float | None = None,
    cost_fn: float | None = None,
    prevalence: float | None = None,
) -> Path:
    """Evaluate a file of predictions and write the report as a page or as Markdown.

    Parameters
    ----------
    path, columns
        As for :func:`rocviz.report.files.read_predictions`.
    output : Path
        A path that ends in ``.html`` or ``.md``, in an existing folder.
    title : str, optional
    cost_fp, cost_fn, prevalence
        As for :func:`rocviz.evaluation_report`.

    Returns
    -------
    Path
        The path of the report.

    Raises
    ------
    ValueError
        If an argument or the file is invalid; arguments are checked before the file is read.
    """
    if output.suffix.lower() not in (".html", ".htm", ".md"):
        raise ValueError(f"--output must end in .html or .md; got {output.name!r}.")
    if not output.absolute().parent.is_dir():
        raise ValueError(f"there is no folder {output.absolute().parent}.")
    check_costs(*(1.0 if cost is None else cost for cost in (cost_fp, cost_fn)))
    if prevalence is not None:
        check_prevalence(prevalence)
    form = "{desc}{percentage:3.0f} % |{bar}| {elapsed} < {remaining}"
    with tqdm(desc="reading", total=1.0, bar_format=form, leave=False) as bar:

        def progress(rows: int, share: float) -> None:
            bar.set_description(f"reading, {rows:,} rows")
            bar.update(share - bar.n)

        predictions = read_predictions(path, columns, progress=progress)
    print(
        f"Scores: {', '.join(predictions.get('y_score', predictions['y_true']))}", file=sys.stderr
    )
    name = "predictions" if path == "-" else Path(path).name
    report = evaluation_report(
        **predictions,
        cost_fp=cost_fp,
        cost_fn=cost_fn,
        prevalence=prevalence,
        title=title or f"Evaluation of {name}",
        progress=lambda parts: tqdm(parts, desc="evaluating", leave=False),
    )
    if output.suffix.lower() == ".md":
        report.to_markdown(output)
        return output
    return report.to_html(output)
