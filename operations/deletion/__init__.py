"""Deletion of all papers of a range of days: counted, run as a job in batches, stopped and gone on with."""
