"""Stories of about ten minutes each, for a hall: one for the course's start, one per explorer."""

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from rocviz.stories.gallery import Gallery as Gallery
    from rocviz.stories.shipped import NAMES as NAMES, open_story as open_story
else:
    from rocviz._lazy import attach

    __getattr__, __dir__, __all__ = attach(__name__)
