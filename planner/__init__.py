"""Token capacity planner: an input workbook becomes a live Excel plan of AI inference capacity and cost."""
