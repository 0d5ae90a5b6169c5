"""What the readers' pages ask of the database. Nothing here writes."""
