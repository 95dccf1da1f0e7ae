"""Rehearsal of a story before it is shown: the effect of each step, and its errors.

The steps are tried on states, which are explorers without pictures, so nothing on a screen moves.
"""

from __future__ import annotations

from dataclasses import dataclass
from math import isclose
from typing import TYPE_CHECKING, Any

import traitlets

from rocviz.core.base.validation import describe, list_labels
from rocviz.widgets.base.state import _reopened
from rocviz.widgets.base.stories.prose import Prose, inline, prose
from rocviz.widgets.base.stories.steps import Step, filler, prose_of

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence


@dataclass(frozen=True)
class Scene:
    """The explorer, inputs and texts of a step."""

    explorer: str  # its name
    before: Mapping[str, Any]  # inputs and view before the step
    values: Mapping[str, Any]  # inputs and view after it
    prose: Prose  # the step's text
    moved: Prose  # its text once the user has moved the picture
    asks: str  # its question, without markup
    description: Mapping[str, Any]  # what the bar shows of it


def state_copy(explorer: Any) -> Any:
    """Copy an explorer as a state without pictures."""
    kinds = type(explorer).__mro__
    state_kind = next(kind for kind in kinds if not hasattr(kind, "static_figure"))
    _make, (_kind, *arguments) = explorer.__reduce__()
    return _reopened(state_kind, *arguments)


def view_of(state: Any) -> dict[str, Any]:
    """Collect everything that a step may set: inputs, pictures and the large picture."""
    view = state.view()
    return {**state.inputs(), "panels": view["panels"], "focus": view["focus"]}


def same(first: Any, second: Any) -> bool:
    """Test whether two values of an input are equal up to rounding."""
    if isinstance(first, float) and isinstance(second, float):
        return isclose(first, second, rel_tol=1e-9, abs_tol=1e-12)
    if isinstance(first, tuple) and isinstance(second, tuple):
        return len(first) == len(second) and all(map(same, first, second))
    return bool(first == second)


def rehearse(
    explorers: Mapping[str, Any],
    steps: Sequence[Step],
    openings: Mapping[str, Mapping[str, Any]] | None = None,
) -> tuple[Scene, ...]:
    """Go through all steps.

    Parameters
    ----------
    explorers : mapping of str to Explorer
        The explorers that steps may name; they are not moved.
    steps : sequence of Step
    openings : mapping of str to mapping, optional
        The inputs with which each explorer begins; by default the present ones.

    Returns
    -------
    tuple of Scene

    Raises
    ------
    ValueError
        If a step is invalid; the message names the step and its entry.
    """
    states: dict[str, Any] = {}
    name = next(iter(explorers))
    scenes: list[Scene] = []
    for number, step in enumerate(steps, 1):
        name = step.explorer or name
        try:
            if name not in explorers:
                raise _Wrong(
                    "explorer", f"must be one of {list_labels(explorers)}; got {describe(name)}"
                )
            if name not in states:
                states[name] = state_copy(explorers[name])
                states[name].go_back(**(openings or {}).get(name, {}))
            # a question about other data is not asked over the picture of the ones before, nor is
            # one that is answered by words alone, or that begins a part of a lecture
            is_other = bool(scenes) and scenes[-1].explorer != name
            is_new = is_other or "preset" in step.inputs or step.kind == "words" or step.part != ""
            hides = not scenes or is_new
            scenes.append(_scene(name, states[name], step, hides=hides))
        except _Wrong as wrong:
            raise ValueError(
                f"Step {number}, {describe(step.title, 100)}, {wrong}"
            ) from wrong.__cause__
    return tuple(scenes)


class _Wrong(Exception):
    """An invalid entry of a step."""

    def __init__(self, entry: str, why: object) -> None:
        words = str(why).rstrip(".")
        super().__init__(f"{entry}: {words}{'' if words.endswith('?') else '.'}")


def _scene(name: str, state: Any, step: Step, *, hides: bool) -> Scene:
    before = view_of(state)
    known = {*state.input_names(), *state.controls()}
    for entry, names in (("inputs", step.inputs), ("move", step.move)):
        for input_name in names:
            if input_name not in known:
                raise _Wrong(entry, f"no input {describe(input_name)}")
    for entry, pictures in (("panels", step.panels or ()), ("focus", filter(None, [step.focus]))):
        for picture in pictures:
            if picture not in state.pictures:
                raise _Wrong(entry, f"no picture {describe(picture)}")
    try:
        set_up(state, step)
        state.finish()
    except (ValueError, TypeError, traitlets.TraitError) as error:
        raise _Wrong("inputs", error) from error
    text, moved, asks, described = _words(step, state)
    if step.ask is not None:
        described["ask"]["hides"] = hides
    return Scene(name, before, view_of(state), text, moved, asks, described)


def set_up(state: Any, step: Step, without: str = "") -> None:
    """Apply a step; its preset comes first, and is reset even if it is the present one."""
    rest = {name: value for name, value in step.inputs.items() if name != without}
    preset = rest.pop("preset", None)
    if preset is not None and preset == state.preset:
        rest = {**state._preset_defaults(), **state.presets.get(preset, {}), **rest}
    elif preset is not None:
        state.preset = preset
    state.update(**rest, **step.view())


def _words(step: Step, state: Any) -> tuple[Prose, Prose, str, dict[str, Any]]:
    """Write a step's texts, and its description for the bar, as safe HTML."""
    fill = filler(state)
    entry = "text"
    asks = ""
    controls = []
    for name in step.move:
        controls += _controls_of(name, state)
    described: dict[str, Any] = {"title": step.title, "kind": step.kind, "ask": None}
    described["needs"] = controls
    known = state.controls()
    described["is_tall"] = any(known[name].needs_height for name in controls)
    if step.part:
        described["part"] = {"title": step.part, "minutes": float(step.minutes)}
    if step.is_optional:
        described["optional"] = True
    try:
        text = prose_of(step.text, state)
        entry = "moved"
        moved = prose_of("" if step.moved is None else step.moved, state)
        entry = "notes"
        described["notes"] = prose(step.notes, fill).html
        if step.ask is not None:
            entry = "ask"
            choices = [inline(choice, fill).html for choice in step.ask.choices]
            reasons = step.ask.why or [""] * len(choices)
            question = prose(step.ask.text, fill)
            asks = question.plain
            described["ask"] = {
                "text": question.html,
                "choices": choices,
                "why": [inline(text, fill).html for text in reasons],
                "answer": step.ask.answer,
            }
    except ValueError as error:
        raise _Wrong(entry, error) from error
    return text, moved, asks, described


def _controls_of(name: str, state: Any) -> list[str]:
    """Find the control of an input; without one of its own, a list of rows moves it."""
    controls = state.controls()
    if name in controls:
        return [name]
    lists = []
    for control_name, control in controls.items():
        if control.needs_height and not control.group:
            lists.append(control_name)
    return lists
