from .groups import GroupsDisplay as GroupsDisplay
