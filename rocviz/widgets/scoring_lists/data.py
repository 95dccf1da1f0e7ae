"""Lists of the scoring list explorer, and the samples for counting and judging them."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from functools import cache, cached_property
from math import ceil
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from rocviz.core.base.frozen import Frozen, read_only
from rocviz.core.base.validation import labels_of_classes
from rocviz.core.scoring_lists.questions import check_data
from rocviz.core.scoring_lists.scoring_list import ScoringList
from rocviz.core.scoring_lists.stage import STAGE_CALIBRATIONS
from rocviz.displays.base.data import own_positive_class
from rocviz.widgets.base.code import options
from rocviz.widgets.base.own_data import OwnData, both_given, name_of
from rocviz.words import ClassNames

AS_GIVEN_PRESET = "as given"


@dataclass(frozen=True, eq=False)
class Samples(Frozen):
    """Samples; those with the same answers and class are counted together."""

    X: NDArray[Any]  # (n_kinds, n_columns): one of each kind
    positive: NDArray[np.bool_]  # (n_kinds,): its class
    weight: NDArray[np.float64]  # (n_kinds,): weight of all samples of the kind

    def __post_init__(self) -> None:
        super().__post_init__()
        # questions are asked column by column
        object.__setattr__(self, "X", read_only(np.asfortranarray(self.X)))

    @classmethod
    def of(
        cls,
        scoring_list: ScoringList,
        X: Any,
        y: ArrayLike,
        *,
        sample_weight: ArrayLike | None = None,
        pos_label: Any = None,
    ) -> Samples:
        """Count samples with the same answers and class together."""
        table, positive, weight = check_data(scoring_list, X, y, sample_weight, pos_label)
        answers = scoring_list.binarize(table)
        kinds = np.ascontiguousarray(np.column_stack((answers, positive)).astype(np.int8))
        keys = kinds.view(np.dtype((np.void, kinds.shape[1]))).ravel()
        _, first, kind = np.unique(keys, return_index=True, return_inverse=True)
        total = np.bincount(kind.ravel(), weights=weight, minlength=first.size)
        return cls(table[first], positive[first], total.astype(np.float64))

    @cached_property
    def n_samples(self) -> float:
        """Weight of all samples."""
        return float(self.weight.sum())

    @cached_property
    def n_positive(self) -> float:
        """Weight of the positives."""
        return float(self.weight[self.positive].sum())

    def few(self, most: int) -> Samples:
        """Pick about ``most`` kinds that represent all, each class with its whole weight."""
        step = ceil(self.weight.size / most)
        positives = np.flatnonzero(self.positive)[::step]
        negatives = np.flatnonzero(~self.positive)[::step]
        picked = np.sort(np.concatenate((positives, negatives)))
        positive = self.positive[picked]
        weight = self.weight[picked]
        total = np.bincount(self.positive, weights=self.weight, minlength=2)
        of_picked = np.bincount(positive, weights=weight, minlength=2)
        factor = total / np.where(of_picked > 0, of_picked, 1.0)
        return Samples(self.X[picked], positive, weight * factor[positive.astype(np.intp)])

    def are_counted_in(self, scoring_list: ScoringList) -> bool:
        """Whether these samples give the list's own counts."""
        if not scoring_list.stages[0].has_counts:
            return False
        counted = scoring_list.count(self.X, self.positive, sample_weight=self.weight)
        for stage, (pos, neg) in zip(scoring_list.stages, counted, strict=True):
            own_pos, own_neg = stage.counts
            has_same_pos = np.allclose(own_pos, pos, rtol=1e-9, atol=1e-9)
            if not has_same_pos or not np.allclose(own_neg, neg, rtol=1e-9, atol=1e-9):
                return False
        return True


@dataclass(frozen=True, eq=False)
class ListData:
    """A list as it was learned or written, with its samples if there are any."""

    scoring_list: ScoringList  # the original
    # samples for estimating its probabilities, and for judging it
    fit: Samples | None
    test: Samples | None
    costs: tuple[float, ...]  # costs of its questions, in list order
    calibrations: tuple[str, ...]  # ways to compute its probabilities
    # its features worded as questions, by name; the others ask by their names
    question_texts: Mapping[str, str] = field(default_factory=dict)

    @property
    def has_scores(self) -> bool:
        """Whether there are samples, or counts of some, to compute losses from."""
        return bool(self.fit or self.test or self.scoring_list.stages[0].has_counts)

    @cached_property
    def n_answers(self) -> int:
        """The number of answers to add up in order to count the samples, by kinds."""
        kinds = sum(side.weight.size for side in (self.fit, self.test) if side)
        return kinds * len(self.scoring_list)

    def few(self, most: int) -> ListData:
        """Keep the list, with about ``most`` kinds of training and test samples."""
        fit = None if self.fit is None else self.fit.few(most)
        test = None if self.test is None else self.test.few(most)
        return replace(self, fit=fit, test=test)

    def __post_init__(self) -> None:
        if not len(self.scoring_list):
            raise ValueError("scoring_list has no questions; at least one is needed.")


