from .gallery import Gallery as Gallery
from .lecture import open_lecture as open_lecture
from .maker import StoryMaker as StoryMaker
from .shipped import NAMES as NAMES
from .shipped import open_story as open_story
from .writing import story_fields as story_fields
from .writing import write_steps as write_steps
