"""The readers' pages: thin views over questions, in public for everybody or with the owner's things for the owner."""