# ---------------------------------------------------------------------- lists to open on


@dataclass(frozen=True)
class Recipe:
    """The recipe of a learned list: its data and parameters."""

    cohort: str
    arguments: Mapping[str, Any] = field(default_factory=dict)
    parameters: Mapping[str, Any] = field(default_factory=dict)
    has_costs: bool = False

    @property
    def question_texts(self) -> Mapping[str, str]:
        """Wordings of its features as questions, by name; features without one ask by name."""
        return CHEST_PAIN_QUESTIONS if self.cohort == "chest pain" else {}

    @property
    def class_names(self) -> ClassNames:
        """Names of its classes."""
        if self.cohort == "chest pain":
            return ClassNames("no heart disease", "heart disease")
        return ClassNames("benign", "malignant")


#: What a doctor asks for each feature of the cohort of chest pain.
CHEST_PAIN_QUESTIONS = {
    "age and sex": "Man over 54 or woman over 64?",
    "vascular disease": "Known vascular disease?",
    "worse with exercise": "Pain worse with exercise?",
    "not reproducible by palpation": "Not sore when pressed?",
    "assumes cardiac origin": "Patient suspects the heart?",
    "muscle tension": "Tense muscles?",
    "sharp pain": "Sharp pain?",
    "diabetes": "Diabetes?",
    "heart failure": "Heart failure?",
    "cough": "A cough?",
}


HEART_SCORE = (
    "age and sex",
    "vascular disease",
    "worse with exercise",
    "not reproducible by palpation",
    "assumes cardiac origin",
)
ONE_POINT_EACH = {"score_set": (-1, 1)}

#: Recipe of each preset's list; None is the paper's worked example, written by hand.
PRESET_LISTS: Mapping[str, Recipe | None] = {
    "heart score, synthetic data": Recipe(
        "chest pain", {}, {"prefix": [(name, 1) for name in HEART_SCORE], "max_stages": 5}
    ),
    "synthetic chest pain": Recipe("chest pain", {}, ONE_POINT_EACH),
    "synthetic chest pain, quick questions": Recipe(
        "chest pain", {}, ONE_POINT_EACH, has_costs=True
    ),
    "synthetic chest pain, 120 patients": Recipe("chest pain", {"n_samples": 120}, ONE_POINT_EACH),
    "worked example": None,
    "breast cancer": Recipe("breast cancer", {}, {"score_set": (-2, -1, 1, 2), "max_stages": 7}),
}


@cache
def preset_data(name: str) -> ListData:
    """Learn the list of a preset when it is first used."""
    recipe = PRESET_LISTS[name]
    if recipe is None:
        from rocviz.datasets import load_scoring_list_example

        scoring_list = load_scoring_list_example()
        return ListData(scoring_list, None, None, (1.0,) * len(scoring_list), (AS_GIVEN_PRESET,))
    from sklearn.model_selection import train_test_split

    from rocviz.estimators.scoring_lists.scoring_list import ProbabilisticScoringList

    X, y, costs = _cohort(recipe)
    X, X_test, y, y_test = train_test_split(X, y, test_size=1 / 3, stratify=y, random_state=0)
    parameters = dict(recipe.parameters)
    if recipe.has_costs:
        parameters["feature_costs"] = costs
    scoring_list = ProbabilisticScoringList(**parameters).fit(X, y).scoring_list_
    return ListData(
        scoring_list=scoring_list,
        fit=Samples.of(scoring_list, X, y),
        test=Samples.of(scoring_list, X_test, y_test),
        costs=tuple(float(costs[name]) if costs else 1.0 for name in scoring_list.feature_names),
        calibrations=STAGE_CALIBRATIONS,
        question_texts=recipe.question_texts,
    )


def _cohort(recipe: Recipe) -> tuple[Any, Any, Any]:
    """Load samples, labels, and the costs of features."""
    if recipe.cohort == "chest pain":
        from rocviz.datasets import make_chest_pain

        cohort = make_chest_pain(**recipe.arguments, as_frame=True)
        return cohort.data, cohort.target, cohort.feature_costs
    from sklearn.datasets import load_breast_cancer

    cohort = load_breast_cancer(as_frame=True)
    return cohort.data, (cohort.target == 0).astype(int), None


