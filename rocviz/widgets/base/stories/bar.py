"""The bar of a story: titles, questions, and buttons to move between steps."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any

import anywidget
import traitlets

from rocviz.widgets.base.stage import script

if TYPE_CHECKING:
    from collections.abc import Callable


class StoryBar(anywidget.AnyWidget):
    """The bar of a story: shows titles and questions, and reports where the user wants to go.

    ``on_message`` is given ``{"go": step}`` (which may ask first) or ``{"show": step}``, and
    whether to glide.
    """

    _esm = script("story_bar.js")
    _css = Path(__file__).with_name("story.css").read_text(encoding="utf-8")

    #: Title, question and required controls of each step; all texts are HTML.
    steps: Any = traitlets.List().tag(sync=True)
    at = traitlets.Int().tag(sync=True)
    asking = traitlets.Bool().tag(sync=True)

    def __init__(self, on_message: Callable[[dict[str, Any]], None], **traits: Any) -> None:
        super().__init__(**traits)
        self.on_msg(lambda _widget, content, _buffers: on_message(content))
