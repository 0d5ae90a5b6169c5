"""The files of a paper: downloaded, unpacked, and turned into text."""
