"""The page that a planner uses: one HTML file with the rules, a form, the advice and how sure it is."""

__all__ = ["report_html", "write_report"]

from hedgerow.report.write import report_html, write_report
