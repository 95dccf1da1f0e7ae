"""ROC curves, rankings and probabilities: exact numbers, displays and interactive explorers.

The names at this level stand in ``__init__.pyi``, as do those of each idea's package, such as
``rocviz.core.decisions``. A name loads its module when it is first used, so that ``import rocviz``
loads no widget library, no plotting library and no scikit-learn.
"""

import lazy_loader

_load, __dir__, __all__ = lazy_loader.attach_stub(__name__, __file__)

__version__ = "0.1.0"
__all__ += ["__version__"]


def __getattr__(name: str) -> object:
    """Load a public name, or say where it is, or which one was meant."""
    if name in __all__ or name.startswith("_"):
        return _load(name)
    from rocviz._names import where_to_look

    # without the module as its object, so that Python adds no guess of its own
    raise AttributeError(where_to_look(name), name=name)
