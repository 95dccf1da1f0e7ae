from .explorer import FermiDiracExplorer as FermiDiracExplorer
from .state import FermiDiracResult as FermiDiracResult
from .state import FermiDiracState as FermiDiracState
