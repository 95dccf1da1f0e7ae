from .explorer import ROCExplorer as ROCExplorer
from .state import ROCResult as ROCResult
from .state import ROCState as ROCState
