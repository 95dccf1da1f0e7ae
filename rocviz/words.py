"""Write numbers, counts and metrics in words, and sentences with such numbers.

Pictures and explorers use the same functions.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from html import escape
from math import isnan
from typing import TYPE_CHECKING, Any

import numpy as np

from rocviz.core.base.validation import check_text, describe, is_same, list_labels
from rocviz.core.roc.metrics import METRICS, metric_label

if TYPE_CHECKING:
    from rocviz.core.decisions.utility import Metric
    from rocviz.core.roc.segments import RankedSegments

_MAX_WITH_DECIMALS = 1e12  # from here on decimals say nothing
MAX_CLASS_LETTERS = 18  # of the name of a class in pictures and first sentences
_MIN_NAME_LETTERS = 8  # letters in which names can still be distinguished

#: Names of intervals of an AUC, by method.
INTERVAL_NAMES = {
    "widened-delong": "widened DeLong",
    "logit-delong": "logit DeLong",
    "delong": "DeLong",
    "hanley-mcneil": "Hanley-McNeil",
    "fermi-dirac": "Fermi-Dirac",
    "bootstrap": "bootstrap",
}

#: Names of ways to combine classifiers.
COMBINATION_NAMES = {
    "fidel": "FiDEL",
    "woc": "wisdom of crowds",
    "correlation-aware": "correlation-aware",
}


def percent(value: float, digits: int = 0) -> str:
    """Write a rate as a whole per cent, or with decimals; 0 and 100 are kept exact."""
    if isnan(value):
        return "–"
    least = 10.0**-digits
    ends = f"{least:.{digits}f} %", f"{100 - least:.{digits}f} %"
    return _between(value, least / 200, *ends) or f"{100 * float(value):.{digits}f} %"


def _between(value: float, half: float, low: str, high: str) -> str:
    """Word a share that would round to 0 or 1 and is neither."""
    if 0 < value <= half:
        return f"< {low}"
    return f"> {high}" if 1 - half <= value < 1 else ""


def rank_text(rank: float) -> str:
    """Write a rank with one decimal; ranks beyond the data may be very far."""
    if np.isinf(rank):
        return "∞" if rank > 0 else "−∞"
    text = f"{rank:,.1f}" if abs(rank) < 1e6 else f"{rank:.2g}"
    return text.replace("-", "−")


def amount(value: float) -> str:
    """Write a count whole, a sum of weights with one decimal; what is tiny or huge in three digits.

    Examples
    --------
    >>> amount(1234), amount(0.5), amount(2e-14), amount(1e300), amount(-44.6)
    ('1,234', '0.5', '2e−14', '1e+300', '−44.6')
    """
    if isnan(value):
        return "–"
    if value == 0:
        return "0"  # which may be -0.0
    size = abs(value)
    if size < 0.05 or size > 2**53:
        return f"{value:.3g}".replace("-", "−").replace("inf", "∞")
    is_whole = abs(value - round(value)) < 1e-9 * max(size, 1.0)
    text = f"{value:,.0f}" if is_whole else f"{value:,.1f}"
    return text.replace("-", "−")


def short_amount(value: float, most: int) -> str:
    """Write a count in three digits where all of them would be more letters than have room."""
    text = amount(value)
    return text if len(text) <= most else f"{value:.3g}".replace("-", "−").replace("e+", "e")


def number(value: float, digits: int = 3) -> str:
    """Write an area or a utility with three decimals; what is not 0, 1 or -1 does not read so.

    Examples
    --------
    >>> number(0.5), number(-0.5), number(1 - 1e-9), number(-1e-9), number(2e300)
    ('0.500', '−0.500', '> 0.999', '> −0.001', '2e+300')
    """
    if np.isnan(value):
        return "–"
    size = abs(float(value))
    least = 10.0**-digits
    if size < _MAX_WITH_DECIMALS:
        ends = f"{least:.{digits}f}", f"{1 - least:.{digits}f}"
        text = _between(size, least / 2, *ends) or f"{size:.{digits}f}"
    else:  # whole numbers as they are
        text = f"{size:.{17 if size < 1e17 else 3}g}".replace("inf", "∞")
    if value >= 0:
        return text
    return f"{'<>'[text[0] == '<']} −{text[2:]}" if text[0] in "<>" else f"−{text}"


def plain(value: float) -> str:
    """Write a number in three digits, whole ones in all of theirs.

    Parameters
    ----------
    value : float
    """
    return (
        f"{value:,.0f}"
        if float(value).is_integer() and abs(value) < _MAX_WITH_DECIMALS
        else f"{value:.3g}"
    )


def equal_to(value: float) -> str:
    """Write the right side of an equation, or of the inequality that three decimals allow."""
    text = number(value)
    return text if text[0] in "<>" else f"= {text}"


def p_value(p: float) -> str:
    """Write a p value."""
    return f"p {equal_to(p)}"


def whole(value: float) -> str:
    """Write an expected count as a whole number."""
    return "fewer than 1" if 0 < value < 0.5 else f"{value:,.0f}"


def ratio_text(value: float) -> str:
    """Write an odds ratio with two digits after the point, less where it is large."""
    if np.isinf(value):
        return "∞"
    if value >= 10_000:
        return f"{value:.0e}".replace("e+0", "e").replace("e+", "e")
    if value >= 10:
        return f"{value:,.0f}" if value >= 100 else f"{value:.1f}"
    return f"{value:.2f}" if value >= 0.01 or value == 0 else "< 0.01"


def difference(value: float) -> str:
    """Write a difference with its sign and three decimals, 0.000 without one."""
    text = number(value)
    return f"+{text}" if value > 0 and text[0] != "<" else text


def signed(value: float) -> str:
    """Write evidence or a correlation with its sign and two decimals, or none above 100."""
    size = abs(value)
    form = "+.2f" if size < 100 else "+,.0f" if size < _MAX_WITH_DECIMALS else "+.3g"
    text = format(value, form).replace("-", "−")
    return "0.00" if text[1:] == "0.00" else text


def score_text(value: float, digits: int = 3) -> str:
    """Write a score: as a number, or with three digits where that would say nothing.

    Examples
    --------
    >>> score_text(0.5), score_text(-1e-300), score_text(2.0**53)
    ('0.500', '−1e−300', '9007199254740992')
    """
    if 0 < abs(value) < 10.0**-digits:
        return f"{value:.{digits}g}".replace("-", "−")
    return number(value, digits)


def short_score(value: float) -> str:
    """Write a score without zeros at its end."""
    text = score_text(value)
    return text.rstrip("0").rstrip(".") if "." in text and "e" not in text else text


def letters(text: str) -> int:
    """Measure the width of a text in letters; a Chinese character is two wide.

    Examples
    --------
    >>> letters("AUC"), letters("模型")
    (3, 4)
    """
    if text.isascii():
        return len(text)
    return sum(1 + (unicodedata.east_asian_width(letter) in "WF") for letter in text)


def shorten(text: str, most: int) -> str:
    """Shorten a name to a width in letters; a condition or a unit at its end is not cut.

    Examples
    --------
    >>> shorten("mean concavity > 0.112", 18)
    'mean conc… > 0.112'
    >>> shorten("concentration of CA 125 (U/ml)", 18)
    'concentrat… (U/ml)'
    """
    if letters(text) <= most:
        return text
    condition = re.search(r" ([<>=≤≥] \S+|\([^()]+\))$", text)
    end = condition[0] if condition and len(condition[0]) < most // 2 + 1 else ""
    return f"{_first(text, most - 1 - len(end)).rstrip()}…{end}"


def short_names(names: Iterable[str], most: int) -> dict[str, str]:
    """Shorten names to a width in letters, and keep them distinct.

    Examples
    --------
    >>> list(short_names(["gradient_boosting_1", "gradient_boosting_2", "forest"], 12).values())
    ['gradient_b…1', 'gradient_b…2', 'forest']
    """
    alike: dict[str, list[str]] = {}
    for name in dict.fromkeys(names):
        alike.setdefault(shorten(name, most), []).append(name)
    shortened: dict[str, str] = {}
    for short, group in alike.items():
        shortened |= dict.fromkeys(group, short)
        if len(group) == 1 or most < _MIN_NAME_LETTERS:
            continue
        # what these two share, all do
        first = min(group)
        last = max(group)
        pairs = enumerate(zip(first, last, strict=False))
        same = next((i for i, letters_here in pairs if len(set(letters_here)) > 1), len(first))
        word = re.match(r".*[\W_]", first[:same], re.DOTALL)  # from the beginning of a word
        rests = {name: name[word.end() if word else same :] for name in group}
        ends = short_names(rests.values(), most - 4)
        for name, rest in rests.items():
            head = _first(name, most - 1 - letters(ends[rest])).rstrip("_ ")
            shortened[name] = f"{head}…{ends[rest]}"
    return shortened


def _first(text: str, most: int) -> str:
    """Cut a text after a width in letters."""
    start = text[: max(most, 0)]
    while letters(start) > most and start:
        start = start[:-1]
    return start


def area_text(segments: RankedSegments, of: Callable[[RankedSegments], float]) -> str:
    """Write an area of a ranking's curve, or its bounds if scores share segments.

    ``of`` returns the area, which depends on the order only and rises or falls with the curve.
    """
    if segments.is_exact:
        return number(of(segments))
    return between(*sorted(of(order) for order in (segments.worst_order(), segments.best_order())))


def between(low: float, high: float) -> str:
    """Write a number of which bounds are known, once where both read alike."""
    ends = number(low), number(high)
    return ends[0] if ends[0] == ends[1] else " to ".join(ends)


def sample_counts(segments: RankedSegments, classes: ClassNames) -> str:
    """Write "n = 212 positive + 357 negative", or the names of the classes."""
    positives = f"{amount(segments.n_pos)} {classes.are_positive}"
    return f"n = {positives} + {amount(segments.n_neg)} {classes.are_negative}"


# ------------------------------------------------------------------ names of the two classes

#: Labels that do not say what the classes are.
_NAMELESS_LABELS = ({0, 1}, {-1, 1})
#: Names that cannot follow a count as a noun or an adjective: "3 of 4 labelled yes".
_ANSWERS = {"yes", "no", "true", "false", "none"}


@dataclass(frozen=True)
class ClassNames:
    """Names of the two classes, and the words for them in sentences and pictures.

    The default is for data that do not name their classes. Every property is a part of a
    sentence that reads well with an adjective (malignant), a noun (spam) and a number (2).

    Parameters
    ----------
    negative, positive : str
        Names of the classes, as they follow "predicted".

    Examples
    --------
    >>> names = ClassNames("benign", "malignant")
    >>> f"finds 151 of 212 {names.positives} and raises 17 false alarms{names.among_negatives(357)}"
    'finds 151 of 212 malignant and raises 17 false alarms among 357 benign'
    >>> f"151 of 212 {ClassNames().positives}", f"3 of 4 {ClassNames('1', '2').positives}"
    ('151 of 212 positives', '3 of 4 labelled 2')
    """

    negative: str = "negative"
    positive: str = "positive"

    @classmethod
    def of(cls, negative: Any, positive: Any, labels: Any = None) -> ClassNames:
        """Name the classes by their labels, or by the names that are to be shown.

        Parameters
        ----------
        negative, positive : label
            As they are in the data. Numbers 0, 1 and -1, and booleans name nothing.
        labels : mapping of label to str, pair of str, or ClassNames, optional
            Names to show: by label, or those of the negative and of the positive class.

        Raises
        ------
        ValueError
            If ``labels`` are not two different names of these classes.

        Examples
        --------
        >>> ClassNames.of("benign", "malignant").positive
        'malignant'
        >>> ClassNames.of(0, 1, ("benign", "malignant")).negative
        'benign'
        """
        if isinstance(labels, ClassNames):
            return labels
        if labels is not None:
            order = "the negative and of the positive class"
            return cls(*shown_names((negative, positive), labels, order))
        if {negative, positive} in _NAMELESS_LABELS:
            return cls()
        names = cls(_label_text(negative), _label_text(positive))
        return cls() if names.positive == names.negative else names

    @classmethod
    def of_positive(cls, pos_label: Any) -> ClassNames:
        """Name the positive class where the label of the other one is not known.

        Parameters
        ----------
        pos_label : label
        """
        if isinstance(pos_label, str) and pos_label != cls().positive:
            return cls.of("other", pos_label)
        return cls()

    @property
    def is_named(self) -> bool:
        """Whether the classes have names of their own."""
        return self != UNNAMED

    @property
    def positives(self) -> str:
        """Samples of the positive class, after a count: "212 malignant"."""
        return _after_count(self.positive) if self.is_named else "positives"

    @property
    def negatives(self) -> str:
        """Samples of the negative class, after a count: "357 benign"."""
        return _after_count(self.negative) if self.is_named else "negatives"

    @property
    def are_positive(self) -> str:
        """What samples of the positive class are: "37 % are malignant"."""
        return _after_count(self.positive)

    @property
    def are_negative(self) -> str:
        """What samples of the negative class are: "63 % are benign"."""
        return _after_count(self.negative)

    @property
    def probability(self) -> str:
        """The probability of the positive class, at an axis."""
        return f"probability of {self.positive if self.is_named else 'a positive'}"

    @property
    def the_positives(self) -> str:
        """All samples of the positive class: "half of those labelled malignant"."""
        return f"those labelled {self.positive}" if self.is_named else "the positives"

    @property
    def the_negatives(self) -> str:
        """All samples of the negative class: "half of those labelled benign"."""
        return f"those labelled {self.negative}" if self.is_named else "the negatives"

    @property
    def predicting_none(self) -> str:
        """What a rule does that predicts no sample positive."""
        return f"never predicting {self.positive}" if self.is_named else "predicting no positives"

    @property
    def predicting_all(self) -> str:
        """What a rule does that predicts every sample positive."""
        return f"always predicting {self.positive}" if self.is_named else "predicting all positive"

    def name_in(self, text: str, **fields: Any) -> str:
        """Write the names into a text with fields such as ``{positive}``.

        Parameters
        ----------
        text : str
            A format: the fields are ``positive`` and ``negative``, which follow "predicted", and
            the properties of this class.
        **fields
            Other fields of the text.

        Examples
        --------
        >>> text = "share of {the_positives} that are predicted {positive}"
        >>> ClassNames().name_in(text)
        'share of the positives that are predicted positive'
        >>> ClassNames("benign", "malignant").name_in(text)
        'share of those labelled malignant that are predicted malignant'
        """
        return text.format_map({**{name: getattr(self, name) for name in _NAME_FIELDS}, **fields})

    def predicting(self, which: str) -> str:
        """Write that samples are predicted positive.

        Parameters
        ----------
        which : str
            Which samples, and of how many.

        Examples
        --------
        >>> ClassNames().predicting("the top 5 of 12")
        'predicting the top 5 of 12 positive'
        >>> ClassNames("benign", "malignant").predicting("the top 5 of 12")
        'predicting malignant for the top 5 of 12'
        """
        if self.is_named:
            return f"predicting {self.positive} for {which}"
        return f"predicting {which} positive"

    def among_negatives(self, n_neg: float) -> str:
        """Write among how many of the negative class false alarms are, where it has a name.

        Parameters
        ----------
        n_neg : float
            Number, or weight, of the negatives.
        """
        return f" among {amount(n_neg)} {self.negatives}" if self.is_named else ""

    def shortened(self, most: int = MAX_CLASS_LETTERS) -> ClassNames:
        """Shorten both names to a width in letters, and keep them distinct.

        Parameters
        ----------
        most : int, default=18

        Examples
        --------
        >>> ClassNames("benign and without a finding", "malignant").shortened(10).negative
        'benign an…'
        """
        short = short_names((self.positive, self.negative), most)
        return ClassNames(short[self.negative], short[self.positive])


#: What a text about classes may have as fields, see :meth:`ClassNames.name_in`.
_NAME_FIELDS = (
    "negative",
    "positive",
    "negatives",
    "positives",
    "are_negative",
    "are_positive",
    "the_negatives",
    "the_positives",
    "predicting_none",
    "predicting_all",
)


def shown_names(
    classes: Sequence[Any], labels: Any, order: str = "the classes in their order"
) -> tuple[str, ...]:
    """Check the names that a user gives to classes.

    Parameters
    ----------
    classes : sequence of label
        As they are in the data.
    labels : mapping of label to str, or sequence of str
        A name for each class.
    order : str, optional
        Whose names a sequence must hold, for messages.

    Returns
    -------
    tuple of str
        In the order of the classes.

    Raises
    ------
    ValueError
        If these are not different names of the classes.

    Examples
    --------
    >>> shown_names((0, 1), {1: "malignant", 0: "benign"})
    ('benign', 'malignant')
    """
    if isinstance(labels, Mapping):
        for label in labels:
            if not any(is_same(label, known) for known in classes):
                raise ValueError(
                    f"labels names {describe(label)}, which is not one of the labels "
                    f"{list_labels(classes)}."
                )
        given = []
        for known in classes:
            given += [name for label, name in labels.items() if is_same(label, known)]
    elif isinstance(labels, str | bytes) or not hasattr(labels, "__getitem__"):
        raise ValueError(
            f"labels must be the names of {order}, or a mapping from each label to its name; got "
            f"{describe(labels)}."
        )
    else:
        given = list(labels)
    if len(given) != len(classes):
        count = "two" if len(classes) == 2 else str(len(classes))
        raise ValueError(f"labels must name {count} classes; got {describe(labels)}.")
    names: list[str] = []
    for text in given:
        name = " ".join(check_text(text, "a name in labels").split())
        if not name:
            raise ValueError(f"labels must not hold a blank name; got {describe(labels)}.")
        if name in names:
            raise ValueError(f"labels gives two classes the same name, {describe(name)}.")
        names.append(name)
    return tuple(names)


#: The names where data do not say what the classes are.
UNNAMED = ClassNames()


def _label_text(label: Any) -> str:
    """Write a label in one line, a whole number without decimals."""
    text = f"{label:g}" if isinstance(label, float) and label.is_integer() else str(label)
    return " ".join(text.split()) or describe(label)


def _after_count(name: str) -> str:
    """Make a name follow a count; a number, a sign and an answer need a word between."""
    is_word = len(name) > 1 and name[0].isalpha() and name.casefold() not in _ANSWERS
    return name if is_word else f"labelled {name}"


def metric_name(metric: Metric) -> str:
    """Get the label of a metric in pictures; of a typed formula, its text."""
    if metric.name in METRICS:
        return metric_label(metric.name, metric.options)
    own = getattr(metric.function, "text", None) or getattr(metric.function, "__name__", None)
    name = str(own or metric.name).replace("_", " ")
    return name if len(name) <= 30 else f"{name[:29]}…"


# ------------------------------------------------------------------ sentences

#: A part of a sentence that has a role: the role, and the text. The role becomes a class in HTML,
#: so it has letters only: names of the user may hold these signs, too.
_ROLE_PATTERN = re.compile("\ue000([a-z0-9-]*)\ue001(.*?)\ue002")


def ink(role: str, text: str) -> str:
    """Mark a part of a :class:`Sentence` that has a role in :data:`rocviz.theme.COLOURS`."""
    return f"\ue000{role}\ue001{text}\ue002"


@dataclass(frozen=True)
class Sentence:
    """A sentence in which numbers may have a role, which gives their colour.

    Parameters
    ----------
    marked : str
        The text, with the parts that :func:`ink` has marked.

    Examples
    --------
    >>> Sentence(f"finds {ink('positive', '163 of 212')} positives.").text
    'finds 163 of 212 positives.'
    """

    marked: str

    @property
    def parts(self) -> list[tuple[str, str]]:
        """Pairs of a role, which is empty for plain text, and a text."""
        plain, *rest = _ROLE_PATTERN.split(self.marked)
        parts = [("", plain)]
        for role, inked, after in zip(rest[::3], rest[1::3], rest[2::3], strict=True):
            parts += [(role, inked), ("", after)]
        return parts

    @property
    def text(self) -> str:
        """The text without markup."""
        return "".join(text for _, text in self.parts)

    @property
    def html(self) -> str:
        """The HTML, with each number, and its per cent sign, in the colour of its role."""
        written = [
            f'<b class="rocviz-{role}">{escape(text)}</b>' if role else escape(text)
            for role, text in self.parts
        ]
        return "".join(written).replace(" %", "\u00a0%")
