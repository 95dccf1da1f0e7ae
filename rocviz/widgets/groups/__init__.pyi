from .explorer import GroupsExplorer as GroupsExplorer
from .result import GroupsResult as GroupsResult
from .state import GroupsState as GroupsState
