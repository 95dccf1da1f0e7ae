"""The state of the explorer of several classes: a point, its predictions, and the best point."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any, ClassVar

import numpy as np
import traitlets

from rocviz.core.base.classes import ClassSamples
from rocviz.core.base.validation import Floats, describe, list_labels
from rocviz.core.multiclass.best_point import find_best
from rocviz.core.multiclass.confusion import ConfusionMatrix, matrix_of_codes
from rocviz.core.multiclass.metrics import LABELS
from rocviz.core.multiclass.simplex import point_of_costs, predicted_codes, shift_point
from rocviz.displays.multiclass.pictures import MIN_SHARE, from_plane, largest_classes
from rocviz.widgets.base.background import step
from rocviz.widgets.base.controls import (
    Action,
    Choice,
    Control,
    Linear,
    Log,
    Slider,
    Text,
    ValidatedTuple,
    Values,
    Word,
    real,
)
from rocviz.widgets.base.state import OTHER_DATA, DrawnState, MetricName
from rocviz.widgets.multiclass import words as wording
from rocviz.widgets.multiclass.data import N_PREVIEW_SAMPLES, ClassData
from rocviz.widgets.multiclass.result import MulticlassResult
from rocviz.words import amount, percent, short_names

SAMPLE_SIZES = (90, 150, 300, 600, 1000, 2000, 5000, 10_000, 100_000)
SOURCES = ("drawn", "iris", "wine", "digits")
CALIBRATIONS = {
    "identity": "raw",
    "temperature": "temperature",
    "vector": "vector",
    "dirichlet": "Dirichlet",
    "hull": "hull of each class",
}
LARGEST_CLASSES = "the three largest"
MOST_CONFUSED_CLASSES = "the most confused"


def positive_number(value: Any) -> float:
    """Convert a positive number to a float."""
    return real(value, low=np.nextafter(0.0, 1.0))


class Shares(ValidatedTuple):
    """Positive numbers, one for each class, that sum to 1 except for rounding errors."""

    def validate(self, obj: Any, value: Any) -> Any:
        """Divide the numbers by their sum, or refuse them."""
        shares = super().validate(obj, value)
        total = sum(shares)
        if shares and abs(total - 1) > 1e-6:
            raise traitlets.TraitError(f"{self.name} must sum to 1; got {total:.6g}.")
        return tuple(share / total for share in shares)


def _name(value: Any) -> str:
    if not isinstance(value, str):
        raise TypeError
    return str(value)


#: What numbers of the classes may be, for error messages, and a function that converts one.
POSITIVE_VALUES: Any = ("positive numbers", positive_number)


def _is_drawn(state: Any) -> bool:
    return bool(state.source == "drawn")


def middle(n_classes: int) -> tuple[float, ...]:
    """Compute the point at which the most probable class is predicted."""
    return tuple(1 / n_classes for _ in range(n_classes))


def with_entry(shares: Sequence[float], k: int, value: float) -> tuple[float, ...]:
    """Replace entry k of shares that sum to 1; the others keep their proportions."""
    others = np.delete(np.array(shares), k)
    others = np.maximum(others / others.sum() * (1 - value), 1e-6)
    others = others / others.sum() * (1 - value)
    return tuple(np.insert(others, k, value).tolist())


def reweighted(samples: ClassSamples, shares: Sequence[float]) -> ClassSamples:
    """Weight samples so that the classes have their shares in the intended population."""
    prior = samples.prior
    if np.allclose(shares, prior, rtol=1e-9, atol=0):
        return samples
    factor = (np.array(shares) / prior)[samples.code]
    weight = factor if samples.weight is None else factor * samples.weight
    return ClassSamples(samples.classes, samples.code, samples.prob, weight)


def cost_words(state: Any) -> str:
    """Write the costs of a miss of the first classes."""
    if len(set(state.miss_costs)) == 1:
        return "equal"
    return " : ".join(f"{cost:.2g}" for cost in state.miss_costs[:4])


class MulticlassState(DrawnState):
    """State of the explorer of several classes, on given, shipped or simulated data."""

    result: MulticlassResult
    data: ClassData
    _own: ClassData
    sketched = N_PREVIEW_SAMPLES

    pictures: ClassVar[Mapping[str, str]] = {
        "triangle": "What is predicted where",
        "people": "Who is predicted what",
        "matrix": "Confusion matrix",
        "plane": "The features",
        "curves": "One class against all others",
        "reliability": "Predicted and observed",
    }
    groups: ClassVar[Mapping[str, Callable[[Any], str]]] = {
        "costs": cost_words,
        "prevalences": lambda state: percent(state.prevalences[state.place]),
        "calibrate": lambda state: CALIBRATIONS[state.calibration],
        "classes": lambda state: (
            f"{state.one_vs_rest} against the rest" if state.one_vs_rest else "all"
        ),
        **OTHER_DATA,
    }

    label = Choice("selected class", lambda state: short_names(state.names, 17)).of(
        Text(help="Name of the class whose entry of the point is moved by the slider.")
    )
    point = Slider(
        "its threshold",
        Linear(MIN_SHARE, 1 - MIN_SHARE, 0.002),
        ".3f",
        hint="A class is predicted if its probability, divided by this number, is the largest",
        role="selected",
        is_indexed=True,
        set=lambda state, value: state.set_entry(value),
        across=Slider(
            "between the other corners",
            Linear(MIN_SHARE, 1 - MIN_SHARE, 0.002),
            ".3f",
            get=lambda state: state.balance,
            set=lambda state, value: state.set_balance(value),
            shown=lambda state: len(state.other_corners) == 2,
        ),
    ).of(
        Shares(
            *POSITIVE_VALUES,
            help="Point of the simplex, in the order of the classes: class k is predicted where "
            "its probability divided by entry k is the largest.",
        )
    )
    metric = Choice("best for", LABELS).of(
        MetricName(
            {},
            lambda row: row.name in LABELS,
            "accuracy",
            help="Metric whose best point has a ring.",
        )
    )
    miss_costs = Slider(
        "a miss of the class",
        Log(0.1, 100.0, per_decade=10),
        hint="The cost of predicting another class for a sample of the selected one",
        group="costs",
        role="optimum",
        is_indexed=True,
    ).of(
        ValidatedTuple(
            *POSITIVE_VALUES,
            help="Cost of a sample of each class for which another one is predicted; with any but "
            "equal costs the metric is the cost.",
        )
    )
    prevalences = Slider(
        "prevalence of the class",
        Linear(0.01, 0.98, 0.01),
        percent,
        hint="The prevalence of the selected class where the model is to be used",
        group="prevalences",
        role="reference",
        is_indexed=True,
        set=lambda state, value: state.set_prevalence(value),
    ).of(
        Shares(
            *POSITIVE_VALUES,
            help="Prevalence of each class where the model is to be used; by default that of the "
            "data.",
        )
    )
    calibration = Choice("probabilities", CALIBRATIONS, group="calibrate").as_enum(
        "identity", "Calibration map of the probabilities, fitted on these samples."
    )
    corners = Choice(
        "in the triangle",
        lambda state: state.corner_choices(),
        group="classes",
        shown=lambda state: len(state.names) > 3,
        get=lambda state: state.corner_choice(),
        set=lambda state, name: state.select_corners(name),
    ).of(
        ValidatedTuple(
            "names of classes",
            _name,
            help="Names of the three classes in the corners of the triangle.",
        )
    )
    one_vs_rest = Choice(
        "against the rest",
        lambda state: {"": "all classes", **short_names(state.data.names, 17)},
        group="classes",
        shown=lambda state: len(state.data.names) > 2,
    ).of(
        Text(
            help="Name of a class that is compared with all others together; empty for all classes."
        )
    )
    source = Word(SOURCES, "drawn", help="Source of the data: simulated, or a data set.").tag(
        input=True, sandbox=True
    )
    separation = Slider(
        "separation", Linear(0.0, 6.0, 0.1), ".1f", sandbox=True, enabled=_is_drawn
    ).as_float(2.5, "Distance of the means of the classes, in standard deviations.")
    nearness = Slider(
        "C close to B", Linear(0.0, 1.0, 0.05), ".0%", sandbox=True, enabled=_is_drawn
    ).as_float(0.0, "How far the mean of C is moved towards that of B.")
    share_c = Slider(
        "share of C", Linear(0.02, 0.9, 0.01), ".0%", sandbox=True, enabled=_is_drawn
    ).as_float(1 / 3, "Share of C among the samples.")
    over_confidence = Slider(
        "over-confidence", Log(0.2, 20.0), "× {:.3g}".format, sandbox=True, enabled=_is_drawn
    ).as_float(1.0, "Power to which the true probabilities are raised.", low=0.19)
    n_samples = Slider("samples", Values(SAMPLE_SIZES), sandbox=True, enabled=_is_drawn).as_int(
        300, "Number of samples drawn.", low=30, high=1_000_000
    )

    extra_controls: ClassVar[Mapping[str, Control]] = {
        "most_probable": Action(
            "predict the most probable",
            "select_middle",
            hint="Move the point to the middle",
            enabled=lambda state: len(set(state.point)) > 1,
        ),
        "best_point": Action(
            "go to the best point",
            "select_best",
            hint="Move the point into the ring",
            enabled=lambda state: state.result.best.point.tolist() != list(state.point),
        ),
    }

    presets: ClassVar[Mapping[str, Mapping[str, Any]]] = {
        "three classes": {},
        "two of them close": {"nearness": 0.6},
        "a rare class": {"share_c": 0.06, "separation": 2.0, "n_samples": 600},
        "never predicted": {"share_c": 0.05, "nearness": 0.6, "n_samples": 1000},
        "over-confident": {"over_confidence": 3.0, "separation": 1.5},
        "iris": {"source": "iris"},
        "wine": {"source": "wine"},
        "digits": {"source": "digits", "corners": ("3", "8", "9")},
    }
    kept = ("metric", "calibration")

    words = wording
    main_controls = ("point",)

    # ------------------------------------------------------------------ data

    def drawn(self, settings: dict[str, Any], rough: bool = False) -> ClassData:
        """Simulate classes by the settings of the sandbox, or load the data set that they name."""
        return ClassData.of_settings(settings)

    @property
    def names(self) -> tuple[str, ...]:
        """The classes: all of them, or one and the rest."""
        if self.one_vs_rest:
            return f"not {self.one_vs_rest}", self.one_vs_rest
        return self.data.names

    @property
    def place(self) -> int:
        """Place of the current class."""
        return self.names.index(self.label)

    @property
    def samples(self) -> ClassSamples:
        """The samples with calibrated probabilities."""
        samples: ClassSamples = self.data.calibrated(
            self.one_vs_rest, self.calibration, self.is_preview
        )
        return samples

    def needs_preview(self, changed: set[str]) -> bool:
        """Whether too many samples are drawn or calibrated again for a drag."""
        if self.is_sandbox and not self._is_drawn():
            return self.n_samples > N_PREVIEW_SAMPLES
        n_samples = self.data.samples.code.size
        if changed & {"calibration", "one_vs_rest", "metric", "miss_costs", "prevalences"}:
            return bool(n_samples > N_PREVIEW_SAMPLES)
        return bool(n_samples > 20 * N_PREVIEW_SAMPLES)

    # ------------------------------------------------------------------ rules

    @traitlets.default("panels")
    def _panels_of_the_data(self) -> tuple[str, ...]:
        left_out = ("people", "curves" if self.is_sandbox else "plane")
        return tuple(name for name in self.pictures if name not in left_out)

    def adjust(self, changed: set[str]) -> None:
        """Adjust dependent inputs to the classes; refuse contradictions."""
        super().adjust(changed)
        other_data = bool(changed & {"preset", "source"})
        self._keep_known("one_vs_rest", self.data.names, "", changed, follows=other_data)
        names = self.names
        n_classes = len(names)
        other_classes = bool(changed & {"preset", "one_vs_rest"})
        other_samples = other_classes or bool(changed & set(self.sandbox_names()))
        self._fit("point", middle(n_classes), changed, reset=other_classes)
        equal_costs = tuple(1.0 for _ in names)
        self._fit("miss_costs", equal_costs, changed, reset=other_classes)
        prior = tuple(self.data.class_samples(self.one_vs_rest).prior.tolist())
        self._fit("prevalences", prior, changed, reset=other_samples)
        if not changed:  # a preview becomes exact
            prior_of_preview = self.result.shown.samples.prior
            if np.allclose(self.prevalences, prior_of_preview, atol=1e-9):
                self.prevalences = prior
        self._keep_known("label", names, names[-1], changed, follows=other_samples)
        self._fit_corners(names, changed, reset=other_samples)
        if "miss_costs" in changed and "metric" not in changed and len(set(self.miss_costs)) > 1:
            self.metric = "cost"

    def _fit(
        self, name: str, default: tuple[float, ...], changed: set[str], *, reset: bool
    ) -> None:
        values = getattr(self, name)
        if len(values) != len(default):
            if name in changed and values and not reset:
                raise traitlets.TraitError(
                    f"{name} must have a number for each of {len(default)} classes; got "
                    f"{describe(values)}."
                )
            setattr(self, name, default)
        elif reset and name not in changed:
            setattr(self, name, default)

    def _fit_corners(self, names: tuple[str, ...], changed: set[str], *, reset: bool) -> None:
        size = min(len(names), 3)
        if len(self.corners) == len(set(self.corners) & set(names)) == size:
            self.corners = tuple(sorted(self.corners, key=names.index))
            return
        if "corners" in changed and self.corners and not reset:
            raise traitlets.TraitError(
                f"corners must name {size} of {list_labels(names)}, each once; got "
                f"{describe(self.corners)}."
            )
        self.corners = tuple(names[k] for k in self._chosen(LARGEST_CLASSES))

    # ------------------------------------------------------------------ classes in the corners

    def corner_choices(self) -> dict[str, str]:
        """List the choices: the largest, the most confused, or each class with similar ones."""
        short = short_names(self.names, 8)
        choices = {choice: choice for choice in (LARGEST_CLASSES, MOST_CONFUSED_CLASSES)}
        for name in self.names:
            choices[name] = f"{short[name]} and like it"
        return choices

    def corner_choice(self) -> str:
        """Name the current one of these choices."""
        now = tuple(self.names.index(name) for name in self.corners)
        order = [LARGEST_CLASSES, MOST_CONFUSED_CLASSES, self.label, *self.names]
        return next((name for name in order if self._chosen(name) == now), "")

    def _chosen(self, choice: str) -> tuple[int, ...]:
        if choice == LARGEST_CLASSES or self.one_vs_rest:
            return largest_classes(self.data.class_samples(self.one_vs_rest))
        if choice == MOST_CONFUSED_CLASSES:
            return self.data.most_confused()
        return self.data.most_confused(self.names.index(choice))

    def select_corners(self, choice: str) -> None:
        """Put a class and the two most often confused with it, or another three, in the corners.

        Parameters
        ----------
        choice : str
            One of the classes, :data:`LARGEST_CLASSES` or :data:`MOST_CONFUSED_CLASSES`.
        """
        corners = tuple(self.names[k] for k in self._chosen(choice))
        self.update(corners=corners, label=choice if choice in self.names else self.label)

    # ------------------------------------------------------------------ result

    @property
    def cost_matrix(self) -> Floats:
        """The cost of each prediction (column) for each class (row)."""
        return np.asarray((1 - np.eye(len(self.miss_costs))) * np.array(self.miss_costs)[:, None])

    def compute(self) -> MulticlassResult:
        """Compute everything the explorer shows, for its present inputs."""
        data = self.data
        samples = self.samples
        one_vs_rest = self.one_vs_rest
        calibration = self.calibration
        predicted = predicted_codes(samples.prob, np.array(self.point))
        matrix = matrix_of_codes(samples.code, predicted, samples.weight, samples.classes)
        factors = np.array(self.prevalences) / samples.prior
        matrix_in_use = ConfusionMatrix(matrix.classes, matrix.counts * factors[:, None])
        cost_matrix = None
        costs: tuple[float, ...] = ()
        if self.metric == "cost":
            cost_matrix = self.cost_matrix
            costs = self.miss_costs
        corners = tuple(self.names.index(name) for name in self.corners)
        step("ranking the samples", extra=True)
        shown = data.shown(one_vs_rest, calibration, corners, self.is_preview)
        auc = data.auc(one_vs_rest, calibration, self.is_preview)
        step("the best point", extra=True)
        key = (
            data.number,
            one_vs_rest,
            calibration,
            self.is_preview,
            self.metric,
            costs,
            self.prevalences,
        )
        best = self._known(
            key,
            lambda: find_best(reweighted(samples, self.prevalences), self.metric, cost_matrix),
        )
        return MulticlassResult(
            shown=shown,
            matrix=matrix,
            value=matrix_in_use.metric(self.metric, cost_matrix=cost_matrix),
            best=best,
            by_costs=shift_point(point_of_costs(self.miss_costs), samples.prior, self.prevalences),
            auc=auc,
        )

    # ------------------------------------------------------------------ actions of the user

    def set_entry(self, value: float, label: str | None = None) -> None:
        """Give an entry of the point a value; the others keep their proportions.

        Parameters
        ----------
        value : float
            Above 0 and below 1, moved to the nearest value that leaves something for the others.
        label : str, optional
            Name of the class, by default the selected one.
        """
        label = self.label if label is None else label
        k = self.names.index(label)
        point = with_entry(self.point, k, min(max(value, MIN_SHARE), 1 - MIN_SHARE))
        self.update(label=label, point=point)

    @property
    def other_corners(self) -> tuple[str, ...]:
        """The classes in the corners of the triangle, without the selected one."""
        return tuple(name for name in self.corners if name != self.label)

    @property
    def balance(self) -> float:
        """Share of the first of the two other corners in what both have of the point."""
        first, second = (self.point[self.names.index(name)] for name in self.other_corners)
        return first / (first + second)

    def set_balance(self, value: float) -> None:
        """Divide what the two other corners have of the point between them.

        Parameters
        ----------
        value : float
            Share of the first of them, above 0 and below 1.
        """
        first, second = map(self.names.index, self.other_corners)
        point = list(self.point)
        both = point[first] + point[second]
        point[first] = value * both
        point[second] = (1 - value) * both
        self.point = tuple(point)

    def move_to(self, x: float, y: float) -> None:
        """Move the point to a place in the triangle; classes that are not in a corner stay.

        Parameters
        ----------
        x, y : float
            In units of a side of the triangle.
        """
        corners = [self.names.index(name) for name in self.corners]
        point = np.array(self.point)
        point[corners] = point[corners].sum() * from_plane(x, y)
        self.point = tuple((point / point.sum()).tolist())

    def select_middle(self) -> None:
        """Move the point to the middle, so that the most probable class is predicted."""
        self.point = middle(len(self.names))

    def select_best(self) -> None:
        """Move the point to the one that is best for the metric."""
        self.point = tuple(self.result.best.point.tolist())

    def set_prevalence(self, value: float) -> None:
        """Set the prevalence of the current class; the others keep their proportions.

        Parameters
        ----------
        value : float
            Above 0 and below 1.
        """
        value = min(max(value, 1e-6), 1 - 1e-6)
        self.prevalences = with_entry(self.prevalences, self.place, value)

    # ------------------------------------------------------------------ words

    @property
    def has_own_costs(self) -> bool:
        """Whether costs are unequal or prevalences differ from those of the data."""
        return len(set(self.miss_costs)) > 1 or not self.has_prevalences_of_the_data

    @property
    def has_prevalences_of_the_data(self) -> bool:
        """Whether classes are as frequent as in the data."""
        prior = self.data.class_samples(self.one_vs_rest).prior
        return np.allclose(self.prevalences, prior, atol=1e-9)

    @property
    def about(self) -> str:
        """Source of the data, and the numbers of samples and classes."""
        n_samples = amount(float(self.data.samples.size.sum()))
        text = f"{self.preset} · {n_samples} samples of {len(self.data.names)} classes"
        if self.is_preview:
            n_preview = amount(float(self.samples.size.sum()))
            text = f"preview from {n_preview} samples, exact when the slider rests · {text}"
        return text

    def title(self, name: str) -> str:
        """Write the title of a picture."""
        if name == "triangle" and len(self.names) == 2:
            return "The threshold on a line"
        if name == "triangle" and len(self.names) > 3:
            return "Three of the classes"
        if name == "matrix" and self.focus != name:  # a large one has titles at its sides
            return "Confusion matrix (rows: true)"
        return super().title(name)
