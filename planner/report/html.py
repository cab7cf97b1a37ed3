from planner.report.model import Report


def html(report: Report) -> str:
    return ""
