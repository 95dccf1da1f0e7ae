"""Inputs that several explorers share: the metric, a new sample, the cost of a miss."""

from __future__ import annotations

from functools import cached_property
from typing import TYPE_CHECKING, Any, ClassVar, TypedDict

from rocviz.core.roc.metrics import MetricRow, find_metric, ordered_metrics
from rocviz.widgets.base.controls import Action, Slider, Values, Whole, Word
from rocviz.widgets.base.own_data import Recent
from rocviz.widgets.base.state import ExplorerState

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

    from rocviz.widgets.base.controls import Control, Grid

BETAS = (0.1, 0.2, 0.25, 0.33, 0.5, 0.67, 1.0, 1.5, 2.0, 3.0, 4.0, 5.0, 10.0)
NEW_SAMPLE = Action(
    "new sample", "new_sample", hint="Draw another sample from the same distribution", sandbox=True
)


class ExplorerInputs(TypedDict, total=False):
    """Inputs of every explorer, for type checkers."""

    preset: str
    panels: Sequence[str]
    focus: str
    unfolded: Sequence[str]


class SandboxState(ExplorerState):
    """A state that simulates data from a seed, unless the user gives data."""

    seed = Whole(0, min=0, help="Seed of the sample drawn.").tag(input=True, sandbox=True)

    def controls(self) -> dict[str, Control]:
        """Map names of traits, or the controls' own names, to controls in the order declared."""
        return {**super().controls(), "new_sample": NEW_SAMPLE}

    def new_sample(self) -> None:
        """Draw another sample of the same kind."""
        self.seed += 1


class DrawnState(SandboxState):
    """A state whose data are one object: the user's, or simulated by the sandbox's settings."""

    #: Largest number of simulated samples in a preview.
    sketched: ClassVar[int] = 0

    @cached_property
    def _samples(self) -> Recent:
        return Recent(2)  # data with all samples, and previews

    @cached_property
    def _known(self) -> Recent:
        return Recent(16)  # slow results, by their settings

    @property
    def data(self) -> Any:
        """The present data."""
        if not self.is_sandbox:
            return self._own
        settings, rough = self.sandbox_settings(), self.is_preview and not self._is_drawn()
        if rough:
            settings["n_samples"] = min(self.sketched, settings["n_samples"])
        return self._samples((rough, *settings.values()), lambda: self.drawn(settings, rough))

    def drawn(self, settings: dict[str, Any], rough: bool = False) -> Any:
        """Simulate data by the sandbox's settings; ``rough`` data are for a preview."""
        raise NotImplementedError

    def _is_drawn(self) -> bool:
        """Whether the full data of the present settings have been simulated."""
        return (False, *self.sandbox_settings().values()) in self._samples

    def _has_other_data(self, changed: set[str]) -> bool:
        return bool(changed & {"preset", *self.sandbox_names()})


def miss_cost(
    grid: Grid,
    hint: str = "What one missed positive costs, when a false alarm costs 1",
    **more: Any,
) -> Slider:
    """Declare the control of the cost of a miss, in false alarms."""
    return Slider("a miss, in false alarms", grid, hint=hint, role="optimum", **more)


def recall_weight(**more: Any) -> Slider:
    """Declare the control of the F measure's beta."""
    hint = "How many times recall counts as much as precision"
    return Slider("β, the weight of recall", Values(BETAS), "g", hint=hint, role="optimum", **more)


class MetricName(Word):
    """A metric by any of its names; a name such as ``'f2'`` also sets the option that it implies.

    Parameters
    ----------
    own : mapping of str to str
        Another word that the explorer knows, and its label.
    keeps : callable
        Says of a row of the table of metrics whether the explorer takes it.
    default, help : str
    """

    def __init__(
        self, own: Mapping[str, str], keeps: Callable[[MetricRow], bool], default: str, help: str
    ):
        self._own, self._keeps = own, keeps
        super().__init__((), default, help=help)

    @property
    def values(self) -> tuple[str, ...]:
        """Valid names, by the present table of metrics."""
        return (*(row.name for row in ordered_metrics() if self._keeps(row)), *self._own)

    @values.setter
    def values(self, _values: Any) -> None:
        """Ignore the values that traitlets sets: they come from the table of metrics."""

    def labels(self, _state: Any = None) -> dict[str, str]:
        """Map names to labels in the rail."""
        rows = {row.name: row.label for row in ordered_metrics() if self._keeps(row)}
        return {**rows, **self._own}

    def validate(self, obj: Any, value: Any) -> Any:
        """Resolve the name of a metric, or refuse it."""
        return super().validate(obj, canonical_name(value))

    def set(self, obj: Any, value: Any) -> None:
        """Set the metric, and the options that its name implies."""
        try:
            implied = find_metric(value)[1]
        except ValueError:
            implied = {}
        if not implied:
            super().set(obj, value)
            return
        with obj.batch():
            if not obj._settled:  # a preset does not override the constructor's arguments
                obj._initial.update(implied)
            super().set(obj, value)
            for name, option in implied.items():
                setattr(obj, name, option)


def canonical_name(metric: Any) -> Any:
    """Resolve the name of a metric; other values stay as they are."""
    try:
        return find_metric(metric)[0].name
    except ValueError:
        return metric
