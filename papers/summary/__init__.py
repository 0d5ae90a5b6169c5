"""The summary of a paper: read from what a model wrote, checked, graded and stored."""
