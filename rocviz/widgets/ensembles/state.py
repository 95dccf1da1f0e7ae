"""The state of the ensemble explorer: which classifiers are in, and what their crowd says.

Works without a browser. It asks the core for every number and draws nothing.
"""

from __future__ import annotations

from dataclasses import replace
from functools import lru_cache
from typing import TYPE_CHECKING, Any, ClassVar

import numpy as np
import traitlets

from rocviz.core.ensembles.experiment import ensemble_subsets
from rocviz.core.ensembles.rank_ensemble import METHODS
from rocviz.widgets.base.state import ExplorerState, Sentence
from rocviz.widgets.ensembles.data import ODD_ONES, STRATEGIES, sandbox_aucs, simulated
from rocviz.widgets.ensembles.result import EnsembleResult, judge, law
from rocviz.widgets.ensembles.words import code, sentences

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    import pandas as pd

    from rocviz.core.ensembles.experiment import EnsembleExperiment
    from rocviz.widgets.ensembles.data import Measured, OwnScores

__all__ = ["EnsembleState"]

MOST = 12  # classifiers in the sandbox


class EnsembleState(ExplorerState):
    """State of the ensemble explorer.

    Parameters
    ----------
    data : OwnScores, optional
        One's own labels and scores; without it, the teaching sandbox.
    **inputs
        Initial values of the traits below.
    """

    #: Names of the classifiers that are in; places counted from 0 are understood too.
    members = traitlets.Tuple().tag(input=True)
    #: How they are combined.
    method = traitlets.Enum(METHODS, "fidel").tag(input=True)
    #: The sample whose evidence is shown: its row among those that are judged by.
    item = traitlets.Int(0, min=0).tag(input=True)
    #: How often the samples are split anew to see AUCs against the number of classifiers.
    n_resamples = traitlets.Int(60, min=2, max=10_000).tag(input=True)
    #: Classifiers trained on shares of their own, or all on the same samples.
    strategy = traitlets.Enum(STRATEGIES, "disjoint").tag(input=True)
    #: The sandbox: normal scores of equally correlated classifiers.
    n_classifiers = traitlets.Int(7, min=1, max=MOST).tag(input=True, sandbox=True)
    auc_low = traitlets.Float(0.55, min=0.3, max=0.98).tag(input=True, sandbox=True)
    auc_high = traitlets.Float(0.75, min=0.3, max=0.98).tag(input=True, sandbox=True)
    #: The last classifier: like the others, half-way to perfect, or worse than random.
    odd_one = traitlets.Enum(ODD_ONES, "none").tag(input=True, sandbox=True)
    correlation = traitlets.Float(0.0, min=0.0, max=1.0).tag(input=True, sandbox=True)
    #: Samples to measure the classifiers on, and as many to judge by.
    n_samples = traitlets.Int(500, min=20, max=100_000).tag(input=True, sandbox=True)
    prevalence = traitlets.Float(0.4, min=0.02, max=0.98).tag(input=True, sandbox=True)
    seed = traitlets.Int(0, min=0).tag(input=True, sandbox=True)

    presets: ClassVar[Mapping[str, Mapping[str, Any]]] = {
        "independent": {},
        "correlated": {"correlation": 0.4},
        "nearly the same": {"correlation": 0.9},
        "one expert": {"auc_low": 0.52, "auc_high": 0.6, "odd_one": "expert", "correlation": 0.2},
        "equal AUCs": {"auc_low": 0.65, "auc_high": 0.65},
        "one reversed": {"auc_low": 0.6, "odd_one": "reversed"},
        "many weak": {"n_classifiers": 12, "auc_low": 0.52, "auc_high": 0.6, "n_samples": 2000},
        "few samples": {"auc_low": 0.6, "auc_high": 0.65, "n_samples": 40},
        "only two": {"n_classifiers": 2, "auc_low": 0.65},
        "imbalanced": {"prevalence": 0.04, "n_samples": 2000},
    }

    def __init__(self, data: OwnScores | None = None, **inputs: Any) -> None:
        self._own = data
        self._found: dict[Any, EnsembleExperiment] = {}
        self._judged = lru_cache(maxsize=8)(judge)
        self._check_names(inputs)
        super().__init__(**inputs)

    # ------------------------------------------------------------------ data

    @property
    def has_own_data(self) -> bool:
        """Whether it was opened on data of one's own."""
        return self._own is not None

    @property
    def is_sandbox(self) -> bool:
        """Whether simulated classifiers are looked at."""
        return self._own is None or self.preset != self.own

    @property
    def strategies(self) -> tuple[str, ...]:
        """Training strategies to choose from, where the classifiers were trained here."""
        return () if self.is_sandbox or self._own is None else self._own.strategies

    @property
    def data(self) -> Measured:
        """The classifiers as they were measured, and the samples to judge by."""
        if self._own is not None and not self.is_sandbox:
            return self._own.measured(self.strategy)
        aucs = tuple(self.sandbox_aucs)
        return simulated(self.n_samples, aucs, self.correlation, self.prevalence, self.seed)

    @property
    def sandbox_aucs(self) -> list[float]:
        """True AUCs of the sandbox's classifiers."""
        return sandbox_aucs(self.n_classifiers, self.auc_low, self.auc_high, self.odd_one)

    @property
    def pos_label(self) -> Any:
        """The positive class, where one was named."""
        return None if self._own is None or self.is_sandbox else self._own.given[2]

    def own_code(self) -> tuple[list[str], list[str]]:
        """Return imports, and Python that gets hold of one's own scores."""
        assert self._own is not None
        return self._own.code(self.strategy)

    # ------------------------------------------------------------------ rules

    @traitlets.validate("members")
    def _each_once(self, proposal: Any) -> tuple[str | int, ...]:
        return tuple(dict.fromkeys(m if isinstance(m, str) else int(m) for m in proposal["value"]))

    def adjust(self, changed: set[str]) -> None:
        """Let what hangs on the data follow the data; refuse contradictions."""
        super().adjust(changed)
        if self.auc_low > self.auc_high:
            if {"auc_low", "auc_high"} <= changed:
                raise traitlets.TraitError(
                    f"auc_low must not exceed auc_high; got {self.auc_low} and {self.auc_high}."
                )
            follows = "auc_high" if "auc_low" in changed else "auc_low"
            setattr(self, follows, self.auc_low if "auc_low" in changed else self.auc_high)
        data = self.data
        names = data.ensemble.names
        if "members" in changed and self.members:
            self.members = self._names_of(self.members, names)
        elif "members" in changed and self._settled:
            raise traitlets.TraitError("members is empty; at least one classifier must be in.")
        else:
            known = self.result.ensemble.names if self.result and "preset" not in changed else ()
            out = set(known) - set(self.members)
            self.members = tuple(name for name in names if name not in out) or names
        if self.item not in data.rows:
            if "item" in changed and self._settled:
                raise traitlets.TraitError(
                    f"item must be one of the {data.rows.size} rows that are judged by, from "
                    f"{data.rows[0]} to {data.rows[-1]}; got {self.item}."
                )
            at = min(int(np.searchsorted(data.rows, self.item)), data.rows.size - 1)
            self.item = int(data.rows[at])

    @staticmethod
    def _names_of(members: tuple[Any, ...], names: tuple[str, ...]) -> tuple[str, ...]:
        """Return names in the order of the data."""
        wanted = set()
        for member in members:
            known = names if isinstance(member, str) else range(len(names))
            if member not in known:
                raise traitlets.TraitError(
                    f"members must be some of {', '.join(names)}; got {member!r}."
                )
            wanted.add(member if isinstance(member, str) else names[member])
        return tuple(name for name in names if name in wanted)

    # ------------------------------------------------------------------ acts

    def toggle(self, place: int) -> None:
        """Take a classifier in or out.

        Parameters
        ----------
        place : int
            Counted from 0.

        Raises
        ------
        traitlets.TraitError
            If it is the only one that is in.
        """
        name = self.result.ensemble.names[place]
        inside = name in self.members
        self.members = (
            tuple(m for m in self.members if m != name) if inside else (*self.members, name)
        )

    def hold_place(self, place: int) -> None:
        """Look at the item that the crowd ranks at a place.

        Parameters
        ----------
        place : int
            From 1, the most positive one, to the number of items.

        Raises
        ------
        ValueError
            If there is no such place.
        """
        result = self.result
        if not 1 <= place <= result.order.size:
            raise ValueError(f"place must be from 1 to {result.order.size}; got {place!r}.")
        self.item = int(result.rows[result.order[place - 1]])

    def compare(
        self,
        progress: Callable[[Any], Any] | None = None,
        should_stop: Callable[[], bool] | None = None,
    ) -> EnsembleExperiment:
        """Compute AUCs against the number of classifiers, over resamples of the data on screen.

        Parameters
        ----------
        progress : callable, default=iter
            Wraps the steps that are counted, such as :func:`tqdm.tqdm`.
        should_stop : callable, optional
            Asked before every step; once it says true the work ends.

        Returns
        -------
        EnsembleExperiment
            Also :attr:`result`'s ``experiment`` from now on, as long as data and members stay.

        Raises
        ------
        SimulationStopped
            If it was told to stop; nothing is changed.
        ValueError
            If a class has too few samples to be split.
        """
        key, experiment = self._experiment(progress, should_stop)
        self._take_experiment((key, experiment))
        return experiment

    def _experiment(self, progress: Any, should_stop: Any) -> tuple[Any, EnsembleExperiment]:
        key = self._experiment_key()
        positive, scores = self.data.pooled
        experiment = ensemble_subsets(
            positive,
            scores[:, self._places()],
            n_repeats=self.n_resamples,
            random_state=0,
            progress=progress,
            should_stop=should_stop,
        )
        return key, experiment

    def _take_experiment(self, found: tuple[Any, EnsembleExperiment]) -> None:
        """Keep a comparison; show it if it is of what is on screen."""
        key, experiment = found
        self._found[key] = experiment
        while len(self._found) > 16:
            self._found.pop(next(iter(self._found)))
        if key == self._experiment_key():
            self.set_trait("result", replace(self.result, experiment=experiment))

    def _experiment_key(self) -> tuple[Any, ...]:
        looks = ("method", "item")
        return tuple(value for name, value in self.inputs().items() if name not in looks)

    # ------------------------------------------------------------------ result

    def _places(self) -> list[int]:
        names = self.data.ensemble.names
        return [names.index(name) for name in self.members]

    def compute(self) -> EnsembleResult:
        """Return everything the explorer shows, for the inputs as they stand."""
        data = self.data
        judged = self._judged(data, self.members, self.method)
        places = self._places()
        at = int(np.searchsorted(data.rows, self.item))
        ensemble = data.ensemble
        coldness = ensemble.beta * ensemble.n_samples
        cold = coldness != 0
        return EnsembleResult(
            ensemble=ensemble,
            crowd=judged.crowd,
            members=tuple(places),
            base_auc=data.auc,
            auc=judged.auc,
            best=judged.best,
            test=judged.test,
            held_out=data.held_out,
            evidence=judged.evidence,
            order=judged.order,
            rows=data.rows,
            place=int(np.flatnonzero(judged.order == at)[0]) + 1,
            item=judged.crowd.combine(data.scores[[at]][:, places], method=self.method),
            item_is_positive=bool(data.positive[at]),
            temperature=np.where(cold, 1 / np.where(cold, coldness, 1.0), np.inf),
            law=law(ensemble.auc, ensemble.prevalence),
            experiment=self._found.get(self._experiment_key()),
        )

    @property
    def sentences(self) -> tuple[Sentence, ...]:
        """What the picture shows at this setting, in words."""
        return sentences(self)

    def code(self) -> str:
        """Return the lines of Python that reproduce the numbers on screen."""
        return code(self)

    def to_frame(self) -> pd.DataFrame:
        """Return one row per classifier: what it has shown, and what it says of the item."""
        import pandas as pd

        result = self.result
        ensemble, inside = result.ensemble, list(result.members)
        contribution, rank = np.full((2, len(ensemble.names)), np.nan)
        contribution[inside], rank[inside] = result.item.contributions[0], result.item.ranks[0]
        return pd.DataFrame(
            {
                "classifier": ensemble.names,
                "is in": np.isin(np.arange(len(ensemble.names)), inside),
                "auc, validation": ensemble.auc,
                "auc, judged": result.base_auc,
                "temperature / N": result.temperature,
                "threshold rank": ensemble.threshold_rank,
                "rank of item": rank,
                "contribution": contribution,
            }
        )
