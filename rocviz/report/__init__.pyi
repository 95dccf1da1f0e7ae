from .report import EvaluationReport as EvaluationReport
from .report import evaluation_report as evaluation_report
