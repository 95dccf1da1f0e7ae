from .gallery import Gallery as Gallery
from .shipped import NAMES as NAMES
from .shipped import open_story as open_story
