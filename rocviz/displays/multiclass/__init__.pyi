from .multiclass import MulticlassDisplay as MulticlassDisplay
