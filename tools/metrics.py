"""Write what code and docstrings repeat of the table of metrics.

Options of metrics stand in one ``TypedDict`` for type checkers, in the estimators' parameters,
which scikit-learn reads from the constructor, and in those of displays, which pass them on;
docstrings describe them and list metrics. All of it is written from
``rocviz/core/roc/metrics.py``. Run without arguments to write, with ``--check`` to list the files
that differ.
"""

import re
import sys
from pathlib import Path
from textwrap import fill, indent

from rocviz.core.roc.metrics import METRICS, metric_options, ordered_metrics

ROOT = Path(__file__).resolve().parents[1]
WIDTH = 100

#: By file, how a line of code for each option reads.
CODE = {
    "rocviz/core/roc/metrics.py": "    {name}: float",
    "rocviz/estimators/decisions/metric.py": "    {name}: float = {default}",
}
#: Displays with a parameter for each option, and the forms of the lines that name one.
DISPLAYS = (
    "rocviz/displays/decisions/decision.py",
    "rocviz/displays/curve_spaces/curve_space.py",
)
FORMS = ("{name}: float = {default},", "{name}={name},", '"{name}": {name},')
#: Docstrings that describe each option, by file, with the line that opens the function or class.
DESCRIBED = {
    "rocviz/core/roc/metrics.py": "    def metric(",
    "rocviz/core/roc/isometrics.py": "def metric_value(",
    "rocviz/core/decisions/utility.py": "def resolve_metric(",
    "rocviz/estimators/decisions/decision.py": "class DecisionTheoreticClassifier(",
}
#: Files with docstrings that name the options and describe them elsewhere: "As in ...".
NAMED = (
    "rocviz/estimators/decisions/empirical_utility.py",
    *DISPLAYS,
)


def with_code(path, source):
    """Write the lines of code between "written by tools/metrics.py" and "end"."""
    lines = []
    for option in metric_options().values():
        lines.append(CODE[path].format(name=option.name, default=option.default))
    block = re.compile(r"(    # [^\n]*written by tools/metrics\.py\n).*?(    # end\n)", re.DOTALL)
    return block.sub(lambda found: found[1] + "\n".join(lines) + "\n" + found[2], source, count=1)


def with_arguments(source):
    """Write a line for each option wherever several lines in a row declare or pass options."""
    options = metric_options().values()
    names = "|".join(metric_options())
    for form in FORMS:
        line = re.escape(form).replace(r"\{name\}", rf"(?:{names})")
        line = line.replace(r"\{default\}", "[^\\n]+")

        def written(found, form=form):
            lines = []
            for option in options:
                text = form.format(name=option.name, default=option.default)
                lines.append(f"{found['margin']}{text}\n")
            return "".join(lines)

        block = rf"^(?P<margin> +){line}\n(?:(?P=margin){line}\n)+"
        source = re.sub(block, written, source, flags=re.MULTILINE)
    return source


def option_entries(margin):
    """Describe each option as an entry of a list of parameters."""
    lines = []
    for option in metric_options().values():
        lines.append(f"{margin}{option.name} : float, default={option.default}")
        limits = option.range_text[0].upper() + option.range_text[1:]
        text = fill(f"{option.text} {limits}.", WIDTH - 4 - len(margin))
        lines.append(indent(text, margin + "    "))
    return "\n".join(lines) + "\n"


def with_descriptions(path, source):
    """Replace the entries of options, or ``**options``, in a docstring by one for each option."""
    start = source.index(DESCRIBED[path])
    names = "|".join(metric_options())
    entry = rf"(?P<margin> +)(?:\*\*options|(?:{names})(?:, \w+)*)(?: : [^\n]*)?\n"
    body = r"(?:(?P=margin)    [^\n]*\n)+"
    block = re.compile(rf"^{entry}{body}(?:^(?P=margin)(?:{names})[^\n]*\n{body})*", re.MULTILINE)
    found = block.search(source, start)
    entries = option_entries(found["margin"])
    return source[: found.start()] + entries + source[found.end() :]


def with_names(source):
    """Write the names of all options where a docstring names some and describes them elsewhere."""
    options = list(metric_options())

    def renamed(found):
        others = [name for name in found["names"].split(", ") if name not in options]
        return found["margin"] + ", ".join([*options, *others])

    first = "|".join(options)
    names = rf"^(?P<margin> +)(?P<names>(?:{first})(?:, \w+)+)(?=\n| : )"
    return re.sub(names, renamed, source, flags=re.MULTILINE)


def with_lists(source):
    """Write the list of metrics that weigh both kinds of errors, and that of proportions."""
    texts = []
    for row in ordered_metrics():
        if row.is_objective:
            texts.append(f'``"{row.name}"``, {row.text}')
    objectives = "; ".join(texts)
    proportions = ", ".join(f"``{row.name}``" for row in METRICS.values() if row.is_proportion)
    for opening, words in (
        ("Metrics that weigh both kinds of errors are: ", objectives),
        ("Proportions are ", proportions),
    ):
        block = re.compile(rf"^(?P<margin> +){re.escape(opening)}.*?\.\n", re.M | re.S)
        found = block.search(source)
        if found:
            margin = found["margin"]
            text = fill(f"{opening}{words}.", WIDTH - len(margin), break_on_hyphens=False)
            source = source[: found.start()] + indent(text, margin) + "\n" + source[found.end() :]
    return source


def written(path, source):
    """Write everything in a file's source that repeats the table."""
    if path in CODE:
        source = with_code(path, source)
    if path in DISPLAYS:
        source = with_arguments(source)
    if path in DESCRIBED:
        source = with_descriptions(path, source)
        source = with_lists(source)
    if path in NAMED:
        source = with_names(source)
    return source


def main(arguments):
    """Write the files, or list those that differ."""
    differing = []
    for path in dict.fromkeys([*CODE, *DESCRIBED, *NAMED]):
        file = ROOT / path
        source = file.read_text("utf-8")
        new = written(path, source)
        if new != source:
            differing.append(path)
            if "--check" not in arguments:
                file.write_text(new, "utf-8")
    if differing:
        print(f"files that did not repeat the table of metrics: {', '.join(differing)}")
    return int("--check" in arguments and bool(differing))


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
