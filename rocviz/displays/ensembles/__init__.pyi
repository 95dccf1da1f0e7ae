from .ensemble import EnsembleDisplay as EnsembleDisplay