def recipe_code(recipe: Recipe) -> list[str]:
    """Write Python that learns a preset's list again."""
    parameters = options(**recipe.parameters)
    if recipe.has_costs:
        parameters += ", feature_costs=cohort.feature_costs"
    parameters = parameters.removeprefix(", ")
    if recipe.cohort == "chest pain":
        arguments = options(**recipe.arguments, as_frame=True).removeprefix(", ")
        lines = [
            f"cohort = make_chest_pain({arguments})  # synthetic",
            "X, y = cohort.data, cohort.target",
        ]
    else:
        lines = [
            "cohort = load_breast_cancer(as_frame=True)",
            "X, y = cohort.data, (cohort.target == 0).astype(int)  # malignant is positive",
        ]
    return [
        *lines,
        "X, X_test, y, y_test = train_test_split(",
        "    X, y, test_size=1 / 3, stratify=y, random_state=0",
        ")",
        f"model = ProbabilisticScoringList({parameters}).fit(X, y)",
        "scoring_list = model.scoring_list_",
    ]


# ---------------------------------------------------------------------- the user's data


class OwnList(OwnData):
    """The user's list, with samples if there are any.

    Its probabilities can be estimated again from the samples if they give the list's own counts, if
    others are given to judge by, or if the list has no counts; otherwise they judge the list.
    """

    #: Of the bar while an explorer opens: counting, stopping, judging twice, drawing.
    steps_to_open = 5

    def __init__(
        self,
        scoring_list: Any,
        X: Any = None,
        y: Any = None,
        *,
        X_test: Any = None,
        y_test: Any = None,
        sample_weight: Any = None,
        pos_label: Any = None,
        labels: Any = None,
    ) -> None:
        own_list = scoring_list
        costs: tuple[float, ...] | None = None
        self.is_estimator = not isinstance(own_list, ScoringList)
        if self.is_estimator:
            own_list, costs, pos_label = _of_estimator(scoring_list, pos_label)
        both_given({"sample_weight": sample_weight}, X=X, y=y)
        both_given(X_test=X_test, y_test=y_test)
        if self.is_estimator and getattr(scoring_list, "_nominal", None) is not None:
            X = None if X is None else scoring_list.encode(X)
            X_test = None if X_test is None else scoring_list.encode(X_test)
        of_classes: tuple[Any, Any] = (0, 1)
        if y is not None:
            of_classes = labels_of_classes(y, pos_label, "y")
        elif y_test is not None:
            of_classes = labels_of_classes(y_test, pos_label, "y_test")
        elif self.is_estimator:
            low, high = sorted(np.asarray(scoring_list.classes_).tolist())
            of_classes = (low, high) if pos_label == high else (high, low)
        self.class_names = ClassNames.of(*of_classes, labels)
        self.given_test = {"X_test": X_test, "y_test": y_test}
        self.source = scoring_list
        fit = test = None
        if X is not None:
            fit = Samples.of(own_list, X, y, sample_weight=sample_weight, pos_label=pos_label)
        if X_test is not None:
            test = Samples.of(own_list, X_test, y_test, pos_label=pos_label)
        elif fit is not None and own_list.stages[0].has_counts and not fit.are_counted_in(own_list):
            test = fit
            fit = None
        calibrations: tuple[str, ...] = (AS_GIVEN_PRESET,)
        if fit is not None or own_list.stages[0].has_counts:
            calibrations = (AS_GIVEN_PRESET, *STAGE_CALIBRATIONS)
        costs = costs or tuple(1.0 for _ in own_list.features)
        self.data = ListData(own_list, fit, test, costs, calibrations)
        self.X_is_test = X_test is None and test is not None
        super().__init__(pos_label, X=X, y=y, sample_weight=sample_weight)

    def arguments(self, name: str = "") -> dict[str, Any]:
        """Get the list, the held-out samples or the samples."""
        if name == "list":
            return {"scoring_list": self.source}
        return self.given_test if name == "test" else self.given

    def code(self) -> list[str]:
        """Write Python that loads the list and the samples."""
        source = name_of(self.source) or f"data_of({self.number}, 'list')['scoring_list']"
        if self.is_estimator:
            source += ".scoring_list_"
        lines = [f"scoring_list = {source}"]
        for which in ("", "test"):
            if any(value is not None for value in self.arguments(which).values()):
                lines += self.code_lines(which)
        return lines


def _of_estimator(model: Any, pos_label: Any) -> tuple[Any, tuple[float, ...] | None, Any]:
    """Find the list of a fitted classifier, the costs of its questions, and its positive class."""
    scoring_list = getattr(model, "scoring_list_", None)
    if not isinstance(scoring_list, ScoringList):
        raise ValueError(
            "scoring_list must be a ScoringList, or a fitted ProbabilisticScoringList; got "
            f"{type(model).__name__}{'' if scoring_list is None else ' without probabilities'}."
        )
    label = own_positive_class(model, pos_label)
    price = None
    if getattr(model, "feature_costs", None) is not None:
        by_column = np.asarray(model._columns().costs(model.feature_costs))
        price = tuple(float(cost) for cost in by_column[scoring_list.features])
    return scoring_list, price, label
