"""What a paper is, how it is searched and shown."""
