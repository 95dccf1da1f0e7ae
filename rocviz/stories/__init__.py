"""Stories of seven to ten minutes for a lecture: one to open the course, one per explorer."""

import lazy_loader

__getattr__, __dir__, __all__ = lazy_loader.attach_stub(__name__, __file__)
