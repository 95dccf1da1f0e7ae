"""Draw samples by hand on the picture of people: what a press, a sweep and a drag do."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from rocviz.pictures import Picture
from rocviz.widgets.roc.state import MAX_DRAWN, ROCState

#: Decimals of a score that is drawn.
N_DIGITS = 2
#: Distance after which a sweep adds a sample, and the spread of these around its way.
SWEEP_STEP = 0.025
MAX_SWEPT = 8  # samples of one step of a sweep
SCATTER = 0.03
#: How far beyond the scores, as a share of their range, one is still in the picture.
MARGIN = 0.04


class Drawn(NamedTuple):
    """A sample that was drawn."""

    score: float
    positive: bool


class Pencil:
    """Draws on the picture of people of one explorer.

    A press adds a sample, above the line a positive and below it a negative; a sweep from there
    adds a cloud. A press on a sample takes it, and it follows; out of the picture it is removed.
    """

    def __init__(self, state: ROCState) -> None:
        self._state = state
        self._taken: Drawn | None = None
        self._swept: tuple[float, float] | None = None

    def on_press(self, picture: Picture, event: str, x: float, y: float) -> None:
        """Handle an event of the hand.

        Parameters
        ----------
        picture : Picture
            Of people, as it is shown.
        event : {"press", "sweep", "release", "leave"}
        x, y : float
            Where it is, in the picture's coordinates.
        """
        positive = y > float(picture["ground"].y[0])
        if event == "press":
            self._taken = None
            self._swept = None
            if self._is_beside(x):
                return
            self._taken = self._sample_at(picture, x, y)
            if self._taken is None:
                self._add(x, positive=positive)
                self._swept = (x, y)
        elif self._taken is not None:
            is_gone = event == "leave" or self._is_beside(x)
            if not is_gone:
                self._move(x, positive=positive)
            elif event != "sweep":  # it may still come back
                self._remove()
        elif self._swept is not None and event == "sweep":
            self._sweep(x, y, positive=positive)

    def _is_beside(self, x: float) -> bool:
        """Whether a place is beside the scores, which reach from 0 to 1."""
        return not -MARGIN <= x <= 1 + MARGIN

    def _sample_at(self, picture: Picture, x: float, y: float) -> Drawn | None:
        """Find the sample whose dot is at a place."""
        for name, positive in (("positive", True), ("negative", False)):
            people = picture[f"{name} people"]
            scores = sorted(_scores(self._state, positive=positive), reverse=True)
            if len(scores) != people.x.size:
                continue
            wide, high = people.pitch
            away = np.hypot((people.x - x) / wide, (people.y - y) / high)
            nearest = int(away.argmin())
            if away[nearest] <= 0.5:
                return Drawn(scores[nearest], positive)
        return None

    def _add(self, x: float, *, positive: bool) -> None:
        if self._state.n_drawn >= MAX_DRAWN:
            raise ValueError(
                f"There is room for {MAX_DRAWN} samples; drag some out of the picture."
            )
        self._state.add_sample(_score(x), positive=positive)

    def _sweep(self, x: float, y: float, *, positive: bool) -> None:
        """Add samples around the way of the hand."""
        assert self._swept is not None
        start_x, start_y = self._swept
        distance = max(abs(x - start_x), abs(y - start_y))
        room = MAX_DRAWN - self._state.n_drawn
        n_new = min(int(distance / SWEEP_STEP), MAX_SWEPT, room)
        if n_new < 1:
            return
        rng = np.random.default_rng(self._state.n_drawn)
        along = np.linspace(start_x, x, n_new + 1)[1:]
        with self._state.batch():
            for place in along + rng.normal(scale=SCATTER, size=n_new):
                self._state.add_sample(_score(float(place)), positive=positive)
        self._swept = (x, y)

    def _move(self, x: float, *, positive: bool) -> None:
        """Let a sample follow the hand, also to the other side of the line."""
        taken = self._taken
        assert taken is not None
        to = Drawn(_score(x), positive)
        is_last = len(_scores(self._state, positive=taken.positive)) == 1
        if is_last and positive != taken.positive:
            to = Drawn(to.score, taken.positive)
        if to == taken:
            return
        self._state.move_sample(
            taken.score, to.score, positive=taken.positive, becomes_positive=to.positive
        )
        self._taken = to

    def _remove(self) -> None:
        taken = self._taken
        assert taken is not None
        self._taken = None
        if len(_scores(self._state, positive=taken.positive)) == 1:
            raise ValueError("The last of a class stays: a curve needs both.")
        self._state.remove_sample(taken.score, positive=taken.positive)


def _scores(state: ROCState, *, positive: bool) -> tuple[float, ...]:
    """List the scores of a class that are drawn."""
    return state.drawn_positives if positive else state.drawn_negatives


def _score(x: float) -> float:
    """Round a place to a score."""
    return round(min(max(x, 0.0), 1.0), N_DIGITS)
