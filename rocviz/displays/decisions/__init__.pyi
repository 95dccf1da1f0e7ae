from .decision import DecisionDisplay as DecisionDisplay
